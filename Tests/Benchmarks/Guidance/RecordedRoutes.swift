import Formats
import Foundation
import Geodesy
import GuidancePlugin
import PluginKit
import TurnInstructions

/// A recorded track as a route of some shape.
struct RecordedRoute: Sendable {
    /// The shapes that a track is made into.
    enum Shape: String, CaseIterable, Sendable {
        case oneWay, loop, outAndBack
    }

    let name: String
    let shape: Shape
    let route: GuideRoute
}

/// Tracks as routes: those of a folder of GPX files.
struct RecordedRoutes {
    /// The tracks used: lines with a minimum of points and metres. Longer ones are divided into pieces.
    static let leastPoints = 20
    static let lengths = 400.0...12_000
    /// The maximum distance in metres between the ends of a loop.
    static let closed = 30.0

    /// Each piece in each shape, by file name.
    private(set) var routes: [RecordedRoute] = []
    private(set) var pieces = 0
    private(set) var tracks = 0
    /// The number of unused tracks and routes of the files, by reason.
    private var left: [String: Int] = [:]
    private var files = 0

    /// The folder of real data, and that of its recorded tracks.
    static var data: URL {
        let given = ProcessInfo.processInfo.environment["RUTTER_REAL_DATA"] ?? ""
        return URL(fileURLWithPath: given.isEmpty ? "../shared/data" : given, isDirectory: true)
    }

    static var folder: URL { data.appendingPathComponent("gpx") }

    /// Reads all files of a folder; at most this many pieces of a track.
    init(_ folder: URL, mostPieces: Int) {
        let names =
            (FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? [])
            .filter { $0.hasSuffix(".gpx") }.sorted()
        var seen: Set<[Coordinate]> = []
        for name in names {
            files += 1
            let document: GPXDocument
            do {
                document = try GPXReader.document(folder.appendingPathComponent(name))
            } catch {
                left["unreadable", default: 0] += 1
                continue
            }
            for (index, line) in (document.tracks + document.routes).enumerated() {
                let points = line.segments.flatMap { $0 }.map(\.coordinate).filter(\.isValid)
                guard let reason = Self.reason(points, &seen) else {
                    tracks += 1
                    for (piece, points) in Self.pieces(points).prefix(mostPieces).enumerated() {
                        pieces += 1
                        let title = "\(name)#\(index)" + (piece > 0 ? "/\(piece)" : "")
                        routes += RecordedRoute.Shape.allCases.compactMap { shape in
                            Self.made(title, points, shape).map {
                                RecordedRoute(name: title, shape: shape, route: $0)
                            }
                        }
                    }
                    continue
                }
                left[reason, default: 0] += 1
            }
        }
    }

    /// All routes, or each piece in one shape only: the shapes in turn.
    func routes(inOneShape: Bool) -> [RecordedRoute] {
        guard inOneShape else { return routes }
        let shapes = RecordedRoute.Shape.allCases
        var pieces: [String: Int] = [:]
        return routes.filter { route in
            let index = pieces[route.name] ?? pieces.count
            pieces[route.name] = index
            return route.shape == shapes[index % shapes.count]
        }
    }

    /// The numbers of used and unused tracks.
    var summary: String {
        let all = tracks + left.values.reduce(0, +)
        let others = left.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        return "\(all) tracks and routes in \(files) files: \(tracks) used, in \(pieces) pieces of at most "
            + "\(Int(Self.lengths.upperBound / 1000)) km; " + others.joined(separator: ", ")
    }

    /// The reason why a line is not used; `nil` if it is.
    private static func reason(_ points: [Coordinate], _ seen: inout Set<[Coordinate]>) -> String? {
        guard points.count >= leastPoints else { return "of fewer than \(leastPoints) points" }
        guard Polyline.length(points) >= lengths.lowerBound else {
            return "shorter than \(Int(lengths.lowerBound)) m"
        }
        // Lines that differ only in heights are duplicates.
        return seen.insert(points.map(\.withoutAltitude)).inserted ? nil : "the same line again"
    }

    /// A line in pieces that are long enough.
    private static func pieces(_ points: [Coordinate]) -> [[Coordinate]] {
        let valid = Polyline.withoutRepetition(points)
        let along = Polyline.cumulativeDistances(valid)
        return Dictionary(grouping: valid.indices) { Int(along[$0] / lengths.upperBound) }
            .sorted { $0.key < $1.key }.map { $0.value.map { valid[$0] } }
            .filter { $0.count >= leastPoints && Polyline.length($0) >= lengths.lowerBound }
    }

    private static func made(
        _ name: String, _ points: [Coordinate], _ shape: RecordedRoute.Shape
    ) -> GuideRoute? {
        let isClosed = points[0].distance(to: points[points.count - 1]) < closed
        let line: [Coordinate] =
            switch shape {
            case .oneWay: points
            case .loop: isClosed ? points : points + [points[0]]
            case .outAndBack: points + points.dropLast().reversed()
            }
        var generator = TurnGenerator(trace: NoTrace())
        return GuideRoute(
            name: name, mode: .hiking, line: line, turns: generator.turns(alongLine: line), duration: nil,
            isBareLine: true)
    }
}
