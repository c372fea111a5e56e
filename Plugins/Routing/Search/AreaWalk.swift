import Geodesy
import PluginKit

/// A line over an area between a coordinate and a node of the area, or another coordinate in it, where the map has no way.
package final class AreaWalk: Sendable, Hashable {
    /// With altitudes where known.
    let line: [Coordinate]
    /// The nodes that it begins and ends at; −1 for a coordinate.
    let from: Int32
    let to: Int32
    /// Metres.
    let distance: Double
    let gain: Double
    let loss: Double

    init(_ line: [Coordinate], from: Int32 = -1, to: Int32 = -1) {
        (self.line, self.from, self.to) = (line, from, to)
        distance = Polyline.cumulativeDistances(line).last ?? 0
        var climb = ClimbMeter()
        for point in line { if let height = point.altitude { climb.add(height) } }
        (gain, loss) = (climb.sums.gain, climb.sums.loss)
    }

    /// The same line from its end to its start.
    var reversed: AreaWalk { AreaWalk(line.reversed(), from: to, to: from) }

    /// The line in the one of its directions that stands for both.
    fileprivate var undirected: AreaWalk {
        guard let first = line.first, let last = line.last else { return self }
        return (first.latitude, first.longitude) <= (last.latitude, last.longitude) ? self : reversed
    }

    /// Whether the heights of all its points are known.
    var knowsHeights: Bool { line.allSatisfy { $0.altitude != nil } }

    package static func == (left: AreaWalk, right: AreaWalk) -> Bool {
        left.line == right.line && left.from == right.from && left.to == right.to
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(line) }
}

/// A coordinate in an area, such as a square, and the lines from it over the area to where other ways meet it.
package final class AreaStart: Sendable, Hashable {
    /// The area by its index in the graph.
    let area: Int
    /// One of its lines, whose tags it has.
    let edge: Int
    /// The coordinate, with the height of the nearest line.
    let origin: Coordinate
    private let ground: AreaGround
    private let spot: AreaPolygon.Spot
    /// The lines to the nodes at which one can leave the area.
    let exits: [AreaWalk]

    /// `nil` where no way leads out of the area.
    fileprivate init?(_ ground: AreaGround, _ spot: AreaPolygon.Spot, at origin: Coordinate) {
        self.ground = ground
        self.spot = spot
        self.origin = origin
        (area, edge) = (ground.area, ground.edge)
        let corners = ground.exits
        let lines = ground.polygon.lines(from: spot, to: corners.map { ground.polygon.spot(corner: $0) })
        exits = zip(corners, lines).compactMap { corner, line in
            line.map {
                AreaWalk([origin] + ($0.bends + [corner]).map(ground.coordinate), to: ground.nodes[corner])
            }
        }
        if exits.isEmpty { return nil }
    }

    /// The line to another coordinate in the same area.
    func walk(to other: AreaStart) -> AreaWalk? {
        guard other.area == area, let line = ground.polygon.lines(from: spot, to: [other.spot])[0] else {
            return nil
        }
        return AreaWalk([origin] + line.bends.map(ground.coordinate) + [other.origin])
    }

    package static func == (left: AreaStart, right: AreaStart) -> Bool {
        left.area == right.area && left.origin == right.origin
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(area)
        hasher.combine(origin)
    }
}

/// The ground of an area, in a plane around it.
private struct AreaGround: Sendable {
    let area: Int
    let edge: Int
    let plane: LocalPlane
    let polygon: AreaPolygon
    /// The nodes at its corners; −1 for none.
    let nodes: [Int32]
    /// The corners at which other ways meet the area, one of each node.
    let exits: [Int]
    private let corners: [Coordinate]

