import Foundation
import Geodesy
import PluginKit

/// The trails of a region's graph and the edges along them.
struct RegionTrails {
    private let graph: RoutingGraph
    private let edgesOf: [Int64: [Int]]

    static let unknown = ErrorKind(
        "E-TRAIL-NONE", "unknown trail",
        explanation: """
            `trail list` shows the trails of a region. Regions imported by an earlier version have none: import them \
            again.
            """
    )

    init(_ graph: RoutingGraph) {
        self.graph = graph
        var edgesOf: [Int64: [Int]] = [:]
        for edge in 0..<graph.edgeCount {
            for trail in graph.trailIDs(of: edge) { edgesOf[trail, default: []].append(edge) }
        }
        self.edgesOf = edgesOf
    }

    /// The trail of a name, number or id, the most important of several; throws `E-TRAIL-NONE`.
    static func named(_ name: String, in region: RoutingRegion) throws -> Trail {
        let trails = region.graph.trails
        let found = trails.filter { $0.ref == name || $0.name == name || "\($0.id)" == name }
            .min { ($0.rank, $0.id) < ($1.rank, $1.id) }
        guard let found else {
            throw unknown(
                "unknown trail \(name) in the region \(region.name)", at: .parameter("trail"),
                suggestion: Suggestion.nearest(
                    to: name, in: trails.flatMap { [$0.ref, $0.name].compactMap { $0 } }))
        }
        return found
    }

    /// The edges along a trail.
    func edges(of trail: Int64) -> [Int] { edgesOf[trail] ?? [] }

    /// Metres of way along a trail.
    func length(of trail: Int64) -> Double {
        edges(of: trail).reduce(0) { $0 + Double(graph.distance[$1]) }
    }

    /// The graph restricted to the ways of a trail.
    func only(_ trail: Trail, _ weighted: WeightedGraph) -> WeightedGraph {
        let own = Set(edges(of: trail.id))
        // Obstacles on the trail belong to it.
        return WeightedGraph(
            weighted,
            closing: (0..<graph.edgeCount).filter { !own.contains($0) && graph.distance[$0] > 0 })
    }

    /// The path along a trail between its two ends with the greatest distance along it.
    ///
    /// Method: from the first node of its largest part to the farthest node, and from there to the farthest again.
    ///
    /// A recorder receives each part of the trail and its ends as steps.
    func path(
        along trail: Trail, _ weighted: WeightedGraph, watch: ((TraceStep) -> Void)? = nil
    ) throws -> GraphPath {
        let only = only(trail, weighted)
        let passable = edges(of: trail.id).filter { only.isPassable($0) }
        let parts = only.components
        let sizes = passable.reduce(into: [Int32: Double]()) { sums, edge in
            sums[parts.part(of: graph.source[edge]), default: 0] += Double(graph.distance[edge])
        }
        let main = sizes.max { ($0.value, $1.key) < ($1.value, $0.key) }
        guard let main, let first = passable.first(where: { parts.part(of: graph.source[$0]) == main.key })
        else {
            throw Self.unknown("no way of the trail \(trail.label ?? "") can be used with this profile")
        }
        let own = passable.filter { parts.part(of: graph.source[$0]) == main.key }
        if let ring = TrailRing(own, graph) {
            let stops = try ring.stops.map { try stop(at: $0, on: own, only) }
            let round = try RoutePlanner(only).plan(stops: stops, method: .aStar)
            // The cheapest way between its places may be the other way round.
            if abs(round.distance - ring.length) < 1 {
                watch?(
                    Self.end("a ring", graph.coordinate(of: ring.stops[0]), "every place of it has two ways"))
                return noting(sizes, main.value, trail, round)
            }
        }
        let start = try farthest(from: Int(graph.source[first]), only)
        let end = try farthest(from: start, only)
        if let watch {
            for (part, length) in sizes.sorted(by: { ($0.value, $1.key) > ($1.value, $0.key) }) {
                watch(Self.part(length, isMain: part == main.key))
            }
            watch(Self.end("one end", graph.coordinate(of: start), "the farthest from some node of the part"))
            watch(Self.end("the other end", graph.coordinate(of: end), "the farthest from the first end"))
        }
        let stops = try [start, end].map { try stop(at: $0, on: own, only) }
        return noting(sizes, main.value, trail, try RoutePlanner(only).plan(stops: stops, method: .aStar))
    }

    /// Less than this share of a trail beside the path is not worth a word: both sides of a street.
    private static let least = 0.05

    /// The path with notices of what it leaves out: other parts, and what is beside the way from end to end.
    private func noting(
        _ sizes: [Int32: Double], _ main: Double, _ trail: Trail, _ path: GraphPath
    ) -> GraphPath {
        var path = path
        let beside = main - path.distance
        if beside > main * Self.least {
            path.notices.append(
                "\(Snapper.text(beside)) of the trail is beside the way from end to end: a spur, a loop or a variant"
            )
        }
        if sizes.count > 1 {
            let rest = length(of: trail.id) - main
            path.notices.append(
                "the trail has gaps here: \(Snapper.text(rest)) of it in \(sizes.count - 1) "
                    + "other part\(sizes.count == 2 ? "" : "s") \(sizes.count == 2 ? "is" : "are") skipped")
        }
        return path
    }

    private static func part(_ length: Double, isMain: Bool) -> TraceStep {
        .candidate(
            [("what", .text("part")), ("length", .quantity(.metres(length)))], isMain ? .best : .refused,
            why: isMain ? "the longest part of the trail" : "a gap lies between it and the longest part")
    }

    private static func end(_ what: String, _ coordinate: Coordinate, _ why: String) -> TraceStep {
        .candidate([("what", .text(what)), ("at", .coordinate(coordinate.withoutAltitude))], .kept, why: why)
    }

    private func farthest(from node: Int, _ weighted: WeightedGraph) throws -> Int {
        let flood = try Flood.run(weighted, from: [SearchEnd(node: Int32(node), cost: 0)], within: .infinity)
        return flood.nodes.last ?? node
    }

    /// A node of the part as the end of one of its edges: at the same place, other parts and the copies of a node at an obstacle
    /// may be as near.
    private func stop(at node: Int, on edges: [Int], _ weighted: WeightedGraph) throws -> SnappedPoint {
        let place = graph.coordinate(of: node)
        let isEnd: (Int) -> Bool = { Int(graph.source[$0]) == node || Int(graph.target[$0]) == node }
        guard let edge = edges.first(where: isEnd) else { return try Snapper(weighted).snap(place) }
        return SnappedPoint(
            coordinate: place, point: place, distance: 0, edge: edge,
            fraction: Int(graph.source[edge]) == node ? 0 : 1)
    }
}

extension Trail {
    /// Whether its name or number contains a text, ignoring case.
    func matches(_ text: String) -> Bool {
        [name, ref].compactMap { $0 }.contains { $0.range(of: text, options: .caseInsensitive) != nil }
    }
}
