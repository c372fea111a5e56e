import Foundation
import GRDB
import PluginKit
import TrailStores

/// The cloud in a SQLite file. Every request is one transaction; several processes may use the file at once.
final class EmbeddedCloud: CloudBackend {
    private let connection: StoreConnection
    private let zone: String
    /// The cloud's part of the rules.
    private let rules: SyncRules
    private static let version = 1

    private static let create = """
        CREATE TABLE zones (
            name TEXT PRIMARY KEY, head INTEGER NOT NULL, floor INTEGER NOT NULL, lineage BLOB NOT NULL) WITHOUT ROWID;
        CREATE TABLE records (
            zone TEXT NOT NULL, type INTEGER NOT NULL, name TEXT NOT NULL, tag INTEGER NOT NULL,
            deleted INTEGER NOT NULL, content BLOB NOT NULL, PRIMARY KEY (zone, type, name)) WITHOUT ROWID;
        CREATE UNIQUE INDEX records_changes ON records(zone, tag);
        CREATE TABLE operations (
            zone TEXT NOT NULL, device INTEGER NOT NULL, number INTEGER NOT NULL, tag INTEGER NOT NULL,
            PRIMARY KEY (zone, device, number)) WITHOUT ROWID;
        CREATE TABLE blobs (
            zone TEXT NOT NULL, name TEXT NOT NULL, content BLOB NOT NULL, PRIMARY KEY (zone, name)) WITHOUT ROWID;
        """

