import CivilTime
import Formats
import Foundation
import FoundationXML
import Geodesy
import PluginKit
import PluginTestKit
import Testing

/// The output of the GPX writer is well-formed, in the order of the schema, and the same when read
/// again.
struct GPXWriterTests {
    private static let full: GPXDocument = {
        var document = GPXDocument()
        document.name = "Trip <1> & \"2\""
        document.time = Fixture.moment
        let point = GPXPoint(
            coordinate: Coordinate(latitude: 46.123_456_789, longitude: -179.999_999_94, altitude: -12.345),
            time: Fixture.moment, name: "Zürich 東京 ]]>", description: "two\nlines\u{7}", symbol: "Lodge",
            type: "shelter", heartRate: 121)
        let bare = GPXPoint(coordinate: Coordinate(latitude: -0.000_000_001, longitude: 180))
        document.waypoints = [point, bare]
        document.routes = [GPXLine(name: "R", description: "D", type: "T", segments: [[point, bare]])]
        document.tracks = [GPXLine(name: "T", segments: [[bare, point], []]), GPXLine()]
        return document
    }()

    /// The children of each element in the order of gpx.xsd 1.1 (complexTypes gpxType, metadataType, wptType, rteType,
    /// trkType, trksegType).
    private static let order: [String: [String]] = [
        "gpx": ["metadata", "wpt", "rte", "trk", "extensions"],
        "metadata": [
            "name", "desc", "author", "copyright", "link", "time", "keywords", "bounds", "extensions",
        ],
        "wpt": pointOrder, "rtept": pointOrder, "trkpt": pointOrder,
        "rte": ["name", "cmt", "desc", "src", "link", "number", "type", "extensions", "rtept"],
        "trk": ["name", "cmt", "desc", "src", "link", "number", "type", "extensions", "trkseg"],
        "trkseg": ["trkpt", "extensions"],
    ]
    private static let pointOrder = [
        "ele", "time", "magvar", "geoidheight", "name", "cmt", "desc", "src", "link", "sym", "type", "fix",
        "sat",
        "hdop", "vdop", "pdop", "ageofdgpsdata", "dgpsid", "extensions",
    ]

