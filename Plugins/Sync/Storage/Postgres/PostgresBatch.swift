/// What a zone in PostgreSQL has of the records and operations of a save, and what the save writes: read and
/// written with one statement for each table.
struct PostgresBatch {
    var tags: [RecordKey: Int64] = [:]
    var done: [OperationID: DoneOperation] = [:]
    /// The number up to which each replica's operations are discarded.
    var floors: [UInt64: UInt64] = [:]
    var blobs: Set<BlobReference> = []
    var records: [(record: CloudRecord, bytes: [UInt8])] = []
    var operations: [(id: OperationID, done: DoneOperation)] = []
    /// Whether it is of a save.
    var isPrepared = false
}

extension PostgresZone: ZoneWriting {
    // MARK: Saving

    mutating func prepare(_ operations: ArraySlice<SaveOperation>) throws {
        var new = PostgresBatch()
        new.isPrepared = true
        try connection.run(
            """
            SELECT r.type::bigint, r.name, r.tag FROM rutter.records r
            JOIN unnest($1::bigint[], $2::text[]) AS k (type, name) ON r.type = k.type::smallint AND r.name = k.name
            WHERE r.owner = current_user
            """, Self.names(operations.map(\.key))
        ) { rows in
            for row in 0..<rows.count {
                guard let key = Self.key(rows, row), let tag = rows[row, 2]?.number else { continue }
                new.tags[key] = tag
            }
        }
        (new.done, new.floors) = try connection.run(
            """
            SELECT o.device, o.number, o.tag, o.digest FROM rutter.operations o
            JOIN unnest($1::bigint[], $2::bigint[]) AS k (device, number) USING (device, number)
            WHERE o.owner = current_user
            UNION ALL SELECT device, number, NULL, NULL FROM rutter.floors
            WHERE owner = current_user AND device = ANY ($1)
            """,
            [
                .integers(operations.map { Int64(bitPattern: $0.id.device) }),
                .integers(operations.map { Int64(bitPattern: $0.id.number) }),
            ], Self.operations)
        let blobs = Set(operations.flatMap(\.version.blobs))
        if !blobs.isEmpty { new.blobs = try tables.whole(blobs.sorted()) }
        batch = new
    }

    private static func names(_ keys: [RecordKey]) -> [PostgresValue] {
        [.integers(keys.map { Int64($0.type.rawValue) }), .texts(keys.map(\.name.text))]
    }

    func done(_ id: OperationID) -> DoneOperation? { batch.done[id] }
    func has(_ blob: BlobReference) -> Bool { batch.blobs.contains(blob) }
    func tag(of key: RecordKey) -> Int64? { batch.tags[key] }

    func floor(of replica: UInt64) throws -> UInt64 {
        if batch.isPrepared { return batch.floors[replica] ?? 0 }
        return try connection.run(
            "SELECT number FROM rutter.floors WHERE owner = current_user AND device = $1",
            [.integer(Int64(bitPattern: replica))]
        ) { UInt64(clamping: $0[0, 0]?.number ?? 0) }
    }

