import Geodesy

/// Cuts segments at the 180° meridian, and joins them again.
enum AntimeridianCut {
    /// The parts of a segment, each of at least two points: a part of one point is written twice, as RFC 7946
    /// requires. At each cut, a point without a time is added on either side.
    static func parts(_ segment: [GPXPoint]) -> [[GPXPoint]] {
        guard var last = segment.first else { return [] }
        var parts: [[GPXPoint]] = [[last]]
        for point in segment.dropFirst() {
            if let cut = Antimeridian.cut(from: last.coordinate, to: point.coordinate) {
                parts[parts.count - 1].append(GPXPoint(coordinate: cut.near))
                parts.append([GPXPoint(coordinate: cut.far)])
            }
            parts[parts.count - 1].append(point)
            last = point
        }
        return parts.map { $0.count == 1 ? [$0[0], $0[0]] : $0 }
    }

    /// Joins the parts that were cut, and removes the added points.
    static func joined(_ parts: [[GPXPoint]]) -> [[GPXPoint]] {
        var segments: [[GPXPoint]] = []
        for part in parts {
            if let last = segments.last?.last, let first = part.first, isCut(last, first) {
                segments[segments.count - 1].removeLast()
                segments[segments.count - 1] += part.dropFirst()
            } else {
                segments.append(part)
            }
        }
        return segments.map { $0.count == 2 && $0[0] == $0[1] ? [$0[0]] : $0 }
    }

    private static func isCut(_ left: GPXPoint, _ right: GPXPoint) -> Bool {
        abs(left.coordinate.longitude) == 180 && left.coordinate.longitude == -right.coordinate.longitude
            && left.coordinate.latitude == right.coordinate.latitude && left.time == nil && right.time == nil
    }
}
