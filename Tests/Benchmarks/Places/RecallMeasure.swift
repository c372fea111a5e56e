import Foundation
import Geodesy
import PluginKit
import RoutingPlugin

/// Counts of found and searched objects.
struct RecallTally {
    private var counts: [String: (found: Int, all: Int)] = [:]
    private var order: [String] = []

    mutating func count(_ name: String, _ isFound: Bool) {
        if counts[name] == nil { order.append(name) }
        counts[name, default: (0, 0)].found += isFound ? 1 : 0
        counts[name, default: (0, 0)].all += 1
    }

    mutating func add(_ other: RecallTally) {
        for name in other.order {
            if counts[name] == nil { order.append(name) }
            counts[name, default: (0, 0)].found += other.counts[name]?.found ?? 0
            counts[name, default: (0, 0)].all += other.counts[name]?.all ?? 0
        }
    }

    func report() {
        for name in order {
            let (found, all) = counts[name] ?? (0, 0)
            let share = (Double(found) / Double(max(1, all)) * 1000).rounded() / 10
            print("  \(name): \(found) of \(all), \(share) %")
        }
    }
}

/// Recall among the first five, for the objects found by an independent scan of the map.
struct RecallMeasure {
    let places: OpenPlaces
    /// The maximum number of objects of each kind; larger sets are sampled evenly.
    let limit: Int
    var tally = RecallTally()
    private var random = Xoshiro256(seed: 27)
    private var printsMisses = ProcessInfo.processInfo.environment["PLACES_MISSES"] != nil

    init(places: OpenPlaces, limit: Int) { (self.places, self.limit) = (places, limit) }

    private static let first = 5

    private func sample<T>(_ all: [T]) -> [T] {
        guard all.count > limit else { return all }
        return (0..<limit).map { all[$0 * all.count / limit] }
    }

    private func search(_ text: String, near: Coordinate? = nil) throws -> [PlaceMatch] {
        try places.matches(PlaceQuery(PlaceWords(text), near: near, limit: Self.first))
    }

    private mutating func note(_ measure: String, _ isFound: Bool, _ text: String, _ wanted: String) {
        if !isFound, printsMisses { print("    missed (\(measure)): \(text) for \(wanted)") }
        tally.count(measure, isFound)
    }

    // MARK: Names

    /// An object counts as found if one of the first five has its name or its location.
    mutating func names(_ all: [OSMScan.Name]) throws {
        for object in sample(all) {
            let wanted = Set(([object.name] + object.others).map { PlaceWords.fold($0) })
            func isFound(_ text: String) throws -> Bool {
                try search(text).contains { match in
                    wanted.contains(PlaceWords.fold(match.name))
                        || match.coordinate.distance(to: object.coordinate) < Self.samePlace
                }
            }
            note("exact names", try isFound(object.name), object.name, object.id)
            let itself = try search(object.name, near: object.coordinate).contains {
                $0.coordinate.distance(to: object.coordinate) < Self.sameObject
                    && wanted.contains(PlaceWords.fold($0.name))
            }
            note("the object itself, near it", itself, object.name, object.id)
            for other in object.others {
                note("foreign and alternative names", try isFound(other), other, object.name)
            }
            for mistake in Mistake.allCases {
                guard let text = mistake.applied(to: object.name, &random) else { continue }
                note("one letter \(mistake.rawValue)", try isFound(text), text, object.name)
            }
        }
    }

    /// Metres within which two objects are the same place.
    private static let samePlace = 50.0
    /// Maximum distance in metres from a piece of a street to its middle.
    private static let sameObject = 3000.0

    // MARK: Addresses

    mutating func addresses(_ all: [OSMScan.Address]) throws {
        for address in sample(all) {
            let name = "\(address.street) \(address.number)"
            let text = address.city.isEmpty ? name : "\(name), \(address.city)"
            let isFound = try search(text).contains {
                $0.kind == PlaceIndex.addressKind && PlaceWords.fold($0.name) == PlaceWords.fold(name)
                    && $0.coordinate.distance(to: address.coordinate) < Self.sameAddress
            }
            note("addresses with number", isFound, text, name)
        }
    }

    private static let sameAddress = 150.0

    // MARK: Reverse

    mutating func reverse(_ all: [OSMScan.Reverse], _ region: RoutingRegion) throws {
        for point in all {
            let found = try RegionSurroundings(of: point.coordinate, places, region.graph)
            let street = found.street?.place.name ?? ""
            let isSame = point.street.isEmpty ? street.isEmpty : point.streets.contains(street)
            note("street of a point", isSame, "\(point.coordinate)", "\(point.street), not \(street)")
            guard !point.town.isEmpty else { continue }
            note("town of a point", try found.town == point.town, "\(point.coordinate)", point.town)
        }
    }
}

/// A typing error.
enum Mistake: String, CaseIterable {
    case dropped, doubled, swapped, replaced

    /// The text with an error at a random letter; `nil` if it is too short or unchanged.
    func applied(to text: String, _ random: inout Xoshiro256) -> String? {
        var letters = Array(text)
        let indices = letters.indices.filter { letters[$0].isLetter }
        guard indices.count >= 4, let index = indices.randomElement(using: &random) else { return nil }
        switch self {
        case .dropped: letters.remove(at: index)
        case .doubled: letters.insert(letters[index], at: index)
        case .swapped:
            guard index + 1 < letters.count, letters[index + 1].isLetter else { return nil }
            letters.swapAt(index, index + 1)
        case .replaced:
            letters[index] = Array("abcdefghijklmnopqrstuvwxyz").randomElement(using: &random) ?? "x"
        }
        let changed = String(letters)
        return PlaceWords.fold(changed) == PlaceWords.fold(text) ? nil : changed
    }
}
