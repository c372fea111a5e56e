import CPostgres
import Foundation
import PluginKit

/// The cloud in PostgreSQL, for many machines and users, through libpq. Plain SQL, one transaction a request, tried
/// again when the server could not serialise it. Row-level security keeps each user in a zone of his own.
package final class PostgresCloud: CloudBackend {
    private var connection: OpaquePointer?
    /// Whether this connection hears of changes.
    private var isListening = false
    private let address: String
    private let epoch: UInt64

    /// The settings of the back end.
    private enum Settings {
        static let serializationAttempts = 8
        static let connectSeconds = "5"
        /// Seconds that a notification is waited for at most.
        static let longestWait = 60.0
    }

    /// Errors reported by the server.
    struct Refusal: Error {
        let state: String
        let message: String
    }

    /// A cloud at an address. Throws when the server refuses for good; one that cannot be reached at present may be later:
    /// the requests tell.
    package init(_ address: String, epoch: UInt64) throws {
        try NativeLibrary.postgres.require()
        self.address = address
        self.epoch = epoch
        do throws(CloudFailure) { try connect() } catch {
            switch error {
            case .transient: break
            case .permanent(let why): throw SyncErrors.cloud(why, at: .parameter("cloud"))
            }
        }
    }

    deinit { PQfinish(connection) }

    // MARK: Connecting

    private func connect() throws(CloudFailure) {
        PQfinish(connection)
        isListening = false
        let mode = PostgresAddress.sslMode(address)
        var keys = ["dbname", "connect_timeout", "application_name"]
        var values = [address, Settings.connectSeconds, "rutter"]
        if let mode {
            keys.append("sslmode")
            values.append(mode)
        }
        connection = withTexts(keys) { keys in withTexts(values) { PQconnectdbParams(keys, $0, 1) } }
        guard PQstatus(connection) == CONNECTION_OK else {
            let why = clean(PQerrorMessage(connection))
            throw PostgresAddress.isRefusal(why) ? .permanent(why) : .transient(why)
        }
        do { try prepare() } catch let error as Refusal {
            throw error.failure
        } catch {
            throw .permanent("\(error)")
        }
    }

    /// A message of libpq in one line, and without the password, wherever it may stand.
    private func clean(_ message: UnsafePointer<CChar>?) -> String {
        var text = message.map { String(cString: $0) } ?? "no connection"
        if let password = URLComponents(string: address)?.password, !password.isEmpty {
            text = text.replacingOccurrences(of: password, with: "…")
        }
        return text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    private func prepare() throws {
        try run("SET client_min_messages = warning")
        try run("SET default_transaction_isolation = 'serializable'")
        let found = try run(
            "SELECT count(*) FROM information_schema.tables WHERE table_schema = 'rutter' AND table_name = 'zones'"
        )
        if found.first?.first??.text == "0" { try transaction { try self.run(Self.schema) } }
        let version = try run("SELECT max(version) FROM rutter.format").first?.first??.text
        guard version == "1" else {
            throw Refusal(
                state: "0A000", message: "the schema rutter is of version \(version ?? "unknown"), not 1")
        }
        try transaction {
            try self.run(
                """
                INSERT INTO rutter.zones (owner, head, floor, lineage, channel)
                VALUES (current_user, 0, 0, $1, 'rutter_' || md5(random()::text)) ON CONFLICT DO NOTHING
                """, [.bytes(Lineage(starts: [EpochStart(epoch: self.epoch, number: 0)]).bytes)])
        }
    }

    /// The tables. Whoever may use the schema sees the rows of his own zone alone, whatever he asks.
    private static let schema = """
        CREATE SCHEMA rutter;
        CREATE TABLE rutter.format (version integer NOT NULL);
        INSERT INTO rutter.format VALUES (1);
        CREATE TABLE rutter.zones (
            owner name PRIMARY KEY, head bigint NOT NULL, floor bigint NOT NULL, lineage bytea NOT NULL, channel text NOT NULL);
        CREATE TABLE rutter.records (
            owner name NOT NULL, type smallint NOT NULL, name text COLLATE "C" NOT NULL, tag bigint NOT NULL,
            deleted boolean NOT NULL, content bytea NOT NULL, PRIMARY KEY (owner, type, name));
        CREATE UNIQUE INDEX records_changes ON rutter.records (owner, tag);
        CREATE TABLE rutter.operations (
            owner name NOT NULL, device bigint NOT NULL, number bigint NOT NULL, tag bigint NOT NULL,
            PRIMARY KEY (owner, device, number));
        CREATE TABLE rutter.blobs (owner name NOT NULL, name text NOT NULL, content bytea NOT NULL, PRIMARY KEY (owner, name));
        DO $do$ DECLARE t text; BEGIN
            FOREACH t IN ARRAY ARRAY['zones', 'records', 'operations', 'blobs'] LOOP
                EXECUTE format('ALTER TABLE rutter.%I ENABLE ROW LEVEL SECURITY', t);
                EXECUTE format('ALTER TABLE rutter.%I FORCE ROW LEVEL SECURITY', t);
                EXECUTE format('CREATE POLICY own ON rutter.%I USING (owner = current_user) WITH CHECK (owner = current_user)', t);
                EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON rutter.%I TO PUBLIC', t);
            END LOOP;
        END $do$;
        GRANT USAGE ON SCHEMA rutter TO PUBLIC;
        GRANT SELECT ON rutter.format TO PUBLIC;
        """

    // MARK: Statements

    enum Argument {
        case integer(Int64)
        case text(String)
        case bytes([UInt8])
        case boolean(Bool)

        var literal: String {
            switch self {
            case .integer(let number): String(number)
            case .text(let text): text
            case .boolean(let flag): flag ? "t" : "f"
            case .bytes(let bytes):
                "\\x" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            }
        }
    }

    struct Cell {
        let text: String

        var number: Int64 { Int64(text) ?? 0 }

        /// The bytes of a `bytea` in hexadecimal form.
        var bytes: [UInt8] {
            let digits = Array(text.utf8.dropFirst(2))
            func value(_ digit: UInt8) -> UInt8 { digit < 58 ? digit &- 48 : (digit | 32) &- 87 }
            return stride(from: 0, to: digits.count - 1, by: 2).map {
                value(digits[$0]) << 4 | value(digits[$0 + 1])
            }
        }
    }

    private func withTexts<T>(_ texts: [String], _ body: ([UnsafePointer<CChar>?]) -> T) -> T {
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies.map { $0.map { UnsafePointer($0) } } + [nil])
    }

    @discardableResult
    private func run(_ sql: String, _ arguments: [Argument] = []) throws -> [[Cell?]] {
        let result =
            arguments.isEmpty
            ? PQexec(connection, sql)
            : withTexts(arguments.map(\.literal)) { values in
                PQexecParams(connection, sql, Int32(arguments.count), nil, values, nil, nil, 0)
            }
        defer { PQclear(result) }
        let status = PQresultStatus(result)
        guard status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK else {
            let state = PQresultErrorField(result, 67).map { String(cString: $0) } ?? ""
            throw Refusal(state: state, message: clean(PQerrorMessage(connection)))
        }
        return (0..<PQntuples(result)).map { row in
            (0..<PQnfields(result)).map { column in
                PQgetisnull(result, row, column) == 1
                    ? nil : Cell(text: String(cString: PQgetvalue(result, row, column)))
            }
        }
    }

    @discardableResult
    private func transaction<T>(_ body: () throws -> T) throws -> T {
        var attempt = 0
        while true {
            attempt += 1
            do {
                try run("BEGIN")
                let value = try body()
                try run("COMMIT")
                return value
            } catch let error as Refusal {
                // A connection that is broken rolls back by itself; the first error is reported.
                _ = try? run("ROLLBACK")
                // Serialisation failure, deadlock, and two who make the same at once: it works when tried again.
                let isRace = ["40001", "40P01", "23505", "42P06", "42P07"].contains(error.state)
                if isRace, attempt < Settings.serializationAttempts { continue }
                throw error
            } catch {
                _ = try? run("ROLLBACK")
                throw error
            }
        }
    }

    /// One request, on a connection that is made again when it was lost.
    private func request<T>(_ body: () throws -> T) throws(CloudFailure) -> T {
        if PQstatus(connection) != CONNECTION_OK { try connect() }
        do { return try transaction(body) } catch let error as Refusal {
            throw error.failure
        } catch let error as CloudFailure {
            throw error
        } catch let error as RutterError {
            throw .permanent(error.message)
        } catch {
            throw .permanent("\(error)")
        }
    }
}

