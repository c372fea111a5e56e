/// How much of an archive is read. What a user of archives does not state is as in `standard`.
public struct ArchiveLimits: Sendable {
    /// Maximum number of entries, folders included.
    public var entries = 10_000
    /// Maximum unpacked bytes of an entry.
    public var entryBytes = 512 << 20
    /// Maximum unpacked bytes of all entries that are read.
    public var bytes = 4 << 30
    /// Maximum unpacked bytes as a multiple of the archive's size: real tracks and timetables stay below 60, deflate's
    /// limit is 1,032.
    public var ratio = 200.0
    /// Unpacked bytes for which any ratio is allowed.
    public var freeBytes = 64 << 20

    /// The limits that hold unless a user of archives states others.
    public static let standard = ArchiveLimits()

    /// Limits that differ from the standard ones.
    public init(
        entries: Int = 10_000, entryBytes: Int = 512 << 20, bytes: Int = 4 << 30, ratio: Double = 200,
        freeBytes: Int = 64 << 20
    ) {
        self.entries = entries
        self.entryBytes = entryBytes
        self.bytes = bytes
        self.ratio = ratio
        self.freeBytes = freeBytes
    }

    /// The bytes that an archive of a size may unpack to.
    func room(packedSize: Int) -> Int {
        let multiple = min(Double(packedSize) * ratio, Double(bytes))
        return min(bytes, max(freeBytes, Int(multiple)))
    }
}
