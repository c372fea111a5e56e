import Archives
import CivilTime
import Foundation
import PluginTestKit
import Testing

@testable import Formats

/// What programs write that do not keep to their format: read where its meaning is plain, and said.
@Suite(.needs(.xml)) struct OtherNotationTests {
    private func file(_ text: String, _ name: String) throws -> TrackFile {
        try TrackFile(SourceBytes(Array(text.utf8), name: name))
    }

    private func point(_ time: String = "2026-06-06T08:00:00Z", _ position: String = "lat=\"47\" lon=\"8\"")
        -> String
    {
        "<trkpt \(position)><ele>500</ele><time>\(time)</time></trkpt>"
    }

    private func gpx(_ points: [String]) -> String {
        "<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
    }

    @Test(arguments: [
        ("2026 06 06 08:00:00", "2026-06-06T08:00:00Z"), ("2026-6-6T8:0:5Z", "2026-06-06T08:00:05Z"),
        ("2026-06-05T24:00:00Z", "2026-06-06T00:00:00Z"), ("2026-06-05T24:01:00Z", nil),
        ("2026-06-06T08:00:00:123Z", "2026-06-06T08:00:00.123Z"),
        ("06-Jun-2026 08:00:00 PM", "2026-06-06T20:00:00Z"),
        ("Sat, 06 Jun 2026 08:00:00 +0200", "2026-06-06T06:00:00Z"),
        ("Sat Jun 06 08:00:00 CEST 2026", "2026-06-06T06:00:00Z"),
        ("Jun 6, 2026, 8:00:00 AM", "2026-06-06T08:00:00Z"), ("20260606T080000Z", "2026-06-06T08:00:00Z"),
        ("2026/06/06 08:00:00 GMT+2", "2026-06-06T06:00:00Z"), ("13.06.2026 08:00", "2026-06-13T08:00:00Z"),
        ("06/07/2026 08:00:00", nil), ("2026-06-06 08:00:00 XYZ", nil), ("2026-13-06 08:00:00", nil),
        ("2567-02-29T08:00:00Z", "2024-02-29T08:00:00Z"), ("2566-02-29T08:00:00Z", nil),
    ])
    func timesInOtherNotations(text: String, expected: String?) throws {
        let line = try #require(try file(gpx([point(text)]), "a.gpx").document.tracks.first)
        let time = line.segments.joined().first?.time
        #expect(time.map { ISO8601.text($0) } == expected)
        #expect(line.doubts.contains { $0.hasPrefix("times") })
    }

    @Test(arguments: [
        "lat=\"47.5°\" lon=\"8.25°\"", "lat=\"47.5N\" lon=\"8.25E\"", "Lat=\"47.5\" Lon=\"8.25\"",
        "latitude=\"47.5\" longitude=\"8.25\"", "lat=\"47° 30' N\" lon=\"8° 15' E\"",
    ])
    func anglesAndAttributesInOtherNotations(position: String) throws {
        let line = try #require(
            try file(gpx([point("2026-06-06T08:00:00Z", position)]), "a.gpx").document.tracks.first)
        let place = try #require(line.segments.joined().first?.coordinate)
        #expect(abs(place.latitude - 47.5) < 1e-9 && abs(place.longitude - 8.25) < 1e-9)
    }

    @Test(arguments: ["lat=\"NaN\" lon=\"8\"", "lat=\"0x1.4p4\" lon=\"8\"", "lat=\"47\" lon=\"180.1E\""])
    func whatIsNoAngleIsNoPosition(position: String) throws {
        let document = try file(gpx([point(), point("2026-06-06T08:00:10Z", position)]), "a.gpx").document
        #expect(document.tracks.first?.pointCount == 1)
        #expect(document.account?.addsUp == true)
    }

    @Test func elementsInCapitalsAndSegmentsWithoutATrack() throws {
        let whole = gpx([point(), point("2026-06-06T08:00:10Z", "lat=\"47.001\" lon=\"8\"")])
        let capitals = whole.replacing("trkpt", with: "TRKPT").replacing("trkseg", with: "TRKSEG")
        #expect(try file(capitals, "a.gpx").document.tracks.first?.pointCount == 2)
        let bare = whole.replacing("<trk>", with: "").replacing("</trk>", with: "")
        let line = try #require(try file(bare, "a.gpx").document.tracks.first)
        #expect(line.pointCount == 2 && line.doubts.contains { $0.hasPrefix("segments or points outside") })
        let points = bare.replacing("<trkseg>", with: "").replacing("</trkseg>", with: "")
        #expect(try file(points, "a.gpx").document.tracks.first?.pointCount == 2)
    }

    @Test func manyPointsWithoutAnEndTag() throws {
        let points = (0..<300).map { index in
            let second = index % 60 < 10 ? "0\(index % 60)" : "\(index % 60)"
            return "<trkpt lat=\"\(47 + Double(index) * 1e-4)\" lon=\"8\">"
                + "<time>2026-06-06T08:0\(index / 60):\(second)Z</time>"
        }
        let document = try file(gpx(points), "a.gpx").document
        #expect(document.account?.addsUp == true)
        // The end of the last one is that of the file.
        #expect((document.tracks.first?.pointCount ?? 0) >= 298)
        #expect(document.tracks.count == 1)
    }

    @Test func measurementsAndNumbersInOtherForms() throws {
        let inner = "<ele>1640.4 ft</ele><hr>120</hr>"
        let text = gpx(["<trkpt lat=\"47\" lon=\"8\">\(inner)</trkpt>"])
        let found = try #require(try file(text, "a.gpx").document.tracks.first?.segments.joined().first)
        #expect(abs((found.coordinate.altitude ?? 0) - 500) < 0.01)
        #expect(found.heartRate == 120)
        let none = gpx(["<trkpt lat=\"47\" lon=\"8\"><ele>9999</ele></trkpt>"])
        #expect(
            try file(none, "a.gpx").document.tracks.first?.segments.joined().first?.coordinate.altitude == nil
        )
    }

    @Test(arguments: [("1,234 m", nil), ("1234,5 m", 1234.5), ("1,234.5 m", nil), ("1 234 m", 1234)])
    func aCommaOfThousandsIsNoDecimalPoint(text: String, expected: Double?) throws {
        let file = try file(gpx(["<trkpt lat=\"47\" lon=\"8\"><ele>\(text)</ele></trkpt>"]), "a.gpx")
        #expect(file.document.tracks.first?.segments.joined().first?.coordinate.altitude == expected)
    }

    @Test func lapsWithoutPointsAreAnActivity() throws {
        let text = """
            <TrainingCenterDatabase><Activities><Activity Sport="Running"><Lap StartTime="2026-06-06T08:00:00Z">
            <TotalTimeSeconds>600</TotalTimeSeconds><DistanceMeters>2000</DistanceMeters></Lap></Activity></Activities>
            </TrainingCenterDatabase>
            """
        let line = try #require(try file(text, "a.tcx").document.tracks.first)
        #expect(
            line.unplaced.map { ISO8601.text($0.time) } == ["2026-06-06T08:00:00Z", "2026-06-06T08:10:00Z"])
        #expect(line.unplaced.last?.sensors.distance == 2000)
        #expect(line.doubts.contains { $0.hasPrefix("activities without a point") })
    }

    private func feature(_ number: Int) -> String {
        "{\"type\":\"Feature\",\"properties\":{\"name\":\"P\(number)\"},"
            + "\"geometry\":{\"type\":\"Point\",\"coordinates\":[8.0\(number),47]}}"
    }

    @Test func aFeatureThatIsDamagedCostsNoOther() throws {
        let broken = feature(3).replacing("\"P3\"", with: "\"P3")
        let features = (0..<8).map { $0 == 3 ? broken : feature($0) }.joined(separator: ",")
        let file = try file("{\"type\":\"FeatureCollection\",\"features\":[\(features)]}", "a.geojson")
        let names = file.places.compactMap(\.point.name)
        #expect(["P0", "P1", "P2", "P4", "P5", "P6", "P7"].allSatisfy(names.contains))
        #expect(file.document.notices.contains { $0.contains("could not be read") })
        #expect(file.document.account?.addsUp == true)
    }

    @Test func textsOfJSONOneAfterTheOther() throws {
        let lines = (0..<4).map(feature)
        for separator in ["\n", "\n\u{1E}"] {
            let file = try file(lines.joined(separator: separator), "a.geojson")
            #expect(file.places.count == 4)
            #expect(file.document.notices.contains { $0.hasPrefix("4 texts of JSON") })
        }
    }

    @Test func aLastTextOfJSONThatIsCutIsSaid() throws {
        let file = try file("\(feature(0))\n\(feature(1))\n{\"ty", "a.geojson")
        #expect(file.places.count == 2)
        #expect(file.document.notices.contains { $0.contains("line 3") })
    }

    @Test func wordsAndCommasOfOtherNotations() throws {
        let text = "{\"type\":\"LineString\",\"coordinates\":[[8,47,NaN],[8.1,47,500],]}"
        let file = try file(text, "a.geojson")
        #expect(file.lines.first?.pointCount == 2)
        #expect(file.lines.first?.doubts.contains { $0.hasPrefix("words, commas and signs") } == true)
    }

    @Test func tracksOfOnePointEachAreOne() throws {
        let tracks = (0..<5).map { index in
            let place = "lat=\"47.00\(index)\" lon=\"8\""
            return "<trk><trkseg>\(point("2026-06-06T08:00:0\(index)Z", place))</trkseg></trk>"
        }
        let document = try file("<gpx>\(tracks.joined())</gpx>", "a.gpx").document
        #expect(document.tracks.count == 1 && document.tracks[0].pointCount == 5)
        #expect(document.account?.addsUp == true)
    }
}

