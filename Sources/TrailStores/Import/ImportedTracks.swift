import Archives
import CivilTime
import Formats
import Foundation
import PluginKit

/// The content of a file of tracks, routes and waypoints, as it is imported.
public struct ImportedTracks: Sendable {
    /// Its format, such as `gpx`.
    public var format: String
    /// Its lines, waypoints and metadata.
    public var document: GPXDocument
    /// Its waypoints with their identifiers.
    public var places: [MapPlace]
    /// The identifier of its only line, if it has one.
    public var lineID: UUID?
    /// Seconds that a plan states.
    public var estimate: Double?
    /// The indices of the waypoints that have a photo.
    public var pictured: Set<Int> = []
    /// The photo of a waypoint by its index.
    public var photo: (@Sendable (Int) throws -> WaypointPhoto?)?
    /// The plugin's own value of it, for `TrackViewing`.
    public var original: (any Sendable)?

    /// The content of a file.
    public init(format: String, document: GPXDocument, places: [MapPlace], lineID: UUID? = nil) {
        self.format = format
        self.document = document
        self.places = places
        self.lineID = lineID
    }

    /// The content of a file of a common format.
    public init(_ file: TrackFile) {
        self.init(
            format: file.format.rawValue, document: file.document, places: file.places,
            lineID: file.lines.count == 1 ? file.trackID : nil)
    }
}

/// Reads a further format of tracks.
public protocol TrackReading: Capability {
    /// Its name, such as `community`.
    var format: String { get }
    /// Whether a JSON file that begins so is of this format.
    func recognises(_ head: String) -> Bool
    /// Reads a file; `photos` is the folder with the photos that it names.
    func read(_ source: SourceBytes, photos: URL?, _ context: Context) throws -> ImportedTracks
}

/// Shows the content of a file of tracks as a value, without storing it.
public protocol TrackViewing: Capability {
    /// The value; `file` is the path of the file, `stem` its name without extensions.
    func value(of tracks: ImportedTracks, file: String, stem: String, _ context: Context) throws -> Value
}

/// Takes lines as hikes; the plugin that shows hikes has it.
public protocol HikeTaking: Capability {
    /// An added hike as a value.
    func object(of hike: Hike, in store: HikeStore) -> any DomainObject
}

/// Takes waypoints; the plugin that shows them has it.
protocol WaypointTaking: Capability {}

/// Takes waypoints into the store.
public struct StoredWaypoints: WaypointTaking {
    /// The capability of a plugin that uses the store.
    public init() {}
}

/// Makes planned routes of lines; the plugin that shows routes has it.
public protocol RouteTaking: Capability {
    /// The planned route of a line, with turn instructions from its bends and a duration by the mode; `nil` for fewer
    /// than two points.
    func route(along line: GPXLine, name: String, mode: TravelMode, id: UUID, now: Timestamp) -> PlannedRoute?
    /// An added route as a value.
    func object(of route: PlannedRoute, _ context: Context) -> any DomainObject
}
