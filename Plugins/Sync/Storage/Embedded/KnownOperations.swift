import GRDB
import PluginKit
import TrailStores

/// The performed operations of a zone of the embedded cloud, stored as runs, for the look-ups and additions
/// of one request.
struct KnownOperations {
    private let find, insert, findFloor: RawStatement
    /// The run being extended, and its device.
    private var growing: (device: UInt64, run: OperationRun, digests: [UInt64])?
    /// The end of each device's last run, once read: newer operations need no look-up.
    private var ends: [UInt64: UInt64] = [:]
    /// The number up to which each device's operations are discarded, once read.
    private var floors: [UInt64: UInt64] = [:]

    /// All operations of a zone and their tags, none of which is above its head.
    static func all(_ db: Database, zone: String, head: Int64) throws -> [OperationID: DoneOperation] {
        let rows = try RawStatement(
            db, "SELECT first, tag, count, device, digests FROM operations WHERE zone = ?")
        rows.bind(1, zone)
        var all: [OperationID: DoneOperation] = [:]
        while try rows.next() {
            let run = try run(rows)
            // The count determines the memory used: a damaged one must be rejected.
            guard run.tag + run.count - 1 <= head else { throw unreadable }
            let digests = try digests(rows, 4, run)
            for step in 0..<run.count {
                let id = OperationID(
                    device: UInt64(bitPattern: rows.integer(3)), number: run.first &+ UInt64(step))
                all[id] = DoneOperation(tag: run.tag + step, digest: digests?[Int(step)])
            }
        }
        return all
    }

    /// The number up to which each replica's operations are discarded.
    static func floors(_ db: Database, zone: String) throws -> [UInt64: UInt64] {
        let rows = try RawStatement(db, "SELECT device, number FROM floors WHERE zone = ?", isCached: true)
        rows.bind(1, zone)
        var floors: [UInt64: UInt64] = [:]
        while try rows.next() {
            floors[UInt64(bitPattern: rows.integer(0))] = UInt64(clamping: rows.integer(1))
        }
        return floors
    }

    /// Discards the operations of a replica up to a number, and stores that number.
    static func collect(_ db: Database, zone: String, of device: UInt64, upTo number: UInt64) throws {
        if number == 0 { return }
        try db.cachedStatement(
            sql: """
                INSERT INTO floors VALUES (?, ?, ?)
                ON CONFLICT (zone, device) DO UPDATE SET number = max(number, excluded.number)
                """
        ).execute(arguments: [zone, Int64(bitPattern: device), Int64(clamping: number)])
        let those: StatementArguments = [zone, Int64(bitPattern: device), Int64(clamping: number)]
        try db.cachedStatement(
            sql: "DELETE FROM operations WHERE zone = ?1 AND device = ?2 AND first + count - 1 <= ?3"
        ).execute(arguments: those)
        // Shortens the run that extends beyond it.
        try db.cachedStatement(
            sql: """
                UPDATE operations SET digests = substr(digests, (?3 - first + 1) * 8 + 1), tag = tag + (?3 - first + 1),
                count = count - (?3 - first + 1), first = ?3 + 1 WHERE zone = ?1 AND device = ?2 AND first <= ?3
                """
        ).execute(arguments: those)
    }

    /// The run in a row of `first, tag, count`.
    private static func run(_ row: RawStatement) throws -> OperationRun {
        guard
            let run = OperationRun(first: row.integer(0), tag: row.integer(1), count: row.integer(2))
        else { throw unreadable }
        return run
    }

    /// The digests of a run's operations; `nil` if an older version did not store them.
    private static func digests(_ row: RawStatement, _ column: Int32, _ run: OperationRun) throws -> [UInt64]?
    {
        guard let bytes = row.bytes(column) else { return nil }
        guard bytes.count == Int(run.count) * 8 else { throw unreadable }
        return (0..<Int(run.count)).map {
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self))
        }
    }

    private static var unreadable: RutterError {
        SyncErrors.schema("the operations of the cloud cannot be read")
    }

    init(_ db: Database, zone: String) throws {
        find = try RawStatement(
            db,
            """
            SELECT first, tag, count, digests FROM operations WHERE zone = ? AND device = ? AND first <= ?
            ORDER BY first DESC LIMIT 1
            """, isCached: true)
        insert = try RawStatement(db, "INSERT INTO operations VALUES (?, ?, ?, ?, ?, ?)", isCached: true)
        findFloor = try RawStatement(
            db, "SELECT number FROM floors WHERE zone = ? AND device = ?", isCached: true)
        for statement in [find, insert, findFloor] { statement.bind(1, zone) }
    }

    /// The outcome of an operation; `nil` for a new one.
    mutating func done(_ id: OperationID) throws -> DoneOperation? {
        if let growing, growing.device == id.device, let tag = growing.run.tag(of: id.number) {
            return DoneOperation(tag: tag, digest: growing.digests[Int(tag - growing.run.tag)])
        }
        if let end = ends[id.device], id.number >= end { return nil }
        if ends[id.device] == nil {
            ends[id.device] = try find(id.device, upTo: .max) { run, _ in run.end } ?? 0
        }
        return try find(id.device, upTo: id.number) { run, row in
            guard let tag = run.tag(of: id.number) else { return nil }
            return DoneOperation(
                tag: tag, digest: try Self.digests(row, 3, run).map { $0[Int(tag - run.tag)] })
        }
    }

    /// The number up to which a replica's operations are discarded.
    mutating func floor(of replica: UInt64) throws -> UInt64 {
        if let floor = floors[replica] { return floor }
        defer { findFloor.reset() }
        findFloor.bind(2, Int64(bitPattern: replica))
        let floor = try findFloor.next() ? UInt64(clamping: findFloor.integer(0)) : 0
        floors[replica] = floor
        return floor
    }

    private func find<T>(
        _ device: UInt64, upTo number: UInt64, _ body: (OperationRun, RawStatement) throws -> T?
    ) throws -> T? {
        defer { find.reset() }
        find.bind(2, Int64(bitPattern: device))
        find.bind(3, Int64(clamping: number))
        return try find.next() ? body(try Self.run(find), find) : nil
    }

    /// Adds a new operation.
    mutating func add(_ id: OperationID, _ done: DoneOperation) throws {
        let digest = done.digest ?? 0
        if growing?.device == id.device, growing?.run.extend(by: id.number, tag: done.tag) == true {
            growing?.digests.append(digest)
        } else {
            try write()
            growing = (id.device, OperationRun(id.number, tag: done.tag), [digest])
        }
        ends[id.device] = ends[id.device].map { max($0, id.number &+ 1) }
    }

    /// Writes the extended run.
    mutating func write() throws {
        guard let (device, run, digests) = growing else { return }
        insert.bind(2, Int64(bitPattern: device))
        insert.bind(3, Int64(bitPattern: run.first))
        insert.bind(4, run.tag)
        insert.bind(5, run.count)
        digests.map(\.littleEndian).withUnsafeBytes { insert.bind(6, blob: $0) }
        try insert.run()
        growing = nil
    }
}
