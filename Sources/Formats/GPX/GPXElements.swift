import CivilTime
import Core
import Foundation
import Geodesy

/// The open elements, and the objects under construction.
struct GPXElements {
    enum Element: Equatable {
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

    static let astray = GPXLine.astray

    struct Meaning {
        let name: UnsafePointer<CChar>
        let space: UnsafePointer<CChar>?
        let parent: Element?
        let element: Element
    }

    /// A power of two.
    static let meanings = 64
    var meanings = [Meaning?](repeating: nil, count: GPXElements.meanings)
    let handle: (GPXReader.Event) throws -> Void
    let check: (Int) throws -> Void
    /// The line of the file that is read.
    let lineNumber: () -> Int?

    var stack: [Element] = []
    var text: [UInt8] = []
    var collects = false
    var textLength = 0
    var point: GPXPoint?
    /// Whether the position of the point is none; the point is read on for its other values.
    var isAstray = false
    var comment: String?
    /// Points of the way from the open point of a route to the next one.
    var shapes: [GPXPoint] = []
    var line: GPXLine?
    /// Whether the open line is one of segments that stand in no track.
    private var isBareLine = false
    var segment: [GPXPoint] = []
    var points = 0
    /// Points, lines and segments that began since the last fault.
    var begun = 0
    /// Whether the element that began last must be read again by another parser.
    var isRepeating = false
    /// Elements that may be open at once: more where points have no end tags.
    var deepest = GPXSettings.deepest
    /// Points that are complete.
    var whole = 0
    /// Points that were left out.
    var aside = PointAccount()

    /// What became of the points that were met.
    var account: PointAccount {
        var account = aside
        account.seen = points
        return account
    }
    var foreign = ForeignMarkup()
    var sensors: [String: PointSensors.Kind?] = [:]
    var link: WebLink?
    var copyright: FileCopyright?
    /// Dropped content, in file order, with counts.
    var dropped = Tally(most: GPXSettings.mostNotices)
    var doubts = Tally()
    /// Points whose times have a zone.
    var zoned = 0
    /// Whether latitudes and longitudes seem to be exchanged.
    var angles = SwappedAngles()
    /// Whether the file is of Strava, which wrote activities as numbers.
    var isStrava = false
    /// Whether a coordinate was written with a comma, which says that it stands for a decimal point.
    var hasDecimalComma = false

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
            let coordinate = try coordinate(attributes, isOfLine: element == .point)
            isAstray = coordinate == nil
            point = GPXPoint(coordinate: coordinate ?? Coordinate(latitude: 0, longitude: 0))
            comment = nil
            if isAstray { doubts.add(Self.astray, at: lineNumber) }
            if attributes.count > 2 { dropOthers(of: attributes) }
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

    /// Says which attributes of a point are not read: GPX has latitude and longitude only.
    private mutating func dropOthers(of attributes: XMLAttributes) {
        for attribute in attributes.all where attribute.space == nil {
            let name = attribute.name.lowercased()
            if !Self.latitudes.contains(name), !Self.longitudes.contains(name) {
                drop("attribute \(attribute.name.prefix(40))", in: stack.last)
            }
        }
    }

    /// Adds a point of the way behind a point of a route, as BaseCamp writes them into its extension.
    private mutating func addShape(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes) throws {
        guard let route = stack.firstIndex(of: .route), stack.indices.contains(route + 1),
            stack[route + 1] == .point, strcmp(name, GPXExtension.shapingPoint) == 0
        else { return }
        let place = try coordinate(attributes, isOfLine: true)
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
    mutating func drop(_ what: String, in place: Element? = nil) {
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
    mutating func keep(_ link: WebLink?, ofAuthor: Bool = false) throws {
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
            angles.report(to: &doubts)
            if zoned > 0, doubts.kinds.contains(where: { $0.what == RecordedTime.withoutZone }) {
                doubts.add("times with a zone beside them: those without one may be hours off", count: zoned)
            }
            for words in doubts.words { try handle(.doubt(words)) }
            for (what, count) in dropped.kinds { try handle(.dropped(what, count: count)) }
            // Some programs write the next file behind this one.
            (doubts, dropped) = (Tally(), Tally(most: GPXSettings.mostNotices))
            angles = SwappedAngles()
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
    mutating func append(_ point: GPXPoint) {
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
    mutating func endBareLine() throws {
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
}
