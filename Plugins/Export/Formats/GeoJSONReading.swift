import CivilTime
import Foundation
import GPX
import Geodesy
import PluginKit

/// Reads GeoJSON as a journey: points become waypoints, lines and the outlines of areas tracks (or routes, where the
/// feature says so).
enum GeoJSONReading {
    static func journey(_ url: URL, check: () throws -> Void) throws -> Journey {
        let file = try JSONFile.value(Root.self, of: url)
        var document = GPXDocument()
        document.name = file.collection.name
        document.description = file.collection.description
        document.author = file.collection.author
        document.time = file.collection.time.flatMap(ISO8601.timestamp)
        var reader = Reader(file: url.lastPathComponent)
        for (index, feature) in file.collection.features.enumerated() {
            try check()
            reader.feature = index
            try reader.read(feature)
        }
        document.tracks = reader.tracks
        document.routes = reader.routes
        var journey = Journey(document, fallbackName: url.deletingPathExtension().lastPathComponent)
        journey.places = reader.places
        if reader.tracks.count == 1 { journey.id = reader.lineID }
        if journey.lines.isEmpty {
            journey.dated = document.time ?? reader.places.lazy.compactMap(\.point.time).max()
        }
        return journey
    }

    /// A file: a collection, one feature, or a bare geometry.
    private struct Root: Decodable {
        let collection: GeoJSONFile.Collection

        private enum CodingKeys: String, CodingKey {
            case type
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            switch try container.decode(String.self, forKey: .type) {
            case "FeatureCollection": collection = try GeoJSONFile.Collection(from: decoder)
            case "Feature": collection = .init(features: [try GeoJSONFile.Feature(from: decoder)])
            default:
                collection = .init(features: [
                    .init(id: nil, geometry: try GeoJSONFile.Geometry(from: decoder), properties: .init())
                ])
            }
        }
    }

    private struct Reader {
        let file: String
        var feature = 0
        var tracks: [GPXLine] = []
        var routes: [GPXLine] = []
        var places: [JourneyPlace] = []
        var lineID: UUID?
        private var count = 0

        init(file: String) { self.file = file }

        mutating func read(_ feature: GeoJSONFile.Feature) throws {
            let properties = feature.properties ?? GeoJSONFile.Properties()
            var identifier: UUID?
            if case .text(let text)? = feature.id { identifier = UUID(uuidString: text) }
            guard let geometry = feature.geometry else {
                // A line without a point has no geometry.
                if properties.kind == "track" || properties.kind == "route" {
                    add([], properties, identifier)
                }
                return
            }
            try read(geometry, properties, identifier)
        }

        private mutating func read(
            _ geometry: GeoJSONFile.Geometry, _ properties: GeoJSONFile.Properties, _ id: UUID?
        ) throws {
            switch geometry {
            case .point(let position): places.append(try place(position, properties, id))
            case .points(let positions):
                for position in positions { places.append(try place(position, properties, nil)) }
            case .line(let line): add(try segments([line], properties), properties, id)
            case .lines(let lines): add(try segments(lines, properties), properties, id)
            case .areas(let areas):
                add(try segments(areas.compactMap(\.first), properties), properties, id)
            case .collection(let parts): for part in parts { try read(part, properties, nil) }
            }
        }

        private mutating func add(
            _ segments: [[GPXPoint]], _ properties: GeoJSONFile.Properties, _ id: UUID?
        ) {
            var line = GPXLine(
                name: properties.name, description: properties.desc, type: properties.type, segments: segments
            )
            line.comment = properties.cmt
            line.source = properties.src
            line.link = properties.link
            line.number = properties.number
            if properties.kind == "route" {
                line.segments = [Array(segments.joined())]
                routes.append(line)
            } else {
                tracks.append(line)
                lineID = id
            }
        }

        private mutating func segments(
            _ lines: [[[Double]]], _ properties: GeoJSONFile.Properties
        ) throws -> [[GPXPoint]] {
            let times = properties.coordTimes?.lists ?? []
            let rates = properties.heartRates?.lists ?? []
            var parts: [[GPXPoint]] = []
            for (index, line) in lines.enumerated() {
                var part: [GPXPoint] = []
                part.reserveCapacity(line.count)
                for (number, position) in line.enumerated() {
                    var point = GPXPoint(coordinate: try coordinate(position))
                    if index < times.count, number < times[index].count, let text = times[index][number] {
                        point.time = try time(text)
                    }
                    if index < rates.count, number < rates[index].count {
                        point.heartRate = rates[index][number]
                    }
                    part.append(point)
                }
                parts.append(part)
            }
            return AntimeridianCut.joined(parts)
        }

        private mutating func place(
            _ position: [Double], _ properties: GeoJSONFile.Properties, _ id: UUID?
        ) throws -> JourneyPlace {
            var point = GPXPoint(
                coordinate: try coordinate(position), time: try properties.time.map(time),
                name: properties.name ?? properties.others["label"]?.text,
                description: properties.desc ?? properties.others["note"]?.text, symbol: properties.sym,
                type: properties.type ?? properties.others["category"]?.text, heartRate: properties.heartRate)
            point.comment = properties.cmt
            point.link = properties.link
            let taken: Set = ["label", "note", "category"]
            let others = properties.others.sorted { $0.key < $1.key }.compactMap { key, value in
                taken.contains(key) ? nil : value.text.map { (name: key, value: $0) }
            }
            return JourneyPlace(point: point, id: id, properties: others)
        }

        private mutating func coordinate(_ position: [Double]) throws -> Coordinate {
            count += 1
            guard count <= ExportSettings.mostPoints else {
                throw ExportErrors.tooLarge(
                    "the file has more than \(ExportSettings.mostPoints) points", at: place)
            }
            guard position.count >= 2 else {
                throw ExportErrors.value(
                    "feature \(feature + 1): a position has no longitude and latitude", at: place)
            }
            let found = Coordinate(
                latitude: position[1], longitude: position[0],
                altitude: position.count > 2 ? position[2] : nil)
            guard found.isValid else {
                let swapped = abs(position[0]) <= 90 && abs(position[1]) <= 180
                throw ExportErrors.value(
                    "feature \(feature + 1): [\(Literal.number(position[0])), \(Literal.number(position[1]))] "
                        + "is no place on Earth",
                    at: place, fix: swapped ? "longitude comes first; were the two swapped?" : nil)
            }
            return found
        }

        private func time(_ text: String) throws -> Timestamp {
            guard let time = ISO8601.timestamp(text) else {
                throw ExportErrors.value("feature \(feature + 1): `\(text.prefix(40))` is no time", at: place)
            }
            return time
        }

        private var place: RutterError.Place { .file(path: file, line: nil, column: nil) }
    }
}
