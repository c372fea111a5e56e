import Foundation
import PluginKit
import TrailStores

/// A database written by another program, followed by commit without a lock: that program never waits, and
/// nothing is written. If the log was overwritten before it was read, and in rollback mode, all changes since
/// the last poll are one step, with the number of its commits if SQLite counted them.
final class LiveStore {
    /// Changes of one commit, or of several that cannot be separated.
    struct Step {
        /// The number of its last commit since the start.
        let number: Int
        let changes: [RowChange]
        /// A remark beside its rows.
        let note: String?
    }

    private let url: URL
    private let check: () throws -> Void
    private let follower: LogFollower
    private let replays: Bool
    private var file: WatchedFile?
    private var mirror: MirrorPages?
    private var view: MirrorView?
    private var rows: RowChanges?
    private var commits = 0
    private var counter: CommitCounter.Counter?
    private var stamp: WatchedFile.Stamp?
    private var isGone = false
    private var isLogged = false
    /// Events of the log while the file could not be read.
    private var backlog: [LogFollower.Event] = []
    /// Whether a change could not be read yet.
    private(set) var isBehind = false

    /// Starts at the current state; with `fromLog` before the commits in the log that were not written back
    /// yet.
    init(_ url: URL, fromLog: Bool, check: @escaping () throws -> Void) throws {
        self.url = url.resolvingSymlinksInPath()
        self.check = check
        replays = fromLog
        guard WatchedFile(self.url) != nil else {
            throw CommonErrors.fileMissing("no such file: \(url.lastPathComponent)")
        }
        guard FileBytes(self.url)?.bytes(at: 0, count: 16) == Array("SQLite format 3\0".utf8) else {
            throw StoreSessionErrors.notADatabase(self.url)
        }
        follower = LogFollower(self.url)
    }

    /// Waits for an initial state; commits already in the log come first.
    func begin() throws -> [Step] {
        var tries = 0
        while follower.polls == 0 { try pause() }
        while true {
            if let steps = try state() { return steps }
            tries += 1
            guard tries < LiveSettings.attempts * 10 else {
                throw StoreErrors.locked(
                    "\(url.lastPathComponent) is continuously written in rollback mode",
                    fix:
                        "use WAL mode in that program, or `store copy` it repeatedly and `store diff` the copies"
                )
            }
            try pause()
        }
    }

    /// The commits since the last poll.
    func poll() throws -> [Step] {
        var steps: [Step] = []
        let (events, known) = follower.take()
        if isBehind {
            backlog += events
            return try state() ?? []
        }
        for (index, event) in events.enumerated() {
            switch event {
            case .commit(let commit): steps += try apply(commit)
            case .gap:
                backlog = Array(events[index...])
                return steps + (try state() ?? [])
            }
        }
        if !events.isEmpty || known != nil { counter = known ?? counter }
        return steps + (try lookAtFile())
    }

    // MARK: One commit

    private func apply(_ commit: LogFollower.Commit) throws -> [Step] {
        guard let view, commit.pageSize == view.pageSize else { return [] }
        counter?.commits &+= 1
        return try advance(commit.pages, count: commit.count, commits: 1).map { [$0] } ?? []
    }

    /// Advances to the state with other pages.
    private func advance(_ pages: [Int: [UInt8]], count: Int, commits number: Int?, note: String? = nil)
        throws -> Step?
    {
        guard let mirror, let view, let rows else { return nil }
        let past = count < view.count ? Array(count + 1...view.count) : []
        view.keep(pages.keys)
        view.keep(past)
        for (page, bytes) in pages { try mirror.set(page, bytes) }
        let next = MirrorView(mirror, count: count)
        let changes = try rows.advance(to: next, pages: Set(pages.keys).union(past))
        self.view = next
        commits += number ?? 1
        var notes = [note].compactMap(\.self)
        if number != 1 {
            notes.append(
                "\(number.map { "\($0) commits" } ?? "an unknown number of commits") between, shown together")
        }
        notes += rows.unlisted
        return Step(
            number: commits, changes: changes, note: Rows.note(notes))
    }

