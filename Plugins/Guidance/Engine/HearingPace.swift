import CivilTime

/// How often something can be said: phones that sleep or deliver their fixes together are heard once a minute or so.
struct HearingPace: Sendable, Hashable {
    private var last: Timestamp?
    /// Seconds between the last two fixes at which something could be said.
    private(set) var latest = 0.0
    /// Seconds between the two before.
    private var earlier = 0.0

    /// Seconds until the next such fix, as far as can be expected: a single gap is no habit.
    var expected: Double { min(latest, earlier) }

    /// Whether it is so long that a turn may come and go meanwhile.
    var isRare: Bool { expected > BeliefSettings.gap }

    /// Updates with the time of a fix at which something can be said.
    mutating func hear(at time: Timestamp) {
        earlier = latest
        latest = last.map { max(0, time.seconds(since: $0)) } ?? 0
        last = time
    }
}