    /// Checks the order of children with Foundation's parser, which is independent of ours.
    private final class OrderCheck: NSObject, XMLParserDelegate {
        var problems: [String] = []
        var elements = 0
        private var stack: [(name: String, last: Int)] = []

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String] = [:]
        ) {
            elements += 1
            if let parent = stack.last, let order = GPXWriterTests.order[parent.name] {
                if let index = order.firstIndex(of: name) {
                    if index < parent.last { problems.append("\(name) comes too late in \(parent.name)") }
                    stack[stack.count - 1].last = index
                } else {
                    problems.append("\(parent.name) has no \(name)")
                }
            }
            stack.append((name, 0))
        }

        func parser(
            _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
        ) {
            stack.removeLast()
        }
    }

    @Test func elementsAreInTheOrderOfTheSchema() {
        let parser = XMLParser(data: Data(GPXWriter.text(Self.full).utf8))
        let check = OrderCheck()
        parser.delegate = check
        #expect(parser.parse())
        #expect(check.problems.isEmpty, "\(check.problems)")
        #expect(check.elements > 40)
    }

    private static let xmllint = "/usr/bin/xmllint"

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: xmllint), "xmllint is not installed"))
    func xmllintFindsItWellFormed() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("full.gpx")
        try Data(GPXWriter.text(Self.full).utf8).write(to: file)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.xmllint)
        process.arguments = ["--noout", file.path]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test func whatIsWrittenIsReadAgain() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("full.gpx")
        try Data(GPXWriter.text(Self.full).utf8).write(to: file)
        let read = try GPXReader.document(file)
        #expect(read.name == Self.full.name)
        #expect(read.time == Self.full.time)
        let point = try #require(read.waypoints.first)
        #expect(abs(point.coordinate.latitude - 46.123_456_789) <= 1e-7)
        #expect(abs(point.coordinate.longitude + 179.999_999_94) <= 1e-7)
        #expect(abs((point.coordinate.altitude ?? 0) + 12.345) <= 0.005_1)
        #expect(point.time == Fixture.moment)
        #expect(point.name == "Zürich 東京 ]]>")
        // A bell cannot be written in XML 1.0 at all.
        #expect(point.description == "two\nlines")
        // The schema has no longitude of 180: the same meridian is written as −180.
        #expect(read.waypoints.last?.coordinate == Coordinate(latitude: 0, longitude: -180))
        #expect(read.routes.first?.segments.first?.count == 2)
        #expect(read.tracks.map { $0.segments.map(\.count) } == [[2, 0], []])
        #expect(read.tracks[0].segments[0][1].heartRate == 121)
        #expect(GPXWriter.text(read) == GPXWriter.text(try GPXReader.document(file)))
    }

    @Test func theTextOfASmallDocument() {
        var document = GPXDocument()
        document.waypoints = [
            GPXPoint(coordinate: Coordinate(latitude: 46.5, longitude: 8, altitude: 1250), name: "Hut"),
            GPXPoint(coordinate: Coordinate(latitude: 1, longitude: 2)),
        ]
        #expect(
            GPXWriter.text(document) == """
                <?xml version="1.0" encoding="UTF-8"?>
                <gpx version="1.1" creator="Rutter" xmlns="http://www.topografix.com/GPX/1/1">
                  <wpt lat="46.5" lon="8">
                    <ele>1250</ele>
                    <name>Hut</name>
                  </wpt>
                  <wpt lat="1" lon="2"/>
                </gpx>

                """)
    }

    @Test(arguments: [Double.nan, .infinity, 1e300])
    func whatIsNoNumberIsLeftOut(altitude: Double) throws {
        var document = GPXDocument()
        document.waypoints = [GPXPoint(coordinate: Coordinate(latitude: 1, longitude: 2, altitude: altitude))]
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("x.gpx")
        try Data(GPXWriter.text(document).utf8).write(to: file)
        let read = try GPXReader.document(file)
        #expect(read.waypoints.first?.coordinate.altitude == (altitude.isFinite ? altitude : nil))
    }

    @Test func randomPlacesComeBackToACentimetre() throws {
        var random = Xoshiro256(seed: 5)
        var document = GPXDocument()
        document.waypoints = (0..<500).map { _ in
            GPXPoint(
                coordinate: Coordinate(
                    latitude: Double.random(in: -90...90, using: &random),
                    longitude: Double.random(in: -180...180, using: &random)),
                time: Timestamp(milliseconds: Int64.random(in: 0...4_000_000_000_000, using: &random)))
        }
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("x.gpx")
        try Data(GPXWriter.text(document).utf8).write(to: file)
        let read = try GPXReader.document(file).waypoints
        #expect(read.map(\.time) == document.waypoints.map(\.time))
        for (before, after) in zip(document.waypoints, read) {
            #expect(abs(before.coordinate.latitude - after.coordinate.latitude) <= 1e-7)
            #expect(abs(before.coordinate.longitude - after.coordinate.longitude) <= 1e-7)
        }
    }

    @Test func everythingThatIsKeptComesBack() throws {
        var document = GPXDocument()
        (document.name, document.description, document.author) = ("N", "D", "A & B")
        (document.keywords, document.time) = ("one, two", Fixture.moment)
        var point = GPXPoint(coordinate: Coordinate(latitude: 1, longitude: 2, altitude: 3), name: "P")
        (point.description, point.comment, point.link) = ("d", "c", "https://example.org/?a=1&b=\"2\"")
        point.heartRate = 99
        var line = GPXLine(name: "L", description: "d", type: "hiking", segments: [[point], [point, point]])
        (line.comment, line.source, line.link, line.number) = ("c", "s", "https://example.org", 7)
        var route = line
        route.segments = [[point]]
        document.waypoints = [point]
        document.tracks = [line]
        document.routes = [route]
        document.creator = "Rutter"
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("x.gpx")
        try Data(GPXWriter.text(document).utf8).write(to: file)
        var read = try GPXReader.document(file)
        // What a reading counted is no part of the file.
        read.account = nil
        #expect(read == document)
    }

    @Test func aDocumentOfVersion10() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("x.gpx")
        let text = """
            <gpx version="1.0" xmlns="http://www.topografix.com/GPX/1/0"><name>N</name><desc>D</desc><author>A</author>
            <keywords>k</keywords><wpt lat="1" lon="2"><cmt>c</cmt><desc>d</desc><url>https://example.org</url></wpt></gpx>
            """
        try Data(text.utf8).write(to: file)
        let read = try GPXReader.document(file)
        #expect([read.name, read.description, read.author, read.keywords] == ["N", "D", "A", "k"])
        let point = try #require(read.waypoints.first)
        #expect([point.comment, point.description, point.link] == ["c", "d", "https://example.org"])
    }

    @Test(arguments: [
        (0.0, "0"), (-0.000_000_01, "0"), (1.5, "1.5"), (-1.05, "-1.05"), (179.999_999_9, "179.9999999"),
        (100, "100"), (0.000_000_1, "0.0000001"), (-33.868_8, "-33.8688"),
    ])
    func numbersAreWrittenWithoutExponent(value: Double, text: String) {
        var out = XMLOutput()
        out.decimal(value, 7)
        #expect(String(decoding: out.bytes, as: UTF8.self) == text)
    }

    @Test func heartRatesThatTheExtensionCannotHoldAreInOurOwn() {
        var document = GPXDocument()
        document.tracks = [
            GPXLine(segments: [
                [0, 1, 255, 256, .nan].map {
                    GPXPoint(coordinate: Coordinate(latitude: 1, longitude: 2), heartRate: $0)
                }
            ])
        ]
        let text = GPXWriter.text(document)
        #expect(text.components(separatedBy: "<gpxtpx:hr>").count == 3)
        #expect(text.contains("<rutter:heartRate>0</rutter:heartRate>"))
        #expect(text.contains("<rutter:heartRate>256</rutter:heartRate>"))
    }
}
