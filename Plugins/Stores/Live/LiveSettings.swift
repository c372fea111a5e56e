/// Limits of following a store while another program writes it.
enum LiveSettings {
    /// Microseconds between two looks at the log: of a log that begins again after a thousand pages, a hundredth.
    static let pause: UInt32 = 1_000
    /// Bytes of commits that were read and not yet shown; with more, reading waits.
    static let mostQueued = 256 << 20
    /// Changed rows that are listed of one commit; the rest is counted.
    static let mostRows = 100_000
    /// Bytes of the file that are compared at once.
    static let chunk = 1 << 18
    /// Nanoseconds after which a file's time of change tells apart two changes: file systems count in ticks of 4 to 10 ms.
    static let settled = 50_000_000
    /// How often a state of the file is read again that did not stay the same meanwhile, before the next look.
    static let attempts = 20
}
