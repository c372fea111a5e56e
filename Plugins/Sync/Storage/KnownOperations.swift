import GRDB
import PluginKit
import TrailStores

/// The operations that a zone of the embedded cloud has done, kept as runs, looked up and added to in one request.
struct KnownOperations {
    private let find, insert: RawStatement
    /// The run that grows, and whose it is.
    private var growing: (device: UInt64, run: OperationRun)?
    /// Where the last run of each device ends that was asked for: what is newer need not be looked for.
    private var ends: [UInt64: UInt64] = [:]

    /// All operations of a zone and their tags, none of which is above its head.
    static func all(_ db: Database, zone: String, head: Int64) throws -> [OperationID: Int64] {
        let rows = try RawStatement(db, "SELECT first, tag, count, device FROM operations WHERE zone = ?")
        rows.bind(1, zone)
        var all: [OperationID: Int64] = [:]
        while try rows.next() {
            let run = try run(rows)
            // The count says how much memory is taken: a damaged one must not.
            guard run.tag + run.count - 1 <= head else { throw unreadable }
            for step in 0..<run.count {
                let id = OperationID(
                    device: UInt64(bitPattern: rows.integer(3)), number: run.first &+ UInt64(step))
                all[id] = run.tag + step
            }
        }
        return all
    }

    /// The run of a row of `first, tag, count`.
    private static func run(_ row: RawStatement) throws -> OperationRun {
        guard
            let run = OperationRun(first: row.integer(0), tag: row.integer(1), count: row.integer(2))
        else { throw unreadable }
        return run
    }

    private static var unreadable: RutterError {
        SyncErrors.schema("the operations of the cloud cannot be read")
    }

    init(_ db: Database, zone: String) throws {
        find = try RawStatement(
            db,
            """
            SELECT first, tag, count FROM operations WHERE zone = ? AND device = ? AND first <= ?
            ORDER BY first DESC LIMIT 1
            """, isCached: true)
        insert = try RawStatement(db, "INSERT INTO operations VALUES (?, ?, ?, ?, ?)", isCached: true)
        find.bind(1, zone)
        insert.bind(1, zone)
    }

    /// The tag that an operation got; `nil` for a new one.
    mutating func tag(of id: OperationID) throws -> Int64? {
        if let growing, growing.device == id.device, let tag = growing.run.tag(of: id.number) { return tag }
        if let end = ends[id.device], id.number >= end { return nil }
        if ends[id.device] == nil { ends[id.device] = try run(of: id.device, upTo: .max)?.end ?? 0 }
        return try run(of: id.device, upTo: id.number)?.tag(of: id.number)
    }

    private func run(of device: UInt64, upTo number: UInt64) throws -> OperationRun? {
        defer { find.reset() }
        find.bind(2, Int64(bitPattern: device))
        find.bind(3, Int64(clamping: number))
        return try find.next() ? Self.run(find) : nil
    }

    /// Adds an operation that is new.
    mutating func add(_ id: OperationID, tag: Int64) throws {
        let isNext = growing?.device == id.device && growing?.run.extend(by: id.number, tag: tag) == true
        if !isNext {
            try write()
            growing = (id.device, OperationRun(id.number, tag: tag))
        }
        ends[id.device] = ends[id.device].map { max($0, id.number &+ 1) }
    }

    /// Writes the run that grew.
    mutating func write() throws {
        guard let (device, run) = growing else { return }
        insert.bind(2, Int64(bitPattern: device))
        insert.bind(3, Int64(bitPattern: run.first))
        insert.bind(4, run.tag)
        insert.bind(5, run.count)
        try insert.run()
        growing = nil
    }
}
