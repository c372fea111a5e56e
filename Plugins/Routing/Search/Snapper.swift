import Foundation
import Geodesy
import PluginKit

/// Finds the nearest points of edges.
package struct Snapper {
    private let graph: RoutingGraph
    private let levels: [Int]
    /// Whether an edge is considered.
    private let accepts: (Int) -> Bool
    /// The same, by a slower test, which only edges that are near enough have to pass.
    private let confirms: (Int) -> Bool
    /// Whether a way that cannot be entered along it, such as a ferry, is entered at its ends only.
    private let entersAtEnds: Bool

    /// A snapper on the passable edges, for places where one starts and arrives.
    package init(_ weighted: WeightedGraph) {
        // Obstacles have no length; coordinates snap to an adjacent way.
        self.init(
            weighted.graph, where: { weighted.isPassable($0) && weighted.graph.distance[$0] > 0 },
            entersAtEnds: true)
    }

    /// A snapper on the edges for which two tests hold: a fast one, and one for edges that are near enough.
    package init(
        _ graph: RoutingGraph, where accepts: @escaping (Int) -> Bool,
        and confirms: @escaping (Int) -> Bool = { _ in true }, entersAtEnds: Bool = false
    ) {
        self.entersAtEnds = entersAtEnds
        self.graph = graph
        self.accepts = accepts
        self.confirms = confirms
        levels = PackedTree.levels(items: graph.boxItems.count)
    }

    /// The nearest point of the nearest edge within the radius; throws `E-ROUTE-SNAP`, which states how far the
    /// nearest is. `label` names the coordinate, such as `the start`.
    package func snap(_ coordinate: Coordinate, label: String = "the coordinate") throws -> SnappedPoint {
        if let found = nearest(to: coordinate, within: RoutingSettings.snapRadius, limit: 1).first {
            return found
        }
        let far = nearest(to: coordinate, within: RoutingSettings.snapReportRadius, limit: 1).first
        guard let far else {
            throw RouteErrors.notNear("\(label) is not near a way: the region has none for this mode")
        }
        let distance = Self.text(far.distance)
        throw RouteErrors.notNear(
            "\(label) is not near a way: the nearest is \(distance) away, farther than "
                + Self.text(RoutingSettings.snapRadius))
    }

    static func text(_ metres: Double) -> String {
        guard UnitSystem.ofMessages == .metric else { return Literal.inMessage(.metres(metres)) }
        return metres < 1000 ? "\(Int(metres.rounded())) m" : "\((metres / 100).rounded() / 10) km"
    }

    /// The nearest point of each of the nearest edges, the nearest first; equally near ones by their index.
    package func nearest(to coordinate: Coordinate, within radius: Double, limit: Int) -> [SnappedPoint] {
        guard coordinate.isValid, limit > 0, graph.edgeCount > 0 else { return [] }
        let plane = LocalPlane(at: coordinate)
        var hits: [EdgeHit] = []
        withExtendedLifetime(graph) {
            scan(plane, radius: radius) { edge, bound in
                guard let hit = hit(edge, plane, bound), confirms(edge) else { return }
                hits.append(hit)
                hits.sort()
                if hits.count > limit { hits.removeLast() }
                if hits.count == limit, let last = hits.last { bound = min(bound, last.square) }
            }
        }
        return hits.map { snapped($0, coordinate) }.filter { $0.distance <= radius }
    }

    /// The nearest point of each group of edges, such as a connected component; however many groups are nearer.
    func nearestOfEach(
        to coordinate: Coordinate, within radius: Double, group: (Int) -> Int32
    ) -> [Int32: SnappedPoint] {
        guard coordinate.isValid, graph.edgeCount > 0 else { return [:] }
        let plane = LocalPlane(at: coordinate)
        var hits: [Int32: EdgeHit] = [:]
        withExtendedLifetime(graph) {
            scan(plane, radius: radius) { edge, bound in
                let group = group(edge)
                let nearest = hits[group]
                guard let hit = hit(edge, plane, min(bound, nearest?.square ?? .infinity)), confirms(edge)
                else { return }
                if nearest.map({ hit < $0 }) ?? true { hits[group] = hit }
            }
        }
        return hits.mapValues { snapped($0, coordinate) }.filter { $0.value.distance <= radius }
    }

    /// Passes the accepted edges whose box is near enough; `take` may lower the square of the distance.
    private func scan(_ plane: LocalPlane, radius: Double, _ take: (Int, inout Double) -> Void) {
        // Slightly more than the radius: the plane is only an approximation of the sphere.
        var bound = radius * 1.01 * radius * 1.01
        let root = graph.boxes.count - 1
        var waiting: [(square: Double, box: Int, level: Int)] = [
            (plane.square(to: graph.boxes[root]), root, levels.count - 2)
        ]
        while let (square, box, level) = waiting.popLast() {
            guard square <= bound else { continue }
            if level == 0 {
                let edge = Int(graph.boxItems[box])
                if accepts(edge) { take(edge, &bound) }
                continue
            }
            let first = levels[level - 1] + (box - levels[level]) * PackedTree.fanOut
            let start = waiting.count
            for child in first..<min(first + PackedTree.fanOut, levels[level]) {
                let square = plane.square(to: graph.boxes[child])
                if square <= bound { waiting.append((square, child, level - 1)) }
            }
            waiting[start...].sort { $0.square > $1.square }
        }
    }

    /// The nearest point of an edge in the plane, if it is near enough.
    private func hit(_ edge: Int, _ plane: LocalPlane, _ bound: Double) -> EdgeHit? {
        var best = EdgeHit(square: bound, edge: edge, segment: -1, share: 0)
        let range = graph.firstPoint.part(edge)
        let (from, to) = (Int(graph.source[edge]), Int(graph.target[edge]))
        var last = plane.point(graph.latitude[from], graph.longitude[from])
        func look(_ next: PlanePoint, _ segment: Int) {
            let (square, share) = PlanePoint.nearest(from: last, to: next)
            if square < best.square || (best.segment < 0 && square <= best.square) {
                best = EdgeHit(square: square, edge: edge, segment: segment, share: share)
            }
            last = next
        }
        for index in range {
            let point = graph.points[index]
            look(plane.point(Double(point.latitude), Double(point.longitude)), index - range.lowerBound)
        }
        look(plane.point(graph.latitude[to], graph.longitude[to]), range.count)
        guard best.segment >= 0 else { return nil }
        guard entersAtEnds, isEnteredAtEnds(edge) else { return best }
        return end(of: edge, plane, bound, segments: range.count + 1)
    }

    /// Whether nobody starts in the middle of an edge: on a ferry, in a tunnel. A passage through a building has doors.
    private func isEnteredAtEnds(_ edge: Int) -> Bool {
        guard graph.flags(of: edge).contains(.offGround) else { return false }
        let kind = graph.kind(of: edge)
        if kind.highway == "ferry" { return true }
        return kind.value("tunnel").map { !["no", "building_passage"].contains($0) } ?? false
    }

    /// The nearer end of an edge, if it is near enough.
    private func end(of edge: Int, _ plane: LocalPlane, _ bound: Double, segments: Int) -> EdgeHit? {
        let squares = [graph.source[edge], graph.target[edge]].map { node in
            let point = plane.point(graph.latitude[Int(node)], graph.longitude[Int(node)])
            return point.x * point.x + point.y * point.y
        }
        guard min(squares[0], squares[1]) <= bound else { return nil }
        return squares[0] <= squares[1]
            ? EdgeHit(square: squares[0], edge: edge, segment: 0, share: 0)
            : EdgeHit(square: squares[1], edge: edge, segment: segments - 1, share: 1)
    }

    private func snapped(_ hit: EdgeHit, _ coordinate: Coordinate) -> SnappedPoint {
        let line = graph.line(of: hit.edge)
        let along = Polyline.cumulativeDistances(line)
        let (a, b) = (line[hit.segment], line[hit.segment + 1])
        let (before, after) = (along[hit.segment], along[hit.segment + 1])
        let reached = hit.share < 1 ? before + (after - before) * hit.share : after
        let whole = along.last ?? 0
        let point = a.interpolated(to: b, share: hit.share)
        return SnappedPoint(
            coordinate: coordinate, point: point, distance: coordinate.distance(to: point), edge: hit.edge,
            fraction: whole > 0 ? min(1, max(0, reached / whole)) : 0)
    }
}