    func records(_ keys: [RecordKey]) throws -> [RecordKey: CloudRecord] {
        // Most refusals of one save are of records that the zone has.
        let there = keys.filter { batch.tags[$0] != nil }
        if there.isEmpty { return [:] }
        let found = try connection.run(
            """
            SELECT r.type::bigint, r.name, r.tag, r.content FROM rutter.records r
            JOIN unnest($1::bigint[], $2::text[]) AS k (type, name) ON r.type = k.type::smallint AND r.name = k.name
            WHERE r.owner = current_user
            """, Self.names(there), Self.records)
        return Dictionary(found.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
    }

    mutating func save(
        _ record: CloudRecord, over base: Int64, _ content: borrowing ByteWriter, by id: OperationID,
        digest: UInt64
    ) -> Bool {
        guard batch.tags[record.key] ?? 0 == base else { return false }
        batch.records.append((record, content.bytes))
        batch.operations.append((id, DoneOperation(tag: record.tag, digest: digest)))
        return true
    }

    mutating func flush() throws {
        if batch.records.isEmpty { return }
        try insert(batch.records)
        try insert(batch.operations)
        batch = PostgresBatch()
    }

    func append(_ mark: HistoryMark) throws {
        try connection.run(
            """
            WITH mark AS (INSERT INTO rutter.history VALUES (current_user, $1, $2))
            UPDATE rutter.zones SET head = $1 WHERE owner = current_user
            """, [.integer(mark.number), .integer(Int64(bitPattern: mark.hash))])
    }

    private func insert(_ records: [(record: CloudRecord, bytes: [UInt8])]) throws {
        try connection.run(
            """
            INSERT INTO rutter.records
            SELECT current_user, type::smallint, name, tag, deleted, content
            FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::boolean[], $5::bytea[])
                AS n (type, name, tag, deleted, content)
            ON CONFLICT (owner, type, name)
            DO UPDATE SET tag = excluded.tag, deleted = excluded.deleted, content = excluded.content
            """,
            Self.names(records.map(\.record.key)) + [
                .integers(records.map(\.record.tag)), .booleans(records.map(\.record.version.isDeleted)),
                .manyBytes(records.map(\.bytes)),
            ])
    }

    private func insert(_ operations: [(id: OperationID, done: DoneOperation)]) throws {
        try connection.run(
            """
            INSERT INTO rutter.operations
            SELECT current_user, * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[])
            """,
            [
                .integers(operations.map { Int64(bitPattern: $0.id.device) }),
                .integers(operations.map { Int64(bitPattern: $0.id.number) }),
                .integers(operations.map(\.done.tag)),
                .integers(operations.map { Int64(bitPattern: $0.done.digest ?? 0) }),
            ])
    }

    // MARK: Administration

    func set(_ lineage: Lineage) throws {
        try connection.run(
            "UPDATE rutter.zones SET lineage = $1 WHERE owner = current_user", [.bytes(lineage.bytes)])
    }

    func set(floor: Int64) throws {
        try connection.run(
            "UPDATE rutter.zones SET floor = $1 WHERE owner = current_user", [.integer(floor)])
        try connection.run(
            "DELETE FROM rutter.records WHERE owner = current_user AND deleted AND tag <= $1",
            [.integer(floor)])
    }

    func put(_ mark: Watermark) throws {
        try connection.run(
            """
            INSERT INTO rutter.devices VALUES (current_user, $1, $2, $3)
            ON CONFLICT (owner, device) DO UPDATE
            SET number = excluded.number, settled = greatest(devices.settled, excluded.settled)
            """,
            [
                .integer(Int64(bitPattern: mark.device)), .integer(mark.token.number),
                .integer(Int64(clamping: mark.settled)),
            ])
    }

    func forgetOperations(of replica: UInt64, upTo number: UInt64) throws {
        if number == 0 { return }
        try connection.run(
            """
            WITH floor AS (
                INSERT INTO rutter.floors VALUES (current_user, $1, $2)
                ON CONFLICT (owner, device) DO UPDATE SET number = greatest(floors.number, excluded.number))
            DELETE FROM rutter.operations WHERE owner = current_user AND device = $1 AND number <= $2
            """, [.integer(Int64(bitPattern: replica)), .integer(Int64(clamping: number))])
    }

    func replace(by image: ZoneImage) throws {
        for table in ["records", "operations", "floors", "blobs", "parts", "history", "devices"] {
            try connection.run("DELETE FROM rutter.\(table) WHERE owner = current_user")
        }
        try insert(image.records.map { ($0, VersionCoding.bytes($0.version)) })
        try insert(image.operations.map { ($0.key, $0.value) })
        for (device, number) in image.floors { try forgetOperations(of: device, upTo: number) }
        for blob in image.blobs { try tables.put(blob) }
        let marks = image.history.marks
        try connection.run(
            "INSERT INTO rutter.history SELECT current_user, * FROM unnest($1::bigint[], $2::bigint[])",
            [.integers(marks.map(\.number)), .integers(marks.map { Int64(bitPattern: $0.hash) })])
        try connection.run(
            "UPDATE rutter.zones SET head = $1, floor = $2, lineage = $3 WHERE owner = current_user",
            [.integer(image.head), .integer(image.floor), .bytes(image.lineage.bytes)])
    }
}
