import CPostgres
import Foundation
import PluginKit

/// The cloud in PostgreSQL, for many machines and users, through libpq. Plain SQL; a request is one
/// transaction of a few statements, independent of its size, and writers of a zone wait for its row.
/// Row-level security restricts each user to one zone.
package final class PostgresCloud: CloudBackend, ZoneTransactions {
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

    let connection: PostgresConnection
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

    func read<T>(_ body: (inout PostgresZone) throws -> T) throws(CloudFailure) -> T {
        try request("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY") {
            var zone = PostgresZone(connection)
            return try body(&zone)
        }
    }

    /// A writer locks the zone's row, so that numbers are assigned in the order in which transactions end.
    func write<T>(_ body: (inout PostgresZone) throws -> T) throws(CloudFailure) -> T {
        try request("BEGIN") {
            var zone = PostgresZone(connection)
            try zone.lock()
            return try body(&zone)
        }
    }

    // MARK: Requests

    package func answer(_ request: CloudRequest) throws(CloudFailure) -> CloudReply {
        var cloud = self
        return try cloud.reply(to: request)
    }

    package func latest() throws(CloudFailure) -> Int64 { try read { try $0.position(nil).head } }
    package func state() throws(CloudFailure) -> ZoneState { try read { try $0.wholeState() } }
    package func outline() throws(CloudFailure) -> ZoneImage { try read { try $0.image(withBytes: false) } }
    package func image() throws(CloudFailure) -> ZoneImage { try read { try $0.image(withBytes: true) } }
    package func restore(_ image: ZoneImage, epoch: UInt64?) throws(CloudFailure) {
        try write { try $0.adopt(image, epoch: epoch) }
    }
    package func begin(epoch: UInt64) throws(CloudFailure) { try write { try $0.beginEpoch(epoch) } }
    package func forgetTombstones(upTo number: Int64) throws(CloudFailure) {
        try write { try $0.discardTombstones(upTo: number) }
    }
    package func collectOperations() throws(CloudFailure) {
        try write { try $0.discardSettledOperations() }
    }

    // MARK: Blobs

    private var tables: PostgresBlobs { PostgresBlobs(connection: connection) }

    func put(_ blobs: [Blob]) throws(CloudFailure) {
        try request("BEGIN") { for blob in blobs { try self.tables.put(blob) } }
    }

    func blobs(_ references: [BlobReference]) throws(CloudFailure) -> [Blob] {
        try read { _ in
            try references.compactMap { reference in
                try tables.blob(reference).map { Blob(reference: reference, bytes: $0) }
            }
        }
    }

    func receive(_ part: BlobPart) throws(CloudFailure) -> Int64 {
        try request("BEGIN") {
            var store = self.tables
            return try store.put(part)
        }
    }

    func part(of blob: BlobReference, from offset: Int64) throws(CloudFailure) -> BlobPart? {
        try read { _ in try tables.part(of: blob, from: offset) }
    }

    func lacking(
        _ references: [BlobReference], looksInside: Bool
    ) throws(CloudFailure) -> [BlobReference] {
        try request("BEGIN") {
            let there = try self.tables.whole(references)
            return try references.filter { reference in
                guard there.contains(reference) else { return true }
                return looksInside ? try self.tables.isDropped(reference) : false
            }
        }
    }

    /// All records are read without a lock, those changed in the meantime under the lock.
    package func collectBlobs(below number: Int64) throws(CloudFailure) {
        var (unused, head) = try read { zone in
            var unused = try tables.untouched(below: number)
            try zone.spareNamed(by: 0, &unused)
            return (unused, try zone.position(nil).head)
        }
        if unused.isEmpty { return }
        try write { zone in
            try zone.spareNamed(by: head, &unused)
            try tables.remove(unused, below: number)
        }
    }

    // MARK: Hints and digests

    /// A hint only: sent after the commit, so that it is optional. It carries only the head, on a channel
    /// with a random name.
    func didSave() {
        try? connection.run(
            "SELECT pg_notify(channel, head::text) FROM rutter.zones WHERE owner = current_user")
    }

    /// Waits for the zone's channel. Notifications before LISTEN are lost, so the first call returns at once.
    package func awaitHint(seconds: Double) throws(CloudFailure) -> Bool {
        if !isListening {
            try request("BEGIN") { try self.listen() }
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

    package func digests(of ranges: [KeyRange]) throws(CloudFailure) -> [RangeDigest]? {
        let bounds = ranges.map(\.bounds)
        return try read { _ in
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
}

extension NativeLibrary {
    /// libpq.
    static let postgres = NativeLibrary(
        "a cloud in PostgreSQL", packages: "libpq5", isThere: postgres_is_there)
}
