import Foundation
import PluginKit
import TrailStores

/// `store history`
struct StoreHistory: CommandProvider {
    let registry: StoreRegistry

    private static let columns = ["commit", "frames", "pages", "inserted", "updated", "deleted", "tables"]
    /// Maximum number of quoted notes on commits.
    private static let mostNotes = 3

    var name: String { "store history" }

    var command: Command {
        Command(
            name, "list the commits in a write-ahead log",
            details: """
                Each commit in the log is a row with how many rows it inserted, updated and deleted. With --commit N the changed fields of \
                one are listed. Commit 0 is the state before the log. `store at N` opens the store as of a commit. Of \
                commits written back into the file, only the combined changes are known; the note reports them.
                """,
            StoreOptions.store,
            .option("commit", .integer(), "list the changed fields of this commit"),
            output: .rows(Self.columns), effect: .reads,
            examples: [
                .init(
                    "a store without a log", "store history copy.db | count",
                    after: ["store copy :memory: copy.db"],
                    gives: "0")
            ],
            searchTerms: [
                "changes since",
                "when was it changed",
                "how it looked before", "earlier state", "what the app wrote", "before the change",
                "wal file", "write-ahead log", "earlier versions", "wal", "timeline", "time travel", "log",
                "transactions", "changes of a database",
            ]
        ) { context, name, commit in
            let (label, url) = try Self.target(registry, name, context)
            guard let image = try StoreImage(url, check: { try context.checkCancelled() }) else {
                throw StoreSessionErrors.notADatabase(url)
            }
            let log = image.log
            if let commit, !(1...max(1, log?.commits.count ?? 0)).contains(commit) || log == nil {
                throw StoreSessionErrors.noCommit(commit, log?.commits.count ?? 0)
            }
            guard let log, let start = image.at(0) else {
                return .table(columns: Self.columns, cells: [], note: "\(label) has no write-ahead log")
            }
            let rows = try RowChanges(start.pages) { try context.checkCancelled() }
            var cells: [[Value]] = []
            var notes: [String] = []
            for (index, entry) in log.commits.enumerated().prefix(ChangeRows.mostCommits) {
                guard let next = image.at(index + 1) else { continue }
                let changes = try rows.advance(
                    to: next.pages, pages: Set(log.frames[entry.frames].map(\.page)))
                if let commit, commit == index + 1 { return Self.list(changes, commit, note: rows.unlisted) }
                notes += rows.unlisted.map { "commit \(index + 1): \($0)" }
                cells.append(Self.cells(index + 1, entry, changes, rows.touched))
                context.progress.report("reading commits", done: index + 1, of: log.commits.count)
            }
            let lost = try Checkpoint.overwritten(image)
            if notes.count > Self.mostNotes {
                notes = notes.prefix(Self.mostNotes) + ["\(notes.count - Self.mostNotes) more such commits"]
            }
            if !lost.isEmpty {
                notes.append(
                    "\(lost.count) pages were written back into the file: states before their commits are incomplete"
                )
            }
            return .table(
                columns: Self.columns, cells: cells,
                note: Rows.note(notes))
        }
    }

    static func target(
        _ registry: StoreRegistry, _ name: String?, _ context: Context
    ) throws -> (name: String, url: URL) {
        guard let name = name ?? context.stores.current?.name else {
            throw StoreSessionErrors.none("no store is in use", fix: "`store open FILE`, or name a file")
        }
        return (name, try registry.location(name, parameter: "store", context))
    }

    private static func cells(
        _ number: Int, _ commit: WriteAheadLog.Commit, _ changes: [RowChange], _ touched: Set<String>
    ) -> [Value] {
        func count(_ change: RowChange.Change) -> Value { .integer(changes.count { $0.change == change }) }
        let tables = Set(changes.map(\.table)).union(touched).sorted().joined(separator: ", ")
        return [
            .integer(number), .integer(commit.frames.count), .integer(commit.pages), count(.insert),
            count(.update),
            count(.delete), tables.isEmpty ? .nothing : .text(tables),
        ]
    }

    private static func list(_ changes: [RowChange], _ commit: Int, note notes: [String]) -> Value {
        .table(
            columns: ChangeRows.columns, rows: changes.flatMap { ChangeRows.values($0, commit: commit) },
            note: Rows.note(notes))
    }
}

