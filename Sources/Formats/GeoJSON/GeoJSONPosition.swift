import Foundation
import Geodesy

/// How the positions of a GeoJSON text are understood, and what became of those that are none.
struct GeoJSONPositions {
    /// What the two numbers of a position are.
    let system: GeoJSONSystem
    /// Whether a position that is none is set aside; otherwise it is a fault.
    let isSalvaging: Bool
    /// Positions that are none, set aside.
    private(set) var aside = 0
    /// The first of them.
    private(set) var first: JSONFault?
    /// Positions used without their altitude, which is no number.
    private(set) var heightless = 0
    /// Positions whose numbers are written as texts.
    private(set) var written = 0
    /// Longitudes beyond 180° that were read as those a turn away.
    private(set) var turned = 0
    /// Rings of areas that are holes, which nothing here draws.
    private(set) var holes = 0
    /// Areas, of which the outer rings are used.
    private(set) var areas = 0
    /// Positions used.
    private(set) var used = 0
    /// Those among them that end an area again where it begins.
    private(set) var closing = 0
    /// The fourth values of positions by the number of the position, in the order in which they are used; recorders write times there.
    private(set) var fourths: [Int: Double] = [:]
    /// The places in their lines, as written, of positions that stand behind one that was set aside, by their number.
    private(set) var places: [Int: Int] = [:]

    init(_ system: GeoJSONSystem, isSalvaging: Bool) {
        self.system = system
        self.isSalvaging = isSalvaging
    }

    /// The coordinate of longitude, latitude and perhaps an altitude; `nil` for one that was set aside.
    mutating func coordinate(_ tree: JSONTree, isTurned: () -> Bool = { false }) throws(JSONFault)
        -> Coordinate?
    {
        do throws(JSONFault) {
            let place = try valid(tree, isTurned)
            used += 1
            return place
        } catch {
            guard isSalvaging else { throw error }
            aside += 1
            first = first ?? error
            return nil
        }
    }

    /// The coordinates of an array; those that are none are left out.
    mutating func line(_ tree: JSONTree) throws(JSONFault) -> [Coordinate] {
        guard case .list(let items) = tree else { throw tree.mismatch("an array") }
        var line: [Coordinate] = []
        line.reserveCapacity(items.count)
        // Looked at only where a longitude is beyond 180°.
        var readable: [Bool]?
        let (isSalvaging, system) = (isSalvaging, system)
        func isTurned(_ index: Int) -> Bool {
            guard isSalvaging, system == .degrees else { return false }
            let known =
                readable
                ?? WideLongitudes.readable(items.map { $0.items.flatMap { try? Self.number($0, 0) } })
            readable = known
            return known[index]
        }
        for (index, item) in items.enumerated() {
            let before = aside
            do throws(JSONFault) {
                if let coordinate = try coordinate(item, isTurned: { isTurned(index) }) {
                    if line.count != index { places[used - 1] = index }
                    line.append(coordinate)
                }
            } catch {
                throw error.inside(.index(index))
            }
            if before == 0, aside == 1 { first = first?.inside(.index(index)) }
        }
        return line
    }

    /// Several lines. Empty ones are left out, unless positions are set aside: the lists of times are by line.
    mutating func lines(_ tree: JSONTree) throws(JSONFault) -> [[Coordinate]] {
        let lines = try each(of: tree) { (positions, item) throws(JSONFault) in try positions.line(item) }
        return isSalvaging ? lines : lines.filter { !$0.isEmpty }
    }

    /// The outer ring of an area; the others are counted.
    mutating func outline(_ tree: JSONTree) throws(JSONFault) -> [Coordinate] {
        guard case .list(let rings) = tree else { throw tree.mismatch("an array") }
        holes += max(0, rings.count - 1)
        areas += 1
        guard let outer = rings.first else { return [] }
        var ring = try each(of: .list([outer])) { (positions, item) throws(JSONFault) in
            try positions.line(item)
        }[0]
        if let end = ClosedRing.end(of: ring) {
            ring.append(end)
            used += 1
            closing += 1
        }
        return ring
    }

    /// The outer rings of areas.
    mutating func outlines(_ tree: JSONTree) throws(JSONFault) -> [[Coordinate]] {
        try each(of: tree) { (positions, item) throws(JSONFault) in try positions.outline(item) }
            .filter { !$0.isEmpty }
    }

    /// What `body` makes of the items of an array, with the place of a fault.
    private mutating func each<T>(
        of tree: JSONTree, _ body: (inout Self, JSONTree) throws(JSONFault) -> T
    ) throws(JSONFault) -> [T] {
        guard case .list(let items) = tree else { throw tree.mismatch("an array") }
        var all: [T] = []
        for (index, item) in items.enumerated() {
            let before = aside
            do throws(JSONFault) {
                all.append(try body(&self, item))
            } catch {
                throw error.inside(.index(index))
            }
            if before == 0, aside > 0 { first = first?.inside(.index(index)) }
        }
        return all
    }

    /// Makes the place of the first position that was set aside one below a key.
    mutating func enter(key: String) { first = first?.inside(key: key) }
    mutating func enter(index: Int) { first = first?.inside(.index(index)) }

