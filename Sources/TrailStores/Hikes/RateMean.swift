import CivilTime

/// The mean of what was measured at the points of a track, each value as long as it held: devices that write when something
/// changes write often in some minutes and seldom in others.
package enum RateMean {
    /// Maximum seconds that a value holds: after that it is not known.
    static let longestHold = 300.0

    /// The mean over some segments; without times that of the points. `nil` without values.
    package static func of(
        _ segments: [[TrackPoint]], _ value: (TrackPoint) -> Double?
    ) -> Double? {
        let intervals = segments.flatMap { segment in
            zip(segment, segment.dropFirst()).compactMap { Self.seconds($0, $1) }
        }.sorted()
        // The last value of a segment holds as long as others do.
        let usual = intervals.isEmpty ? 1 : max(intervals[intervals.count / 2], 0)
        var (sum, weights, plain, count) = (0.0, 0.0, 0.0, 0)
        for segment in segments {
            for index in segment.indices {
                guard let rate = value(segment[index]) else { continue }
                let next = index + 1 < segment.count ? Self.seconds(segment[index], segment[index + 1]) : nil
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

    private static func seconds(_ from: TrackPoint, _ to: TrackPoint) -> Double? {
        guard let start = from.time, let end = to.time else { return nil }
        return end.seconds(since: start)
    }
}
