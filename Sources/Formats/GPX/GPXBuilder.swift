import CivilTime
import Core
import Foundation
import Geodesy

/// Builds the objects of a GPX file from its elements.
final class GPXBuilder: XMLPlaced, XMLResuming {
    /// Only one parser calls this, sequentially: dynamic exclusivity checks took 5 % of an import.
    @exclusivity(unchecked) private var elements: GPXElements

    /// Passes completed objects to `handle`; `check` receives the number of points, every thousand points.
    init(handle: @escaping (GPXReader.Event) throws -> Void, check: @escaping (Int) throws -> Void) {
        elements = GPXElements(handle: handle, check: check, lineNumber: { [position] in position.line() })
    }

    private let position = XMLPosition()
    func take(_ line: @escaping () -> Int?) { position.line = line }

    func start(
        _ name: UnsafePointer<CChar>, in space: UnsafePointer<CChar>?, _ attributes: XMLAttributes
    ) throws {
        try elements.start(name, in: space, attributes)
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) throws { try elements.text(bytes) }
    func end() throws { try elements.end() }

    let restarts = ["trkpt", "wpt", "rtept", "trkseg", "trk", "rte"]
    var begun: Int { elements.begun }
    var isRepeating: Bool { elements.isRepeating }
    func resume(before element: String) throws -> [String]? { try elements.resume(before: element) }

    /// What became of the points; complete at the end of the file.
    var account: PointAccount { elements.account }

    /// Completes what is open where a file ends early. Returns the number of points read.
    func salvage() throws -> Int {
        try elements.salvage()
        return elements.whole
    }
}

/// The open elements, and the objects under construction.
private struct GPXElements {
    private enum Element: Equatable {
        case gpx, waypoint, route, track, segment, point, metadata, author, copyright
        case ele, time, name, desc, cmt, src, number, sym, type, keywords, authorName, email, url, urlName
        case link, linkText, linkType, year, license
        case sensor(PointSensors.Kind)
        case detail(GPXDetail.Kind)
        /// The element for extensions; its content is collected unchanged.
        case extensions
        /// An element of another namespace, and its content.
        case foreign
        /// Not needed in output: bounds are computed.
        case other
        /// An unknown element of this namespace.
        case dropped

        /// Whether its text is a value.
        var isValue: Bool {
            switch self {
            case .ele, .time, .name, .desc, .cmt, .src, .number, .sym, .type, .keywords, .authorName, .email,
                .url, .urlName, .linkText, .linkType, .year, .license, .sensor, .detail:
                true
            default: false
            }
        }
    }

    private static let astray = GPXLine.astray

    private struct Meaning {
        let name: UnsafePointer<CChar>
        let space: UnsafePointer<CChar>?
        let parent: Element?
        let element: Element
    }

    /// A power of two.
    private static let meanings = 64
    private var meanings = [Meaning?](repeating: nil, count: GPXElements.meanings)
    private let handle: (GPXReader.Event) throws -> Void
    private let check: (Int) throws -> Void
    /// The line of the file that is read.
    private let lineNumber: () -> Int?

    private var stack: [Element] = []
    private var text: [UInt8] = []
    private var collects = false
    private var textLength = 0
    private var point: GPXPoint?
    /// Whether the position of the point is none; the point is read on for its other values.
    private var isAstray = false
    private var comment: String?
    /// Points of the way from the open point of a route to the next one.
    private var shapes: [GPXPoint] = []
    private var line: GPXLine?
    /// Whether the open line is one of segments that stand in no track.
    private var isBareLine = false
    private var segment: [GPXPoint] = []
    private var points = 0
    /// Points, lines and segments that began since the last fault.
    fileprivate var begun = 0
    /// Whether the element that began last must be read again by another parser.
    fileprivate var isRepeating = false
    /// Elements that may be open at once: more where points have no end tags.
    private var deepest = GPXSettings.deepest
    /// Points that are complete.
    fileprivate var whole = 0
    /// Points that were left out.
    private var aside = PointAccount()