    private mutating func valid(
        _ tree: JSONTree, _ isTurned: () -> Bool
    ) throws(JSONFault) -> Coordinate {
        guard case .list(let items) = tree else { throw tree.mismatch("an array") }
        guard items.count >= 2 else {
            throw JSONFault(.value, "a position requires a longitude and a latitude")
        }
        var east = try Self.number(items, 0)
        let north = try Self.number(items, 1)
        if WideLongitudes.isWide(east), isTurned() {
            east = WideLongitudes.turned(east)
            turned += 1
        }
        guard let place = system.coordinate(east: east, north: north), place.isValid else {
            throw JSONFault(
                .value, "\(tree.compactText.prefix(80)) is out of range",
                fix: system.fix(east: east, north: north))
        }
        if items[0].number == nil || items[1].number == nil { written += 1 }
        guard items.count > 2 else { return place }
        let fourth = items.count > 3 ? items[3].number : nil
        let altitude = items[2].number ?? items[2].text.flatMap(DecimalBytes.decimal)
        // Programs that have neither a time nor an altitude write two zeros.
        if fourth == 0, altitude == 0 { return place }
        if let fourth { fourths[used] = fourth }
        if altitude == nil { heightless += 1 }
        return Coordinate(latitude: place.latitude, longitude: place.longitude, altitude: altitude)
    }

    private static func number(_ items: [JSONTree], _ index: Int) throws(JSONFault) -> Double {
        guard items.indices.contains(index) else {
            throw JSONFault(.value, "a position requires two numbers")
        }
        guard let number = items[index].number ?? items[index].text.flatMap(DecimalBytes.decimal) else {
            throw items[index].mismatch("a number").inside(.index(index))
        }
        return number
    }
}

/// The coordinate system of positions. RFC 7946 knows degrees of WGS 84 only; the GeoJSON of 2008 names others in `crs`, and
/// programs for maps still write it.
enum GeoJSONSystem: Equatable {
    /// Degrees of WGS 84, or of a system that differs from it by less than a metre.
    case degrees
    /// Metres of EPSG:3857.
    case webMercator
    /// Any other, by its name.
    case other(String)

    /// Names without `urn:ogc:def:crs:`, versions and case.
    private static let degreeNames: Set = [
        "OGC:CRS84", "OGC:CRS84H", "EPSG:4326", "EPSG:4979", "EPSG:4258", "EPSG:4269",
    ]
    private static let mercatorNames: Set = [
        "EPSG:3857", "EPSG:900913", "EPSG:3785", "ESRI:102100", "EPSG:102100", "ESRI:102113", "EPSG:102113",
    ]
    /// Metres from the middle of the square of EPSG:3857 to its edges: π times the half axis of WGS 84.
    private static let halfSide = 20_037_508.342_789_244
    /// Numbers above this are no degrees that are slightly out of range.
    private static let mostDegrees = 360.0

    /// The system of a name such as `urn:ogc:def:crs:EPSG::3857` or `EPSG:3857`.
    init(named name: String) {
        let parts = name.uppercased().split(whereSeparator: { ":/#".contains($0) }).map(String.init)
        let authority = parts.lastIndex { ["EPSG", "OGC", "ESRI"].contains($0) }
        guard let authority, let code = parts.last, parts.count > authority + 1 else {
            self = .other(name)
            return
        }
        let short = "\(parts[authority]):\(code)"
        self =
            Self.degreeNames.contains(short)
            ? .degrees : Self.mercatorNames.contains(short) ? .webMercator : .other(name)
    }

    /// The system that an object names in its `crs`; `nil` if it has none.
    init?(of tree: JSONTree) {
        guard let crs = tree["crs"], crs != .null else { return nil }
        if let name = crs["properties"]?["name"]?.text ?? crs.text {
            self.init(named: name)
        } else if let code = crs["properties"]?["code"]?.number {
            self.init(named: "EPSG:\(Int(exactly: code) ?? 0)")
        } else {
            self = .other(crs["properties"]?["href"]?.text ?? crs.compactText)
        }
    }

    /// The coordinate of two numbers; `nil` outside the system.
    func coordinate(east: Double, north: Double) -> Coordinate? {
        switch self {
        case .degrees: return Coordinate(latitude: north, longitude: east)
        case .webMercator:
            guard abs(east) <= Self.halfSide, abs(north) <= Self.halfSide else { return nil }
            let side = 2 * Self.halfSide
            return WebMercator.unproject(
                WebMercator.Point(x: (east + Self.halfSide) / side, y: (Self.halfSide - north) / side))
        case .other: return nil
        }
    }

    /// What to do about two numbers that are no coordinate.
    func fix(east: Double, north: Double) -> String? {
        guard self == .degrees else { return nil }
        if abs(east) > Self.mostDegrees || abs(north) > Self.mostDegrees {
            return "these are no degrees; convert the file from its system: \(Self.conversion)"
        }
        return abs(east) <= 90 && abs(north) <= 180
            ? "longitude comes first; check whether they are swapped" : nil
    }

    /// A command that converts any system to degrees.
    private static let conversion = "ogr2ogr -s_srs EPSG:CODE -t_srs EPSG:4326 other.geojson FILE"

    /// The fault of a system that cannot be converted here.
    var fault: JSONFault? {
        guard case .other(let name) = self else { return nil }
        return JSONFault(
            .value, "the coordinates are of the system `\(name.prefix(80))`, not degrees of WGS 84",
            fix: "convert the file: ogr2ogr -t_srs EPSG:4326 other.geojson FILE")
    }
}
