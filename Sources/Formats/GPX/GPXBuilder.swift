import CivilTime
import Core
import Foundation
import Geodesy

/// Builds the things of a GPX file from its elements.
final class GPXBuilder: XMLDelegate {
    private enum Element: Equatable {
        case gpx, waypoint, route, track, segment, point, metadata, author
        case ele, time, name, desc, cmt, src, number, sym, type, heartRate, keywords, authorName, url
        case link
        case detail(GPXDetail.Kind)
        case other
    }

    private let handle: (GPXReader.Event) throws -> Void
    private let check: (Int) throws -> Void

    private var stack: [Element] = []
    private var text: [UInt8] = []
    private var collects = false
    private var textLength = 0
    private var point: GPXPoint?
    private var comment: String?
    private var line: GPXLine?
    private var segment: [GPXPoint] = []
    private var points = 0

    /// Hands over what is complete; `check` is told the number of points every thousand of them.
    init(handle: @escaping (GPXReader.Event) throws -> Void, check: @escaping (Int) throws -> Void) {
        self.handle = handle
        self.check = check
    }

    // MARK: Elements

    func start(
        _ name: UnsafePointer<CChar>, in space: UnsafePointer<CChar>?, _ attributes: XMLAttributes
    ) throws {
        guard stack.count < GPXSettings.deepest else {
            throw GPXErrors.hostile(
                "elements are nested more than \(GPXSettings.deepest) deep",
                fix: "no recorder writes such files; download it again from a source that you trust")
        }
        textLength = 0
        if stack.isEmpty {
            try requireRoot(name, space)
            stack.append(.gpx)
            return
        }
        let element = GPXNamespace.isOwn(space) ? element(name) : foreignElement(name)
        stack.append(element)
        switch element {
        case .waypoint, .point:
            point = GPXPoint(coordinate: try coordinate(attributes))
            comment = nil
        case .route, .track: line = GPXLine()
        case .segment: segment = []
        case .ele, .time, .name, .desc, .cmt, .src, .number, .sym, .type, .heartRate, .keywords, .authorName,
            .url, .detail:
            text.removeAll(keepingCapacity: true)
            collects = true
        case .link: keep(link: attributes.text("href"))
        default: break
        }
    }

    /// The first link of a point or line.
    private func keep(link: String?) {
        guard let link, !link.isEmpty else { return }
        if point != nil {
            if point?.link == nil { point?.link = link }
        } else if line?.link == nil {
            line?.link = link
        }
    }

    private func requireRoot(_ name: UnsafePointer<CChar>, _ space: UnsafePointer<CChar>?) throws {
        guard strcmp(name, "gpx") == 0 else {
            throw GPXErrors.root(
                "the outermost element is `\(String(cString: name).prefix(40))`, not `gpx`",
                fix: "export the data as GPX 1.1")
        }
        guard GPXNamespace.isOwn(space) else {
            let space = space.map { String(cString: $0) } ?? ""
            throw GPXErrors.root(
                "the outermost element `gpx` is of the namespace `\(space.prefix(80))`, not of GPX 1.0 or 1.1",
                fix: "export the data as GPX 1.1")
        }
    }

    /// Of what others put into the file only the values of the TrackPointExtension are read.
    private func foreignElement(_ name: UnsafePointer<CChar>) -> Element {
        func isNamed(_ other: String) -> Bool { strcmp(name, other) == 0 }
        guard point != nil, stack.last == .other else { return .other }
        if isNamed("hr") { return .heartRate }
        if isNamed("atemp") { return .detail(.atemp) }
        if isNamed("wtemp") { return .detail(.wtemp) }
        if isNamed("depth") { return .detail(.depth) }
        return isNamed("cad") ? .detail(.cad) : .other
    }

    /// What a name means where it stands; the same name elsewhere is `other`.
    private func element(_ name: UnsafePointer<CChar>) -> Element {
        func isNamed(_ other: String) -> Bool { strcmp(name, other) == 0 }
        switch stack.last {
        case .gpx:
            if isNamed("wpt") { return .waypoint }
            if isNamed("trk") { return .track }
            if isNamed("rte") { return .route }
            if isNamed("metadata") { return .metadata }
            // GPX 1.0 has the metadata directly below the root.
            return ofMetadata(name)
        case .metadata: return isNamed("author") ? .author : ofMetadata(name)
        case .author: return isNamed("name") ? .authorName : .other
        case .track: return isNamed("trkseg") ? .segment : ofLine(name)
        case .route: return isNamed("rtept") ? .point : ofLine(name)
        case .segment: return isNamed("trkpt") ? .point : .other
        case .waypoint, .point: return ofPoint(name)
        case .other: return foreignElement(name)
        default: return .other
        }
    }

