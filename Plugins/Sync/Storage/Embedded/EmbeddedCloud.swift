import Foundation
import GRDB
import PluginKit
import TrailStores

/// The cloud in a SQLite file. Every request is one transaction; several processes may use the file at once.
package final class EmbeddedCloud: CloudBackend {
    private let connection: StoreConnection
    private let zone: String
    private static let version = 5
    /// The first version had a row for each operation.
    private static let migrateFirst = """
        ALTER TABLE operations RENAME COLUMN number TO first;
        ALTER TABLE operations ADD COLUMN count INTEGER NOT NULL DEFAULT 1;
        """

    /// The second version stored neither digests of operations nor marks of the history. A zone's first mark
    /// is random.
    private static let migrateSecond = """
        ALTER TABLE operations ADD COLUMN digests BLOB;
        \(history)
        INSERT INTO history SELECT name, head, random() FROM zones WHERE head > 0;
        """

    /// The third version stored blobs in one piece. `whole`: all parts have arrived; `number`: the zone's
    /// head when the blob was last requested or sent.
    private static let migrateThird = """
        ALTER TABLE blobs ADD COLUMN whole INTEGER NOT NULL DEFAULT 1;
        ALTER TABLE blobs ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE parts (
            zone TEXT NOT NULL, name TEXT NOT NULL, start INTEGER NOT NULL, content BLOB NOT NULL,
            PRIMARY KEY (zone, name, start)) WITHOUT ROWID;
        CREATE TABLE devices (
            zone TEXT NOT NULL, device INTEGER NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (zone, device)) WITHOUT ROWID;
        """

    /// The fourth version kept all operations. `settled`: the number up to which a device's operations are
    /// settled; `floors`: the number up to which a replica's operations are discarded.
    private static let migrateFourth = """
        ALTER TABLE devices ADD COLUMN settled INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE floors (
            zone TEXT NOT NULL, device INTEGER NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (zone, device)) WITHOUT ROWID;
        """

    private static let history = """
        CREATE TABLE history (
            zone TEXT NOT NULL, number INTEGER NOT NULL, hash INTEGER NOT NULL, PRIMARY KEY (zone, number)) WITHOUT ROWID;
        """

    private static let create = """
        CREATE TABLE zones (
            name TEXT PRIMARY KEY, head INTEGER NOT NULL, floor INTEGER NOT NULL, lineage BLOB NOT NULL) WITHOUT ROWID;
        CREATE TABLE records (
            zone TEXT NOT NULL, type INTEGER NOT NULL, name TEXT NOT NULL, tag INTEGER NOT NULL,
            deleted INTEGER NOT NULL, content BLOB NOT NULL, PRIMARY KEY (zone, type, name)) WITHOUT ROWID;
        CREATE UNIQUE INDEX records_changes ON records(zone, tag);
        CREATE TABLE operations (
            zone TEXT NOT NULL, device INTEGER NOT NULL, first INTEGER NOT NULL, tag INTEGER NOT NULL,
            count INTEGER NOT NULL DEFAULT 1, digests BLOB, PRIMARY KEY (zone, device, first)) WITHOUT ROWID;
        CREATE TABLE blobs (
            zone TEXT NOT NULL, name TEXT NOT NULL, content BLOB NOT NULL, PRIMARY KEY (zone, name)) WITHOUT ROWID;
        \(history)
        \(migrateThird)
        \(migrateFourth)
        """

    /// Opens the cloud's file, or creates it with a zone and its first epoch.
    package init(_ url: URL, zone: String, epoch: UInt64) throws {
        self.zone = zone
        connection = try StoreConnection(url, access: .own, pageSize: SyncSettings.pageSize)
        try connection.write { db in
            let found = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
            if found > Self.version {
                throw SyncErrors.newer("\(url.lastPathComponent) was written by a newer version of Rutter")
            }
            if found == 0 {
                if try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") ?? 0 > 0 {
                    throw SyncErrors.schema("\(url.lastPathComponent) is a database, but not a sync cloud")
                }
                try db.execute(sql: Self.create)
            } else if found < Self.version {
                if found == 1 { try db.execute(sql: Self.migrateFirst) }
                if found <= 2 { try db.execute(sql: Self.migrateSecond) }
                if found <= 3 { try db.execute(sql: Self.migrateThird) }
                try db.execute(sql: Self.migrateFourth)
            }
            if found < Self.version { try db.execute(sql: "PRAGMA user_version = \(Self.version)") }
            let lineage = Lineage(starts: [EpochStart(epoch: epoch, number: 0)])
            try db.execute(
                sql: "INSERT OR IGNORE INTO zones VALUES (?, 0, 0, ?)",
                arguments: [zone, Data(lineage.bytes)])
        }
    }

    package func answer(_ request: CloudRequest) throws(CloudFailure) -> CloudReply {
        switch request {
        case .save(let token, let witness, let operations):
            try write { db in
                var state = try self.zoneRow(db)
                let history = try ZoneHistory(db, zone: self.zone)
                if try !history.knows(witness) { return .diverged(state.lineage) }
                if token.epoch != state.lineage.epoch || token.number < state.floor { return .expired }
                let records = try RecordStatements(db, zone: self.zone)
                var known = try KnownOperations(db, zone: self.zone)
                var writer = ByteWriter()
                var results: [SaveResult] = []
                results.reserveCapacity(operations.count)
                var mark = try history.last()
                var hash = mark?.hash ?? 0
                let head = state.head
                for operation in operations {
                    results.append(try self.save(operation, &state, records, &known, &writer, &hash))
                }
                try known.write()
                if state.head > head {
                    mark = HistoryMark(number: state.head, hash: hash)
                    try history.append(mark)
                    try self.setHead(state.head, db)
                }
                return .saved(results, mark)
            }
        case .changes(let token, let witness, let limit):
            try changes(since: token, witness, limit: limit)
        case .fetch(let key, let witness, let limit):
            try read { db in try self.fetch(after: key, witness, limit: limit, db) }
        case .common(let marks):
            try read { db in
                let history = try ZoneHistory(db, zone: self.zone)
                return .common(try marks.first { try history.knows($0) })
            }
        case .putBlobs(let blobs):
            try write { db in
                let head = try self.zoneRow(db).head
                let store = BlobTables(db, zone: self.zone)
                for blob in blobs { try store.put(blob, head: head) }
                return .stored
            }
        case .getBlobs(let references):
            try read { db in
                let store = BlobTables(db, zone: self.zone)
                return .blobs(
                    try references.compactMap { reference in
                        try store.blob(reference).map { Blob(reference: reference, bytes: $0) }
                    })
            }
        case .putPart(let part):
            try write { db in
                let head = try self.zoneRow(db).head
                return .received(try BlobTables(db, zone: self.zone).put(part, head: head))
            }
        case .report(let mark):
            try write { db in
                try self.note(mark, db)
                return .noted
            }
        case .lacks(let references, let looksInside):
            try write { db in
                let store = BlobTables(db, zone: self.zone)
                return .lacking(
                    try references.filter { try !store.has($0, looksInside: looksInside) })
            }
        case .getPart(let reference, let offset):
            try read { db in
                .part(try BlobTables(db, zone: self.zone).part(of: reference, from: offset))
            }
        }
    }

    // MARK: Saving

    private func save(
        _ operation: SaveOperation, _ state: inout ZoneRow, _ records: RecordStatements,
        _ known: inout KnownOperations, _ writer: inout ByteWriter, _ hash: inout UInt64
    ) throws -> SaveResult {
        let key = operation.key
        writer.clear()
        VersionCoding.add(operation.version, to: &writer)
        if writer.count > SyncSettings.largestRecord {
            return .rejected(
                "the record has \(writer.count) bytes; the maximum is \(SyncSettings.largestRecord)")
        }
        let digest = writer.withBytes { operation.digest(of: $0) }
        if let done = try known.done(operation.id) {
            if let known = done.digest {
                if known != digest { return .reused }
            } else if let held = try records.record(key),
                held.tag != done.tag || held.version != operation.version
            {
                // An older version did not store the digest: the current record shows whether it is the same.
                return .reused
            }
            return try records.tag(of: key) == nil ? .refused(nil) : .duplicate(done.tag)
        }
        if try known.isForgotten(operation.id) { return .reused }
        let hasBlobs = try operation.version.blobs.allSatisfy { try records.has($0) }
        let record = CloudRecord(key: key, version: operation.version, tag: state.head + 1)
        guard hasBlobs, try records.write(record, over: operation.baseTag, writer) else {
            // Read only in this case: most saves succeed.
            let held = try records.record(key)
            return held?.tag ?? 0 == operation.baseTag ? .missingBlob : .refused(held)
        }
        state.head += 1
        try known.add(operation.id, DoneOperation(tag: state.head, digest: digest))
        hash = HistoryMark.hash(hash, adding: operation.id, digest: digest)
        return .saved(state.head)
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
        let row = try RawStatement(
            db, "SELECT head, floor, lineage FROM zones WHERE name = ?", isCached: true)
        row.bind(1, zone)
        guard try row.next(), ZoneNumbers.all.contains(row.integer(0)),
            (0...row.integer(0)).contains(row.integer(1)),
            let lineage = row.bytes(2).flatMap({ Lineage(bytes: Array($0)) })
        else { throw SyncErrors.schema("the cloud does not contain its zone") }
        return ZoneRow(head: row.integer(0), floor: row.integer(1), lineage: lineage)
    }

    private func changes(
        since token: ChangeToken, _ witness: HistoryMark?, limit: Int
    ) throws(CloudFailure) -> CloudReply {
        let reply = try read { db -> CloudReply? in
            let state = try self.zoneRow(db)
            let history = try ZoneHistory(db, zone: self.zone)
            if try !history.knows(witness) { return .diverged(state.lineage) }
            if token.epoch == state.lineage.epoch, token.number > state.head { return nil }
            if token.epoch != state.lineage.epoch || token.number < state.floor { return .expired }
            let rows = try RawStatement(
                db,
                "SELECT type, name, tag, content FROM records WHERE zone = ? AND tag > ? ORDER BY tag LIMIT ?",
                isCached: true)
            rows.bind(1, self.zone)
            rows.bind(2, token.number)
            rows.bind(3, Int64(limit + 1))
            var records = try RecordStatements.all(rows)
            let hasMore = records.count > limit
            if hasMore { records.removeLast() }
            let read = ChangeToken(epoch: token.epoch, number: records.last?.tag ?? token.number)
            return .page(
                CloudPage(
                    records: records, token: read, hasMore: hasMore, lineage: state.lineage,
                    history: try history.passed(
                        after: max(token.number, witness?.number ?? 0),
                        upTo: hasMore ? state.head : read.number)))
        }
        if let reply { return reply }
        // The device's token is beyond the head: this file is an old copy. A new epoch begins.
        try begin(epoch: ZoneNumbers.epoch(after: token))
        return .expired
    }

    private func setLineage(_ lineage: Lineage, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE zones SET lineage = ? WHERE name = ?", arguments: [Data(lineage.bytes), zone])
    }

    private func fetch(
        after key: RecordKey?, _ witness: HistoryMark?, limit: Int, _ db: Database
    ) throws -> CloudReply {
        let state = try zoneRow(db)
        let history = try ZoneHistory(db, zone: zone)
        if try !history.knows(witness) { return .diverged(state.lineage) }
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
        var records = try RecordStatements.all(rows)
        let hasMore = records.count > limit
        if hasMore { records.removeLast() }
        let token = ChangeToken(epoch: state.lineage.epoch, number: state.head)
        return .page(
            CloudPage(
                records: records, token: token, hasMore: hasMore, lineage: state.lineage,
                history: try history.newest(SyncSettings.marksOfFetch)))
    }

    // MARK: The whole zone

    package func latest() throws(CloudFailure) -> Int64 { try read { db in try self.zoneRow(db).head } }

    package func digests(of ranges: [KeyRange]) throws(CloudFailure) -> [RangeDigest]? {
        try read { db in
            let rows = try RawStatement(
                db,
                """
                SELECT type, name, content FROM records WHERE zone = ? AND (type, name) > (?, ?) AND (type, name) <= (?, ?)
                AND deleted = 0
                """, isCached: true)
            return try ranges.map { range in
                rows.reset()
                rows.bind(1, self.zone)
                let bounds = range.bounds
                rows.bind(2, bounds.after.type)
                rows.bind(3, bounds.after.name)
                rows.bind(4, bounds.through.type)
                rows.bind(5, bounds.through.name)
                var digest = RangeDigest()
                while try rows.next() {
                    guard let key = rows.key(0), let content = rows.bytes(2) else {
                        throw SyncErrors.schema("a record of the cloud cannot be read")
                    }
                    digest.add(RangeDigest.digest(key, Array(content)))
                }
                return digest
            }
        }
    }

    package func state() throws(CloudFailure) -> ZoneState {
        try read { db in
            let row = try self.zoneRow(db)
            let rows = try RawStatement(
                db, "SELECT type, name, tag, content FROM records WHERE zone = ? ORDER BY type, name")
            rows.bind(1, self.zone)
            return ZoneState(
                records: try RecordStatements.all(rows), head: row.head, floor: row.floor,
                lineage: row.lineage, mark: try ZoneHistory(db, zone: self.zone).last())
        }
    }

    package func outline() throws(CloudFailure) -> ZoneImage { try copy(withBlobs: false) }
    package func image() throws(CloudFailure) -> ZoneImage { try copy(withBlobs: true) }

    private func copy(withBlobs: Bool) throws(CloudFailure) -> ZoneImage {
        let state = try state()
        return try read { db in
            var image = ZoneImage(
                records: state.records, head: state.head, floor: state.floor, lineage: state.lineage)
            image.history = History(try ZoneHistory(db, zone: self.zone).newest(.max))
            image.operations = try KnownOperations.all(db, zone: self.zone, head: state.head)
            image.floors = try KnownOperations.floors(db, zone: self.zone)
            let store = BlobTables(db, zone: self.zone)
            image.blobs = try store.references().map {
                Blob(reference: $0, bytes: withBlobs ? try store.blob($0) ?? [] : [])
            }
            return image
        }
    }

    package func restore(_ image: ZoneImage, epoch: UInt64?) throws(CloudFailure) {
        try write { db in
            for table in ["records", "operations", "floors", "blobs", "parts", "history", "devices"] {
                try db.execute(sql: "DELETE FROM \(table) WHERE zone = ?", arguments: [self.zone])
            }
            let records = try RecordStatements(db, zone: self.zone)
            var writer = ByteWriter()
            for record in image.records {
                writer.clear()
                VersionCoding.add(record.version, to: &writer)
                _ = try records.write(record, over: 0, writer)
            }
            var known = try KnownOperations(db, zone: self.zone)
            for (id, done) in image.operations.sorted(by: { $0.value.tag < $1.value.tag }) {
                try known.add(id, done)
            }
            try known.write()
            for (device, number) in image.floors {
                try KnownOperations.collect(db, zone: self.zone, of: device, upTo: number)
            }
            let history = try ZoneHistory(db, zone: self.zone)
            for mark in image.history.marks { try history.append(mark) }
            let store = BlobTables(db, zone: self.zone)
            for blob in image.blobs { try store.put(blob, head: image.head) }
            var lineage = image.lineage
            if let epoch { lineage.starts.append(EpochStart(epoch: epoch, number: image.head)) }
            try db.execute(
                sql: "UPDATE zones SET head = ?, floor = ?, lineage = ? WHERE name = ?",
                arguments: [image.head, image.floor, Data(lineage.bytes), self.zone])
        }
    }

    package func begin(epoch: UInt64) throws(CloudFailure) {
        try write { db in
            var state = try self.zoneRow(db)
            state.lineage.starts.append(EpochStart(epoch: epoch, number: state.head))
            try self.setLineage(state.lineage, db)
        }
    }

    package func forgetTombstones(upTo number: Int64) throws(CloudFailure) {
        try write { db in try self.forget(upTo: number, self.zoneRow(db), db) }
    }

    private func forget(upTo number: Int64, _ state: ZoneRow, _ db: Database) throws {
        let floor = max(state.floor, min(number, state.head))
        try db.execute(sql: "UPDATE zones SET floor = ? WHERE name = ?", arguments: [floor, zone])
        try db.execute(
            sql: "DELETE FROM records WHERE zone = ? AND deleted = 1 AND tag <= ?", arguments: [zone, floor])
    }

    private func note(_ mark: Watermark, _ db: Database) throws {
        let state = try zoneRow(db)
        guard mark.token.epoch == state.lineage.epoch, mark.token.number <= state.head else { return }
        try db.execute(
            sql: "INSERT OR REPLACE INTO devices VALUES (?, ?, ?, ?)",
            arguments: [
                zone, Int64(bitPattern: mark.device), mark.token.number, Int64(clamping: mark.settled),
            ])
        if Watermark.isWorthwhile(
            mark.settled, above: try KnownOperations.floors(db, zone: zone)[mark.device] ?? 0)
        {
            try KnownOperations.collect(db, zone: zone, of: mark.device, upTo: mark.settled)
        }
        let numbers = try Int64.fetchAll(
            db, sql: "SELECT number FROM devices WHERE zone = ?", arguments: [zone])
        guard let floor = Watermark.floor(of: numbers, head: state.head, above: state.floor) else { return }
        try forget(upTo: floor, state, db)
        try collectBlobs(below: floor, db)
    }

    package func collectBlobs(below number: Int64) throws(CloudFailure) {
        try write { db in try self.collectBlobs(below: number, db) }
    }

    package func collectOperations() throws(CloudFailure) {
        try write { db in
            let rows = try TypedRow.all(
                db, "SELECT device, settled FROM devices WHERE zone = ?", of: "devices",
                arguments: [self.zone])
            for row in rows {
                try KnownOperations.collect(
                    db, zone: self.zone, of: UInt64(bitPattern: try row.require("device")),
                    upTo: UInt64(clamping: try row.require("settled", as: Int64.self)))
            }
        }
    }

    private func collectBlobs(below number: Int64, _ db: Database) throws {
        try BlobTables(db, zone: zone).collect(below: number) { body in
            let rows = try RawStatement(
                db, "SELECT type, name, tag, content FROM records WHERE zone = ? AND deleted = 0")
            rows.bind(1, zone)
            while try rows.next() { body(try RecordStatements.record(rows).version) }
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
    /// A busy file may become free, and a full disk may get space; a damaged file stays damaged.
    init(_ error: RutterError) {
        let mayWorkLater = [StoreErrors.locked.code, StoreErrors.disk.code].contains(error.code)
        self = mayWorkLater ? .transient(error.message) : .permanent(error.message)
    }
}

extension Lineage {
    /// The encoded lineage.
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
        let lineage = bytes.withUnsafeBytes {
            var reader = ByteReader($0)
            return Lineage(&reader)
        }
        guard let lineage else { return nil }
        self = lineage
    }

    private init?(_ reader: inout ByteReader) {
        guard let count = reader.count() else { return nil }
        var starts: [EpochStart] = []
        for _ in 0..<count {
            guard let epoch = reader.word(), let number = reader.word() else { return nil }
            starts.append(EpochStart(epoch: epoch, number: Int64(bitPattern: number)))
        }
        self.init(starts: starts)
    }
}
