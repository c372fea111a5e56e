import Archives
import CivilTime
import Core
import Foundation
import Geodesy

/// Reads KML 2.x as a map document: points become places; lines and the outlines of areas become tracks, or
/// routes if the data field `kind` is `route`; `gx:Track` becomes a track with times.
enum KMLReader {
    /// Reads a file; throws an error of `KMLErrors` with line and column, or the error of `check`.
    static func document(_ source: SourceBytes, check: () throws -> Void) throws -> MapDocument {
        try withoutActuallyEscaping(check) { check in
            let builder = KMLBuilder(check: check)
            let repair = XMLRepair()
            do {
                try XMLPushParser.read(
                    source, into: builder, failures: KMLErrors.failures, repair: repair, check: check)
            } catch let error as RutterError where error.code == KMLErrors.xml.code {
                guard try builder.salvage() > 0 else { throw error }
                var document = builder.finished
                document.doubts = [error.endOfFile] + repair.doubts + document.doubts
                return document
            }
            var document = builder.finished
            document.doubts = repair.doubts + document.doubts
            return document
        }
    }
}

/// Builds the objects of a KML file from its elements, ignoring namespaces below the root.
final class KMLBuilder: XMLResuming {
    /// Within a recorded track its next time or position, elsewhere the next object.
    var restarts: [String] { isInTrack ? ["Placemark", "when", "gx:coord"] : ["Placemark"] }
    /// Those of them that began since the last fault.
    var begun: Int { isInTrack ? begunInTracks + begunMarks : begunMarks }
    private var begunMarks = 0
    private var begunInTracks = 0
    var isInTrack: Bool { stack.contains("Track") }
    var document = MapDocument()

    let check: () throws -> Void
    var stack: [String] = []
    var text: [UInt8] = []
    private var textLength = 0
    private var collects = false
    var mark: Placemark?
    var dataName = ""
    var tuples: TupleReader?
    var track = TimedTrack()
    var count = 0
    var account = PointAccount()
    var arrayName = ""
    /// What the altitudes of the open geometry are measured from; `nil` if it does not say so.
    var altitudeMode: String?
    /// The same of the open area or `gx:MultiTrack`, for those of its parts that do not say so.
    var sharedMode: String?
    /// Placemarks without any geometry that is read.
    var bare = Examples()
    var holes = 0
    /// Objects that are no places or lines, by kind, with their names.
    var others: [(kind: String, found: Examples)] = []
    var openOther: (element: String, place: Int)?
    /// What was left out, in file order, with counts.
    var dropped = Tally(most: GPXSettings.mostNotices)

    /// The document with an account of what was left out.
    var finished: MapDocument {
        finishOpenTrack()
        var document = document
        document.account = account
        document.joinStamped()
        document.doubts += dropped.kinds.map { "\($0.what) (\($0.count, of: "time"))" }
        if let words = bare.words {
            document.notices.append(
                "\(bare.count, of: "placemark") without a place or line, left out\(words)")
        }
        if holes > 0 {
            document.notices.append(
                "\(holes, of: "hole") of areas, left out: an area becomes the line around it")
        }
        document.notices += others.map { kind, found in
            "`\(kind)`, which is no place or line, left out: \(found.count, of: "time")\(found.words ?? "")"
        }
        return document
    }

    /// Completes what is open where a file ends early. Returns the number of points read.
    func salvage() throws -> Int {
        try close { _ in false }
        return count
    }

    func resume(before element: String) throws -> [String]? {
        let goesOn = isInTrack && element != "Placemark"
        (begunMarks, begunInTracks) = (0, 0)
        if goesOn {
            loseItem(stack.last)
            keepTurn(before: element)
            collects = false
            textLength = 0
            while stack.last != "Track" { stack.removeLast() }
            return stack.dropFirst().map { ["Track", "MultiTrack"].contains($0) ? "gx:\($0)" : $0 }
        }
        try close { ["Document", "Folder", "kml"].contains($0) }
        tuples = nil
        openOther = nil
        if stack.isEmpty { stack = ["kml"] }
        return Array(stack.dropFirst())
    }

    /// Keeps the place of a time or position whose start tag was lost, where they alternate.
    private func keepTurn(before element: String) {
        let (times, positions) = (track.times.count, track.coordinates.count)
        guard positions > 0 else { return }
        if element == "when", times == positions + 1 {
            loseItem("coord")
        } else if element == "gx:coord", times == positions {
            loseItem("when")
        }
    }

    /// Ends the innermost elements until one that stays open.
    private func close(until isKept: (String) -> Bool) throws {
        collects = false
        textLength = 0
        while let element = stack.last, !isKept(element) {
            if Self.geometries.contains(element) || ["coordinates", "Track", "Placemark"].contains(element) {
                try end()
            } else {
                stack.removeLast()
            }
        }
    }

    /// The values of a placemark.
    struct Placemark {
        var name: String?
        var description: String?
        var when: Timestamp?
        /// The ends of its span of time, in words.
        var span: [String] = []
        var data: [(name: String, value: String)] = []
        var points: [Coordinate] = []
        var segments: [[GPXPoint]] = []
        var unplaced: [UnplacedSample] = []
        var isLine = false
        /// Whether it has a geometry, even one without a usable position.
        var hasGeometry = false