    // MARK: The file as a whole

    /// The file without a log, and its removal or replacement.
    private func lookAtFile() throws -> [Step] {
        guard let identity = WatchedFile.identity(url) else {
            defer { isGone = true }
            return isGone ? [] : [Step(number: commits, changes: [], note: "the file was removed")]
        }
        let isLogged = follower.hasLog
        if identity == file?.identity, isLogged { return [] }
        if identity == file?.identity, !isLogged, let file, file.stamp == stamp, stamp?.isSettled == true {
            return []
        }
        return try state() ?? []
    }

    /// Compares the whole file with the known state; `nil` if it changes during that.
    private func state() throws -> [Step]? {
        isBehind = true
        let before = file?.identity
        if before == nil || WatchedFile.identity(url) != before {
            guard let opened = WatchedFile(url) else { return nil }
            file = opened
        }
        guard let file else { return nil }
        let isReplaced = before != nil && before != file.identity || isGone
        for _ in 0..<LiveSettings.attempts {
            try check()
            let read = follower.hasLog ? try logged(file) : try plain(file)
            guard let read else { continue }
            (isBehind, isGone, backlog) = (false, false, [])
            return try take(read, isReplaced)
        }
        return nil
    }

    /// Pages of the file that differ from the known state, and the following commits.
    private struct Reading {
        var changed: [Int: [UInt8]] = [:]
        /// All pages, if none is known.
        var whole: MirrorPages?
        let pageSize: Int
        let count: Int
        var following: [LogFollower.Commit] = []
        var counter: CommitCounter.Counter?
        var stamp: WatchedFile.Stamp?
        let isLogged: Bool
    }

    /// In rollback mode: the file, unless it was written in the meantime.
    private func plain(_ file: WatchedFile) throws -> Reading? {
        let stamp = file.stamp
        guard !file.isBetween, let layout = Self.layout(file) else { return nil }
        let head = file.bytes(24, 4)
        var reading = Reading(
            pageSize: layout.pageSize, count: stamp.size / layout.pageSize, isLogged: false)
        try compare(file, &reading)
        guard !file.isBetween, file.bytes(24, 4) == head, file.stamp.size == stamp.size else { return nil }
        // The pages of a transaction that was rolled back in the meantime differ now.
        var again = reading
        again.changed = [:]
        try compare(file, &again)
        guard again.changed == reading.changed else { return nil }
        guard !file.isBetween, file.bytes(24, 4) == head, !follower.hasLog else { return nil }
        reading.stamp = stamp
        let (events, counter) = follower.take()
        backlog += events
        // A log started in the meantime is read with the file.
        guard events.allSatisfy(\.isGap) else { return nil }
        reading.counter = counter
        return reading
    }

    /// With a log: the current file, and every commit in the log since before it was read. Pages written back
    /// into the file in the meantime are among these.
    private func logged(_ file: WatchedFile) throws -> Reading? {
        guard let layout = Self.layout(file) else { return nil }
        collect()
        backlog.removeFirst(backlog.lastIndex(where: \.isGap) ?? 0)
        let (before, known) = (follower.polls, backlog.count)
        var reading = Reading(
            pageSize: layout.pageSize, count: file.stamp.size / layout.pageSize, isLogged: true)
        try compare(file, &reading)
        collect()
        repeat {
            try pause()
            reading.counter = collect()
        } while follower.polls < before + 2
            || (reading.counter == nil && follower.polls < before + LiveSettings.attempts)
        // A log started while the file was read may have been written back before it was noticed.
        guard !backlog[known...].contains(where: \.isGap) else { return nil }
        reading.following = backlog.compactMap(\.commit)
        return reading.following.allSatisfy { $0.pageSize == layout.pageSize } ? reading : nil
    }

    /// Takes the events of the log, as far as they are contiguous.
    @discardableResult
    private func collect() -> CommitCounter.Counter? {
        let (events, counter) = follower.take()
        backlog += events
        return counter
    }

