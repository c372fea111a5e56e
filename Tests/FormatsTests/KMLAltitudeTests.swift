import Archives
import Foundation
import Geodesy
import PluginTestKit
import Testing

@testable import Formats

/// Altitudes of KML count only where their mode says that they are above sea level (OGC 12-007r2).
@Suite(.needs(.xml)) struct KMLAltitudeTests {
    private func read(_ geometry: String, before: String = "") throws -> TrackFile {
        let text = """
            <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Placemark><name>A</name>\
            \(before)\(geometry)</Placemark></kml>
            """
        return try TrackFile(SourceBytes(Array(text.utf8), name: "a.kml"))
    }

    private func altitudes(_ mode: String, _ height: Int) throws -> [Double?] {
        let line =
            "<LineString>\(mode)<coordinates>8,47,\(height) 8,47.1,\(height)</coordinates></LineString>"
        let found = try #require(try read(line).document.tracks.first)
        #expect(found.doubts.isEmpty == mode.contains("absolute"), "\(found.doubts)")
        return found.segments.joined().map(\.coordinate.altitude)
    }

    @Test func anAltitudeOnTheGroundIsUnknown() throws {
        #expect(try altitudes("<altitudeMode>clampToGround</altitudeMode>", 0) == [nil, nil])
        #expect(try altitudes("<altitudeMode>relativeToGround</altitudeMode>", 2) == [nil, nil])
        #expect(try altitudes("", 0) == [nil, nil])
        #expect(try altitudes("<altitudeMode>absolute</altitudeMode>", 500) == [500, 500])
    }

    /// The mode of a geometry is not that of the next one.
    @Test func everyGeometryHasItsOwnMode() throws {
        let file = try read(
            """
            <MultiGeometry><Point><altitudeMode>absolute</altitudeMode><coordinates>8,47,500</coordinates></Point>\
            <Point><coordinates>8,47,0</coordinates></Point></MultiGeometry>
            """)
        #expect(file.places.map(\.point.coordinate.altitude) == [500, nil])
    }

    @Test func aRecordedTrackWithoutAModeIsKeptAndDoubted() throws {
        func track(_ height: Int) -> String {
            "<gx:Track><when>2026-06-06T08:00:00Z</when><gx:coord>8 47 \(height)</gx:coord></gx:Track>"
        }
        let line = try #require(try read(track(500)).document.tracks.first)
        #expect(line.segments[0][0].coordinate.altitude == 500)
        #expect(line.doubts.contains { $0.hasPrefix("altitudes without an `altitudeMode`") })
        #expect(try read(track(0)).document.tracks.first?.segments[0][0].coordinate.altitude == nil)
    }

    @Test func aSpanOfTimeIsSaid() throws {
        let span = "<TimeSpan><begin>2026-06-06T08:00:00Z</begin><end>2026-06-06T08:06:20Z</end></TimeSpan>"
        let line = "<LineString><coordinates>8,47 8,47.1</coordinates></LineString>"
        let found = try #require(try read(line, before: span).document.tracks.first)
        #expect(found.doubts.count == 1)
        #expect(found.doubts[0].contains("begin 2026-06-06T08:00:00Z, end 2026-06-06T08:06:20Z"))
        let place = try read("<Point><coordinates>8,47</coordinates></Point>", before: span)
        #expect(place.document.notices.count == 1 && place.places[0].point.time == nil)
    }
}
