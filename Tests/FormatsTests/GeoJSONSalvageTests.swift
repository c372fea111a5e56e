import Archives
import CivilTime
import Foundation
import Geodesy
import Testing

@testable import Formats

/// What cannot be used of a GeoJSON file is set aside and said; the rest is read.
@Suite struct GeoJSONSalvageTests {
    private func read(_ text: String) throws -> TrackFile {
        try TrackFile(SourceBytes(Array(text.utf8), name: "a.geojson"))
    }

    private func collection(_ features: [String], head: String = "") throws -> TrackFile {
        try read("{\"type\":\"FeatureCollection\",\(head)\"features\":[\(features.joined(separator: ","))]}")
    }

    private func feature(_ type: String, _ coordinates: String, _ properties: String = "{}") -> String {
        """
        {"type":"Feature","geometry":{"type":"\(type)","coordinates":\(coordinates)},"properties":\(properties)}
        """
    }

    private func said(_ file: TrackFile) -> [String] {
        file.document.notices + file.lines.flatMap(\.doubts)
    }

    @Test func onePositionThatIsNoneIsSetAside() throws {
        let file = try collection([
            feature("LineString", "[[8,47],[180.1,47],[8.1,47,null],[8.2,47,500]]"),
            feature("Point", "[8,47]"),
        ])
        let line = try #require(file.document.tracks.first)
        #expect(line.segments[0].map(\.coordinate.longitude) == [8, 8.1, 8.2])
        #expect(line.segments[0].map(\.coordinate.altitude) == [nil, nil, 500])
        #expect(
            said(file).contains {
                $0.hasPrefix("1 part of the file that cannot be used")
                    && $0.contains("$.features[0].geometry.coordinates[1]")
            })
        #expect(said(file).contains("altitudes that are no numbers, unknown: 1"))
        #expect(file.places.count == 1)
    }

    /// What follows the bracket is no member of the object.
    @Test func aBracketThatEndsTheListTooEarlyHidesNothing() throws {
        let points = (1...4).map { feature("Point", "[8.\($0),47]") }
        let file = try read(
            "{\"type\":\"FeatureCollection\",\"features\":[\(points[0]),\n]\(points[1]),\(points[2]),\(points[3])]}"
        )
        #expect(file.places.map(\.point.coordinate.longitude) == [8.1, 8.3, 8.4])
        #expect(said(file).contains { $0.contains("could not be read") })
    }

    /// The end of a point stands there twice.
    @Test func aRestBetweenFeaturesHidesNothing() throws {
        let points = (1...4).map { feature("Point", "[8.\($0),47]") }
        let file = try read(
            "{\"type\":\"FeatureCollection\",\"features\":[\(points[0]),47]}},\(points[1]),\(points[2]),\(points[3])]}"
        )
        #expect(file.places.map(\.point.coordinate.longitude).suffix(2) == [8.3, 8.4])
        #expect(said(file).contains { $0.contains("could not be read") })
    }

    @Test func holesAndFeaturesWithoutAGeometryAreSaid() throws {
        let ring = "[[8,47],[8.1,47],[8.1,47.1],[8,47]]"
        let file = try collection([
            feature("Polygon", "[\(ring),\(ring)]"),
            feature("MultiPolygon", "[[\(ring)],[\(ring),\(ring),\(ring)]]"),
            "{\"type\":\"Feature\",\"geometry\":null,\"properties\":{\"title\":\"Folder\"}}", "7",
        ])
        #expect(file.document.tracks.map(\.segments.count) == [1, 2])
        #expect(said(file).contains("3 holes of areas, left out: an area becomes the line around it"))
        #expect(said(file).contains("areas, of which the line around them is read: 3"))
        #expect(said(file).contains("1 feature without a geometry, left out (`Folder`)"))
        #expect(
            said(file).contains {
                $0.hasPrefix("1 part of the file that cannot be used") && $0.contains("$.features[3]")
            })
    }

    @Test(arguments: ["name", "title", "Name", "NAME", "Title", "label"])
    func namesOfOtherProgramsAreNames(key: String) throws {
        let properties = "{\"\(key)\":\"Spring\"}"
        let file = try collection([
            feature("Point", "[8,47]", properties), feature("LineString", "[[8,47],[8.1,47]]", properties),
        ])
        #expect(file.places.map(\.point.name) == ["Spring"])
        #expect(file.places[0].properties.isEmpty)
        #expect(file.document.tracks.map(\.name) == ["Spring"])
        #expect(said(file).isEmpty, "\(said(file))")
    }

    @Test func aNameDoesNotHideATitle() throws {
        let file = try collection([
            feature("Point", "[8,47]", "{\"title\":\"T\",\"name\":\"N\",\"label\":\"L\"}")
        ])
        #expect(file.places[0].point.name == "N")
        #expect(file.places[0].properties.map(\.name) == ["label", "title"])
    }

    @Test(arguments: [
        "urn:ogc:def:crs:EPSG::3857", "EPSG:3857", "http://www.opengis.net/def/crs/EPSG/0/3857",
        "EPSG:900913",
    ])
    func metresOfWebMercatorBecomeDegrees(name: String) throws {
        // By hand: x = R · λ, y = R · ln tan(π/4 + φ/2) with R = 6,378,137 m, at 47° N, 8° E.
        let head = "\"crs\":{\"type\":\"name\",\"properties\":{\"name\":\"\(name)\"}},"
        let file = try collection([feature("Point", "[890555.926346,5942074.072431,300]")], head: head)
        let place = try #require(file.places.first).point.coordinate
        #expect(abs(place.latitude - 47) < 1e-6 && abs(place.longitude - 8) < 1e-6)
        #expect(place.altitude == 300)
        #expect(said(file).contains { $0.hasPrefix("positions in metres of EPSG:3857") })
    }

    @Test func anotherSystemIsRefusedWithACommandThatConverts() throws {
        let head = "\"crs\":{\"type\":\"name\",\"properties\":{\"name\":\"urn:ogc:def:crs:EPSG::2056\"}},"
        let error = errorThrown { _ = try collection([feature("Point", "[8,47]")], head: head) }
        #expect(error?.message.contains("EPSG::2056") == true)
        #expect(error?.fix?.contains("ogr2ogr -t_srs EPSG:4326") == true)
        for name in ["urn:ogc:def:crs:OGC:1.3:CRS84", "EPSG:4326"] {
            let same = "\"crs\":{\"type\":\"name\",\"properties\":{\"name\":\"\(name)\"}},"
            #expect(
                try collection([feature("Point", "[8,47]")], head: same).places[0].point.coordinate.latitude
                    == 47)
        }
        let nowhere = errorThrown { _ = try collection([feature("Point", "[2600000,1200000]")]) }
        #expect(nowhere?.fix?.hasPrefix("these are no degrees") == true)
    }

    @Test func timesOfTheFourthValueAndOfCoordinateProperties() throws {
        let times =
            "{\"coordinateProperties\":{\"times\":[\"2026-07-04T08:00:00Z\",1783152020],\"heart\":[100,101]}}"
        let line = try #require(
            try collection([feature("LineString", "[[8,47],[8.1,47]]", times)]).document.tracks.first)
        #expect(
            line.segments[0].compactMap(\.time).map { ISO8601.text($0) } == [
                "2026-07-04T08:00:00Z", "2026-07-04T08:00:20Z",
            ])
        #expect(line.segments[0].map(\.heartRate) == [100, 101])
        let fourth = try #require(
            try collection([
                feature("LineString", "[[8,47,500,1783152000000],[181,47,0,1],[8.1,47,501,1783152020000]]")
            ])
            .document.tracks.first)
        #expect(
            fourth.segments[0].compactMap(\.time).map { ISO8601.text($0) } == [
                "2026-07-04T08:00:00Z", "2026-07-04T08:00:20Z",
            ])
        let filled = try collection([feature("Point", "[8,47,0,0]")])
        #expect(filled.places[0].point.coordinate.altitude == nil)
    }

    /// Damage within a list of positions or features stays in it: what follows is read, and no two lists are joined.
    @Test(arguments: [
        "[8.1x,47]", "[8.1,47", "[8.1]],47]", "[8.1,47]]", "8.1,47]", "[8.1,1e999]", "[8.1,4\u{1}7]",
        "[\"8.1,47]",
        "[8.1,{47]", "[8.1,,47]",
    ])
    func damageOfAPositionStaysInIt(damaged: String) throws {
        let times = (0..<4).map { "\"2026-07-04T08:00:0\($0)Z\"" }.joined(separator: ",")
        let file = try collection([
            feature(
                "LineString", "[[8,47],\(damaged),[8.2,47],[8.3,47]]",
                "{\"name\":\"A\",\"coordTimes\":[\(times)]}"),
            feature("LineString", "[[9,47],[9.1,47]]", "{\"name\":\"B\"}"),
        ])
        #expect(file.document.tracks.map(\.name) == ["A", "B"])
        let longitudes = file.document.tracks.map { $0.segments.joined().map(\.coordinate.longitude) }
        #expect(longitudes.first?.filter { $0 != 8.1 } == [8, 8.2, 8.3])
        #expect(longitudes.last == [9, 9.1])
        #expect(
            file.document.tracks.first?.segments.last?.last?.time == ISO8601.timestamp("2026-07-04T08:00:03Z")
        )
    }

    /// The lists go by the positions of the file, also by those that are set aside, and by its lines.
    @Test func listsGoByThePositionsAsWritten() throws {
        func times(_ line: GPXLine) -> [[String]] {
            line.segments.map { $0.map { point in point.time.map { ISO8601.text($0) } ?? "-" } }
        }
        let moments = (0..<5).map { "\"2026-07-04T08:00:0\($0)Z\"" }.joined(separator: ",")
        let file = try collection([
            feature(
                "LineString", "[[8,47],[8.1,47],[181,47],[8.3,47],[8.4,47]]",
                "{\"coordTimes\":[\(moments)],\"heartRates\":[100,101,102,103,104]}"),
            feature(
                "MultiLineString", "[[[181,47]],[[8,47],[8.1,47]]]",
                "{\"coordTimes\":[[\"2026-07-04T07:00:00Z\"],[\"2026-07-04T08:00:00Z\",null]]}"),
        ])
        let lines = file.document.tracks
        #expect(
            times(lines[0]) == [
                [
                    "2026-07-04T08:00:00Z", "2026-07-04T08:00:01Z", "2026-07-04T08:00:03Z",
                    "2026-07-04T08:00:04Z",
                ]
            ])
        #expect(lines[0].segments[0].map(\.heartRate) == [100, 101, 103, 104])
        #expect(times(lines[1]) == [["2026-07-04T08:00:00Z", "-"]])
        #expect(!said(file).contains { $0.contains("another number of times") })
    }

    @Test func coordinatesAsTextsAreRead() throws {
        let file = try collection([feature("LineString", "[[\"8\",\"47\"],[\"8.1\",\"47\"]]")])
        #expect(file.document.tracks[0].pointCount == 2)
        #expect(said(file).contains("coordinates written as texts, read as numbers: 2"))
    }

    @Test func whatALineCannotKeepIsNamed() throws {
        let file = try collection([
            feature("LineString", "[[8,47],[8.1,47]]", "{\"name\":\"A\",\"stroke\":\"#f00\"}"),
            feature("Point", "[8,47]", "{\"tags\":[1]}"),
        ])
        #expect(said(file).contains("properties that have no place here, left out: `stroke`, `tags`"))
    }

    @Test func repeatedKeysAreSaid() throws {
        let file = try collection([feature("Point", "[8,47]", "{\"name\":\"A\",\n\"name\":\"B\"}")])
        #expect(file.places[0].point.name == "B")
        #expect(
            said(file) == [
                "keys that repeat in an object, of which the last value is used: 1 (first `name` in line 2)"
            ])
    }

    @Test func zeroZeroIsNoPlaceAmongOthersFarAway() throws {
        let file = try collection([
            feature("Point", "[0,0]", "{\"name\":\"Shop\"}"), feature("Point", "[8,47]"),
        ])
        #expect(file.places.map(\.point.coordinate.latitude) == [47])
        #expect(file.document.waypoints.count == 1)
        #expect(said(file) == ["1 waypoint at 0,0, which is no place, left out (`Shop`)"])
        #expect(try collection([feature("Point", "[0,0]"), feature("Point", "[0.1,0]")]).places.count == 2)
    }
}
