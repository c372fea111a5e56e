import CivilTime
import Foundation
import Geodesy

/// Reads GeoJSON as a map document: points become places; lines and the outlines of areas become tracks, or
/// routes if the property `kind` is `route`.
public enum GeoJSONReader {
    /// The document of a text; throws `JSONFault` of kind `content`, `value` or `size`, or the error of
    /// `check`.
    public static func document(_ tree: JSONTree, check: () throws -> Void) throws -> MapDocument {
        let features = try GeoJSON.features(of: tree)
        let isCollection = tree["features"] != nil
        var document = MapDocument()
        if isCollection {
            document.name = tree["name"]?.text
            document.description = tree["description"]?.text
            document.author = tree["author"]?.text
            document.time = tree["time"]?.text.flatMap(ISO8601.timestamp)
        }
        var reader = Features()
        for (index, feature) in features.enumerated() {
            try check()
            do throws(JSONFault) {
                try reader.read(feature)
            } catch {
                throw isCollection ? error.inside(.index(index)).inside(key: "features") : error
            }
        }
        document.features = reader.features
        document.doubts = reader.doubts.kinds.map { "\($0.what): \($0.count)" }
        return document
    }

    private struct Features {
        var features: [MapDocument.Feature] = []
        var doubts = Tally()
        private var count = 0

        mutating func read(_ feature: GeoJSON.Feature) throws(JSONFault) {
            let id = feature.id?.text.flatMap(UUID.init(uuidString:))
            if let geometry = try feature.geometry() {
                do throws(JSONFault) {
                    try read(geometry, feature, id)
                } catch {
                    throw error.kind == .size ? error : error.inside(key: "properties")
                }
            } else if let kind = feature.text("kind"), MapDocument.LineKind(rawValue: kind) != nil {
                // A line without points has no geometry.
                add([], feature, id)
            }
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
            var line = GPXLine(
                name: feature.text("name"), description: feature.text("desc") ?? feature.text("description"),
                type: feature.text("type"), segments: segments)
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
            let times = feature.lists("coordTimes")
            let rates = feature.lists("heartRates")
            var parts: [[GPXPoint]] = []
            for (index, line) in lines.enumerated() {
                try countPoints(line.count)
                var part = line.map { GPXPoint(coordinate: $0) }
                if index < times.count {
                    for (number, text) in times[index].prefix(part.count).enumerated() where text.text != nil
                    {
                        part[number].time = time(text)
                    }
                }
                if index < rates.count {
                    for (number, rate) in rates[index].prefix(part.count).enumerated() {
                        part[number].heartRate = rate.number
                    }
                }
                parts.append(part)
            }
            return AntimeridianCut.joined(parts)
        }

        private mutating func add(
            _ coordinate: Coordinate, _ feature: GeoJSON.Feature, _ id: UUID?
        ) throws(JSONFault) {
            try countPoints(1)
            var others = feature.properties.filter { !GeoJSON.Feature.known.contains($0.key) }
                .sorted { $0.key < $1.key }.compactMap { member in
                    member.value.scalarText.map { (name: member.key, value: $0) }
                }
            func taken(_ name: String, instead value: String?) -> String? {
                guard let index = others.firstIndex(where: { $0.name == name }) else { return value }
                let other = others.remove(at: index).value
                return value ?? other
            }
            let desc = feature.text("desc") ?? feature.text("description")
            if desc != nil { _ = taken("description", instead: nil) }
            let name = taken("label", instead: feature.text("name"))
            let note = taken("note", instead: desc)
            let type = taken("category", instead: feature.text("type"))
            let stated = feature.first(of: GeoJSON.Feature.times)
            for key in GeoJSON.Feature.times where key == stated?.key { _ = taken(key, instead: nil) }
            let moment = stated.flatMap { time($0.value) }
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
            } else {
                return nil
            }
            doubts.add("times that are none, left out")
            return nil
        }
    }
}

extension GeoJSON.Feature {
    /// Known properties; one of an unexpected type is ignored.
    fileprivate static let known: Set = [
        "kind", "name", "desc", "cmt", "src", "link", "number", "type", "sym", "time", "heartRate",
        "coordTimes",
        "heartRates",
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

    /// A value for each point: a list for a line, a list of lists for several.
    fileprivate func lists(_ name: String) -> [[JSONTree]] {
        guard let items = property(name)?.items else { return [] }
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