extension PostgresCloud.Refusal {
    /// What may work later, by the class of the error: lost connections, a server that is going, full or busy.
    var failure: CloudFailure {
        let later = ["08", "40", "53", "57", "58", ""]
        return later.contains(String(state.prefix(2))) ? .transient(message) : .permanent(message)
    }
}

extension PostgresCloud {
    package func answer(_ request: CloudRequest) throws(CloudFailure) -> CloudReply {
        switch request {
        case .save(let token, let operations):
            return try self.request { try self.save(token, operations) }
        case .changes(let token, let limit):
            return try self.request { try self.changes(token, limit) }
        case .fetch(let key, let limit):
            return try self.request { try self.fetch(key, limit) }
        case .putBlobs(let blobs):
            return try self.request {
                for blob in blobs { try self.put(blob) }
                return .stored
            }
        case .getBlobs(let references):
            return try self.request {
                .blobs(
                    try references.compactMap { reference in
                        try self.run(
                            "SELECT content FROM rutter.blobs WHERE owner = current_user AND name = $1",
                            [.text(reference.name)]
                        ).first?.first?.map { Blob(reference: reference, bytes: $0.bytes) }
                    })
            }
        }
    }

    private struct Zone {
        var head: Int64
        var floor: Int64
        var lineage: Lineage
    }

