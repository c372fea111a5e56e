import Formats
import Foundation
import Geodesy
import PluginTestKit
import Testing

/// Nothing of a GPX file is lost without a notice.
struct GPXKeepingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func read(_ text: String) throws -> GPXDocument {
        let url = folder.url.appendingPathComponent("a.gpx")
        try Data(text.utf8).write(to: url)
        return try GPXReader.document(url)
    }

    /// Everything in GPX 1.0 that 1.1 writes differently.
    @Test func theElementsOfVersionOne() throws {
        let text = """
            <gpx version="1.0" creator="eTrex" xmlns="http://www.topografix.com/GPX/1/0" xmlns:t="urn:t">
            <author>Ann</author><email>ann@example.org</email><url>https://example.org</url><urlname>Home</urlname>
            <trk><name>W</name><url>https://example.org/w</url><urlname>Walk</urlname><t:color>red</t:color><trkseg>
            <trkpt lat="1" lon="2"><course>12.5</course><speed>1.25</speed><t:x a="1"><t:y/></t:x></trkpt>
            </trkseg></trk></gpx>
            """
        let document = try read(text)
        #expect(document.creator == "eTrex" && document.authorEmail == "ann@example.org")
        #expect(document.links == [WebLink("https://example.org", text: "Home")])
        let line = document.tracks[0]
        #expect(line.links == [WebLink("https://example.org/w", text: "Walk")])
        #expect(line.extensions == "<color xmlns=\"urn:t\">red</color>")
        let point = line.segments[0][0]
        #expect(point.sensors.speed == 1.25 && point.sensors.course == 12.5)
        #expect(point.extensions == "<x xmlns=\"urn:t\" a=\"1\"><y></y></x>")
        #expect(document.notices == [])
        var back = try read(GPXWriter.text(document))
        #expect(back.creator == "Rutter")
        back.creator = document.creator
        #expect(back == document)
    }

    @Test func metadataOfVersionOneOne() throws {
        let text = """
            <gpx version="1.1" creator="c" xmlns="http://www.topografix.com/GPX/1/1"><metadata><name>N</name>
            <author><name>A</name><email id="a" domain="b.org"/><link href="https://a.org"><text>T</text></link></author>
            <copyright author="C &amp; D"><year>2020</year><license>https://l.org</license></copyright>
            <link href="https://1.org"/><link href="https://2.org"><type>text/html</type></link>
            <extensions><x xmlns="urn:x">1 &lt; 2</x></extensions></metadata>
            <wpt lat="1" lon="2"><link href="https://1.org"/><link href="https://2.org"/></wpt></gpx>
            """
        let document = try read(text)
        #expect(document.copyright == FileCopyright(author: "C & D", year: "2020", license: "https://l.org"))
        #expect(document.links.count == 2 && document.waypoints[0].links.count == 2)
        #expect(document.authorLink?.text == "T")
        #expect(document.extensions == "<x xmlns=\"urn:x\">1 &lt; 2</x>")
        var back = try read(GPXWriter.text(document))
        back.creator = document.creator
        #expect(back == document)
    }

    /// Measurements beyond Garmin's ranges are kept in elements of our own.
    @Test func allSensorsComeBack() throws {
        var point = GPXPoint(coordinate: Coordinate(latitude: 1, longitude: 2))
        for (index, kind) in PointSensors.Kind.allCases.enumerated() {
            point.sensors[kind] = Double(index) + 0.25
        }
        var cold = GPXPoint(coordinate: Coordinate(latitude: 1, longitude: 2.5), heartRate: 0)
        cold.sensors.temperature = -40
        cold.sensors.power = 300
        cold.sensors.cadence = 254
        var document = GPXDocument()
        document.tracks = [GPXLine(segments: [[point, cold]])]
        #expect(try read(GPXWriter.text(document)).tracks == document.tracks)
        #expect(FormatCapacity.gpx.losses(document.tracks).isEmpty)
    }

    /// Ignored data are listed, with counts.
    @Test func whatIsNotKeptIsNoticed() throws {
        let document = try read(
            "<gpx><trk><trkseg><extensions><a/></extensions><trkpt lat='1' lon='2'><mood>5</mood><fix>4d</fix></trkpt>"
                + "<trkpt lat='1' lon='2'><mood>6</mood></trkpt></trkseg></trk></gpx>")
        #expect(
            document.notices == [
                "trkseg/extensions was ignored", "trkpt/mood was ignored (2 times)",
                "trkpt/fix `4d` was ignored",
            ])
    }

    /// Every element of every sample is in the file that is written, or in a notice.
    @Test(.enabled(if: RealData.has("gpx"), "needs the folder of real data"))
    func everySampleComesBack() throws {
        let files = (RealData.files(in: "gpx") + RealData.files(in: "gpx/hiking-de")).filter {
            $0.pathExtension == "gpx"
        }
        #expect(files.count > 50)
        for file in files {
            let document = try GPXReader.document(file)
            var back = try read(GPXWriter.text(document))
            back.creator = document.creator
            back.notices = document.notices
            back.doubts = document.doubts
            #expect(
                back.tracks.map(\.pointCount) == document.tracks.map(\.pointCount),
                "\(file.lastPathComponent)")
            #expect(rounded(back) == rounded(document), "\(file.lastPathComponent)")
        }
    }

    /// Angles to 10⁻⁷°, elevations to a millimetre, as they are written: rounded from the binary value by the C library.
    private func rounded(_ document: GPXDocument) -> GPXDocument {
        func printed(_ value: Double, _ decimals: Int) -> Double {
            Double(String(format: "%.\(decimals)f", value)) ?? .nan
        }
        func rounded(_ point: GPXPoint) -> GPXPoint {
            var point = point
            point.coordinate.latitude = printed(point.coordinate.latitude, 7)
            point.coordinate.longitude = printed(point.coordinate.longitude, 7)
            point.coordinate.altitude = point.coordinate.altitude.map { printed($0, 3) }
            for kind in PointSensors.Kind.allCases {
                point.sensors[kind] = point.sensors[kind].map { ($0 * 1e8).rounded() / 1e8 }
            }
            return point
        }
        func rounded(_ line: GPXLine) -> GPXLine {
            var line = line
            line.segments = line.segments.map { $0.map(rounded) }
            return line
        }
        var document = document
        document.waypoints = document.waypoints.map(rounded)
        document.tracks = document.tracks.map(rounded)
        document.routes = document.routes.map(rounded)
        return document
    }
}
