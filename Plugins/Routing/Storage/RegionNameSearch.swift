import Foundation
import GRDB
import Geodesy
import PluginKit
import Synchronization
import TrailStores

/// The places of the regions for place search: names, addresses, and the surroundings of a coordinate.
///
/// The index of a workspace region is in a file beside its database. Databases of apps, and regions that
/// were imported before addresses were stored, get one in memory, of the names that they have.
final class RegionNameSearch: NamedPlaces {
    let source = "regions"
    private let regions: RegionChoice
    /// Open regions, each until its file changes.
    private let open = Mutex<[URL: OpenPlaces]>([:])

    init(regions: RegionChoice) { self.regions = regions }

    func places(matching query: PlaceQuery, context: Context) async throws -> [PlaceMatch] {
        var found: [PlaceMatch] = []
        try forEachRegion(context) { found += try $0.matches(query) }
        return found
    }

    func coverage(context: Context) async throws -> [PlaceCoverage] {
        var found: [PlaceCoverage] = []
        try forEachRegion(context) { if let coverage = $0.coverage { found.append(coverage) } }
        return found
    }

    func area(named words: PlaceWords, context: Context) async throws -> PlaceArea? {
        var found: NamedArea?
        try forEachRegion(context) { region in
            for area in try region.areas()
            where ([area.name] + area.otherNames).contains(where: { PlaceWords.fold($0) == words.folded }) {
                // Of a town and a suburb of the same name the larger is used.
                let size = area.box.latitudeSpan * area.box.longitudeSpan
                if size > found.map({ $0.box.latitudeSpan * $0.box.longitudeSpan }) ?? -1 { found = area }
            }
        }
        return found?.area
    }

    func surroundings(of place: Coordinate, context: Context) async throws -> (any PlaceSurroundings)? {
        var found: (any PlaceSurroundings)?
        try forEachRegion(context) { region in
            guard found == nil, region.coverage?.box.contains(place) ?? false,
                let databases = regions.accompanying(context)
            else { return }
            let graph = try regions.region(region.name, of: databases).graph
            found = RegionSurroundings(of: place, region, graph)
        }
        return found
    }

    private func forEachRegion(_ context: Context, _ body: (OpenPlaces) throws -> Void) throws {
        guard let databases = regions.accompanying(context) else { return }
        for name in databases.names {
            try context.checkCancelled()
            do {
                let database = try databases.database(name)
                if let opened = try opened(database, name, isOwn: databases.isOwn) { try body(opened) }
            } catch let error as RutterError where error.kind != Interruption.stopped.kind {
                // `region list` reports a damaged region; the search skips it.
                context.log.warning("\(name): \(error.message)")
            }
        }
    }

    private func opened(_ database: URL, _ name: String, isOwn: Bool) throws -> OpenPlaces? {
        let files = RegionFiles(database: database)
        guard let stamp = files.stamp else { return nil }
        if let known = open.withLock({ $0[database] }), known.stamp == stamp { return known }
        let made = try OpenPlaces(files, name: name, stamp: stamp, isOwn: isOwn)
        open.withLock { $0[database] = made }
        return made
    }
}

