import CivilTime
import Geodesy

/// Steps of the elevation that no way has: longer than the one forward, and faster than a lift, as where a barometer is set anew or
/// digits of heights are lost.
enum ElevationCliff {
    /// Metres of such a step between two points, up or down; `nil` for another. Without times it may be a wall.
    static func metres(_ from: Coordinate, _ to: Coordinate, _ seconds: Double?) -> Double? {
        guard let before = from.altitude, let after = to.altitude,
            abs(after - before) >= RecordingSettings.leastCliff,
            (seconds ?? 0) * RecordingSettings.fastestLift < abs(after - before),
            abs(after - before) > from.distance(to: to)
        else { return nil }
        return after - before
    }

    /// The places among points with elevations before which the elevation steps so, known by the times. What goes on falling or rising
    /// is no step: nothing is set anew all the time.
    static func places(_ points: [TrackPoint], _ known: [Int]) -> [Int] {
        func change(_ place: Int) -> Double {
            guard known.indices.contains(place), known.indices.contains(place - 1),
                let before = points[known[place - 1]].coordinate.altitude,
                let after = points[known[place]].coordinate.altitude
            else { return 0 }
            return after - before
        }
        return known.indices.dropFirst().filter { place in
            let (from, to) = (points[known[place - 1]], points[known[place]])
            guard abs(change(place)) >= RecordingSettings.leastCliff, let start = from.time,
                let end = to.time,
                let step = metres(from.coordinate, to.coordinate, end.seconds(since: start))
            else { return false }
            return [change(place - 1), change(place + 1)].allSatisfy { beside in
                beside * step <= 0 || abs(beside) < abs(step) * RecordingSettings.mostBesideCliff
            }
        }
    }
}
