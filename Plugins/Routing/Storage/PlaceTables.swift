import Foundation
import GRDB
import Geodesy
import PluginKit
import TrailStores

/// The places of a region in its database: names, addresses, outlines of areas. Apps do not use these
/// tables.
///
/// Places are numbered from 1 in the order of their index, which is in a file beside the database.
struct PlaceTables {
    static let places = "rutter_places"
    static let areas = "rutter_areas"
    /// When accommodation and water are there; missing in regions of earlier versions.
    static let hours = "rutter_place_hours"
    /// The table of regions that were imported before addresses were stored.
    static let formerNames = "rutter_names"

    private static let tables = """
        CREATE TABLE rutter_places(
          id INTEGER PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL, rank INTEGER NOT NULL,
          prominence REAL NOT NULL, latitude REAL NOT NULL, longitude REAL NOT NULL, context TEXT,
          other_names TEXT);
        CREATE TABLE rutter_areas(
          id INTEGER PRIMARY KEY, name TEXT NOT NULL, other_names TEXT, kind TEXT NOT NULL, level INTEGER,
          south REAL NOT NULL, west REAL NOT NULL, north REAL NOT NULL, east REAL NOT NULL,
          rings BLOB NOT NULL);
        CREATE TABLE rutter_place_hours(
          kind TEXT NOT NULL, latitude REAL NOT NULL, longitude REAL NOT NULL, tags TEXT NOT NULL);
        """
    private static let insertPlace = """
        INSERT INTO rutter_places(
          id, name, kind, rank, prominence, latitude, longitude, context, other_names)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    private static let insertHours =
        "INSERT INTO rutter_place_hours(kind, latitude, longitude, tags) VALUES (?, ?, ?, ?)"
    private static let selectHours = "SELECT kind, latitude, longitude, tags FROM rutter_place_hours"
    private static let insertArea = """
        INSERT INTO rutter_areas(
          id, name, other_names, kind, level, south, west, north, east, rings)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    private static let selectPlace = """
        SELECT name, kind, rank, prominence, latitude, longitude, context FROM rutter_places WHERE id = ?
        """
    private static let selectPlaces = """
        SELECT name, kind, rank, prominence, latitude, longitude, context, other_names FROM rutter_places
        ORDER BY id
        """
    private static let selectFormerNames =
        "SELECT name, kind, rank, 0, latitude, longitude, NULL, NULL FROM rutter_names ORDER BY id"

    let index: PlaceIndex
    /// The image of a `Gazetteer`.
    let gazetteer: MemoryImage
    /// In the order of the index.
    private let entries: [PlaceIndex.Entry]
    private let outlines: [NamedArea]
    private let times: [TimedPlace: PlaceHours]

    /// A place that is not always there, by what its row says.
    struct TimedPlace: Sendable, Hashable {
        var kind: String
        var coordinate: Coordinate
    }

    /// Places, when some of them are there, and outlines of areas; `check` throws to cancel.
    init(
        _ all: [PlaceIndex.Entry], areas: [NamedArea], times: [TimedPlace: PlaceHours] = [:],
        check: () throws -> Void = { try Interruption.check() }
    ) throws {
        self.times = times
        let (index, order) = try PlaceIndex.build(all, check: check)
        self.index = index
        entries = order.map { all[$0] }
        outlines = areas
        gazetteer = try Gazetteer.image(of: entries, areas, check: check)
    }

    /// The places of several databases, without duplicates.
    init(joining databases: [URL]) throws {
        var entries: [PlaceIndex.Entry] = []
        var areas: [NamedArea] = []
        var times: [TimedPlace: PlaceHours] = [:]
        var known: Set<PlaceIndex.Entry> = []
        for database in databases {
            try RegionDatabase.read(database) { db in
                entries += try Self.entries(db)?.filter { known.insert($0).inserted } ?? []
                times.merge(try Self.times(db)) { first, _ in first }
                let found = try Self.areas(db)
                areas += found.filter { area in !areas.contains { $0.name == area.name && $0.box == area.box }
                }
            }
        }
        try self.init(entries, areas: areas, times: times)
    }

