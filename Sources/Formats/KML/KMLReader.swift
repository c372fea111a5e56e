import Archives
import CivilTime
import Core
import Foundation
import Geodesy

/// Reads KML 2.x as a map document: points become places; lines and the outlines of areas become tracks, or
/// routes if the data field `kind` is `route`; `gx:Track` becomes a track with times.
public enum KMLReader {
    /// Reads a file; throws an error of `KMLErrors` with line and column, or the error of `check`.
    public static func document(_ source: SourceBytes, check: () throws -> Void) throws -> MapDocument {
        try withoutActuallyEscaping(check) { check in
            let builder = KMLBuilder(check: check)
            try XMLPushParser.read(source, into: builder, failures: KMLErrors.failures, check: check)
            return builder.document
        }
    }
}

/// Builds the objects of a KML file from its elements, ignoring namespaces below the root.
private final class KMLBuilder: XMLDelegate {
    private(set) var document = MapDocument()

    private let check: () throws -> Void
    private var stack: [String] = []
    private var text: [UInt8] = []
    private var textLength = 0
    private var collects = false
    private var mark: Placemark?
    private var dataName = ""
    private var tuples: TupleReader?
    private var track = TimedTrack()
    private var count = 0

    /// The values of a placemark.
    private struct Placemark {
        var name: String?
        var description: String?
        var when: Timestamp?
        var data: [(name: String, value: String)] = []
        var points: [Coordinate] = []
        var segments: [[GPXPoint]] = []
        var isLine = false

        func value(_ name: String) -> String? { data.first { $0.name == name }?.value }
    }

    /// The times and coordinates of a `gx:Track`, which are in sequence.
    private struct TimedTrack {
        var times: [Timestamp?] = []
        var coordinates: [Coordinate] = []
    }

    private static let spaces = [
        "http://www.opengis.net/kml/2.2", "http://www.opengis.net/kml/2.3", "http://earth.google.com/kml/2.0",
        "http://earth.google.com/kml/2.1", "http://earth.google.com/kml/2.2",
    ]
    /// Elements whose text is used.
    private static let texts: Set<String> = ["name", "description", "when", "value", "coord"]

    init(check: @escaping () throws -> Void) { self.check = check }

    func start(
        _ name: UnsafePointer<CChar>, in space: UnsafePointer<CChar>?, _ attributes: XMLAttributes
    ) throws {
        guard stack.count < GPXSettings.deepest else {
            throw KMLErrors.hostile("elements are nested more than \(GPXSettings.deepest) deep")
        }
        let element = String(cString: name)
        if stack.isEmpty { try requireRoot(element, space.map { String(cString: $0) }) }
        stack.append(element)
        textLength = 0
        switch element {
        case "Placemark": mark = Placemark()
        case "Data", "SimpleData":
            dataName = attributes.text("name") ?? ""
            if element == "SimpleData" { collect() }
        case "coordinates" where mark != nil: tuples = TupleReader()
        case "Track": track = TimedTrack()
        case _ where Self.texts.contains(element): collect()
        default: break
        }
    }

    private func collect() {
        text.removeAll(keepingCapacity: true)
        collects = true
    }

    private func requireRoot(_ name: String, _ space: String?) throws {
        guard name == "kml" else {
            throw KMLErrors.root("the outermost element is `\(name.prefix(40))`, not `kml`")
        }
        guard let space, !Self.spaces.contains(space) else { return }
        throw KMLErrors.root(
            "the outermost element `kml` has the namespace `\(space.prefix(80))`, not KML 2.x")
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) throws {
        if tuples != nil {
            // Lists of coordinates are as long as the line: they are parsed as a stream.
            try tuples?.read(bytes) { try add($0) }
            return
        }
        textLength += bytes.count
        let limit = stack.last == "value" ? MapSettings.longestValue : GPXSettings.longestText
        guard textLength <= limit else { throw KMLErrors.hostile("a text is longer than \(limit) bytes") }
        if collects { text.append(contentsOf: bytes) }
    }

    func end() throws {
        guard let element = stack.popLast() else { return }
        textLength = 0
        if element == "coordinates" { return try finishCoordinates() }
        if Self.texts.contains(element) || element == "SimpleData" {
            collects = false
            let value = String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            return try finish(element, value)
        }
        switch element {
        case "Track": finishTrack()
        case "Placemark":
            if let mark { try finish(mark) }
            mark = nil
        default: break
        }
    }

    // MARK: Values

    private func finish(_ element: String, _ value: String) throws {
        let parent = stack.last
        switch element {
        case "name" where parent == "author":
            if mark == nil, !value.isEmpty { document.author = value }
        case "name":
            if parent == "Placemark" {
                mark?.name = value.nonEmpty
            } else if parent == "Document", document.name == nil {
                document.name = value.nonEmpty
            }
        case "description":
            if parent == "Placemark" {
                mark?.description = value.nonEmpty
            } else if parent == "Document", document.description == nil {
                document.description = value.nonEmpty
            }
        case "when":
            let time = value.isEmpty ? nil : try time(value)
            if parent == "TimeStamp" { mark?.when = time }
            if parent == "Track" { track.times.append(time) }
        case "coord":
            track.coordinates.append(try coordinate(value.split(separator: " ").map { Substring($0) }))
        case "value", "SimpleData": mark?.data.append((dataName, value))
        default: break
        }
    }

    /// `2026`, `2026-02` and `2026-02-06` are times in KML too.
    private func time(_ text: String) throws -> Timestamp {
        let candidates = [text, text + "T00:00:00Z", text + "-01T00:00:00Z", text + "-01-01T00:00:00Z"]
        guard let time = candidates.lazy.compactMap(ISO8601.timestamp).first else {
            throw KMLErrors.value(
                "`\(text.prefix(40))` is not a time", fix: "write times as 2026-02-06T08:15:30Z")
        }
        return time
    }

