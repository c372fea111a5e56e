import Geodesy
import PluginKit

/// An area of polygons, each an outer ring and holes, in degrees east and north.
struct FlexZone {
    var polygons: [[[SIMD2<Double>]]] = []

    /// The reason why rings are not a valid polygon (OpenGIS Simple Features, 6.1.11); `nil` if they are.
    /// Counts compared pairs of edges against a limit.
    static func fault(_ rings: [[SIMD2<Double>]], _ compared: inout Int) -> String? {
        for ring in rings {
            guard ring.count >= 4 else { return "a ring has fewer than four points" }
            guard ring.first == ring.last else { return "a ring is not closed" }
            guard ring.allSatisfy({ abs($0.x) <= 180 && abs($0.y) <= 90 }) else {
                return "a coordinate is out of range"
            }
        }
        let edges = rings.enumerated().flatMap { number, ring in Edge.all(of: ring, number: number) }
        if let point = Edge.crossing(edges, &compared) {
            return "edges cross near \(point.y),\(point.x)"
        }
        for hole in rings.dropFirst() where !hole.contains(where: { contains(rings[0], $0) != false }) {
            return "a hole is outside its polygon"
        }
        return nil
    }

    /// Whether the interiors of the areas intersect and neither contains the other.
    func overlaps(_ other: FlexZone) -> Bool {
        let pairs = [(self, other), (other, self)]
        var compared = 0
        let edges = [self, other].enumerated().flatMap { number, zone in
            zone.polygons.flatMap { $0 }.flatMap { Edge.all(of: $0, number: number) }
        }
        if Edge.crossing(edges, &compared, betweenRings: true) != nil { return true }
        // Without crossing edges an area may still leave another one along a common edge.
        return pairs.contains { first, second in
            let sides = first.polygons.flatMap { $0[0] }.compactMap { second.holds($0) }
            return sides.contains(true) && sides.contains(false)
        }
    }

    /// Whether a place is in the area or on its edge.
    func contains(_ coordinate: Coordinate) -> Bool {
        holds(SIMD2(coordinate.longitude, coordinate.latitude)) ?? true
    }

    /// Whether a point is inside; `nil` on an edge.
    private func holds(_ point: SIMD2<Double>) -> Bool? {
        var isInside = false
        for polygon in polygons {
            for (number, ring) in polygon.enumerated() {
                guard let inside = Self.contains(ring, point) else { return nil }
                if number == 0 {
                    if !inside { break }
                    isInside = true
                } else if inside {
                    isInside = false
                }
            }
            if isInside { return true }
        }
        return false
    }

    /// Whether a ring encloses a point; `nil` on an edge.
    private static func contains(_ ring: [SIMD2<Double>], _ point: SIMD2<Double>) -> Bool? {
        var isInside = false
        for (a, b) in zip(ring, ring.dropFirst()) {
            let side = Edge.side(a, b, point)
            if side == 0, min(a.x, b.x) <= point.x, point.x <= max(a.x, b.x), min(a.y, b.y) <= point.y,
                point.y <= max(a.y, b.y)
            {
                return nil
            }
            if (a.y > point.y) != (b.y > point.y), (side > 0) == (b.y > a.y) { isInside.toggle() }
        }
        return isInside
    }
}

/// Zones in a database.
extension FlexZone {
    /// Its rings as text: polygons between `|`, rings between `;`, points as `x y` between commas.
    var text: String {
        polygons.map { rings in
            rings.map { ring in ring.map { "\($0.x) \($0.y)" }.joined(separator: ",") }.joined(separator: ";")
        }.joined(separator: "|")
    }

    /// The area of such a text; what is no ring is left out.
    init(text: String) {
        polygons = text.split(separator: "|").map { rings in
            rings.split(separator: ";").map { ring in
                ring.split(separator: ",").compactMap { point in
                    let parts = point.split(separator: " ").compactMap { Double($0) }
                    return parts.count == 2 ? SIMD2(parts[0], parts[1]) : nil
                }
            }
        }
    }
}

/// An edge of a ring.
private struct Edge {
    var from: SIMD2<Double>
    var to: SIMD2<Double>
    /// Its ring or its zone.
    var ring: Int
    var low: Double { min(from.x, to.x) }
    var high: Double { max(from.x, to.x) }

    static func all(of ring: [SIMD2<Double>], number: Int) -> [Edge] {
        zip(ring, ring.dropFirst()).compactMap { $0 == $1 ? nil : Edge(from: $0, to: $1, ring: number) }
    }

    /// The side of a line on which a point lies: positive on the left.
    static func side(_ a: SIMD2<Double>, _ b: SIMD2<Double>, _ point: SIMD2<Double>) -> Double {
        (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x)
    }

    /// The point where two edges properly cross, not only touch; edges are compared from west to east. With
    /// `betweenRings` only edges of different rings.
    static func crossing(
        _ edges: [Edge], _ compared: inout Int, betweenRings: Bool = false
    ) -> SIMD2<Double>? {
        let sorted = edges.sorted { $0.low < $1.low }
        var open: [Edge] = []
        for edge in sorted {
            open.removeAll { $0.high < edge.low }
            compared += open.count
            if compared > TransitSettings.comparedEdges { return nil }
            for other in open where !betweenRings || other.ring != edge.ring {
                if edge.crosses(other) { return edge.from }
            }
            open.append(edge)
        }
        return nil
    }

    private func crosses(_ other: Edge) -> Bool {
        let a = Self.side(from, to, other.from) * Self.side(from, to, other.to)
        let b = Self.side(other.from, other.to, from) * Self.side(other.from, other.to, to)
        return a < 0 && b < 0
    }
}
