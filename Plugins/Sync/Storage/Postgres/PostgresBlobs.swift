/// The blobs of a zone in PostgreSQL: small ones in a row, larger ones in parts of one row each.
struct PostgresBlobs: BlobPartStore {
    typealias Failure = any Error
    let connection: PostgresConnection

    /// The references of complete blobs, in order.
    func references() throws -> [BlobReference] {
        try connection.run("SELECT name FROM rutter.blobs WHERE owner = current_user AND whole ORDER BY name")
        {
            rows in (0..<rows.count).compactMap { rows[$0, 0].flatMap { BlobReference(name: $0.text) } }
        }
    }

    /// The head of the zone.
    private static let head = "(SELECT head FROM rutter.zones WHERE owner = current_user)"

    /// Stores a complete blob.
    func put(_ blob: Blob) throws {
        try connection.run(
            """
            INSERT INTO rutter.blobs (owner, name, content, number) VALUES (current_user, $1, $2, \(Self.head))
            ON CONFLICT (owner, name) DO UPDATE SET number = excluded.number
            """, [.text(blob.reference.name), .bytes(blob.bytes)])
    }

    /// All bytes of a complete blob.
    func blob(_ reference: BlobReference) throws -> [UInt8]? {
        let content = try connection.run(
            "SELECT content FROM rutter.blobs WHERE owner = current_user AND name = $1 AND whole",
            [.text(reference.name)]
        ) { rows in rows[0, 0]?.bytes }
        guard let content, content.isEmpty else { return content }
        return try connection.run(
            "SELECT content FROM rutter.parts WHERE owner = current_user AND name = $1 ORDER BY start",
            [.text(reference.name)]
        ) { rows in (0..<rows.count).flatMap { rows[$0, 0]?.bytes ?? [] } }
    }

    /// The complete ones of some blobs.
    func whole(_ blobs: [BlobReference]) throws -> Set<BlobReference> {
        try connection.run(
            "SELECT name FROM rutter.blobs WHERE owner = current_user AND whole AND name = ANY ($1)",
            [.texts(blobs.map(\.name))], Self.references)
    }

    private static func references(_ rows: PostgresConnection.Rows) -> Set<BlobReference> {
        Set((0..<rows.count).compactMap { rows[$0, 0].flatMap { BlobReference(name: $0.text) } })
    }

    /// Removes a blob if its bytes do not match its digest; the server computes the hash.
    func isDropped(_ reference: BlobReference) throws -> Bool {
        let name = PostgresValue.text(reference.name)
        let digits = try connection.run(
            """
            SELECT encode(sha256(CASE WHEN length(b.content) > 0 THEN b.content ELSE coalesce(
                (SELECT string_agg(p.content, ''::bytea ORDER BY p.start) FROM rutter.parts p
                WHERE p.owner = current_user AND p.name = $1), ''::bytea) END), 'hex')
            FROM rutter.blobs b WHERE b.owner = current_user AND b.name = $1
            """, [name]
        ) { $0[0, 0]?.text ?? "" }
        if BlobReference(digits: digits, size: reference.size) == reference { return false }
        for table in ["parts", "blobs"] {
            try connection.run(
                "DELETE FROM rutter.\(table) WHERE owner = current_user AND name = $1", [name])
        }
        return true
    }

    // MARK: Collecting

    /// The blobs without access since a number.
    func untouched(below number: Int64) throws -> UnreferencedBlobs {
        UnreferencedBlobs(
            try connection.run(
                "SELECT name FROM rutter.blobs WHERE owner = current_user AND number < $1",
                [.integer(number)], Self.references))
    }

    /// Removes blobs, except those accessed in the meantime.
    func remove(_ blobs: UnreferencedBlobs, below number: Int64) throws {
        try connection.run(
            """
            WITH gone AS (
                DELETE FROM rutter.blobs WHERE owner = current_user AND name = ANY ($1) AND number < $2 RETURNING name)
            DELETE FROM rutter.parts p USING gone WHERE p.owner = current_user AND p.name = gone.name
            """, [.texts(blobs.references.sorted().map(\.name)), .integer(number)])
    }

    // MARK: Parts

    /// Locks the blob's row, so that devices that send the same part wait for each other.
    func begin(_ part: BlobPart) throws -> Int64? {
        let name = PostgresValue.text(part.reference.name)
        let isWhole = try connection.run(
            """
            INSERT INTO rutter.blobs (owner, name, content, whole, number)
            VALUES (current_user, $1, ''::bytea, false, \(Self.head))
            ON CONFLICT (owner, name) DO UPDATE SET number = excluded.number RETURNING whole
            """, [name]
        ) { $0[0, 0]?.isTrue ?? false }
        if isWhole { return nil }
        return try connection.run(
            """
            SELECT start + length(content) FROM rutter.parts WHERE owner = current_user AND name = $1
            ORDER BY start DESC LIMIT 1
            """, [name]
        ) { $0[0, 0]?.number } ?? 0
    }

    func append(_ part: BlobPart) throws {
        try connection.run(
            "INSERT INTO rutter.parts VALUES (current_user, $1, $2, $3)",
            [.text(part.reference.name), .integer(part.offset), .bytes(part.bytes)])
    }

    /// The server computes the hash, so the bytes need not be transferred.
    func matches(_ blob: BlobReference) throws -> Bool {
        let digits = try connection.run(
            """
            SELECT encode(sha256(string_agg(content, ''::bytea ORDER BY start)), 'hex') FROM rutter.parts
            WHERE owner = current_user AND name = $1
            """, [.text(blob.name)]
        ) { $0[0, 0]?.text ?? "" }
        return BlobReference(digits: digits, size: blob.size) == blob
    }

    func discard(_ blob: BlobReference) throws {
        try connection.run(
            "DELETE FROM rutter.parts WHERE owner = current_user AND name = $1", [.text(blob.name)])
    }

    func complete(_ blob: BlobReference) throws {
        try connection.run(
            "UPDATE rutter.blobs SET whole = true WHERE owner = current_user AND name = $1",
            [.text(blob.name)])
    }

    /// A part of a complete blob, from an offset.
    func part(of reference: BlobReference, from offset: Int64) throws -> BlobPart? {
        guard offset >= 0 else { return nil }
        let content = try connection.run(
            """
            SELECT CASE WHEN length(b.content) > 0 THEN substring(b.content FROM $2::int + 1 FOR $3::int)
                ELSE substring(p.content FROM ($2 - p.start)::int + 1) END
            FROM rutter.blobs b LEFT JOIN LATERAL (
                SELECT start, content FROM rutter.parts
                WHERE owner = current_user AND name = $1 AND start <= $2 ORDER BY start DESC LIMIT 1) p ON true
            WHERE b.owner = current_user AND b.name = $1 AND b.whole
            """,
            [.text(reference.name), .integer(offset), .integer(Int64(SyncSettings.blobPart))]
        ) { rows in rows[0, 0]?.bytes }
        return content.map { BlobPart(reference: reference, offset: offset, bytes: $0) }
    }
}
