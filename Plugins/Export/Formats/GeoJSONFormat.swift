import CivilTime
import Foundation
import GPX
import Geodesy
import PluginKit

/// Journeys as GeoJSON (RFC 7946): a point for each waypoint, a line for each track and route, several lines where it
/// has several segments. A line across the antimeridian is cut in two, as section 3.1.9 asks for.
enum GeoJSONFormat {
    static func bytes(_ journeys: [Journey], check: () throws -> Void) throws -> [UInt8] {
        var features: [GeoJSONFile.Feature] = []
        for journey in journeys {
            for place in journey.places {
                try check()
                features.append(feature(place))
            }
            for line in journey.tracks {
                try check()
                features.append(feature(line, "track", id: journey.tracks.count == 1 ? journey.id : nil))
            }
            for line in journey.routes {
                try check()
                features.append(feature(line, "route", id: nil))
            }
        }
        let single = journeys.count == 1 ? journeys[0] : nil
        let places = journeys.lazy.flatMap { $0.points + $0.places.map(\.point) }.map(\.coordinate)
        let box = BoundingBox(around: places)
        let collection = GeoJSONFile.Collection(
            bbox: box.map { [angle($0.west), angle($0.south), angle($0.east), angle($0.north)] },
            name: single?.name.nonEmpty, description: single?.comment.nonEmpty,
            author: single?.author?.nonEmpty,
            time: single.flatMap { $0.documentTime ?? $0.start ?? $0.dated }.map { ISO8601.text($0) },
            features: features)
        return try JSONFile.bytes(collection)
    }

    private static func feature(_ place: JourneyPlace) -> GeoJSONFile.Feature {
        let point = place.point
        var properties = GeoJSONFile.Properties(
            kind: "waypoint", name: point.name, desc: point.description, cmt: point.comment, link: point.link,
            type: point.type, sym: point.symbol, time: point.time.map { ISO8601.text($0) },
            heartRate: point.heartRate)
        for (name, value) in place.properties { properties.others[name] = .text(value) }
        return GeoJSONFile.Feature(
            id: place.id.map { .text($0.uuidString) }, geometry: .point(position(point.coordinate)),
            properties: properties)
    }

    private static func feature(_ line: GPXLine, _ kind: String, id: UUID?) -> GeoJSONFile.Feature {
        let parts = line.segments.flatMap(AntimeridianCut.parts).filter { !$0.isEmpty }
        var properties = GeoJSONFile.Properties(
            kind: kind, name: line.name, desc: line.description, cmt: line.comment, src: line.source,
            link: line.link, number: line.number, type: line.type)
        let lines = parts.map { $0.map { position($0.coordinate) } }
        if parts.joined().contains(where: { $0.time != nil }) {
            let times = parts.map { $0.map { $0.time.map { ISO8601.text($0) } } }
            properties.coordTimes = times.count == 1 ? .one(times[0]) : .several(times)
        }
        if parts.joined().contains(where: { $0.heartRate != nil }) {
            let rates = parts.map { $0.map(\.heartRate) }
            properties.heartRates = rates.count == 1 ? .one(rates[0]) : .several(rates)
        }
        let geometry: GeoJSONFile.Geometry? =
            lines.isEmpty ? nil : lines.count == 1 ? .line(lines[0]) : .lines(lines)
        return GeoJSONFile.Feature(
            id: id.map { .text($0.uuidString) }, geometry: geometry, properties: properties)
    }

    private static func position(_ place: Coordinate) -> [Double] {
        [angle(place.longitude), angle(place.latitude)]
            + (place.altitude.map { [$0.rounded(decimals: ExportSettings.altitudeDecimals)] } ?? [])
    }

    private static func angle(_ degrees: Double) -> Double {
        degrees.rounded(decimals: ExportSettings.angleDecimals)
    }
}

/// Cuts segments at the 180° meridian, and puts them together again.
enum AntimeridianCut {
    /// The parts of a segment, each of two points at least: a part of one point is written as two at the same place, as
    /// RFC 7946 wants it. Where it is cut, a point without a time is added at either side.
    static func parts(_ segment: [GPXPoint]) -> [[GPXPoint]] {
        guard var last = segment.first else { return [] }
        var parts: [[GPXPoint]] = [[last]]
        for point in segment.dropFirst() {
            if let cut = Antimeridian.cut(from: last.coordinate, to: point.coordinate) {
                parts[parts.count - 1].append(GPXPoint(coordinate: cut.near))
                parts.append([GPXPoint(coordinate: cut.far)])
            }
            parts[parts.count - 1].append(point)
            last = point
        }
        return parts.map { $0.count == 1 ? [$0[0], $0[0]] : $0 }
    }

    /// Segments from parts: those that were cut are joined, and what was added is taken away.
    static func joined(_ parts: [[GPXPoint]]) -> [[GPXPoint]] {
        var segments: [[GPXPoint]] = []
        for part in parts {
            if let last = segments.last?.last, let first = part.first, isCut(last, first) {
                segments[segments.count - 1].removeLast()
                segments[segments.count - 1] += part.dropFirst()
            } else {
                segments.append(part)
            }
        }
        return segments.map { $0.count == 2 && $0[0] == $0[1] ? [$0[0]] : $0 }
    }

    private static func isCut(_ left: GPXPoint, _ right: GPXPoint) -> Bool {
        abs(left.coordinate.longitude) == 180 && left.coordinate.longitude == -right.coordinate.longitude
            && left.coordinate.latitude == right.coordinate.latitude && left.time == nil && right.time == nil
    }
}

extension String {
    /// The text, `nil` when it is empty.
    var nonEmpty: String? { isEmpty ? nil : self }
}
