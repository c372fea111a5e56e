import Archives
import CivilTime
import Core
import Foundation
import PluginTestKit
import Testing

@testable import Formats

/// Damage in the middle of files of XML: what stands behind it is read, and what is not is said.
@Suite(.needs(.xml)) struct XMLRestartTests {
    private static let open = "<?xml version=\"1.0\"?>\n<gpx version=\"1.1\" creator=\"a\">\n<trk><trkseg>\n"
    private static let close = "</trkseg></trk></gpx>\n"

    private static func point(_ index: Int) -> String {
        "<trkpt lat=\"47.\(1000 + index)\" lon=\"8\"><ele>\(500 + index)</ele><time>2026-06-06T08:00:0\(index)Z</time></trkpt>\n"
    }

    private func read(_ text: String, _ name: String = "a.gpx") throws -> TrackFile {
        try TrackFile(SourceBytes(Array(text.utf8), name: name))
    }

    private func heights(_ file: TrackFile) -> [[[Double?]]] {
        file.document.tracks.map { $0.segments.map { $0.map(\.coordinate.altitude) } }
    }

    /// As GPSLogger left them: bytes of a point overwritten, a tag cut, a waypoint in the middle of a tag.
    @Test(arguments: [
        (
            "<trkpt lat=\"47.2\" lon=\"8\"><ele>7</ele><time>2026-06-06T08:00:02Z|otmme~|ele~7.0vnt|gourse>2</course></trkpt>\n",
            0
        ), ("<trkpt lat=\"47.2\" lon=\"8\"><ele>7</ele></trkp\n", 0),
        ("<trkpt lat=\"47.2 lon=\"8\"><ele>7</ele></trkpt>\n", 0),
        // A quote, a comment or an instruction that does not end takes nothing of the next point along.
        ("<trkpt lat=\"47.2\" lon=\"8><ele>7</ele></trkpt>\n", 0),
        ("<trkpt lat=\"47.2\" lon='8\"><ele>7</ele></trkpt>\n", 0),
        ("<trkpt lat=\"47.2\" lon=\"8\"><ele>7</ele><time a=\"></time></trkpt>\n", 0),
        ("<trkpt lat=\"47.2\" lon=\"8\"><!--<ele>7</ele></trkpt>\n", 0),
        ("<trkpt lat=\"47.2\" lon=\"8\"><ele>7<?ele></trkpt>\n", 0),
        ("<trKpt lat=\"47.2\" lon=\"8\"><ele>7</ele></trkpt>\n", 0),
        ("<trkpt lat=\"47.2\" lon=\"8\"><ele>7</ele></t<wpt lat=\"1\" lon=\"2\"></wpt>\nrkpt>\n", 1),
    ])
    func whatStandsBehindDamageIsRead(damage: String, waypoints: Int) throws {
        let file = try read(
            Self.open + Self.point(0) + Self.point(1) + damage + Self.point(3) + Self.point(4) + Self.close)
        #expect(heights(file) == [[[500, 501, 503, 504]]])
        #expect(file.document.waypoints.count == waypoints)
        let doubts = file.document.tracks.flatMap(\.doubts)
        #expect(doubts.contains { $0.contains("could not be read") && $0.contains("line") }, "\(doubts)")
        #expect(!doubts.contains { $0.contains("what follows was not read") })
        let account = try #require(file.document.account)
        #expect(account.addsUp, "\(account.words)")
    }

    /// The same in one line, with characters of several bytes before the damage.
    @Test func aFileOfOneLine() throws {
        let text =
            Self.open + "<wpt lat=\"1\" lon=\"2\"><name>東京 Zürich</name></wpt>" + Self.point(0)
            + "<trkpt lat=\"47.2\" lon=\"8\"><ele>7</time></trkpt>" + Self.point(3) + Self.close
        let file = try read(text.replacing("\n", with: ""))
        #expect(
            file.document.tracks.flatMap { $0.segments.joined() }.compactMap(\.coordinate.altitude) == [
                500, 503,
            ])
    }

    /// Characters that were mended before the damage of a line do not hide the next point.
    @Test(arguments: ["lon=\"8\"><ele>7</time></trkpt>", "lon=\"8><ele>7</ele></trkpt>"])
    func aMendedFileOfOneLine(rest: String) throws {
        let text =
            Self.open + "<desc>\(String(repeating: "a & b ", count: 40))</desc>" + Self.point(0)
            + "<trkpt lat=\"47.2\" \(rest)" + Self.point(3) + Self.point(4) + Self.close
        let file = try read(text.replacing("\n", with: " "))
        #expect(
            file.document.tracks.flatMap { $0.segments.joined() }.compactMap(\.coordinate.altitude) == [
                500, 503, 504,
            ])
    }

    @Test func aFileBehindAFile() throws {
        let one = Self.open + Self.point(0) + Self.point(1) + Self.close
        let two = Self.open + Self.point(2) + Self.point(3) + Self.close
        #expect(heights(try read(one + two)) == [[[500, 501]], [[502, 503]]])
    }

    @Test func aMissingEndTagCostsNoPoint() throws {
        let text =
            Self.open + Self.point(0).replacing("</trkpt>", with: "") + Self.point(1) + Self.point(2)
            + Self.close
        let file = try read(text)
        #expect(heights(file).flatMap { $0.flatMap(\.self) } == [500, 501, 502])
        let twoTracks =
            Self.open + Self.point(0) + Self.point(1) + "<trk><trkseg>" + Self.point(2) + Self.point(3)
            + Self.close
        #expect(heights(try read(twoTracks)) == [[[500, 501]], [[502, 503]]])
    }

    /// However many points have no end tag. The last one may be cut.
    @Test func noPointHasAnEndTag() throws {
        let points = (0..<2000).map { "<trkpt lat=\"47.\(100_000 + $0)\" lon=\"8\"><ele>\($0)</ele>" }
        let file = try read("<gpx><trk><trkseg>\(points.joined())")
        #expect(heights(file).joined().joined().compactMap(\.self) == (0..<1999).map(Double.init))
        let account = try #require(file.document.account)
        #expect(account.addsUp && account.used == 1999 && account.asideCount == 1, "\(account)")
    }

    /// Points that follow a value without its end tag are no part of it.
    @Test(arguments: ["<desc>A", "<desc>A</desc><xwpt>"]) func aValueWithoutAnEndTag(inner: String) throws {
        let file = try read(
            "<gpx><wpt lat=\"47\" lon=\"8\">\(inner)<wpt lat=\"47.1\" lon=\"8\"><name>B</name></wpt>\n"
                + "<wpt lat=\"47.2\" lon=\"8\"><name>C</name></wpt></gpx>")
        #expect(file.document.waypoints.map(\.coordinate.latitude) == [47, 47.1, 47.2])
        #expect(file.document.waypoints.map(\.name) == [nil, "B", "C"])
        #expect(file.document.account?.addsUp == true)
    }

    @Test func damageOfTCX() throws {
        func point(_ index: Int) -> String {
            "<Trackpoint><Time>2026-06-06T08:00:0\(index)Z</Time><Position><LatitudeDegrees>47.\(1000 + index)</LatitudeDegrees>"
                + "<LongitudeDegrees>8</LongitudeDegrees></Position><AltitudeMeters>\(500 + index)</AltitudeMeters></Trackpoint>\n"
        }
        let text =
            "<TrainingCenterDatabase xmlns=\"http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2\"><Activities>\n"
            + "<Activity Sport=\"Biking\"><Lap StartTime=\"2026-06-06T08:00:00Z\"><Track>\n" + point(0)
            + point(1).replacing("</Position>", with: "</Posi") + point(2) + point(3)
            + "</Track></Lap></Activity></Activities></TrainingCenterDatabase>"
        let file = try read(text, "a.tcx")
        #expect(heights(file) == [[[500, 502, 503]]])
        #expect(file.document.tracks.first?.type == "cycling")
        #expect(file.document.account?.addsUp == true)
    }

    @Test func damageOfKML() throws {
        func mark(_ name: String, _ tail: String) -> String {
            "<Placemark><name>\(name)</name><Point><coordinates>8,47</coordinates></Point>\(tail)\n"
        }
        let text =
            "<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Document><Folder>\n" + mark("A", "</Placemark>")
            + mark("B", "</Placem") + mark("C", "</Placemark>") + "</Folder></Document></kml>"
        let file = try read(text, "a.kml")
        #expect(file.document.waypoints.map(\.name) == ["A", "B", "C"])
        #expect((file.document.doubts + file.document.notices).contains { $0.contains("could not be read") })
    }

    /// What never ends is met once: no end of its kind lies behind it, and each point is read.
    @Test(arguments: ["<!-- x", "<![CDATA[x", "<?x y"]) func markupWithoutAnEndBehindEachPoint(
        opening: String
    ) throws {
        let points = (0..<1100).map { "<trkpt lat=\"47.\(100_000 + $0)\" lon=\"8\"></trkpt>\(opening)\n" }
        let file = try read(Self.open + points.joined() + Self.close)
        #expect(file.document.tracks.map(\.pointCount) == [1100])
        #expect(file.document.account?.addsUp == true)
    }

    /// Many faults are bounded in time and words.
    @Test func manyFaults() throws {
        let bad = "<trkpt lat=\"47.2\" lon=\"8\"><ele>7</time></trkpt>\n"
        let text = Self.open + (0..<5000).map { _ in bad }.joined() + Self.point(1) + Self.close
        #expect(errorThrown { _ = try read(text) }?.code == "E-GPX-XML")
        let few = Self.open + (0..<50).map { _ in bad }.joined() + Self.point(1) + Self.close
        let file = try read(few)
        #expect(file.document.tracks.first?.pointCount == 1)
        #expect(file.document.tracks.first?.doubts.contains("45 more parts could not be read") == true)
    }
}
