import Foundation
import GRDB
import PluginKit
import TrailStores

/// Reads a routing graph from its database.
struct GraphReader {
    private let file: String
    private var arrays = GraphArrays()
    private var known: [KindRow: Int32] = [:]
    private var lastKind: (row: KindRow, index: Int32)?
    /// The text of the further tags of a stored kind, and that of a kind without any; −1 if tags are not
    /// stored.
    private var tagsOfKind: [Int64: Int32] = [:]
    private var plainTags: Int32 = -1

    private init(file: String) { self.file = file }

    /// Reads the graph; throws `E-REGION-SCHEMA` or `E-REGION-GRAPH` if it is invalid.
    static func read(_ db: Database, file: String, stamp: UInt64) throws -> RoutingGraph {
        var arrays = try arrays(db, file: file)
        return try arrays.graph(stamp: stamp) { try Interruption.check() }
    }

    /// Reads the graph as arrays.
    static func arrays(_ db: Database, file: String) throws -> GraphArrays {
        try RegionSchema.check(db, file: file)
        var reader = GraphReader(file: file)
        try reader.readNodes(db)
        try reader.readEdges(db)
        let rows = try Row.fetchAll(db, sql: "SELECT key, value FROM routing_metadata ORDER BY key")
        reader.arrays.metadata = rows.flatMap { row in
            (0..<2).map { (String.fromDatabaseValue(row[$0]) ?? "").replacing("\0", with: "") }
        }
        return reader.arrays
    }

    private mutating func readNodes(_ db: Database) throws {
        let rows = try RawStatement(db, RegionSchema.selectNodes)
        while try rows.next() {
            let (id, latitude, longitude) = (rows.integer(0), rows.number(1), rows.number(2))
            guard abs(latitude) <= 90, abs(longitude) <= 180 else {
                throw RegionErrors.graph("\(file): node \(id) has a coordinate out of range")
            }
            arrays.nodeID.append(id)
            arrays.latitude.append(latitude)
            arrays.longitude.append(longitude)
            arrays.elevation.append(Float(rows.number(3)))
            if arrays.nodeID.count % RoutingSettings.rowStep == 0 { try Interruption.check() }
        }
        guard arrays.nodeID.count < Int(Int32.max) / 4 else {
            throw RegionErrors.graph("\(file): there are more nodes than a graph can hold")
        }
    }

    private mutating func readEdges(_ db: Database) throws {
        let nodes = IDTable(arrays.nodeID)
        let rows = try RawStatement(db, RegionSchema.selectEdges)
        let hasExtras = try db.tableExists("rutter_edges")
        let hasKinds = try db.tableExists("rutter_kinds")
        let query = hasKinds ? RegionSchema.selectExtras : RegionSchema.selectOldExtras
        let extras = hasExtras ? try RawStatement(db, query) : nil
        if hasKinds { try readKinds(db) }
        if try db.tableExists("rutter_trails") { try readTrails(db) }
        if try db.tableExists("rutter_squares") { try readAreas(db) }
        if try db.tableExists("rutter_turns") { try readTurns(db) }
        var hasExtra = try extras?.next() ?? false
        while try rows.next() {
            let id = rows.integer(0)
            while hasExtra, let extras, extras.integer(0) < id { hasExtra = try extras.next() }
            let extra = hasExtra && extras?.integer(0) == id ? extras : nil
            try add(rows, extra, id: id, nodes: nodes)
            if arrays.edgeID.count % RoutingSettings.rowStep == 0 { try Interruption.check() }
        }
        guard arrays.edgeID.count < Int(Int32.max) / 4 else {
            throw RegionErrors.graph("\(file): there are more edges than a graph can hold")
        }
    }

    private mutating func readKinds(_ db: Database) throws {
        plainTags = arrays.texts.index(of: UnsafeRawBufferPointer(start: nil, count: 0))
        let rows = try RawStatement(db, RegionSchema.selectKinds)
        while try rows.next() { tagsOfKind[rows.integer(0)] = text(rows, 1) }
    }

    private mutating func readTrails(_ db: Database) throws {
        let rows = try RawStatement(db, RegionSchema.selectTrails)
        while try rows.next() {
            arrays.trails.append(
                TrailRow(
                    id: rows.integer(0), name: text(rows, 1), ref: text(rows, 2), network: text(rows, 3),
                    symbol: text(rows, 4)))
        }
    }

    private mutating func readTurns(_ db: Database) throws {
        let rows = try RawStatement(db, RegionSchema.selectTurns)
        while try rows.next() {
            let line = rows.bytes(0).map { String(decoding: $0, as: UTF8.self) } ?? ""
            guard let restriction = TurnRestriction(line: line[...]) else {
                throw RegionErrors.graph("\(file): a turn restriction cannot be read")
            }
            arrays.turns.append(restriction)
        }
    }

