import CivilTime
import Synchronization

/// The session's clock. In a notebook it is stopped and advances only on request; in a terminal it follows
/// the machine's clock until it is set.
public final class SessionClock: Sendable {
    private struct State: Sendable {
        var source: (@Sendable () -> Timestamp)?
        var moment: Timestamp
        var wasRead = false
        var offset: Int64 = 0
    }

    private let state: Mutex<State>

    /// A clock stopped at an instant.
    public init(standingAt moment: Timestamp) { state = Mutex(State(source: nil, moment: moment)) }

    /// A clock that follows another, such as the machine's.
    public init(following source: @escaping @Sendable () -> Timestamp) {
        state = Mutex(State(source: source, moment: source()))
    }

    /// The current time. It is constant while an entry runs, so that all changes of a command have the same time.
    public var now: Timestamp {
        state.withLock {
            $0.wasRead = true
            if $0.offset == 0 { return $0.moment }
            let shown = $0.moment.advanced(bySeconds: Double($0.offset) / 1000)
            return min(max(shown, Self.range.lowerBound), Self.range.upperBound)
        }
    }

    /// The current time without the offset.
    public var trueNow: Timestamp { state.withLock { $0.moment } }

    /// Milliseconds by which the clock is ahead of the correct time, as an active simulated device's may be.
    public var offset: Int64 {
        get { state.withLock { $0.offset } }
        set { state.withLock { $0.offset = newValue } }
    }

    /// Whether the clock is running.
    public var isFollowing: Bool { state.withLock { $0.source != nil } }

    /// The state of a clock, for restoring.
    public struct Reading: Sendable {
        fileprivate let source: (@Sendable () -> Timestamp)?
        fileprivate let moment: Timestamp
        fileprivate let wasRead: Bool
    }

    /// The current state.
    public var reading: Reading {
        state.withLock { Reading(source: $0.source, moment: $0.moment, wasRead: $0.wasRead) }
    }

    /// Restores a state.
    public func restore(_ reading: Reading) {
        state.withLock {
            ($0.source, $0.moment, $0.wasRead) = (reading.source, reading.moment, reading.wasRead)
        }
    }

    /// Called by the session before an entry: a running clock is read once for the whole entry.
    public func beginEntry() {
        state.withLock {
            if let source = $0.source { $0.moment = source() }
            $0.wasRead = false
        }
    }

    /// The time of the current entry if a command read it; `nil` if none did, or the clock is stopped.
    public var readInEntry: Timestamp? { state.withLock { $0.source != nil && $0.wasRead ? $0.moment : nil } }

    /// The range of a clock: the years 1 to 9998, so that the day before and after can be written, too.
    public static let range =
        Timestamp(milliseconds: -62_135_596_800_000)...Timestamp(milliseconds: 253_370_764_799_999)

    /// Stops the clock at an instant, clamped to the range.
    public func set(_ moment: Timestamp) {
        state.withLock {
            $0.source = nil
            $0.moment = min(max(moment, Self.range.lowerBound), Self.range.upperBound)
        }
    }

    /// Advances a stopped clock; a running clock is not affected.
    public func advance(bySeconds seconds: Double) {
        state.withLock {
            if $0.source == nil {
                $0.moment = min($0.moment.advanced(bySeconds: seconds), Self.range.upperBound)
            }
        }
    }
}