/// Damage within one point costs no other.
@Suite(.needs(.xml)) struct DamagedPointTests {
    private static let count = 20

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    private static func time(_ index: Int) -> String { "2026-06-06T08:\(two(index)):00Z" }

    /// A track of KML with one point changed; times and positions alternate.
    private func kml(at place: Int, _ change: (String) -> String) throws -> TrackFile {
        let points = (0..<Self.count).map { index in
            let text =
                "<when>\(Self.time(index))</when><gx:coord>8.0 \(47 + Double(index) / 1000) 500</gx:coord>\n"
            return index == place ? change(text) : text
        }
        let text =
            "<kml xmlns=\"http://www.opengis.net/kml/2.2\" xmlns:gx=\"http://www.google.com/kml/ext/2.2\"><Document>"
            + "<Placemark><gx:Track>\(points.joined())</gx:Track></Placemark></Document></kml>"
        return try TrackFile(SourceBytes(Array(text.utf8), name: "a.kml"))
    }

    @Test(
        arguments: [0, 10],
        [("</when>", "</when"), ("</gx:coord>", "</gx:co"), ("8.0", "8.<0"), ("<gx:coord>", "<gx:c_ord>")])
    func ofATrackOfKML(place: Int, damage: (part: String, damaged: String)) throws {
        let file = try kml(at: place) { $0.replacing(damage.part, with: damage.damaged) }
        let points = file.lines.flatMap { $0.segments.joined() }
        for index in 0..<Self.count where index != place {
            let point = points.first { abs($0.coordinate.latitude - 47 - Double(index) / 1000) < 1e-9 }
            #expect(point?.time.map { ISO8601.text($0) } == Self.time(index), "point \(index)")
        }
        #expect(file.document.account?.addsUp == true)
    }
}
