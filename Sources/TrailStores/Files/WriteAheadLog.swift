import Core
import Foundation

/// A write-ahead log, read by frame without SQLite and without a lock.
///
/// Format: https://www.sqlite.org/fileformat2.html#the_write_ahead_log
package struct WriteAheadLog: Sendable {
    /// A page of the database after a transaction.
    package struct Frame: Sendable {
        /// The page's number.
        package let page: Int
        /// Offset of its bytes in the log.
        package let offset: Int
    }

    /// A committed transaction.
    package struct Commit: Sendable {
        /// Its frames, counted from 0.
        package let frames: Range<Int>
        /// Number of pages of the database after it.
        package let pages: Int
    }

    /// Why the reading of frames ended.
    package enum End: Sendable, Equatable {
        /// The file ends after the last frame.
        case whole
        /// Frames of an earlier generation follow, as SQLite leaves them when it restarts the log.
        case earlier(Int)
        /// Frames of this generation with a wrong checksum follow, or the last one is incomplete.
        case torn(Int)
    }

    /// Bytes of the log's own header.
    package static let headerSize = 32
    private static let frameHeader = 24
    private static let magic = 0x377F_0682

    /// Bytes of a page.
    package let pageSize: Int
    /// Two numbers that change whenever the log is restarted; every valid frame contains them.
    package let salts: [UInt8]
    /// The valid frames, including those of an unfinished transaction.
    package private(set) var frames: [Frame] = []
    /// The complete transactions.
    package private(set) var commits: [Commit] = []
    /// Why the reading ended.
    package private(set) var end = End.whole
    private let isBigEndian: Bool
    private var sum: (UInt32, UInt32)
    /// The checksum after the last commit.
    private var committedSum: (UInt32, UInt32)

    /// A log with a header; `nil` if the header is damaged, in which case SQLite ignores the whole log.
    package init?(header: [UInt8]) {
        guard header.count >= Self.headerSize, header.number(at: 0, bytes: 4) | 1 == Self.magic | 1 else {
            return nil
        }
        isBigEndian = header[3] & 1 == 1
        pageSize = header.number(at: 8, bytes: 4)
        guard (512...65_536).contains(pageSize), pageSize & (pageSize - 1) == 0 else { return nil }
        salts = Array(header[16..<24])
        sum = Self.checksum(header[0..<24], from: (0, 0), isBigEndian: isBigEndian)
        committedSum = sum
        guard Int(sum.0) == header.number(at: 24, bytes: 4), Int(sum.1) == header.number(at: 28, bytes: 4)
        else { return nil }
    }

    /// Reads a whole log; `nil` if its header is damaged.
    package static func read(_ file: FileBytes, check: () throws -> Void = {}) throws -> WriteAheadLog? {
        guard var log = WriteAheadLog(header: file.bytes(at: 0, count: headerSize)) else { return nil }
        try log.advance(file, check: check) { _, _ in }
        return log
    }

    /// The maximum number of frames in a file of the given size.
    package func capacity(_ size: Int) -> Int {
        max(0, size - Self.headerSize) / (pageSize + Self.frameHeader)
    }

    /// Reads the frames added since the last call and calls `visit` with each and its page; `end` is why it
    /// stopped. Frames count as committed only once their transaction is complete (`commits`).
    package mutating func advance(
        _ file: FileBytes, check: () throws -> Void = {}, visit: (Frame, [UInt8]) throws -> Void
    ) throws {
        let length = pageSize + Self.frameHeader
        while true {
            try check()
            let start = Self.headerSize + frames.count * length
            let bytes = file.bytes(at: start, count: length)
            guard bytes.count == length else {
                let isCut = bytes.count >= 16 && Array(bytes[8..<16]) == salts
                end = isCut ? .torn(1) : .whole
                return
            }
            guard Array(bytes[8..<16]) == salts else {
                end = .earlier(capacity(file.size) - frames.count)
                return
            }
            let next = Self.checksum(
                bytes[Self.frameHeader...],
                from: Self.checksum(bytes[0..<8], from: sum, isBigEndian: isBigEndian),
                isBigEndian: isBigEndian)
            let page = bytes.number(at: 0, bytes: 4)
            guard page > 0, Int(next.0) == bytes.number(at: 16, bytes: 4),
                Int(next.1) == bytes.number(at: 20, bytes: 4)
            else {
                end = .torn(max(1, capacity(file.size) - frames.count))
                return
            }
            sum = next
            let frame = Frame(page: page, offset: start + Self.frameHeader)
            frames.append(frame)
            let pages = bytes.number(at: 4, bytes: 4)
            if pages > 0 {
                committedSum = next
                commits.append(
                    Commit(frames: (commits.last?.frames.upperBound ?? 0)..<frames.count, pages: pages))
            }
            try visit(frame, Array(bytes[Self.frameHeader...]))
        }
    }

    /// Number of frames of the unfinished transaction.
    package var unfinished: Int { frames.count - (commits.last?.frames.upperBound ?? 0) }

    /// Whether the last frame read is unchanged. Frames of a rolled-back transaction are overwritten by the
    /// next one; a frame's checksum covers all frames before it.
    package func isStill(in file: FileBytes) -> Bool {
        guard !frames.isEmpty else { return true }
        let start = Self.headerSize + (frames.count - 1) * (pageSize + Self.frameHeader)
        let bytes = file.bytes(at: start, count: Self.frameHeader)
        return bytes.count == Self.frameHeader && Int(sum.0) == bytes.number(at: 16, bytes: 4)
            && Int(sum.1) == bytes.number(at: 20, bytes: 4)
    }

    /// Drops the frames of the unfinished transaction, to reread them.
    package mutating func forgetUnfinished() {
        frames.removeLast(unfinished)
        sum = committedSum
    }

    /// The salts of the frame after the last one read; empty at the end of the file.
    package func saltsOfNext(in file: FileBytes) -> [UInt8] {
        file.bytes(at: Self.headerSize + frames.count * (pageSize + Self.frameHeader) + 8, count: 8)
    }

    /// The offset of a commit's end in the file.
    package func endOffset(of commit: Commit) -> Int {
        Self.headerSize + commit.frames.upperBound * (pageSize + Self.frameHeader)
    }

    private static func checksum(
        _ bytes: ArraySlice<UInt8>, from start: (UInt32, UInt32), isBigEndian: Bool
    ) -> (UInt32, UInt32) {
        bytes.withUnsafeBytes { raw in
            var (first, second) = start
            var offset = 0
            while offset + 8 <= raw.count {
                let a = raw.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                let b = raw.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
                first = first &+ (isBigEndian ? UInt32(bigEndian: a) : UInt32(littleEndian: a)) &+ second
                second = second &+ (isBigEndian ? UInt32(bigEndian: b) : UInt32(littleEndian: b)) &+ first
                offset += 8
            }
            return (first, second)
        }
    }
}