    /// What became of the points that were met.
    fileprivate var account: PointAccount {
        var account = aside
        account.seen = points
        return account
    }
    private var foreign = ForeignMarkup()
    private var sensors: [String: PointSensors.Kind?] = [:]
    private var link: WebLink?
    private var copyright: FileCopyright?
    /// Dropped content, in file order, with counts.
    private var dropped = Tally(most: GPXSettings.mostNotices)
    private var doubts = Tally()
    /// Whether the file is of Strava, which wrote activities as numbers.
    private var isStrava = false
    /// Whether a coordinate was written with a comma, which says that it stands for a decimal point.
    private var hasDecimalComma = false

    init(
        handle: @escaping (GPXReader.Event) throws -> Void, check: @escaping (Int) throws -> Void,
        lineNumber: @escaping () -> Int?
    ) {
        self.handle = handle
        self.check = check
        self.lineNumber = lineNumber
    }

    // MARK: Elements

    mutating func start(
        _ name: UnsafePointer<CChar>, in space: UnsafePointer<CChar>?, _ attributes: XMLAttributes
    ) throws {
        // What stands within the point needs room too.
        if stack.count >= deepest / 2, try isBegunAgain(name, in: space) {
            throw GPXErrors.xml(Self.unended)
        }
        guard stack.count < deepest else {
            throw GPXErrors.hostile(
                "elements are nested more than \(deepest) deep",
                fix: "download it again from a source that you trust")
        }
        textLength = 0
        if stack.isEmpty {
            try requireRoot(name, space)
            if let creator = attributes.text("creator"), !creator.isEmpty {
                isStrava = creator.lowercased().contains(TrackActivity.numbering)
                try handle(.creator(creator))
            }
            stack.append(.gpx)
            return
        }
        var element = self.element(name, in: space)
        // The end tag of a point is damaged: in none is another.
        if element == .dropped, stack.contains(where: { $0 == .waypoint || $0 == .point }) {
            element = astray(name) ?? element
        }
        stack.append(element)
        switch element {
        case .waypoint, .point:
            begun += 1
            try endMissing()
            if element == .point { openBareLine() }
            let coordinate = try coordinate(attributes)
            isAstray = coordinate == nil
            point = GPXPoint(coordinate: coordinate ?? Coordinate(latitude: 0, longitude: 0))
            comment = nil
            if isAstray { doubts.add(Self.astray, at: lineNumber) }
        case .route, .track:
            begun += 1
            try endMissing()
            try endLine()
            try endBareLine()
            line = GPXLine()
        case .segment:
            begun += 1
            try endMissing()
            endSegment()
            openBareLine()
        case .link: link = attributes.text("href").map { WebLink($0) }
        case .copyright: copyright = FileCopyright(author: attributes.text("author") ?? "")
        case .email:
            // GPX 1.1 has attributes, GPX 1.0 text.
            if let id = attributes.text("id"), let domain = attributes.text("domain") {
                try handle(.authorEmail(id + "@" + domain))
            }
            collect()
        case .foreign:
            try addShape(name, attributes)
            foreign.start(name, in: space, attributes)
        case .dropped: drop(String(cString: name))
        case _ where element.isValue: collect()
        default: break
        }
    }

    /// Adds a point of the way behind a point of a route, as BaseCamp writes them into its extension.
    private mutating func addShape(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes) throws {
        guard let route = stack.firstIndex(of: .route), stack.indices.contains(route + 1),
            stack[route + 1] == .point, strcmp(name, GPXExtension.shapingPoint) == 0
        else { return }
        let place = try coordinate(attributes)
        guard let place else {
            aside.leaveOut("shaping points without a position")
            return doubts.add("shaping points without a position, left out")
        }
        shapes.append(GPXPoint(coordinate: place))
    }

    /// Whether points without an end tag are as deep within each other as elements may be: another parser begins with this one.
    private mutating func isBegunAgain(
        _ name: UnsafePointer<CChar>, in space: UnsafePointer<CChar>?
    ) throws -> Bool {
        guard point != nil, [.waypoint, .point].contains(element(name, in: space)) else { return false }
        stack.append(.point)
        defer { stack.removeLast() }
        try endMissing()
        isRepeating = true
        return true
    }

