import Foundation
import GRDB
import TrailStores

/// A zone of the embedded cloud during a request.
protocol EmbeddedZone: ZoneReading {
    var db: Database { get }
    var zone: String { get }
}

extension EmbeddedZone {
    private var history: ZoneHistory { ZoneHistory(db, zone: zone) }

    /// The tables of blobs; `head` is noted with those that are sent.
    func blobTables(head: Int64 = 0) -> BlobTables { BlobTables(db, zone: zone, head: head) }

    func position(_ witness: HistoryMark?) throws -> ZonePosition {
        let row = try RawStatement(
            db, "SELECT head, floor, lineage FROM zones WHERE name = ?", isCached: true)
        row.bind(1, zone)
        guard try row.next(), ZoneNumbers.all.contains(row.integer(0)),
            (0...row.integer(0)).contains(row.integer(1)),
            let lineage = row.bytes(2).flatMap({ Lineage(bytes: Array($0)) })
        else { throw SyncErrors.schema("the cloud does not contain its zone") }
        return ZonePosition(
            head: row.integer(0), floor: row.integer(1), lineage: lineage,
            isWitnessKnown: try history.knows(witness))
    }

    func lastMark() throws -> HistoryMark? { try history.newest(1).last }
    func common(_ marks: [HistoryMark]) throws -> HistoryMark? {
        let history = history
        return try marks.first { try history.knows($0) }
    }
    func newestMarks(_ limit: Int) throws -> [HistoryMark] { try history.newest(limit) }
    func marks(after start: Int64, upTo end: Int64) throws -> [HistoryMark] {
        try history.passed(after: start, upTo: end)
    }

    func changes(after tag: Int64, limit: Int) throws -> RecordPage {
        let rows = try RawStatement(
            db,
            "SELECT type, name, tag, content FROM records WHERE zone = ? AND tag > ? ORDER BY tag LIMIT ?",
            isCached: true)
        rows.bind(1, zone)
        rows.bind(2, tag)
        rows.bind(3, Int64(limit + 1))
        return RecordPage(try RecordStatements.all(rows), limit: limit)
    }

    func records(after key: RecordKey?, limit: Int) throws -> RecordPage {
        let rows = try RawStatement(
            db,
            """
            SELECT type, name, tag, content FROM records WHERE zone = ? AND (type, name) > (?, ?)
            ORDER BY type, name LIMIT ?
            """, isCached: true)
        rows.bind(1, zone)
        rows.bind(2, key.map { Int64($0.type.rawValue) } ?? -1)
        rows.bind(3, key?.name.text ?? "")
        rows.bind(4, Int64(limit + 1))
        return RecordPage(try RecordStatements.all(rows), limit: limit)
    }

    func allRecords() throws -> [CloudRecord] {
        let rows = try RawStatement(
            db, "SELECT type, name, tag, content FROM records WHERE zone = ? ORDER BY type, name")
        rows.bind(1, zone)
        return try RecordStatements.all(rows)
    }

    func knownOperations(
        upTo head: Int64
    ) throws -> (done: [OperationID: DoneOperation], floors: [UInt64: UInt64]) {
        (
            try KnownOperations.all(db, zone: zone, head: head),
            try KnownOperations.floors(db, zone: zone)
        )
    }

    func blobs(withBytes: Bool) throws -> [Blob] {
        let store = blobTables()
        return try store.references().map {
            Blob(reference: $0, bytes: withBytes ? try store.blob($0) ?? [] : [])
        }
    }

    func reports() throws -> [DeviceReport] {
        try TypedRow.all(
            db, "SELECT device, number, settled FROM devices WHERE zone = ?", of: "devices", arguments: [zone]
        ).map { row in
            DeviceReport(
                device: UInt64(bitPattern: try row.require("device")), number: try row.require("number"),
                settled: UInt64(clamping: try row.require("settled", as: Int64.self)))
        }
    }
}

/// Reads a zone of the embedded cloud.
struct EmbeddedReader: EmbeddedZone {
    typealias Failure = any Error
    let db: Database
    let zone: String
}

