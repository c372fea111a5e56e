import CivilTime
import Foundation
import Geodesy
import PluginKit

/// The places of a map: named and addressed objects, and the outlines of areas.
struct RegionPlaces: Sendable {
    var entries: [PlaceIndex.Entry] = []
    var areas: [NamedArea] = []
    /// When accommodation and water are there.
    var times: [PlaceTables.TimedPlace: PlaceHours] = [:]
    /// The number of named objects of which the file has no node: cut off at the edge of an extract.
    var unplaced = 0
    /// The number of addresses without street or place, which cannot be searched.
    var streetless = 0

    /// The places of a file; with a box only those inside. `check` throws to cancel.
    init(_ file: OSMPlaces, bounds: BoundingBox?, day: CivilDate? = nil, check: () throws -> Void) throws {
        var harvest = PlaceHarvest(file, bounds: bounds, day: day)
        try harvest.run(check)
        self = harvest.places
    }

    fileprivate init() {}
}

/// Converts the objects of a file to places.
private struct PlaceHarvest {
    var places = RegionPlaces()
    private let file: OSMPlaces
    private let bounds: BoundingBox?
    /// The day of the import.
    private let day: CivilDate?
    /// Pieces of streets, rivers and other lines, to be joined.
    private var pieces: [LineJoiner.Key: [LineJoiner.Piece]] = [:]
    private var addresses = AddressBook()
    /// Settlements with their kinds.
    private var settlements: [Settlement] = []
    /// Places without postcode or town.
    private var drafts: [Draft] = []

    private struct Draft {
        var entry: PlaceIndex.Entry
        var postcode: String?
        var town: String?
        /// The box around a street.
        var street: BoundingBox?
    }

    init(_ file: OSMPlaces, bounds: BoundingBox?, day: CivilDate?) {
        (self.file, self.bounds, self.day) = (file, bounds, day)
    }

    mutating func run(_ check: () throws -> Void) throws {
        addresses.streets = try StreetRelations.streets(of: file, check)
        for object in 0..<file.count where file.hasTags(object) {
            if object % Self.step == 0 { try check() }
            add(object)
        }
        places.streetless -= try addresses.addInterpolated(file, check)
        let finder = TownFinder(areas: places.areas, settlements: settlements)
        try join(finder, check)
        try finish(finder, check)
    }

    private static let step = 1000
    /// The least prominence by its first kind of an object of several, so that it comes before the same object by another.
    private static let firstOfSeveral = 0.01
    /// Kinds of which a route of several days asks when they are there.
    private static let timedKinds = Set(StageSplit.kinds + StageSplit.waterKinds)

    private mutating func add(_ object: Int) {
        var tags = file.pairs(object)
        tags.removeAll { $0.isStart && LifeDates.hasBegun($0.key, $0.value, on: day) }
        addresses.note(object, tags, file)
        let names = StreetRelations.isBesideItsStreet(object, file) ? nil : OSMNames(tags)
        let hasAddress = tags.contains { AddressBook.numberKeys.contains($0.key) }
        let kind = NamedKinds.kind(
            { key in tags.first { $0.key == key }?.value }, mayBeFormer: tags.contains(where: \.isFormer))
        let isNameless = names == nil && tags.contains { NamedKinds.isNameless($0.key, $0.value) }
        let text = tags.first { $0.key == AddressBook.textKey }?.value
        guard names != nil || hasAddress || isNameless || text != nil else { return }
        let shape = ObjectShape(object, file)
        guard let center = shape.center else {
            if names != nil { places.unplaced += 1 }
            return
        }
        let isInside = bounds?.contains(center) ?? true
        if let names { addArea(object, tags, names) }
        guard isInside else { return }
        func value(_ key: String) -> String? { tags.first { $0.key == key }?.value }
        let isAddressed = hasAddress && addresses.add(object, tags, at: center, file)
        if hasAddress, !isAddressed, text == nil { places.streetless += 1 }
        let freeText = isAddressed ? nil : text
        if let freeText, names == nil {
            let entry = PlaceIndex.Entry(
                name: freeText, kind: PlaceIndex.addressKind, rank: NamedKinds.addressRank, coordinate: center
            )
            drafts.append(Draft(entry: entry, postcode: value("addr:postcode"), town: value("addr:city")))
        }
        let kinds = [kind.kind] + NamedKinds.furtherKinds(of: kind.kind, value).map(\.kind)
        let first = kinds.count > 1 ? Self.firstOfSeveral : 0
        if let hours = PlaceHours(value) {
            for one in kinds where Self.timedKinds.contains(DatedKinds.base(one)) {
                places.times[PlaceTables.TimedPlace(kind: one, coordinate: center)] = hours
            }
        }
        guard let names else {
            guard isNameless else { return }
            for one in kinds {
                // A shop of a chain is called by its brand.
                let entry = PlaceIndex.Entry(
                    name: value("brand") ?? one.replacing("_", with: " "), kind: one,
                    rank: NamedKinds.namelessRank, prominence: one == kind.kind ? first : 0,
                    coordinate: center, otherNames: Self.operators(one, value))
                drafts.append(Draft(entry: entry, postcode: nil, town: value("addr:city")))
            }
            return
        }
        let rank = names.isReference ? max(kind.rank, NamedKinds.addressRank) : kind.rank
        if kind.key == "highway", let code = value("postal_code") {
            addresses.addPostcode(code, ofStreet: names.name, at: center)
        }
        if shape.isLine, LineJoiner.keys.contains(kind.key) {
            let key = LineJoiner.Key(name: names.name, kind: kind.key)
            pieces[key, default: []].append(
                LineJoiner.Piece(
                    kind: kind.kind, rank: rank, middle: center, count: shape.count, box: shape.box,
                    otherNames: names.others))
            return
        }
        var entry = PlaceIndex.Entry(
            name: names.name, kind: kind.kind, rank: rank,
            prominence: max(first, Prominence.of(kind.key, value, shape)), coordinate: center,
            otherNames: names.others + Self.furtherNames(of: names.name, value)
                + Self.operators(kind.kind, value) + [freeText].compactMap { $0 })
        if kind.key == "place" { settlements.append(Settlement(entry)) }
        drafts.append(Draft(entry: entry, postcode: value("addr:postcode"), town: value("addr:city")))
        entry.prominence = 0
        for further in NamedKinds.furtherKinds(of: kind.kind, value) {
            (entry.kind, entry.rank) = (
                further.kind, min(max(further.rank, rank + 1), NamedKinds.addressRank)
            )
            drafts.append(Draft(entry: entry, postcode: value("addr:postcode"), town: value("addr:city")))
        }
        if let postcode = value("postal_code"), kind.key == "place" {
            addresses.addPostcode(postcode, town: names.name, at: center)
        }
    }

