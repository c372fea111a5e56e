import Formats
import Foundation
import Geodesy
import PluginKit

/// Simplifies lines within a tolerance: Douglas and Peucker 1973, in a plane tangent to the sphere at each
/// chord's start.
enum LineSimplification {
    /// The kept points, and the largest distance in metres of a removed point from the line.
    static func simplified<T: TraceRecorder>(
        _ points: [GPXPoint], tolerance: Double, trace: inout T
    ) -> (kept: [GPXPoint], error: Double) {
        guard points.count > 2 else { return (points, 0) }
        var keeps = [Bool](repeating: false, count: points.count)
        keeps[0] = true
        keeps[points.count - 1] = true
        var error = 0.0
        // An explicit stack: a line of a million points may need that depth.
        var open = [(0, points.count - 1)]
        while let (first, last) = open.popLast() {
            guard last - first > 1 else { continue }
            var farthest = (distance: -1.0, index: first)
            for index in (first + 1)..<last {
                let distance = distance(
                    points[index].coordinate, from: points[first].coordinate, to: points[last].coordinate)
                if distance > farthest.distance { farthest = (distance, index) }
            }
            trace.record(
                .candidate(
                    [
                        ("from", .integer(first + 1)), ("to", .integer(last + 1)),
                        ("farthest", .integer(farthest.index + 1)),
                        ("distance", .quantity(.metres(farthest.distance))),
                        ("at", .coordinate(points[farthest.index].coordinate.withoutAltitude)),
                    ], farthest.distance > tolerance ? .kept : .refused,
                    why: farthest.distance > tolerance
                        ? "beyond the tolerance: it is kept, and both halves are checked"
                        : "within the tolerance: all points between the ends are removed"))
            if farthest.distance > tolerance {
                keeps[farthest.index] = true
                open.append((first, farthest.index))
                open.append((farthest.index, last))
            } else {
                error = max(error, farthest.distance)
            }
        }
        return (zip(points, keeps).filter(\.1).map(\.0), error)
    }

    /// Metres from a point to a chord.
    static func distance(_ point: Coordinate, from start: Coordinate, to end: Coordinate) -> Double {
        let scale = GeodesySettings.earthRadius * .pi / 180
        let across = scale * cos(start.latitude * .pi / 180)
        func turned(_ degrees: Double) -> Double {
            degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees
        }
        let (px, py) = (
            turned(point.longitude - start.longitude) * across, (point.latitude - start.latitude) * scale
        )
        let (ex, ey) = (
            turned(end.longitude - start.longitude) * across, (end.latitude - start.latitude) * scale
        )
        let length = ex * ex + ey * ey
        let share = length > 0 ? min(1, max(0, (px * ex + py * ey) / length)) : 0
        return hypot(px - share * ex, py - share * ey)
    }
}
