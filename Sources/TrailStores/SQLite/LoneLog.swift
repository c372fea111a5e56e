import Core
import Foundation

/// A write-ahead log whose database is missing. The log of a database that was never checkpointed has all its pages,
/// and can be read as the database.
package struct LoneLog: Sendable {
    /// Number of pages of the database after the last complete transaction.
    package let pages: Int
    /// Number of those that the log has.
    package let present: Int
    /// Whether frames after the last complete transaction cannot be read.
    package let isTorn: Bool
    private let frames: [Int: Int]
    private let pageSize: Int
    private let file: FileBytes

    private static let suffix = "-wal"

    /// Whether a file is a log without its database beside it.
    package static func isOne(_ url: URL) -> Bool {
        let file = url.resolvingSymlinksInPath()
        guard let start = FileBytes(file)?.bytes(at: 0, count: WriteAheadLog.headerSize),
            WriteAheadLog(header: start) != nil
        else { return false }
        guard file.path.hasSuffix(suffix) else { return true }
        return !FileManager.default.fileExists(atPath: String(file.path.dropLast(suffix.count)))
    }

    /// Reads a log; `nil` if it is not one, if its database is beside it, or if it has no complete transaction.
    package init?(_ url: URL, check: () throws -> Void = {}) throws {
        guard Self.isOne(url), let file = FileBytes(url.resolvingSymlinksInPath()),
            let log = try WriteAheadLog.read(file, check: check), let last = log.commits.last
        else { return nil }
        var frames: [Int: Int] = [:]
        for frame in log.frames[..<last.frames.upperBound] where frame.page <= last.pages {
            frames[frame.page] = frame.offset
        }
        self.frames = frames
        self.file = file
        pages = last.pages
        present = frames.count
        if case .torn = log.end { isTorn = true } else { isTorn = false }
        pageSize = log.pageSize
    }

    /// Whether the log has every page of its database.
    package var isComplete: Bool { present == pages }

    /// What it has, in words.
    package var words: String {
        let has = isComplete ? "all \(pages) pages" : "\(present) of the \(pages) pages"
        return "read from a log alone, which has \(has) of its database"
            + (isTorn ? "; later transactions in it cannot be read" : "")
    }

    /// Writes the database; pages that the log lacks are zeros.
    package func write(to url: URL, check: () throws -> Void = {}) throws {
        try Data().write(to: url)
        let output = try FileHandle(forWritingTo: url)
        defer { try? output.close() }
        for (number, offset) in frames.sorted(by: { $0.key < $1.key }) {
            try check()
            try output.seek(toOffset: UInt64((number - 1) * pageSize))
            try output.write(contentsOf: Data(file.bytes(at: offset, count: pageSize)))
        }
        try output.truncate(atOffset: UInt64(pages * pageSize))
    }
}
