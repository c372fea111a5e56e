/// What the stores take for granted.
public enum StoreSettings {
    /// How long a writer waits for another one, in seconds.
    public static let busyTimeout = 10.0
    /// Bytes that a track may inflate to before it is taken for a bomb.
    public static let largestTrack = 512 << 20
    /// Rows written between two looks at cancellation and two reports of progress.
    public static let batchStep = 512
    /// Largest size of a thumbnail in bytes, as the watch link carries it.
    public static let largestThumbnail = 10_000
}
