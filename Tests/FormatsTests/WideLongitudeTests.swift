import Archives
import Testing

@testable import Formats

/// Longitudes beyond ±180°: those of a line that crosses the antimeridian are read, a damaged number is not.
struct WideLongitudeTests {
    @Test(
        arguments: [
            ([179.9, 180.1, 180.3], [false, true, true]), ([-180.096, -179.904], [true, false]),
            ([190, 190.01, 190.02], [true, true, true]), ([170, 178, 186, 194], [false, false, true, true]),
            // A damaged digit, far from the points beside it, and counts from 0 to 360 beside others.
            ([150, 180.1, 150], [false, false, false]), ([8, 188.1, 8.2], [false, false, false]),
            ([-8, 352, 352.1], [false, false, false]), ([179.9], [false]), ([190], [false]),
            ([179.95, 361, 180.05], [false, false, true]),
        ] as [([Double], [Bool])])
    func readable(longitudes: [Double], expected: [Bool]) {
        #expect(WideLongitudes.readable(longitudes) == expected)
    }

    private func longitudes(_ name: String, _ text: String) throws -> [Double] {
        let file = try TrackFile(SourceBytes(Array(text.utf8), name: name))
        #expect(file.document.account?.addsUp == true)
        return file.lines.flatMap { $0.segments.joined() }.map(\.coordinate.longitude)
    }

    @Test func everyFormatReadsThem() throws {
        let degrees = ["179.9", "180.5", "181"]
        let points = degrees.map { "<trkpt lat='10' lon='\($0)'/>" }.joined()
        let gpx = try longitudes("a.gpx", "<gpx><trk><trkseg>\(points)</trkseg></trk></gpx>")
        #expect(gpx == [179.9, -179.5, -179])
        let line = degrees.map { "\($0),10" }.joined(separator: " ")
        let kml = try longitudes(
            "a.kml",
            "<kml><Placemark><LineString><coordinates>\(line)</coordinates></LineString></Placemark></kml>")
        #expect(kml == gpx)
        let json = try longitudes(
            "a.geojson", "{\"type\":\"LineString\",\"coordinates\":[[179.9,10],[180.5,10],[181,10]]}")
        #expect(json == gpx)
        let trackpoints = degrees.enumerated().map { index, angle in
            "<Trackpoint><Time>2026-06-06T1\(index):00:00Z</Time><Position><LatitudeDegrees>10</LatitudeDegrees>"
                + "<LongitudeDegrees>\(angle)</LongitudeDegrees></Position></Trackpoint>"
        }.joined()
        let tcx = try longitudes(
            "a.tcx",
            "<TrainingCenterDatabase><Activities><Activity><Lap><Track>\(trackpoints)</Track></Lap></Activity></Activities></TrainingCenterDatabase>"
        )
        #expect(tcx == gpx)
    }

    @Test func onesThatAreNoneAreSaidWithTheirPlace() throws {
        let points = ["150", "180.1", "150"].map { "<trkpt lat='20' lon='\($0)'/>" }.joined()
        let text = "<gpx><trk><trkseg>\(points)</trkseg></trk></gpx>"
        let line = try TrackFile(SourceBytes(Array(text.utf8), name: "a.gpx")).lines[0]
        #expect(line.pointCount == 2)
        #expect(line.doubts.contains("\(GPXLine.astray): 1 (first: point 2, longitude 180.1)"))
    }

    @Test func aWaypointHasNoNeighbours() throws {
        let file = try TrackFile(
            SourceBytes(
                Array("<gpx><wpt lat='1' lon='180.5'/><wpt lat='1' lon='2'/></gpx>".utf8), name: "a.gpx"))
        #expect(file.document.waypoints.count == 1)
        let places = try TrackFile(
            SourceBytes(
                Array(
                    "<kml><Placemark><Point><coordinates>180.5,1</coordinates></Point></Placemark><Placemark><Point><coordinates>2,1</coordinates></Point></Placemark></kml>"
                        .utf8), name: "a.kml"))
        #expect(places.places.count == 1)
    }
}

/// Areas whose line does not end where it begins lack a side.
struct UnclosedAreaTests {
    private func line(_ name: String, _ text: String) throws -> GPXLine {
        let file = try TrackFile(SourceBytes(Array(text.utf8), name: name))
        #expect(file.document.account?.addsUp == true)
        return try #require(file.lines.first)
    }

    @Test func theLastSideIsAdded() throws {
        let json = try line(
            "a.geojson", "{\"type\":\"Polygon\",\"coordinates\":[[[8,47],[8.1,47],[8.1,47.1],[8,47.1]]]}")
        #expect(json.segments.map { $0.map(\.coordinate.longitude) } == [[8, 8.1, 8.1, 8, 8]])
        #expect(json.doubts.contains("\(ClosedRing.unclosed): 1"))
        let kml = try line(
            "a.kml",
            "<kml><Placemark><Polygon><outerBoundaryIs><LinearRing><coordinates>8,47 8.1,47 8.1,47.1</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark></kml>"
        )
        #expect(kml.segments.map { $0.map(\.coordinate.longitude) } == [[8, 8.1, 8.1, 8]])
    }

    @Test func aClosedOneStaysAsItIs() throws {
        let json = try line(
            "a.geojson", "{\"type\":\"Polygon\",\"coordinates\":[[[8,47,1],[8.1,47],[8.1,47.1],[8,47,2]]]}")
        #expect(json.pointCount == 4)
        #expect(!json.doubts.contains { $0.hasPrefix(ClosedRing.unclosed) })
    }
}