/// `store at`
struct StoreAt: CommandProvider {
    let registry: StoreRegistry

    var name: String { "store at" }

    var command: Command {
        Command(
            name, "open a store as of a commit of its log",
            details: """
                Opens a copy of the store as it was after a commit of its write-ahead log; 0 is the state before the log. It is named \
                NAME@COMMIT and used like any other store: `waypoint list`, `store diff NAME@2 NAME@3`.
                """,
            .positional("commit", .integer(), "number of a commit, as `store history` lists them"),
            StoreOptions.store,
            output: .value("store"), effect: .changes,
            examples: [
                .init(
                    "a store without a log", "expect-error E-STORE-COMMIT store at 1 copy.db",
                    after: ["store copy :memory: copy.db"])
            ],
            searchTerms: [
                "how it looked before", "earlier state", "state at a time", "wal", "time travel", "snapshot",
                "past", "back in time", "older state", "undo a write",
            ]
        ) { context, commit, name in
            let (label, url) = try StoreHistory.target(registry, name, context)
            guard let image = try StoreImage(url, check: { try context.checkCancelled() }) else {
                throw StoreSessionErrors.notADatabase(url)
            }
            let count = image.log?.commits.count ?? 0
            guard (0...count).contains(commit), let log = image.log else {
                throw StoreSessionErrors.noCommit(commit, count)
            }
            let lost = try Checkpoint.overwritten(image).filter { $0.value > commit }
            if let first = lost.map(\.value).min() {
                throw StoreSessionErrors.noState(commit, first, lost.count)
            }
            let stem = label.split(separator: "/").last.map(String.init) ?? label
            var free = "\(stem.split(separator: ".").first ?? "store")@\(commit)"
            while context.stores.entries.contains(where: { $0.name == free }) { free += "_2" }
            let folder = try ScratchFolder()
            let copy = folder.url.appendingPathComponent("store.db")
            try Checkpoint.write(url.resolvingSymlinksInPath(), log, commit, to: copy)
            let connection = try StoreConnection.reading(copy)
            let recognised = try StoreRecognition(connection)
            let entry = context.stores.add(
                OpenStores.Entry(name: free, kind: recognised.kind, url: copy, isWritable: false))
            registry.put(connection, for: entry, keeping: folder)
            return .object(StoreObject(entry: entry, isInUse: true, recognised: recognised))
        }
    }
}

/// A temporary folder, deleted with its owner.
final class ScratchFolder: Sendable {
    let url: URL

    /// Throws `E-FILE-ACCESS`.
    init() throws(RutterError) { url = try FileManager.default.scratchFolder("at") }

    deinit { FileManager.default.discard(url) }
}

/// Effects of a log's frames on the database file.
enum Checkpoint {
    /// Pages of the file that already have the content of a frame, with the first commit that changed them:
    /// their earlier content is unknown.
    static func overwritten(_ image: StoreImage) throws -> [Int: Int] {
        guard let log = image.log, let base = image.at(0) else { return [:] }
        var first: [Int: Int] = [:]
        var found: [Int: Int] = [:]
        for (number, commit) in log.commits.enumerated() {
            guard let state = image.at(number + 1) else { continue }
            for frame in log.frames[commit.frames] {
                let since = first[frame.page] ?? number + 1
                first[frame.page] = since
                if found[frame.page] == nil, frame.page <= base.pages.count,
                    base.pages.page(frame.page) == state.pages.page(frame.page)
                {
                    found[frame.page] = since
                }
            }
        }
        return found
    }

    /// Writes a database as of a commit, without a log.
    static func write(_ url: URL, _ log: WriteAheadLog, _ commit: Int, to copy: URL) throws {
        do {
            try FileManager.default.copyItem(at: url, to: copy)
            chmod(copy.path, 0o600)
            if commit > 0 {
                let source = URL(fileURLWithPath: url.path + "-wal")
                let bytes =
                    FileBytes(source)?.bytes(at: 0, count: log.endOffset(of: log.commits[commit - 1])) ?? []
                try Data(bytes).write(to: URL(fileURLWithPath: copy.path + "-wal"))
            }
            let connection = try PlainConnection(copy.path, isWritable: true)
            try connection.execute("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE")
        } catch {
            throw StoreErrors.wrap(error, path: url.lastPathComponent)
        }
    }
}
