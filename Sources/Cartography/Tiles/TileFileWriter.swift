import Core
import Foundation
import GRDB
import Geodesy
import Pictures
import Synchronization
import TrailStores

/// Writes the tiles of a map into an MBTiles file, on several threads. An interrupted run is resumed.
///
/// Format: MBTiles 1.3 (github.com/mapbox/mbtiles-spec). The same request writes the same bytes.
public struct TileFileWriter: Sendable {
    /// The result.
    public struct Report: Sendable, Hashable {
        /// Tiles of the file.
        public var tiles = 0
        /// The number of tiles from an earlier, interrupted run.
        public var resumed = 0
    }

    private let source: MapSource
    private let pyramid: TilePyramid
    private let name: String
    private let style: MapStyle
    private let scale: Double

    /// The maximum number of tiles of a file.
    public static let mostTiles = 2_000_000
    /// Tiles held in memory, and drawn between two checks for cancellation.
    private static let batch = 64
    private static let draws = 8
    private static let threads = 2
    /// Bytes per copy.
    private static let chunk = 1 << 20
    /// `MPBX`, the application id of MBTiles.
    private static let applicationID = 0x4D50_4258

    /// Tiles of a map with the name stored in the file. Throws `E-MAP-REQUEST` for more than `mostTiles`.
    public init(
        _ source: MapSource, _ pyramid: TilePyramid, name: String, style: MapStyle, scale: Double = 1
    ) throws(RutterError) {
        guard pyramid.count <= Self.mostTiles else {
            throw MapErrors.request(
                "\(pyramid.count) tiles are more than \(Self.mostTiles)", at: .parameter("zoom"),
                fix: "choose a smaller --area or fewer zooms")
        }
        guard MapSource.scales.contains(scale) else {
            throw MapErrors.request(
                "a tile has 1 to 4 pixels per point, not \(scale)", at: .parameter("scale"))
        }
        (self.source, self.pyramid, self.name, self.style, self.scale) = (source, pyramid, name, style, scale)
    }

    /// The partial file of an unfinished run.
    public static func unfinished(_ url: URL) -> URL { url.appendingPathExtension("part") }

    /// Writes the file. It is renamed when it is complete; an interrupted run leaves its partial file.
    public func write(
        to url: URL, force: Bool, progress: ProgressReporter = ProgressReporter()
    ) throws -> Report {
        try NativeLibrary.cairo.require()
        try StagedFile.checkFree(url, force: force)
        let part = Self.unfinished(url)
        try StagedFile.checkFree(part, force: true)
        let whole = part.appendingPathExtension("whole")
        do {
            let queue = try open(part)
            let report = try fill(queue, progress)
            unlink(whole.path)
            defer { unlink(whole.path) }
            try queue.writeWithoutTransaction { db in
                try db.execute(sql: Self.dropRequest)
                // A fresh copy does not depend on the number of interruptions.
                try db.execute(sql: "VACUUM INTO ?", arguments: [whole.path])
            }
            try queue.close()
            try copy(whole, to: url, force: force)
            unlink(part.path)
            return report
        } catch let error as DatabaseError {
            throw StoreErrors.wrap(error, path: part.lastPathComponent)
        }
    }

    private func copy(_ whole: URL, to url: URL, force: Bool) throws {
        let file = try StagedFile(url, force: force)
        let handle = try FileHandle(forReadingFrom: whole)
        while let data = try handle.read(upToCount: Self.chunk), !data.isEmpty {
            try Interruption.check()
            try data.bytes.withUnsafeBytes { bytes throws(RutterError) in try file.write(bytes) }
        }
        try handle.close()
        try file.finish()
    }

    // MARK: The unfinished file

