/// What the stores take for granted.
public enum StoreSettings {
    /// How long a writer waits for another one, in seconds.
    public static let busyTimeout = 10.0
    /// How long its first waits are, in seconds; the last of them is repeated. None is longer than a person notices.
    static let lockWaits = [0.001, 0.002, 0.005, 0.01, 0.02]
    /// Bytes that a track may inflate to before it is taken for a bomb.
    public static let largestTrack = 512 << 20
    /// Kilobytes of a database that are kept in memory at most; SQLite's own 2 MB do not hold an index of 100,000 rows.
    static let pageCache = 16_384
    /// Steps of a metre that near-search rounds distances to.
    static let distanceSteps = 10_000.0
    /// Rows written between two looks at cancellation and two reports of progress.
    public static let batchStep = 512
    /// Largest size of a thumbnail in bytes, as the watch link carries it.
    public static let largestThumbnail = 10_000
    /// Pixels along a side of a thumbnail.
    public static let thumbnailSide = 100
    /// How often a store that is being written is copied anew until a copy is whole.
    public static let copyAttempts = 5
    /// Bytes of a store with a log beside it that is copied whole; of a larger one only the log is.
    public static let largestCopied = 64 << 20
    /// Bytes of a store with a journal to roll back that is copied for it; a larger one is refused.
    public static let largestRolledBack = 1 << 30
    /// Steps of SQLite's machine between two looks at cancellation: well below a millisecond.
    public static let stepsBetweenChecks: Int32 = 2_000
    /// Pages copied between two looks at cancellation.
    static let pagesPerStep = 512
    /// Rows that a query may give.
    public static let largestResult = 1_000_000
    /// Bytes of text that a query may give in all.
    public static let largestResultText = 256 << 20
    /// Bytes that one cell of a query may have.
    public static let largestCell: Int32 = 256 << 20
}

/// What the checks of stores take for granted.
public enum CheckSettings {
    /// Complaints of SQLite's own integrity check that are shown.
    public static let integrityMessages = 100
    /// Findings of one kind that are kept; the rest is counted.
    public static let findingsOfAKind = 1_000
    /// Altitudes from the deepest shore to the highest summit, in metres, with room to spare.
    public static let altitudes = -12_000.0...100_000.0
    /// Metres that a hike's start and end may be from those of its track: Float32 keeps a metre and a half.
    public static let endTolerance = 10.0
    /// Seconds that a hike's start and end may be from those of its track.
    public static let timeTolerance = 60.0
    /// Metres by which a hike's distance may differ from its track's …
    public static let distanceTolerance = 50.0
    /// … and the share of it.
    public static let distanceShare = 0.05
    /// A leg of a track that is longer than this, in metres …
    public static let gapLength = 100.0
    /// … and than so many ordinary legs may be a gap in the recording, which does not count as distance.
    public static let gapLegs = 10.0
    /// Methods of counting climbs differ by this factor on noisy tracks.
    public static let climbFactor = 3.0
    /// Metres of climb that may be missing or too many besides.
    public static let climbTolerance = 50.0
    /// Seconds by which walking and resting together may differ from the time between start and end …
    public static let durationTolerance = 120.0
    /// … and the share of it.
    public static let durationShare = 0.02
    /// Heart rates that a living hiker may have, in beats a minute.
    public static let heartRates = 20.0...260.0
    /// Metres by which an edge may be shorter than the straight line between its ends: Float32 keeps a metre and a half …
    public static let lengthTolerance = 2.0
    /// … and the share of it by which figures of the Earth differ.
    public static let lengthShare = 0.006
    /// Metres that the pins of a planned route may lie from the ends of its line.
    public static let snapTolerance = 500.0
}