    /// Collects the pages of the file that differ from the known ones.
    private func compare(_ file: WatchedFile, _ reading: inout Reading) throws {
        let size = reading.pageSize
        let known = reading.whole ?? (mirror?.pageSize == size ? mirror : nil)
        let isFirst = known == nil
        let whole = isFirst ? try MirrorPages(pageSize: size) : reading.whole
        reading.whole = whole
        let step = max(size, LiveSettings.chunk / size * size)
        for offset in stride(from: 0, to: reading.count * size, by: step) {
            try check()
            let bytes = file.bytes(offset, min(step, reading.count * size - offset))
            if let known, known.bytes(offset, bytes.count) == bytes { continue }
            for start in stride(from: 0, to: bytes.count - size + 1, by: size) {
                let number = (offset + start) / size + 1
                let page = Array(bytes[start..<start + size])
                if isFirst {
                    try whole?.set(number, page)
                } else if (whole != nil || number <= view?.count ?? 0) && known?.page(number) == page {
                    continue
                } else {
                    reading.changed[number] = page
                }
            }
        }
    }

    private func take(_ reading: Reading, _ isReplaced: Bool) throws -> [Step] {
        stamp = reading.stamp
        defer {
            counter = reading.counter
            isLogged = reading.isLogged
        }
        guard mirror != nil, view != nil else { return try start(reading) }
        if mirror?.pageSize == reading.pageSize, reading.changed.isEmpty, !isReplaced,
            reading.count == view?.count || reading.isLogged
        {
            // The log starts with the known state.
            return try reading.following.flatMap { try apply($0) }
        }
        let header = view?.page(1) ?? []
        var pages = reading.changed
        for commit in reading.following { pages.merge(commit.pages) { $1 } }
        if let whole = reading.whole {
            // Another page size: all pages differ.
            mirror = whole
            for page in 1...max(1, reading.count) where pages[page] == nil { pages[page] = whole.page(page) }
        }
        let note = isReplaced ? "the file was replaced" : nil
        let number = isReplaced ? nil : between(reading, header, pages[1] ?? header)
        let count = reading.following.last?.count ?? reading.count
        if number == 0, reading.changed.isEmpty { return [] }
        let passed = number == 0 ? nil : number
        guard let step = try advance(pages, count: count, commits: passed, note: note) else { return [] }
        // A checkpoint changes the file but no row.
        return step.changes.isEmpty && !isReplaced && passed == nil ? [] : [step]
    }

    /// The number of commits between two states; `nil` if unknown.
    private func between(_ reading: Reading, _ before: [UInt8], _ after: [UInt8]) -> Int? {
        if let old = counter, let new = reading.counter, old.file == new.file {
            return Int(new.commits &- old.commits)
        }
        // In rollback mode the header counts them.
        guard !reading.isLogged, !isLogged, before[safe: 19] == 1, after[safe: 19] == 1 else { return nil }
        return (after.number(at: 24, bytes: 4) - before.number(at: 24, bytes: 4)) & 0xFFFF_FFFF
    }

    private func start(_ reading: Reading) throws -> [Step] {
        guard let made = reading.whole else { return [] }
        mirror = made
        // Pages of the log already in the file: the state before their commits is unknown.
        let first =
            replays
            ? (reading.following.lastIndex { commit in
                commit.pages.contains { made.page($0.key) == $0.value }
            } ?? -1) + 1 : reading.following.count
        var count = reading.count
        for commit in reading.following[..<first] {
            for (page, bytes) in commit.pages { try made.set(page, bytes) }
            count = commit.count
        }
        let begun = MirrorView(made, count: count)
        view = begun
        rows = try RowChanges(begun, check: check)
        commits = replays ? first : 0
        return try reading.following[first...].flatMap { try apply($0) }
    }

    private static func layout(_ file: WatchedFile) -> PageLayout? {
        let head = file.bytes(0, 100)
        return head.count == 100 && head.starts(with: "SQLite format 3\0".utf8) ? PageLayout(head) : nil
    }

    private func pause() throws {
        try check()
        usleep(LiveSettings.pause)
    }
}
