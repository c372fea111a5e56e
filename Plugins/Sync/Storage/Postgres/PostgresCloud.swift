import CPostgres
import Foundation
import PluginKit

/// The cloud in PostgreSQL, for many machines and users, through libpq. Plain SQL; a request is one
/// transaction of a few statements, independent of its size, and writers of a zone wait for its row.
/// Row-level security restricts each user to one zone.
package final class PostgresCloud: CloudBackend {
    private enum Settings {
        /// Attempts of a deadlocked transaction.
        static let attempts = 4
        /// Maximum wait for a notification in seconds.
        static let longestWait = 60.0
        /// SQLSTATE of a lock time-out.
        static let lockTimeout = "55P03"
        /// SQLSTATE of an unknown function.
        static let unknownFunction = "42883"
    }

    private typealias Rows = PostgresConnection.Rows

    private let connection: PostgresConnection
    /// Whether this connection receives notifications.
    private var isListening = false
    private let epoch: UInt64

    /// A cloud at an address. Throws if the server refuses permanently; if it is unreachable at present, the
    /// requests report it.
    package init(_ address: String, epoch: UInt64) throws {
        try NativeLibrary.postgres.require()
        connection = PostgresConnection(address)
        self.epoch = epoch
        do throws(CloudFailure) { try connect() } catch {
            switch error {
            case .transient: break
            case .permanent(let why): throw SyncErrors.cloud(why, at: .parameter("cloud"))
            }
        }
    }

    private func connect() throws(CloudFailure) {
        isListening = false
        try connection.connect()
        do { try prepare() } catch let error as PostgresConnection.Refusal {
            throw error.state == "42501" ? .permanent("\(error.message); \(Self.setup)") : error.failure
        } catch let error as CloudFailure { throw error } catch { throw .permanent("\(error)") }
    }

    private static let setup = "an administrator must first run `cloud setup ADDRESS --account NAME`"

    private func prepare() throws {
        guard let version = try PostgresSchema.installed(connection) else {
            throw CloudFailure.permanent("the database has no schema rutter: \(Self.setup)")
        }
        guard version == PostgresSchema.version else {
            throw CloudFailure.permanent(
                "the schema rutter is of version \(version), not \(PostgresSchema.version); \(Self.setup)")
        }
        try connection.run(
            """
            INSERT INTO rutter.zones (owner, head, floor, lineage, channel)
            VALUES (current_user, 0, 0, $1, 'rutter_' || md5(random()::text)) ON CONFLICT DO NOTHING
            """, [.bytes(Lineage(starts: [EpochStart(epoch: epoch, number: 0)]).bytes)])
    }

    // MARK: Transactions

    private func transaction<T>(_ begin: String, _ body: () throws -> T) throws -> T {
        var attempt = 1
        while true {
            do {
                try connection.script(begin)
                let value = try body()
                try connection.script("COMMIT")
                return value
            } catch let error as PostgresConnection.Refusal
                where ["40001", "40P01"].contains(error.state) && attempt < Settings.attempts
            {
                attempt += 1
                try connection.script("ROLLBACK")
            } catch let error as PostgresConnection.Refusal
                where error.state == Settings.lockTimeout && attempt < Settings.attempts
            {
                attempt += 1
                try connection.script("ROLLBACK")
                try endStalled()
            } catch {
                // A lost connection has rolled back by itself.
                if connection.isOpen { try? connection.script("ROLLBACK") }
                throw error
            }
        }
    }

    /// Ends transactions of this account whose client froze in the middle of a statement. No time-out of the
    /// server ends those: a cancellation is deferred while a message is read, and the session is not idle. A
    /// client that is merely slow has its transaction ended by a waiting client, and sends it again.
    private func endStalled() throws {
        try connection.run(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE usename = current_user AND datname = current_database() AND pid <> pg_backend_pid()
                AND wait_event = 'ClientRead' AND state <> 'idle' AND state_change < clock_timestamp() - interval '4 s'
            """)
    }

    /// Runs a request; reconnects if the connection was lost.
    private func request<T>(_ begin: String, _ body: () throws -> T) throws(CloudFailure) -> T {
        if !connection.isOpen { try connect() }
        do { return try transaction(begin, body) } catch let error as PostgresConnection.Refusal {
            throw error.failure
        } catch let error as CloudFailure {
            throw error
        } catch let error as RutterError {
            throw .permanent(error.message)
        } catch {
            throw .permanent("\(error)")
        }
    }

    private func reading<T>(_ body: () throws -> T) throws(CloudFailure) -> T {
        try request("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", body)
    }

    private func writing<T>(_ body: () throws -> T) throws(CloudFailure) -> T { try request("BEGIN", body) }

    // MARK: Requests

    package func answer(_ request: CloudRequest) throws(CloudFailure) -> CloudReply {
        switch request {
        case .save(let token, let witness, let operations):
            let reply = try writing { try self.save(token, witness, operations) }
            if case .saved(let results, _) = reply, results.contains(where: \.isSaved) { notify() }
            return reply
        case .changes(let token, let witness, let limit):
            if let reply = try reading({ try self.changes(token, witness, limit) }) { return reply }
            try writing { try self.begin(ZoneNumbers.epoch(after: token)) }
            return .expired
        case .fetch(let key, let witness, let limit):
            return try reading { try self.fetch(key, witness, limit) }
        case .common(let marks): return try reading { .common(try self.common(marks)) }
        case .putBlobs(let blobs):
            return try writing {
                for blob in blobs { try self.tables.put(blob) }
                return .stored
            }
        case .getBlobs(let references):
            return try reading {
                .blobs(
                    try references.compactMap { reference in
                        try tables.blob(reference).map { Blob(reference: reference, bytes: $0) }
                    })
            }
        case .putPart(let part): return try writing { .received(try tables.put(part)) }
        case .report(let mark):
            try note(mark)
            return .noted
        case .lacks(let references, let looksInside):
            return try writing {
                let there = try tables.whole(references.map(\.name))
                return .lacking(
                    try references.filter { reference in
                        guard there.contains(reference.name) else { return true }
                        return looksInside ? try tables.isDropped(reference) : false
                    })
            }
        case .getPart(let reference, let offset):
            return try reading { .part(try tables.part(of: reference, from: offset)) }
        }
    }

    /// A hint only: sent after the commit, so that it is optional. It carries only the head, on a channel
    /// with a random name.
    private func notify() {
        try? connection.run(
            "SELECT pg_notify(channel, head::text) FROM rutter.zones WHERE owner = current_user")
    }

    private struct Zone {
        var head: Int64
        let floor: Int64
        var lineage: Lineage
        let isWitnessKnown: Bool
        var mark: HistoryMark?
    }

    /// The zone's row, its newest mark, and whether it knows a witness. A writer locks the row, so that
    /// numbers are assigned in the order in which transactions end.
    private func zone(_ witness: HistoryMark? = nil, locks: Bool = false) throws -> Zone {
        if locks { try connection.run("SELECT 1 FROM rutter.zones WHERE owner = current_user FOR UPDATE") }
        let mark = witness ?? HistoryMark(number: -1, hash: 0)
        return try connection.run(
            """
            SELECT z.head, z.floor, z.lineage, h.number, h.hash, EXISTS (
                SELECT FROM rutter.history WHERE owner = current_user AND number = $1 AND hash = $2)
            FROM rutter.zones z LEFT JOIN LATERAL (
                SELECT number, hash FROM rutter.history WHERE owner = current_user ORDER BY number DESC LIMIT 1) h ON true
            WHERE z.owner = current_user
            """, [.integer(mark.number), .integer(Int64(bitPattern: mark.hash))]
        ) { rows in
            guard let head = rows[0, 0]?.number, let floor = rows[0, 1]?.number,
                let lineage = rows[0, 2].flatMap({ Lineage(bytes: $0.bytes) }),
                ZoneNumbers.all.contains(head),
                (0...head).contains(floor)
            else { throw SyncErrors.schema("the cloud does not contain its zone") }
            var zone = Zone(
                head: head, floor: floor, lineage: lineage,
                isWitnessKnown: witness == nil || rows[0, 5]?.isTrue == true)
            if let number = rows[0, 3]?.number, let hash = rows[0, 4]?.number {
                zone.mark = HistoryMark(number: number, hash: UInt64(bitPattern: hash))
            }
            return zone
        }
    }

    // MARK: Saving

    private func save(
        _ token: ChangeToken, _ witness: HistoryMark?, _ operations: [SaveOperation]
    ) throws -> CloudReply {
        var zone = try zone(witness, locks: true)
        if !zone.isWitnessKnown { return .diverged(zone.lineage) }
        if token.epoch != zone.lineage.epoch || token.number < zone.floor { return .expired }
        var results: [SaveResult] = []
        for batch in Self.batches(operations) { results += try save(batch, &zone) }
        return .saved(results, zone.mark)
    }

    /// The operations in order, split where a record or an identifier repeats.
    private static func batches(_ operations: [SaveOperation]) -> [ArraySlice<SaveOperation>] {
        var batches: [ArraySlice<SaveOperation>] = []
        var start = 0
        var keys: Set<RecordKey> = []
        var ids: Set<OperationID> = []
        for (index, operation) in operations.enumerated() {
            if keys.contains(operation.key) || ids.contains(operation.id) {
                batches.append(operations[start..<index])
                (start, keys, ids) = (index, [], [])
            }
            keys.insert(operation.key)
            ids.insert(operation.id)
        }
        batches.append(operations[start...])
        return batches
    }

    /// The zone's data for the records and operations of a batch.
    private struct StoredBatch {
        var tags: [RecordKey: Int64] = [:]
        var done: [OperationID: DoneOperation] = [:]
        /// The number up to which each replica's operations are discarded.
        var floors: [UInt64: UInt64] = [:]
        var blobs: Set<String> = []
    }

    private func stored(_ operations: ArraySlice<SaveOperation>) throws -> StoredBatch {
        var stored = StoredBatch()
        try connection.run(
            """
            SELECT r.type::bigint, r.name, r.tag FROM rutter.records r
            JOIN unnest($1::bigint[], $2::text[]) AS k (type, name) ON r.type = k.type::smallint AND r.name = k.name
            WHERE r.owner = current_user
            """, Self.names(operations.map(\.key))
        ) { rows in
            for row in 0..<rows.count {
                guard let key = Self.key(rows, row), let tag = rows[row, 2]?.number else { continue }
                stored.tags[key] = tag
            }
        }
        try connection.run(
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
            ]
        ) { rows in (stored.done, stored.floors) = try Self.operations(rows) }
        let blobs = Set(operations.flatMap(\.version.blobs).map(\.name))
        if !blobs.isEmpty {
            try connection.run(
                "SELECT name FROM rutter.blobs WHERE owner = current_user AND name = ANY ($1) AND whole",
                [.texts(blobs.sorted())]
            ) { rows in for row in 0..<rows.count { stored.blobs.insert(rows[row, 0]?.text ?? "") } }
        }
        return stored
    }

    private static func names(_ keys: [RecordKey]) -> [PostgresValue] {
        [.integers(keys.map { Int64($0.type.rawValue) }), .texts(keys.map(\.name.text))]
    }

    /// Performed operations, and the number up to which each replica's operations are discarded, in rows
    /// without a tag.
    private static func operations(_ rows: Rows) throws -> ([OperationID: DoneOperation], [UInt64: UInt64]) {
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

    private func save(_ operations: ArraySlice<SaveOperation>, _ zone: inout Zone) throws -> [SaveResult] {
        let stored = try stored(operations)
        var results: [SaveResult?] = []
        var writes: [(operation: SaveOperation, bytes: [UInt8], digest: UInt64)] = []
        var refused: [RecordKey] = []
        for operation in operations {
            let bytes = VersionCoding.bytes(operation.version)
            let digest = operation.digest(of: bytes)
            let result = Self.obstacle(operation, bytes.count, digest, stored)
            if case .refused? = result, stored.tags[operation.key] != nil {
                refused.append(operation.key)
                results.append(nil)
            } else if let result {
                results.append(result)
            } else {
                writes.append((operation, bytes, digest))
                results.append(.saved(zone.head + Int64(writes.count)))
            }
        }
        let records = try self.records(refused)
        if !writes.isEmpty {
            var hash = zone.mark?.hash ?? 0
            for write in writes {
                hash = HistoryMark.hash(hash, adding: write.operation.id, digest: write.digest)
            }
            let head = zone.head + Int64(writes.count)
            let mark = HistoryMark(number: head, hash: hash)
            try insert(
                writes.enumerated().map { index, write in
                    (
                        CloudRecord(
                            key: write.operation.key, version: write.operation.version,
                            tag: zone.head + 1 + Int64(index)), write.bytes
                    )
                })
            try insert(
                writes.enumerated().map { index, write in
                    (
                        write.operation.id,
                        DoneOperation(tag: zone.head + 1 + Int64(index), digest: write.digest)
                    )
                })
            try connection.run(
                """
                WITH mark AS (INSERT INTO rutter.history VALUES (current_user, $1, $2))
                UPDATE rutter.zones SET head = $1 WHERE owner = current_user
                """, [.integer(head), .integer(Int64(bitPattern: hash))])
            zone.head = head
            zone.mark = mark
        }
        return zip(operations, results).map { operation, result in
            result ?? .refused(records[operation.key])
        }
    }

    /// Why an operation is not performed; `nil` if it can be.
    private static func obstacle(
        _ operation: SaveOperation, _ size: Int, _ digest: UInt64, _ stored: StoredBatch
    ) -> SaveResult? {
        if size > SyncSettings.largestRecord {
            return .rejected("the record has \(size) bytes; the maximum is \(SyncSettings.largestRecord)")
        }
        let tag = stored.tags[operation.key]
        if let done = stored.done[operation.id] {
            if done.digest != digest { return .reused }
            return tag == nil ? .refused(nil) : .duplicate(done.tag)
        }
        if operation.id.number <= stored.floors[operation.id.device] ?? 0 { return .reused }
        if tag ?? 0 != operation.baseTag { return .refused(nil) }
        return operation.version.blobs.allSatisfy { stored.blobs.contains($0.name) } ? nil : .missingBlob
    }

    private func records(_ keys: [RecordKey]) throws -> [RecordKey: CloudRecord] {
        if keys.isEmpty { return [:] }
        var records: [RecordKey: CloudRecord] = [:]
        let found = try connection.run(
            """
            SELECT r.type::bigint, r.name, r.tag, r.content FROM rutter.records r
            JOIN unnest($1::bigint[], $2::text[]) AS k (type, name) ON r.type = k.type::smallint AND r.name = k.name
            WHERE r.owner = current_user
            """, Self.names(keys), Self.records)
        for record in found { records[record.key] = record }
        return records
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

    private var tables: PostgresBlobs { PostgresBlobs(connection: connection) }

    // MARK: Reading

    private static func key(_ rows: Rows, _ row: Int) -> RecordKey? {
        guard let type = rows[row, 0].flatMap({ UInt8(exactly: $0.number) }),
            let name = rows[row, 1].flatMap({ RecordName(text: $0.text) })
        else { return nil }
        return RecordKey(type: RecordType(rawValue: type), name: name)
    }

    private static func records(_ rows: Rows) throws -> [CloudRecord] {
        try (0..<rows.count).map { row in
            guard let key = key(rows, row), let tag = rows[row, 2]?.number, ZoneNumbers.all.contains(tag),
                let version = rows[row, 3].flatMap({ VersionCoding.version($0.content) })
            else { throw SyncErrors.schema("a record of the cloud cannot be read") }
            return CloudRecord(key: key, version: version, tag: tag)
        }
    }

    private func marks(_ condition: String, _ arguments: [PostgresValue]) throws -> [HistoryMark] {
        try connection.run(
            "SELECT number, hash FROM rutter.history WHERE owner = current_user AND \(condition)", arguments
        ) { rows in
            (0..<rows.count).compactMap { row in
                guard let number = rows[row, 0]?.number, let hash = rows[row, 1]?.number else { return nil }
                return HistoryMark(number: number, hash: UInt64(bitPattern: hash))
            }
        }
    }

    /// `nil` if the device's token is beyond the head: the zone is an old copy.
    private func changes(_ token: ChangeToken, _ witness: HistoryMark?, _ limit: Int) throws -> CloudReply? {
        let zone = try zone(witness)
        if !zone.isWitnessKnown { return .diverged(zone.lineage) }
        if token.epoch == zone.lineage.epoch, token.number > zone.head { return nil }
        if token.epoch != zone.lineage.epoch || token.number < zone.floor { return .expired }
        if token.number == zone.head {
            return .page(CloudPage(records: [], token: token, hasMore: false, lineage: zone.lineage))
        }
        var records = try connection.run(
            """
            SELECT type::bigint, name, tag, content FROM rutter.records WHERE owner = current_user AND tag > $1
            ORDER BY tag LIMIT $2
            """, [.integer(token.number), .integer(Int64(limit) + 1)], Self.records)
        let hasMore = records.count > limit
        if hasMore { records.removeLast() }
        let read = ChangeToken(epoch: token.epoch, number: records.last?.tag ?? token.number)
        let start = max(token.number, witness?.number ?? 0)
        let end = hasMore ? zone.head : read.number
        let passed =
            start >= end
            ? []
            : try marks(
                """
                number > $1 AND number <= (
                    SELECT min(number) FROM rutter.history WHERE owner = current_user AND number >= $2) ORDER BY number
                """, [.integer(start), .integer(end)])
        return .page(
            CloudPage(
                records: records, token: read, hasMore: hasMore, lineage: zone.lineage, history: passed))
    }

    private func fetch(_ key: RecordKey?, _ witness: HistoryMark?, _ limit: Int) throws -> CloudReply {
        let zone = try zone(witness)
        if !zone.isWitnessKnown { return .diverged(zone.lineage) }
        var records = try connection.run(
            """
            SELECT type::bigint, name, tag, content FROM rutter.records WHERE owner = current_user
            AND (type, name) > ($1::bigint, $2::text) ORDER BY type, name LIMIT $3
            """,
            [
                .integer(key.map { Int64($0.type.rawValue) } ?? -1), .text(key?.name.text ?? ""),
                .integer(Int64(limit) + 1),
            ], Self.records)
        let hasMore = records.count > limit
        if hasMore { records.removeLast() }
        let history = try marks(
            "true ORDER BY number DESC LIMIT $1", [.integer(Int64(SyncSettings.marksOfFetch))])
        return .page(
            CloudPage(
                records: records, token: ChangeToken(epoch: zone.lineage.epoch, number: zone.head),
                hasMore: hasMore, lineage: zone.lineage, history: history.reversed()))
    }

    private func common(_ marks: [HistoryMark]) throws -> HistoryMark? {
        try connection.run(
            """
            SELECT h.number, h.hash FROM rutter.history h
            JOIN unnest($1::bigint[], $2::bigint[]) AS k (number, hash) USING (number, hash)
            WHERE h.owner = current_user ORDER BY h.number DESC LIMIT 1
            """,
            [
                .integers(marks.map(\.number)), .integers(marks.map { Int64(bitPattern: $0.hash) }),
            ]
        ) { rows in
            guard let number = rows[0, 0]?.number, let hash = rows[0, 1]?.number else { return nil }
            return HistoryMark(number: number, hash: UInt64(bitPattern: hash))
        }
    }

    package func digests(of ranges: [KeyRange]) throws(CloudFailure) -> [RangeDigest]? {
        let bounds = ranges.map(\.bounds)
        return try reading {
            do {
                return try connection.run(
                    """
                    SELECT count(r.name), (coalesce(sum(('x' || left(encode(sha256(
                        convert_to(r.type || '/' || r.name || '/', 'UTF8') || r.content), 'hex'), 15))::bit(60)::bigint), 0)
                        % (1::bigint << 60))::bigint
                    FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[])
                        WITH ORDINALITY AS k (type, name, last_type, last_name, place)
                    LEFT JOIN rutter.records r ON r.owner = current_user AND NOT r.deleted
                        AND (r.type, r.name) > (k.type, k.name) AND (r.type, r.name) <= (k.last_type, k.last_name)
                    GROUP BY k.place ORDER BY k.place
                    """,
                    [
                        .integers(bounds.map(\.after.type)), .texts(bounds.map(\.after.name)),
                        .integers(bounds.map(\.through.type)), .texts(bounds.map(\.through.name)),
                    ]
                ) { rows in
                    try (0..<rows.count).map { row in
                        guard let count = rows[row, 0]?.number, let sum = rows[row, 1]?.number else {
                            throw CloudFailure.permanent(
                                "the cloud's answer does not match the request")
                        }
                        return RangeDigest(count: Int(count), sum: UInt64(bitPattern: sum))
                    }
                }
            } catch let refusal as PostgresConnection.Refusal where refusal.state == Settings.unknownFunction
            {
                // Servers before PostgreSQL 11 have no such function: then all records are read.
                return nil
            }
        }
    }

    // MARK: The whole zone

    package func latest() throws(CloudFailure) -> Int64 { try reading { try zone().head } }

    /// Waits for the zone's channel. Notifications before LISTEN are lost, so the first call returns at once.
    package func awaitHint(seconds: Double) throws(CloudFailure) -> Bool {
        if !isListening {
            try writing { try self.listen() }
            isListening = true
            return true
        }
        return try connection.notification(seconds: min(seconds, Settings.longestWait))
    }

    private func listen() throws {
        let channel = try connection.run(
            "SELECT quote_ident(channel) FROM rutter.zones WHERE owner = current_user"
        ) { $0[0, 0]?.text }
        guard let channel else { throw SyncErrors.schema("the cloud does not contain its zone") }
        try connection.script("LISTEN \(channel)")
    }

    package func state() throws(CloudFailure) -> ZoneState {
        try reading {
            let zone = try zone()
            let records = try connection.run(
                """
                SELECT type::bigint, name, tag, content FROM rutter.records WHERE owner = current_user
                ORDER BY type, name
                """, [], Self.records)
            return ZoneState(
                records: records, head: zone.head, floor: zone.floor, lineage: zone.lineage, mark: zone.mark)
        }
    }

    package func outline() throws(CloudFailure) -> ZoneImage { try copy(withBlobs: false) }
    package func image() throws(CloudFailure) -> ZoneImage { try copy(withBlobs: true) }

    private func copy(withBlobs: Bool) throws(CloudFailure) -> ZoneImage {
        let state = try state()
        return try reading {
            var image = ZoneImage(
                records: state.records, head: state.head, floor: state.floor, lineage: state.lineage,
                history: History(try marks("true ORDER BY number", [])))
            (image.operations, image.floors) = try connection.run(
                """
                SELECT device, number, tag, digest FROM rutter.operations WHERE owner = current_user
                UNION ALL SELECT device, number, NULL, NULL FROM rutter.floors WHERE owner = current_user
                """, [], Self.operations)
            image.blobs = try tables.references().map {
                Blob(reference: $0, bytes: withBlobs ? try tables.blob($0) ?? [] : [])
            }
            return image
        }
    }

    package func restore(_ image: ZoneImage, epoch: UInt64?) throws(CloudFailure) {
        try writing {
            _ = try zone(locks: true)
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
            var lineage = image.lineage
            if let epoch { lineage.starts.append(EpochStart(epoch: epoch, number: image.head)) }
            try connection.run(
                "UPDATE rutter.zones SET head = $1, floor = $2, lineage = $3 WHERE owner = current_user",
                [.integer(image.head), .integer(image.floor), .bytes(lineage.bytes)])
        }
    }

    package func begin(epoch: UInt64) throws(CloudFailure) {
        try writing { try self.begin(epoch) }
    }

    private func begin(_ epoch: UInt64) throws {
        var zone = try zone(locks: true)
        zone.lineage.starts.append(EpochStart(epoch: epoch, number: zone.head))
        try connection.run(
            "UPDATE rutter.zones SET lineage = $1 WHERE owner = current_user", [.bytes(zone.lineage.bytes)])
    }

    package func forgetTombstones(upTo number: Int64) throws(CloudFailure) {
        try writing { try self.forget(upTo: number, zone(locks: true)) }
    }

    private func forget(upTo number: Int64, _ zone: Zone) throws {
        let floor = max(zone.floor, min(number, zone.head))
        try connection.run(
            "UPDATE rutter.zones SET floor = $1 WHERE owner = current_user", [.integer(floor)])
        try connection.run(
            "DELETE FROM rutter.records WHERE owner = current_user AND deleted AND tag <= $1",
            [.integer(floor)])
    }

    package func collectOperations() throws(CloudFailure) {
        try writing {
            _ = try zone(locks: true)
            let settled = try connection.run(
                "SELECT device, settled FROM rutter.devices WHERE owner = current_user"
            ) { rows in
                (0..<rows.count).map { (rows[$0, 0]?.number ?? 0, rows[$0, 1]?.number ?? 0) }
            }
            for (device, number) in settled {
                try forgetOperations(of: UInt64(bitPattern: device), upTo: UInt64(clamping: number))
            }
        }
    }

    /// Discards the operations of a replica up to a number, and stores that number.
    private func forgetOperations(of device: UInt64, upTo number: UInt64) throws {
        if number == 0 { return }
        try connection.run(
            """
            WITH floor AS (
                INSERT INTO rutter.floors VALUES (current_user, $1, $2)
                ON CONFLICT (owner, device) DO UPDATE SET number = greatest(floors.number, excluded.number))
            DELETE FROM rutter.operations WHERE owner = current_user AND device = $1 AND number <= $2
            """, [.integer(Int64(bitPattern: device)), .integer(Int64(clamping: number))])
    }

    private func note(_ mark: Watermark) throws(CloudFailure) {
        let floor = try writing { () -> Int64? in
            let zone = try zone(locks: true)
            guard mark.token.epoch == zone.lineage.epoch, mark.token.number <= zone.head else { return nil }
            try connection.run(
                """
                INSERT INTO rutter.devices VALUES (current_user, $1, $2, $3)
                ON CONFLICT (owner, device) DO UPDATE SET number = excluded.number, settled = excluded.settled
                """,
                [
                    .integer(Int64(bitPattern: mark.device)), .integer(mark.token.number),
                    .integer(Int64(clamping: mark.settled)),
                ])
            let forgotten = try connection.run(
                "SELECT number FROM rutter.floors WHERE owner = current_user AND device = $1",
                [.integer(Int64(bitPattern: mark.device))]
            ) { $0[0, 0]?.number ?? 0 }
            if Watermark.isWorthwhile(mark.settled, above: UInt64(clamping: forgotten)) {
                try forgetOperations(of: mark.device, upTo: mark.settled)
            }
            let numbers = try connection.run(
                "SELECT number FROM rutter.devices WHERE owner = current_user"
            ) { rows in (0..<rows.count).compactMap { rows[$0, 0]?.number } }
            guard let floor = Watermark.floor(of: numbers, head: zone.head, above: zone.floor) else {
                return nil
            }
            try forget(upTo: floor, zone)
            return floor
        }
        if let floor { try collectBlobs(below: floor) }
    }

    /// Removes unreferenced blobs without access since a number. All records are read without a lock, those
    /// changed in the meantime under the lock.
    package func collectBlobs(below number: Int64) throws(CloudFailure) {
        func names(after tag: Int64, _ unused: inout Set<String>) throws {
            var last = tag
            while !unused.isEmpty {
                let records = try connection.run(
                    """
                    SELECT type::bigint, name, tag, content FROM rutter.records
                    WHERE owner = current_user AND tag > $1 ORDER BY tag LIMIT $2
                    """, [.integer(last), .integer(Int64(SyncSettings.page))], Self.records)
                for record in records {
                    // A record of a newer version may reference any of them.
                    if record.version.isOpaque { unused = [] }
                    for blob in record.version.blobs { unused.remove(blob.name) }
                }
                guard let end = records.last?.tag else { return }
                last = end
            }
        }
        let found = try reading { () -> (Set<String>, Int64) in
            var unused = Set(try tables.untouched(below: number))
            try names(after: 0, &unused)
            return (unused, try zone().head)
        }
        if found.0.isEmpty { return }
        try writing {
            _ = try zone(locks: true)
            var unused = found.0
            try names(after: found.1, &unused)
            try tables.remove(unused.sorted(), below: number)
        }
    }
}

extension SaveResult {
    fileprivate var isSaved: Bool { if case .saved = self { true } else { false } }
}

extension NativeLibrary {
    /// libpq.
    static let postgres = NativeLibrary(
        "a cloud in PostgreSQL", packages: "libpq-dev", isThere: postgres_is_there)
}
