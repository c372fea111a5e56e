import Archives
import CivilTime
import Foundation
import PluginTestKit
import Testing

@testable import Formats

/// Times in forms that their format does not have: read where their meaning is plain, otherwise unknown and said.
@Suite(.needs(.xml)) struct OddTimeTests {
    private func line(_ text: String, _ name: String) throws -> GPXLine {
        try #require(try TrackFile(SourceBytes(Array(text.utf8), name: name)).document.tracks.first)
    }

    private func times(_ line: GPXLine) -> [String?] {
        line.segments.joined().map { $0.time.map { ISO8601.text($0) } }
    }

    @Test(arguments: [
        ("1780732800000", "2026-06-06T08:00:00Z"), ("1780732800", "2026-06-06T08:00:00Z"),
        ("1780732800.5", "2026-06-06T08:00:00.500Z"), ("20260606080000", nil), ("12345", nil),
    ])
    func aNumberIsATimeSince1970IfARecordingCanHaveIt(number: String, expected: String?) throws {
        let line = try line(
            "<gpx><trk><trkseg><trkpt lat=\"47\" lon=\"8\"><time>\(number)</time></trkpt></trkseg></trk></gpx>",
            "a.gpx")
        #expect(times(line) == [expected])
        #expect(line.doubts.count == 1)
    }

    private func table(_ rows: [String]) throws -> GPXLine {
        let text = (["Date,Time,Latitude,Longitude"] + rows.enumerated().map { "\($1),47.00\($0),8" })
        return try line(text.joined(separator: "\n"), "a.csv")
    }

    @Test func aDateThatMayBeTwoIsUnknownAndSaid() throws {
        let line = try table(["06/07/2026,08:00:00", "06/07/2026,08:00:20"])
        #expect(times(line) == [nil, nil])
        #expect(
            line.doubts == ["times unknown: dates such as 06/07/2026 may begin with the day or the month: 2"])
    }

    @Test func oneDateShowsTheOrderOfAll() throws {
        let line = try table(["6/7/2026,8:00", "6/13/2026,8:00"])
        #expect(times(line) == ["2026-06-07T08:00:00Z", "2026-06-13T08:00:00Z"])
        #expect(!line.doubts.contains { $0.hasPrefix("times unknown") })
    }

    @Test func halvesOfTheDayAndDatesWithPoints() throws {
        let halves = try table(["6/13/2026,12:05:00 AM", "6/13/2026,1:00:00 PM"])
        #expect(times(halves) == ["2026-06-13T00:05:00Z", "2026-06-13T13:00:00Z"])
        // In Australia the day comes first, and the clock counts twice to 12 as well.
        let doubtful = try table(["4/07/2026,8:00:00 AM", "4/07/2026,8:01:00 AM"])
        #expect(times(doubtful) == [nil, nil])
        #expect(doubtful.doubts.contains { $0.hasPrefix("times unknown: dates such as 4/07/2026") })
        let dotted = try table(["6.7.26,8:00", "06.07.2026,08:00:20"])
        #expect(times(dotted) == ["2026-07-06T08:00:00Z", "2026-07-06T08:00:20Z"])
        #expect(!dotted.doubts.contains { $0.hasPrefix("times unknown") })
        #expect(times(try table(["31/02/2026,08:00"])) == [nil])
    }

    @Test func timesOfDayWithoutADateAreOfNoDayAndSaid() throws {
        let body = "GPGGA,235901.000,3508.7000,N,13651.8903,E,1,05,1.0,10.0,M,0.0,M,,0000"
        let log = try line(
            "$\(body)*\(String(body.utf8.reduce(0, ^), radix: 16, uppercase: true))\r\n", "a.nmea")
        #expect(times(log) == ["1970-01-01T23:59:01Z"])
        #expect(log.doubts.contains { $0.hasPrefix("times of day without a date") })
    }

    private func geoJSON(_ properties: String) throws -> MapDocument {
        let text = """
            {"type":"FeatureCollection","features":[{"type":"Feature","properties":{\(properties)},"geometry":{"type":"Point","coordinates":[8,47]}}]}
            """
        return try JSONTree.read(Array(text.utf8)) { try GeoJSONReader.document($0) {} }
    }

    @Test(arguments: [
        "\"timestamp\":\"2026-06-06T08:00:00Z\",\"altitude\":500", "\"tst\":1780732800,\"ele\":\"500\"",
        "\"time\":1780732800000,\"elevation\":500",
    ])
    func pointsOfServersHaveTimesAndAltitudes(properties: String) throws {
        guard case .place(let place) = try geoJSON(properties).features.first else {
            Issue.record("no place")
            return
        }
        #expect(place.point.time.map { ISO8601.text($0) } == "2026-06-06T08:00:00Z")
        #expect(place.point.coordinate.altitude == 500)
        #expect(place.properties.isEmpty)
    }

    @Test func aTimeThatIsNoneDoesNotRefuseTheFile() throws {
        let document = try geoJSON("\"time\":\"yesterday\"")
        #expect(document.doubts == ["times that are none, left out: 1"])
        #expect(document.features.count == 1)
    }

    private func track(_ points: [(time: String, latitude: String)]) throws -> GPXLine {
        let body = points.map {
            "<trkpt lat=\"\($0.latitude)\" lon=\"8\"><ele>۵۰۰</ele><time>\($0.time)</time></trkpt>"
        }
        return try line("<gpx><trk><trkseg>\(body.joined())</trkseg></trk></gpx>", "a.gpx")
    }

    /// Telephones write the digits of their language (a report to OSMTracker).
    @Test func digitsOfAnotherScriptAreDigits() throws {
        let line = try track([("۲۰۲۶-۰۶-۰۶T۰۸:۰۰:۰۰Z", "47.1"), ("2026-06-06T08:00:20Z", "٤٧٫٢")])
        #expect(times(line) == ["2026-06-06T08:00:00Z", "2026-06-06T08:00:20Z"])
        #expect(line.segments.joined().map(\.coordinate.latitude) == [47.1, 47.2])
        #expect(line.segments.joined().map(\.coordinate.altitude) == [500, 500])
        #expect(line.doubts.contains { $0.hasPrefix("numbers in digits of another script") })
    }

    /// Telephones that are set to the calendar of Thailand write its years: 2569 is 2026.
    @Test func yearsOfTheBuddhistCalendarAreOurs() throws {
        let line = try track([("2569-03-01T08:00:00Z", "47.1"), ("2569-03-01T08:00:20.500Z", "47.2")])
        #expect(times(line) == ["2026-03-01T08:00:00Z", "2026-03-01T08:00:20.500Z"])
        #expect(line.doubts.contains { $0.hasPrefix("years of the Buddhist calendar") })
        // Beside a year of ours one is an error.
        let mixed = try track([
            ("2026-03-01T08:00:00Z", "47.1"), ("2026-03-01T08:00:20Z", "47.2"),
            ("2569-03-01T08:00:40Z", "47.3"),
        ])
        #expect(times(mixed) == ["2026-03-01T08:00:00Z", "2026-03-01T08:00:20Z", nil])
    }
}