    private func add(_ point: Coordinate) throws {
        count += 1
        if count % MapSettings.checkInterval == 0 { try check() }
        guard count <= MapSettings.mostPoints else {
            throw KMLErrors.hostile("the file has more than \(MapSettings.mostPoints) points")
        }
        mark?.points.append(point)
    }

    private func coordinate(_ parts: [Substring]) throws -> Coordinate {
        count += 1
        guard count <= MapSettings.mostPoints else {
            throw KMLErrors.hostile("the file has more than \(MapSettings.mostPoints) points")
        }
        return try TupleReader.coordinate(parts)
    }

    private func finishCoordinates() throws {
        try tuples?.finish { try add($0) }
        tuples = nil
        guard let points = mark?.points else { return }
        mark?.points = []
        if stack.last == "Point" {
            // Each point of a collection is a waypoint.
            if let first = points.first, let mark {
                document.features.append(.place(self.place(mark, first)))
            }
            return
        }
        // Holes of areas are ignored.
        if stack.contains("innerBoundaryIs") { return }
        mark?.isLine = true
        if !points.isEmpty { mark?.segments.append(points.map { GPXPoint(coordinate: $0) }) }
    }

    private func finishTrack() {
        let times = track.times
        let points = track.coordinates.enumerated().map { index, coordinate in
            GPXPoint(coordinate: coordinate, time: index < times.count ? times[index] : nil)
        }
        mark?.isLine = true
        if !points.isEmpty { mark?.segments.append(points) }
    }

    private func place(_ mark: Placemark, _ coordinate: Coordinate) -> MapPlace {
        var point = GPXPoint(
            coordinate: coordinate, time: mark.when, name: mark.name, description: mark.description,
            symbol: mark.value("sym"), type: mark.value("type"),
            heartRate: mark.value("heartRate").flatMap(Double.init))
        point.comment = mark.value("cmt")
        point.link = mark.value("link")
        let own: Set = ["kind", "id", "type", "sym", "cmt", "link", "heartRate"]
        return MapPlace(
            point: point, id: mark.value("id").flatMap(UUID.init),
            properties: mark.data.filter { !own.contains($0.name) })
    }

    private func finish(_ mark: Placemark) throws {
        let kind = mark.value("kind").flatMap(MapDocument.LineKind.init)
        guard mark.isLine || kind != nil else { return }
        var line = GPXLine(
            name: mark.name, description: mark.description, type: mark.value("type"), segments: mark.segments)
        line.comment = mark.value("cmt")
        line.source = mark.value("src")
        line.link = mark.value("link")
        line.number = mark.value("number").flatMap(Int.init)
        if let times = mark.value("times") {
            try spread(times, over: &line.segments) { $0.time = try time($1) }
        }
        if let rates = mark.value("heartRates") {
            try spread(rates, over: &line.segments) { $0.heartRate = Double($1) }
        }
        if kind == .route { line.segments = [Array(line.segments.joined())] }
        document.features.append(.line(line, kind ?? .track, id: mark.value("id").flatMap(UUID.init)))
    }

    /// Assigns the words of a list, as the writer creates it, to the points; a list of another length is
    /// ignored.
    private func spread(
        _ list: String, over segments: inout [[GPXPoint]], _ set: (inout GPXPoint, String) throws -> Void
    ) throws {
        let words = list.split(separator: "|").map { $0.split(whereSeparator: \.isWhitespace) }
        guard words.map(\.count) == segments.map(\.count) else { return }
        for segment in segments.indices {
            for index in segments[segment].indices where words[segment][index] != "-" {
                try set(&segments[segment][index], String(words[segment][index]))
            }
        }
    }
}

/// Parses a list of `longitude,latitude[,altitude]` in pieces.
private struct TupleReader {
    private var rest: [UInt8] = []

    mutating func read(_ bytes: UnsafeBufferPointer<UInt8>, _ add: (Coordinate) throws -> Void) throws {
        for byte in bytes {
            if byte > 32 {
                rest.append(byte)
                guard rest.count <= MapSettings.longestTuple else {
                    throw KMLErrors.hostile("a coordinate is longer than \(MapSettings.longestTuple) bytes")
                }
            } else {
                try finish(add)
            }
        }
    }

    mutating func finish(_ add: (Coordinate) throws -> Void) throws {
        guard !rest.isEmpty else { return }
        let text = String(decoding: rest, as: UTF8.self)
        rest.removeAll(keepingCapacity: true)
        try add(try Self.coordinate(text.split(separator: ",", omittingEmptySubsequences: false)))
    }

    static func coordinate(_ parts: [Substring]) throws -> Coordinate {
        let numbers = parts.map { Double($0) }
        guard numbers.count == 2 || numbers.count == 3, let longitude = numbers[0], let latitude = numbers[1],
            longitude.isFinite, latitude.isFinite
        else {
            throw KMLErrors.value(
                "`\(parts.joined(separator: ",").prefix(60))` is not longitude,latitude,altitude")
        }
        guard abs(latitude) <= 90, abs(longitude) <= 180 else {
            throw KMLErrors.value(
                "`\(parts.joined(separator: ",").prefix(60))` is out of range",
                fix: abs(longitude) <= 90 && abs(latitude) <= 180
                    ? "longitude comes first; check whether they are swapped" : nil)
        }
        var coordinate = Coordinate(latitude: latitude, longitude: longitude)
        if numbers.count == 3 {
            guard let altitude = numbers[2], altitude.isFinite else {
                throw KMLErrors.value("`\(parts[2].prefix(40))` is not an altitude")
            }
            coordinate.altitude = altitude
        }
        return coordinate
    }
}