    /// The zone's row. A writer locks it, so that numbers are given in the order in which transactions end.
    private func zone(locks: Bool) throws -> Zone {
        let row = try run(
            "SELECT head, floor, lineage FROM rutter.zones WHERE owner = current_user"
                + (locks ? " FOR UPDATE" : "")
        ).first
        guard let row, let head = row[0], let floor = row[1], let content = row[2],
            ZoneNumbers.all.contains(head.number), (0...head.number).contains(floor.number),
            let lineage = Lineage(bytes: content.bytes)
        else { throw SyncErrors.schema("the cloud does not contain its zone") }
        return Zone(head: head.number, floor: floor.number, lineage: lineage)
    }

    private func record(_ row: [Cell?]) throws -> CloudRecord {
        guard let code = row[0]?.number,
            let type = UInt8(exactly: code).flatMap({ RecordType(rawValue: $0) }),
            let text = row[1]?.text, let name = RecordName(text: text), let tag = row[2]?.number,
            ZoneNumbers.all.contains(tag),
            let version = row[3].flatMap({ VersionCoding.version($0.bytes) })
        else { throw SyncErrors.schema("a record of the cloud cannot be read") }
        return CloudRecord(key: RecordKey(type: type, name: name), version: version, tag: tag)
    }

    /// A version as all devices can read it that know this version of the schema.
    private static func bytes(_ version: Version) -> [UInt8] { VersionCoding.bytes(version, format: .first) }

    private func save(_ token: ChangeToken, _ operations: [SaveOperation]) throws -> CloudReply {
        var zone = try zone(locks: true)
        if token.epoch != zone.lineage.epoch || token.number < zone.floor { return .expired }
        let results = try operations.map { try save($0, &zone) }
        try run("UPDATE rutter.zones SET head = $1 WHERE owner = current_user", [.integer(zone.head)])
        // A hint and no more: it carries the head alone, on a channel that nobody can guess.
        try run(
            "SELECT pg_notify(channel, head::text) FROM rutter.zones WHERE owner = current_user")
        return .saved(results)
    }

