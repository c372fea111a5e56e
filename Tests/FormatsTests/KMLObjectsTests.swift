import Archives
import Foundation
import Geodesy
import PluginTestKit
import Testing

@testable import Formats

/// Objects of KML that are no places or lines are named, and lines of one point stay valid.
@Suite(.needs(.xml)) struct KMLObjectsTests {
    private func read(_ content: String) throws -> TrackFile {
        let text = """
            <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Document>\(content)</Document></kml>
            """
        return try TrackFile(SourceBytes(Array(text.utf8), name: "a.kml"))
    }

    private static let ring = "<LinearRing><coordinates>8,47 8.1,47 8.1,47.1 8,47</coordinates></LinearRing>"

    /// As satellite messengers write them: the points of a way, not places.
    @Test func placesThatDifferInTheirTimeAreATrack() throws {
        func marks(_ name: (Int) -> String) -> String {
            (0..<6).map { index in
                "<Placemark><name>\(name(index))</name><TimeStamp><when>2026-06-06T08:\(10 + index):00Z</when></TimeStamp>"
                    + "<Point><coordinates>8.00\(index),47</coordinates></Point></Placemark>"
            }.joined()
        }
        for name in [{ _ in "Me" }, { "\($0)" }, { _ in "" }] as [(Int) -> String] {
            let file = try read(marks(name))
            #expect(file.document.waypoints.isEmpty)
            #expect(file.document.tracks.map(\.pointCount) == [6])
            #expect(file.document.tracks[0].segments[0].allSatisfy { $0.time != nil })
            let doubts = file.document.doubts + file.document.tracks[0].doubts
            #expect(doubts.contains { $0.contains("read as the points of a track") })
        }
        #expect(try read(marks { "Hut \($0)" }).document.waypoints.count == 6)
    }

    private func marks(_ count: Int, _ mark: (Int) -> (name: String, when: String, east: String)) throws
        -> TrackFile
    {
        let all = (0..<count).map { index in
            let (name, when, east) = mark(index)
            return "<Placemark><name>\(name)</name><TimeStamp><when>\(when)</when></TimeStamp>"
                + "<Point><coordinates>\(east),47</coordinates></Point></Placemark>"
        }
        return try read(all.joined())
    }

    /// What was seen on several days, or where nobody gets in the time, is no walk.
    @Test func sightingsOfOneNameStayPlaces() throws {
        let days = try marks(6) { ("Marmot", "2026-06-0\(1 + $0)T08:00:00Z", "8.00\($0)") }
        let far = try marks(6) { ("Marmot", "2026-06-06T08:1\($0):00Z", "\(8 + $0)") }
        for file in [days, far] {
            #expect(file.document.waypoints.map(\.name) == Array(repeating: "Marmot", count: 6))
            #expect(file.document.tracks.isEmpty)
        }
        // A night between the points of two days is a pause of a way.
        let nights = try marks(20) {
            ("Me", "2026-06-0\($0 < 10 ? 6 : 7)T08:\(10 + $0):00Z", "8.00\(10 + $0)")
        }
        #expect(nights.document.tracks.map(\.pointCount) == [20])
    }

    /// Servers that write the newest first are judged as those that write the oldest first.
    @Test func theNewestPointFirstIsTheSameTrack() throws {
        // 1.5 km in ten minutes; and sightings on six days, a few steps apart.
        let ride = try marks(6) { ("Me", "2026-06-06T08:\(5 - $0)0:00Z", "8.0\(2 * (5 - $0))") }
        #expect(ride.document.tracks.map(\.pointCount) == [6])
        let times = ride.document.tracks.first?.segments.joined().compactMap(\.time) ?? []
        #expect(times == times.sorted())
        let days = try marks(6) { ("Marmot", "2026-06-0\(6 - $0)T08:00:00Z", "8.00\($0)") }
        #expect(days.document.tracks.isEmpty && days.document.waypoints.count == 6)
    }

    /// Numbers that do not count are names, as those of control posts.
    @Test func numbersThatDoNotCountAreNames() throws {
        func numbered(_ number: (Int) -> Int) throws -> TrackFile {
            try marks(6) { ("\(number($0))", "2026-06-06T08:1\($0):00Z", "8.00\($0)") }
        }
        let posts = try numbered { 107 + 7 * $0 }
        #expect(posts.document.waypoints.compactMap(\.name) == ["107", "114", "121", "128", "135", "142"])
        for number in [{ 3 + $0 }, { 9 - $0 }] as [(Int) -> Int] {
            let file = try numbered(number)
            #expect(file.document.tracks.map(\.pointCount) == [6])
            let doubts = file.document.doubts + file.document.tracks[0].doubts
            #expect(doubts.contains { $0.contains("whose names only count them") }, "\(doubts)")
        }
    }

    @Test func whatIsNotReadIsNamed() throws {
        let file = try read(
            """
            <NetworkLink><name>More</name><Link><href>a</href></Link></NetworkLink><GroundOverlay><name>Old map</name>\
            </GroundOverlay><gx:Tour><name>Flight</name></gx:Tour><Placemark><name>House</name><Model><Location/></Model></Placemark>\
            <Placemark><name>Note</name></Placemark><Placemark><name>Lake</name><Polygon><outerBoundaryIs>\(Self.ring)\
            </outerBoundaryIs><innerBoundaryIs>\(Self.ring)</innerBoundaryIs></Polygon></Placemark>
            """)
        #expect(file.document.tracks.map(\.pointCount) == [4])
        #expect(
            file.document.notices == [
                "1 placemark without a place or line, left out (`Note`)",
                "1 hole of areas, left out: an area becomes the line around it",
                "`NetworkLink`, which is no place or line, left out: 1 time (`More`)",
                "`GroundOverlay`, which is no place or line, left out: 1 time (`Old map`)",
                "`Tour`, which is no place or line, left out: 1 time (`Flight`)",
                "`Model`, which is no place or line, left out: 1 time",
            ])
        #expect(file.document.tracks[0].doubts.contains { $0.hasPrefix("areas, of which the line around") })
    }

    private func track(_ mode: String, inside: String = "") -> String {
        """
        <Placemark><gx:MultiTrack>\(mode)<gx:Track>\(inside)<when>2026-06-06T08:00:00Z</when>\
        <gx:coord>8 47 3</gx:coord></gx:Track></gx:MultiTrack></Placemark>
        """
    }

    @Test func theModeOfAMultiTrackIsThatOfItsTracks() throws {
        func height(_ text: String) throws -> Double? {
            try read(text).document.tracks.first?.segments[0][0].coordinate.altitude
        }
        let relative = "<altitudeMode>relativeToGround</altitudeMode>"
        let absolute = "<altitudeMode>absolute</altitudeMode>"
        #expect(try height(track(relative)) == nil)
        #expect(try height(track(absolute)) == 3)
        #expect(try height(track(relative, inside: absolute)) == 3)
        #expect(try height(track("")) == 3)
    }

    /// A mode after the coordinates counts as well.
    @Test func theModeMayFollowTheCoordinates() throws {
        let line =
            "<Placemark><LineString><coordinates>8,47,5 8.1,47,6</coordinates>"
            + "<altitudeMode>absolute</altitudeMode></LineString></Placemark>"
        #expect(try read(line).document.tracks[0].segments[0].map(\.coordinate.altitude) == [5, 6])
    }

    @Test func aLineOfOnePointIsWrittenAsTwoAndReadAsOne() throws {
        var point = GPXPoint(
            coordinate: Coordinate(latitude: 47, longitude: 8, altitude: 500), time: Fixture.moment)
        point.heartRate = 100
        var document = MapDocument()
        document.features = [.line(GPXLine(name: "One", segments: [[point]]), .track, id: nil)]
        let bytes = KMLWriter.bytes(document) {}
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("<coordinates>8,47,500\n8,47,500</coordinates>"), "\(text)")
        let again = try TrackFile(SourceBytes(bytes, name: "a.kml")).document.tracks
        #expect(again.map(\.segments) == [[[point]]])
    }

    @Test func aTimeOfAMonthIsSaid() throws {
        let file = try read(
            "<Placemark><TimeStamp><when>2026-07</when></TimeStamp><Point><coordinates>8,47</coordinates></Point></Placemark>"
        )
        #expect(
            file.document.notices.contains { $0.hasPrefix("a time that names a day, month or year only") })
    }
}
