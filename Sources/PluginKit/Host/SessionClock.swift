import CivilTime
import Synchronization

/// The session's clock. In a notebook it stands still and moves only when told to; in a terminal it follows the
/// machine's clock until it is set.
public final class SessionClock: Sendable {
    private enum State: Sendable {
        case following(@Sendable () -> Timestamp)
        case standing(Timestamp)
    }

    private let state: Mutex<State>

    /// A clock that stands at a moment.
    public init(standingAt moment: Timestamp) { state = Mutex(.standing(moment)) }

    /// A clock that follows another, such as the machine's.
    public init(following source: @escaping @Sendable () -> Timestamp) { state = Mutex(.following(source)) }

    /// The present moment.
    public var now: Timestamp {
        state.withLock {
            switch $0 {
            case .following(let source): source()
            case .standing(let moment): moment
            }
        }
    }

    /// Whether the clock moves by itself.
    public var isFollowing: Bool {
        state.withLock { if case .following = $0 { true } else { false } }
    }

    /// Stops the clock at a moment.
    public func set(_ moment: Timestamp) { state.withLock { $0 = .standing(moment) } }

    /// Lets a standing clock move on; a following clock moves by itself.
    public func advance(bySeconds seconds: Double) {
        state.withLock {
            if case .standing(let moment) = $0 { $0 = .standing(moment.advanced(bySeconds: seconds)) }
        }
    }
}
