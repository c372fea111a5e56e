import Geodesy

/// The sums of a line that activities hold.
extension GPXLine {
    /// Seconds from the first to the last time of each segment.
    var timedSeconds: Double {
        segments.reduce(0) { sum, segment in
            guard let first = segment.first(where: { $0.time != nil })?.time,
                let last = segment.last(where: { $0.time != nil })?.time
            else { return sum }
            return sum + max(0, last.seconds(since: first))
        }
    }

    /// Metres of the segments; without any position those of the device's sensor, or `nil`.
    var measuredLength: Double? {
        guard segments.allSatisfy(\.isEmpty) else {
            return segments.reduce(0) { $0 + Polyline.length($1.map(\.coordinate)) }
        }
        let counted = unplaced.compactMap(\.sensors.distance)
        guard let first = counted.first, let last = counted.max() else { return nil }
        return max(0, last - first)
    }
}
