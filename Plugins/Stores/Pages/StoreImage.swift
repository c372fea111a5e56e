import Foundation
import TrailStores

/// A database with its write-ahead log as of a commit, read by page without SQLite and without a lock.
final class StoreImage {
    /// The pages.
    let pages: PageFile
    /// The log; `nil` if there is none that SQLite would read.
    let log: WriteAheadLog?
    private let file: FileBytes
    private let logFile: FileBytes?

    /// The current state; `nil` if the file does not begin like a database.
    convenience init?(_ url: URL, check: () throws -> Void) throws {
        let real = url.resolvingSymlinksInPath()
        guard let file = FileBytes(real) else { return nil }
        let isLogged = file.bytes(at: 0, count: 100)[safe: 19] == 2
        let logFile = isLogged ? FileBytes(URL(fileURLWithPath: real.path + "-wal")) : nil
        let log = try logFile.flatMap { try WriteAheadLog.read($0, check: check) }
        self.init(file, logFile, log, commits: log?.commits.count ?? 0)
    }

    /// The state after some commits of a log.
    init?(_ file: FileBytes, _ logFile: FileBytes?, _ log: WriteAheadLog?, commits: Int) {
        var overlay: [Int: Int] = [:]
        var count: Int?
        if let log, commits > 0, commits <= log.commits.count {
            let last = log.commits[commits - 1]
            for frame in log.frames[..<last.frames.upperBound] { overlay[frame.page] = frame.offset }
            count = last.pages
        }
        guard let pages = PageFile(file, log: logFile, overlay: overlay, pages: count) else { return nil }
        self.pages = pages
        self.file = file
        self.logFile = logFile
        self.log = log
    }

    /// The state after a number of commits.
    func at(_ commits: Int) -> StoreImage? { StoreImage(file, logFile, log, commits: commits) }

    /// The readable part of the schema.
    func parts(check: () throws -> Void) throws -> [DamagedDatabase.Part] {
        try withoutActuallyEscaping(check) { check in
            var parts: [DamagedDatabase.Part] = []
            var walk = TreeWalk(pages, .table, check: check)
            try walk.walk(root: 1) { entry in
                if let part = DamagedDatabase.part(entry.cells) { parts.append(part) }
            }
            return parts
        }
    }
}