    /// The brand of a named object, and its name with its address, as people write it on a letter.
    private static func furtherNames(of name: String, _ value: (String) -> String?) -> [String] {
        var names: [String] = []
        if let brand = value("brand"), brand != name { names.append(brand) }
        if let street = value("addr:street") {
            names.append([name, street, value("addr:housenumber")].compactMap { $0 }.joined(separator: " "))
        }
        return names
    }

    /// Who operates an object that people ask for by that name, such as a cash machine.
    private static func operators(_ kind: String, _ value: (String) -> String?) -> [String] {
        guard NamedKinds.operated.contains(kind), let name = value("operator"),
            name != value("brand"), name != value("name")
        else { return [] }
        return [name]
    }

    private mutating func addArea(
        _ object: Int, _ tags: [OSMPlaces.Tag], _ names: OSMNames
    ) {
        func value(_ key: String) -> String? { tags.first { $0.key == key }?.value }
        guard value("boundary") != nil || value("place") != nil, let rings = file.rings(object) else {
            return
        }
        guard let box = BoundingBox(around: rings.lazy.flatMap { $0 }) else { return }
        let isAdministrative = value("boundary") == "administrative"
        places.areas.append(
            NamedArea(
                name: names.name, otherNames: names.others, kind: NamedKinds.kind(value).kind,
                level: isAdministrative ? value("admin_level").flatMap { Int($0) } : nil, rings: rings,
                box: box))
    }

    private mutating func join(_ finder: TownFinder, _ check: () throws -> Void) throws {
        for key in pieces.keys.sorted(by: { ($0.name, $0.kind) < ($1.name, $1.kind) }) {
            try check()
            // A street that leads through several municipalities is one of each, as in its addresses.
            let parts =
                key.kind == "highway"
                ? Dictionary(grouping: pieces[key] ?? []) { finder.municipality(at: $0.middle) ?? "" }
                : ["": pieces[key] ?? []]
            for piece in parts.sorted(by: { $0.key < $1.key }).flatMap({ LineJoiner.joined($0.value) }) {
                drafts.append(
                    Draft(
                        entry: PlaceIndex.Entry(
                            name: key.name, kind: piece.kind, rank: piece.rank, coordinate: piece.middle,
                            otherNames: piece.otherNames), postcode: nil, town: nil,
                        street: key.kind == "highway" ? piece.box : nil))
            }
        }
    }

