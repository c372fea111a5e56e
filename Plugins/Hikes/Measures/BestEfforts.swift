import CivilTime
import Geodesy
import PluginKit
import TrailStores

/// The fastest stretches of given lengths within a recording.
enum BestEfforts {
    /// The minimum seconds over a length, and the start of the stretch in metres; `nil` if the recording is
    /// shorter or has no times. Stretches do not cross gaps; both ends may be between points.
    static func fastest(_ recording: Recording, over length: Double) -> (seconds: Double, from: Double)? {
        var none = NoTrace()
        return fastest(recording, over: length, trace: &none)
    }

    /// The same with a trace step for each compared stretch.
    static func fastest<T: TraceRecorder>(
        _ recording: Recording, over length: Double, trace: inout T
    ) -> (seconds: Double, from: Double)? {
        var best: (seconds: Double, from: Double)?
        for (segment, along) in zip(recording.line.segments, recording.distances) {
            let all = zip(segment, along).compactMap { point, distance in
                point.time.map { (time: $0.seconds, distance: distance) }
            }
            // Of points with the same time only the first was measured then: the clock is coarser than the points.
            let firsts = zip(all, all.indices).filter { $1 == 0 || $0.time != all[$1 - 1].time }.map(\.0)
            let reach = firsts.last.map { $0.distance - (firsts.first?.distance ?? 0) } ?? 0
            let timed = reach >= length ? firsts : all
            guard let first = timed.first, let last = timed.last, last.distance - first.distance >= length
            else {
                continue
            }
            func moment(at distance: Double, near index: inout Int) -> Double {
                while index + 1 < timed.count - 1, timed[index + 1].distance < distance { index += 1 }
                let (before, after) = (timed[index], timed[index + 1])
                let step = after.distance - before.distance
                return step > 0
                    ? before.time + (after.time - before.time) * (distance - before.distance) / step
                    : after.time
            }
            var left = 0
            var right = 0
            // The duration of a window is linear between the positions at which one of its ends passes a
            // point.
            let starts = (timed.map(\.distance) + timed.map { $0.distance - length })
                .filter { $0 >= first.distance && $0 + length <= last.distance }.sorted()
            for start in starts {
                let seconds = moment(at: start + length, near: &right) - moment(at: start, near: &left)
                let isBest = seconds > 0 && seconds < best?.seconds ?? .infinity
                trace.record(
                    .candidate(
                        [
                            ("over", .quantity(.metres(length))), ("from", .quantity(.metres(start))),
                            ("time", .quantity(.seconds(seconds))),
                            ("best", Value(best?.seconds) { .quantity(.seconds($0)) }),
                        ], isBest ? .best : .refused,
                        why: isBest ? "the fastest stretch so far" : "not faster than the best so far"))
                if isBest { best = (seconds, start) }
            }
        }
        return best
    }
}
