import GRDB
import TrailStores

/// The operations that a zone of the embedded cloud has done, looked up and added to in one request.
///
/// A device counts its operations and the zone its changes, so that most operations of a request follow each other in both:
/// they are kept as runs.
struct KnownOperations {
    private let find, insert: RawStatement
    /// The run that grows.
    private var run: Run?
    /// The number of the last run of each device that was asked for: what is newer need not be looked for.
    private var ends: [UInt64: UInt64] = [:]

    private struct Run {
        let device: UInt64
        let first: UInt64
        let tag: Int64
        var count: Int64

        var end: UInt64 { first &+ UInt64(count) }

        func tag(of number: UInt64) -> Int64? {
            number >= first && number < end ? tag + Int64(number - first) : nil
        }
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
        if let run, run.device == id.device, let tag = run.tag(of: id.number) { return tag }
        if let end = ends[id.device], id.number >= end { return nil }
        if ends[id.device] == nil { ends[id.device] = try run(of: id.device, upTo: .max)?.end ?? 0 }
        return try run(of: id.device, upTo: id.number)?.tag(of: id.number)
    }

    private func run(of device: UInt64, upTo number: UInt64) throws -> Run? {
        defer { find.reset() }
        find.bind(2, Int64(bitPattern: device))
        find.bind(3, Int64(clamping: number))
        guard try find.next() else { return nil }
        return Run(
            device: device, first: UInt64(bitPattern: find.integer(0)), tag: find.integer(1),
            count: find.integer(2))
    }

    /// Adds an operation that is new.
    mutating func add(_ id: OperationID, tag: Int64) throws {
        if let run, run.device == id.device, run.end == id.number, run.tag + run.count == tag {
            self.run?.count += 1
        } else {
            try write()
            run = Run(device: id.device, first: id.number, tag: tag, count: 1)
        }
        ends[id.device] = ends[id.device].map { max($0, id.number + 1) }
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