    private func save(_ operation: SaveOperation, _ zone: inout Zone) throws -> SaveResult {
        let bytes = Self.bytes(operation.version)
        if bytes.count > SyncSettings.largestRecord {
            return .rejected("the record has \(bytes.count) bytes; \(SyncSettings.largestRecord) are allowed")
        }
        let key: [Argument] = [.integer(Int64(operation.key.type.rawValue)), .text(operation.key.name.text)]
        let held = try run(
            """
            SELECT type, name, tag, content FROM rutter.records WHERE owner = current_user AND type = $1 AND name = $2
            """, key
        ).first
        let id: [Argument] = [
            .integer(Int64(bitPattern: operation.id.device)),
            .integer(Int64(bitPattern: operation.id.number)),
        ]
        let done = try run(
            "SELECT tag FROM rutter.operations WHERE owner = current_user AND device = $1 AND number = $2", id
        ).first?.first??.number
        if let done, !ZoneNumbers.all.contains(done) {
            throw SyncErrors.schema("the operations of the cloud cannot be read")
        }
        if let done { return held == nil ? .refused(nil) : .duplicate(done) }
        let tag = held?[2]?.number ?? 0
        if tag != operation.baseTag { return .refused(try held.map { try record($0) }) }
        for blob in operation.version.blobs {
            let found = try run(
                "SELECT 1 FROM rutter.blobs WHERE owner = current_user AND name = $1", [.text(blob.name)])
            if found.isEmpty { return .missingBlob }
        }
        zone.head += 1
        try write(operation.key, operation.version.isDeleted, bytes, zone.head)
        try run("INSERT INTO rutter.operations VALUES (current_user, $1, $2, $3)", id + [.integer(zone.head)])
        return .saved(zone.head)
    }

    private func write(_ key: RecordKey, _ isDeleted: Bool, _ bytes: [UInt8], _ tag: Int64) throws {
        try run(
            """
            INSERT INTO rutter.records VALUES (current_user, $1, $2, $3, $4, $5) ON CONFLICT (owner, type, name)
            DO UPDATE SET tag = excluded.tag, deleted = excluded.deleted, content = excluded.content
            """,
            [
                .integer(Int64(key.type.rawValue)), .text(key.name.text), .integer(tag), .boolean(isDeleted),
                .bytes(bytes),
            ])
    }

    private func put(_ blob: Blob) throws {
        try run(
            "INSERT INTO rutter.blobs VALUES (current_user, $1, $2) ON CONFLICT DO NOTHING",
            [.text(blob.reference.name), .bytes(blob.bytes)])
    }

    private func changes(_ token: ChangeToken, _ limit: Int) throws -> CloudReply {
        let zone = try zone(locks: false)
        if token.epoch == zone.lineage.epoch, token.number > zone.head {
            var lineage = zone.lineage
            lineage.starts.append(
                EpochStart(epoch: token.epoch &+ UInt64(bitPattern: token.number) | 1, number: zone.head))
            try run(
                "UPDATE rutter.zones SET lineage = $1 WHERE owner = current_user", [.bytes(lineage.bytes)])
            return .expired
        }
        if token.epoch != zone.lineage.epoch || token.number < zone.floor { return .expired }
        var records = try run(
            """
            SELECT type, name, tag, content FROM rutter.records WHERE owner = current_user AND tag > $1
            ORDER BY tag LIMIT $2
            """, [.integer(token.number), .integer(Int64(limit) + 1)]
        ).map { try record($0) }
        let hasMore = records.count > limit
        if hasMore { records.removeLast() }
        let read = ChangeToken(epoch: token.epoch, number: records.last?.tag ?? token.number)
        return .page(CloudPage(records: records, token: read, hasMore: hasMore, lineage: zone.lineage))
    }

    private func fetch(_ key: RecordKey?, _ limit: Int) throws -> CloudReply {
        let zone = try zone(locks: false)
        var records = try run(
            """
            SELECT type, name, tag, content FROM rutter.records WHERE owner = current_user
            AND (type, name) > ($1::smallint, $2::text) ORDER BY type, name LIMIT $3
            """,
            [
                .integer(key.map { Int64($0.type.rawValue) } ?? -1), .text(key?.name.text ?? ""),
                .integer(Int64(limit) + 1),
            ]
        ).map { try record($0) }
        let hasMore = records.count > limit
        if hasMore { records.removeLast() }
        let token = ChangeToken(epoch: zone.lineage.epoch, number: zone.head)
        return .page(CloudPage(records: records, token: token, hasMore: hasMore, lineage: zone.lineage))
    }