    /// Creates and fills the tables, within the caller's transaction.
    func write(to db: Database) throws {
        try db.execute(sql: Self.tables)
        let insert = try RawStatement(db, Self.insertPlace)
        for (number, entry) in entries.enumerated() {
            if number % RoutingSettings.rowStep == 0 { try Interruption.check() }
            insert.bind(1, Int64(number + 1))
            insert.bind(2, entry.name)
            insert.bind(3, entry.kind)
            insert.bind(4, Int64(entry.rank))
            insert.bind(5, entry.prominence)
            insert.bind(6, entry.coordinate.latitude)
            insert.bind(7, entry.coordinate.longitude)
            insert.bind(8, entry.context)
            insert.bind(9, entry.otherNames.isEmpty ? nil : entry.otherNames.joined(separator: "\n"))
            try insert.run()
        }
        let area = try RawStatement(db, Self.insertArea)
        for (number, outline) in outlines.enumerated() {
            area.bind(1, Int64(number + 1))
            area.bind(2, outline.name)
            area.bind(3, outline.otherNames.isEmpty ? nil : outline.otherNames.joined(separator: "\n"))
            area.bind(4, outline.kind)
            if let level = outline.level { area.bind(5, Int64(level)) } else { area.bindNull(5) }
            area.bind(6, outline.box.south)
            area.bind(7, outline.box.west)
            area.bind(8, outline.box.north)
            area.bind(9, outline.box.east)
            Self.bytes(outline.rings).withUnsafeBytes { area.bind(10, blob: $0) }
            try area.run()
        }
        try writeTimes(to: db)
    }

    private func writeTimes(to db: Database) throws {
        let insert = try RawStatement(db, Self.insertHours)
        let sorted = times.sorted {
            ($0.key.kind, $0.key.coordinate.latitude, $0.key.coordinate.longitude)
                < ($1.key.kind, $1.key.coordinate.latitude, $1.key.coordinate.longitude)
        }
        for (place, hours) in sorted {
            insert.bind(1, place.kind)
            insert.bind(2, place.coordinate.latitude)
            insert.bind(3, place.coordinate.longitude)
            insert.bind(4, hours.stored)
            try insert.run()
        }
    }

    // MARK: Reading

    /// A place by its number in the index; `nil` if the row is missing or damaged.
    static func place(_ number: Int, in db: Database, source: String) throws -> NamedPlace? {
        guard let row = try Row.fetchOne(try db.cachedStatement(sql: selectPlace), arguments: [number + 1])
        else { return nil }
        return entry(row).map { NamedPlace($0, source: source) }
    }

    /// Whether the rows of places have the ids 1 to a count, which is that of the places that could be read.
    static func areNumbered(_ db: Database, to count: Int) throws -> Bool {
        guard try db.tableExists(places) else { return false }
        let row = try TypedRow.first(
            db, "SELECT count(*) AS count, max(id) AS last FROM \(places) WHERE id > 0", of: places)
        guard let row else { return false }
        return try row.require("count") == count && row.allow("last") ?? 0 == count
    }

    /// When the places of a database are there; those that are always there have no row.
    static func times(_ db: Database) throws -> [TimedPlace: PlaceHours] {
        guard try db.tableExists(hours) else { return [:] }
        var found: [TimedPlace: PlaceHours] = [:]
        let rows = try Row.fetchCursor(db, sql: selectHours)
        while let row = try rows.next() {
            guard let kind = String.fromDatabaseValue(row[0]),
                let latitude = Double.fromDatabaseValue(row[1]),
                let longitude = Double.fromDatabaseValue(row[2]), let text = String.fromDatabaseValue(row[3])
            else { continue }
            let place = TimedPlace(
                kind: kind, coordinate: Coordinate(latitude: latitude, longitude: longitude))
            found[place] = PlaceHours(stored: text)
        }
        return found
    }

