import Geodesy
import PluginKit

/// The addresses of a map: of nodes, ways and relations, and those between the ends of an interpolation.
struct AddressBook {
    /// The streets of objects that only a relation provides.
    var streets: [Int: String] = [:]

    private struct Address {
        var street: String
        var number: String
        var postcode: String?
        var town: String?
        var coordinate: Coordinate
    }

    private var addresses: [Address] = []
    private var known: Set<String> = []
    private var postcodes: [String: [(town: String?, coordinate: Coordinate)]] = [:]
    /// Where each street is known to have a postcode.
    private var codesOfStreet: [String: [(code: String, coordinate: Coordinate)]] = [:]
    /// Ways between two house numbers, with the interpolation type.
    private var interpolations: [(object: Int, manner: String, street: String?)] = []
    /// Addresses of nodes that may be ends of such ways.
    private var byNode: [Int64: Int] = [:]
    /// Numbers of nodes without a street, which such a way may have.
    private var streetless: [Int64: Address] = [:]

    /// The number of addresses, with duplicates.
    var count: Int { addresses.count }

    /// Adds a way between house numbers.
    mutating func note(_ object: Int, _ tags: [OSMPlaces.Tag], _ file: OSMPlaces) {
        if file.type(object) == .way, let manner = tags.first(where: { $0.key == "addr:interpolation" }) {
            let street = tags.first { $0.key == "addr:street" }?.value ?? streets[object]
            interpolations.append((object, manner.value.lowercased(), street))
        }
    }

    /// Adds the address of an object; `false` if it has neither street nor place.
    mutating func add(
        _ object: Int, _ tags: [OSMPlaces.Tag], at coordinate: Coordinate, _ file: OSMPlaces
    ) -> Bool {
        func value(_ key: String) -> String? {
            guard let value = tags.first(where: { $0.key == key })?.value, !value.isEmpty else { return nil }
            return value
        }
        guard var number = Self.number(value) else { return false }
        let postcode = value("addr:postcode")
        let town = value("addr:city")
        let named =
            value("addr:street") ?? streets[object] ?? value("addr:place") ?? value("addr:hamlet")
            ?? value("addr:suburb")
        // In Japan the houses of a quarter are numbered by block.
        let quarter = (value("addr:block_number") ?? value("addr:block")).flatMap { block in
            (value("addr:neighbourhood") ?? value("addr:quarter")).map { (name: $0, block: block) }
        }
        // A number of a register is one of a whole village.
        let village = value("addr:conscriptionnumber") == nil ? nil : town
        if named == nil, let quarter { number = "\(quarter.block)-\(number)" }
        guard let street = named ?? quarter?.name ?? village else {
            if file.type(object) == .node {
                streetless[file.id(object)] = Address(
                    street: "", number: number, postcode: postcode, town: town, coordinate: coordinate)
            }
            return false
        }
        if file.type(object) == .node { byNode[file.id(object)] = addresses.count }
        addresses.append(
            Address(street: street, number: number, postcode: postcode, town: town, coordinate: coordinate))
        if let postcode {
            addPostcode(postcode, town: town, at: coordinate)
            addPostcode(postcode, ofStreet: street, at: coordinate)
        }
        return true
    }

    /// The keys of numbers of houses: the usual one, and those of Czechia and Slovakia, where a house has the number of a
    /// register and most often one of its street.
    static let numberKeys = ["addr:housenumber", "addr:conscriptionnumber", "addr:streetnumber"]

    /// The key of an address as one text, in countries where it has no street and number of their own.
    static let textKey = "addr:full"

    /// The number of a house; both numbers as they are written there, `1234/7`.
    private static func number(_ value: (String) -> String?) -> String? {
        if let number = value(numberKeys[0]) { return number }
        let parts = numberKeys.dropFirst().compactMap(value)
        return parts.isEmpty ? nil : parts.joined(separator: "/")
    }

    /// Adds a postcode that a street has at a coordinate.
    mutating func addPostcode(_ postcode: String, ofStreet street: String, at coordinate: Coordinate) {
        codesOfStreet[street, default: []].append((postcode, coordinate))
    }

