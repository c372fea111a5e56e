import Foundation
import Synchronization
import TrailStores

/// Reads the write-ahead log of another program on its own thread, as fast as it is written and without a
/// lock. A restarted log leaves the end of the earlier one in place until it has grown past it; that end is
/// read first. If that was not possible in time, a gap is reported.
final class LogFollower: Sendable {
    /// The changes of one transaction.
    struct Commit {
        /// The pages after it.
        let pages: [Int: [UInt8]]
        /// Number of pages of the database after it.
        let count: Int
        let pageSize: Int
    }

    enum Event {
        /// The following events do not continue the previous ones.
        case gap
        case commit(Commit)

        var isGap: Bool { commit == nil }

        var commit: Commit? {
            if case .commit(let commit) = self { commit } else { nil }
        }
    }

    private struct State {
        var events: [Event] = []
        var bytes = 0
        /// How often the log was read to its end.
        var polls = 0
        var hasLog = false
        var counter: CommitCounter.Counter?
        var isStopped = false
    }

    private let state: Shared

    private final class Shared: Sendable {
        let state = Mutex(State())
    }

    /// Starts following the log beside a database.
    init(_ url: URL) {
        let shared = Shared()
        state = shared
        Thread.detachNewThread {
            var reader = LogReader(url)
            while !shared.state.withLock({ $0.isStopped }) {
                if shared.state.withLock({ $0.bytes < LiveSettings.mostQueued }) {
                    let found = reader.poll()
                    shared.state.withLock {
                        $0.events += found.events
                        $0.bytes += found.bytes
                        $0.polls += 1
                        $0.hasLog = reader.hasLog
                        $0.counter = reader.counter
                    }
                }
                usleep(LiveSettings.pause)
            }
        }
    }

    deinit { state.state.withLock { $0.isStopped = true } }

    /// Whether there is a log.
    var hasLog: Bool { state.state.withLock { $0.hasLog } }
    /// How often the log was read to its end.
    var polls: Int { state.state.withLock { $0.polls } }

    /// All events since the last call, and SQLite's count of commits after them, if known.
    func take() -> (events: [Event], counter: CommitCounter.Counter?) {
        state.state.withLock { state in
            defer { (state.events, state.bytes) = ([], 0) }
            return (state.events, state.counter)
        }
    }
}

/// SQLite's count of commits in the index of a log.
struct CommitCounter {
    struct Counter: Equatable {
        /// The file that contains it; another file has another count.
        let file: UInt
        var commits: UInt32
    }

    private let url: URL
    // Kept open: closing a file drops all locks that this process has on it.
    private var file: FileBytes?
    private var number: UInt = 0

    init(_ url: URL) { self.url = url }

    /// The count, if the index belongs to the log and has the same number of frames.
    mutating func counter(salts: [UInt8]?, frames: Int) -> Counter? {
        var info = stat()
        guard stat(url.path, &info) == 0 else { return nil }
        if file == nil || number != UInt(info.st_ino) { (file, number) = (FileBytes(url), UInt(info.st_ino)) }
        guard let index = file.flatMap({ WriteAheadIndex($0) }), index.frames == frames,
            frames == 0 || salts == index.salts
        else { return nil }
        return Counter(file: number, commits: index.commits)
    }
}

/// Reads a log by commit, across restarts.
private struct LogReader {
    private let path: String
    private var index: CommitCounter
    private var file: FileBytes?
    private var identity: UInt64 = 0
    private var header: [UInt8] = []
    private var log: WriteAheadLog?
    /// Pages of the incomplete transaction.
    private var pending: [(page: Int, bytes: [UInt8])] = []
    private var done = 0
    /// The first log found continues the database file.
    private var isNew = true
    /// SQLite's count of the commits read, if known.
    private(set) var counter: CommitCounter.Counter?
    /// The same count, continued here since it was last known.
    private var position: CommitCounter.Counter?

    private var present: CommitCounter.Counter? {
        mutating get {
            index.counter(salts: log?.salts, frames: log.map { $0.frames.count - $0.unfinished } ?? 0)
        }
    }

    var hasLog: Bool { log != nil }

