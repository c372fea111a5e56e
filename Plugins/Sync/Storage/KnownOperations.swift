import GRDB
import PluginKit
import TrailStores

/// The operations that a zone of the embedded cloud has done, looked up and added to in one request.
///
/// A device counts its operations and the zone its changes, so that most operations of a request follow each other in both:
/// they are kept as runs.
struct KnownOperations {
    private let find, insert: RawStatement
    /// The run that grows.
    private var run: Run?
    /// Where the last run of each device ends that was asked for: what is newer need not be looked for.
    private var ends: [UInt64: UInt64] = [:]

    /// Operations `first ..< end` of a device, which got the tags from `tag` on.
    struct Run {
        let device: UInt64
        let first: UInt64
        let tag: Int64
        fileprivate(set) var count: Int64

        var end: UInt64 { first &+ UInt64(count) }

        func tag(of number: UInt64) -> Int64? {
            number >= first && number - first < UInt64(count) ? tag + Int64(number - first) : nil
        }

        /// The run of a row of `device, first, tag, count`; throws `E-SYNC-SCHEMA` where it cannot be one.
        init(_ row: RawStatement) throws {
            device = UInt64(bitPattern: row.integer(0))
            first = UInt64(bitPattern: row.integer(1))
            tag = row.integer(2)
            count = row.integer(3)
            guard ZoneNumbers.all.contains(tag), ZoneNumbers.all.contains(count), count > 0 else {
                throw Self.unreadable
            }
        }

        fileprivate static var unreadable: RutterError {
            SyncErrors.schema("the operations of the cloud cannot be read")
        }

        fileprivate init(_ id: OperationID, tag: Int64) {
            (device, first, count) = (id.device, id.number, 1)
            self.tag = tag
        }
    }

    /// All operations of a zone and their tags, none of which is above its head.
    static func all(_ db: Database, zone: String, head: Int64) throws -> [OperationID: Int64] {
        let rows = try RawStatement(db, "SELECT device, first, tag, count FROM operations WHERE zone = ?")
        rows.bind(1, zone)
        var all: [OperationID: Int64] = [:]
        while try rows.next() {
            let run = try Run(rows)
            // The count says how much memory is taken: a damaged one must not.
            guard run.tag + run.count - 1 <= head else { throw Run.unreadable }
            for step in 0..<run.count {
                all[OperationID(device: run.device, number: run.first &+ UInt64(step))] = run.tag + step
            }
        }
        return all
    }

    init(_ db: Database, zone: String) throws {
        find = try RawStatement(
            db,
            """
            SELECT device, first, tag, count FROM operations WHERE zone = ? AND device = ? AND first <= ?
            ORDER BY first DESC LIMIT 1
            """, isCached: true)
        insert = try RawStatement(db, "INSERT INTO operations VALUES (?, ?, ?, ?, ?)", isCached: true)
        find.bind(1, zone)
        insert.bind(1, zone)
    }

    /// The tag that an operation got; `nil` for a new one.
    mutating func tag(of id: OperationID) throws -> Int64? {
        if let run, run.device == id.device, let tag = run.tag(of: id.number) { return tag }
        if let end = ends[id.device], id.number >= end { return nil }
        if ends[id.device] == nil { ends[id.device] = try run(of: id.device, upTo: .max)?.end ?? 0 }
        return try run(of: id.device, upTo: id.number)?.tag(of: id.number)
    }

    private func run(of device: UInt64, upTo number: UInt64) throws -> Run? {
        defer { find.reset() }
        find.bind(2, Int64(bitPattern: device))
        find.bind(3, Int64(clamping: number))
        return try find.next() ? Run(find) : nil
    }

    /// Adds an operation that is new.
    mutating func add(_ id: OperationID, tag: Int64) throws {
        if let run, run.device == id.device, run.end == id.number, run.tag + run.count == tag {
            self.run?.count += 1
        } else {
            try write()
            run = Run(id, tag: tag)
        }
        ends[id.device] = ends[id.device].map { max($0, id.number &+ 1) }
    }

    /// Writes the run that grew.
    mutating func write() throws {
        guard let run else { return }
        insert.bind(2, Int64(bitPattern: run.device))
        insert.bind(3, Int64(bitPattern: run.first))
        insert.bind(4, run.tag)
        insert.bind(5, run.count)
        try insert.run()
        self.run = nil
    }
}
