import CivilTime
import Formats
import Foundation
import Geodesy
import PluginTestKit
import Testing

/// TCX: the sample files against sums that Python's ElementTree computed, and broken files.
struct TCXTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func read(_ text: String) throws -> GPXDocument {
        let url = folder.url.appendingPathComponent("a.tcx")
        try Data(text.utf8).write(to: url)
        return try TCXReader.document(url)
    }

    private static func check(_ line: GPXLine, tolerance: Double) {
        let points = Array(line.segments.joined())
        func sum(_ value: (GPXPoint) -> Double?) -> Double { points.compactMap(value).reduce(0, +) }
        #expect(points.count == 1812)
        #expect(abs(sum(\.coordinate.latitude) - 73_898.836_349_425_84) < tolerance)
        #expect(abs(sum(\.coordinate.longitude) + 134_025.730_128_418_65) < tolerance)
        #expect(abs(sum(\.coordinate.altitude) - 87_802.201_015_472_41) < tolerance)
        #expect(abs(sum(\.sensors.distance) - 9_315_957.571_888_082) < tolerance)
        #expect(abs(sum(\.sensors.speed) - 9615.355_075_597_763) < tolerance)
        #expect(line.laps.count == 2)
        #expect(
            line.laps.map(\.start).compactMap { $0.map { ISO8601.text($0) } }
                == ["2013-04-30T19:23:57Z", "2013-04-30T19:38:57Z"])
        #expect(line.type == "cycling")
    }

    @Test(.enabled(if: RealData.has("fit"), "needs the folder of real data"))
    func theRideAgreesAndComesBack() throws {
        let document = try TCXReader.document(RealData.url("fit/bike.tcx"))
        let line = try #require(document.tracks.first)
        Self.check(line, tolerance: 1e-6)
        let back = try read(String(decoding: TCXWriter.bytes([line]) { _ in }, as: UTF8.self))
        let again = try #require(back.tracks.first)
        // Nine decimals of 1,812 values.
        Self.check(again, tolerance: 2e-5)
        #expect(again.segments.map(\.count) == line.segments.map(\.count))
        #expect(again.laps.map(\.start) == line.laps.map(\.start))
        #expect(again.laps.map(\.seconds) == line.laps.map(\.seconds))
        #expect(again.laps.map(\.calories) == line.laps.map(\.calories))
        #expect(again.device == line.device)
        for (point, other) in zip(line.segments.joined(), again.segments.joined()) {
            #expect(abs(point.coordinate.latitude - other.coordinate.latitude) < 1e-7)
            #expect(point.time == other.time)
        }
    }

    @Test(.enabled(if: RealData.has("fit"), "needs the folder of real data"))
    func aCourseWithItsPoints() throws {
        let document = try TCXReader.document(RealData.url("fit/gtrnctr-readcp.tcx"))
        #expect(document.tracks.map(\.pointCount) == [18])
        #expect(document.tracks.first?.name == "Test CP Reading")
        #expect(document.waypoints.count == 16)
        #expect(
            abs(document.tracks[0].segments[0].compactMap(\.coordinate.altitude).reduce(0, +) - 4143) < 1e-9)
    }

    private static func activity(_ content: String) -> String {
        """
        <TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"><Activities>
        <Activity Sport="Other"><Id>2026-02-06T08:00:00Z</Id><Lap StartTime="2026-02-06T08:00:00Z">\(content)</Lap>
        </Activity></Activities></TrainingCenterDatabase>
        """
    }

    private static func point(_ second: Int, _ latitude: Double?, _ more: String = "") -> String {
        let place =
            latitude.map {
                "<Position><LatitudeDegrees>\($0)</LatitudeDegrees><LongitudeDegrees>7</LongitudeDegrees></Position>"
            } ?? ""
        return "<Trackpoint><Time>2026-02-06T08:00:0\(second)Z</Time>\(place)\(more)</Trackpoint>"
    }

    /// A pause inside a lap is a gap; a point without a position keeps its measurements.
    @Test func pausesAndPointsWithoutAPosition() throws {
        let text = Self.activity(
            "<Track>\(Self.point(0, 1))\(Self.point(1, nil, "<HeartRateBpm><Value>99</Value></HeartRateBpm>"))</Track>"
                + "<Track>\(Self.point(3, 1.5))</Track>")
        let line = try #require(try read(text).tracks.first)
        #expect(line.segments.map(\.count) == [1, 1])
        #expect(line.unplaced.map(\.sensors.heartRate) == [99])
        #expect(line.type == nil)
        let back = try read(String(decoding: TCXWriter.bytes([line]) { _ in }, as: UTF8.self)).tracks[0]
        #expect(back.segments == line.segments && back.unplaced == line.unplaced)
    }

    @Test func noPositionsAtAll() throws {
        let document = try read(Self.activity("<Track>\(Self.point(0, nil))\(Self.point(1, nil))</Track>"))
        #expect(document.tracks.map(\.pointCount) == [0])
        #expect(document.tracks.map(\.unplaced.count) == [2])
    }

    /// A run of version 1 stands in the folder of its sport.
    @Test func aRunOfVersion1IsAnActivity() throws {
        let text = Self.activity("<Track>\(Self.point(0, 47))\(Self.point(1, 47.1))</Track>")
            .replacing("<Activities>", with: "<History><Biking Name=\"Biking\">")
            .replacing("</Activities>", with: "</Biking></History>")
            .replacing(#/<Activity [^>]*>/#, with: "<Run>").replacing("</Activity>", with: "</Run>")
        let document = try read(text)
        #expect(document.tracks.map(\.pointCount) == [2])
        #expect(document.tracks.first?.type == "cycling")
        #expect(document.account?.seen == 2)
    }

    @Test func brokenFilesAreRefused() {
        func code(_ text: String) -> String? { errorThrown { _ = try read(text) }?.code }
        #expect(code("<gpx/>") == "E-TCX-ROOT")
        #expect(code(String(Self.activity("").dropLast(20))) == "E-TCX-XML")
        #expect(code("<!DOCTYPE a [<!ENTITY b \"c\">]>" + Self.activity("")) == "E-TCX-REFUSED")
        // A value that is none is unknown, and counted.
        func doubts(_ text: String) -> [String] { (try? read(text))?.doubts ?? [] }
        #expect(
            doubts(Self.activity("<Track>\(Self.point(0, 91))</Track>"))
                == [
                    "values of `LatitudeDegrees` that are no possible number, left out: 1",
                    "latitudes beyond 90° beside longitudes within it: perhaps the two are exchanged: 1",
                ])
        #expect(
            doubts(
                Self.activity("<Track>\(Self.point(0, 1, "<AltitudeMeters>NaN</AltitudeMeters>"))</Track>"))
                == ["values of `AltitudeMeters` that are no possible number, left out: 1"])
        #expect(
            doubts(Self.activity("<Track><Trackpoint><Time>noon</Time></Trackpoint></Track>"))
                == ["times that are none, left out: 1"])
    }
}
