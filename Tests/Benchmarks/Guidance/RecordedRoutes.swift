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

/// The recorded tracks of the folder of real data.
enum RecordedRoutes {
    /// The tracks that are used: lines of at least so many points and metres. Longer ones are cut.
    static let leastPoints = 20
    static let lengths = 400.0...12_000
    /// Ends nearer to each other than this, metres, make a loop already.
    static let closed = 30.0

    static var folder: URL {
        let given = ProcessInfo.processInfo.environment["RUTTER_REAL_DATA"] ?? ""
        return URL(fileURLWithPath: given.isEmpty ? "../shared/data" : given, isDirectory: true)
    }

    /// Each track in each shape, by file name.
    static func all() throws -> [RecordedRoute] {
        let folder = folder.appendingPathComponent("gpx")
        let names = (FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? [])
            .filter { $0.hasSuffix(".gpx") }.sorted()
        var found: [RecordedRoute] = []
        var seen: Set<[Coordinate]> = []
        for name in names {
            guard let document = try? GPXReader.document(folder.appendingPathComponent(name)) else {
                continue
            }
            for (index, line) in (document.tracks + document.routes).enumerated() {
                let points = cut(line.segments.flatMap { $0 }.map(\.coordinate))
                guard points.count >= leastPoints, Polyline.length(points) >= lengths.lowerBound,
                    seen.insert(points).inserted
                else { continue }
                for shape in RecordedRoute.Shape.allCases {
                    guard let route = made("\(name)#\(index)", points, shape) else { continue }
                    found.append(RecordedRoute(name: "\(name)#\(index)", shape: shape, route: route))
                }
            }
        }
        return found
    }

    private static func cut(_ points: [Coordinate]) -> [Coordinate] {
        let valid = LineSimplification.withoutRepetition(points.filter(\.isValid))
        let along = Polyline.cumulativeDistances(valid)
        return zip(valid, along).filter { $0.1 <= lengths.upperBound }.map(\.0)
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