    private static let unended = "points without an end tag, one within the other"

    private mutating func collect() {
        text.removeAll(keepingCapacity: true)
        collects = true
    }

    /// Counts dropped content.
    private mutating func drop(_ what: String, in place: Element? = nil) {
        let parent: String? =
            switch place ?? stack.dropLast().last {
            case .point: "trkpt"
            case .waypoint: "wpt"
            case .track, .route: "trk"
            case .segment: "trkseg"
            case .metadata: "metadata"
            default: nil
            }
        let words = parent.map { "\($0)/\(what)" } ?? what
        dropped.add(words)
    }

    /// Stores a link of a point, line or author, or passes on one of the file.
    private mutating func keep(_ link: WebLink?, ofAuthor: Bool = false) throws {
        guard let link, !link.address.isEmpty else { return }
        if ofAuthor { return try handle(.authorLink(link)) }
        if point != nil {
            point?.links.append(link)
        } else if line != nil {
            line?.links.append(link)
        } else {
            try handle(.link(link))
        }
    }

    private func requireRoot(_ name: UnsafePointer<CChar>, _ space: UnsafePointer<CChar>?) throws {
        guard strcasecmp(name, "gpx") == 0 else {
            throw GPXErrors.root(
                "the outermost element is `\(String(cString: name).prefix(40))`, not `gpx`",
                fix: "export the data as GPX 1.1")
        }
        guard GPXNamespace.isOwn(space) else {
            let space = space.map { String(cString: $0) } ?? ""
            throw GPXErrors.root(
                "the outermost element `gpx` has the namespace `\(space.prefix(80))`, not GPX 1.0 or 1.1",
                fix: "export the data as GPX 1.1")
        }
    }

    /// The meaning of a name in its context, cached: the parser interns the names of a file.
    private mutating func element(_ name: UnsafePointer<CChar>, in space: UnsafePointer<CChar>?) -> Element {
        let parent = stack.last
        if parent == .foreign || parent == .extensions { return .foreign }
        let address = Int(bitPattern: name)
        let slot = (address ^ address >> 5) & (Self.meanings - 1)
        if let known = meanings[slot], known.name == name, known.space == space, known.parent == parent {
            return known.element
        }
        let element = meaning(of: name, in: space, below: parent)
        meanings[slot] = Meaning(name: name, space: space, parent: parent, element: element)
        return element
    }

    /// The meaning of a name in its context. Elements of other namespaces, and everything in `extensions`,
    /// are collected.
    private func meaning(
        of name: UnsafePointer<CChar>, in space: UnsafePointer<CChar>?, below parent: Element?
    ) -> Element {
        guard GPXNamespace.isOwn(space) else {
            return parent.map { $0.isValue } == true ? .dropped : .foreign
        }
        func isNamed(_ other: String) -> Bool { strcasecmp(name, other) == 0 }
        if isNamed("extensions") { return .extensions }
        switch parent {
        case .gpx:
            if isNamed("wpt") { return .waypoint }
            if isNamed("trk") { return .track }
            if isNamed("rte") { return .route }
            if isNamed("metadata") { return .metadata }
            if isNamed("trkseg") { return .segment }
            if isNamed("trkpt") { return .point }
            // GPX 1.0 has the metadata directly in the root.
            return ofMetadata(name)
        case .metadata:
            if isNamed("author") { return .author }
            if isNamed("copyright") { return .copyright }
            return ofMetadata(name)
        case .author:
            if isNamed("name") { return .authorName }
            if isNamed("email") { return .email }
            return isNamed("link") ? .link : .dropped
        case .copyright: return isNamed("year") ? .year : isNamed("license") ? .license : .dropped
        case .link: return isNamed("text") ? .linkText : isNamed("type") ? .linkType : .dropped
        case .track: return isNamed("trkseg") ? .segment : astray(name) ?? ofLine(name)
        case .route: return isNamed("rtept") ? .point : astray(name) ?? ofLine(name)
        case .segment: return astray(name) ?? .dropped
        case .waypoint, .point: return astray(name) ?? ofPoint(name)
        // The end tag of the value is missing, and that of what it belongs to.
        case let parent? where parent.isValue: return astray(name) ?? .dropped
        default: return .dropped
        }
    }

