import CivilTime
import Formats
import Geodesy
import PluginKit
import TrailStores

/// Repairs of the elevations of a recording by itself.
extension RecordingEdits {
    /// Constants of such repairs.
    enum Repair {
        /// Metres between start and end of a closed way, within which a receiver finds the same place again.
        static let samePlace = 50.0
        /// Metres of the longest way that is filled, unless another is asked for.
        static let longestGap = 500.0
        /// Metres of a drift that is too small to matter.
        static let leastDrift = 0.5
    }

    /// The edit with gain and loss before and after it.
    static func withClimb(_ result: Result, before: Recording) -> Result {
        func climb(_ recording: Recording) -> String {
            guard let statistics = HikeStatistics(segments: recording.segments), statistics.knowsClimb else {
                return "unknown"
            }
            return
                "\(Literal.number(statistics.gain.rounded()))m up and \(Literal.number(statistics.loss.rounded()))m down"
        }
        return Result(
            recording: result.recording,
            summary: "\(result.summary); before \(climb(before)), now \(climb(result.recording))")
    }

    /// Unknown elevations between known ones that are at most `longest` metres of the way apart, in proportion to the way; `nil` if
    /// there is none.
    static func filled(_ recording: Recording, longest: Double) -> Result? {
        var result = recording
        var filled = 0
        var unknown = 0
        for (number, along) in recording.distances.enumerated() {
            var last: Int?
            for (index, point) in recording.line.segments[number].enumerated() {
                guard let height = point.coordinate.altitude else {
                    unknown += 1
                    continue
                }
                defer { last = index }
                guard let last, index > last + 1, along[index] - along[last] <= longest,
                    let before = recording.line.segments[number][last].coordinate.altitude
                else { continue }
                let way = along[index] - along[last]
                for place in (last + 1)..<index {
                    let share = way > 0 ? (along[place] - along[last]) / way : 0
                    let between = before + (height - before) * share
                    result.line.segments[number][place].coordinate.altitude = (between * 10).rounded() / 10
                    filled += 1
                }
            }
        }
        guard filled > 0 else { return nil }
        let rest = unknown > filled ? "; \(unknown - filled) still unknown" : ""
        return Result(
            recording: result,
            summary:
                "\(filled, of: "elevation") filled between those beside \(filled == 1 ? "it" : "them")\(rest)"
        )
    }

    /// Why a way is not closed; `nil` if it is, with a height and a time at both ends.
    static func openEnds(of recording: Recording) -> String? {
        let points = recording.points
        guard let first = points.first, let last = points.last else { return "it has no points" }
        let apart = first.coordinate.distance(to: last.coordinate)
        guard apart <= Repair.samePlace else {
            return "its ends are \(Literal.inMessage(.metres(apart.rounded()))) apart"
        }
        guard first.coordinate.altitude != nil, last.coordinate.altitude != nil else {
            return "an elevation at its ends is unknown"
        }
        guard let start = first.time, let end = last.time, end > start else {
            return "the times at its ends are unknown"
        }
        return nil
    }

    /// The elevations of a closed way without the drift that shows at its end, which is spread over the time; gaps are filled before.
    /// `nil` if nothing changes.
    static func withoutDrift(_ recording: Recording, longest: Double) -> Result? {
        let gaps = filled(recording, longest: longest)
        var result = gaps?.recording ?? recording
        let points = result.points
        guard let first = points.first, let last = points.last, let low = first.coordinate.altitude,
            let high = last.coordinate.altitude, let start = first.time, let end = last.time, end > start
        else { return gaps }
        let drift = high - low
        guard abs(drift) >= Repair.leastDrift else { return gaps }
        let duration = end.seconds(since: start)
        var seconds = 0.0
        for number in result.line.segments.indices {
            for index in result.line.segments[number].indices {
                // A point without a time is taken to be of the time before it.
                if let time = result.line.segments[number][index].time {
                    seconds = time.seconds(since: start)
                }
                guard let height = result.line.segments[number][index].coordinate.altitude else { continue }
                let share = min(1, max(0, seconds / duration))
                result.line.segments[number][index].coordinate.altitude =
                    ((height - drift * share) * 10).rounded() / 10
            }
        }
        let words = [
            gaps?.summary, "a drift of \(Literal.number((drift * 10).rounded() / 10))m spread over the time",
        ]
        return Result(recording: result, summary: words.compactMap(\.self).joined(separator: "; "))
    }
}