    init(_ url: URL) {
        path = url.path + "-wal"
        index = CommitCounter(URL(fileURLWithPath: url.path + "-shm"))
    }

    mutating func poll() -> (events: [LogFollower.Event], bytes: Int) {
        var found: [LogFollower.Event] = drain()
        // The maximum number of restarts during one poll.
        for _ in 0..<4 {
            guard let next = step(&found) else { break }
            found += next
        }
        for _ in 0..<LiveSettings.attempts {
            counter = present
            if counter != nil { break }
            // A commit since the log was read.
            found += drain()
        }
        if let counter {
            // The log was truncated before its end was read; the file has all of it.
            if log == nil, let position, position != counter { found.append(.gap) }
            position = counter
        }
        let bytes = found.reduce(0) { sum, event in
            guard case .commit(let commit) = event else { return sum }
            return sum + commit.pages.count * commit.pageSize
        }
        return (found, bytes)
    }

    /// Switches to the current log; `nil` if it is unchanged.
    private mutating func step(_ found: inout [LogFollower.Event]) -> [LogFollower.Event]? {
        var info = stat()
        guard stat(path, &info) == 0 else {
            guard log != nil || isNew else { return nil }
            // The file is still open here, although its name is gone.
            found += drain()
            forget()
            return isNew ? begin(nil, 0) : nil
        }
        let present = UInt64(info.st_dev) << 32 ^ UInt64(info.st_ino)
        if file == nil || present != identity {
            found += drain()
            forget()
            guard let opened = FileBytes(URL(fileURLWithPath: path)) else { return nil }
            return begin(opened, present)
        }
        guard let file else { return nil }
        let now = file.bytes(at: 0, count: WriteAheadLog.headerSize)
        if now == header { return nil }
        guard let fresh = WriteAheadLog(header: now), let old = log else {
            // Truncated, or the header is being written.
            if now.count < WriteAheadLog.headerSize { (log, header, pending, done) = (nil, now, [], 0) }
            return WriteAheadLog(header: now) == nil ? nil : begin(file, identity)
        }
        found += drain()
        let end = log?.saltsOfNext(in: file) ?? []
        let isNext =
            fresh.salts.number(at: 0, bytes: 4) == (old.salts.number(at: 0, bytes: 4) + 1) & 0xFFFF_FFFF
        guard isNext, end != fresh.salts, fresh.pageSize == old.pageSize else { return begin(file, identity) }
        (log, header, pending, done) = (fresh, now, [], 0)
        return drain()
    }

    private mutating func forget() { (file, log, header, pending, done) = (nil, nil, [], [], 0) }

    /// Starts with an unknown log.
    private mutating func begin(_ opened: FileBytes?, _ identity: UInt64) -> [LogFollower.Event] {
        (file, self.identity, pending, done, isNew) = (opened, identity, [], 0, false)
        header = opened?.bytes(at: 0, count: WriteAheadLog.headerSize) ?? []
        log = WriteAheadLog(header: header)
        let before = position
        var found = drain()
        for _ in 0..<LiveSettings.attempts {
            // If SQLite has counted no more commits than were read, none is missing.
            if let present, before != nil, present == position { return found }
            found += drain()
        }
        return [.gap] + found
    }

    /// The commits since the last call.
    private mutating func drain() -> [LogFollower.Event] {
        guard let file, var log else { return [] }
        if log.unfinished > 0, !log.isStill(in: file) {
            log.forgetUnfinished()
            pending = []
        }
        try? log.advance(file) { frame, bytes in pending.append((frame.page, bytes)) }
        self.log = log
        var found: [LogFollower.Event] = []
        position?.commits &+= UInt32(truncatingIfNeeded: log.commits.count - done)
        while done < log.commits.count {
            let commit = log.commits[done]
            var pages: [Int: [UInt8]] = [:]
            for (page, bytes) in pending.prefix(commit.frames.count) { pages[page] = bytes }
            pending.removeFirst(commit.frames.count)
            found.append(.commit(.init(pages: pages, count: commit.pages, pageSize: log.pageSize)))
            done += 1
        }
        return found
    }
}