    private func ofMetadata(_ name: UnsafePointer<CChar>) -> Element {
        func isNamed(_ other: String) -> Bool { strcmp(name, other) == 0 }
        if isNamed("name") { return .name }
        if isNamed("desc") { return .desc }
        if isNamed("time") { return .time }
        if isNamed("keywords") { return .keywords }
        // In GPX 1.0 the author is a text.
        return isNamed("author") ? .authorName : .other
    }

    private func ofLine(_ name: UnsafePointer<CChar>) -> Element {
        func isNamed(_ other: String) -> Bool { strcmp(name, other) == 0 }
        if isNamed("name") { return .name }
        if isNamed("cmt") { return .cmt }
        if isNamed("desc") { return .desc }
        if isNamed("src") { return .src }
        if isNamed("link") { return .link }
        if isNamed("url") { return .url }
        if isNamed("number") { return .number }
        return isNamed("type") ? .type : .other
    }

    private func ofPoint(_ name: UnsafePointer<CChar>) -> Element {
        func isNamed(_ other: String) -> Bool { strcmp(name, other) == 0 }
        if isNamed("ele") { return .ele }
        if isNamed("time") { return .time }
        if isNamed("name") { return .name }
        if isNamed("desc") { return .desc }
        if isNamed("cmt") { return .cmt }
        if isNamed("sym") { return .sym }
        if isNamed("link") { return .link }
        if isNamed("url") { return .url }
        if isNamed("type") { return .type }
        if isNamed("extensions") { return .other }
        let detail = GPXDetail.Kind(rawValue: String(cString: name))
        return detail.map { $0.isExtension ? .other : .detail($0) } ?? .other
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) throws {
        // Also of texts that nobody reads: a file with such a one is none that a recorder wrote.
        textLength += bytes.count
        guard textLength <= GPXSettings.longestText else {
            throw GPXErrors.hostile(
                "a text is longer than \(GPXSettings.longestText) bytes",
                fix: "no recorder writes such files; download it again from a source that you trust")
        }
        if collects { text.append(contentsOf: bytes) }
    }

    func end() throws {
        guard let element = stack.popLast() else { return }
        textLength = 0
        switch element {
        case .waypoint:
            if let point = finishedPoint() { try handle(.waypoint(point)) }
        case .point:
            if let point = finishedPoint() { segment.append(point) }
        case .segment:
            line?.segments.append(segment)
            segment = []
        case .track:
            if let line { try handle(.track(line)) }
            line = nil
        case .route:
            line?.segments.append(segment)
            segment = []
            if let line { try handle(.route(line)) }
            line = nil
        case .ele, .time, .name, .desc, .cmt, .src, .number, .sym, .type, .heartRate, .keywords, .authorName,
            .url, .detail:
            collects = false
            try finish(element)
        case .gpx, .metadata, .author, .link, .other: break
        }
    }

    // MARK: Values

    private func finishedPoint() -> GPXPoint? {
        defer { point = nil }
        if let details = point?.details, details.count > 1 { point?.details = Self.inOrder(details) }
        if point?.description == nil { point?.description = comment } else { point?.comment = comment }
        return point
    }

    /// The details in the order of the schema, the first of each kind.
    private static func inOrder(_ details: [GPXDetail]) -> [GPXDetail] {
        GPXDetail.Kind.allCases.compactMap { kind in details.first { $0.kind == kind } }
    }

    private func finish(_ element: Element) throws {
        let bytes = GPXText.trimmed(text[...])
        if bytes.isEmpty { return }
        // Words for people keep the blanks that belong to them; everything else is a value.
        let isWords = [.name, .desc, .cmt].contains(element)
        let value = String(decoding: isWords ? GPXText.withoutLayout(text[...]) : bytes, as: UTF8.self)
        switch element {
        case .ele: point?.coordinate.altitude = try number(value, "ele")
        case .detail(let kind):
            if let detail = GPXDetail(kind, value) { point?.details.append(detail) }
        case .heartRate: point?.heartRate = try number(value, "hr")
        case .time: try finishTime(value)
        case .name: try finishName(value)
        case .desc: try finishDescription(value)
        case .cmt: if point != nil { comment = value } else { line?.comment = value }
        case .src: line?.source = value
        case .number: line?.number = Int(value)
        case .url: keep(link: value)
        case .keywords: try handle(.keywords(value))
        case .authorName: try handle(.author(value))
        case .sym: point?.symbol = value
        case .type:
            if point != nil { point?.type = value } else { line?.type = value }
        default: break
        }
    }

