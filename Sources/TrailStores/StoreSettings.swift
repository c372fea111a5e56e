/// What the stores take for granted.
public enum StoreSettings {
    /// How long a writer waits for another one, in seconds.
    public static let busyTimeout = 10.0
    /// How long its first waits are, in seconds; the last of them is repeated. None is longer than a person notices.
    static let lockWaits = [0.001, 0.002, 0.005, 0.01, 0.02]
    /// Bytes that a track may inflate to before it is taken for a bomb.
    public static let largestTrack = 512 << 20
    /// Kilobytes of a database that are kept in memory at most; SQLite's own 2 MB do not hold an index of 100,000 rows.
    package static let pageCache = 16_384
    /// Steps of a metre that near-search rounds distances to.
    static let distanceSteps = 10_000.0
    /// Rows written between two looks at cancellation and two reports of progress.
    public static let batchStep = 512
    /// Largest size of a thumbnail in bytes, as the watch link carries it.
    public static let largestThumbnail = 10_000
    /// Pixels along a side of a thumbnail.
    public static let thumbnailSide = 100
    /// Bytes of a store with a log beside it that is copied whole; of a larger one only the log is.
    public static let largestCopied = 64 << 20
    /// Bytes of a store with a journal to roll back that is copied for it; a larger one is refused.
    public static let largestRolledBack = 1 << 30
    /// Steps of SQLite's machine between two looks at cancellation: well below a millisecond.
    public static let stepsBetweenChecks: Int32 = 2_000
    /// Pages copied between two looks at cancellation.
    package static let pagesPerStep = 512
    /// Maximum number of rows of a query.
    public static let largestResult = 1_000_000
    /// Maximum bytes of text of a query.
    public static let largestResultText = 256 << 20
    /// Bytes that one cell of a query may have.
    public static let largestCell: Int32 = 256 << 20
    /// Altitudes from the deepest shore to the highest summit, in metres, with room to spare.
    public static let altitudes = -12_000.0...100_000.0
}
