import CivilTime
import Foundation
import Geodesy

/// Reads GeoJSON as a map document: points become places; lines and the outlines of areas become tracks, or
/// routes if the property `kind` is `route`.
public enum GeoJSONReader {
    /// The document of a text. What is none of its parts is set aside and said; where nothing is left, throws `JSONFault` of kind
    /// `content`, `value` or `size`, or the error of `check`.
    public static func document(_ tree: JSONTree, check: () throws -> Void) throws -> MapDocument {
        if let fault = GeoJSONSystem(of: tree)?.fault { throw fault.inside(key: "crs") }
        var reader = Features()
        let features = try GeoJSON.parts(of: tree) { fault in
            reader.setAside(fault)
        }
        let isCollection = tree["features"] != nil
        var document = MapDocument()
        if isCollection {
            document.name = tree["name"]?.text
            document.description = tree["description"]?.text
            document.author = tree["author"]?.text
            document.time = tree["time"]?.text.flatMap(ISO8601.timestamp)
        }
        for (index, feature) in features.enumerated() {
            try check()
            do throws(JSONFault) {
                try reader.read(feature) { (fault) in
                    isCollection ? fault.inside(.index(index)).inside(key: "features") : fault
                }
            } catch {
                throw isCollection ? error.inside(.index(index)).inside(key: "features") : error
            }
        }
        if reader.features.isEmpty, let fault = reader.fault { throw fault }
        document.features = reader.features
        document.doubts = reader.doubts.kinds.map { "\($0.what): \($0.count)" }
        document.notices = reader.leftOut
        document.joinStamped()
        document.account = reader.account
        if tree["crs"] == .null {
            document.doubts.append("a coordinate system of null, which is none; taken as degrees of WGS 84")
        } else if reader.projected > 0 {
            document.doubts.append(
                "positions in metres of EPSG:3857, converted to degrees: \(reader.projected)")
        }
        return document
    }

    private struct Features {
        var features: [MapDocument.Feature] = []
        var doubts = Tally()
        /// The first fault of what was set aside.
        private(set) var fault: JSONFault?
        /// Positions that were converted to degrees.
        private(set) var projected = 0
        private var count = 0
        private(set) var account = PointAccount()
        /// The fourth values of the positions of the open feature, and how many of these were taken.
        private var fourths: [Int: Double] = [:]
        private var placed = 0
        /// The places in their lines of the positions behind one that was set aside, and whether none was.
        private var places: [Int: Int] = [:]
        private var isWhole = true
        private var aside = 0
        private var bare = Examples()
        private var holes = 0
        private var unkept = Tally()

        /// What was left out, in words.
        var leftOut: [String] {
            var all: [String] = []
            if aside > 0 {
                let first = fault.map { " (first: \($0.explanation))" } ?? ""
                all.append("\(aside, of: "part") of the file that cannot be used, left out\(first)")
            }
            if let words = bare.words {
                all.append("\(bare.count, of: "feature") without a geometry, left out\(words)")
            }
            if holes > 0 {
                all.append("\(holes, of: "hole") of areas, left out: an area becomes the line around it")
            }
            if !unkept.kinds.isEmpty {
                let names = unkept.kinds.map { "`\($0.what)`" }.joined(separator: ", ")
                all.append("properties that have no place here, left out: \(names)")
            }
            return all
        }

        /// Counts what cannot be used.
        mutating func setAside(_ fault: JSONFault, count: Int = 1) {
            aside += count
            self.fault = self.fault ?? fault
        }

