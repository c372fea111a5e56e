import Formats
import Foundation
import PluginKit

/// The zones of locations.geojson by identifier.
struct FlexLocations {
    static let name = "locations.geojson"
    var zones: [String: FlexZone] = [:]

    init() {}

    /// The zones of a file that can be read, whatever else is wrong in it.
    init(_ root: JSONTree) {
        var reader = LocationReader()
        reader.read(root)
        self = reader.file
    }

    /// All bytes of the file; `nil` if they are too many.
    static func bytes(_ source: any ByteSource) throws -> [UInt8]? {
        var all: [UInt8] = []
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: TransitSettings.chunk, alignment: 1)
        defer { chunk.deallocate() }
        while true {
            let count = try source.read(into: chunk)
            if count == 0 { return all }
            guard all.count + count <= TransitSettings.largestLocations else { return nil }
            all.append(contentsOf: chunk.prefix(count))
        }
    }

    /// Whether two zones overlap without one containing the other; shared edges and corners do not count.
    func overlap(_ first: String, _ second: String) -> Bool {
        guard let a = zones[first], let b = zones[second] else { return false }
        return a.overlaps(b)
    }
}

/// Reads locations.geojson and reports its faults.
private struct LocationReader {
    var file = FlexLocations()
    var faults: [(rule: FeedRule, text: String)] = []
    var compared = 0

    private static let features = Set(["id", "type", "properties", "geometry"])
    private static let geometries = Set(["type", "coordinates"])

    mutating func read(_ root: JSONTree) {
        guard let type = root["type"] else {
            return faults.append((.missingRequiredElement, "the file has no type"))
        }
        guard type.text == "FeatureCollection" else {
            return faults.append((.unsupportedGeoJsonType, "the file is not a FeatureCollection"))
        }
        if case .object(let members) = root {
            for member in members where !["type", "features"].contains(member.key) {
                faults.append((.geoJsonUnknownElement, "unknown member `\(member.key.prefix(40))`"))
            }
        }
        guard case .list(let features)? = root["features"] else {
            return faults.append((.missingRequiredElement, "the file has no features"))
        }
        var seen: [String: Int] = [:]
        for (index, feature) in features.enumerated() {
            guard let id = read(feature, index) else { continue }
            if let first = seen[id] {
                faults.append(
                    (.duplicateGeoJsonKey, "feature \(index) has the id of feature \(first), `\(id)`"))
            } else {
                seen[id] = index
            }
        }
    }

    /// Reads a feature; returns its identifier.
    private mutating func read(_ feature: JSONTree, _ index: Int) -> String? {
        guard case .object(let members) = feature else {
            faults.append((.malformedJson, "feature \(index) is not an object"))
            return nil
        }
        for member in members where !Self.features.contains(member.key) {
            faults.append(
                (.geoJsonUnknownElement, "feature \(index): unknown member `\(member.key.prefix(40))`"))
        }
        let id = feature["id"]?.text ?? feature["id"]?.number.map { "\($0)" } ?? ""
        var missing = ["id", "type", "properties", "geometry"].filter { feature[$0] == nil }
        if id.isEmpty, !missing.contains("id") { missing.append("id") }
        if let type = feature["type"], type.text != "Feature" {
            faults.append((.unsupportedFeatureType, "feature \(index) is not a Feature"))
        }
        let geometry = feature["geometry"]
        if let geometry {
            if case .object(let parts) = geometry {
                for part in parts where !Self.geometries.contains(part.key) {
                    faults.append(
                        (.geoJsonUnknownElement, "feature \(index): unknown member `\(part.key.prefix(40))`"))
                }
            }
            missing += ["type", "coordinates"].filter { geometry[$0] == nil }.map { "geometry.\($0)" }
        }
        for element in missing {
            faults.append((.missingRequiredElement, "feature \(index) has no \(element)"))
        }
        guard missing.isEmpty, let geometry, let coordinates = geometry["coordinates"] else {
            return id.isEmpty ? nil : id
        }
        readGeometry(geometry["type"]?.text ?? "", coordinates, id, index)
        return id
    }

    private mutating func readGeometry(_ type: String, _ coordinates: JSONTree, _ id: String, _ index: Int) {
        let polygons: [JSONTree]
        switch type {
        case "Polygon": polygons = [coordinates]
        case "MultiPolygon":
            guard case .list(let parts) = coordinates else {
                return faults.append((.invalidGeometry, "feature \(index): the coordinates are not a list"))
            }
            polygons = parts
        default:
            return faults.append(
                (
                    .unsupportedGeometryType,
                    "feature \(index) is a \(type.prefix(40)), not a Polygon or MultiPolygon"
                ))
        }
        var zone = FlexZone()
        for polygon in polygons {
            guard let rings = Self.rings(polygon), !rings.isEmpty else {
                return faults.append((.invalidGeometry, "feature \(index): the coordinates are not rings"))
            }
            for ring in rings { checkPlaces(ring, index) }
            if let fault = FlexZone.fault(rings, &compared) {
                return faults.append((.invalidGeometry, "feature \(index): \(fault)"))
            }
            zone.polygons.append(rings)
        }
        if file.zones[id] == nil { file.zones[id] = zone }
    }

