import Geodesy
import PluginKit

/// Snaps the coordinates of a route to connected ways.
struct ConnectedSnapping {
    let weighted: WeightedGraph
    /// Whether ways are closed that the user avoids: then a coordinate is not moved far past them.
    private let avoids: Bool
    private let snapper: Snapper
    /// The name of a coordinate in messages, by its index and the number of coordinates.
    private let label: (Int, Int) -> String

    init(
        _ weighted: WeightedGraph, avoids: Bool = false,
        label: @escaping (Int, Int) -> String = RoutePlanner.label
    ) {
        self.weighted = weighted
        self.avoids = avoids
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

    /// The nearest points of the network. If they are in different connected components, or on an island from
    /// which no sensible route starts, the component that all may use and that is nearest to all is used. Without
    /// one, as many coordinates as possible are on one component, and the others at their nearest points.
    func snap(_ places: [Coordinate]) throws -> Result {
        let nearest = try places.enumerated().map { index, place in
            do {
                return try snapper.snap(place, label: label(index, places.count))
            } catch let error as RutterError {
                throw explained(error, place)
            }
        }
        guard places.count > 1 else { return result(nearest, nearest) }
        let parts = Set(nearest.map(part))
        guard parts.count > 1 || isMovedTooFar(nearest) else { return result(nearest, nearest) }
        return result(connected(places, nearest), nearest)
    }

    /// The stop in the area around a coordinate, or on the edge of one, from where one walks over the area; else the same.
    func overArea(_ stop: SnappedPoint) -> SnappedPoint {
        CrossedAreaFinder(weighted: weighted).stop(stop) ?? stop
    }

    /// An error of a coordinate that is near no way, with the way that is near but closed.
    private func explained(_ error: RutterError, _ coordinate: Coordinate) -> RutterError {
        let graph = weighted.graph
        let near = Snapper(graph) { graph.distance[$0] > 0 }.nearest(
            to: coordinate, within: RoutingSettings.snapRadius, limit: 1
        ).first
        guard let near, let closed = ClosedWay(graph.kind(of: near.edge), weighted.profile) else {
            return near == nil ? exchanged(error, coordinate) : error
        }
        return RouteErrors.notNear(
            "\(error.message); the way \(Snapper.text(near.distance)) away\(Self.name(near, graph)) \(closed.why)",
            fix: closed.fix)
    }

    /// An error of a coordinate whose latitude and longitude, exchanged, are those of a place near a way.
    private func exchanged(_ error: RutterError, _ coordinate: Coordinate) -> RutterError {
        guard abs(coordinate.longitude) <= 90 else { return error }
        let other = Coordinate(latitude: coordinate.longitude, longitude: coordinate.latitude)
        guard !snapper.nearest(to: other, within: RoutingSettings.snapRadius, limit: 1).isEmpty else {
            return error
        }
        return RouteErrors.notNear(
            error.message, fix: "latitude comes first: \(Literal.coordinate(other))")
    }

    /// The nearest point of the largest part of the network around, for a point on a fragment of the map; `nil` on any
    /// other part.
    func moved(offFragment nearest: SnappedPoint, _ label: String) -> (stop: SnappedPoint, notice: String)? {
        guard part(nearest) != main, isFragment(part(nearest)) else { return nil }
        let choices = candidates(nearest.coordinate, nearest)
        guard let largest = largest(choices), largest != part(nearest), let stop = choices[largest] else {
            return nil
        }
        return (stop, Self.moved(stop, nearest, label, on: weighted.graph))
    }

    private func isFragment(_ part: Int32) -> Bool {
        var length = 0.0
        for edge in 0..<weighted.graph.edgeCount
        where self.part(ofEdge: edge) == part && weighted.isPassable(edge) {
            length += Double(weighted.graph.distance[edge])
            if length >= RoutingSettings.fragmentLength { return false }
        }
        return true
    }

    private var main: Int32 { weighted.components.main }

    private func part(_ stop: SnappedPoint) -> Int32 { part(ofEdge: stop.edge) }

    private func part(ofEdge edge: Int) -> Int32 { weighted.components.part(of: weighted.graph.source[edge]) }

    private func connected(_ places: [Coordinate], _ nearest: [SnappedPoint]) -> [SnappedPoint] {
        let choices = zip(places, nearest).map { candidates($0, $1) }
        var best: (stops: [SnappedPoint], order: (isAbsurd: Int, missing: Int, sum: Double))?
        let mains = Set(choices.compactMap(largest))
        for part in Set(choices.flatMap(\.keys)).sorted() {
            let stops = zip(choices, nearest).map { $0[part] ?? $1 }
            let missing = choices.count { $0[part] == nil }
            let isAbsurd = missing == 0 && !mains.contains(part) && isMovedTooFar(stops)
            let order = (isAbsurd ? 1 : 0, missing, stops.reduce(0) { $0 + $1.distance })
            if best.map({ order < $0.order }) ?? true { best = (stops, order) }
        }
        return best?.stops ?? nearest
    }

    /// The nearest point of each connected component that the coordinate may be moved to.
    private func candidates(_ coordinate: Coordinate, _ nearest: SnappedPoint) -> [Int32: SnappedPoint] {
        let all = snapper.nearestOfEach(
            to: coordinate, within: RoutingSettings.snapRadius, group: { part(ofEdge: $0) })
        let main = largest(all)
        return all.filter { part, stop in
            part == main && !avoids || stop.distance - nearest.distance <= RoutingSettings.snapDetour
        }
    }

    /// The main network around a coordinate: the largest of the parts near it. On another island of an archipelago, or in
    /// another of several joined regions, it is not that of the whole.
    private func largest(_ parts: [Int32: SnappedPoint]) -> Int32? {
        if parts[main] != nil { return main }
        return parts.keys.max {
            (weighted.components.size(of: $0), $1) < (weighted.components.size(of: $1), $0)
        }
    }

    /// Whether a coordinate is moved farther than a route between the points may be long.
    private func isMovedTooFar(_ stops: [SnappedPoint]) -> Bool {
        let length = zip(stops, stops.dropFirst()).reduce(0) { $0 + $1.0.point.distance(to: $1.1.point) }
        return stops.contains { Self.isMovedTooFar($0, on: length) }
    }

    /// Whether a coordinate is farther from its way than a route of a length leads: such a route is none.
    static func isMovedTooFar(_ stop: SnappedPoint, on length: Double) -> Bool {
        stop.distance > RoutingSettings.snapNotice && stop.distance > length
    }

    private func result(_ stops: [SnappedPoint], _ nearest: [SnappedPoint]) -> Result {
        let notices = stops.enumerated().map { index, stop -> String? in
            let label = label(index, stops.count)
            guard stop.edge != nearest[index].edge else {
                return Self.notice(stop, label, on: weighted.graph)
            }
            return Self.moved(stop, nearest[index], label, on: weighted.graph)
        }
        let walked = stops.map(overArea)
        // In an area a coordinate is not moved.
        return Result(
            stops: walked,
            noticeOfStop: zip(notices, walked).map {
                $1.distance > RoutingSettings.snapNotice || $1.area == nil ? $0 : nil
            })
    }

    private static func moved(
        _ stop: SnappedPoint, _ nearest: SnappedPoint, _ label: String, on graph: RoutingGraph
    ) -> String {
        "\(label) is \(Snapper.text(stop.distance)) from its way\(name(stop, graph)): "
            + "the nearest way, \(Snapper.text(nearest.distance)) away, does not connect"
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
        let away = main.map { main in
            main.distance < RoutingSettings.leastAway
                ? ", at a way of the main network that it does not join"
                : ", \(Snapper.text(main.distance)) from the main network"
        }
        return "\(label) is on an island of \(size, of: "node")\(away ?? "")"
    }
}
