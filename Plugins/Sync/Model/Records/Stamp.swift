/// When a field was changed, and where: a time of a hybrid logical clock, ties decided by the device.
///
/// Kulkarni, Demirbas et al., "Logical Physical Clocks" (OPODIS 2014): milliseconds in the upper 48 bits, a counter in
/// the lower 16, which runs over into the milliseconds when it must.
package struct Stamp: Hashable, Sendable {
    /// Milliseconds since 1970 times 65,536, plus the counter; 0 where the time is unknown.
    package var time: UInt64
    /// The device, a random number drawn at its installation.
    package var device: UInt64

    /// Whether the time is unknown: an older app wrote the field without a time.
    package var isUnknown: Bool { time == 0 }

    /// The stamp of a missing field: nothing is known.
    package static let none = Stamp(time: 0, device: 0)

    /// Milliseconds since 1970; `nil` where unknown.
    package var milliseconds: Int64? { isUnknown ? nil : Int64(time >> 16) }

    /// Whether this stamp wins over another in a true conflict. An unknown time is neither oldest nor newest:
    /// then the devices alone decide, which all devices do alike.
    @inline(__always)
    package func wins(over other: Stamp) -> Bool {
        if isUnknown || other.isUnknown || time == other.time { return device > other.device }
        return time > other.time
    }
}

/// The hybrid logical clock of a device.
package struct HybridClock: Hashable, Sendable {
    /// The last time issued or seen.
    package var last: UInt64 = 0

    /// The largest physical time in milliseconds that fits: the year 10889.
    private static let latest: Int64 = (1 << 48) - 1

    /// A time for a change, later than all issued or seen, and not before a physical time in milliseconds.
    package mutating func tick(_ milliseconds: Int64) -> UInt64 {
        let physical = UInt64(min(max(milliseconds, 0), Self.latest)) << 16
        last = physical > last ? physical : (last < .max ? last + 1 : last)
        return last
    }

    /// Records a time from another device.
    @inline(__always)
    package mutating func see(_ time: UInt64) { if time > last { last = time } }

    /// Records all times of a version.
    package mutating func see(_ version: Version) {
        see(version.stamp.time)
        for field in version.fields { see(field.stamp.time) }
    }
}
