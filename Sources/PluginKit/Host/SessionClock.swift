import CivilTime
import Synchronization

/// The session's clock. In a notebook it stands still and moves only when told to; in a terminal it follows the
/// machine's clock until it is set.
public final class SessionClock: Sendable {
    private struct State: Sendable {
        var source: (@Sendable () -> Timestamp)?
        var moment: Timestamp
        var wasRead = false
        var offset: Int64 = 0
    }

    private let state: Mutex<State>

    /// A clock that stands at a moment.
    public init(standingAt moment: Timestamp) { state = Mutex(State(source: nil, moment: moment)) }

    /// A clock that follows another, such as the machine's.
    public init(following source: @escaping @Sendable () -> Timestamp) {
        state = Mutex(State(source: source, moment: source()))
    }

    /// The present moment. It stands still while an entry runs, so that what a command does at once has one time.
    public var now: Timestamp {
        state.withLock {
            $0.wasRead = true
            if $0.offset == 0 { return $0.moment }
            let shown = $0.moment.advanced(bySeconds: Double($0.offset) / 1000)
            return min(max(shown, Self.range.lowerBound), Self.range.upperBound)
        }
    }

    /// The present moment on a clock that is right, whatever offset is set.
    public var trueNow: Timestamp { state.withLock { $0.moment } }

    /// Milliseconds that the clock which commands see is ahead of the right one, as that of a device in use may be.
    public var offset: Int64 {
        get { state.withLock { $0.offset } }
        set { state.withLock { $0.offset = newValue } }
    }

    /// Whether the clock moves by itself from entry to entry.
    public var isFollowing: Bool { state.withLock { $0.source != nil } }

    /// What a clock shows and follows, to return to.
    public struct Reading: Sendable {
        fileprivate let source: (@Sendable () -> Timestamp)?
        fileprivate let moment: Timestamp
        fileprivate let wasRead: Bool
    }

    /// The present reading.
    public var reading: Reading {
        state.withLock { Reading(source: $0.source, moment: $0.moment, wasRead: $0.wasRead) }
    }

    /// Goes on from a reading as if nothing had happened since.
    public func restore(_ reading: Reading) {
        state.withLock {
            ($0.source, $0.moment, $0.wasRead) = (reading.source, reading.moment, reading.wasRead)
        }
    }

    /// Called by the session before an entry: a following clock is read once for the whole entry.
    public func beginEntry() {
        state.withLock {
            if let source = $0.source { $0.moment = source() }
            $0.wasRead = false
        }
    }

    /// The moment of the present entry if a command asked for it; `nil` when none did, or the clock stands.
    public var readInEntry: Timestamp? { state.withLock { $0.source != nil && $0.wasRead ? $0.moment : nil } }

    /// The moments a clock can show: the years 1 to 9998, so that the day before and after can be written, too.
    public static let range =
        Timestamp(milliseconds: -62_135_596_800_000)...Timestamp(milliseconds: 253_370_764_799_999)

    /// Stops the clock at a moment; one out of range is the nearest within.
    public func set(_ moment: Timestamp) {
        state.withLock {
            $0.source = nil
            $0.moment = min(max(moment, Self.range.lowerBound), Self.range.upperBound)
        }
    }

    /// Lets a standing clock move on; a following clock moves by itself.
    public func advance(bySeconds seconds: Double) {
        state.withLock {
            if $0.source == nil {
                $0.moment = min($0.moment.advanced(bySeconds: seconds), Self.range.upperBound)
            }
        }
    }
}
