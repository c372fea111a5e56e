import CivilTime
import Foundation

/// Corrects the times of a recording whose clock was set on the way: to summer time and back, to another zone, or by the first
/// satellites.
package struct RecordedClock {
    /// The times with all steps taken out, in order.
    package let times: [Timestamp]
    /// The steps, seconds; positive where the clock was set ahead.
    package let steps: [Double]

    /// Times step back by more than this, seconds, where the clock was set; by less where a recorder repeats points or
    /// writes them out of order.
    private static let leastBack = 60.0
    /// Recorders that write less often, seconds, leave out points: their gaps are whole hours, too.
    private static let leastOften = 30.0
    /// Clocks are set ahead by whole hours: a rest lasts as long to the second only by chance.
    private static let hour = 3600.0
    /// How exact the interval after a step is, seconds.
    private static let exact = 2.0

    /// Corrects times; the usual interval between them continues across a step.
    package init(_ given: [Timestamp]) {
        let intervals = zip(given, given.dropFirst()).map { $1.seconds(since: $0) }.filter { $0 > 0 }.sorted()
        let usual = intervals.isEmpty ? 0 : intervals[intervals.count / 2]
        var times: [Timestamp] = []
        var steps: [Double] = []
        var error = 0.0
        for time in given {
            guard let last = times.last else {
                times.append(time)
                continue
            }
            let gap = time.seconds(since: last) - error
            if let step = Self.step(gap, usual) {
                steps.append(step)
                error += step
            }
            times.append(max(last, time.advanced(bySeconds: -error)))
        }
        (self.times, self.steps) = (times, steps)
    }

    /// The seconds by which the clock was set between two times; `nil` if it was not.
    private static func step(_ gap: Double, _ usual: Double) -> Double? {
        if gap < -leastBack { return gap - usual }
        let hours = ((gap - usual) / hour).rounded()
        guard hours >= 1, usual <= leastOften, abs(gap - usual - hours * hour) <= exact else { return nil }
        return hours * hour
    }

    /// The steps in words; `nil` without any.
    package var notice: String? {
        guard !steps.isEmpty else { return nil }
        let words = steps.map { step in
            let minutes = Int((abs(step) / 60).rounded())
            let hours = minutes / 60
            let size = minutes % 60 == 0 && hours >= 2 ? "\(hours) h" : "\(minutes) min"
            return "\(size) \(step > 0 ? "ahead" : "back")"
        }
        return "the clock was set \(words.joined(separator: ", ")) on the way: later times are corrected"
    }
}
