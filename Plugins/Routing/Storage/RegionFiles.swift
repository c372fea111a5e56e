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
    private static let gazetteerSuffix = ".routing.gazetteer"
    private static let costsSuffix = ".routing.costs-"

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
    var gazetteer: URL { beside(Self.gazetteerSuffix) }

    /// The costs of a profile.
    func costs(_ key: CostsKey) -> URL { beside(Self.costsSuffix + key.name) }

    /// The stored costs of all profiles, by name.
    private var allCosts: [URL] {
        let folder = database.deletingLastPathComponent()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasPrefix(name + Self.costsSuffix) }.sorted().map(
            folder.appendingPathComponent)
    }

    /// Files derived from the database, which can be rebuilt.
    var derived: [URL] { [graph, hierarchy, places, gazetteer] + allCosts }

    /// Writes the costs of a profile for the next start and removes the oldest if there are too many. Write
    /// failures are ignored.
    func keep(_ costs: HierarchyCosts) {
        let (graph, hierarchy) = (costs.weighted.graph, costs.hierarchy)
        guard let key = CostsKey(costs.weighted.profile, graph: graph, hierarchy: hierarchy) else { return }
        makeRoom(for: key)
        try? Self.replace(self.costs(key), with: StoredCosts.image(of: costs, key: key))
    }

    /// Writes the files of names for the next start. Write failures are ignored.
    func keep(_ places: PlaceIndex, _ gazetteer: MemoryImage, stamp: UInt64) {
        gazetteer.setStamp(stamp)
        try? Self.replace(self.gazetteer, with: gazetteer)
        try? Self.replace(self.places, with: PlaceIndexFile.data(places, stamp: stamp))
    }

    /// Removes the oldest costs if there are too many besides those of a key.
    func makeRoom(for key: CostsKey) {
        let old = allCosts.filter { $0 != self.costs(key) }.map { url -> (time: Int, url: URL) in
            var info = stat()
            return (stat(url.path, &info) == 0 ? info.st_mtim.tv_sec : 0, url)
        }
        for file in old.sorted(by: { ($0.time, $0.url.path) < ($1.time, $1.url.path) })
            .dropLast(RoutingSettings.storedProfiles - 1)
        { FileManager.default.discard(file.url) }
    }

    private func beside(_ suffix: String) -> URL {
        database.deletingLastPathComponent().appendingPathComponent(name + suffix)
    }

    /// The stamp that derived files are checked against: the database's size, modification time and change
    /// counter. `nil` if the database has a write-ahead log.
    package var stamp: UInt64? {
        var info = stat()
        guard stat(database.path, &info) == 0 else { return nil }
        var log = stat()
        if stat(database.path + "-wal", &log) == 0, log.st_size > 0 { return nil }
        // An unreadable database has no derived files; opening it reports why.
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

    /// The version of the layout of derived files.
    private static let layoutVersion: UInt64 = 4

    /// Writes the image of a derived file; a failure leaves the old file unchanged. It is not synced: a file without a valid
    /// stamp is rebuilt.
    static func replace(_ url: URL, with image: MemoryImage) throws(RutterError) {
        try AtomicFile.replace(url, with: UnsafeRawBufferPointer(image.bytes), syncs: false)
    }

    /// The same for bytes.
    static func replace(_ url: URL, with data: Data) throws(RutterError) {
        try data.bytes.withUnsafeBytes { bytes throws(RutterError) in
            try AtomicFile.replace(url, with: bytes, syncs: false)
        }
    }
}

/// Opening a region's database.
enum RegionDatabase {
    /// Reads in one transaction; writes nothing, not even beside the file.
    static func read<T>(_ url: URL, _ body: (Database) throws -> T) throws -> T {
        let connection = try StoreConnection(url, access: .foreign)
        return try connection.read { db in
            try db.execute(sql: "PRAGMA mmap_size = 1073741824; PRAGMA cache_size = -16384")
            return try body(db)
        }
    }
}