    init(_ graph: RoutingGraph, area: Int) {
        let row = graph.areas[area]
        self.area = area
        edge = Int(row.edge)
        let all = (Int(row.first)..<Int(row.first) + Int(row.count)).map { graph.areaCorners[$0] }
        let coordinates = all.map {
            Coordinate(latitude: $0.latitude, longitude: $0.longitude, altitude: $0.elevation.knownHeight)
        }
        let plane = LocalPlane(at: coordinates[0])
        var rings: [[(id: Int64, point: PlanePoint)]] = []
        var ids: [Coordinate: Int64] = [:]
        for (index, corner) in all.enumerated() {
            if index == 0 || corner.ring != all[index - 1].ring { rings.append([]) }
            // Rings that touch share a node.
            let id = ids[coordinates[index]] ?? Int64(index)
            ids[coordinates[index]] = id
            rings[rings.count - 1].append((id, plane.point(coordinates[index])))
        }
        self.plane = plane
        polygon = AreaPolygon(rings)
        nodes = all.map(\.node)
        corners = coordinates
        var seen: Set<Int32> = []
        let ways = Int(row.firstWay)..<Int(row.firstWay) + Int(row.wayCount)
        let own = Set(ways.map { graph.areaWays[$0] })
        exits = all.indices.filter { index in
            let node = all[index].node
            return node >= 0 && seen.insert(node).inserted && Self.isMet(Int(node), graph, own)
        }
    }

    func coordinate(_ corner: Int) -> Coordinate { corners[corner] }

    /// Whether a way begins at a node that is no line of the area.
    private static func isMet(_ node: Int, _ graph: RoutingGraph, _ own: Set<Int64>) -> Bool {
        graph.arcRange(of: node).contains { index in
            let edge = graph.arcs[index].edge
            return !graph.flags(of: edge).contains(.area) || !own.contains(graph.wayID[edge])
        }
    }
}

/// Finds the area that a coordinate is in.
struct CrossedAreaFinder {
    let weighted: WeightedGraph
    private var graph: RoutingGraph { weighted.graph }

    /// The stop in the area around its coordinate, or on the edge of one beside it, if that is connected as the stop is.
    func stop(_ stop: SnappedPoint) -> SnappedPoint? {
        guard graph.areas.count > 0, !weighted.profile.usesStoredCosts else { return nil }
        if let inside = start(stop, at: stop.coordinate, tolerance: 0) { return Self.stop(stop, inside) }
        guard graph.flags(of: stop.edge).contains(.area) else { return nil }
        return start(stop, at: stop.point, tolerance: RoutingSettings.areaEdge).map { Self.stop(stop, $0) }
    }

    /// The start in the smallest area around a coordinate; larger ones are not searched.
    private func start(_ stop: SnappedPoint, at origin: Coordinate, tolerance: Double) -> AreaStart? {
        for area in rows(around: origin) {
            if let start = start(area, stop, at: origin, tolerance: tolerance) { return start }
        }
        return nil
    }

    private static func stop(_ stop: SnappedPoint, _ start: AreaStart) -> SnappedPoint {
        var stop = stop
        stop.point = start.origin
        stop.distance = stop.coordinate.distance(to: start.origin)
        (stop.edge, stop.fraction, stop.area) = (start.edge, 0, start)
        return stop
    }

    /// The areas whose box has a coordinate, the smallest first.
    private func rows(around origin: Coordinate) -> [Int] {
        graph.areas.buffer.indices.filter { index in
            let box = graph.areas[index].box
            let west = Double(box.west)
            let east = Angle.difference(from: west, to: origin.longitude)
            return origin.latitude >= Double(box.south) && origin.latitude <= Double(box.north)
                && east >= 0 && west + east <= Double(box.east)
        }.sorted {
            (Self.size(graph.areas[$0].box), $0) < (Self.size(graph.areas[$1].box), $1)
        }
    }

    private static func size(_ box: IndexBox) -> Float { (box.north - box.south) * (box.east - box.west) }

