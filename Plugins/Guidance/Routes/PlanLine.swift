import CivilTime
import Core
import Formats
import Geodesy

/// The points of the ways of a plan, one way after the other, with their distances from the start.
struct PlanLine {
    let points: [GPXPoint]
    /// Metres from the start to each point.
    let along: [Double]
    /// The times of points with their distances; empty where the times run back.
    private let times: [(time: Timestamp, along: Double)]

    init(_ lines: [GPXLine]) {
        points = lines.flatMap { $0.segments.flatMap(\.self) }
        along = Polyline.cumulativeDistances(points.map(\.coordinate))
        let timed = zip(points, along).compactMap { point, along in point.time.map { ($0, along) } }
        let isInOrder = zip(timed, timed.dropFirst()).allSatisfy { $0.0 <= $1.0 }
        times = isInOrder ? timed : []
    }

    /// Metres from the start at a time of the plan; `nil` where the plan says nothing of it.
    func along(at time: Timestamp?) -> Double? {
        guard let time, let first = times.first, let last = times.last, first.time <= time, time <= last.time
        else { return nil }
        let after = times.partitionIndex { $0.time >= time }
        let (next, before) = (times[after], times[max(0, after - 1)])
        let span = next.time.seconds(since: before.time)
        let share = span > 0 ? time.seconds(since: before.time) / span : 0
        return before.along + share * (next.along - before.along)
    }
}
