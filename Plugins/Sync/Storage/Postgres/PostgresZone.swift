/// A zone in PostgreSQL during a request: a few statements, independent of the number of records.
struct PostgresZone {
    typealias Failure = any Error
    typealias Rows = PostgresConnection.Rows

    let connection: PostgresConnection
    /// The newest mark, once read.
    private var mark: HistoryMark?
    private var isMarkRead = false
    /// What a save needs, and what it has decided to write.
    var batch = PostgresBatch()

    init(_ connection: PostgresConnection) { self.connection = connection }

    var tables: PostgresBlobs { PostgresBlobs(connection: connection) }

    /// Locks the zone's row until the transaction ends.
    func lock() throws {
        try connection.run("SELECT 1 FROM rutter.zones WHERE owner = current_user FOR UPDATE")
    }

    static func key(_ rows: Rows, _ row: Int) -> RecordKey? {
        guard let type = rows[row, 0].flatMap({ UInt8(exactly: $0.number) }),
            let name = rows[row, 1].flatMap({ RecordName(text: $0.text) })
        else { return nil }
        return RecordKey(type: RecordType(rawValue: type), name: name)
    }

    static func records(_ rows: Rows) throws -> [CloudRecord] {
        try (0..<rows.count).map { row in
            guard let key = key(rows, row), let tag = rows[row, 2]?.number, ZoneNumbers.all.contains(tag),
                let version = rows[row, 3].flatMap({ VersionCoding.version($0.content) })
            else { throw SyncErrors.schema("a record of the cloud cannot be read") }
            return CloudRecord(key: key, version: version, tag: tag)
        }
    }

    /// Performed operations, and the number up to which each replica's operations are discarded, in rows
    /// without a tag.
    static func operations(_ rows: Rows) throws -> (
        done: [OperationID: DoneOperation], floors: [UInt64: UInt64]
    ) {
        var done: [OperationID: DoneOperation] = [:]
        var floors: [UInt64: UInt64] = [:]
        for row in 0..<rows.count {
            guard let device = rows[row, 0]?.number, let number = rows[row, 1]?.number else {
                throw SyncErrors.schema("the operations of the cloud cannot be read")
            }
            let id = OperationID(device: UInt64(bitPattern: device), number: UInt64(bitPattern: number))
            guard let tag = rows[row, 2]?.number else {
                floors[id.device] = id.number
                continue
            }
            guard ZoneNumbers.all.contains(tag) else {
                throw SyncErrors.schema("the operations of the cloud cannot be read")
            }
            done[id] = DoneOperation(tag: tag, digest: rows[row, 3].map { UInt64(bitPattern: $0.number) })
        }
        return (done, floors)
    }

    private func marks(_ condition: String, _ arguments: [PostgresValue]) throws -> [HistoryMark] {
        try connection.run(
            "SELECT number, hash FROM rutter.history WHERE owner = current_user AND \(condition)", arguments,
            Self.marks)
    }

    private static func marks(_ rows: Rows) -> [HistoryMark] {
        (0..<rows.count).compactMap { row in
            guard let number = rows[row, 0]?.number, let hash = rows[row, 1]?.number else { return nil }
            return HistoryMark(number: number, hash: UInt64(bitPattern: hash))
        }
    }
}

extension PostgresZone: ZoneReading {
    /// The zone's row, its newest mark, and whether it knows a witness, in one statement.
    mutating func position(_ witness: HistoryMark?) throws -> ZonePosition {
        let asked = witness ?? HistoryMark(number: -1, hash: 0)
        let (position, newest) = try connection.run(
            """
            SELECT h.number, h.hash, z.head, z.floor, z.lineage, EXISTS (
                SELECT FROM rutter.history WHERE owner = current_user AND number = $1 AND hash = $2)
            FROM rutter.zones z LEFT JOIN LATERAL (
                SELECT number, hash FROM rutter.history WHERE owner = current_user ORDER BY number DESC LIMIT 1) h ON true
            WHERE z.owner = current_user
            """, [.integer(asked.number), .integer(Int64(bitPattern: asked.hash))]
        ) { rows in
            guard let head = rows[0, 2]?.number, let floor = rows[0, 3]?.number,
                let lineage = rows[0, 4].flatMap({ Lineage(bytes: $0.bytes) }),
                ZoneNumbers.all.contains(head), (0...head).contains(floor)
            else { throw SyncErrors.schema("the cloud does not contain its zone") }
            let position = ZonePosition(
                head: head, floor: floor, lineage: lineage,
                isWitnessKnown: witness == nil || rows[0, 5]?.isTrue == true)
            return (position, Self.marks(rows).first)
        }
        (mark, isMarkRead) = (newest, true)
        return position
    }

