import Foundation
import GRDB
import PluginKit
import TrailStores

/// The files of a region: its database, and the files derived from it.
package struct RegionFiles: Sendable, Hashable {
    static let databaseSuffix = ".routing.db"
    private static let graphSuffix = ".routing.graph"
    private static let hierarchySuffix = ".routing.hierarchy"
    private static let placesSuffix = ".routing.places"

    package let database: URL

    package init(database: URL) { self.database = database }

    init(folder: URL, name: String) {
        database = folder.appendingPathComponent(name + Self.databaseSuffix)
    }

    var name: String {
        let file = database.lastPathComponent
        return file.hasSuffix(Self.databaseSuffix) ? String(file.dropLast(Self.databaseSuffix.count)) : file
    }

    var graph: URL { beside(Self.graphSuffix) }
    var hierarchy: URL { beside(Self.hierarchySuffix) }
    package var places: URL { beside(Self.placesSuffix) }

    private func beside(_ suffix: String) -> URL {
        database.deletingLastPathComponent().appendingPathComponent(name + suffix)
    }

    /// What the files beside are checked against: the database's size, time of change and change counter. `nil`
    /// when the database cannot be stamped, because a write-ahead log belongs to it.
    package var stamp: UInt64? {
        var info = stat()
        guard stat(database.path, &info) == 0 else { return nil }
        var log = stat()
        if stat(database.path + "-wal", &log) == 0, log.st_size > 0 { return nil }
        // A database that cannot be read has no copies; opening it says why.
        guard let handle = try? FileHandle(forReadingFrom: database),
            let head = try? handle.read(upToCount: 100), head.count == 100
        else { return nil }
        let facts: [UInt64] = [
            UInt64(info.st_size), UInt64(bitPattern: Int64(info.st_mtim.tv_sec)),
            UInt64(bitPattern: Int64(info.st_mtim.tv_nsec)),
        ]
        let seed = facts.withUnsafeBytes { Checksum.of($0, seed: Self.layoutVersion) }
        return head.withUnsafeBytes { Checksum.of($0, seed: seed) }
    }

    /// Changes whenever the layout of the files beside does.
    private static let layoutVersion: UInt64 = 3

    /// Writes an image; a failure leaves the old file unchanged.
    static func replace(_ url: URL, with image: MemoryImage) throws {
        let bytes = image.bytes
        guard let start = bytes.baseAddress else { return }
        try replace(
            url,
            with: Data(
                bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: bytes.count, deallocator: .none)
        )
    }

    /// Writes bytes to a temporary name and renames it; a failure leaves the old file unchanged.
    static func replace(_ url: URL, with data: Data) throws {
        let temporary = url.deletingLastPathComponent().appendingPathComponent(
            ".\(url.lastPathComponent).\(getpid())")
        do {
            try data.write(to: temporary)
            guard rename(temporary.path, url.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        } catch {
            FileManager.default.discard(temporary)
            throw CommonErrors.fileAccess("\(url.lastPathComponent) cannot be written")
        }
    }
}

/// Opening a region's database.
enum RegionDatabase {
    /// Reads in one transaction; nothing is written, not even beside the file.
    static func read<T>(_ url: URL, _ body: (Database) throws -> T) throws -> T {
        let connection = try StoreConnection(url, access: .foreign)
        return try connection.read { db in
            try db.execute(sql: "PRAGMA mmap_size = 1073741824; PRAGMA cache_size = -16384")
            return try body(db)
        }
    }
}