    /// A point or line within another: an end tag is missing.
    private func astray(_ name: UnsafePointer<CChar>) -> Element? {
        func isNamed(_ other: String) -> Bool { strcasecmp(name, other) == 0 }
        if isNamed("trkpt") || isNamed("rtept") { return .point }
        if isNamed("wpt") { return .waypoint }
        if isNamed("trkseg") { return .segment }
        if isNamed("trk") { return .track }
        return isNamed("rte") ? .route : nil
    }

    private func ofMetadata(_ name: UnsafePointer<CChar>) -> Element {
        func isNamed(_ other: String) -> Bool { strcasecmp(name, other) == 0 }
        if isNamed("name") { return .name }
        if isNamed("desc") { return .desc }
        if isNamed("time") { return .time }
        if isNamed("keywords") { return .keywords }
        if isNamed("link") { return .link }
        if isNamed("url") { return .url }
        if isNamed("urlname") { return .urlName }
        if isNamed("email") { return .email }
        if isNamed("bounds") { return .other }
        // In GPX 1.0 the author is text.
        return isNamed("author") ? .authorName : .dropped
    }

    private func ofLine(_ name: UnsafePointer<CChar>) -> Element {
        func isNamed(_ other: String) -> Bool { strcasecmp(name, other) == 0 }
        if isNamed("name") { return .name }
        if isNamed("cmt") { return .cmt }
        if isNamed("desc") { return .desc }
        if isNamed("src") { return .src }
        if isNamed("link") { return .link }
        if isNamed("url") { return .url }
        if isNamed("urlname") { return .urlName }
        if isNamed("number") { return .number }
        return isNamed("type") ? .type : .dropped
    }

    private func ofPoint(_ name: UnsafePointer<CChar>) -> Element {
        func isNamed(_ other: String) -> Bool { strcasecmp(name, other) == 0 }
        if isNamed("ele") { return .ele }
        if isNamed("time") { return .time }
        if isNamed("name") { return .name }
        if isNamed("desc") { return .desc }
        if isNamed("cmt") { return .cmt }
        if isNamed("sym") { return .sym }
        if isNamed("link") { return .link }
        if isNamed("url") { return .url }
        if isNamed("urlname") { return .urlName }
        if isNamed("type") { return .type }
        // From GPX 1.0.
        if isNamed("speed") { return .sensor(.speed) }
        if isNamed("course") { return .sensor(.course) }
        let name = String(cString: name)
        if let detail = GPXDetail.Kind(rawValue: name) {
            return detail.isExtension ? .dropped : .detail(detail)
        }
        // Some recorders write measurements without the element for extensions.
        return GPXExtension.sensor(name).map { .sensor($0) } ?? .dropped
    }

    mutating func text(_ bytes: UnsafeBufferPointer<UInt8>) throws {
        // Applies to ignored texts as well: recorders do not write such files.
        textLength += bytes.count
        guard textLength <= GPXSettings.longestText else {
            throw GPXErrors.hostile(
                "a text is longer than \(GPXSettings.longestText) bytes",
                fix: "download it again from a source that you trust")
        }
        if collects { text.append(contentsOf: bytes) } else if foreign.isOpen { foreign.text(bytes) }
    }