    mutating func lastMark() throws -> HistoryMark? {
        if !isMarkRead { _ = try position(nil) }
        return mark
    }

    func common(_ marks: [HistoryMark]) throws -> HistoryMark? {
        try connection.run(
            """
            SELECT h.number, h.hash FROM rutter.history h
            JOIN unnest($1::bigint[], $2::bigint[]) AS k (number, hash) USING (number, hash)
            WHERE h.owner = current_user ORDER BY h.number DESC LIMIT 1
            """,
            [.integers(marks.map(\.number)), .integers(marks.map { Int64(bitPattern: $0.hash) })],
            Self.marks
        ).first
    }

    func newestMarks(_ limit: Int) throws -> [HistoryMark] {
        try marks("true ORDER BY number DESC LIMIT $1", [.integer(Int64(limit))]).reversed()
    }

    func marks(after start: Int64, upTo end: Int64) throws -> [HistoryMark] {
        try marks(
            """
            number > $1 AND number <= (
                SELECT min(number) FROM rutter.history WHERE owner = current_user AND number >= $2) ORDER BY number
            """, [.integer(start), .integer(end)])
    }

    func changes(after tag: Int64, limit: Int) throws -> RecordPage {
        RecordPage(
            try connection.run(
                """
                SELECT type::bigint, name, tag, content FROM rutter.records WHERE owner = current_user AND tag > $1
                ORDER BY tag LIMIT $2
                """, [.integer(tag), .integer(Int64(limit) + 1)], Self.records), limit: limit)
    }

    func records(after key: RecordKey?, limit: Int) throws -> RecordPage {
        RecordPage(
            try connection.run(
                """
                SELECT type::bigint, name, tag, content FROM rutter.records WHERE owner = current_user
                AND (type, name) > ($1::bigint, $2::text) ORDER BY type, name LIMIT $3
                """,
                [
                    .integer(key.map { Int64($0.type.rawValue) } ?? -1), .text(key?.name.text ?? ""),
                    .integer(Int64(limit) + 1),
                ], Self.records), limit: limit)
    }

    func allRecords() throws -> [CloudRecord] {
        try connection.run(
            """
            SELECT type::bigint, name, tag, content FROM rutter.records WHERE owner = current_user
            ORDER BY type, name
            """, [], Self.records)
    }

    func knownOperations(
        upTo head: Int64
    ) throws -> (done: [OperationID: DoneOperation], floors: [UInt64: UInt64]) {
        try connection.run(
            """
            SELECT device, number, tag, digest FROM rutter.operations WHERE owner = current_user
            UNION ALL SELECT device, number, NULL, NULL FROM rutter.floors WHERE owner = current_user
            """, [], Self.operations)
    }

    func blobs(withBytes: Bool) throws -> [Blob] {
        try tables.references().map {
            Blob(reference: $0, bytes: withBytes ? try tables.blob($0) ?? [] : [])
        }
    }

    func reports() throws -> [DeviceReport] {
        try connection.run("SELECT device, number, settled FROM rutter.devices WHERE owner = current_user") {
            rows in
            (0..<rows.count).map { row in
                DeviceReport(
                    device: UInt64(bitPattern: rows[row, 0]?.number ?? 0), number: rows[row, 1]?.number ?? 0,
                    settled: UInt64(clamping: rows[row, 2]?.number ?? 0))
            }
        }
    }

    /// Spares the blobs named by records with a tag above a number.
    func spareNamed(by tag: Int64, _ unused: inout UnreferencedBlobs) throws {
        var last = tag
        while !unused.isEmpty {
            let records = try changes(after: last, limit: SyncSettings.page).records
            for record in records { unused.spare(record.version) }
            guard let end = records.last?.tag else { return }
            last = end
        }
    }
}
