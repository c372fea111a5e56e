import Foundation
import GRDB
import TrailStores

/// The blobs of a zone of the embedded cloud: small ones in a row, larger ones in parts of one row each.
struct BlobTables: BlobPartStore {
    typealias Failure = any Error
    private let db: Database
    private let zone: String
    /// The zone's head, which is noted with a blob that is sent.
    private let head: Int64

    init(_ db: Database, zone: String, head: Int64 = 0) {
        self.db = db
        self.zone = zone
        self.head = head
    }

    /// The references of complete blobs, in order.
    func references() throws -> [BlobReference] {
        try String.fetchAll(
            db, sql: "SELECT name FROM blobs WHERE zone = ? AND whole = 1 ORDER BY name", arguments: [zone]
        ).compactMap { BlobReference(name: $0) }
    }

    /// Stores a complete blob.
    func put(_ blob: Blob) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO blobs (zone, name, content, whole, number) VALUES (?, ?, ?, 1, ?)
                ON CONFLICT (zone, name) DO UPDATE SET number = excluded.number
                """
        ).execute(arguments: [zone, blob.reference.name, Data(blob.bytes), head])
    }

    /// All bytes of a complete blob.
    func blob(_ reference: BlobReference) throws -> [UInt8]? {
        guard let row = try row(reference), row.isWhole else { return nil }
        if row.size > 0 || reference.size == 0 {
            return try Data.fetchOne(
                db, sql: "SELECT content FROM blobs WHERE zone = ? AND name = ?",
                arguments: [zone, reference.name]
            ).map { Array($0) }
        }
        var all: [UInt8] = []
        try parts(of: reference) { all += $0 }
        return all
    }

    /// Whether a blob is complete. If its bytes are checked and wrong, it is removed.
    func has(_ reference: BlobReference, looksInside: Bool) throws -> Bool {
        guard let row = try row(reference), row.isWhole else { return false }
        if !looksInside { return true }
        let digest = BlobDigest()
        if row.size > 0 {
            digest.add(try blob(reference) ?? [])
        } else {
            try parts(of: reference) { digest.add($0) }
        }
        if digest.reference == reference { return true }
        try remove(reference.name)
        return false
    }

    private func remove(_ name: String) throws {
        for table in ["blobs", "parts"] {
            try db.cachedStatement(sql: "DELETE FROM \(table) WHERE zone = ? AND name = ?")
                .execute(arguments: [zone, name])
        }
    }

    /// The blobs without access since a number.
    func untouched(below number: Int64) throws -> UnreferencedBlobs {
        UnreferencedBlobs(
            try String.fetchAll(
                db, sql: "SELECT name FROM blobs WHERE zone = ? AND number < ?", arguments: [zone, number]
            ).compactMap { BlobReference(name: $0) })
    }

    func remove(_ blobs: UnreferencedBlobs) throws {
        for blob in blobs.references.sorted() { try remove(blob.name) }
    }

    private func row(_ reference: BlobReference) throws -> (isWhole: Bool, size: Int64)? {
        let find = try RawStatement(
            db, "SELECT whole, length(content) FROM blobs WHERE zone = ? AND name = ?", isCached: true)
        defer { find.reset() }
        find.bind(1, zone)
        find.bind(2, reference.name)
        return try find.next() ? (find.integer(0) == 1, find.integer(1)) : nil
    }

    // MARK: Parts

    func begin(_ part: BlobPart) throws -> Int64? {
        try db.cachedStatement(
            sql: """
                INSERT INTO blobs (zone, name, content, whole, number) VALUES (?, ?, x'', 0, ?)
                ON CONFLICT (zone, name) DO UPDATE SET number = excluded.number
                """
        ).execute(arguments: [zone, part.reference.name, head])
        return try row(part.reference)?.isWhole == true ? nil : held(part.reference)
    }

    func append(_ part: BlobPart) throws {
        try db.cachedStatement(sql: "INSERT INTO parts VALUES (?, ?, ?, ?)")
            .execute(arguments: [zone, part.reference.name, part.offset, Data(part.bytes)])
    }

    func matches(_ blob: BlobReference) throws -> Bool {
        let digest = BlobDigest()
        try parts(of: blob) { digest.add($0) }
        return digest.reference == blob
    }

    func discard(_ blob: BlobReference) throws {
        try db.execute(sql: "DELETE FROM parts WHERE zone = ? AND name = ?", arguments: [zone, blob.name])
    }

    func complete(_ blob: BlobReference) throws {
        try db.execute(
            sql: "UPDATE blobs SET whole = 1 WHERE zone = ? AND name = ?", arguments: [zone, blob.name])
    }

    private func held(_ reference: BlobReference) throws -> Int64 {
        try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT start + length(content) FROM parts WHERE zone = ? AND name = ?
                    ORDER BY start DESC LIMIT 1
                    """), arguments: [zone, reference.name]) ?? 0
    }

    private func parts(of reference: BlobReference, _ body: ([UInt8]) -> Void) throws {
        let rows = try RawStatement(
            db, "SELECT content FROM parts WHERE zone = ? AND name = ? ORDER BY start", isCached: true)
        rows.bind(1, zone)
        rows.bind(2, reference.name)
        while try rows.next() { body(rows.bytes(0).map { Array($0) } ?? []) }
    }

    /// A part of a complete blob, from an offset.
    func part(of reference: BlobReference, from offset: Int64) throws -> BlobPart? {
        guard let row = try row(reference), row.isWhole, offset >= 0 else { return nil }
        let content =
            row.size > 0
            // From an older version, which stored all blobs in one piece.
            ? try Data.fetchOne(
                db, sql: "SELECT substr(content, ?, ?) FROM blobs WHERE zone = ? AND name = ?",
                arguments: [offset + 1, SyncSettings.blobPart, zone, reference.name])
            : try Data.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT substr(content, ?3 - start + 1) FROM parts
                        WHERE zone = ?1 AND name = ?2 AND start <= ?3 ORDER BY start DESC LIMIT 1
                        """), arguments: [zone, reference.name, offset])
        return content.map { BlobPart(reference: reference, offset: offset, bytes: Array($0)) }
    }
}
