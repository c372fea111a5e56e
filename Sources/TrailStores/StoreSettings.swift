import Formats

/// Settings of the stores.
public enum StoreSettings {
    /// Seconds that a writer waits for another one.
    static let busyTimeout = 10.0
    /// Seconds of its first waits; the last of them is repeated. None is noticeable.
    static let lockWaits = [0.001, 0.002, 0.005, 0.01, 0.02]
    /// Maximum bytes of an inflated track; larger ones are rejected as a decompression bomb.
    public static let largestTrack = 512 << 20
    /// Page cache in kilobytes; SQLite's default of 2 MB is too small for an index of 100,000 rows.
    package static let pageCache = 16_384
    /// Steps per metre to which distances of a proximity search are rounded.
    static let distanceSteps = 10_000.0
    /// Rows written between checks for cancellation and progress reports.
    public static let batchStep = 512
    /// Maximum size of a thumbnail in bytes, as sent over the watch link.
    public static let largestThumbnail = 10_000
    /// Pixels along a side of a thumbnail.
    public static let thumbnailSide = 100
    /// Maximum bytes of a store with a log that is copied completely; for larger ones only the log is copied.
    public static let largestCopied = 64 << 20
    /// Maximum bytes of a store with a journal to roll back; larger ones are rejected.
    static let largestRolledBack = 1 << 30
    /// Steps of SQLite's virtual machine between checks for cancellation: well below a millisecond.
    public static let stepsBetweenChecks: Int32 = 2_000
    /// Pages copied between checks for cancellation.
    package static let pagesPerStep = 512
    /// Maximum number of rows of a query.
    static let largestResult = 1_000_000
    /// Maximum bytes of text of a query.
    static let largestResultText = 256 << 20
    /// Maximum bytes of a cell of a query.
    static let largestCell: Int32 = 256 << 20
    /// Accepted distances of a hike in metres: what is written is read again, also the most points of a file, each at the other side of
    /// the Earth.
    static let distances = 0.0...Double(GPXSettings.mostPoints) * 20_100_000
    /// Accepted climbs of a hike in metres, of as many points.
    static let climbs = 0.0...Double(GPXSettings.mostPoints) * 112_000
    /// Accepted durations of a hike in seconds: a hundred years.
    static let durations = 0.0...3_200_000_000.0
    /// Amount by which a sum may be below 0 after rounding.
    static let rounding = 1.0
    /// Accepted heart rates in beats per minute; sensors write 0 for none.
    static let heartRates = 0.0...400.0
    /// Accepted energies in kilocalories.
    static let energies = 0.0...1_000_000.0
    /// Accepted altitudes in metres: from below the deepest sea floor to the edge of space.
    public static let altitudes = -12_000.0...100_000.0
}