        func value(_ name: String) -> String? { data.first { $0.name == name }?.value }
    }

    /// The times, coordinates and sensor values of a `gx:Track`: the n-th of each belong together (OGC 12-007r2, 9.11).
    struct TimedTrack {
        var times: [Timestamp?] = []
        /// `nil` where the position at the time is not known.
        var coordinates: [Coordinate?] = []
        /// For each coordinate, the place of the last time before it; −1 if it has none of its own.
        var timesBefore: [Int] = []
        var sensors: [PointSensors.Kind: [Double?]] = [:]
    }

    /// Names of `gx:SimpleArrayData` that recorders use, in lower case without other signs.
    static let sensors: [String: PointSensors.Kind] = [
        "heartrate": .heartRate, "hr": .heartRate, "cadence": .cadence, "cad": .cadence, "power": .power,
        "watts": .power, "temperature": .temperature, "temp": .temperature, "atemp": .temperature,
        "speed": .speed, "bearing": .course, "accuracy": .accuracy, "accuracyhorizontal": .accuracy,
    ]

    private static let spaces = [
        "http://www.opengis.net/kml/2.2", "http://www.opengis.net/kml/2.3", "http://earth.google.com/kml/2.0",
        "http://earth.google.com/kml/2.1", "http://earth.google.com/kml/2.2",
    ]
    /// Elements with one list of coordinates.
    private static let geometries: Set<String> = ["Point", "LineString", "LinearRing"]
    /// Geometries whose altitude mode is that of their parts.
    static let sharing: Set<String> = ["MultiTrack", "Polygon"]
    /// Whether the open geometry is a part of such a one.
    private var isShared: Bool { stack.contains(where: Self.sharing.contains) }
    /// Objects that are no places or lines.
    private static let unread: Set<String> = [
        "NetworkLink", "GroundOverlay", "ScreenOverlay", "PhotoOverlay", "Tour", "Model",
    ]
    /// Elements whose text is used.
    private static let texts: Set<String> = [
        "name", "description", "when", "value", "coord", "altitudeMode", "begin", "end",
    ]

    init(check: @escaping () throws -> Void) { self.check = check }

    func start(
        _ name: UnsafePointer<CChar>, in space: UnsafePointer<CChar>?, _ attributes: XMLAttributes
    ) throws {
        guard stack.count < GPXSettings.deepest else {
            throw KMLErrors.hostile("elements are nested more than \(GPXSettings.deepest) deep")
        }
        let element = String(cString: name)
        if stack.isEmpty { try requireRoot(element, space.map { String(cString: $0) }) }
        if Self.trackItems.contains(element) { endMissing() }
        stack.append(element)
        textLength = 0
        if Self.trackItems.contains(element) { begunInTracks += 1 }
        switch element {
        case "Placemark":
            begunMarks += 1
            // End tags of the one before are missing: what it has is not that of this one.
            try finishCoordinates()
            finishOpenTrack()
            if let mark { try finish(mark) }
            mark = Placemark()
        case "SimpleArrayData": arrayName = attributes.text("name") ?? ""
        case "Data", "SimpleData":
            dataName = attributes.text("name") ?? ""
            if element == "SimpleData" { collect() }
        case "coordinates" where mark != nil:
            try finishCoordinates()
            tuples = TupleReader()
        case _ where Self.sharing.contains(element): sharedMode = nil
        case "Track":
            finishOpenTrack()
            altitudeMode = isShared ? sharedMode : nil
        case _ where Self.geometries.contains(element):
            altitudeMode = isShared ? sharedMode : nil
            mark?.hasGeometry = true
        case _ where Self.unread.contains(element): noteOther(element)
        case _ where Self.texts.contains(element): collect()
        default: break
        }
    }

    /// Ends a time or position of a track without its end tag where the next one begins; what it has of text is not certain.
    private func endMissing() {
        guard isInTrack, let last = stack.last, Self.trackItems.contains(last) else { return }
        loseItem(last)
        stack[stack.count - 1] = Self.ended
    }

    /// Keeps the place of a time or position that is lost among the others.
    private func loseItem(_ element: String?) {
        if element == "when" { track.times.append(nil) }
        if element == "coord" {
            account.seen += 1
            track.coordinates.append(nil)
            track.timesBefore.append(track.times.count - 1)
        }
    }

    /// Elements of a track, the n-th of which belong together.
    private static let trackItems: Set<String> = ["when", "coord"]
    /// Stands for an open element that was ended.
    static let ended = ""

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
            try tuples?.read(bytes) { try addTuple($0) }
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
        if Self.unread.contains(element) { openOther = nil }
        if Self.geometries.contains(element) { return try finishGeometry(element) }
        switch element {
        case "Track": finishTrack()
        case "Placemark":
            finishOpenTrack()
            if let mark { try finish(mark) }
            mark = nil
        default: break
        }
    }
}