/// The nearest point of an edge to a coordinate.
private struct EdgeHit: Comparable {
    /// The square of the distance in metres.
    var square: Double
    var edge: Int
    var segment: Int
    /// Where on the segment, 0…1.
    var share: Double

    static func < (left: EdgeHit, right: EdgeHit) -> Bool {
        (left.square, left.edge) < (right.square, right.edge)
    }
}

extension LocalPlane {
    /// The square of the least distance from the origin to a box.
    @inline(__always)
    func square(to box: IndexBox) -> Double {
        let (west, east) = (Double(box.west) - longitude, Double(box.east) - longitude)
        var aside = max(0, west, -east)
        if aside > 0 { aside = min(aside, max(0, west + 360, -east - 360), max(0, west - 360, -east + 360)) }
        let (south, north) = (Double(box.south) - latitude, Double(box.north) - latitude)
        let (dx, dy) = (aside * eastScale, max(0, south, -north) * northScale)
        return dx * dx + dy * dy
    }
}

extension Coordinate {
    /// The coordinate at a share of the way to another one nearby, with its altitude if both are known.
    func interpolated(to other: Coordinate, share: Double) -> Coordinate {
        if share <= 0 { return self }
        if share >= 1 { return other }
        let east = Angle.difference(from: longitude, to: other.longitude)
        var height: Double?
        if let from = altitude, let to = other.altitude { height = from + (to - from) * share }
        return Coordinate(
            latitude: latitude + (other.latitude - latitude) * share,
            longitude: Angle.longitude(longitude + east * share), altitude: height)
    }
}