    /// The postcodes of a street by the houses beside it and by its own tags, as one text; `nil` if none is known, or so many
    /// that the street has none of its own.
    func postcodes(ofStreet street: String, in box: BoundingBox) -> String? {
        guard let known = codesOfStreet[street] else { return nil }
        let beside = known.filter { use in
            let nearest = Coordinate(
                latitude: min(max(use.coordinate.latitude, box.south), box.north),
                longitude: min(max(use.coordinate.longitude, box.west), box.east))
            return use.coordinate.distance(to: nearest) <= Self.beside
        }
        let codes = Set(beside.map(\.code)).sorted()
        return codes.isEmpty || codes.count > Self.mostPostcodes ? nil : codes.joined(separator: "/")
    }

    /// Metres from a street within which a house is beside it.
    private static let beside = 150.0
    private static let mostPostcodes = 8

    /// Adds a coordinate of a postcode.
    mutating func addPostcode(_ postcode: String, town: String?, at coordinate: Coordinate) {
        for one in postcode.split(separator: ";") {
            let code = String(one.drop { $0 == " " })
            if !code.isEmpty { postcodes[code, default: []].append((town, coordinate)) }
        }
    }

    /// Adds the addresses between two numbers on a line, evenly spaced by length. Returns how many numbers without a street
    /// have that of their line.
    mutating func addInterpolated(_ file: OSMPlaces, _ check: () throws -> Void) rethrows -> Int {
        var placed = 0
        for (number, (object, manner, street)) in interpolations.enumerated() {
            if number % Self.step == 0 { try check() }
            let points = file.points(object)
            let line = points.compactMap { point in file.coordinate(point).map { (file.node(point), $0) } }
            if let street {
                for (node, _) in line {
                    guard var address = streetless.removeValue(forKey: node) else { continue }
                    address.street = street
                    byNode[node] = addresses.count
                    addresses.append(address)
                    placed += 1
                }
            }
            var last: (index: Int, address: Address)?
            for (index, point) in line.enumerated() {
                guard let number = byNode[point.0] else { continue }
                let address = addresses[number]
                if let last {
                    addBetween(last.address, address, line[last.index...index].map(\.1), manner)
                }
                last = (index, address)
            }
        }
        return placed
    }

    /// The maximum difference of two house numbers to interpolate between.
    private static let mostBetween = 1000

    private mutating func addBetween(
        _ from: Address, _ to: Address, _ line: [Coordinate], _ manner: String
    ) {
        guard from.street == to.street else { return }
        let numbers = Self.interpolated(from.number, to.number, manner)
        guard !numbers.isEmpty else { return }
        let along = Polyline.cumulativeDistances(line)
        for (number, share) in numbers {
            var address = from
            address.number = number
            address.coordinate = Self.point(at: share * (along.last ?? 0), line, along)
            addresses.append(address)
        }
    }

    /// The numbers between two ends, each with its share of the way from the first; none where the ends contradict the manner,
    /// such as `even` from 1 to 9.
    private static func interpolated(
        _ first: String, _ last: String, _ manner: String
    ) -> [(number: String, share: Double)] {
        if manner == "alphabetic" { return lettersBetween(first, last) }
        guard let from = Int(first), let to = Int(last), from >= 0, to >= 0 else { return [] }
        let step: Int
        switch manner {
        case "all": step = 1
        case "even", "odd":
            guard [from, to].allSatisfy({ $0.isMultiple(of: 2) == (manner == "even") }) else { return [] }
            step = 2
        default: step = Int(manner) ?? 0
        }
        let difference = abs(to - from)
        guard step > 0, difference > step, difference <= mostBetween, difference.isMultiple(of: step) else {
            return []
        }
        return stride(from: min(from, to) + step, to: max(from, to), by: step).map {
            ("\($0)", Double($0 - from) / Double(to - from))
        }
    }