    // MARK: The whole zone

    package func latest() throws(CloudFailure) -> Int64 { try request { try zone(locks: false).head } }

    /// Waits for the zone's channel. Notifications before LISTEN are lost, so the first call returns at once.
    package func awaitHint(seconds: Double) throws(CloudFailure) -> Bool {
        if !isListening {
            try request { try self.listen() }
            isListening = true
            return true
        }
        var waiting = pollfd(fd: PQsocket(connection), events: Int16(POLLIN), revents: 0)
        poll(&waiting, 1, Int32((min(seconds, Settings.longestWait) * 1000).rounded()))
        guard PQconsumeInput(connection) == 1 else { throw .transient(clean(PQerrorMessage(connection))) }
        var isHinted = false
        while let notice = PQnotifies(connection) {
            PQfreemem(notice)
            isHinted = true
        }
        return isHinted
    }

    private func listen() throws {
        let row = try run(
            "SELECT quote_ident(channel) FROM rutter.zones WHERE owner = current_user"
        ).first
        guard let channel = row?.first??.text else {
            throw SyncErrors.schema("the cloud does not contain its zone")
        }
        try run("LISTEN \(channel)")
    }

    package func state() throws(CloudFailure) -> ZoneState {
        try request {
            let zone = try zone(locks: false)
            let records = try run(
                "SELECT type, name, tag, content FROM rutter.records WHERE owner = current_user ORDER BY type, name"
            ).map { try record($0) }
            return ZoneState(records: records, head: zone.head, floor: zone.floor, lineage: zone.lineage)
        }
    }

    package func image() throws(CloudFailure) -> ZoneImage {
        let state = try state()
        return try request {
            var image = ZoneImage(
                records: state.records, head: state.head, floor: state.floor, lineage: state.lineage)
            for row in try run("SELECT device, number, tag FROM rutter.operations WHERE owner = current_user")
            {
                guard let device = row[0], let number = row[1], let tag = row[2] else { continue }
                let id = OperationID(
                    device: UInt64(bitPattern: device.number), number: UInt64(bitPattern: number.number))
                image.operations[id] = tag.number
            }
            for row in try run(
                "SELECT name, content FROM rutter.blobs WHERE owner = current_user ORDER BY name")
            {
                guard let name = row[0], let content = row[1], let reference = BlobReference(name: name.text)
                else {
                    continue
                }
                image.blobs.append(Blob(reference: reference, bytes: content.bytes))
            }
            return image
        }
    }

    package func restore(_ image: ZoneImage, epoch: UInt64) throws(CloudFailure) {
        try request {
            for table in ["records", "operations", "blobs"] {
                try run("DELETE FROM rutter.\(table) WHERE owner = current_user")
            }
            for record in image.records {
                try write(
                    record.key, record.version.isDeleted, Self.bytes(record.version), record.tag)
            }
            for (id, tag) in image.operations {
                try run(
                    "INSERT INTO rutter.operations VALUES (current_user, $1, $2, $3)",
                    [
                        .integer(Int64(bitPattern: id.device)), .integer(Int64(bitPattern: id.number)),
                        .integer(tag),
                    ])
            }
            for blob in image.blobs { try put(blob) }
            var lineage = image.lineage
            lineage.starts.append(EpochStart(epoch: epoch, number: image.head))
            try run(
                "UPDATE rutter.zones SET head = $1, floor = $2, lineage = $3 WHERE owner = current_user",
                [.integer(image.head), .integer(image.floor), .bytes(lineage.bytes)])
        }
    }

    package func forgetTombstones(upTo number: Int64) throws(CloudFailure) {
        try request {
            let zone = try zone(locks: true)
            let floor = max(zone.floor, min(number, zone.head))
            try run("UPDATE rutter.zones SET floor = $1 WHERE owner = current_user", [.integer(floor)])
            try run(
                "DELETE FROM rutter.records WHERE owner = current_user AND deleted AND tag <= $1",
                [.integer(floor)])
        }
    }
}

extension NativeLibrary {
    /// libpq.
    static let postgres = NativeLibrary(
        "a cloud in PostgreSQL", packages: "libpq-dev", isThere: postgres_is_there)
}
