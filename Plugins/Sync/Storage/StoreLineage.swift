import GRDB
import TrailStores

/// The mark that a device leaves in an app's store with each commit, durable with what it writes there.
struct StoreMark: Hashable, Sendable {
    /// The device that wrote it.
    let device: Int64
    /// The number of its commit.
    let commit: Int64

    /// The mark of a store that a device has just met: it precedes all commits. Without it a process that ended before its
    /// first mark would leave a store that looks like another one.
    static func first(of device: Int64) -> StoreMark { StoreMark(device: device, commit: 0) }
}

/// What a device remembers of an app's store: by this it knows the store again.
struct StoreLineage: Hashable, Sendable {
    /// The mark that the store has.
    var mark: StoreMark
    /// The mark before it, which the store has if the process ended before the last write; `nil` if that is certain.
    var former: StoreMark?
    /// The columns at the last scan, in name order.
    var columns: [String]
}

/// What an app's store is to the device that opens it.
enum StoreStanding: Sendable {
    /// Nothing is remembered: this is the first sync, or the first of this version.
    case new
    /// The store of the last sync.
    case same
    /// The same store, of which the device remembers an older state: its own memory came back from a copy.
    case ahead
    /// Another file: an older one, a new one, or another device's.
    case other

    /// The mark by which the store is known if the process ends before it has the next one. Another file must stay
    /// another until everything about it is settled.
    func former(_ found: StoreMark?) -> StoreMark? {
        if case .other = self { nil } else { found }
    }

    /// How a store with a mark is to be taken.
    init(_ found: StoreMark?, _ lineage: StoreLineage?, device: Int64, commits: Int64) {
        guard let lineage else {
            self = .new
            return
        }
        guard let found else {
            self = .other
            return
        }
        if found == lineage.mark || found == lineage.former {
            self = .same
        } else {
            self = found.device == device && found.commit > commits ? .ahead : .other
        }
    }
}

/// Why a device neither sends nor writes an app's store until somebody decides.
struct StoreQuestion: Hashable, Sendable {
    /// What is the matter, in words.
    let why: String
    /// Whether the records can be brought back, or their deletion be confirmed. Otherwise the store itself is at fault.
    let isOfDeletion: Bool
}

/// A row or file of an app that has no record: it is neither sent nor written, and listed.
struct StrayRow: Hashable, Sendable {
    let type: RecordType
    /// The row or file.
    let place: String
    /// Why it has no record.
    let why: String
}

/// The table in an app's store with the mark.
enum LineageTable {
    static let name = "rutter_sync_lineage"

    /// Creates the table. `isBroken` means that the log of the store was interrupted: what it does not name may have
    /// changed all the same. That is recorded until the next mark. `first` is the mark of a store that has none.
    static func prepare(_ db: Database, isBroken: Bool, first: StoreMark?) throws {
        try db.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS \(name) (
                    id INTEGER PRIMARY KEY CHECK (id = 1), device INTEGER, number INTEGER, broken INTEGER NOT NULL);
                """)
        if let first {
            try db.execute(
                sql: "INSERT OR IGNORE INTO \(name) VALUES (1, ?, ?, 0)",
                arguments: [first.device, first.commit])
        }
        if isBroken { try db.execute(sql: "UPDATE \(name) SET broken = 1 WHERE broken = 0") }
    }

    /// The mark, and whether the log was interrupted since.
    static func read(_ db: Database) throws -> (mark: StoreMark?, isBroken: Bool) {
        let row = try RawStatement(db, "SELECT device, number, broken FROM \(name)")
        guard try row.next() else { return (nil, false) }
        let isMarked = !row.isNull(0) && !row.isNull(1)
        return (
            isMarked ? StoreMark(device: row.integer(0), commit: row.integer(1)) : nil, row.integer(2) != 0
        )
    }

    static func write(_ db: Database, _ mark: StoreMark) throws {
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO \(name) VALUES (1, ?, ?, 0)")
            .execute(arguments: [mark.device, mark.commit])
    }
}
