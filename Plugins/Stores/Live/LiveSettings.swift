/// Limits of following a store while another program writes it.
enum LiveSettings {
    /// Microseconds between polls of the log: a hundredth of the time between two restarts of a log that restarts
    /// after a thousand pages.
    static let pause: UInt32 = 1_000
    /// Bytes of commits read and not yet shown above which reading pauses.
    static let mostQueued = 256 << 20
    /// Maximum changed rows listed per commit; the rest is counted.
    static let mostRows = 100_000
    /// Bytes of the file compared at a time.
    static let chunk = 1 << 18
    /// Nanoseconds after which a later change gets a different modification time: file systems use ticks of 4
    /// to 10 ms.
    static let settled = 50_000_000
    /// How often a changing state of the file is reread before the next poll.
    static let attempts = 20
}
