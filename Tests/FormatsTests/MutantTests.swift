import Archives
import CivilTime
import Core
import Foundation
import PluginTestKit
import Testing

@testable import Formats

/// Mutants of files of tracks, of each format and of each notation with a reader of its own.
@Suite(.needs(.xml), .serialized) struct MutantTests {
    /// Points of each file.
    private static let points = 24

    private static func time(_ index: Int) -> String {
        "2026-06-06T08:\(index / 3 < 10 ? "0" : "")\(index / 3):\(["00", "20", "40"][index % 3])Z"
    }
    private static func latitude(_ index: Int) -> String { "47.\(1000 + index * 3)" }
    private static func longitude(_ index: Int) -> String { "8.\(2000 + index * 2)" }

    /// A comment that begins in its text takes the rest of it.
    private static let line: MutableFile = {
        var file = MutableFile(
            "l.kml",
            head:
                "<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Placemark><name>L</name><LineString><coordinates>\n",
            items: (0..<points).map { "\(longitude($0)),\(latitude($0)),\(500 + 3 * $0)\n" },
            tail: "</coordinates></LineString></Placemark></kml>\n", isOfLines: true)
        file.endless = "<!--"
        return file
    }()

    /// One file of each format and of each notation with readers of its own.
    static let files: [MutableFile] = [
        MutableFile(
            "a.gpx",
            head: "<?xml version=\"1.0\"?>\n<gpx version=\"1.1\" creator=\"a\"><trk><name>A</name><trkseg>\n",
            items: (0..<points).map {
                "<trkpt lat=\"\(latitude($0))\" lon=\"\(longitude($0))\"><ele>\(500 + 3 * $0)</ele><time>\(time($0))</time>"
                    + "<extensions><gpxtpx:hr>\(100 + $0)</gpxtpx:hr></extensions></trkpt>\n"
            }, tail: "</trkseg></trk></gpx>\n"),
        MutableFile(
            "w.gpx", head: "<?xml version=\"1.0\"?>\n<gpx version=\"1.1\" creator=\"a\">\n",
            items: (0..<points).map {
                "<wpt lat=\"\(latitude($0))\" lon=\"\(longitude($0))\"><name>W\($0)</name><desc>D\($0)</desc></wpt>\n"
            }, tail: "</gpx>\n"),
        MutableFile(
            "a.tcx",
            head:
                "<TrainingCenterDatabase xmlns=\"http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2\"><Activities>"
                + "<Activity Sport=\"Biking\"><Id>\(time(0))</Id><Lap StartTime=\"\(time(0))\"><Track>\n",
            items: (0..<points).map {
                "<Trackpoint><Time>\(time($0))</Time><Position><LatitudeDegrees>\(latitude($0))</LatitudeDegrees>"
                    + "<LongitudeDegrees>\(longitude($0))</LongitudeDegrees></Position><AltitudeMeters>\(500 + 3 * $0)</AltitudeMeters>"
                    + "<HeartRateBpm><Value>\(100 + $0)</Value></HeartRateBpm></Trackpoint>\n"
            }, tail: "</Track></Lap></Activity></Activities></TrainingCenterDatabase>\n"),
        MutableFile(
            "p.kml", head: "<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Document>\n",
            items: (0..<points).map {
                "<Placemark><name>P\($0)</name><Point><coordinates>\(longitude($0)),\(latitude($0)),\(500 + 3 * $0)"
                    + "</coordinates></Point></Placemark>\n"
            }, tail: "</Document></kml>\n"),
        MutableFile(
            "t.kml",
            head:
                "<kml xmlns=\"http://www.opengis.net/kml/2.2\" xmlns:gx=\"http://www.google.com/kml/ext/2.2\"><Placemark><gx:Track>\n",
            items: (0..<points).map {
                "<when>\(time($0))</when><gx:coord>\(longitude($0)) \(latitude($0)) \(500 + 3 * $0)</gx:coord>\n"
            }, tail: "</gx:Track></Placemark></kml>\n"),
        line,
        MutableFile(
            "p.geojson",
            head:
                "{\"type\":\"FeatureCollection\",\"features\":[\n{\"type\":\"Feature\",\"properties\":{},\"geometry\":null}",
            items: (0..<points).map {
                ",\n{\"type\":\"Feature\",\"properties\":{\"name\":\"P\($0)\"},\"geometry\":{\"type\":\"Point\",\"coordinates\":"
                    + "[\(longitude($0)),\(latitude($0)),\(500 + 3 * $0)]}}"
            }, tail: "\n]}\n"),
        MutableFile(
            "l.geojson",
            head:
                "{\"type\":\"Feature\",\"properties\":{\"name\":\"L\"},\"geometry\":{\"type\":\"LineString\",\"coordinates\":[\n[8.1,47.05,490]",
            items: (0..<points).map { ",\n[\(longitude($0)),\(latitude($0)),\(500 + 3 * $0)]" },
            tail: "\n]}}\n"),
        MutableFile(
            "a.nmea", head: "",
            items: (0..<points).map { index in
                let clock = time(index).dropFirst(11).filter(\.isNumber)
                let words =
                    "GPRMC,\(clock),A,47\(String(10 + index)).5000,N,008\(String(10 + index)).2000,E,3.0,10.0,060626,,"
                let sum = words.utf8.reduce(UInt8(0), ^)
                return "$\(words)*\(sum < 16 ? "0" : "")\(String(sum, radix: 16, uppercase: true))\r\n"
            }, tail: "", isOfLines: true),
        MutableFile(
            // Its first item shows how the others begin.
            "Records.json",
            head:
                "{\"locations\":[\n{\"latitudeE7\":470900000,\"longitudeE7\":81900000,\"timestamp\":\"\(time(0))\"}",
            items: (0..<points).map {
                ",\n{\"latitudeE7\":\(latitude($0).filter(\.isNumber))000,\"longitudeE7\":\(longitude($0).filter(\.isNumber))000,"
                    + "\"altitude\":\(500 + 3 * $0),\"timestamp\":\"\(time($0))\"}"
            }, tail: "\n]}\n"),
        MutableFile(
            "Timeline.json",
            head:
                "{\"semanticSegments\":[{\"startTime\":\"\(time(0))\",\"endTime\":\"\(time(points - 1))\",\"timelinePath\":[\n{\"point\":\"47.09°, 8.19°\",\"time\":\"\(time(0))\"}",
            items: (0..<points).map {
                ",\n{\"point\":\"\(latitude($0))°, \(longitude($0))°\",\"time\":\"\(time($0))\"}"
            }, tail: "\n]}]}\n"),
        MutableFile(
            "a.csv", head: "time,lat,lon,ele,hr\n",
            items: (0..<points).map {
                "\(time($0)),\(latitude($0)),\(longitude($0)),\(500 + 3 * $0),\(100 + $0)\n"
            }, tail: "", isOfLines: true),
        fit,
    ]

    /// A file of FIT: a definition, and a message for each point.
    private static let fit: MutableFile = {
        func little<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
            withUnsafeBytes(of: value.littleEndian, Array.init)
        }
        func semicircles(_ degrees: String) -> Int32 { Int32((Double(degrees) ?? 0) / 180 * 0x1p31) }
        let definitions: [UInt8] =
            [0x40, 0, 0, 20, 0, 5, 253, 4, 0x86, 0, 4, 0x85, 1, 4, 0x85, 2, 2, 0x84, 3, 1, 2]
        let items = (0..<points).map { index -> [UInt8] in
            [0] + little(UInt32(1_149_580_800 + index * 20)) + little(semicircles(latitude(index)))
                + little(semicircles(longitude(index))) + little(UInt16((1000 + 3 * index) * 5))
                + [UInt8(100 + index)]
        }
        var bytes: [UInt8] =
            [14, 0x10, 0x34, 0x08] + little(UInt32(definitions.count + items.joined().count))
        bytes += Array(".FIT".utf8)
        bytes += little(FITChecksum.of(bytes))
        let head = bytes + definitions
        let whole = head + items.joined()
        let sum = FITChecksum.of(whole)
        return MutableFile("a.fit", head: head, items: items, tail: little(sum), keepsLength: true)
    }()

    /// What is known of each point of a file, in the order of the file.
    private func points(_ file: TrackFile) -> [String] {
        func words(_ point: GPXPoint) -> String {
            let place = point.coordinate
            return
                "\(place.latitude) \(place.longitude) \(place.altitude ?? -1) \(point.time?.milliseconds ?? -1) "
                + "\(point.heartRate ?? -1) \(point.name ?? "")"
        }
        return file.lines.flatMap { line in
            line.segments.joined().map(words) + line.unplaced.map { "\($0.time) \($0.sensors)" }
        } + file.document.waypoints.map(words)
    }

    @Test(arguments: files) func aFileOfTracks(file: MutableFile) async throws {
        try await MutantTrial([file]) { bytes, name in
            let read = try TrackFile(SourceBytes(bytes, name: name))
            let account = try #require(read.document.account)
            #expect(account.addsUp, "\(name): \(account)")
            return points(read)
        }.run()
    }
}
