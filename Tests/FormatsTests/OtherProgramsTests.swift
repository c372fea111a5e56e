import Archives
import CivilTime
import Foundation
import Geodesy
import Testing

@testable import Formats

/// What programs write that follow their own habits, or the language of their owners.
@Suite struct OtherProgramsTests {
    private func file(_ text: String, _ name: String) throws -> TrackFile {
        try TrackFile(SourceBytes(Array(text.utf8), name: name))
    }

    private func gpx(_ points: [String], type: String = "", creator: String = "x") throws -> GPXLine {
        let text = """
            <gpx version="1.1" creator="\(creator)" xmlns="http://www.topografix.com/GPX/1/1">
            <trk>\(type)<trkseg>\(points.joined())</trkseg></trk></gpx>
            """
        return try #require(try file(text, "a.gpx").document.tracks.first)
    }

    private func written(tracks: [GPXLine] = [], routes: [GPXLine] = []) -> String {
        var document = GPXDocument()
        (document.tracks, document.routes) = (tracks, routes)
        return GPXWriter.text(document)
    }

    private func point(_ minute: Int, _ extensions: String = "") -> String {
        "<trkpt lat=\"47.00\(minute)\" lon=\"8\"><time>2026-07-04T08:0\(minute):00Z</time>\(extensions)</trkpt>"
    }

    // MARK: GPX

    @Test func numbersOfStravaAreItsActivities() throws {
        let points = [point(0), point(1)]
        let ride = try gpx(points, type: "<type>1</type>", creator: "StravaGPX")
        #expect(ride.type == "cycling" && ride.doubts == [])
        let other = try gpx(points, type: "<type>77</type>", creator: "StravaGPX")
        #expect(other.type == "77")
        #expect(other.doubts == ["activity 77, a number of Strava whose meaning is not known: 1"])
        // Another program counts otherwise.
        #expect(try gpx(points, type: "<type>1</type>", creator: "Runtastic").type == "1")
    }

    @Test func aHeartRateThatIsNoNumberIsSaid() throws {
        func rate(_ text: String) -> String { "<extensions><hr>\(text)</hr></extensions>" }
        let line = try gpx([point(0, rate("120")), point(1, rate("--")), point(2, rate(""))])
        #expect(line.segments[0].map(\.heartRate) == [120, nil, nil])
        #expect(line.doubts == ["values of heart rate that are no number, unknown: 1 (first in line 2)"])
    }

    /// Apple writes the accuracy in elements without a namespace of their own; the schema allows only those of others.
    @Test func elementsWithoutANamespaceAreReadAndWrittenInOne() throws {
        let own = "<extensions><speed>1.5</speed><hAcc>12</hAcc><vAcc>3</vAcc></extensions>"
        let line = try gpx([point(0, own), point(1, own)], creator: "Apple Health Export")
        #expect(line.segments[0].map(\.sensors.accuracy) == [12, 12])
        #expect(line.segments[0].map(\.sensors.speed) == [1.5, 1.5])
        let text = written(tracks: [line])
        #expect(text.contains("<vAcc xmlns=\"urn:rutter:gpx:unqualified\">3</vAcc>"))
        let back = try #require(try file(text, "b.gpx").document.tracks.first)
        #expect(back.segments == line.segments)
    }

    @Test(arguments: ["heartrate", "heart_rate", "HeartRate", "gpxtpx:hr"])
    func namesOfTheHeartRate(name: String) throws {
        let own = "<extensions><\(name)>101</\(name)></extensions>"
        #expect(try gpx([point(0, own), point(1, own)]).segments[0].map(\.heartRate) == [101, 101])
    }

