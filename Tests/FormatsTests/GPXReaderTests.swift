import CivilTime
import Formats
import Foundation
import Geodesy
import PluginKit
import PluginTestKit
import Testing

/// What the GPX reader accepts, and its results.
struct GPXReaderTests {
    private func read(_ text: String) throws -> GPXDocument { try read(Data(text.utf8)) }

    private func read(_ data: Data) throws -> GPXDocument {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("test.gpx")
        try data.write(to: url)
        return try GPXReader.document(url)
    }

    @Test func everyFieldOfAWaypoint() throws {
        let document = try read(
            """
            <?xml version="1.0"?><gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">
            <metadata><name>Trip</name><time>2026-02-06T08:00:00Z</time></metadata>
            <wpt lat=" 46.5 " lon="-7.9"><ele> 1973.5 </ele><time>2026-02-06T09:15:30.5+01:00</time>
            <name>A &amp; B</name><cmt>not used</cmt><desc><![CDATA[<b>two
            lines</b>]]></desc><sym>Lodge</sym><type>shelter</type></wpt><wpt lat="1" lon="2"><cmt>used</cmt></wpt></gpx>
            """)
        let point = try #require(document.waypoints.first)
        #expect(point.coordinate == Coordinate(latitude: 46.5, longitude: -7.9, altitude: 1973.5))
        #expect(point.time?.milliseconds == 1_770_365_730_500)
        #expect(point.name == "A & B")
        #expect(point.description == "<b>two\nlines</b>")
        #expect(point.symbol == "Lodge")
        #expect(point.type == "shelter")
        #expect(document.waypoints.last?.description == "used")
        #expect(document.name == "Trip")
        #expect(document.time?.milliseconds == 1_770_364_800_000)
    }

    @Test func tracksRoutesAndHeartRates() throws {
        let document = try read(
            """
            <gpx xmlns="http://www.topografix.com/GPX/1/1" xmlns:t="http://www.garmin.com/xmlschemas/TrackPointExtension/v1">
            <rte><name>R</name><rtept lat="1" lon="2"><name>P</name></rtept><rtept lat="3" lon="4"/></rte>
            <trk><name>T</name><desc>D</desc><type>hike</type><trkseg><trkpt lat="1" lon="2"><extensions>
            <t:TrackPointExtension><t:hr>121</t:hr></t:TrackPointExtension></extensions></trkpt></trkseg><trkseg/></trk></gpx>
            """)
        #expect(document.routes.map(\.name) == ["R"])
        #expect(document.routes[0].segments[0].map(\.name) == ["P", nil])
        let track = try #require(document.tracks.first)
        #expect(track.segments.map(\.count) == [1, 0])
        #expect(track.segments[0][0].heartRate == 121)
        #expect([track.name, track.description, track.type] == ["T", "D", "hike"])
    }

    @Test func elementsOfOtherNamespacesAreNotTakenForGPX() throws {
        let document = try read(
            """
            <gpx xmlns="http://www.topografix.com/GPX/1/0" xmlns:x="http://example.org/x">
            <x:wpt lat="1" lon="1"/><wpt lat="2" lon="2"><x:name>theirs</x:name><u:name>undeclared</u:name>
            <name>ours</name><extensions><name>inner</name></extensions></wpt></gpx>
            """)
        #expect(document.waypoints.map(\.name) == ["ours"])
    }

    @Test(arguments: [
        "", " xmlns=\"http://www.topografix.com/GPX/1/0\"", " xmlns=\"http://www.topografix.com/GPX/1/1\"",
    ])
    func namespacesOfGPX(declaration: String) throws {
        #expect(try read("<gpx\(declaration)><wpt lat='1' lon='2'/></gpx>").waypoints.count == 1)
    }

