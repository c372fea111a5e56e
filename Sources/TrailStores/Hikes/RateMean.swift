import CivilTime

/// The mean of what was measured along a recording, each value as long as it held: devices that write when something
/// changes write often in some minutes and seldom in others.
package enum RateMean {
    /// A value and its time; either may be unknown.
    package typealias Sample = (time: Timestamp?, value: Double?)

    /// Maximum seconds that a value holds: after that it is not known.
    static let longestHold = 300.0

    /// The mean over some segments; without times that of the points. `nil` without values.
    package static func of(
        _ segments: [[TrackPoint]], _ value: (TrackPoint) -> Double?
    ) -> Double? {
        mean(segments) { ($0.time, value($0)) }
    }

    /// The mean over some series.
    package static func of(_ series: [[Sample]]) -> Double? { mean(series) { $0 } }

    private static func mean<Point>(_ segments: [[Point]], _ sample: (Point) -> Sample) -> Double? {
        func seconds(_ from: Point, _ to: Point) -> Double? {
            guard let start = sample(from).time, let end = sample(to).time else { return nil }
            return end.seconds(since: start)
        }
        let intervals = segments.flatMap { segment in
            zip(segment, segment.dropFirst()).compactMap { seconds($0, $1) }
        }.sorted()
        // The last value of a segment holds as long as others do.
        let usual = intervals.isEmpty ? 1 : max(intervals[intervals.count / 2], 0)
        var (sum, weights, plain, count) = (0.0, 0.0, 0.0, 0)
        for segment in segments {
            for index in segment.indices {
                guard let rate = sample(segment[index]).value else { continue }
                let next = index + 1 < segment.count ? seconds(segment[index], segment[index + 1]) : nil
                let weight = min(max(next ?? usual, 0), longestHold)
                sum += rate * weight
                weights += weight
                plain += rate
                count += 1
            }
        }
        guard count > 0 else { return nil }
        return weights > 0 ? sum / weights : plain / Double(count)
    }
}
