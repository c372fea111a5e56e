import Glibc

/// The machine's monotonic clock, which all processes share.
package enum MonotonicClock {
    /// Nanoseconds since an arbitrary epoch.
    package static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// Nanoseconds since a reading, 0 if it is in the future.
    package static func elapsed(since start: UInt64) -> UInt64 {
        let now = now
        return now > start ? now - start : 0
    }
}

extension Duration {
    /// Whole nanoseconds, at most 292 years.
    package var nanoseconds: UInt64 {
        let parts = components
        guard parts.seconds >= 0 else { return 0 }
        let (seconds, overflow) = UInt64(parts.seconds).multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? .max / 2 : seconds + UInt64(max(parts.attoseconds, 0) / 1_000_000_000)
    }

    /// As the command language writes it: `30s`, `1.5s`, `500ms`.
    package var literal: String {
        let milliseconds = nanoseconds / 1_000_000
        if milliseconds < 1000 { return "\(milliseconds)ms" }
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000)s" : "\(Double(milliseconds) / 1000)s"
    }
}
