import Foundation
import PluginKit
import TrailStores

/// `store watch`
struct WatchStore: CommandProvider {
    let registry: StoreRegistry

    private static let columns = ["commit", "table", "row", "change", "field", "before", "after", "note"]

    var name: String { "store watch" }

    var command: Command {
        Command(
            name, "show changes while another program writes",
            details: """
                Returns a row for each field of each row that a commit inserts, updates or deletes, as it happens, until Ctrl-C, or \
                until --for has passed or --count rows have changed. The file and its write-ahead log are read without a lock: the \
                other program never waits. If commits cannot be separated, because the log was restarted before it was read, or \
                in rollback mode, they are shown together and `note` states their number. A replaced or removed file is reported as a \
                row without a table. --from-log starts with the commits already in the log. In a container, all \
                databases that exist at the start are watched.
                """,
            StoreOptions.store,
            .option("for", .quantity(.duration), "how long to watch; default: until Ctrl-C"),
            .option("count", .integer(1...1_000_000_000), "stop after this many changed rows"),
            .flag("from-log", "start with the commits already in the log"),
            output: .rows(Self.columns), effect: .reads,
            examples: [
                .init(
                    "nothing is written", "store watch copy.db --for 0s | count",
                    after: ["store copy :memory: copy.db"],
                    gives: "0")
            ],
            searchTerms: [
                "while the app runs", "what an app writes", "live", "follow", "tail", "monitor", "wal",
                "changes", "live changes", "what does the app write",
            ]
        ) { context, name, time, count, fromLog in
            let targets = try targets(name, context)
            let columns = (targets.stores.count > 1 ? ["store"] : []) + Self.columns
            var rows = Rows(columns: columns, fields: { columns + ["id"] }) {
                let feed = try LiveFeed(
                    targets.stores, fromLog: fromLog, seconds: time, count: count,
                    check: { try context.checkCancelled() })
                // An unpacked container is kept while it is watched.
                return Rows.Iterator { try withExtendedLifetime(targets.container) { try feed.next() } }
            }
            rows.isLive = true
            rows.note = targets.note
            return .rows(rows)
        }
    }

    /// The databases to watch.
    private struct Targets: Sendable {
        let stores: [(name: String, url: URL)]
        var note: String?
        var container: AppContainer?
    }

    private func targets(_ name: String?, _ context: Context) throws -> Targets {
        guard let container = try registry.container(name, context) else {
            return Targets(stores: [try StoreHistory.target(registry, name, context)])
        }
        let stores = container.stores.filter { $0.storeKind != .plannedRoutes }.map { ($0.path, $0.url) }
        let left = container.stores.filter { $0.storeKind == .plannedRoutes }.map(\.path).joined(
            separator: ", ")
        return Targets(
            stores: stores, note: left.isEmpty ? nil : "not watched (not a database): \(left)",
            container: container)
    }
}

/// Merges the changes of several stores as they happen.
private final class LiveFeed {
    private let stores: [(name: String, store: LiveStore)]
    private let end: ContinuousClock.Instant?
    private let count: Int
    private let check: () throws -> Void
    private var waiting: [Value] = []
    private var changed = 0
    private var hasBegun = false
    private var isLast = false

    init(
        _ targets: [(name: String, url: URL)], fromLog: Bool, seconds: Double?, count: Int?,
        check: @escaping () throws -> Void
    ) throws {
        stores = try targets.map { ($0.name, try LiveStore($0.url, fromLog: fromLog, check: check)) }
        end = seconds.map { ContinuousClock.now + .seconds($0) }
        self.count = count ?? .max
        self.check = check
    }

    func next() throws -> Value? {
        while waiting.isEmpty {
            guard changed < count, !isLast else { return nil }
            try check()
            // One more poll after the end, for commits in the meantime.
            isLast = end.map { ContinuousClock.now >= $0 } ?? false
            for (name, store) in stores {
                for step in hasBegun ? try store.poll() : try store.begin() { add(step, name) }
                if isLast, store.isBehind { wait(name, store) }
            }
            hasBegun = true
            waiting.reverse()
            if waiting.isEmpty, !isLast { usleep(LiveSettings.pause) }
        }
        return waiting.popLast()
    }

    private func add(_ step: LiveStore.Step, _ name: String) {
        for change in step.changes where changed < count {
            changed += 1
            waiting += ChangeRows.values(
                change, commit: step.number, store: stores.count > 1 ? name : nil, note: step.note)
        }
        if step.changes.isEmpty { waiting.append(remark(step.note ?? "no row differs", step.number, name)) }
    }

    private func wait(_ name: String, _ store: LiveStore) {
        waiting.append(remark("continuously written: the last changes are not shown", nil, name))
    }

    private func remark(_ note: String, _ commit: Int?, _ name: String) -> Value {
        var fields: [(String, Value)] = stores.count > 1 ? [("store", .text(name))] : []
        fields += [("commit", Value(commit) { .integer($0) }), ("note", .text(note))]
        return .record(Record(fields))
    }
}
