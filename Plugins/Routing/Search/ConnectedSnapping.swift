import Geodesy
import PluginKit

/// Snaps the coordinates of a route to connected ways.
struct ConnectedSnapping {
    let weighted: WeightedGraph
    private let snapper: Snapper
    /// The name of a coordinate in messages, by its index and the number of coordinates.
    private let label: (Int, Int) -> String

    init(_ weighted: WeightedGraph, label: @escaping (Int, Int) -> String = RoutePlanner.label) {
        self.weighted = weighted
        self.label = label
        snapper = Snapper(weighted)
    }

    /// The snapped coordinates, and notices about them.
    struct Result {
        var stops: [SnappedPoint]
        /// The notice about each coordinate; `nil` where it lies near its way.
        var noticeOfStop: [String?]

        var notices: [String] { noticeOfStop.compactMap { $0 } }
    }

    /// The nearest points of the network. If they are in different connected components, the component that is
    /// within 500 m of all coordinates and has the smallest sum of distances is used; without one the nearest
    /// points are used.
    func snap(_ places: [Coordinate]) throws -> Result {
        let nearest = try places.enumerated().map { index, place in
            try snapper.snap(place, label: label(index, places.count))
        }
        guard places.count > 1 else { return result(nearest, nearest) }
        let parts = Set(nearest.map(part))
        guard parts.count > 1 else { return result(nearest, nearest) }
        return result(connected(places, nearest) ?? nearest, nearest)
    }

    private func part(_ stop: SnappedPoint) -> Int32 {
        weighted.components.part(of: weighted.graph.source[stop.edge])
    }

    private func connected(_ places: [Coordinate], _ nearest: [SnappedPoint]) -> [SnappedPoint]? {
        let choices = places.map { candidates($0) }
        guard let first = choices.first else { return nil }
        var best: (stops: [SnappedPoint], sum: Double)?
        for part in first.keys.sorted() {
            let stops = choices.compactMap { $0[part] }
            guard stops.count == places.count else { continue }
            let sum = stops.reduce(0) { $0 + $1.distance }
            if sum < best?.sum ?? .infinity { best = (stops, sum) }
        }
        return best?.stops
    }

    /// The nearest point of each connected component within 500 m.
    private func candidates(_ coordinate: Coordinate) -> [Int32: SnappedPoint] {
        var found: [Int32: SnappedPoint] = [:]
        let (graph, components) = (weighted.graph, weighted.components)
        while found.count < RoutingSettings.snapParts {
            let known = found
            // The component first: most edges are in one that is known.
            let next = Snapper(graph) { edge in
                known[components.part(of: graph.source[edge])] == nil
                    && graph.distance[edge] > 0 && weighted.isPassable(edge)
            }.nearest(to: coordinate, within: RoutingSettings.snapRadius, limit: 1).first
            guard let next else { break }
            found[part(next)] = next
        }
        return found
    }

    private func result(_ stops: [SnappedPoint], _ nearest: [SnappedPoint]) -> Result {
        let notices = stops.enumerated().map { index, stop -> String? in
            let label = label(index, stops.count)
            guard stop.edge != nearest[index].edge else {
                return Self.notice(stop, label, on: weighted.graph)
            }
            return
                "\(label) is \(Snapper.text(stop.distance)) from its way\(Self.name(stop, weighted.graph)): "
                + "the nearest way, \(Snapper.text(nearest[index].distance)) away, does not connect"
        }
        return Result(stops: stops, noticeOfStop: notices)
    }

    /// The notice about a coordinate that lies far from the nearest way.
    static func notice(_ stop: SnappedPoint, _ label: String, on graph: RoutingGraph) -> String? {
        guard stop.distance > RoutingSettings.snapNotice else { return nil }
        return "\(label) is \(Snapper.text(stop.distance)) from the nearest way\(name(stop, graph))"
    }

    private static func name(_ stop: SnappedPoint, _ graph: RoutingGraph) -> String {
        graph.name(of: stop.edge).map { " (\($0))" } ?? ""
    }
}

extension RoutePlanner {
    /// A description of the island that an end of a leg is on: its size, and its distance from the main network;
    /// `nil` on the main network.
    func island(_ stop: SnappedPoint, _ label: String) -> String? {
        let (graph, components) = (weighted.graph, weighted.components)
        let part = components.part(of: graph.source[stop.edge])
        guard part != components.main else { return nil }
        let size = components.size(of: part)
        let main = Snapper(graph) { edge in
            components.part(of: graph.source[edge]) == components.main
                && graph.distance[edge] > 0 && weighted.isPassable(edge)
        }.nearest(to: stop.coordinate, within: RoutingSettings.snapReportRadius, limit: 1).first
        let away = main.map { ", \(Snapper.text($0.distance)) from the main network" } ?? ""
        return "\(label) is on an island of \(size, of: "node")\(away)"
    }
}
