import Formats
import Geodesy
import PluginKit

extension LineSimplification {
    /// The kept points of a recorded line, and the largest distance in metres of a removed point from it, measured in a
    /// plane around each chord's start.
    static func simplified<T: TraceRecorder>(
        _ points: [GPXPoint], tolerance: Double, trace: inout T
    ) -> (kept: [GPXPoint], error: Double) {
        var simplification = LineSimplification()
        var error = 0.0
        simplification.run(
            count: points.count, tolerance: tolerance,
            metric: { point, start, end in
                LocalPlane.distance(
                    points[point].coordinate, from: points[start].coordinate, to: points[end].coordinate)
            },
            visit: { piece in
                let isKept = piece.distance > tolerance
                trace.record(step(piece, points[piece.farthest].coordinate, isKept))
                if !isKept { error = max(error, piece.distance) }
            })
        return (zip(points, simplification.isKept).filter(\.1).map(\.0), error)
    }

    private static func step(_ piece: Piece, _ coordinate: Coordinate, _ isKept: Bool) -> TraceStep {
        .candidate(
            [
                ("from", .integer(piece.start + 1)), ("to", .integer(piece.end + 1)),
                ("farthest", .integer(piece.farthest + 1)),
                ("distance", .quantity(.metres(piece.distance))),
                ("at", .coordinate(coordinate.withoutAltitude)),
            ], isKept ? .kept : .refused,
            why: isKept
                ? "beyond the tolerance: it is kept, and both halves are checked"
                : "within the tolerance: all points between the ends are removed")
    }
}
