import Archives
import Formats
import Foundation
import PluginKit

/// Imports files of tracks, routes and waypoints into the stores of hikes, planned routes and waypoints, as far as the
/// plugins for them are present.
public struct TrackImporter: FileImporting {
    let hikes: ActiveStore<HikeStore>
    let waypoints: ActiveStore<WaypointStore>

    /// The importer of a plugin that shows hikes, routes or waypoints.
    public init(hikes: ActiveStore<HikeStore>, waypoints: ActiveStore<WaypointStore>) {
        self.hikes = hikes
        self.waypoints = waypoints
    }

    /// One of this name is used.
    public let name = "tracks"
    /// Those of all formats that are known without a plugin, and of JSON.
    public let extensions = TrackFormat.extensions

    /// What the plugins of the session take.
    public func targets(_ context: Context) -> [(word: String, meaning: String)] {
        Target.allCases.filter { $0.isTaken(context) }.map { ($0.rawValue, $0.meaning) }
    }

    /// What lines and waypoints become.
    enum Target: String, CaseIterable {
        case hikes, routes, waypoints

        var meaning: String {
            switch self {
            case .hikes: "all lines become hikes, with or without times"
            case .routes: "lines become planned routes"
            case .waypoints: "only waypoints are imported"
            }
        }

        func isTaken(_ context: Context) -> Bool {
            switch self {
            case .hikes: context.all((any HikeTaking).self).isEmpty == false
            case .routes: context.all((any RouteTaking).self).isEmpty == false
            case .waypoints: context.all((any WaypointTaking).self).isEmpty == false
            }
        }
    }

    /// The format of a file; `nil` if it has none of these.
    public func kind(of source: SourceBytes, _ context: Context) throws -> String? {
        if try ActivityTable.isTable(source) { return ActivityTable.kind }
        if let reader = try Self.reading(source, context) { return reader.format }
        return try TrackFormat(recognising: source)?.rawValue
    }

    /// The plugin that reads a JSON file of a format of its own.
    static func reading(_ source: SourceBytes, _ context: Context) throws -> (any TrackReading)? {
        let readers = context.all((any TrackReading).self)
        guard !readers.isEmpty else { return nil }
        let head = HeadText(try source.bytes(at: 0, count: 4096))
        // A history of Google has words of such formats too.
        guard head.start == .object, try TrackFormat(recognising: source) != .timeline else { return nil }
        return readers.first { $0.recognises(head.text) }
    }

    /// An import into the stores in use.
    public func begin(_ options: ImportOptions, _ context: Context) throws -> any FileImport {
        TrackImport(self, options, context)
    }
}