    /// Opens the cloud's file, or makes it with a zone whose first epoch is given.
    init(_ url: URL, zone: String, epoch: UInt64, rules: SyncRules = .merge) throws {
        self.zone = zone
        self.rules = rules
        connection = try StoreConnection(url, access: .own)
        try connection.write { db in
            let found = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
            if found > Self.version {
                throw SyncErrors.newer("\(url.lastPathComponent) was written by a newer version of Rutter")
            }
            if found == 0 {
                if try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") ?? 0 > 0 {
                    throw SyncErrors.schema("\(url.lastPathComponent) is a database, but no cloud")
                }
                try db.execute(sql: Self.create)
                try db.execute(sql: "PRAGMA user_version = \(Self.version)")
            }
            let lineage = Lineage(starts: [EpochStart(epoch: epoch, number: 0)])
            try db.execute(
                sql: "INSERT OR IGNORE INTO zones VALUES (?, 0, 0, ?)",
                arguments: [zone, Data(lineage.bytes)])
        }
    }

    func answer(_ request: CloudRequest) throws(CloudFailure) -> CloudReply {
        switch request {
        case .save(let token, let operations):
            try write { db in
                var state = try self.zoneRow(db)
                if token.epoch != state.lineage.epoch || token.number < state.floor { return .expired }
                let results = try operations.map { try self.save($0, &state, db) }
                try self.setHead(state.head, db)
                return .saved(results)
            }
        case .changes(let token, let limit): try changes(since: token, limit: limit)
        case .fetch(let key, let limit): try read { db in try self.fetch(after: key, limit: limit, db) }
        case .putBlobs(let blobs):
            try write { db in
                for blob in blobs { try self.put(blob, db) }
                return .stored
            }
        case .getBlobs(let references):
            try read { db in
                .blobs(
                    try references.compactMap { reference in
                        try Data.fetchOne(
                            db, sql: "SELECT content FROM blobs WHERE zone = ? AND name = ?",
                            arguments: [self.zone, reference.name]
                        ).map { Blob(reference: reference, bytes: Array($0)) }
                    })
            }
        }
    }

    // MARK: Saving

    private func save(_ operation: SaveOperation, _ state: inout ZoneRow, _ db: Database) throws -> SaveResult
    {
        let bytes = VersionCoding.bytes(operation.version)
        if bytes.count > SyncSettings.largestRecord {
            return .rejected("the record has \(bytes.count) bytes; \(SyncSettings.largestRecord) are allowed")
        }
        let held = try GRDB.Row.fetchOne(
            try db.cachedStatement(
                sql: "SELECT type, name, tag, content FROM records WHERE zone = ? AND type = ? AND name = ?"),
            arguments: [zone, Int64(operation.key.type.rawValue), operation.key.name.text])
        let done = try Int64.fetchOne(
            try db.cachedStatement(
                sql: "SELECT tag FROM operations WHERE zone = ? AND device = ? AND number = ?"),
            arguments: [zone, Int64(bitPattern: operation.id.device), Int64(bitPattern: operation.id.number)])
        if let done, !rules.noOperationIdentifiers { return held == nil ? .refused(nil) : .duplicate(done) }
        let tag: Int64 = held.map { $0[2] } ?? 0
        if tag != operation.baseTag, !rules.noTagCheck {
            return .refused(try held.map { try Self.record($0) })
        }
        for blob in operation.version.blobs {
            let isThere = try Int.fetchOne(
                try db.cachedStatement(sql: "SELECT 1 FROM blobs WHERE zone = ? AND name = ?"),
                arguments: [zone, blob.name])
            if isThere == nil { return .missingBlob }
        }
        state.head += 1
        if rules.forgetsDeletions, operation.version.isDeleted {
            try db.execute(
                sql: "DELETE FROM records WHERE zone = ? AND type = ? AND name = ?",
                arguments: [zone, Int64(operation.key.type.rawValue), operation.key.name.text])
            return .saved(state.head)
        }
        try write(CloudRecord(key: operation.key, version: operation.version, tag: state.head), bytes, db)
        if !rules.noOperationIdentifiers { try remember(operation.id, tag: state.head, db) }
        return .saved(state.head)
    }

    private func write(_ record: CloudRecord, _ bytes: [UInt8], _ db: Database) throws {
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?, ?, ?)").execute(
            arguments: [
                zone, Int64(record.key.type.rawValue), record.key.name.text, record.tag,
                record.version.isDeleted,
                Data(bytes),
            ])
    }

    private func remember(_ id: OperationID, tag: Int64, _ db: Database) throws {
        try db.cachedStatement(sql: "INSERT INTO operations VALUES (?, ?, ?, ?)").execute(arguments: [
            zone, Int64(bitPattern: id.device), Int64(bitPattern: id.number), tag,
        ])
    }

    private func put(_ blob: Blob, _ db: Database) throws {
        try db.cachedStatement(sql: "INSERT OR IGNORE INTO blobs VALUES (?, ?, ?)")
            .execute(arguments: [zone, blob.reference.name, Data(blob.bytes)])
    }

    private func setHead(_ head: Int64, _ db: Database) throws {
        try db.cachedStatement(sql: "UPDATE zones SET head = ? WHERE name = ?").execute(arguments: [
            head, zone,
        ])
    }

    // MARK: Reading

    private struct ZoneRow {
        var head: Int64
        var floor: Int64
        var lineage: Lineage
    }

    private func zoneRow(_ db: Database) throws -> ZoneRow {
        guard
            let row = try GRDB.Row.fetchOne(
                try db.cachedStatement(sql: "SELECT head, floor, lineage FROM zones WHERE name = ?"),
                arguments: [zone]),
            let lineage = Lineage(bytes: Array(row[2] as Data))
        else { throw SyncErrors.schema("the cloud has lost its zone") }
        return ZoneRow(head: row[0], floor: row[1], lineage: lineage)
    }

    private static func record(_ row: GRDB.Row) throws -> CloudRecord {
        guard let type = UInt8(exactly: row[0] as Int64).flatMap({ RecordType(rawValue: $0) }),
            let name = RecordName(text: row[1]), let version = VersionCoding.version(Array(row[3] as Data))
        else { throw SyncErrors.schema("a record of the cloud cannot be read") }
        return CloudRecord(key: RecordKey(type: type, name: name), version: version, tag: row[2])
    }

    private func changes(since token: ChangeToken, limit: Int) throws(CloudFailure) -> CloudReply {
        let reply = try read { db -> CloudReply? in
            let state = try self.zoneRow(db)
            if token.epoch == state.lineage.epoch, token.number > state.head { return nil }
            if token.epoch != state.lineage.epoch || token.number < state.floor { return .expired }
            var records = try GRDB.Row.fetchAll(
                try db.cachedStatement(
                    sql: """
                        SELECT type, name, tag, content FROM records WHERE zone = ? AND tag > ? ORDER BY tag LIMIT ?
                        """), arguments: [self.zone, token.number, limit + 1]
            ).map { try Self.record($0) }
            let hasMore = records.count > limit
            if hasMore { records.removeLast() }
            let read = ChangeToken(epoch: token.epoch, number: records.last?.tag ?? token.number)
            return .page(CloudPage(records: records, token: read, hasMore: hasMore, lineage: state.lineage))
        }
        if let reply { return reply }
        // A device has read further than this file was ever written: it is an old copy. A new epoch begins.
        try write { db in
            var state = try self.zoneRow(db)
            state.lineage.starts.append(
                EpochStart(epoch: token.epoch &+ UInt64(bitPattern: token.number) | 1, number: state.head))
            try self.setLineage(state.lineage, db)
        }
        return .expired
    }

    private func setLineage(_ lineage: Lineage, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE zones SET lineage = ? WHERE name = ?", arguments: [Data(lineage.bytes), zone])
    }

    private func fetch(after key: RecordKey?, limit: Int, _ db: Database) throws -> CloudReply {
        let state = try zoneRow(db)
        let type = key.map { Int64($0.type.rawValue) } ?? -1
        var records = try GRDB.Row.fetchAll(
            db,
            sql: """
                SELECT type, name, tag, content FROM records WHERE zone = ? AND (type, name) > (?, ?)
                ORDER BY type, name LIMIT ?
                """, arguments: [zone, type, key?.name.text ?? "", limit + 1]
        ).map { try Self.record($0) }
        let hasMore = records.count > limit
        if hasMore { records.removeLast() }
        let token = ChangeToken(epoch: state.lineage.epoch, number: state.head)
        return .page(CloudPage(records: records, token: token, hasMore: hasMore, lineage: state.lineage))
    }

    // MARK: The whole zone

    func latest() throws(CloudFailure) -> Int64 { try read { db in try self.zoneRow(db).head } }

    func state() throws(CloudFailure) -> ZoneState {
        try read { db in
            let row = try self.zoneRow(db)
            let records = try GRDB.Row.fetchAll(
                db,
                sql: "SELECT type, name, tag, content FROM records WHERE zone = ? ORDER BY type, name",
                arguments: [self.zone]
            ).map { try Self.record($0) }
            return ZoneState(records: records, head: row.head, floor: row.floor, lineage: row.lineage)
        }
    }

    func image() throws(CloudFailure) -> ZoneImage {
        let state = try state()
        return try read { db in
            var image = ZoneImage(
                records: state.records, head: state.head, floor: state.floor, lineage: state.lineage)
            for row in try GRDB.Row.fetchAll(
                db, sql: "SELECT device, number, tag FROM operations WHERE zone = ?", arguments: [self.zone])
            {
                let id = OperationID(device: UInt64(bitPattern: row[0]), number: UInt64(bitPattern: row[1]))
                image.operations[id] = row[2]
            }
            for row in try GRDB.Row.fetchAll(
                db, sql: "SELECT name, content FROM blobs WHERE zone = ? ORDER BY name",
                arguments: [self.zone])
            {
                guard let reference = BlobReference(name: row[0]) else { continue }
                image.blobs.append(Blob(reference: reference, bytes: Array(row[1] as Data)))
            }
            return image
        }
    }

    func restore(_ image: ZoneImage, epoch: UInt64) throws(CloudFailure) {
        try write { db in
            for table in ["records", "operations", "blobs"] {
                try db.execute(sql: "DELETE FROM \(table) WHERE zone = ?", arguments: [self.zone])
            }
            for record in image.records { try self.write(record, VersionCoding.bytes(record.version), db) }
            for (id, tag) in image.operations { try self.remember(id, tag: tag, db) }
            for blob in image.blobs { try self.put(blob, db) }
            var lineage = image.lineage
            lineage.starts.append(EpochStart(epoch: epoch, number: image.head))
            try db.execute(
                sql: "UPDATE zones SET head = ?, floor = ?, lineage = ? WHERE name = ?",
                arguments: [image.head, image.floor, Data(lineage.bytes), self.zone])
        }
    }

    func forgetTombstones(upTo number: Int64) throws(CloudFailure) {
        try write { db in
            let state = try self.zoneRow(db)
            let floor = max(state.floor, min(number, state.head))
            try db.execute(
                sql: "UPDATE zones SET floor = ? WHERE name = ?", arguments: [floor, self.zone])
            try db.execute(
                sql: "DELETE FROM records WHERE zone = ? AND deleted = 1 AND tag <= ?",
                arguments: [self.zone, floor])
        }
    }

    // MARK: Transactions

    private func read<T>(_ body: (Database) throws -> T) throws(CloudFailure) -> T {
        do { return try connection.read(body) } catch { throw CloudFailure(error) }
    }

    private func write<T>(_ body: (Database) throws -> T) throws(CloudFailure) -> T {
        do { return try connection.write(body) } catch { throw CloudFailure(error) }
    }
}

extension CloudFailure {
    /// A busy file may be free later, and a full disk may have room; a damaged one stays damaged.
    init(_ error: RutterError) {
        let mayWorkLater = [StoreErrors.locked.code, StoreErrors.disk.code].contains(error.code)
        self = mayWorkLater ? .transient(error.message) : .permanent(error.message)
    }
}

extension Lineage {
    /// As bytes.
    var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.add(count: starts.count)
        for start in starts {
            writer.add(start.epoch)
            writer.add(start.number)
        }
        return writer.bytes
    }

    init?(bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard let count = reader.count() else { return nil }
        var starts: [EpochStart] = []
        for _ in 0..<count {
            guard let epoch = reader.word(), let number = reader.word() else { return nil }
            starts.append(EpochStart(epoch: epoch, number: Int64(bitPattern: number)))
        }
        self.init(starts: starts)
    }
}