    mutating func end() throws {
        guard let element = stack.popLast() else { return }
        textLength = 0
        switch element {
        case .waypoint:
            if let point = finishedPoint() { try handle(.waypoint(point)) }
        case .point:
            if let point = finishedPoint() { append(point) }
            takeShapes()
        case .segment:
            line?.segments.append(segment)
            segment = []
        case .track:
            endSegment()
            if let line { try handle(.track(line)) }
            line = nil
        case .route:
            line?.segments.append(segment)
            segment = []
            if let line { try handle(.route(line)) }
            line = nil
        case .link:
            let isAuthors = stack.last == .author
            try keep(link, ofAuthor: isAuthors)
            link = nil
        case .copyright:
            if let copyright { try handle(.copyright(copyright)) }
        case .foreign: try endForeign()
        case .gpx:
            try endBareLine()
            for words in doubts.words { try handle(.doubt(words)) }
            for (what, count) in dropped.kinds { try handle(.dropped(what, count: count)) }
            // Some programs write the next file behind this one.
            (doubts, dropped) = (Tally(), Tally(most: GPXSettings.mostNotices))
        case _ where element.isValue:
            collects = false
            try finish(element)
        default: break
        }
    }

    /// Ends a point whose end tag is missing where the next point or line begins.
    private mutating func endMissing() throws {
        guard point != nil, let open = stack.dropLast().lastIndex(where: { $0 == .point || $0 == .waypoint })
        else { return }
        doubts.add("points without an end tag, ended where the next begins", at: lineNumber)
        // A value without an end tag is not that of what follows.
        collects = false
        text.removeAll(keepingCapacity: true)
        deepest = GPXSettings.deepestUnended
        guard let finished = finishedPoint() else { return }
        if stack[open] == .waypoint { try handle(.waypoint(finished)) } else { append(finished) }
    }

    /// Adds a point to the open segment.
    private mutating func append(_ point: GPXPoint) {
        guard line != nil else {
            doubts.add("points outside of any line, left out", at: lineNumber)
            return aside.leaveOut("outside of any line")
        }
        segment.append(point)
    }

    /// Ends a line whose end tag is missing where the next line begins.
    private mutating func endLine() throws {
        guard line != nil, let open = stack.dropLast().last(where: { $0 == .track || $0 == .route }) else {
            return
        }
        endSegment()
        guard let whole = line else { return }
        line = nil
        doubts.add("lines without an end tag, ended where the next begins", at: lineNumber)
        try handle(open == .track ? .track(whole) : .route(whole))
    }

    /// Opens a line for segments and points that stand in no track.
    private mutating func openBareLine() {
        guard line == nil, !stack.contains(.track), !stack.contains(.route) else { return }
        line = GPXLine()
        isBareLine = true
        doubts.add("segments or points outside of any track, read as a track", at: lineNumber)
    }

    /// Ends such a line where the next track or the file ends.
    private mutating func endBareLine() throws {
        guard isBareLine, line != nil else { return }
        isBareLine = false
        endSegment()
        guard let whole = line else { return }
        line = nil
        if !whole.segments.isEmpty || !whole.unplaced.isEmpty { try handle(.track(whole)) }
    }

    /// Ends a segment whose tags are missing.
    private mutating func endSegment() {
        if !segment.isEmpty { line?.segments.append(segment) }
        segment = []
    }

    /// Adds the points of the way behind a point of a route, without those that repeat where it is.
    private mutating func takeShapes() {
        guard !shapes.isEmpty else { return }
        let before = segment.count
        for shape in shapes where segment.last?.coordinate.withoutAltitude != shape.coordinate {
            segment.append(shape)
        }
        aside.leaveOut("shaping points where the one before is", count: shapes.count - segment.count + before)
        doubts.add("shaping points of a route, read as points of its way", count: segment.count - before)
        shapes = []
    }

    /// Ends an element of another namespace; the outermost one is added to its parent.
    private mutating func endForeign() throws {
        let isShape = !shapes.isEmpty && foreign.name == GPXExtension.shapingPoint
        foreign.end(isUnderstood: isShape || point != nil && isLeafUnderstood())
        guard !foreign.isOpen, let markup = foreign.take() else { return }
        if point != nil {
            let before = point?.extensions ?? ""
            point?.extensions = before + markup
        } else if stack.contains(.segment) {
            drop("extensions")
        } else if line != nil {
            let before = line?.extensions ?? ""
            line?.extensions = before + markup
        } else {
            try handle(.extensions(markup))
        }
    }