/// Writes a zone of the embedded cloud. Saves are written at once: a conditional statement shows whether the
/// zone has the version that an operation is based on, and most do.
struct EmbeddedWriter: EmbeddedZone, ZoneWriting {
    typealias Failure = any Error
    let db: Database
    let zone: String
    private let records: RecordStatements
    private var known: KnownOperations

    init(db: Database, zone: String) throws {
        (self.db, self.zone) = (db, zone)
        records = try RecordStatements(db, zone: zone)
        known = try KnownOperations(db, zone: zone)
    }

    // MARK: Saving

    func prepare(_ operations: ArraySlice<SaveOperation>) {}
    mutating func done(_ id: OperationID) throws -> DoneOperation? { try known.done(id) }
    mutating func floor(of replica: UInt64) throws -> UInt64 { try known.floor(of: replica) }
    func has(_ blob: BlobReference) throws -> Bool { try records.has(blob) }
    func tag(of key: RecordKey) throws -> Int64? { try records.tag(of: key) }

    func records(_ keys: [RecordKey]) throws -> [RecordKey: CloudRecord] {
        var found: [RecordKey: CloudRecord] = [:]
        for key in keys { found[key] = try records.record(key) }
        return found
    }

    mutating func save(
        _ record: CloudRecord, over base: Int64, _ content: borrowing ByteWriter, by id: OperationID,
        digest: UInt64
    ) throws -> Bool {
        guard try records.write(record, over: base, content) else { return false }
        try known.add(id, DoneOperation(tag: record.tag, digest: digest))
        return true
    }

    func flush() {}

    mutating func append(_ mark: HistoryMark) throws {
        try known.write()
        try ZoneHistory(db, zone: zone).append(mark)
        try db.cachedStatement(sql: "UPDATE zones SET head = ? WHERE name = ?")
            .execute(arguments: [mark.number, zone])
    }

    // MARK: Administration

    func set(_ lineage: Lineage) throws {
        try db.execute(
            sql: "UPDATE zones SET lineage = ? WHERE name = ?", arguments: [Data(lineage.bytes), zone])
    }

    func set(floor: Int64) throws {
        try db.execute(sql: "UPDATE zones SET floor = ? WHERE name = ?", arguments: [floor, zone])
        try db.execute(
            sql: "DELETE FROM records WHERE zone = ? AND deleted = 1 AND tag <= ?", arguments: [zone, floor])
    }

    func put(_ mark: Watermark) throws {
        try db.execute(
            sql: """
                INSERT INTO devices VALUES (?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET number = excluded.number, settled = max(settled, excluded.settled)
                """,
            arguments: [
                zone, Int64(bitPattern: mark.device), mark.token.number, Int64(clamping: mark.settled),
            ])
    }

    func forgetOperations(of replica: UInt64, upTo number: UInt64) throws {
        try KnownOperations.collect(db, zone: zone, of: replica, upTo: number)
    }

    mutating func replace(by image: ZoneImage) throws {
        for table in ["records", "operations", "floors", "blobs", "parts", "history", "devices"] {
            try db.execute(sql: "DELETE FROM \(table) WHERE zone = ?", arguments: [zone])
        }
        var writer = ByteWriter()
        for record in image.records {
            writer.clear()
            VersionCoding.add(record.version, to: &writer)
            _ = try records.write(record, over: 0, writer)
        }
        for (id, done) in image.operations.sorted(by: { $0.value.tag < $1.value.tag }) {
            try known.add(id, done)
        }
        try known.write()
        for (device, number) in image.floors { try forgetOperations(of: device, upTo: number) }
        let history = ZoneHistory(db, zone: zone)
        for mark in image.history.marks { try history.append(mark) }
        let store = blobTables(head: image.head)
        for blob in image.blobs { try store.put(blob) }
        try db.execute(
            sql: "UPDATE zones SET head = ?, floor = ?, lineage = ? WHERE name = ?",
            arguments: [image.head, image.floor, Data(image.lineage.bytes), zone])
    }
}
