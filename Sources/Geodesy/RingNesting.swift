/// Polygons of rings: each ring counter-clockwise is the outside of one, each clockwise a hole in the smallest around it.
public enum RingNesting {
    /// The polygons, the outer ring of each first, cut in two at the antimeridian. A hole without a ring around it is left out, since
    /// it encloses nothing of the area.
    public static func polygons(_ rings: [[Coordinate]]) -> [[[Coordinate]]] {
        // Without any ring that goes round an area, all were written the other way.
        let rings = rings.contains { signedArea($0) > 0 } ? rings : rings.map { Array($0.reversed()) }
        let areas = rings.map(signedArea)
        let outer = rings.indices.filter { areas[$0] > 0 }
        var polygons = outer.map { [rings[$0]] }
        for hole in rings.indices where areas[hole] < 0 {
            let around = outer.indices.filter {
                areas[outer[$0]] > -areas[hole] && contains(rings[outer[$0]], rings[hole][0])
            }
            if let smallest = around.min(by: { areas[outer[$0]] < areas[outer[$1]] }) {
                polygons[smallest].append(rings[hole])
            }
        }
        return polygons.flatMap { parts(of: $0) }
    }

    /// A polygon, or its parts west and east of the antimeridian.
    private static func parts(of polygon: [[Coordinate]]) -> [[[Coordinate]]] {
        guard let start = polygon.first?.first?.longitude else { return [] }
        // Longitudes as they go on from the first point, beyond 180 where need be.
        let unwrapped: [[(latitude: Double, longitude: Double)]] = polygon.map { ring in
            ring.map { ($0.latitude, start + Angle.longitude($0.longitude - start)) }
        }
        let longitudes = unwrapped.joined().map(\.longitude)
        guard let west = longitudes.min(), let east = longitudes.max(), west < -180 || east > 180 else {
            return [polygon]
        }
        let line = west < -180 ? -180.0 : 180
        return [1.0, -1].compactMap { side in
            let rings = unwrapped.map { clipped($0, at: line, side) }.filter { $0.count > 2 }
            guard rings.count > 0, !clipped(unwrapped[0], at: line, side).isEmpty else { return nil }
            return rings.map { ring in
                ring.map { latitude, longitude in
                    let shift =
                        longitude > 180 || (longitude == 180 && side > 0)
                        ? -360.0 : longitude < -180 || (longitude == -180 && side < 0) ? 360 : 0
                    return Coordinate(latitude: latitude, longitude: longitude + shift)
                }
            }
        }
    }

    /// The part of a ring on one side of a meridian: `side` is 1 for the east, -1 for the west.
    private static func clipped(
        _ ring: [(latitude: Double, longitude: Double)], at line: Double, _ side: Double
    ) -> [(latitude: Double, longitude: Double)] {
        var result: [(latitude: Double, longitude: Double)] = []
        for index in ring.indices {
            let (here, next) = (ring[index], ring[(index + 1) % ring.count])
            let (a, b) = ((here.longitude - line) * side, (next.longitude - line) * side)
            if a >= 0 { result.append(here) }
            if (a > 0 && b < 0) || (a < 0 && b > 0) {
                result.append((here.latitude + a / (a - b) * (next.latitude - here.latitude), line))
            }
        }
        return result
    }

    /// The area in square degrees, negative for a clockwise ring; longitudes are taken the shorter way.
    static func signedArea(_ ring: [Coordinate]) -> Double {
        guard let first = ring.first else { return 0 }
        var sum = 0.0
        for index in ring.indices {
            let (here, next) = (ring[index], ring[(index + 1) % ring.count])
            let x = Angle.longitude(here.longitude - first.longitude)
            let nextX = Angle.longitude(next.longitude - first.longitude)
            sum += x * (next.latitude - first.latitude) - nextX * (here.latitude - first.latitude)
        }
        return sum / 2
    }

    /// Whether a point is within a ring, by the parity of crossings of the parallel to its east.
    static func contains(_ ring: [Coordinate], _ point: Coordinate) -> Bool {
        var isInside = false
        for index in ring.indices {
            let (here, next) = (ring[index], ring[(index + 1) % ring.count])
            guard (here.latitude > point.latitude) != (next.latitude > point.latitude) else { continue }
            let share = (point.latitude - here.latitude) / (next.latitude - here.latitude)
            let x = Angle.longitude(here.longitude - point.longitude)
            if x + share * (Angle.longitude(next.longitude - point.longitude) - x) > 0 { isInside.toggle() }
        }
        return isInside
    }
}