    /// Stores the value of the open foreign element; `false` if it is not a known one.
    private mutating func isLeafUnderstood() -> Bool {
        guard let leaf = foreign.leaf else { return false }
        return GPXText.trimmed(leaf.text[...]).withUnsafeBufferPointer { understand(leaf.name, $0) }
    }

    /// The measurement of an element's name, remembered for its repetitions.
    private mutating func added(_ name: String) -> PointSensors.Kind? {
        let kind = GPXExtension.sensor(name)
        sensors[name] = .some(kind)
        return kind
    }

    /// Stores a value of the Garmin extensions, of any version; `false` if it is not one.
    private mutating func understand(_ name: String, _ value: UnsafeBufferPointer<UInt8>) -> Bool {
        func text() -> String { String(decoding: value, as: UTF8.self) }
        let sensor = sensors[name] ?? added(name)
        guard
            let number = DecimalBytes.plain(value)
                ?? (GPXDetail.Kind.isDecimal(text()) ? Double(text()) : nil)
        else {
            // The text is kept as it stands, for other programs.
            if let sensor, !value.isEmpty {
                doubts.add("values of \(sensor.words) that are no number, unknown", at: lineNumber)
            }
            return false
        }
        if let kind = sensor {
            guard GPXExtension.isPlausible(number, kind), point?.sensors[kind] == nil else { return false }
            point?.sensors[kind] = number
            return true
        }
        guard let kind = GPXDetail.Kind(rawValue: name), kind.isExtension,
            let detail = GPXDetail(kind, text()),
            point?.details.contains(where: { $0.kind == kind }) == false
        else { return false }
        point?.details.append(detail)
        return true
    }

    // MARK: Values

    private mutating func finishedPoint() -> GPXPoint? {
        guard var finished = point else { return nil }
        point = nil
        whole += 1
        if isAstray {
            isAstray = false
            if let time = finished.time, line != nil {
                line?.unplaced.append(
                    UnplacedSample(
                        time: time, altitude: finished.coordinate.altitude, sensors: finished.sensors))
            } else {
                aside.leaveOut(
                    finished.time == nil
                        ? "without a position and a time" : "waypoints without a position")
            }
            return nil
        }
        if finished.details.count > 1 { finished.details = Self.inOrder(finished.details) }
        if let comment {
            if finished.description == nil {
                finished.description = comment
            } else {
                finished.comment = comment
            }
        }
        return finished
    }

    /// The details in schema order, the first of each kind.
    private static func inOrder(_ details: [GPXDetail]) -> [GPXDetail] {
        GPXDetail.Kind.allCases.compactMap { kind in details.first { $0.kind == kind } }
    }

    private mutating func finish(_ element: Element) throws {
        let bytes = GPXText.trimmed(text[...])
        if bytes.isEmpty { return }
        switch element {
        case .ele:
            let value = number(bytes, "ele", RepairedNumber.lengths)
            point?.coordinate.altitude = value
        case .sensor(let kind):
            let value = number(bytes, kind.rawValue, RepairedNumber.units(of: kind))
            point?.sensors[kind] = value
        case .time: try finishTime(bytes)
        default: try finishText(element, bytes)
        }
    }

    private mutating func finishText(_ element: Element, _ bytes: ArraySlice<UInt8>) throws {
        // User texts keep their inner whitespace; everything else is a value.
        let isWords = [.name, .desc, .cmt].contains(element)
        let value = String(decoding: isWords ? GPXText.withoutLayout(text[...]) : bytes, as: UTF8.self)
        switch element {
        case .detail(let kind):
            if let detail = GPXDetail(kind, value) {
                if point?.details.contains(where: { $0.kind == kind }) == true {
                    drop(kind.rawValue, in: stack.last)
                }
                point?.details.append(detail)
            } else {
                drop("\(kind.rawValue) `\(value.prefix(20))`", in: stack.last)
            }
        case .name: try finishName(value)
        case .desc: try finishDescription(value)
        case .cmt: if point != nil { comment = value } else { line?.comment = value }
        case .src: line?.source = value
        case .number:
            line?.number = Int(value)
            if line?.number == nil { drop("number `\(value.prefix(20))`") }
        case .url: try keep(WebLink(value))
        case .urlName: try finishURLName(value)
        case .linkText: link?.text = value
        case .linkType: link?.type = value
        case .year: copyright?.year = value
        case .license: copyright?.license = value
        case .email: try handle(.authorEmail(value))
        case .keywords: try handle(.keywords(value))
        case .authorName: try handle(.author(value))
        case .sym: point?.symbol = value
        case .type:
            if point != nil {
                point?.type = value
            } else {
                let word = activity(value)
                line?.type = word
            }
        default: break
        }
    }