    /// The numbers between `12a` and `12e`, of which one letter differs.
    private static func lettersBetween(_ first: String, _ last: String) -> [(number: String, share: Double)] {
        guard let from = first.unicodeScalars.last, let to = last.unicodeScalars.last,
            first.dropLast() == last.dropLast(), isLetter(from), isLetter(to),
            from.properties.isLowercase == to.properties.isLowercase
        else { return [] }
        let (low, high) = (min(from.value, to.value), max(from.value, to.value))
        guard high - low > 1 else { return [] }
        return (low + 1..<high).compactMap { code in
            Unicode.Scalar(code).map {
                let share = (Double(code) - Double(from.value)) / (Double(to.value) - Double(from.value))
                return (first.dropLast() + String($0), share)
            }
        }
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
    }

    private static func point(at distance: Double, _ line: [Coordinate], _ along: [Double]) -> Coordinate {
        let next = max(1, along.firstIndex { $0 >= distance } ?? line.count - 1)
        let (a, b) = (line[next - 1], line[next])
        let length = along[next] - along[next - 1]
        let share = length > 0 ? (distance - along[next - 1]) / length : 0
        let east = Angle.difference(from: a.longitude, to: b.longitude)
        return Coordinate(
            latitude: a.latitude + (b.latitude - a.latitude) * share,
            longitude: Angle.longitude(a.longitude + east * share))
    }

    // MARK: Entries

    /// Addresses and postcodes as places. `check` throws to cancel.
    func entries(_ finder: TownFinder, _ check: () throws -> Void) rethrows -> [PlaceIndex.Entry] {
        var result: [PlaceIndex.Entry] = []
        var seen: [String: [Coordinate]] = [:]
        for (index, address) in addresses.enumerated() {
            if index % Self.step == 0 { try check() }
            let name = "\(address.street) \(address.number)"
            let town = address.town ?? finder.town(at: address.coordinate)
            let context = [address.postcode, town].compactMap { $0 }.joined(separator: " ")
            let key = "\(name), \(context)"
            // A house and the shops in it have the same address.
            guard !(seen[key] ?? []).contains(where: { $0.distance(to: address.coordinate) < Self.same })
            else { continue }
            seen[key, default: []].append(address.coordinate)
            result.append(
                PlaceIndex.Entry(
                    name: name, kind: PlaceIndex.addressKind, rank: NamedKinds.addressRank,
                    coordinate: address.coordinate, otherNames: Self.singles(address),
                    context: context.isEmpty ? nil : context))
        }
        return result + (try postcodeEntries(finder, check))
    }

    /// Addresses between two checks for cancellation.
    private static let step = 1000

    /// Metres within which equal addresses are one.
    private static let same = 100.0

    /// Each of several numbers: `12;14`, `12,14`, `12-16` with the number between.
    private static func singles(_ address: Address) -> [String] {
        if let forms = lettered(address.number) ?? building(address.number) {
            return forms.map { "\(address.street) \($0)" }
        }
        let parts = address.number.split { ";,/-–".contains($0) }.map { $0.filter { $0 != " " } }
        guard parts.count > 1, parts.count < 20 else { return [] }
        return (parts + between(address.number) + lettersBetween(address.number)).map {
            "\(address.street) \($0)"
        }
    }

    /// The numbers between the ends of a range such as `12-16`, which are of one side of the street if both ends are even or
    /// odd; none of what is no range, such as `34-12` and `4-2b`.
    private static func between(_ number: String) -> [String] {
        let ends = number.split { "-–".contains($0) }.map { Int($0.filter { $0 != " " }) }
        guard ends.count == 2, let first = ends[0], let last = ends[1], first > 0, first < last,
            last - first <= mostInRange
        else { return [] }
        let step = (last - first).isMultiple(of: 2) ? 2 : 1
        return stride(from: first + step, to: last, by: step).map(String.init)
    }

