/// The header of the index of a write-ahead log, the `-shm` file beside a database:
/// https://www.sqlite.org/walformat.html#the_wal_index_file_format
package struct WriteAheadIndex: Sendable {
    /// Frames of the log.
    package let frames: Int
    /// Frames that were written back into the database.
    package let written: Int
    /// SQLite's count of commits.
    package let commits: UInt32
    /// The generation of the log.
    package let salts: [UInt8]

    private static let size = 136

    /// Reads the header; `nil` if it is incomplete, not initialized, or being changed: its two copies differ.
    package init?(_ file: FileBytes) {
        let bytes = file.bytes(at: 0, count: Self.size)
        guard bytes.count == Self.size, bytes[12] == 1, bytes[0..<48] == bytes[48..<96] else { return nil }
        frames = bytes.littleNumber(at: 16, bytes: 4)
        commits = UInt32(truncatingIfNeeded: bytes.littleNumber(at: 8, bytes: 4))
        salts = Array(bytes[32..<40])
        written = bytes.littleNumber(at: 96, bytes: 4)
    }
}
