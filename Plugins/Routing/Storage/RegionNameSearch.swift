import CivilTime
import Foundation
import GRDB
import Geodesy
import PluginKit
import Synchronization
import TrailStores

/// The places of the regions for `place find`: names, addresses, and the surroundings of a coordinate.
///
/// The index and the gazetteer of a workspace region are in files beside its database. Databases of apps, and regions that
/// were imported before addresses were stored, get them in memory, of the names that they have.
final class RegionNameSearch: NamedPlaces {
    let source = "regions"
    private let regions: RegionChoice
    /// Open regions, each until its file changes.
    private let open = Mutex<[URL: OpenPlaces]>([:])

    init(regions: RegionChoice) { self.regions = regions }

    func places(matching query: PlaceQuery, context: Context) async throws -> [PlaceMatch] {
        let day = context.clock.now.civil(in: context.environment.timeZone).date
        var found: [PlaceMatch] = []
        try forEachRegion(context) { region in
            guard query.kinds == [StreetCrossings.kind], !query.words.isEmpty else {
                found += try region.matches(query, on: day)
                return
            }
            guard let databases = regions.accompanying(context) else { return }
            let crossings = StreetCrossings(
                graph: try regions.region(region.name, of: databases).graph, source: region.name,
                town: region.municipality)
            found += try crossings.matches(query) { try region.streets($0) }
        }
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

    func surroundings(of coordinate: Coordinate, context: Context) async throws -> (any PlaceSurroundings)? {
        var found: (any PlaceSurroundings)?
        try forEachRegion(context) { region in
            guard found == nil, region.coverage?.box.contains(coordinate) ?? false,
                let databases = regions.accompanying(context)
            else { return }
            let graph = try regions.region(region.name, of: databases).graph
            found = try RegionSurroundings(of: coordinate, region, graph)
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

/// The name and the coordinate that all entries of an object have.
private struct NamedSpot: Hashable {
    let name: String
    let coordinate: Coordinate
}

/// The places of a region. Those around a coordinate are found in the gazetteer; the database and the index of
/// names are opened for the first search.
package final class OpenPlaces: Sendable {
    package let name: String
    let stamp: UInt64
    let coverage: PlaceCoverage?
    private let gazetteer: Gazetteer
    private let files: RegionFiles
    private let isOwn: Bool
    private let connection = Mutex<StoreConnection?>(nil)
    private let search = Mutex<Search?>(nil)
    private let outlines = Mutex<[NamedArea]?>(nil)

    /// The index of names; with the places, unless the rows of the database are in its order.
    private struct Search: Sendable {
        let index: PlaceIndex
        let entries: [PlaceIndex.Entry]?
    }

    package init(_ files: RegionFiles, name: String, stamp: UInt64, isOwn: Bool) throws {
        (self.files, self.name, self.stamp, self.isOwn) = (files, name, stamp, isOwn)
        let hasPlaces: Bool
        if isOwn, let image = MemoryImage.mapped(files.gazetteer, stamp: stamp),
            let found = Gazetteer(mapped: image)
        {
            image.onDamage { try? Self.readGazetteer(files, stamp: stamp, isOwn: true).image }
            // The file is written only for a database with places.
            (gazetteer, hasPlaces) = (found, true)
        } else {
            let read = try Self.readGazetteer(files, stamp: stamp, isOwn: isOwn)
            (gazetteer, hasPlaces) = (Gazetteer(read.image), read.hasPlaces)
        }
        let limit = hasPlaces ? nil : "it was imported without addresses: import it again"
        coverage = gazetteer.box.map { PlaceCoverage(name: name, box: $0, limit: limit) }
    }

    /// Reads the gazetteer from the database. A copy is written for the next start if the database is the workspace's and has
    /// the tables of places.
    private static func readGazetteer(
        _ files: RegionFiles, stamp: UInt64, isOwn: Bool
    ) throws -> (image: MemoryImage, hasPlaces: Bool) {
        try StoreConnection(files.database, access: .foreign).read { db in
            let hasPlaces = try db.tableExists(PlaceTables.places)
            let image = try Gazetteer.image(
                of: entries(db, source: files.name), PlaceTables.areas(db), check: Interruption.check)
            image.setStamp(stamp)
            if isOwn, hasPlaces { try? RegionFiles.replace(files.gazetteer, with: image) }
            return (image, hasPlaces)
        }
    }

    private static func entries(_ db: Database, source: String) throws -> [PlaceIndex.Entry] {
        try PlaceTables.entries(db) ?? ways(db, source: source)
    }

    /// Kinds that an object may have.
    private static let mostKinds = 4

    // MARK: Around a coordinate

    /// The places with a name of their own within a radius in metres, the nearest first; `isWanted` states for each kind whether it counts.
    /// Throws `E-REGION-DAMAGED` if names are damaged and cannot be rebuilt.
    func nearest(
        to coordinate: Coordinate, within radius: Double, limit: Int, isWanted: (String) -> Bool
    ) throws -> [SurroundingPlace] {
        // An object has few kinds.
        let found = gazetteer.nearest(
            to: coordinate, within: radius, limit: limit * Self.mostKinds, before: NamedKinds.namelessRank,
            source: name, isWanted: isWanted)
        try gazetteer.image.checkSound()
        return Array(Self.withoutFurtherKinds(found, \.place).prefix(limit))
    }

    /// The municipality that contains a coordinate; `nil` if none is known. Throws as `nearest`.
    func municipality(of coordinate: Coordinate) throws -> String? {
        let found = gazetteer.municipality(of: coordinate)
        try gazetteer.image.checkSound()
        return found
    }

    // MARK: By name

    /// The matches; those of kinds are there on a day, or may be. Without a day what has a date is not found by kind.
    package func matches(_ query: PlaceQuery, on day: CivilDate? = nil) throws -> [PlaceMatch] {
        let kinds = query.kinds.map { withDated($0, on: day) }
        return try read { db in
            let search = try search(db)
            var limit = query.limit
            while true {
                let wider = PlaceQuery(
                    query.words, near: query.near, radius: query.radius, area: query.area, kinds: kinds,
                    limit: limit)
                let all = try search.index.matches(wider) { try place($0, search, db) }
                let found = Self.withoutFurtherKinds(all, \.place)
                if found.count >= query.limit || all.count < limit {
                    return Array(found.prefix(query.limit))
                }
                limit += query.limit
            }
        }
    }

    /// Kinds, and the same with dates.
    private func withDated(_ kinds: Set<String>, on day: CivilDate?) -> Set<String> {
        guard let day else { return kinds }
        return kinds.union(
            gazetteer.kindNames.filter { DatedKinds.present($0, on: day).map(kinds.contains) ?? false })
    }

    /// Each object once, by its first kind, although it is stored once for each of its kinds.
    private static func withoutFurtherKinds<Item>(
        _ all: [Item], _ place: (Item) -> NamedPlace
    ) -> [Item] {
        // Objects without a name are called by their kinds.
        var first: [NamedSpot: Int] = [:]
        for (index, item) in all.enumerated() {
            let one = place(item)
            let object = NamedSpot(
                name: one.rank < NamedKinds.namelessRank ? one.name : "", coordinate: one.coordinate)
            guard let known = first[object] else {
                first[object] = index
                continue
            }
            if one.rank < place(all[known]).rank { first[object] = index }
        }
        let kept = Set(first.values)
        return all.enumerated().filter { kept.contains($0.offset) }.map(\.element)
    }

    /// The ways that a query names; only those that are not guesses.
    func streets(_ query: PlaceQuery) throws -> [PlaceMatch] {
        let kinds = NamedKinds.ways
        return try matches(
            PlaceQuery(query.words, near: query.near, kinds: kinds, limit: query.limit)
        ).filter { !$0.quality.manner.isGuess }
    }

    /// All outlines; cached.
    func areas() throws -> [NamedArea] {
        if let areas = outlines.withLock({ $0 }) { return areas }
        let areas = try read { db in try PlaceTables.areas(db) }
        outlines.withLock { $0 = areas }
        return areas
    }

    /// The bytes of all names, addresses and towns, each town once per place.
    package func bytesOfNames() throws -> Int {
        try read { db in
            try PlaceTables.entries(db)?.reduce(0) { sum, entry in
                sum
                    + ([entry.name] + entry.otherNames + [entry.context ?? ""]).reduce(0) {
                        $0 + $1.utf8.count
                    }
            } ?? 0
        }
    }

    private func read<T>(_ body: (Database) throws -> T) throws -> T {
        let opened = try connection.withLock { known in
            let opened = try known ?? StoreConnection(files.database, access: .foreign)
            known = opened
            return opened
        }
        return try opened.read(body)
    }

    /// The index, read from its file or built. Its file is written if the database is the workspace's and its rows are in
    /// the order of the index.
    private func search(_ db: Database) throws -> Search {
        try search.withLock { known in
            if let known { return known }
            let made: Search
            if isOwn, let index = PlaceIndexFile.index(in: files.places, stamp: stamp) {
                made = Search(index: index, entries: nil)
            } else {
                let all = try Self.entries(db, source: name)
                let (index, order) = try PlaceIndex.build(all, check: Interruption.check)
                // Otherwise a number is not that of a row.
                let isInOrder =
                    try isOwn && order == Array(all.indices) && PlaceTables.areNumbered(db, to: all.count)
                if isInOrder {
                    try? RegionFiles.replace(
                        files.places, with: PlaceIndexFile.data(index, stamp: stamp))
                }
                made = Search(index: index, entries: isInOrder ? nil : order.map { all[$0] })
            }
            known = made
            return made
        }
    }

    private func place(_ number: Int, _ search: Search, _ db: Database) throws -> NamedPlace {
        if let entries = search.entries { return NamedPlace(entries[number], source: name) }
        guard let place = try PlaceTables.place(number, in: db, source: name) else {
            throw StoreErrors.row("\(name): the place \(number + 1) is missing")
        }
        return place
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