    /// Adds postcode and town to each place, and adds the addresses.
    private mutating func finish(_ finder: TownFinder, _ check: () throws -> Void) throws {
        var entries: [PlaceIndex.Entry] = []
        entries.reserveCapacity(drafts.count + addresses.count)
        for (index, draft) in drafts.enumerated() {
            if index % Self.step == 0 { try check() }
            var entry = draft.entry
            // The centre of a municipality may lie in another.
            let isArea = NamedKinds.territories.contains(entry.kind)
            let town = draft.town ?? (isArea ? nil : finder.town(at: entry.coordinate))
            let postcode =
                draft.postcode ?? draft.street.flatMap { addresses.postcodes(ofStreet: entry.name, in: $0) }
            entry.context =
                [postcode, town == entry.name ? nil : town].compactMap { $0 }
                .joined(separator: " ").nilIfEmpty
            entries.append(entry)
        }
        entries += try addresses.entries(finder, check)
        places.entries = try StopMerger.merged(entries, check)
    }
}

extension String {
    fileprivate var nilIfEmpty: String? { isEmpty ? nil : self }
}

/// The town of a coordinate: the municipality that contains it, else the nearest settlement relative to its
/// size.
struct TownFinder {
    private let areas: AreaFinder
    private let settlements: [Settlement]

    init(areas: [NamedArea], settlements: [Settlement]) {
        self.areas = AreaFinder(areas)
        self.settlements = settlements.filter { $0.reach > 0 }
            .sorted { $0.coordinate.latitude < $1.coordinate.latitude }
    }

    func municipality(at coordinate: Coordinate) -> String? { areas.municipality(at: coordinate) }

    func town(at coordinate: Coordinate) -> String? {
        municipality(at: coordinate) ?? Settlement.nearest(to: coordinate, settlements)?.name
    }
}

/// A town, village or hamlet as a point.
struct Settlement: Sendable {
    let name: String
    let kind: String
    let coordinate: Coordinate
    /// The radius in metres that distances are compared with; 0 if it is not a settlement.
    let reach: Double

    /// Kinds of settlements.
    static let kinds = Set(reaches.keys)

    /// The typical extent of a settlement of each kind, in metres.
    private static let reaches: [String: Double] = [
        "city": 6000, "town": 3000, "village": 1500, "hamlet": 500,
    ]

    init(_ entry: PlaceIndex.Entry) {
        (name, kind, coordinate) = (entry.name, entry.kind, entry.coordinate)
        reach = Self.reaches[entry.kind] ?? 0
    }

    /// The nearest settlement within a few times its extent; `nil` if there is none: the coordinate may
    /// belong to any. Settlements are sorted by latitude.
    static func nearest(to coordinate: Coordinate, _ all: [Settlement]) -> Settlement? {
        var best: (share: Double, settlement: Settlement)?
        let first = all.partitionIndex { $0.coordinate.latitude > coordinate.latitude - widest }
        for settlement in all[first...] {
            if settlement.coordinate.latitude > coordinate.latitude + widest { break }
            let share = settlement.coordinate.distance(to: coordinate) / settlement.reach
            if share <= farthest, share < best?.share ?? .infinity { best = (share, settlement) }
        }
        return best?.settlement
    }

    private static let farthest = 3.0
    /// The largest extent in degrees of latitude.
    private static let widest = 0.17
}

/// The prominence of a place among others of its rank, 0…1.
enum Prominence {
    static func of(_ key: String, _ value: (String) -> String?, _ shape: ObjectShape) -> Double {
        if let people = value("population").flatMap(TagNumber.count), people > 1 {
            // Ten million people are 1.
            return min(1, log10(people) / 7)
        }
        if let prominence = value("prominence").flatMap(TagNumber.height), prominence > 0 {
            return min(1, prominence / 2000)
        }
        if let height = value("ele").flatMap(TagNumber.height), height > 0 { return min(1, height / 9000) }
        // A kilometre across is 0.5, ten are 0.75.
        guard shape.metres > 10 else { return 0 }
        return min(1, log10(shape.metres / 10) / 4)
    }
}

/// Merges stops that a map contains several times near each other.
enum StopMerger {
    /// Maximum distance in metres between signposts and platforms of one stop.
    private static let near = 150.0
    /// Entries between two checks for cancellation.
    private static let step = 1000

    static func merged(
        _ entries: [PlaceIndex.Entry], _ check: () throws -> Void
    ) rethrows -> [PlaceIndex.Entry] {
        var kept: [String: [Int]] = [:]
        var result: [PlaceIndex.Entry] = []
        for (number, entry) in entries.enumerated() {
            if number % step == 0 { try check() }
            guard NamedKinds.stops.contains(entry.kind) else {
                result.append(entry)
                continue
            }
            let known = kept[entry.name]?.first {
                result[$0].coordinate.distance(to: entry.coordinate) <= near
            }
            guard let known else {
                kept[entry.name, default: []].append(result.count)
                result.append(entry)
                continue
            }
            let others = Set(result[known].otherNames)
            let all = result[known].otherNames + entry.otherNames.filter { !others.contains($0) }
            if entry.rank < result[known].rank { result[known] = entry }
            result[known].otherNames = all
        }
        return result
    }
}
