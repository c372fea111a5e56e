import CivilTime
import Foundation
import GRDB
import PluginKit
import TrailStores

// Reading the state of a device.

extension SyncSchema {
    /// The header, the number of commits, and the installation that the file belongs to.
    static func header(_ db: Database) throws -> (DeviceHeader, Int64, installation: UInt64) {
        let row = try RawStatement(
            db,
            """
            SELECT device, clock, next_operation, commits, epoch, number, witness, witness_hash, account, installation,
            owes_report FROM header
            """, isCached: true)
        guard try row.next() else { throw SyncErrors.store("sync.db has no header") }
        guard [2, 3, 5, 6].allSatisfy({ ZoneNumbers.all.contains(row.integer($0)) }) else {
            throw SyncErrors.store("the header of sync.db cannot be read")
        }
        var header = DeviceHeader(device: UInt64(bitPattern: row.integer(0)))
        header.clock.last = UInt64(bitPattern: row.integer(1))
        header.nextOperation = UInt64(bitPattern: row.integer(2))
        if !row.isNull(4), !row.isNull(5) {
            header.token = ChangeToken(epoch: UInt64(bitPattern: row.integer(4)), number: row.integer(5))
        }
        if !row.isNull(6), !row.isNull(7) {
            header.witness = HistoryMark(number: row.integer(6), hash: UInt64(bitPattern: row.integer(7)))
        }
        if !row.isNull(8) { header.account = UInt64(bitPattern: row.integer(8)) }
        header.owesReport = row.integer(10) != 0
        return (header, row.integer(3), row.isNull(9) ? header.device : UInt64(bitPattern: row.integer(9)))
    }

    static let columns =
        "type, name, tag, epoch, base, local, parked, sent, sent_tag, sent_version, link"

    /// The existing states of some records, with the operation that sent them, acknowledged or not. `device`
    /// is the device's number.
    static func states(
        _ db: Database, of keys: [RecordKey], device: UInt64, _ body: (RecordKey, SyncedRecordState) -> Void
    ) throws {
        let find = try RawStatement(
            db, "SELECT \(columns) FROM shadows WHERE type = ? AND name = ?", isCached: true)
        for key in keys {
            find.bind(1, key)
            if try find.next() { body(key, try state(find, device)) }
            find.reset()
        }
    }

    /// The same for all records of a type.
    static func states(
        _ db: Database, of type: RecordType, device: UInt64, _ body: (RecordKey, SyncedRecordState) -> Void
    ) throws {
        let rows = try RawStatement(db, "SELECT \(columns) FROM shadows WHERE type = ?", isCached: true)
        rows.bind(1, Int64(type.rawValue))
        while try rows.next() { body(try key(rows), try state(rows, device)) }
    }

    /// The same for all records of types unknown to this version.
    static func statesOfUnknownTypes(
        _ db: Database, device: UInt64, _ body: (RecordKey, SyncedRecordState) -> Void
    ) throws {
        let known = RecordType.known.map { String($0.rawValue) }.joined(separator: ", ")
        let rows = try RawStatement(
            db, "SELECT \(columns) FROM shadows WHERE type NOT IN (\(known))", isCached: true)
        while try rows.next() { body(try key(rows), try state(rows, device)) }
    }

    /// Records that may have something to send: those that differ from the cloud's version without an
    /// acknowledgement.
    static func waiting(_ db: Database) throws -> [RecordKey] {
        let rows = try RawStatement(
            db,
            """
            SELECT type, name FROM shadows INDEXED BY shadows_waiting WHERE local IS NOT NULL AND NOT EXISTS
            (SELECT 1 FROM acknowledged a WHERE sent >= a.first AND sent < a.first + a.count)
            """, isCached: true)
        var keys: [RecordKey] = []
        while try rows.next() { keys.append(try key(rows)) }
        return keys
    }