    /// All places of a database, in the order of their numbers; `nil` if it has no places.
    static func entries(_ db: Database) throws -> [PlaceIndex.Entry]? {
        let sql: String
        if try db.tableExists(places) {
            sql = selectPlaces
        } else if try db.tableExists(formerNames) {
            sql = selectFormerNames
        } else {
            return nil
        }
        var entries: [PlaceIndex.Entry] = []
        let rows = try Row.fetchCursor(db, sql: sql)
        while let row = try rows.next() {
            guard var entry = entry(row) else { continue }
            let others = String.fromDatabaseValue(row[7])?.split(separator: "\n")
            entry.otherNames = others?.map(String.init) ?? []
            entries.append(entry)
        }
        return entries
    }

    private static func entry(_ row: Row) -> PlaceIndex.Entry? {
        guard let name = String.fromDatabaseValue(row[0]), let kind = String.fromDatabaseValue(row[1]),
            let rank = Int.fromDatabaseValue(row[2]), let prominence = Double.fromDatabaseValue(row[3]),
            let latitude = Double.fromDatabaseValue(row[4]), let longitude = Double.fromDatabaseValue(row[5])
        else { return nil }
        return PlaceIndex.Entry(
            name: name, kind: kind, rank: max(0, min(9, rank)), prominence: max(0, min(1, prominence)),
            coordinate: Coordinate(latitude: latitude, longitude: longitude),
            context: String.fromDatabaseValue(row[6]))
    }

    private static let selectAreas = """
        SELECT name, other_names, kind, level, south, west, north, east, rings FROM rutter_areas ORDER BY id
        """

    /// The outlines of all areas.
    static func areas(_ db: Database) throws -> [NamedArea] {
        guard try db.tableExists(areas) else { return [] }
        var found: [NamedArea] = []
        let rows = try Row.fetchCursor(db, sql: selectAreas)
        while let row = try rows.next() {
            let edges = (4..<8).compactMap { Double.fromDatabaseValue(row[$0]) }
            guard edges.count == 4 else { continue }
            let box = BoundingBox(south: edges[0], west: edges[1], north: edges[2], east: edges[3])
            guard let name = String.fromDatabaseValue(row[0]), let kind = String.fromDatabaseValue(row[2]),
                let bytes = Data.fromDatabaseValue(row[8]), let rings = rings(bytes)
            else { continue }
            found.append(
                NamedArea(
                    name: name,
                    otherNames: String.fromDatabaseValue(row[1])?.split(separator: "\n").map(String.init)
                        ?? [],
                    kind: kind, level: Int.fromDatabaseValue(row[3]), rings: rings, box: box))
        }
        return found
    }

    // MARK: Outlines

    /// Rings as 32-bit numbers: how many points each has, then latitude and longitude in 1e-7 degrees.
    private static func bytes(_ rings: [[Coordinate]]) -> [Int32] {
        rings.flatMap { ring in
            [Int32(ring.count).littleEndian]
                + ring.flatMap { place in
                    [place.latitude, place.longitude].map { Int32(($0 * 1e7).rounded()).littleEndian }
                }
        }
    }

    /// The rings from bytes; `nil` if they are damaged.
    private static func rings(_ data: Data) -> [[Coordinate]]? {
        guard data.count % 4 == 0 else { return nil }
        let numbers = data.withUnsafeBytes { bytes in
            (0..<data.count / 4).map {
                Int(Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Int32.self)))
            }
        }
        var rings: [[Coordinate]] = []
        var next = 0
        while next < numbers.count {
            let count = numbers[next]
            guard count > 0, count <= (numbers.count - next - 1) / 2 else { return nil }
            rings.append(
                (0..<count).map { point in
                    Coordinate(
                        latitude: Double(numbers[next + 1 + 2 * point]) / 1e7,
                        longitude: Double(numbers[next + 2 + 2 * point]) / 1e7)
                })
            next += 1 + 2 * count
        }
        return rings
    }
}

extension NamedPlace {
    /// A place of a region.
    init(_ entry: PlaceIndex.Entry, source: String) {
        self.init(
            name: entry.name, kind: entry.kind, source: source, coordinate: entry.coordinate,
            rank: entry.rank, prominence: entry.prominence, context: entry.context)
    }
}
