import Foundation
import Geodesy
import PluginKit
import PluginTestKit
import RoutingPlugin

/// Routes between coordinates near the network, by distance alone and by the default profile, for comparison by
/// `compare-routers.py`.
struct PeerPairs: Encodable {
    /// The routes of one pair.
    struct Answer: Encodable {
        var places: [[Double]]
        /// The shortest route on the network of each of the others.
        var lines: [String: Line]
        /// Metres on each way of the default profile's route; of another route if it finds none.
        var hiking: [WayStretch]?
    }

    struct Line: Encodable {
        /// The snapped locations of the coordinates, and the shortest line; `nil` if there is no route.
        var snapped: [[Double]]?
        var shortest: [[Double]]?
        /// The reason why there is none.
        var failure: String?
    }

    struct WayStretch: Encodable {
        var way: Int64
        var highway: String
        var sac: Int
        var metres: Double
    }

    /// The maximum distance of a coordinate from the network, and of the two coordinates of a pair along a
    /// straight line, in metres.
    private static let jitter = 150.0
    private static let apart = 300.0...20_000

    /// Access values that the others allow by default, and Rutter only on request.
    private static let openToPeers: [String: Set<String>] = [
        "osrm": ["customers", "permit"], "valhalla": ["customers", "permit", "private"],
    ]

    var extract: String
    var answers: [Answer] = []
    /// `highway` and grade of each way, so that all routes are measured by the same tags.
    var ways: [String: WayStretch] = [:]

    /// Routes between random coordinates of a region.
    init(_ region: RoutingRegion, extract: URL, count: Int) throws {
        self.extract = extract.path
        let graph = region.graph
        let planners = try Self.openToPeers.mapValues { open in
            var profile = CostProfile.distance
            profile.allowed = open
            return try RoutePlanner(region, profile: profile)
        }
        let hiking = try RoutePlanner(region, profile: .hiking)
        var random = SplitMix(seed: 4242)
        func share() -> Double { Double(random.next() >> 11) / Double(1 << 53) }
        func place() -> Coordinate {
            let node = graph.coordinate(of: Int(random.next() % UInt64(graph.nodeCount))).withoutAltitude
            return node.destination(bearing: 360 * share(), distance: Self.jitter * share())
        }
        while answers.count < count {
            let pair = [place(), place()]
            guard Self.apart.contains(pair[0].distance(to: pair[1])) else { continue }
            var answer = Answer(
                places: pair.map(Self.numbers), lines: try planners.mapValues { try Self.line($0, pair) })
            answer.hiking = (try? hiking.plan(pair)).map { path in
                path.edges.map { Self.stretch(graph, $0.edge, $0.share) }
            }
            answers.append(answer)
        }
        for edge in 0..<graph.edgeCount { ways["\(graph.wayID[edge])"] = Self.stretch(graph, edge, 0) }
    }

    private static func line(_ planner: RoutePlanner, _ pair: [Coordinate]) throws -> Line {
        do {
            let path = try planner.plan(pair)
            return Line(
                snapped: path.stops.map { numbers($0.point) }, shortest: path.coordinates.map(numbers))
        } catch let error as RutterError {
            return Line(failure: error.message)
        }
    }

    func write(to url: URL) throws {
        try JSONEncoder().encode(self).write(to: url)
        print("\(answers.count) pairs written to \(url.path)")
    }

    private static func stretch(_ graph: RoutingGraph, _ edge: Int, _ share: Double) -> WayStretch {
        let kind = graph.kind(of: edge)
        return WayStretch(
            way: graph.wayID[edge], highway: kind.highway ?? "", sac: kind.sac?.grade ?? 0,
            metres: Double(graph.distance[edge]) * share)
    }

    private static func numbers(_ coordinate: Coordinate) -> [Double] {
        [coordinate.latitude, coordinate.longitude]
    }
}
