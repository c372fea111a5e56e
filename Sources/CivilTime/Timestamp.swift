/// An instant, to the millisecond and, where it was written more finely, to the nanosecond, counted from 1970-01-01T00:00:00Z without leap seconds.
///
/// Instants come from the session's clock or from data, never from the machine's clock.
public struct Timestamp: Sendable, Hashable, Comparable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public var milliseconds: Int64
    /// Nanoseconds after the millisecond, 0 to 999,999.
    public var nanoseconds: Int32 = 0

    /// An instant by its milliseconds since 1970-01-01T00:00:00Z.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// An instant by its seconds since 1970-01-01T00:00:00Z, rounded to the millisecond; `nil` when out of range.
    public init?(seconds: Double) {
        guard let milliseconds = Int64(exactly: (seconds * 1000).rounded()) else { return nil }
        self.milliseconds = milliseconds
    }

    /// Seconds since 1970-01-01T00:00:00Z.
    public var seconds: Double { Double(milliseconds) / 1000 }

    /// Orders instants, the earlier first.
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        (left.milliseconds, left.nanoseconds) < (right.milliseconds, right.nanoseconds)
    }

    /// The instant this many seconds later, clamped to the range instead of trapping.
    public func advanced(bySeconds seconds: Double) -> Timestamp {
        let delta = Int64(exactly: (seconds * 1000).rounded()) ?? (seconds < 0 ? .min : .max)
        let (sum, overflow) = milliseconds.addingReportingOverflow(delta)
        var moved = Timestamp(milliseconds: overflow ? (delta < 0 ? .min : .max) : sum)
        if !overflow { moved.nanoseconds = nanoseconds }
        return moved
    }

    /// Seconds from another instant to this one, negative when the other is later.
    public func seconds(since other: Timestamp) -> Double {
        (Double(milliseconds) - Double(other.milliseconds)) / 1000
            + Double(nanoseconds - other.nanoseconds) / 1e9
    }
}