    /// The activity of a line; the numbers of Strava are words.
    private mutating func activity(_ value: String) -> String {
        guard isStrava, let number = Int(value) else { return value }
        guard let word = TrackActivity.numbers[number] else {
            doubts.add("activity \(number), a number of Strava whose meaning is not known")
            return value
        }
        return word
    }

    /// In GPX 1.0 the text of a link follows its address.
    private mutating func finishURLName(_ value: String) throws {
        if let last = point?.links.indices.last {
            point?.links[last].text = value
        } else if point == nil, let last = line?.links.indices.last {
            line?.links[last].text = value
        } else if point == nil, line == nil {
            try handle(.linkText(value))
        } else {
            drop("urlname")
        }
    }

    private mutating func finishTime(_ bytes: ArraySlice<UInt8>) throws {
        if let time = bytes.withUnsafeBufferPointer(ISO8601.timestamp(utf8:)) {
            if point != nil, !ISO8601.hasZone(bytes) { doubts.add("times without a zone, taken as UTC") }
            if point != nil { point?.time = time } else { try handle(.time(time)) }
            return
        }
        let value = String(decoding: bytes, as: UTF8.self)
        if let (time, hasZone, doubt) = RecordedTime.repaired(value) {
            doubts.add(doubt)
            if point != nil, !hasZone { doubts.add("times without a zone, taken as UTC") }
            if point != nil { point?.time = time } else { try handle(.time(time)) }
            return
        }
        guard let time = ISO8601.timestamp(value + "T00:00:00Z") else {
            return doubts.add(RecordedTime.refusal(value), at: lineNumber)
        }
        if point != nil { point?.time = time } else { try handle(.time(time)) }
    }

    private mutating func finishDescription(_ value: String) throws {
        if point != nil {
            point?.description = value
        } else if line != nil {
            line?.description = value
        } else {
            try handle(.description(value))
        }
    }

    private mutating func finishName(_ value: String) throws {
        if point != nil {
            point?.name = value
        } else if line != nil {
            line?.name = value
        } else {
            try handle(.name(value))
        }
    }

    /// The number of a value; one that is none is dropped, with a count.
    private mutating func number(
        _ bytes: ArraySlice<UInt8>, _ name: String, _ units: [String: Double]
    ) -> Double? {
        if let number = bytes.withUnsafeBufferPointer(DecimalBytes.number), number.isFinite { return number }
        if let number = DecimalBytes.withComma(bytes), hasDecimalComma || !RepairedNumber.isGrouped(bytes) {
            doubts.add("values of `\(name)` with a comma, read as a decimal point")
            return number
        }
        if let number = DecimalBytes.western(String(decoding: bytes, as: UTF8.self))
            .flatMap(DecimalBytes.decimal)
        {
            doubts.add(DecimalBytes.foreignDigits)
            return number
        }
        if let number = RepairedNumber.withUnit(
            String(decoding: bytes, as: UTF8.self), units, hasDecimalComma: hasDecimalComma)
        {
            doubts.add("values of `\(name)` with a unit, converted")
            return number
        }
        doubts.add("values of `\(name)` that are no number, left out", at: lineNumber)
        return nil
    }

