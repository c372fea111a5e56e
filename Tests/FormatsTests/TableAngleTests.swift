import Archives
import Core
import Foundation
import Testing

@testable import Formats

/// Angles of tables in columns and units that loggers have, and encodings of GeoJSON.
struct TableAngleTests {
    private func read(_ text: String, _ name: String = "a.csv") throws -> TrackFile {
        try TrackFile(SourceBytes(Array(text.utf8), name: name))
    }

    private func places(_ file: TrackFile) -> [[Double]] {
        file.lines.flatMap { $0.segments.joined() }.map { point in
            [point.coordinate.latitude, point.coordinate.longitude].map { ($0 * 1e6).rounded() / 1e6 }
        }
    }

    private func doubts(_ file: TrackFile) -> String {
        (file.document.doubts + file.document.notices + file.lines.flatMap(\.doubts)).joined(separator: "; ")
    }

    /// A logger for bicycles names them so: without their letters the way would lie on the other side of Greenwich.
    @Test(arguments: [
        ("LatitudeDir", "LongitudeDir"), ("Lat Hemisphere", "Lon Hemisphere"), ("lat_ref", "lng_ref"),
        ("Latitude N or S", "Longitude E or W"),
    ])
    func lettersOfHemispheresBesideTheirAngles(north: String, east: String) throws {
        let file = try read(
            "Date;Time;Latitude;\(north);Longitude;\(east)\n06.06.2026;08:00:00;47.1;S;8.2;W\n"
                + "16.06.2026;08:00:20;47.2;S;8.2;W\n")
        #expect(places(file) == [[-47.1, -8.2], [-47.2, -8.2]])
        #expect(!doubts(file).contains("columns not read"))
    }

    /// A recorder for telephones comments its line of names out.
    @Test func namesOfColumnsInAComment() throws {
        let file = try read(
            "# recorded on a walk\n#time,trackpoint_type,latitude,longitude,altitude\n"
                + "\"2026-06-06T10:00:00.814+02:00\",\"TRACKPOINT\",47.1,8.2,500\n"
                + "\"2026-06-06T10:00:20.815+02:00\",\"TRACKPOINT\",47.2,8.2,501\n")
        #expect(places(file) == [[47.1, 8.2], [47.2, 8.2]])
        #expect(file.lines.first?.segments[0][1].coordinate.altitude == 501)
    }

    /// Feet below `ele` are no metres.
    @Test(arguments: ["UTC,deg,deg,ft,mph", ",°,°,[ft],[mph]", "(UTC),(deg),(deg),(ft),(mph)"])
    func unitsBelowTheNamesOfColumns(units: String) throws {
        let file = try read(
            "time,lat,lon,ele,speed\n\(units)\n2026-06-06T08:00:00Z,47.1,8.2,1000,3\n"
                + "2026-06-06T08:00:20Z,47.2,8.2,1010,3\n")
        #expect(places(file) == [[47.1, 8.2], [47.2, 8.2]])
        let point = try #require(file.lines.first?.segments[0][0])
        #expect(abs((point.coordinate.altitude ?? 0) - 304.8) < 0.01)
        #expect(abs((point.sensors.speed ?? 0) - 1.341) < 0.001)
        #expect(doubts(file).isEmpty)
    }

    /// Rows that begin a segment have no position: between two segments there is no way.
    @Test func rowsThatBeginASegment() throws {
        func row(_ time: String, _ mark: String, _ north: String) -> String {
            "2026-06-06T\(time)Z,\(mark),\(north),\(north.isEmpty ? "" : "8")\n"
        }
        let file = try read(
            "time,trackpoint_type,latitude,longitude\n" + row("08:00:00", "SEGMENT_START_MANUAL", "")
                + row("08:00:10", "TRACKPOINT", "47") + row("08:00:20", "TRACKPOINT", "47.0001")
                + row("08:00:30", "SEGMENT_END_MANUAL", "") + row("09:00:00", "SEGMENT_START_MANUAL", "")
                + row("09:00:10", "TRACKPOINT", "47.02") + row("09:00:20", "TRACKPOINT", "47.0201"))
        #expect(file.lines.flatMap { $0.segments.map(\.count) } == [2, 2])
        #expect(file.document.account?.addsUp == true)
        #expect(!doubts(file).contains("possible position"))
    }

    @Test(arguments: [
        ("latE7,lonE7", 1e7), ("latitude_e7,longitude_e7", 1e7), ("lat (1e-7 deg),lon (1e-7 deg)", 1e7),
        ("lat_e6,lon_e6", 1e6), ("lat (microdegrees),lon (microdegrees)", 1e6), ("lat,lon", 1e7),
    ])
    func anglesInPartsOfADegree(names: String, unit: Double) throws {
        func row(_ north: Double) -> String { "\(Int(north * unit)),\(Int(8.25 * unit))\n" }
        let file = try read("\(names)\n" + row(47.5) + row(47.75) + row(47.25))
        #expect(places(file) == [[47.5, 8.25], [47.75, 8.25], [47.25, 8.25]])
        #expect(doubts(file).contains("as only their size shows: 3") == (names == "lat,lon"))
    }

    /// Numbers that may be of either unit are no positions: 47.5 or 4.75 degrees.
    @Test func anglesOfAnUnknownPartOfADegree() throws {
        let file = try? read("time,lat,lon\n2026-06-06T08:00:00Z,47500000,8250000\n")
        #expect(file.map(places)?.isEmpty ?? true)
        if let file { #expect(doubts(file).contains("say their unit")) }
    }

    private static func feature(_ north: Double) -> String {
        "{\"type\":\"Feature\",\"properties\":{\"name\":\"Küste\"},\"geometry\":"
            + "{\"type\":\"LineString\",\"coordinates\":[[8,\(north)],[8,48]]}}"
    }

    /// RFC 8142: each text begins with a separator of records.
    @Test(arguments: ["a.geojsonl", "a.geojson", "a.json"])
    func textSequencesOfGeoJSON(name: String) throws {
        let file = try read("\u{1E}\(Self.feature(47))\n\u{1E}\(Self.feature(47.5))\n", name)
        #expect(places(file) == [[47, 8], [48, 8], [47.5, 8], [48, 8]])
    }

    @Test(arguments: [(String.Encoding.utf16, false), (.utf16LittleEndian, true), (.utf16BigEndian, true)])
    func wideGeoJSON(encoding: String.Encoding, isSaid: Bool) throws {
        let bytes = try #require(Self.feature(47).data(using: encoding))
        let file = try TrackFile(SourceBytes(Array(bytes), name: "a.geojson"))
        #expect(places(file) == [[47, 8], [48, 8]])
        #expect(file.lines.first?.name == "Küste")
        #expect(doubts(file).contains("read as UTF-16") == isSaid)
    }
}
