import Geodesy
import PluginKit

/// Round trips of a given length from a coordinate.
struct RoundTrips {
    /// The constants of the search.
    enum Settings {
        /// Directions that are tried.
        static let directions = 12
        /// The maximum number of sizes tried per direction, each corrected by the length of the one before.
        static let corrections = 5
        /// The maximum relative difference in length of an accepted trip.
        static let tolerance = 0.15
        /// The cost factor of already used ways on the way back.
        static let reuse = 4.0
        /// Trips that share more than this part of their length are similar.
        static let sharing = 0.6
    }

    let weighted: WeightedGraph

    /// Up to `count` trips, those that repeat the least of their length first, then the cheapest for their
    /// length.
    ///
    /// Method: two via points at the corners of a triangle in each of twelve directions; its size is
    /// corrected until the length fits; ways used on the outward way cost more on the way back.
    func trips<T: TraceRecorder>(
        from coordinate: Coordinate, distance: Double, count: Int, trace: inout T, check: () throws -> Void
    ) throws -> [GraphPath] {
        let way = try Snapper(weighted).snap(coordinate, label: "the start")
        let nearest = ConnectedSnapping(weighted).overArea(way)
        let near = ConnectedSnapping.notice(nearest, "the start", on: weighted.graph)
        let onNearest = try trips(from: nearest, near, distance, count, &trace, check)
        guard onNearest.isEmpty,
            let moved = ConnectedSnapping(weighted).moved(offFragment: nearest, "the start")
        else { return onNearest }
        return try trips(from: moved.stop, moved.notice, distance, count, &trace, check)
    }

    private func trips<T: TraceRecorder>(
        from start: SnappedPoint, _ notice: String?, _ distance: Double, _ count: Int, _ trace: inout T,
        _ check: () throws -> Void
    ) throws -> [GraphPath] {
        var found: [(path: GraphPath, twice: Double)] = []
        for direction in 0..<Settings.directions {
            let bearing = Double(direction) * 360 / Double(Settings.directions)
            var size = distance / 3.6
            for _ in 0..<Settings.corrections {
                try check()
                guard let path = trip(start, bearing, size), path.distance > 0 else {
                    trace.record(
                        Self.step(bearing, size, nil, nil, .refused, "no round trip exists in this direction")
                    )
                    break
                }
                let fits = abs(path.distance - distance) <= Settings.tolerance * distance
                let twice = fits ? Self.repeated(path, weighted.graph) : nil
                trace.record(
                    Self.step(
                        bearing, size, path, twice,
                        fits ? .kept : .waiting,
                        fits
                            ? "the length fits"
                            : path.distance > distance
                                ? "too long: the triangle is made smaller"
                                : "too short: the triangle is made larger"
                    ))
                if let twice {
                    found.append((path, twice))
                    break
                }
                size *= max(0.5, min(1.8, distance / path.distance))
            }
        }
        var chosen: [GraphPath] = []
        let ordered = found.sorted { left, right in
            (left.twice, left.path.cost / left.path.distance) < (
                right.twice, right.path.cost / right.path.distance
            )
        }
        for (path, twice) in ordered where chosen.count < count {
            let isNew = chosen.allSatisfy({ !Self.isAlike(path, $0, weighted.graph) })
            trace.record(
                Self.step(
                    nil, nil, path, twice, isNew ? .best : .refused,
                    isNew
                        ? "of the remaining trips it repeats the least of its length, then has the least cost for its length"
                        : "similar to a chosen trip"))
            if isNew { chosen.append(path) }
        }
        guard let notice else { return chosen }
        return chosen.map { path in
            var path = path
            path.notices.append(notice)
            return path
        }
    }

    private static func step(
        _ bearing: Double?, _ size: Double?, _ path: GraphPath?, _ twice: Double?, _ mark: StepBoard.Mark,
        _ why: String
    ) -> TraceStep {
        .candidate(
            [
                ("bearing", Value(bearing) { .quantity(.degrees($0)) }),
                ("side", Value(size) { .quantity(.metres($0)) }),
                ("length", Value(path) { .quantity(.metres($0.distance)) }),
                ("twice", Value(twice) { .quantity(.share($0)) }),
            ], mark, why: why)
    }

    private func trip(_ start: SnappedPoint, _ bearing: Double, _ size: Double) -> GraphPath? {
        let corners = [bearing - 30, bearing + 30].map {
            start.point.destination(bearing: $0, distance: size)
        }
        let part = weighted.components.part(of: weighted.graph.source[start.edge])
        let own = Snapper(weighted.graph) { edge in
            weighted.isPassable(edge) && weighted.graph.distance[edge] > 0
                && weighted.components.part(of: weighted.graph.source[edge]) == part
        }
        let vias = corners.compactMap { own.nearest(to: $0, within: max(500, size / 2), limit: 1).first }
        guard vias.count == corners.count else { return nil }
        let stops = [start] + vias + [start]
        var legs: [[PathEdge]] = []
        var dearer = weighted
        for (from, to) in zip(stops, stops.dropFirst()) {
            guard let leg = try? RoutePlanner(dearer).edges(from: from, to: to, method: .aStar).edges else {
                return nil
            }
            legs.append(leg)
            dearer = WeightedGraph(
                dearer, multiplying: leg.filter { $0.walk == nil }.map(\.edge), by: Settings.reuse)
        }
        return PathBuilder(weighted).path(legs: legs, stops: stops, settled: 0)
    }

    /// The share of a path that is walked more than once.
    static func repeated(_ path: GraphPath, _ graph: RoutingGraph) -> Double {
        var seen: Set<TravelledLine> = []
        let twice = path.edges.reduce(0.0) { sum, piece in
            seen.insert(TravelledLine(piece)).inserted ? sum : sum + graph.length(of: piece)
        }
        return path.distance > 0 ? twice / path.distance : 0
    }

    private static func isAlike(_ path: GraphPath, _ other: GraphPath, _ graph: RoutingGraph) -> Bool {
        path.length(on: other, graph) > Settings.sharing * min(path.distance, other.distance)
    }
}