    private func finishTime(_ value: String) throws {
        guard let time = ISO8601.timestamp(value) ?? ISO8601.timestamp(value + "T00:00:00Z") else {
            throw GPXErrors.value(
                "`\(value.prefix(40))` is no time", fix: "times are written 2026-02-06T08:15:30Z")
        }
        if point != nil { point?.time = time } else { try handle(.time(time)) }
    }

    private func finishDescription(_ value: String) throws {
        if point != nil {
            point?.description = value
        } else if line != nil {
            line?.description = value
        } else {
            try handle(.description(value))
        }
    }

    private func finishName(_ value: String) throws {
        if point != nil {
            point?.name = value
        } else if line != nil {
            line?.name = value
        } else {
            try handle(.name(value))
        }
    }

    private func number(_ value: String, _ name: String) throws -> Double {
        guard let number = Double(value), number.isFinite else {
            throw GPXErrors.value(
                "\(name) `\(value.prefix(40))` is no number",
                fix: "correct it in the file, or take the element out")
        }
        return number
    }

    private func coordinate(_ attributes: XMLAttributes) throws -> Coordinate {
        points += 1
        guard points <= GPXSettings.mostPoints else {
            throw GPXErrors.hostile(
                "the file has more than \(GPXSettings.mostPoints) points",
                fix: "split the recording, and import its parts one by one")
        }
        if points % GPXSettings.checkInterval == 0 { try check(points) }
        let latitude = try degrees("lat", attributes.value("lat"), limit: 90)
        let longitude = try degrees("lon", attributes.value("lon"), limit: 180)
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    private func degrees(_ name: String, _ bytes: UnsafeBufferPointer<UInt8>?, limit: Double) throws -> Double
    {
        guard let bytes else {
            throw GPXErrors.value(
                "a point has no \(name)", fix: "correct it in the file, or take the point out")
        }
        let text = String(decoding: GPXText.trimmed(bytes[...]), as: UTF8.self)
        guard let value = Double(text), value.isFinite else {
            throw GPXErrors.value(
                "\(name) `\(text.prefix(40))` is no number",
                fix: "angles are decimal degrees, such as 46.5012")
        }
        guard abs(value) <= limit else {
            throw GPXErrors.value(
                "\(name) \(text.prefix(40)) is outside of ±\(Int(limit))",
                fix: "correct it in the file; perhaps lat and lon were swapped")
        }
        return value
    }
}

/// The namespaces of GPX.
private enum GPXNamespace {
    private static let known: [StaticString] = [
        "http://www.topografix.com/GPX/1/1", "http://www.topografix.com/GPX/1/0",
    ]

    /// Whether elements of a namespace are those of GPX; files without any namespace are common.
    static func isOwn(_ space: UnsafePointer<CChar>?) -> Bool {
        guard let space else { return true }
        return known.contains {
            strcmp(UnsafeRawPointer($0.utf8Start).assumingMemoryBound(to: CChar.self), space) == 0
        }
    }
}

/// Text as XML has it.
private enum GPXText {
    /// Without the line ends and the indentation of a file that is laid out for reading: blanks around the text, where
    /// there is a line end among them.
    static func withoutLayout(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let inner = trimmed(bytes)
        let newline = UInt8(ascii: "\n")
        let first = bytes[..<inner.startIndex].contains(newline) ? inner.startIndex : bytes.startIndex
        let last = bytes[inner.endIndex...].contains(newline) ? inner.endIndex : bytes.endIndex
        return bytes[first..<last]
    }

    /// Without blanks, tabs and line ends around it.
    static func trimmed<Bytes: BidirectionalCollection<UInt8>>(_ bytes: Bytes) -> Bytes.SubSequence {
        guard let first = bytes.firstIndex(where: { $0 > 32 }), let last = bytes.lastIndex(where: { $0 > 32 })
        else {
            return bytes[bytes.startIndex..<bytes.startIndex]
        }
        return bytes[first...last]
    }
}