    private func open(_ part: URL) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            // A crash of the machine loses only the partial file.
            try db.execute(sql: "PRAGMA synchronous = OFF")
        }
        if FileManager.default.fileExists(atPath: part.path) {
            do {
                let queue = try DatabaseQueue(path: part.path, configuration: configuration)
                if try queue.read(isOurs) { return queue }
                try queue.close()
            } catch let error as DatabaseError where error.resultCode == .SQLITE_NOTADB {
                // Restarted below.
            }
            try FileManager.default.removeItem(at: part)
        }
        let queue = try DatabaseQueue(path: part.path, configuration: configuration)
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA page_size = 4096; PRAGMA application_id = \(Self.applicationID)")
            try db.inTransaction {
                try db.execute(sql: Self.tables)
                for (table, facts) in [("metadata", metadata), ("rutter_request", request)] {
                    for (key, value) in facts.sorted(by: { $0.key < $1.key }) {
                        try db.execute(sql: "INSERT INTO \(table) VALUES (?, ?)", arguments: [key, value])
                    }
                }
                return .commit
            }
        }
        return queue
    }

    /// Whether a partial file belongs to the same request and the current map.
    private func isOurs(_ db: Database) throws -> Bool {
        guard try db.tableExists("rutter_request"), try db.tableExists("metadata") else { return false }
        func stored(_ table: String) throws -> [String: String] {
            let rows = try TypedRow.all(db, "SELECT name, value FROM \(table)", of: table)
            return Dictionary(
                try rows.map { (try $0.require("name"), try $0.require("value")) },
                uniquingKeysWith: { old, _ in old })
        }
        return try stored("rutter_request") == request && stored("metadata") == metadata
    }

    private static let tables = """
        CREATE TABLE metadata(name TEXT, value TEXT);
        CREATE TABLE tiles(zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
        CREATE UNIQUE INDEX tile_index ON tiles(zoom_level, tile_column, tile_row);
        CREATE TABLE rutter_request(name TEXT, value TEXT);
        """
    private static let dropRequest = "DROP TABLE IF EXISTS rutter_request"
    private static let insertTile = "INSERT INTO tiles VALUES (?, ?, ?, ?)"
    private static let selectTiles = "SELECT tile_column, tile_row FROM tiles WHERE zoom_level = ?"

    /// The metadata of the file.
    private var metadata: [String: String] {
        let area = pyramid.area
        func text(_ number: Double) -> String { "\((number * 1e6).rounded() / 1e6)" }
        return [
            "name": name, "format": "png", "type": "baselayer", "version": "1",
            "description": "topographic map",
            "bounds": [area.west, area.south, area.east, area.north].map(text).joined(separator: ","),
            "center": [
                text(area.center.longitude), text(area.center.latitude), "\(pyramid.zooms.lowerBound)",
            ].joined(separator: ","),
            "minzoom": "\(pyramid.zooms.lowerBound)", "maxzoom": "\(pyramid.zooms.upperBound)",
            "attribution": source.attribution,
        ]
    }

    /// Other inputs of the tiles.
    private var request: [String: String] {
        ["style": style.digest, "scale": "\(scale)", "source": source.fingerprint]
    }

    // MARK: Drawing

    private func fill(_ queue: DatabaseQueue, _ progress: ProgressReporter) throws -> Report {
        let count = pyramid.count
        var report = Report()
        for zoom in pyramid.zooms {
            let known = try tiles(of: zoom, in: queue)
            report.resumed += known.count
            report.tiles += known.count
            var made: [(TileAddress, Data)] = []
            var waiting: [TileAddress] = []
            func draw() throws {
                try Interruption.check()
                made += zip(waiting, try drawn(waiting))
                report.tiles += waiting.count
                waiting = []
                progress.report("drawing tiles of zoom \(zoom)", done: report.tiles, of: count)
            }
            do {
                for address in pyramid.tiles(zoom) where !known.contains(address) {
                    waiting.append(address)
                    if waiting.count == Self.draws { try draw() }
                    if made.count >= Self.batch {
                        try save(made, in: queue)
                        made = []
                    }
                }
                if !waiting.isEmpty { try draw() }
                try save(made, in: queue)
            } catch {
                // The next run skips the tiles that are saved here.
                try save(made, in: queue)
                throw error
            }
        }
        return report
    }

    private func tiles(of zoom: Int, in queue: DatabaseQueue) throws -> Set<TileAddress> {
        try queue.read { db in
            var known: Set<TileAddress> = []
            let statement = try RawStatement(db, Self.selectTiles)
            statement.bind(1, Int64(zoom))
            while try statement.next() {
                known.insert(
                    TileAddress(
                        zoom: zoom, x: Int(statement.integer(0)),
                        y: (1 << zoom) - 1 - Int(statement.integer(1))))
            }
            return known
        }
    }

    private func save(_ tiles: [(TileAddress, Data)], in queue: DatabaseQueue) throws {
        if tiles.isEmpty { return }
        try queue.write { db in
            let insert = try RawStatement(db, Self.insertTile)
            for (address, data) in tiles {
                insert.bind(1, Int64(address.zoom))
                insert.bind(2, Int64(address.x))
                // The file's rows count from the south.
                insert.bind(3, Int64((1 << address.zoom) - 1 - address.y))
                try data.withUnsafeBytes {
                    insert.bind(4, blob: $0)
                    try insert.run()
                }
            }
        }
    }

    /// The pictures of tiles, in order.
    private func drawn(_ addresses: [TileAddress]) throws -> [Data] {
        let results = Mutex([Result<Data, any Error>?](repeating: nil, count: addresses.count))
        DispatchQueue.concurrentPerform(iterations: Self.threads) { thread in
            for index in stride(from: thread, to: addresses.count, by: Self.threads) {
                let tile = addresses[index]
                let result = Result {
                    try source.tile(z: tile.zoom, x: tile.x, y: tile.y, scale: scale, style: style)
                }
                results.withLock { $0[index] = result }
            }
        }
        return try results.withLock { try $0.map { try $0?.get() ?? Data() } }
    }
}