    static func hasStates(_ db: Database) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM shadows)") ?? false
    }

    static func key(_ row: RawStatement) throws -> RecordKey {
        guard let key = row.key(0) else { throw SyncErrors.store("sync.db contains an invalid record name") }
        return key
    }

    static func content(_ row: RawStatement, _ column: Int32) throws -> Version? {
        guard let bytes = row.bytes(column) else { return nil }
        guard let version = VersionCoding.version(bytes) else {
            throw SyncErrors.store("a record of sync.db cannot be read")
        }
        return version
    }

    static func state(_ row: RawStatement, _ device: UInt64) throws -> SyncedRecordState {
        let base = try content(row, 4)
        guard let local = try content(row, 5) ?? base else {
            throw SyncErrors.store("a record of sync.db has no content")
        }
        var state = SyncedRecordState(
            base: base, tag: row.integer(2), epoch: UInt64(bitPattern: row.integer(3)), local: local)
        if let parked = row.text(6) {
            state.parked =
                parked.isEmpty ? .exhausted : parked == unplaced ? .unplaced : .rejected(parked)
        }
        if !row.isNull(7) {
            let id = OperationID(device: device, number: UInt64(bitPattern: row.integer(7)))
            // The sent version usually equals the local one and is then stored once.
            state.pending = Pending(id: id, baseTag: row.integer(8), version: try content(row, 9) ?? local)
        }
        if let bytes = row.bytes(10) {
            guard let link = LinkCoding.trace(bytes) else {
                throw SyncErrors.store("a record of sync.db cannot be read")
            }
            state.link = link
        }
        return state
    }

    static func acknowledgements(_ db: Database) throws -> Acknowledgements {
        let rows = try RawStatement(db, "SELECT first, count, tag, epoch FROM acknowledged", isCached: true)
        var runs: [Acknowledgements.Run] = []
        while try rows.next() {
            guard
                let run = OperationRun(first: rows.integer(0), tag: rows.integer(2), count: rows.integer(1))
            else { throw SyncErrors.store("the acknowledgements of sync.db cannot be read") }
            runs.append(
                Acknowledgements.Run(operations: run, epoch: UInt64(bitPattern: rows.integer(3))))
        }
        return Acknowledgements(runs)
    }

    static func intents(_ db: Database) throws -> [RecordKey: Intent] {
        let find = try RawStatement(db, "SELECT content FROM intents", isCached: true)
        guard try find.next() else { return [:] }
        guard let intents = find.bytes(0).flatMap({ IntentCoding.intents($0) }) else {
            throw SyncErrors.store("the intents of sync.db cannot be read")
        }
        return intents
    }

    /// The read positions of the apps' stores.
    static func marks(_ db: Database) throws -> [RecordType: LogPosition] {
        var marks: [RecordType: LogPosition] = [:]
        let rows = try RawStatement(db, "SELECT type, number, schema FROM looks", isCached: true)
        while try rows.next() {
            guard let type = UInt8(exactly: rows.integer(0)).flatMap({ RecordType(rawValue: $0) }) else {
                throw SyncErrors.store("the read positions of sync.db cannot be read")
            }
            marks[type] = LogPosition(commit: rows.integer(1), schema: rows.integer(2))
        }
        return marks
    }

    /// What is stored for a record whose row waits to be brought back.
    static let unplaced = "unplaced"
    /// Separates names of columns: none contains it.
    static let separator: Character = "\u{1f}"

    /// What is remembered of the apps' stores.
    static func lineages(_ db: Database) throws -> [RecordType: StoreLineage] {
        var lineages: [RecordType: StoreLineage] = [:]
        let rows = try RawStatement(
            db, "SELECT type, device, number, former_device, former_number, columns FROM lineage",
            isCached: true)
        while try rows.next() {
            guard let type = UInt8(exactly: rows.integer(0)).flatMap({ RecordType(rawValue: $0) }) else {
                throw SyncErrors.store("the marks of sync.db cannot be read")
            }
            lineages[type] = StoreLineage(
                mark: StoreMark(device: rows.integer(1), commit: rows.integer(2)),
                former: rows.isNull(4) ? nil : StoreMark(device: rows.integer(3), commit: rows.integer(4)),
                columns: (rows.text(5) ?? "").split(separator: separator).map(String.init))
        }
        return lineages
    }

    static func save(_ db: Database, _ lineage: StoreLineage, _ type: RecordType) throws {
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO lineage VALUES (?, ?, ?, ?, ?, ?)").execute(
            arguments: [
                Int64(type.rawValue), lineage.mark.device, lineage.mark.commit, lineage.former?.device,
                lineage.former?.commit, lineage.columns.joined(separator: String(separator)),
            ])
    }

    /// The apps' stores have their new marks.
    static func settleLineages(_ db: Database, of types: [RecordType]) throws {
        for type in types {
            try db.execute(
                sql: "UPDATE lineage SET former_device = NULL, former_number = NULL WHERE type = ?",
                arguments: [Int64(type.rawValue)])
        }
    }

    /// The records that wait for their blobs.
    static func heldBack(_ db: Database) throws -> [RecordKey: CloudRecord] {
        var held: [RecordKey: CloudRecord] = [:]
        let rows = try RawStatement(db, "SELECT type, name, tag, content FROM held", isCached: true)
        while try rows.next() {
            guard let version = try content(rows, 3), ZoneNumbers.all.contains(rows.integer(2)) else {
                throw SyncErrors.store("a record of sync.db cannot be read")
            }
            let key = try key(rows)
            held[key] = CloudRecord(key: key, version: version, tag: rows.integer(2))
        }
        return held
    }

    static func save(_ db: Database, heldBack: [RecordKey: CloudRecord]) throws {
        try db.execute(sql: "DELETE FROM held")
        for (key, record) in heldBack {
            try db.cachedStatement(sql: "INSERT INTO held VALUES (?, ?, ?, ?)").execute(
                arguments: [
                    Int64(key.type.rawValue), key.name.text, record.tag,
                    Data(VersionCoding.bytes(record.version)),
                ])
        }
    }

    static func hasBlob(_ db: Database, _ blob: BlobReference) throws -> Bool {
        try Int.fetchOne(db, sql: "SELECT 1 FROM blobs WHERE name = ?", arguments: [blob.name]) != nil
    }

    /// The stored blobs.
    static func blobNames(_ db: Database) throws -> [BlobReference] {
        try String.fetchAll(db, sql: "SELECT name FROM blobs").compactMap { BlobReference(name: $0) }
    }

    static func blob(_ db: Database, _ blob: BlobReference) throws -> Data? {
        try Data.fetchOne(db, sql: "SELECT content FROM blobs WHERE name = ?", arguments: [blob.name])
    }

    /// The fields of a record before its deletion.
    static func lastLive(_ db: Database, _ key: RecordKey) throws -> Version? {
        let find = try RawStatement(
            db, "SELECT content FROM deleted WHERE type = ? AND name = ?", isCached: true)
        find.bind(1, key)
        return try find.next() ? content(find, 0) : nil
    }
}
