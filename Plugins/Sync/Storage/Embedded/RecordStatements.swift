import GRDB
import TrailStores

/// The statements on the records of a zone of the embedded cloud, for one request.
struct RecordStatements {
    private let find, insert, update, findBlob: RawStatement

    init(_ db: Database, zone: String) throws {
        find = try RawStatement(
            db, "SELECT type, name, tag, content FROM records WHERE zone = ?1 AND type = ?2 AND name = ?3",
            isCached: true)
        insert = try RawStatement(
            db,
            """
            INSERT INTO records (zone, type, name, tag, deleted, content) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            ON CONFLICT (zone, type, name) DO NOTHING
            """, isCached: true)
        update = try RawStatement(
            db,
            """
            UPDATE records SET tag = ?4, deleted = ?5, content = ?6
            WHERE zone = ?1 AND type = ?2 AND name = ?3 AND tag = ?7
            """, isCached: true)
        findBlob = try RawStatement(
            db, "SELECT 1 FROM blobs WHERE zone = ?1 AND name = ?2 AND whole = 1", isCached: true)
        for statement in [find, insert, update, findBlob] { statement.bind(1, zone) }
    }

    /// Writes a record over the one with a tag, or as a new record if the tag is 0. Returns `false` if the
    /// zone has another version.
    func write(_ record: CloudRecord, over base: Int64, _ content: borrowing ByteWriter) throws -> Bool {
        let statement = base == 0 ? insert : update
        statement.bind(2, Int64(record.key.type.rawValue))
        statement.bind(4, record.tag)
        statement.bind(5, Int64(record.version.isDeleted ? 1 : 0))
        if base != 0 { statement.bind(7, base) }
        try content.withBytes {
            statement.bind(6, blob: $0, isCopied: false)
            defer { statement.bindNull(6) }
            try statement.run(3, record.key.name)
        }
        return statement.changes == 1
    }

    func tag(of key: RecordKey) throws -> Int64? {
        defer { find.reset() }
        find.bind(2, key)
        return try find.next() ? find.integer(2) : nil
    }

    func record(_ key: RecordKey) throws -> CloudRecord? {
        defer { find.reset() }
        find.bind(2, key)
        return try find.next() ? Self.record(find) : nil
    }

    func has(_ blob: BlobReference) throws -> Bool {
        defer { findBlob.reset() }
        findBlob.bind(2, blob.name)
        return try findBlob.next()
    }

    /// The records in rows of `type, name, tag, content`.
    static func all(_ rows: RawStatement) throws -> [CloudRecord] {
        var records: [CloudRecord] = []
        while try rows.next() { records.append(try record(rows)) }
        return records
    }

    static func record(_ row: RawStatement) throws -> CloudRecord {
        guard let key = row.key(0), ZoneNumbers.all.contains(row.integer(2)),
            let version = row.bytes(3).flatMap({ VersionCoding.version($0) })
        else { throw SyncErrors.schema("a record of the cloud cannot be read") }
        return CloudRecord(key: key, version: version, tag: row.integer(2))
    }
}
