import CivilTime
import Core
import Formats
import Foundation
import Geodesy

/// Everything in a recording except the numbers of its points, as JSON.
struct RecordingDetails: Codable {
    private var origin: Recording.Origin?
    private var edits: [Recording.Edit]
    private var notices: [String]
    private var waypoints: [Point]
    private var unplaced: [Point]
    /// Texts of points by index: most have none.
    private var words: [Int: Point]
    private var line: Line
    private var file: File

    private struct Point: Codable {
        var latitude: Double?
        var longitude: Double?
        var altitude: Double?
        var time: Int64?
        var name: String?
        var description: String?
        var comment: String?
        var links: [WebLink]?
        var symbol: String?
        var type: String?
        var sensors: [String: Double]?
        var details: [[String]]?
        var extensions: String?
    }

    private struct Line: Codable {
        var name: String?
        var comment: String?
        var description: String?
        var source: String?
        var links: [WebLink]
        var number: Int?
        var type: String?
        var extensions: String?
        var laps: [TrackLap]
        var device: String?
        var calories: Double?
        var totals: DeviceTotals?
    }

    private struct File: Codable {
        var name: String?
        var description: String?
        var author: String?
        var authorEmail: String?
        var authorLink: WebLink?
        var copyright: FileCopyright?
        var links: [WebLink]
        var creator: String?
        var time: Int64?
        var keywords: String?
        var extensions: String?
    }

    /// The JSON of a recording.
    static func text(_ recording: Recording) throws(RutterError) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(RecordingDetails(recording)), as: UTF8.self)
        } catch {
            throw StoreErrors.track("the recording cannot be stored: \(error.localizedDescription)")
        }
    }

    /// Decodes the recording from JSON and the segments of its points.
    static func recording(_ text: String, _ segments: [[GPXPoint]], source: String) throws(RutterError)
        -> Recording
    {
        let details: RecordingDetails
        do {
            details = try JSONDecoder().decode(RecordingDetails.self, from: Data(text.utf8))
        } catch {
            throw RecordingCodec.damaged(source)
        }
        return details.recording(segments)
    }

    private init(_ recording: Recording) {
        origin = recording.origin
        edits = recording.edits
        notices = recording.notices
        waypoints = recording.waypoints.map { Self.point($0, isWhole: true) }
        unplaced = recording.line.unplaced.map { sample in
            Point(
                altitude: sample.altitude, time: sample.time.milliseconds,
                sensors: Self.sensors(sample.sensors))
        }
        words = [:]
        var index = 0
        for segment in recording.line.segments {
            for point in segment {
                if point.hasWords { words[index] = Self.point(point, isWhole: false) }
                index += 1
            }
        }
        let line = recording.line
        self.line = Line(
            name: line.name, comment: line.comment, description: line.description, source: line.source,
            links: line.links, number: line.number, type: line.type, extensions: line.extensions,
            laps: line.laps, device: line.device, calories: line.calories,
            totals: line.totals)
        let document = recording.document
        file = File(
            name: document.name, description: document.description, author: document.author,
            authorEmail: document.authorEmail, authorLink: document.authorLink, copyright: document.copyright,
            links: document.links, creator: document.creator, time: document.time?.milliseconds,
            keywords: document.keywords, extensions: document.extensions)
    }

    private static func sensors(_ sensors: PointSensors) -> [String: Double]? {
        var found: [String: Double] = [:]
        for kind in PointSensors.Kind.allCases { found[kind.rawValue] = sensors[kind] }
        return found.isEmpty ? nil : found
    }

    private static func point(_ point: GPXPoint, isWhole: Bool) -> Point {
        var stored = Point(
            name: point.name, description: point.description, comment: point.comment,
            links: point.links.isEmpty ? nil : point.links, symbol: point.symbol, type: point.type,
            details: point.details.isEmpty ? nil : point.details.map { [$0.kind.rawValue, $0.text] },
            extensions: point.extensions)
        guard isWhole else { return stored }
        stored.latitude = point.coordinate.latitude
        stored.longitude = point.coordinate.longitude
        stored.altitude = point.coordinate.altitude
        stored.time = point.time?.milliseconds
        stored.sensors = sensors(point.sensors)
        return stored
    }

    private func recording(_ segments: [[GPXPoint]]) -> Recording {
        var segments = segments
        var start = 0
        if !words.isEmpty {
            for number in segments.indices {
                for index in segments[number].indices {
                    if let words = words[start + index] { Self.fill(&segments[number][index], words) }
                }
                start += segments[number].count
            }
        }
        var result = GPXLine(
            name: line.name, description: line.description, type: line.type, segments: segments)
        result.comment = line.comment
        result.source = line.source
        result.links = line.links
        result.number = line.number
        result.extensions = line.extensions
        result.laps = line.laps
        result.device = line.device
        result.calories = line.calories
        result.totals = line.totals
        result.unplaced = unplaced.compactMap { sample in
            sample.time.map {
                UnplacedSample(
                    time: Timestamp(milliseconds: $0), altitude: sample.altitude,
                    sensors: Self.sensors(sample.sensors))
            }
        }
        var recording = Recording(line: result, origin: origin)
        recording.edits = edits
        recording.notices = notices
        recording.waypoints = waypoints.compactMap(Self.point)
        recording.document = document
        return recording
    }

    private var document: GPXDocument {
        var document = GPXDocument()
        document.name = file.name
        document.description = file.description
        document.author = file.author
        document.authorEmail = file.authorEmail
        document.authorLink = file.authorLink
        document.copyright = file.copyright
        document.links = file.links
        document.creator = file.creator
        document.time = file.time.map(Timestamp.init(milliseconds:))
        document.keywords = file.keywords
        document.extensions = file.extensions
        return document
    }

    private static func sensors(_ stored: [String: Double]?) -> PointSensors {
        var sensors = PointSensors()
        for kind in PointSensors.Kind.allCases { sensors[kind] = stored?[kind.rawValue] }
        return sensors
    }

    private static func fill(_ point: inout GPXPoint, _ stored: Point) {
        point.name = stored.name
        point.description = stored.description
        point.comment = stored.comment
        point.links = stored.links ?? []
        point.symbol = stored.symbol
        point.type = stored.type
        point.extensions = stored.extensions
        point.details = (stored.details ?? []).compactMap { pair in
            guard pair.count == 2, let kind = GPXDetail.Kind(rawValue: pair[0]) else { return nil }
            return GPXDetail(kind, pair[1])
        }
    }

    private static func point(_ stored: Point) -> GPXPoint? {
        guard let latitude = stored.latitude, let longitude = stored.longitude else { return nil }
        var point = GPXPoint(
            coordinate: Coordinate(latitude: latitude, longitude: longitude, altitude: stored.altitude),
            time: stored.time.map(Timestamp.init(milliseconds:)))
        point.sensors = sensors(stored.sensors)
        fill(&point, stored)
        return point
    }
}