    /// The position of a point; `nil` if it is none.
    private mutating func coordinate(_ attributes: XMLAttributes) throws -> Coordinate? {
        points += 1
        guard points <= GPXSettings.mostPoints else {
            throw GPXErrors.hostile(
                "the file has more than \(GPXSettings.mostPoints) points",
                fix: "split the recording, and import its parts separately")
        }
        if points % GPXSettings.checkInterval == 0 { try check(points) }
        let north = attributes.value("lat") ?? attributes.value(of: Self.latitudes)
        let east = attributes.value("lon") ?? attributes.value(of: Self.longitudes)
        if let latitude = degrees(north, limit: 90), let longitude = degrees(east, limit: 180) {
            return Coordinate(latitude: latitude, longitude: longitude)
        }
        guard let north, let east,
            let place = RepairedNumber.place(
                String(decoding: north, as: UTF8.self), String(decoding: east, as: UTF8.self))
        else { return nil }
        doubts.add(RepairedNumber.otherAngles, at: lineNumber)
        return place
    }

    /// Names of the attributes in other programs, in small letters.
    private static let latitudes: Set = ["lat", "latitude", "y"]
    private static let longitudes: Set = ["lon", "lng", "long", "longitude", "x"]

    /// An angle within a limit. One beyond it is not wrapped: what it meant is unknown.
    private mutating func degrees(_ bytes: UnsafeBufferPointer<UInt8>?, limit: Double) -> Double? {
        guard let bytes else { return nil }
        let text = UnsafeBufferPointer(rebasing: GPXText.trimmed(bytes[...]))
        var number = DecimalBytes.number(text)
        if number == nil, let repaired = DecimalBytes.withComma(text) {
            number = repaired
            hasDecimalComma = true
            doubts.add("coordinates with a comma, read as a decimal point")
        }
        if number == nil, let western = DecimalBytes.western(String(decoding: text, as: UTF8.self)) {
            number = DecimalBytes.decimal(western)
            doubts.add(DecimalBytes.foreignDigits)
        }
        guard let value = number, value.isFinite, abs(value) <= limit else { return nil }
        return value
    }

    /// Leaves out a point that is not whole.
    private mutating func leaveOutOpen(_ why: String) {
        foreign = ForeignMarkup()
        aside.leaveOut(why, count: shapes.count + (point == nil ? 0 : 1))
        shapes = []
        // The start of an element that is cut has no attributes yet: its position is not wrong.
        if isAstray, point != nil { doubts.remove(Self.astray) }
        isAstray = false
        point = nil
        link = nil
        copyright = nil
        collects = false
        textLength = 0
    }

    /// Makes room for an element behind a fault: a point stays in the segment that is open, or begins one. Returns the names of the
    /// elements around it.
    mutating func resume(before element: String) throws -> [String]? {
        leaveOutOpen("in a part that cannot be read")
        begun = 0
        isRepeating = false
        deepest = GPXSettings.deepest
        // Another parser has its names at other addresses.
        meanings = [Meaning?](repeating: nil, count: Self.meanings)
        // Behind the end of the outermost element stands another file.
        if stack.isEmpty { stack = [.gpx] }
        let around: [Element] =
            switch element {
            case "trkpt": [.track, .segment]
            case "rtept": [.route]
            case "trkseg": [.track]
            // A waypoint that was written into the middle of a track does not end it.
            case "wpt": stack.filter { [.track, .segment, .route].contains($0) }
            default: []
            }
        let kept = zip(stack.dropFirst(), around).prefix { $0 == $1 }.count + 1
        while stack.count > kept {
            if [.segment, .track, .route].contains(stack.last) { try end() } else { stack.removeLast() }
        }
        for open in around.dropFirst(kept - 1) {
            if open != .segment {
                try endBareLine()
                line = GPXLine()
            }
            segment = []
            stack.append(open)
        }
        return stack.dropFirst().map { $0 == .track ? "trk" : $0 == .segment ? "trkseg" : "rte" }
    }

    /// Completes what is open where a file ends early.
    mutating func salvage() throws {
        leaveOutOpen("cut off by the end of the file")
        while let element = stack.last {
            if element == .point || element == .waypoint || element.isValue || element == .foreign
                || element == .link
            {
                stack.removeLast()
            } else {
                try end()
            }
        }
    }
}
