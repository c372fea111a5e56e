import Foundation
import Geodesy
import PluginKit
import RoutingPlugin

/// Routes between places beside the network, by distance alone and by the default profile, for `compare-routers.py` to hold
/// against those of others.
struct PeerPairs: Encodable {
    /// A route of one pair.
    struct Answer: Encodable {
        /// The places asked for, and where they were snapped to.
        var places: [[Double]]
        var snapped: [[Double]]?
        /// The shortest line; none where there is no route.
        var shortest: [[Double]]?
        /// Why there is none.
        var failure: String?
        /// Metres on each way of the default profile's route; those of another answer where it finds none.
        var hiking: [WayStretch]?
    }

    struct WayStretch: Encodable {
        var way: Int64
        var highway: String
        var sac: Int
        var metres: Double
    }

    /// Metres that a place lies beside the network at most, and between the two of a pair as the crow flies.
    private static let jitter = 150.0
    private static let apart = 300.0...20_000

    /// What both routers let anybody use.
    private static let openToPeers: Set<String> = ["customers", "permit"]

    var extract: String
    var answers: [Answer] = []
    /// `highway` and grade of each way, so that the routes of others are measured by the same tags.
    var ways: [String: WayStretch] = [:]

    /// Routes between random places of a region.
    init(_ region: RoutingRegion, extract: URL, count: Int) throws {
        self.extract = extract.path
        let graph = region.graph
        var open = CostProfile.distance
        open.allowed = Self.openToPeers
        let shortest = try RoutePlanner(region, profile: open)
        let hiking = try RoutePlanner(region, profile: .hiking)
        var random = SplitMix(state: 4242)
        func share() -> Double { Double(random.next() >> 11) / Double(1 << 53) }
        func place() -> Coordinate {
            let node = graph.coordinate(of: Int(random.next() % UInt64(graph.nodeCount))).withoutAltitude
            return node.destination(bearing: 360 * share(), distance: Self.jitter * share())
        }
        while answers.count < count {
            let pair = [place(), place()]
            guard Self.apart.contains(pair[0].distance(to: pair[1])) else { continue }
            var answer = Answer(places: pair.map(Self.numbers))
            do {
                let path = try shortest.plan(pair)
                answer.snapped = path.stops.map { Self.numbers($0.point) }
                answer.shortest = path.coordinates.map(Self.numbers)
            } catch let error as RutterError {
                answer.failure = error.message
            }
            answer.hiking = (try? hiking.plan(pair)).map { path in
                path.edges.map { Self.stretch(graph, $0.edge, $0.share) }
            }
            answers.append(answer)
        }
        for edge in 0..<graph.edgeCount { ways["\(graph.wayID[edge])"] = Self.stretch(graph, edge, 0) }
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

    private static func numbers(_ place: Coordinate) -> [Double] { [place.latitude, place.longitude] }
}