    private func start(_ area: Int, _ stop: SnappedPoint, at origin: Coordinate, tolerance: Double)
        -> AreaStart?
    {
        let edge = Int(graph.areas[area].edge)
        let components = weighted.components
        guard isOpen(edge),
            components.part(of: graph.source[edge]) == components.part(of: graph.source[stop.edge])
        else { return nil }
        let ground = AreaGround(graph, area: area)
        guard let spot = ground.polygon.spot(ground.plane.point(origin), tolerance: tolerance),
            ground.exits.allSatisfy({ isOpen(at: Int(ground.nodes[$0]), of: edge) })
        else { return nil }
        let here = Coordinate(
            latitude: origin.latitude, longitude: origin.longitude, altitude: stop.point.altitude)
        return AreaStart(ground, spot, at: here)
    }

    /// Whether an edge may be travelled in both directions.
    private func isOpen(_ edge: Int) -> Bool {
        weighted.forward[edge].isFinite && weighted.backward[edge].isFinite
    }

    /// Whether no line of an area that ends at a node is closed, as by `--avoid`: then it is not known where one may walk.
    private func isOpen(at node: Int, of edge: Int) -> Bool {
        graph.arcRange(of: node).allSatisfy { index in
            let other = graph.arcs[index].edge
            return graph.kind[other] != graph.kind[edge] || graph.wayID[other] != graph.wayID[edge]
                || isOpen(other)
        }
    }
}

extension WeightedGraph {
    /// The cost of a walk over the area that an edge is part of.
    func cost(of walk: AreaWalk, on edge: Int) -> Double {
        profile.cost(
            distance: walk.distance, gain: walk.gain, loss: walk.loss,
            CostProfile.KindCost(kindCosts, Int(graph.kind[edge])))
    }

    /// The cost of a travelled piece.
    func cost(of piece: PathEdge) -> Double {
        if let walk = piece.walk { return cost(of: walk, on: piece.edge) }
        guard piece.share > 0 else { return 0 }
        return piece.share * cost(of: piece.edge, isReversed: piece.isReversed)
    }

    /// Seconds for a travelled piece, without preferences.
    func seconds(of piece: PathEdge) -> Double {
        if let walk = piece.walk {
            return profile.seconds(
                distance: walk.distance, gain: walk.gain, loss: walk.loss,
                CostProfile.KindCost(kindCosts, Int(graph.kind[piece.edge])))
        }
        guard piece.share > 0 else { return 0 }
        return piece.share * seconds(of: piece.edge, isReversed: piece.isReversed)
    }
}

/// What a piece of a path is part of, in either direction: an edge, or a line over an area. Lines over one area have the same
/// edge, but lead elsewhere.
enum TravelledLine: Hashable {
    case edge(Int)
    case walk(AreaWalk)

    init(_ piece: PathEdge) {
        self = piece.walk.map { .walk($0.undirected) } ?? .edge(piece.edge)
    }
}

extension GraphPath {
    /// Metres of this path that lie on another one, in either direction.
    func length(on other: GraphPath, _ graph: RoutingGraph) -> Double {
        let lines = Set(other.edges.map(TravelledLine.init))
        return edges.filter { lines.contains(TravelledLine($0)) }.reduce(0) { $0 + graph.length(of: $1) }
    }
}

extension RoutingGraph {
    /// The length of a travelled piece in metres.
    func length(of piece: PathEdge) -> Double {
        piece.walk?.distance ?? piece.share * Double(distance[piece.edge])
    }

    /// The length and climb of the whole edge of a piece in the direction of travel, or of its walk.
    func measures(of piece: PathEdge) -> (distance: Double, gain: Double, loss: Double) {
        if let walk = piece.walk { return (walk.distance, walk.gain, walk.loss) }
        let (up, down) = (Double(gain[piece.edge]), Double(loss[piece.edge]))
        return piece.isReversed
            ? (Double(distance[piece.edge]), down, up) : (Double(distance[piece.edge]), up, down)
    }
}