    @Test func encodings() throws {
        let text = "<gpx><wpt lat='1' lon='2'><name>Zürich</name></wpt></gpx>"
        let utf16 = try #require(text.data(using: .utf16))
        let latin = try #require("<?xml version='1.0' encoding='ISO-8859-1'?>\(text)".data(using: .isoLatin1))
        let marked = Data([0xEF, 0xBB, 0xBF]) + Data(text.utf8)
        for data in [utf16, latin, marked] { #expect(try read(data).waypoints.first?.name == "Zürich") }
    }

    private static let point = "<gpx><wpt lat='1' lon='2'>"

    /// One value that is none takes nothing else with it, and is counted.
    @Test(arguments: ["91", "NaN", "inf", "", "0x1p5", "-180.1e0"])
    func aPositionThatIsNoneIsNoPoint(_ latitude: String) throws {
        let text = "<gpx><wpt lat='\(latitude)' lon='2'/><wpt lat='1' lon='2'/><wpt lon='2'/></gpx>"
        let document = try read(text)
        #expect(document.waypoints.count == 1)
        let doubts = document.doubts.filter { !$0.hasPrefix("latitudes beyond 90°") }
        #expect(doubts == ["points without a position, since theirs is none: 2 (first in line 1)"])
        #expect(document.doubts.count == 1)
    }

    @Test(arguments: [
        ("<ele>high</ele>", "values of `ele` that are no number, left out: 1 (first in line 1)"),
        ("<ele>nan</ele>", "values of `ele` that are no number, left out: 1 (first in line 1)"),
        ("<ele>0x20</ele>", "values of `ele` that are no number, left out: 1 (first in line 1)"),
        ("<time>noon</time>", "times that are none, left out: 1 (first in line 1)"),
        ("<time>2026-02-30T00:00:00Z</time>", "times that are none, left out: 1 (first in line 1)"),
        ("<time>2026-02-03T08:00:00</time>", "times without a zone, taken as UTC: 1"),
    ])
    func aValueThatIsNoneIsUnknown(_ element: String, _ doubt: String) throws {
        let document = try read("\(Self.point)\(element)</wpt></gpx>")
        #expect(document.waypoints.count == 1)
        #expect(document.waypoints.first?.coordinate.altitude == nil)
        #expect(document.doubts == [doubt])
    }

    @Test func whatIsWholeOfACutFileIsRead() throws {
        let document = try read(
            "<gpx><trk><trkseg><trkpt lat='1' lon='2'/><trkpt lat='1.1' lon='2'/><trkpt la")
        #expect(document.tracks.map { $0.segments.map(\.count) } == [[2]])
        #expect(document.doubts.count == 1)
        #expect(document.doubts.first?.hasPrefix("the file is cut or damaged at line 1") == true)
    }

    @Test(arguments: [
        ("", "E-GPX-XML", 1, 1), ("lat,lon\n1,2", "E-GPX-XML", 1, 1), ("<html></html>", "E-GPX-ROOT", 1, 6),
        ("<gpx xmlns='http://example.org'/>", "E-GPX-ROOT", 1, nil), ("<x:gpx/>", "E-GPX-ROOT", 1, nil),
        ("\(point)</gpx>", "E-GPX-XML", 1, nil),
        ("<gpx/><gpx/>", "E-GPX-XML", 1, nil),
        ("<!DOCTYPE gpx><gpx/>", "E-GPX-REFUSED", 1, nil),
    ])
    func badInputIsAnErrorWithItsPlace(text: String, code: String, line: Int, column: Int?) throws {
        do {
            let document = try read(text)
            Issue.record("it was read: \(document)")
        } catch let error as RutterError {
            #expect(error.code == code, "\(error.message)")
            guard case .file("test.gpx", line, let found?) = error.place else {
                Issue.record("it has the place \(error.place)")
                return
            }
            #expect(column == nil || found == column)
        }
    }

    /// A comma before three digits may be one of thousands, unless coordinates show what it is.
    @Test func aCommaBeforeThreeDigitsIsNoPoint() throws {
        func heights(_ latitude: String) throws -> [Double?] {
            let points = ["1,234", "512,5"].map {
                "<wpt lat=\"\(latitude)\" lon=\"7\"><ele>\($0)</ele></wpt>"
            }
            return try read("<gpx>\(points.joined())</gpx>").waypoints.map(\.coordinate.altitude)
        }
        #expect(try heights("46.5") == [nil, 512.5])
        #expect(try heights("46,5") == [1.234, 512.5])
    }

    @Test func bytesThatAreNoTextAreAnError() {
        #expect(
            errorThrown { _ = try read(Data((0..<5000).map { UInt8($0 * 7 % 256) })) }?.code == "E-GPX-XML")
    }

    @Test func onlyRegularFilesAreRead() throws {
        let folder = try TemporaryFolder()
        let pipe = folder.url.appendingPathComponent("pipe.gpx")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        for url in [pipe, folder.url, URL(fileURLWithPath: "/dev/zero")] {
            #expect(errorThrown { _ = try GPXReader.document(url) }?.code == "E-FILE-ACCESS")
        }
        let missing = folder.url.appendingPathComponent("missing.gpx")
        #expect(errorThrown { _ = try GPXReader.document(missing) }?.code == "E-FILE-MISSING")
    }

    @Test func emptyElementsAreAbsentValues() throws {
        let point = try #require(
            try read("<gpx><wpt lat='1' lon='2'><ele/><time> </time><name></name></wpt></gpx>").waypoints
                .first)
        #expect(point == GPXPoint(coordinate: Coordinate(latitude: 1, longitude: 2)))
    }

    @Test func anEmptyFileIsSaidToBeEmpty() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("empty.gpx")
        try Data().write(to: url)
        #expect(errorThrown { _ = try GPXReader.document(url) }?.message == "the file is empty")
    }

    /// Spaces belong to the text; line ends with surrounding whitespace belong to the layout of the file.
    @Test func wordsKeepTheirBlanks() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("x.gpx")
        let text = "<gpx><wpt lat='1' lon='2'><name> Hut </name><desc>\n    two words \n  </desc></wpt></gpx>"
        try Data(text.utf8).write(to: url)
        let point = try #require(try GPXReader.document(url).waypoints.first)
        #expect(point.name == " Hut ")
        #expect(point.description == "two words")
    }
}
