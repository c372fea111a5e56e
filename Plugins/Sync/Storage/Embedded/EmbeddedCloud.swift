import Foundation
import GRDB
import PluginKit
import TrailStores

/// The cloud in a SQLite file. Every request is one transaction; several processes may use the file at once.
package final class EmbeddedCloud: CloudBackend, ZoneTransactions {
    let connection: StoreConnection
    private let zone: String

    /// Opens the cloud's file, or creates it with a zone and its first epoch.
    package init(_ url: URL, zone: String, epoch: UInt64) throws {
        self.zone = zone
        connection = try StoreConnection(url, access: .own, pageSize: SyncSettings.pageSize)
        try connection.write { db in
            try EmbeddedSchema.install(in: db, of: url)
            let lineage = Lineage(starts: [EpochStart(epoch: epoch, number: 0)])
            try db.execute(
                sql: "INSERT OR IGNORE INTO zones VALUES (?, 0, 0, ?)",
                arguments: [zone, Data(lineage.bytes)])
        }
    }

    // MARK: Transactions

    func read<T>(_ body: (inout EmbeddedReader) throws -> T) throws(CloudFailure) -> T {
        do {
            return try connection.read { db in
                var zone = EmbeddedReader(db: db, zone: self.zone)
                return try body(&zone)
            }
        } catch { throw CloudFailure(error) }
    }

    func write<T>(_ body: (inout EmbeddedWriter) throws -> T) throws(CloudFailure) -> T {
        do {
            return try connection.write { db in
                var zone = try EmbeddedWriter(db: db, zone: self.zone)
                return try body(&zone)
            }
        } catch { throw CloudFailure(error) }
    }

    // MARK: Requests

    package func answer(_ request: CloudRequest) throws(CloudFailure) -> CloudReply {
        var cloud = self
        return try cloud.reply(to: request)
    }

    package func latest() throws(CloudFailure) -> Int64 { try read { try $0.position(nil).head } }

    package func digests(of ranges: [KeyRange]) throws(CloudFailure) -> [RangeDigest]? {
        try read { zone in
            let rows = try RawStatement(
                zone.db,
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

    package func collectBlobs(below number: Int64) throws(CloudFailure) {
        try write { zone in
            var unused = try zone.blobTables().untouched(below: number)
            if unused.isEmpty { return }
            let rows = try RawStatement(
                zone.db, "SELECT type, name, tag, content FROM records WHERE zone = ? AND deleted = 0")
            rows.bind(1, self.zone)
            while try rows.next() { unused.spare(try RecordStatements.record(rows).version) }
            try zone.blobTables().remove(unused)
        }
    }

    // MARK: Blobs

    func put(_ blobs: [Blob]) throws(CloudFailure) {
        try write { zone in
            let store = try zone.blobTables(head: zone.position(nil).head)
            for blob in blobs { try store.put(blob) }
        }
    }

    func blobs(_ references: [BlobReference]) throws(CloudFailure) -> [Blob] {
        try read { zone in
            let store = zone.blobTables()
            return try references.compactMap { reference in
                try store.blob(reference).map { Blob(reference: reference, bytes: $0) }
            }
        }
    }

    func receive(_ part: BlobPart) throws(CloudFailure) -> Int64 {
        try write { zone in
            var store = try zone.blobTables(head: zone.position(nil).head)
            return try store.put(part)
        }
    }

    func part(of blob: BlobReference, from offset: Int64) throws(CloudFailure) -> BlobPart? {
        try read { try $0.blobTables().part(of: blob, from: offset) }
    }

    func lacking(
        _ references: [BlobReference], looksInside: Bool
    ) throws(CloudFailure) -> [BlobReference] {
        try write { zone in
            let store = zone.blobTables()
            return try references.filter { try !store.has($0, looksInside: looksInside) }
        }
    }
}

extension CloudFailure {
    /// A busy file may become free, and a full disk may get space; a damaged file stays damaged.
    init(_ error: RutterError) {
        let mayWorkLater = [StoreErrors.locked.code, StoreErrors.disk.code].contains(error.code)
        self = mayWorkLater ? .transient(error.message) : .permanent(error.message)
    }
}