        mutating func read(
            _ feature: GeoJSON.Feature, place: (JSONFault) -> JSONFault
        ) throws(JSONFault) {
            let id = feature.id?.text.flatMap(UUID.init(uuidString:))
            var positions = GeoJSONPositions(feature.system, isSalvaging: true)
            let geometry: GeoJSON.Geometry?
            do throws(JSONFault) {
                geometry = try feature.geometry(&positions)
            } catch {
                let met = positions.used - positions.closing + positions.aside
                account.seen += met
                account.leaveOut("of a part that cannot be used", count: met)
                return setAside(place(error))
            }
            account.seen += positions.used - positions.closing + positions.aside
            account.twice += positions.closing
            account.leaveOut("with a position that cannot be used", count: positions.aside)
            if let first = positions.first { setAside(place(first), count: positions.aside) }
            holes += positions.holes
            fourths = positions.fourths
            places = positions.places
            isWhole = positions.aside == 0
            placed = 0
            if positions.written > 0 {
                doubts.add("coordinates written as texts, read as numbers", count: positions.written)
            }
            if positions.areas > 0 {
                doubts.add("areas, of which the line around them is read", count: positions.areas)
            }
            doubts.add(WideLongitudes.said, count: positions.turned)
            doubts.add(ClosedRing.unclosed, count: positions.closing)
            if positions.heightless > 0 {
                doubts.add("altitudes that are no numbers, unknown", count: positions.heightless)
            }
            let before = count
            if let geometry {
                do throws(JSONFault) {
                    try read(geometry, feature, id)
                } catch {
                    throw error.kind == .size ? error : error.inside(key: "properties")
                }
            } else if feature.rawGeometry != nil {
                return
            } else if let kind = feature.text("kind"), MapDocument.LineKind(rawValue: kind) != nil {
                // A line without points has no geometry.
                add([], feature, id)
            } else {
                bare.add(feature.name?.value)
            }
            if feature.system == .webMercator { projected += count - before }
        }

        private mutating func read(
            _ geometry: GeoJSON.Geometry, _ feature: GeoJSON.Feature, _ id: UUID?
        ) throws(JSONFault) {
            switch geometry {
            case .point(let place): try add(place, feature, id)
            case .points(let places): for place in places { try add(place, feature, nil) }
            case .line(let line): add(try segments([line], feature), feature, id)
            case .lines(let lines), .outlines(let lines): add(try segments(lines, feature), feature, id)
            case .collection(let parts): for part in parts { try read(part, feature, nil) }
            }
        }

        private mutating func countPoints(_ more: Int) throws(JSONFault) {
            count += more
            guard count <= MapSettings.mostPoints else {
                throw JSONFault(.size, "the file has more than \(MapSettings.mostPoints) points")
            }
        }

        private mutating func add(
            _ segments: [[GPXPoint]], _ feature: GeoJSON.Feature, _ id: UUID?
        ) {
            let name = feature.name
            var line = GPXLine(
                name: name?.value, description: feature.text("desc") ?? feature.text("description"),
                type: feature.text("type"), segments: segments)
            let taken = GeoJSON.Feature.known.union(["description", "times", "heart", name?.key ?? "name"])
            for member in feature.properties where !taken.contains(member.key) && member.value != .null {
                unkept.add(String(member.key.prefix(40)))
            }
            for member in feature.property("coordinateProperties")?.members ?? []
            where !["times", "heart", "coordTimes", "heartRates"].contains(member.key) {
                unkept.add("coordinateProperties.\(member.key.prefix(40))")
            }
            line.comment = feature.text("cmt")
            line.source = feature.text("src")
            line.link = feature.text("link")
            // An invalid number is ignored, as is every property of another type.
            line.number = feature.property("number").flatMap { try? Int(json: $0) }
            let kind = feature.text("kind").flatMap(MapDocument.LineKind.init) ?? .track
            if kind == .route { line.segments = [Array(segments.joined())] }
            features.append(.line(line, kind, id: id))
        }

