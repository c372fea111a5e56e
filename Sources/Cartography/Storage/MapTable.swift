import Core
import Foundation
import GRDB
import Geodesy
import Synchronization
import TrailStores

/// Reads the map of a region file. Thread-safe.
final class MapTable: Sendable {
    /// The metadata of the tables.
    struct Facts: Sendable {
        var values: [String: String]
        /// The kinds of the file by their numbers; `nil` for unknown ones.
        var kinds: [Int?]
        /// Samples per degree of the heights; `nil` without heights.
        var grid: Int?
        var bounds: BoundingBox?
    }

    /// The cache of unpacked blocks.
    private struct Cache {
        var blocks: [Int64: (features: [DrawnFeature], cost: Int, used: UInt64)] = [:]
        var heights: [Int: (samples: [Int16]?, used: UInt64)] = [:]
        var cost = 0
        var clock: UInt64 = 0
    }

    let facts: Facts
    let url: URL
    private let connection: StoreConnection
    private let cache = Mutex(Cache())

    /// The maximum size of the cache: bytes of stored features, and pieces of heights.
    private static let largestCost = 24 << 20
    private static let mostHeights = 256

    /// Opens a region; throws `E-MAP-FEATURES` if it has no map.
    init(_ url: URL) throws(RutterError) {
        self.url = url
        let connection = try StoreConnection(url, access: .foreign)
        self.connection = connection
        let values = try connection.read { db -> [String: String]? in
            guard try db.tableExists(MapTableSchema.facts) else { return nil }
            var values: [String: String] = [:]
            let statement = try RawStatement(db, "SELECT key, value FROM rutter_map_facts")
            while try statement.next() {
                if let key = statement.text(0) { values[key] = statement.text(1) }
            }
            return values
        }
        guard let values, values[MapFact.format] == MapTableSchema.format else {
            let name = url.lastPathComponent
            throw MapErrors.lacking(
                values == nil
                    ? "\(name) was imported without map features"
                    : "the map features of \(name) are of another version",
                fix: "region import FILE --update")
        }
        let names = (values[MapFact.kinds] ?? "").split(separator: " ").map(String.init)
        let edges = (values[MapFact.bounds] ?? "").split(separator: ",").compactMap { Double($0) }
        facts = Facts(
            values: values, kinds: names.map { MapKinds.byName[$0] },
            grid: values[MapFact.grid].flatMap(Int.init).flatMap { (1...7200).contains($0) ? $0 : nil },
            bounds: edges.count == 4
                ? BoundingBox(south: edges[1], west: edges[0], north: edges[3], east: edges[2]) : nil)
    }

    /// Whether a database has a map.
    static func exists(_ db: Database) throws -> Bool { try db.tableExists(MapTableSchema.facts) }

    // MARK: Features

    /// Passes on the features in a picture with a margin in points, those beyond the 180° meridian moved to where it
    /// shows them.
    func features(
        level: Int, in frame: MapProjection, margin: Double, _ take: (DrawnFeature) throws -> Void
    ) throws {
        for (box, shift) in frame.boxes(margin: margin) {
            try features(level: level, in: box) { try take(shift == 0 ? $0 : $0.moved(by: -shift)) }
        }
    }

    /// Passes on the features of a level whose boxes intersect a box, block by block.
    func features(level: Int, in box: MapBox, _ take: (DrawnFeature) throws -> Void) throws {
        for id in try blocks(level: level, in: box) {
            for feature in try block(id, level: level) where feature.box.meets(box) { try take(feature) }
        }
    }

    private func blocks(level: Int, in box: MapBox) throws(RutterError) -> [Int64] {
        try connection.look { db in
            let statement = try RawStatement(db, MapTableSchema.selectBlocks, isCached: true)
            for (index, value) in [Int32(level), box.minX, box.maxX, box.minY, box.maxY].enumerated() {
                statement.bind(Int32(index + 1), Int64(value))
            }
            var ids: [Int64] = []
            while try statement.next() { ids.append(statement.integer(0)) }
            return ids
        }
    }

    private func block(_ id: Int64, level: Int) throws -> [DrawnFeature] {
        let known = cache.withLock { cache -> [DrawnFeature]? in
            cache.clock += 1
            cache.blocks[id]?.used = cache.clock
            return cache.blocks[id]?.features
        }
        if let known { return known }
        let stored = try connection.look { db -> (size: Int, data: Data)? in
            let statement = try RawStatement(db, MapTableSchema.selectBlock, isCached: true)
            statement.bind(1, id)
            guard try statement.next(), let bytes = statement.bytes(2) else { return nil }
            return (Int(statement.integer(1)), Data(bytes))
        }
        guard let stored, stored.size <= MapTableSchema.largestBlock,
            case .inflated(let bytes) = try RawDeflate.inflate(
                stored.data, limit: stored.size, source: "block \(id)"),
            let features = FeatureCoding.features(bytes, level: level, kinds: facts.kinds)
        else { throw MapErrors.damaged("block \(id) of \(url.lastPathComponent) cannot be read") }
        cache.withLock { cache in
            guard cache.blocks[id] == nil else { return }
            cache.blocks[id] = (features, stored.size, cache.clock)
            cache.cost += stored.size
            while cache.cost > Self.largestCost, cache.blocks.count > 1,
                let oldest = cache.blocks.min(by: { ($0.value.used, $0.key) < ($1.value.used, $1.key) })
            {
                cache.blocks[oldest.key] = nil
                cache.cost -= oldest.value.cost
            }
        }
        return features
    }

    // MARK: Heights

    /// The heights of a piece of the grid; `nil` if unknown.
    func heights(across: Int, down: Int) throws -> [Int16]? {
        guard let grid = facts.grid else { return nil }
        let key = down * (360 * grid / HeightTable.side + 2) + across
        let known = cache.withLock { cache -> (samples: [Int16]?, used: UInt64)? in
            cache.clock += 1
            cache.heights[key]?.used = cache.clock
            return cache.heights[key]
        }
        if let known { return known.samples }
        let data = try connection.look { db -> Data? in
            let statement = try RawStatement(db, MapTableSchema.selectHeights, isCached: true)
            statement.bind(1, Int64(grid))
            statement.bind(2, Int64(down))
            statement.bind(3, Int64(across))
            guard try statement.next() else { return nil }
            return statement.bytes(0).map { Data($0) }
        }
        var samples: [Int16]?
        if let data {
            samples = try HeightTable.samples(data)
            if samples == nil {
                throw MapErrors.damaged("heights of \(url.lastPathComponent) cannot be read")
            }
        }
        cache.withLock { cache in
            cache.heights[key] = (samples, cache.clock)
            while cache.heights.count > Self.mostHeights,
                let oldest = cache.heights.min(by: { ($0.value.used, $0.key) < ($1.value.used, $1.key) })
            {
                cache.heights[oldest.key] = nil
            }
        }
        return samples
    }
}
