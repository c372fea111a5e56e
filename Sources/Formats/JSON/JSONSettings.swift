/// Limits of the JSON reader and writer.
public enum JSONSettings {
    /// Maximum nesting of values; protects the stack from hostile texts.
    public static let deepest = 200
    /// Maximum bytes of a text.
    public static let longest = 1 << 30
    /// Characters of a key in messages.
    static let longestKey = 40
    /// Values between checks for cancellation.
    static let checkInterval = 4096
    /// Bytes of an object within which the colon behind its first key is sought.
    static let longestOpening = 256
    /// Faults of a text behind which reading goes on.
    static let mostGaps = 100
    /// Objects with more members detect duplicate keys by hash.
    static let fewMembers = 12
}