    /// The letters between those of one number: `5B` of `5A-5C`.
    private static func lettersBetween(_ number: String) -> [String] {
        let ends = number.split { "-–".contains($0) }.map { $0.filter { $0 != " " } }
        guard ends.count == 2, let first = ends[0].last?.asciiValue, let last = ends[1].last?.asciiValue,
            Character(UnicodeScalar(first)).isLetter, Character(UnicodeScalar(last)).isLetter,
            !ends[0].dropLast().isEmpty, ends[1].count == 1 || ends[0].dropLast() == ends[1].dropLast(),
            first < last, ends[0].dropLast().allSatisfy(\.isNumber)
        else { return [] }
        return (first + 1...last).map { "\(ends[0].dropLast())\(Character(UnicodeScalar($0)))" }
    }

    /// The largest difference of the ends of a range of house numbers: more is a flat or a block and its number.
    private static let mostInRange = 40

    /// The other ways to write a number with a letter: `10a` and `10 a`; `nil` for other numbers.
    private static func lettered(_ number: String) -> [String]? {
        let digits = number.prefix { $0.isASCII && $0.isNumber }
        let rest = number.dropFirst(digits.count).drop { " /-".contains($0) }
        guard !digits.isEmpty, rest.count == 1, rest.allSatisfy(\.isLetter) else { return nil }
        return ["\(digits)\(rest)", "\(digits) \(rest)"].filter { $0 != number }
    }

    /// The other ways to write the number of a building behind that of a house, as in Russian: `12к2`, `12 к 2`, `12 корпус 2`.
    private static func building(_ number: String) -> [String]? {
        let pattern = /^([0-9]+\p{L}?) ?(к|корп\.?|корпус|с|стр\.?|строение) ?([0-9]+)$/
        guard let match = number.lowercased().wholeMatch(of: pattern) else { return nil }
        let (house, word, part) = (match.output.1, match.output.2, match.output.3)
        let letter = word.prefix(1)
        return ["\(house)\(letter)\(part)", "\(house) \(letter) \(part)"].filter { $0 != number }
    }

    private func postcodeEntries(
        _ finder: TownFinder, _ check: () throws -> Void
    ) rethrows -> [PlaceIndex.Entry] {
        try postcodes.keys.sorted().compactMap { code in
            try check()
            let uses = postcodes[code] ?? []
            guard let box = BoundingBox(around: uses.lazy.map(\.coordinate)) else { return nil }
            // The median by latitude: an outlier elsewhere does not shift it.
            let sorted = uses.map(\.coordinate).sorted {
                ($0.latitude, $0.longitude) < ($1.latitude, $1.longitude)
            }
            let place = uses.count > 2 ? sorted[sorted.count / 2] : box.center
            let counts = Dictionary(grouping: uses.compactMap(\.town)) { $0 }.mapValues(\.count)
            let town = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? finder.town(at: place)
            return PlaceIndex.Entry(
                name: code, kind: "postcode", rank: NamedKinds.postcodeRank, coordinate: place, context: town)
        }
    }
}

/// Street names from relations, for the houses in them.
enum StreetRelations {
    static func streets(of file: OSMPlaces, _ check: () throws -> Void) rethrows -> [Int: String] {
        var streets: [Int: String] = [:]
        for object in 0..<file.count where file.type(object) == .relation {
            if object % step == 0 { try check() }
            guard kinds.contains(file.value(object, "type") ?? ""),
                let name = file.value(object, "name") ?? file.value(object, "addr:street")
            else { continue }
            for member in file.members(object) where ["house", "address", ""].contains(member.role) {
                if let house = member.object { streets[house] = name }
            }
        }
        return streets
    }

    /// Whether an object is the relation of a street that is on the map itself, so that it is no place beside it.
    static func isBesideItsStreet(_ object: Int, _ file: OSMPlaces) -> Bool {
        guard file.type(object) == .relation, kinds.contains(file.value(object, "type") ?? "") else {
            return false
        }
        return file.members(object).contains { $0.role == "street" && $0.object != nil }
    }

    private static let kinds: Set<String> = ["associatedStreet", "street"]

    /// Objects between two checks for cancellation.
    private static let step = 100
}