    private mutating func checkPlaces(_ ring: [SIMD2<Double>], _ index: Int) {
        if ring.contains(where: { abs($0.x) <= 1 && abs($0.y) <= 1 }) {
            faults.append((.pointNearOrigin, "feature \(index) has a point within a degree of 0,0"))
        }
        if ring.contains(where: { abs($0.y) >= 89 }) {
            faults.append((.pointNearPole, "feature \(index) has a point within a degree of a pole"))
        }
    }

    private static func rings(_ tree: JSONTree) -> [[SIMD2<Double>]]? {
        guard case .list(let rings) = tree else { return nil }
        var found: [[SIMD2<Double>]] = []
        for ring in rings {
            guard case .list(let points) = ring else { return nil }
            var line: [SIMD2<Double>] = []
            for point in points {
                guard case .list(let parts) = point, parts.count >= 2, let x = parts[0].number,
                    let y = parts[1].number
                else { return nil }
                line.append(SIMD2(x, y))
            }
            found.append(line)
        }
        return found
    }
}

extension TableCheck {
    /// Reads locations.geojson; `nil` if the feed does not have it.
    mutating func readLocations() throws -> FlexLocations? {
        let groups = keys[.locationGroups] ?? KeyTable()
        for group in 0..<groups.count where content.stopIDs.find(groups.text(group)) != nil {
            add(
                .duplicateGeographyId, FeedTable.locationGroups.rawValue, 0,
                "the group `\(groups.text(group))` has the identifier of a stop")
        }
        guard let bytes = try source.open(FlexLocations.name) else { return nil }
        func report(_ rule: FeedRule, _ text: String) { add(rule, FlexLocations.name, 0, text) }
        guard let all = try FlexLocations.bytes(bytes) else {
            report(.malformedJson, "the file has more than \(TransitSettings.largestLocations) bytes")
            return FlexLocations()
        }
        var reader = LocationReader()
        do {
            reader.read(try JSONTree.parse(all) { try Interruption.check() })
        } catch let fault as JSONFault {
            report(.malformedJson, fault.description)
            return FlexLocations()
        }
        for key in RepeatedMembers.find(all) {
            report(.geoJsonDuplicatedElement, "an object has the member `\(key.prefix(40))` twice")
        }
        for fault in reader.faults { report(fault.rule, fault.text) }
        if reader.compared > TransitSettings.comparedEdges {
            addUnchecked(.stopTimes, "\(FlexLocations.name) has too many edges to check all for crossings")
        }
        addSameNames(reader.file)
        return reader.file
    }

    /// Zones, stops and groups of stops share one namespace of identifiers.
    private mutating func addSameNames(_ file: FlexLocations) {
        let groups = keys[.locationGroups] ?? KeyTable()
        for id in file.zones.keys.sorted() where content.stopIDs.find(id) != nil || groups.find(id) != nil {
            let other = content.stopIDs.find(id) != nil ? "a stop" : "a group of stops"
            add(
                .duplicateGeographyId, FlexLocations.name, 0,
                "the zone `\(id)` has the identifier of \(other)"
            )
        }
    }
}

/// Members that an object has twice: JSON leaves undefined which of them counts (RFC 8259, section 4).
private enum RepeatedMembers {
    /// The member names in a well-formed text.
    static func find(_ bytes: [UInt8]) -> [String] {
        var found: [String] = []
        var open: [Set<ArraySlice<UInt8>>] = []
        var at = 0
        while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): open.append([])
            case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = open.popLast()
            case UInt8(ascii: "\""):
                let start = at + 1
                at = start
                while at < bytes.count, bytes[at] != UInt8(ascii: "\"") {
                    at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1
                }
                var next = at + 1
                while next < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[next]) { next += 1 }
                guard next < bytes.count, bytes[next] == UInt8(ascii: ":"), !open.isEmpty else { break }
                let key = bytes[start..<min(at, bytes.count)]
                if !open[open.count - 1].insert(key).inserted {
                    found.append(String(decoding: key, as: UTF8.self))
                }
            default: break
            }
            at += 1
        }
        return found
    }
}