/// The places of a region, prepared for search.
package final class OpenPlaces: Sendable {
    package let name: String
    let stamp: UInt64
    /// The coordinates of the places; names are read on first use.
    let locations: PlaceLocations
    let coverage: PlaceCoverage?
    /// Whether the database has the tables of places and areas.
    private let hasPlaces: Bool
    private let file: URL
    private let named: Mutex<PlaceIndex?>
    private let connection: StoreConnection
    /// The places in memory, for a database whose rows are not in the order of the index.
    private let entries: [PlaceIndex.Entry]?
    private let known = Mutex<[NamedArea]?>(nil)

    package init(_ files: RegionFiles, name: String, stamp: UInt64, isOwn: Bool) throws {
        (self.name, self.stamp) = (name, stamp)
        let connection = try StoreConnection(files.database, access: .foreign)
        self.connection = connection
        file = files.places
        // The file is written only for a database with places.
        if isOwn, let locations = PlaceIndexFile.locations(in: file, stamp: stamp) {
            (self.locations, entries, hasPlaces) = (locations, nil, true)
            named = Mutex(nil)
        } else {
            let hasPlaces = try connection.read { db in try db.tableExists(PlaceTables.places) }
            let all = try connection.read { db in
                try PlaceTables.entries(db) ?? Self.ways(db, source: name)
            }
            let (index, order) = try Self.made(all, for: hasPlaces && isOwn ? file : nil, stamp: stamp)
            (locations, entries, self.hasPlaces) = (index.locations, order.map { all[$0] }, hasPlaces)
            named = Mutex(index)
        }
        let limit = hasPlaces ? nil : "it was imported without addresses: import it again"
        coverage = locations.box.map { PlaceCoverage(name: name, box: $0, limit: limit) }
    }

    package func matches(_ query: PlaceQuery) throws -> [PlaceMatch] {
        try connection.read { db in
            let index = try index(db)
            return try index.matches(query) { try place($0, db) }
        }
    }

    /// The index with the names, read or, if the file is damaged, rebuilt once.
    private func index(_ db: Database) throws -> PlaceIndex {
        try named.withLock { known in
            if let known { return known }
            if let index = PlaceIndexFile.index(in: file, stamp: stamp) {
                known = index
                return index
            }
            let all = try PlaceTables.entries(db) ?? []
            let (index, order) = try Self.made(all, for: file, stamp: stamp)
            guard index.count == locations.count, order == Array(all.indices) else {
                throw StoreErrors.row("\(name): its places have changed; open it again")
            }
            known = index
            return index
        }
    }

    /// An index of places with its permutation, written to a file if the rows of the database are in that
    /// order.
    private static func made(
        _ all: [PlaceIndex.Entry], for file: URL?, stamp: UInt64
    ) throws -> (index: PlaceIndex, order: [Int]) {
        let made = try PlaceIndex.build(all, check: Interruption.check)
        if let file, made.order == Array(all.indices) {
            try? RegionFiles.replace(file, with: PlaceIndexFile.data(made.index, stamp: stamp))
        }
        return made
    }

    /// The bytes of all names, addresses and towns, each town once per place.
    package func bytesOfNames() throws -> Int {
        try connection.read { db in
            try PlaceTables.entries(db)?.reduce(0) { sum, entry in
                sum
                    + ([entry.name] + entry.otherNames + [entry.context ?? ""]).reduce(0) {
                        $0 + $1.utf8.count
                    }
            } ?? 0
        }
    }

    /// A place by its number.
    func place(_ number: Int) throws -> NamedPlace { try connection.read { db in try place(number, db) } }

    private func place(_ number: Int, _ db: Database) throws -> NamedPlace {
        if let entries { return NamedPlace(entries[number], source: name) }
        guard let place = try PlaceTables.place(number, in: db, source: name) else {
            throw StoreErrors.row("\(name): the place \(number + 1) is missing")
        }
        return place
    }

    /// All outlines; cached.
    func areas() throws -> [NamedArea] {
        if let areas = known.withLock({ $0 }) { return areas }
        let areas = try connection.read { db in try PlaceTables.areas(db) }
        known.withLock { $0 = areas }
        return areas
    }

    /// The municipality that contains a coordinate; `nil` if none is known.
    func municipality(of place: Coordinate) throws -> String? {
        guard hasPlaces else { return nil }
        let areas =
            try known.withLock { $0 }
            ?? connection.read { db in try PlaceTables.municipalities(db, around: place) }
        return NamedArea.municipality(of: areas) { areas[$0].contains(place) }
    }

    /// Each named way once, at the start of the longest edge with the name.
    private static func ways(_ db: Database, source: String) throws -> [PlaceIndex.Entry] {
        try RegionSchema.check(db, file: source)
        let rows = try Row.fetchCursor(db, sql: RegionSchema.selectNamedWays)
        var ways: [PlaceIndex.Entry] = []
        while let row = try rows.next() {
            guard let name = String.fromDatabaseValue(row[0]),
                let latitude = Double.fromDatabaseValue(row[2]),
                let longitude = Double.fromDatabaseValue(row[3])
            else { continue }
            let highway = String.fromDatabaseValue(row[1]) ?? ""
            ways.append(
                PlaceIndex.Entry(
                    name: name, kind: highway.isEmpty ? WayNames.unknownKind : highway,
                    rank: NamedKinds.highways[highway] ?? NamedKinds.otherHighway,
                    coordinate: Coordinate(latitude: latitude, longitude: longitude)))
        }
        return ways
    }
}