    private mutating func readAreas(_ db: Database) throws {
        let rows = try RawStatement(db, RegionSchema.selectAreas)
        while try rows.next() {
            guard let area = StoredArea(ways: rows.bytes(0), corners: rows.bytes(1)) else {
                throw RegionErrors.graph("\(file): the corners of an area cannot be read")
            }
            arrays.areas.append(area)
        }
    }

    private mutating func add(_ row: RawStatement, _ extra: RawStatement?, id: Int64, nodes: IDTable) throws {
        for column in Int32(1)...2 {
            let end = nodes.index(of: row.integer(column))
            guard end >= 0 else {
                throw RegionErrors.graph(
                    "\(file): edge \(id) refers to node \(row.integer(column)), which is missing")
            }
            if column == 1 { arrays.source.append(end) } else { arrays.target.append(end) }
        }
        let (distance, gain, loss) = (row.number(3), row.number(4), row.number(5))
        let (cost, reverse) = (row.number(12), row.number(13))
        guard distance >= 0, gain >= 0, loss >= 0, cost >= 0, reverse >= 0, distance + gain + loss < 1e9
        else {
            throw RegionErrors.graph("\(file): edge \(id) has an impossible length, climb or cost")
        }
        arrays.edgeID.append(id)
        arrays.wayID.append(row.integer(11))
        arrays.distance.append(Float(distance))
        arrays.gain.append(Float(gain))
        arrays.loss.append(Float(loss))
        arrays.cost.append(cost)
        arrays.reverseCost.append(reverse)
        arrays.name.append(text(row, 10))
        let tags = extra.flatMap { tagsOfKind[$0.integer(3)] } ?? plainTags
        arrays.kind.append(
            kind(row, flags: Int32(truncatingIfNeeded: extra?.integer(1) ?? 0), tags: tags))
        arrays.trailSet.append(extra.map { text($0, 4) } ?? -1)
        try addPoints(row.bytes(15), heights: extra?.bytes(2), id: id)
    }

    private mutating func text(_ row: RawStatement, _ column: Int32) -> Int32 {
        row.bytes(column).map { arrays.texts.index(of: $0) } ?? -1
    }

    private mutating func kind(_ row: RawStatement, flags: Int32, tags: Int32) -> Int32 {
        let key = KindRow(
            highway: text(row, 7), surface: text(row, 6), sacScale: text(row, 8),
            trailVisibility: text(row, 9), isOneway: row.integer(14) != 0 ? 1 : 0, flags: flags,
            tags: tags)
        if let lastKind, lastKind.row == key { return lastKind.index }
        let index = known[key] ?? Int32(arrays.kinds.count)
        if known[key] == nil {
            known[key] = index
            arrays.kinds.append(key)
        }
        lastKind = (key, index)
        return index
    }

    private mutating func addPoints(
        _ geometry: UnsafeRawBufferPointer?, heights: UnsafeRawBufferPointer?, id: Int64
    ) throws {
        let bytes = geometry?.count ?? 0
        guard bytes % 8 == 0, arrays.points.count + bytes / 8 < Int(Int32.max) else {
            throw RegionErrors.graph(
                "\(file): the geometry of edge \(id) has \(bytes) bytes, not a multiple of 8")
        }
        let count = bytes / 8
        let known = heights.flatMap { $0.count == count * 4 ? $0 : nil }
        for index in 0..<count {
            guard let geometry else { break }
            let latitude = Self.float(geometry, 8 * index)
            let longitude = Self.float(geometry, 8 * index + 4)
            guard abs(latitude) <= 90, abs(longitude) <= 180.01 else {
                throw RegionErrors.graph("\(file): the geometry of edge \(id) has a coordinate out of range")
            }
            let height = known.map { Self.float($0, 4 * index) } ?? .nan
            arrays.points.append(GraphPoint(latitude: latitude, longitude: longitude, elevation: height))
        }
        arrays.firstPoint.append(Int32(arrays.points.count))
    }

    @inline(__always)
    private static func float(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Float {
        Float(bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    }
}

extension RegionSchema {
    /// Throws if a table or column of a routing graph is missing.
    static func check(_ db: Database, file: String) throws {
        for (table, wanted) in columns.sorted(by: { $0.key < $1.key }) {
            guard try db.tableExists(table) else {
                throw RegionErrors.schema("\(file) is not a routing graph: it has no table \(table)")
            }
            let missing = wanted.subtracting(try db.columns(in: table).map(\.name)).sorted()
            guard missing.isEmpty else {
                throw RegionErrors.schema(
                    "\(file): the table \(table) has no column \(missing.joined(separator: ", "))")
            }
        }
    }
}