    /// BaseCamp writes the way between two points of a route into an extension of the first.
    @Test func shapingPointsAreTheWayOfARoute() throws {
        let shapes = ["47.001", "47.002", "47.002", "x"].map { "<gpxx:rpt lat=\"\($0)\" lon=\"8.1\"/>" }
        let text = """
            <gpx version="1.1" creator="BaseCamp" xmlns="http://www.topografix.com/GPX/1/1"
            xmlns:gpxx="http://www.garmin.com/xmlschemas/GpxExtensions/v3"><rte><name>R</name>
            <rtept lat="47" lon="8"><name>A</name><extensions><gpxx:RoutePointExtension>
            <gpxx:Subclass>00</gpxx:Subclass>\(shapes.joined())</gpxx:RoutePointExtension></extensions></rtept>
            <rtept lat="47.003" lon="8"><name>B</name></rtept></rte></gpx>
            """
        let route = try #require(try file(text, "a.gpx").document.routes.first)
        #expect(route.segments[0].map(\.coordinate.latitude) == [47, 47.001, 47.002, 47.003])
        #expect(route.segments[0].map(\.name) == ["A", nil, nil, "B"])
        #expect(
            route.doubts == [
                "shaping points without a position, left out: 1",
                "shaping points of a route, read as points of its way: 2",
            ])
        // They are points of their own now, and come back once.
        let back = try file(written(routes: [route]), "b.gpx").document.routes.first
        #expect(back?.segments[0].map(\.coordinate) == route.segments[0].map(\.coordinate))
    }

    // MARK: Tables

    private func table(_ lines: [String]) throws -> TrackFile {
        try file(lines.joined(separator: "\n"), "a.csv")
    }

    @Test(arguments: [
        ["time,latitude,longitude", "2026-07-04T08:00:00Z,46°30'36\"N,10°12'0\"E"],
        ["time,latitude,longitude", "2026-07-04T08:00:00Z,46°30'36.0\"N,10°11'60.0\"E"],
        ["time,latitude,longitude", "2026-07-04T08:00:00Z,N46 30.6,E10 12"],
        ["time,latitude,longitude", "2026-07-04T08:00:00Z,\"46,51\",\"10,2\""],
        ["time,position", "2026-07-04T08:00:00Z,\"(46.51, 10.2)\""],
        ["time,at", "2026-07-04T08:00:00Z,\"46.51,10.2\""],
        ["time,wkt", "2026-07-04T08:00:00Z,POINT(10.2 46.51)"],
        ["time,wkt", "2026-07-04T08:00:00Z,SRID=4326;POINT(10.2 46.51)"],
        ["Zeit;Breitengrad;Längengrad", "2026-07-04T08:00:00Z;46,51;10,2"],
        ["Datum;Uhrzeit;Breitengrad;Längengrad", "04.07.2026;08:00:00Z;46,51;10,2"],
        ["Heure,Latitude,Longitude", "2026-07-04T08:00:00Z,46.51,10.2"],
        ["ora,latitudine,longitudine", "2026-07-04T08:00:00Z,46.51,10.2"],
    ])
    func positionsAndColumnsOfManyForms(lines: [String]) throws {
        let found = try #require(try table(lines).document.tracks.first?.segments[0].first)
        #expect(abs(found.coordinate.latitude - 46.51) < 1e-9)
        #expect(abs(found.coordinate.longitude - 10.2) < 1e-9)
        #expect(found.time.map { ISO8601.text($0) } == "2026-07-04T08:00:00Z")
    }

    @Test func aMinusOfTypographyIsAMinus() throws {
        let file = try table(["time,lat,lon", "2026-07-04T08:00:00Z,\u{2212}46.5,10.2"])
        #expect(file.document.tracks.first?.segments[0].first?.coordinate.latitude == -46.5)
    }

    /// A column with the name of a place beside angles is no position, and one alone makes no table of points.
    @Test func aColumnOfPlacesIsNoPosition() throws {
        let file = try table(["name,lat,lon,location", "Hut,46.5,10.2,Bormio"])
        #expect(file.document.waypoints.map(\.name) == ["Hut"])
        #expect(file.document.notices == ["columns not read: location"])
        #expect(throws: (any Error).self) { try table(["id,location", "1,Bormio"]) }
        // The reference system is no date.
        let system = try table(["time,lat,lon,Datum", "2026-07-04T08:00:00Z,46.5,10.2,WGS84"])
        #expect(system.document.notices == ["columns not read: Datum"])
        #expect(system.document.tracks.first?.segments[0].first?.time != nil)
    }

    @Test func aTableOfWindowsIsReadInItsOwnLetters() throws {
        let text = "Zeit;Breitengrad;Längengrad;Höhe (m)\n2026-07-04T08:00:00Z;46,51;10,2;580\n"
        let bytes = Array(try #require(text.data(using: .windowsCP1252)))
        let file = try TrackFile(SourceBytes(bytes, name: "a.csv"))
        let line = try #require(file.document.tracks.first)
        #expect(
            line.segments[0].first?.coordinate == Coordinate(latitude: 46.51, longitude: 10.2, altitude: 580))
        #expect(line.doubts.contains("texts read as Windows-1252, since it is not UTF-8: 1"))
    }

    /// Excel writes times since 1970 in six digits: all points of a walk have one or two times.
    @Test func timesThatASpreadsheetHasRoundedAreUnknown() throws {
        let rounded = try table(["time,lat,lon", "1.783152E+09,46.5,10.2"])
        let line = try #require(rounded.document.tracks.first)
        #expect(line.segments[0].first?.time == nil)
        #expect(line.doubts.contains("times that a spreadsheet has rounded to minutes or hours, unknown: 1"))
        let exact = try table(["time,lat,lon", "1.783152000E+09,46.5,10.2"])
        #expect(
            exact.document.tracks.first?.segments[0].first?.time.map { ISO8601.text($0) }
                == "2026-07-04T08:00:00Z")
    }

    @Test func aNameThatIsANumberIsAName() throws {
        let file = try file(
            #"{"type":"Feature","properties":{"name":2026},"geometry":{"type":"Point","coordinates":[8,47]}}"#,
            "a.geojson")
        #expect(file.document.waypoints.map(\.name) == ["2026"])
    }

    /// A logger that begins a segment with each point has not lost the way between them.
    @Test func segmentsOfSinglePointsAreOne() throws {
        let line = try gpx([point(0) + "</trkseg><trkseg>" + point(1) + "</trkseg><trkseg>" + point(2)])
        #expect(line.segments.map(\.count) == [3])
        #expect(line.doubts == ["3 segments of one point each: joined, since there is no way within them"])
    }

    @Test func theCommentOfAPlaceIsItsNote() throws {
        let file = try table(["name,lat,lon,comment", "Hut,46.5,10.2,closed in May"])
        #expect(file.document.waypoints.map(\.description) == ["closed in May"])
    }

    // MARK: JSON

    @Test func halfACharacterIsReplacedAndSaid() throws {
        let text =
            #"{"type":"Feature","properties":{"name":"cut \ud83d, \ud83d\u0041 \udc00"},"geometry":"#
            + #"{"type":"Point","coordinates":[10.2,46.5]}}"#
        let file = try file(text, "a.geojson")
        #expect(file.document.waypoints.map(\.name) == ["cut \u{FFFD}, \u{FFFD}A \u{FFFD}"])
        #expect(
            file.document.notices.contains {
                $0.hasPrefix("halves of characters in texts") && $0.contains(": 3 (first in line 1)")
            })
    }

    /// What stands before the damage of a JSON text is read, and the damage is said.
    @Test func aCutFileOfJSONIsReadUpToTheCut() throws {
        let whole =
            #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"A"},"geometry":"#
            + #"{"type":"LineString","coordinates":[[10.2,46.5],[10.2,46.6],[10.2,46.7]]}}]}"#
        let cut = try file(String(whole.dropLast(12)), "a.geojson")
        #expect(cut.lines.first?.segments.first?.map(\.coordinate.latitude).prefix(2) == [46.5, 46.6])
        #expect(cut.lines.first?.name == "A")
        #expect(
            cut.lines.first?.doubts.contains { $0.hasPrefix("the file is cut or damaged at line 1") } == true)
        let broken = try file(whole.replacingOccurrences(of: "46.7", with: "46.7:"), "a.geojson")
        #expect(broken.lines.first?.segments.first?.count == 3)
    }

    /// Google writes the name of a saved place into the property `location`, and 0,0 where it has none.
    @Test func savedPlacesOfGoogleHaveTheirNames() throws {
        let text = """
            {"type":"FeatureCollection","features":[
            {"type":"Feature","geometry":{"type":"Point","coordinates":[0,0]},"properties":{"Comment":"none"}},
            {"type":"Feature","geometry":{"type":"Point","coordinates":[10.2,46.5]},
            "properties":{"location":{"address":"Via 1","name":"Rifugio A"}}}]}
            """
        let file = try file(text, "Saved Places.json")
        #expect(file.document.waypoints.map(\.name) == ["Rifugio A"])
        #expect(file.places.first?.properties.map(\.name) == ["address"])
        #expect(file.document.notices == ["1 waypoint at 0,0, which is no place, left out"])
    }
}