        /// The points of lines; the names of times and heart rates are those of toGeoJSON.
        private mutating func segments(
            _ lines: [[Coordinate]], _ feature: GeoJSON.Feature
        ) throws(JSONFault) -> [[GPXPoint]] {
            let times = feature.lists(["coordTimes", "times"])
            let rates = feature.lists(["heartRates", "heart"])
            var parts: [[GPXPoint]] = []
            for (index, line) in lines.enumerated() {
                try countPoints(line.count)
                // The places of the points among the positions of the file, by which the lists go.
                var numbers: [Int] = []
                var part = line.enumerated().map { place, coordinate in
                    numbers.append(places[placed] ?? place)
                    var point = GPXPoint(coordinate: coordinate)
                    point.time = nextTime()
                    return point
                }
                if index < times.count {
                    let listed = times[index]
                    for (place, number) in numbers.enumerated() where number < listed.count {
                        if let moment = time(listed[number]) { part[place].time = moment }
                    }
                    // Of a feature without some positions only the place of the last one is known.
                    let last = numbers.last ?? -1
                    let isOther = isWhole ? listed.count != part.count : listed.count <= last
                    if isOther {
                        doubts.add("lines with another number of times than of positions")
                    }
                }
                if index < rates.count {
                    let listed = rates[index]
                    for (place, number) in numbers.enumerated() where number < listed.count {
                        part[place].heartRate = listed[number].number
                    }
                }
                if !part.isEmpty || lines.count == 1 { parts.append(part) }
            }
            let joined = AntimeridianCut.joined(parts)
            account.leaveOut(
                "where a line was cut at the antimeridian",
                count: parts.reduce(0) { $0 + $1.count } - joined.reduce(0) { $0 + $1.count })
            return joined
        }

        /// The time in the fourth value of the next position: milliseconds or seconds since 1970.
        private mutating func nextTime() -> Timestamp? {
            defer { placed += 1 }
            guard let fourth = fourths[placed] else { return nil }
            if let time = LogSettings.epoch(fourth) { return time }
            if fourth != 0 { doubts.add("fourth values of positions, which are no times, left out") }
            return nil
        }

        private mutating func add(
            _ coordinate: Coordinate, _ feature: GeoJSON.Feature, _ id: UUID?
        ) throws(JSONFault) {
            try countPoints(1)
            let own = nextTime()
            var others = feature.properties.filter { !GeoJSON.Feature.known.contains($0.key) }
                .sorted { $0.key < $1.key }.compactMap { member in
                    member.value.scalarText.map { (name: member.key, value: $0) }
                }
            for member in feature.properties where !GeoJSON.Feature.known.contains(member.key) {
                guard member.value != .null, member.value.scalarText == nil else { continue }
                // A saved place of Google: what it is called, and where it is.
                if member.key == GeoJSON.Feature.nested, !feature.nestedTexts.isEmpty {
                    others += feature.nestedTexts.map { (name: $0.key, value: $0.value) }
                    continue
                }
                unkept.add(String(member.key.prefix(40)))
            }
            /// The value, or instead of none that of another property. One that says the same is not kept twice.
            func taken(_ name: String, instead value: String?) -> String? {
                guard let index = others.firstIndex(where: { $0.name == name }) else { return value }
                if let value, others[index].value != value { return value }
                return others.remove(at: index).value
            }
            let desc = taken("description", instead: feature.text("desc"))
            let named = feature.name
            let name = named.map { taken($0.key, instead: $0.value) ?? $0.value }
            let note = taken("note", instead: desc)
            let type = taken("category", instead: feature.text("type"))
            let stated = feature.first(of: GeoJSON.Feature.times)
            for key in GeoJSON.Feature.times where key == stated?.key { _ = taken(key, instead: nil) }
            let moment = stated.flatMap { time($0.value) } ?? own
            var coordinate = coordinate
            if coordinate.altitude == nil, let height = feature.first(of: GeoJSON.Feature.altitudes),
                let metres = height.value.number ?? height.value.text.flatMap(DecimalBytes.decimal)
            {
                coordinate.altitude = metres
                _ = taken(height.key, instead: nil)
            }
            var point = GPXPoint(
                coordinate: coordinate, time: moment, name: name, description: note,
                symbol: feature.text("sym"),
                type: type, heartRate: feature.property("heartRate")?.number)
            point.comment = feature.text("cmt")
            point.link = feature.text("link")
            features.append(.place(MapPlace(point: point, id: id, properties: others)))
        }

        /// The moment of a text, or of a number since 1970; one that is none is counted.
        private mutating func time(_ tree: JSONTree) -> Timestamp? {
            if let number = tree.number ?? tree.text.flatMap(DecimalBytes.decimal) {
                if let moment = LogSettings.epoch(number) { return moment }
            } else if let text = tree.text {
                if text.isEmpty { return nil }
                if let moment = ISO8601.timestamp(text) {
                    if !ISO8601.hasZone(Array(text.utf8)[...]) {
                        doubts.add("times without a zone, taken as UTC")
                    }
                    return moment
                }
                if let (moment, hasZone, doubt) = RecordedTime.repaired(text) {
                    doubts.add(doubt)
                    if !hasZone { doubts.add("times without a zone, taken as UTC") }
                    return moment
                }
            } else {
                return nil
            }
            doubts.add("times that are none, left out")
            return nil
        }
    }
}

extension GeoJSON.Feature {
    /// The property with the name and the address of a place that a user of Google saved.
    fileprivate static let nested = "location"

    /// The texts of such a property.
    fileprivate var nestedTexts: [(key: String, value: String)] {
        (property(Self.nested)?.members ?? []).compactMap { member in
            member.value.text?.nonEmpty.map { (member.key, $0) }
        }
    }

    /// Known properties; one of an unexpected type is ignored.
    fileprivate static let known: Set = [
        "kind", "name", "desc", "cmt", "src", "link", "number", "type", "sym", "time", "heartRate",
        "coordTimes", "heartRates", "coordinateProperties",
    ]

    /// Names of the time of a point, as recorders and their servers write them.
    fileprivate static let times = [
        "time", "timestamp", "tst", "datetime", "date_time", "recorded_at", "recordedAt",
    ]
    /// Names of its altitude in metres, where it is not in the position.
    fileprivate static let altitudes = ["altitude", "ele", "elevation", "alt"]

    /// The first property of some names that is a text or a number.
    fileprivate func first(of names: [String]) -> (key: String, value: JSONTree)? {
        names.lazy.compactMap { name in property(name).map { (name, $0) } }
            .first { $0.1.text != nil || $0.1.number != nil }
    }

    fileprivate func text(_ name: String) -> String? { property(name)?.text }

    /// Names of the name of an object, in small letters, the usual one first: programs for maps write `Name`, `NAME` and `title` too.
    private static let names = ["name", "title", "label"]

    /// The text of a property, or of its number: houses and peaks are named by numbers too.
    private func named(_ key: String) -> String? {
        guard let value = property(key), value.text != nil || value.number != nil else { return nil }
        return value.scalarText?.nonEmpty
    }

    /// The first property with a text that is a name by its own.
    fileprivate var name: (key: String, value: String)? {
        if let name = named("name") { return ("name", name) }
        for wanted in Self.names {
            for member in properties where member.key.lowercased() == wanted {
                if let text = named(member.key) { return (member.key, text) }
            }
        }
        // Only the place within has a name.
        return nestedTexts.first { $0.key == "name" }.map { ($0.key, $0.value) }
    }

    /// A value for each point: a list for a line, a list of lists for several; in the first property of some names, which may be
    /// in `coordinateProperties`.
    fileprivate func lists(_ names: [String]) -> [[JSONTree]] {
        let shared = property("coordinateProperties")
        guard let items = names.lazy.compactMap({ (property($0) ?? shared?[$0])?.items }).first else {
            return []
        }
        let lists = items.compactMap(\.items)
        return lists.isEmpty ? [items] : lists.count == items.count ? lists : []
    }
}

extension JSONTree {
    /// A string, number or boolean as text.
    fileprivate var scalarText: String? {
        switch self {
        case .text(let text): text
        case .number(let text): number.flatMap { JSONTree($0).numberText } ?? text
        case .boolean(let flag): flag ? "true" : "false"
        default: nil
        }
    }

    private var numberText: String? {
        if case .number(let text) = self { return text }
        return nil
    }
}
