import Formats
import Foundation
import PluginTestKit
import Testing

/// Files of other programs, and broken ones.
struct ReadingTests {
    private static func kml(_ content: String, _ space: String = "http://www.opengis.net/kml/2.2") -> String {
        "<kml xmlns=\"\(space)\" xmlns:gx=\"http://www.google.com/kml/ext/2.2\">\(content)</kml>"
    }

    private func session(_ text: String, _ name: String) throws -> TestSession {
        try TestSession.exporting([name: Data(text.utf8)])
    }

    @Test func aKMLOfGoogleEarth() async throws {
        let text = Self.kml(
            """
            <Document><name>Trip</name><Folder><name>Sights</name><Placemark><name>Peak</name>
            <description><![CDATA[<b>high</b>]]></description><TimeStamp><when>2026-02</when></TimeStamp>
            <Point><altitudeMode>absolute</altitudeMode><coordinates> 7.9,46.5,3000 </coordinates></Point></Placemark></Folder>
            <Placemark><gx:Track><when>2026-02-05T08:00:00Z</when><when>2026-02-05T08:01:00Z</when>
            <gx:coord>7.9 46.5 500</gx:coord><gx:coord>7.91 46.5 510</gx:coord></gx:Track></Placemark>
            <Placemark><Polygon><outerBoundaryIs><LinearRing><coordinates>1,2 3,4
            5,6 1,2</coordinates></LinearRing></outerBoundaryIs><innerBoundaryIs><LinearRing><coordinates>
            9,9 8,8 7,7 9,9</coordinates></LinearRing></innerBoundaryIs></Polygon></Placemark></Document>
            """, "http://earth.google.com/kml/2.2")
        let test = try session(text, "a.kml")
        try await test.value("import a.kml --dry-run | export b.gpx")
        let read = try GPXReader.document(test.url("b.gpx"))
        #expect(read.name == "Trip")
        let peak = try #require(read.waypoints.first)
        #expect(peak.name == "Peak" && peak.description == "<b>high</b>" && peak.coordinate.altitude == 3000)
        #expect(peak.time == read.waypoints.first?.time)
        #expect(read.tracks.map { $0.segments.map(\.count) } == [[2], [4]])
        #expect(read.tracks[0].segments[0].map { $0.coordinate.altitude } == [500, 510])
        #expect(read.tracks[0].segments[0].allSatisfy { $0.time != nil })
    }

    @Test(arguments: [
        ("<html/>", "E-KML-ROOT"), ("<gpx/>", "E-IMPORT-NOTHING"), ("", "E-IMPORT-KIND"),
        ("no xml", "E-KML-XML"),
        ("<kml xmlns='urn:other'/>", "E-KML-ROOT"), ("<kml><Document>", "E-KML-XML"),
        ("<!DOCTYPE kml [<!ENTITY a 'b'>]><kml>&a;</kml>", "E-KML-REFUSED"),
        (
            "<kml><Placemark><Point><coordinates>7,95</coordinates></Point></Placemark></kml>",
            "E-IMPORT-NOTHING"
        ),
        (
            "<kml><Placemark><Point><coordinates>NaN,5</coordinates></Point></Placemark></kml>",
            "E-IMPORT-NOTHING"
        ),
        ("<kml><Placemark><Point><coordinates>7</coordinates></Point></Placemark></kml>", "E-IMPORT-NOTHING"),
        (
            "<kml><Placemark><TimeStamp><when>soon</when></TimeStamp></Placemark></kml>",
            "E-IMPORT-NOTHING"
        ),
        ("<kml/>", "E-IMPORT-NOTHING"),
    ])
    func brokenKML(text: String, code: String) async throws {
        let test = try session(text, "a.kml")
        #expect(await test.code("import a.kml") == code)
        let shown = await test.run("import a.kml --dry-run")
        if code.hasPrefix("E-KML") { #expect(shown.contains("a.kml:"), "\(shown)") }
    }

    @Test func hugeTextsOfAKMLAreRefused() async throws {
        let long = String(repeating: "7", count: 2 << 20)
        for content in [
            "<Placemark><Point><coordinates>\(long)</coordinates></Point></Placemark>",
            "<Document><name>\(long)</name></Document>",
            String(repeating: "<a>", count: 100),
        ] {
            let test = try session(Self.kml(content), "a.kml")
            #expect(await test.code("import a.kml --dry-run") == "E-KML-REFUSED")
        }
    }

    @Test(arguments: [
        ("", "E-IMPORT-KIND"), ("{", "E-IMPORT-FORMAT"), ("[]", "E-IMPORT-FORMAT"),
        ("{\"type\":\"Feature\"}", "E-IMPORT-NOTHING"),
        ("{\"type\":\"FeatureCollection\"}", "E-IMPORT-FORMAT"),
        ("{\"type\":\"Circle\",\"coordinates\":[1,2]}", "E-IMPORT-FORMAT"),
        ("{\"type\":\"Point\",\"coordinates\":[1]}", "E-IMPORT-VALUE"),
        ("{\"type\":\"Point\",\"coordinates\":[1,95]}", "E-IMPORT-VALUE"),
        ("{\"type\":\"Point\",\"coordinates\":[1,1e400]}", "E-IMPORT-FORMAT"),
        ("{\"type\":\"Point\",\"coordinates\":[1,NaN]}", "E-IMPORT-FORMAT"),
    ])
    func brokenGeoJSON(text: String, code: String) async throws {
        let test = try session(text, "a.geojson")
        #expect(await test.code("import a.geojson") == code)
    }

    @Test func whatIsWrongInJSONIsToldWithItsPlace() async throws {
        let test = try session("{\"type\":\n \"Point\", x}", "a.geojson")
        #expect(await test.run("import a.geojson --dry-run").contains("a.geojson:2:"))
        let deep = try session(String(repeating: "[", count: 100_000), "a.geojson")
        #expect(await deep.code("import a.geojson --dry-run") == "E-IMPORT-FORMAT")
    }

    @Test func swappedCoordinatesAreSuspected() async throws {
        let test = try session("{\"type\":\"Point\",\"coordinates\":[46.5,107.9]}", "a.geojson")
        #expect(await test.run("import a.geojson --dry-run").contains("check whether they are swapped"))
    }

    @Test func aBareGeometryAndForeignProperties() async throws {
        let text = """
            {"type":"FeatureCollection","features":[
            {"type":"Feature","id":7,"geometry":{"type":"GeometryCollection","geometries":[
              {"type":"MultiPoint","coordinates":[[1,2],[3,4]]},{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}]},
              "properties":{"name":"X","name:de":"Y","rank":3,"tags":["a"],"number":"seven"}},
            {"type":"Feature","geometry":null,"properties":null}]}
            """
        let test = try session(text, "a.geojson")
        let shown = await test.run("import a.geojson --dry-run | select waypoints tracks points")
        #expect(
            shown.contains("waypoints  2") && shown.contains("tracks     1") && shown.contains("points     4")
        )
        #expect(await test.run("import a.geojson --dry-run | export --as geojson").contains("\"rank\":\"3\""))
    }

    @Test(.enabled(if: RealData.has("malformed/gpx"), "the folder of real data is not there"))
    func everythingMalformedEndsInAnErrorOrAWholeImport() async throws {
        for file in RealData.files(in: "malformed/gpx") {
            let test = try TestSession.exporting(["a.gpx": try Data(contentsOf: file)])
            let code = await test.code("import a.gpx")
            let readable = ["bad_lat_out_of_range.gpx", "bad_truncated.gpx"].contains(file.lastPathComponent)
            if file.lastPathComponent.hasPrefix("bad_"), !readable {
                let isEmpty = try Data(contentsOf: file).isEmpty
                #expect(
                    isEmpty ? code == "E-IMPORT-KIND" : code?.hasPrefix("E-GPX-") == true,
                    "\(file.lastPathComponent): \(code ?? "none")")
                let shown = await test.run("import a.gpx --dry-run")
                #expect(
                    shown.contains(isEmpty ? "a.gpx is empty" : "a.gpx:"),
                    "\(file.lastPathComponent): \(shown)")
                // Nothing was created.
                #expect(!FileManager.default.fileExists(atPath: test.url("workspace/routes.db").path))
            }
        }
    }

    /// One element of 500 MB: a text that is read, one that is not, one place. One after the other, to limit
    /// disk usage.
    @Test func oneElementOf500Megabytes() async {
        // In a process of its own: other tests that run beside it use memory, too.
        await #expect(processExitsWith: .success) {
            let piece = Data(repeating: UInt8(ascii: "7"), count: 8 << 20)
            for (format, start, code) in [
                ("gpx", "<gpx><wpt lat='1' lon='2'><name>", "E-GPX-REFUSED"),
                ("gpx", "<gpx><wpt lat='1' lon='2'><extensions><y>", "E-GPX-REFUSED"),
                ("kml", "<kml><Placemark><description>", "E-KML-REFUSED"),
                ("kml", "<kml><Placemark><LineString><coordinates>", "E-KML-REFUSED"),
                ("geojson", "{\"type\":\"Point\",\"coordinates\":[", "E-IMPORT-TOOLARGE"),
                ("community", "{\"activityType\":\"hiking\",\"id\":\"", "E-IMPORT-TOOLARGE"),
            ] {
                let test = try TestSession.exporting(["a.\(format)": Data(start.utf8)])
                let file = try FileHandle(forWritingTo: test.url("a.\(format)"))
                try file.seekToEnd()
                for _ in 0..<63 { try file.write(contentsOf: piece) }
                try file.close()
                let before = try peakMemory()
                let shown = await test.run("import a.\(format)")
                #expect(shown.contains("error \(code)"), "\(shown)")
                if code.hasSuffix("REFUSED") { #expect(shown.contains("a.\(format):1:"), "\(shown)") }
                #expect(try peakMemory() - before < 100_000)
            }
        }
    }

    @Test func hostileGPXEndsInAnError() async throws {
        let nan = "<gpx><wpt lat='NaN' lon='1'/></gpx>"
        let laughs =
            "<!DOCTYPE g [<!ENTITY a 'aaa'><!ENTITY b '&a;&a;&a;'>]><gpx><wpt lat='1' lon='1'>&b;</wpt></gpx>"
        for (text, code) in [
            (nan, "E-IMPORT-NOTHING"), (laughs, "E-GPX-REFUSED"), ("<kml/>", "E-IMPORT-NOTHING"),
            ("<gpx xmlns='urn:x'/>", "E-GPX-ROOT"), ("<gpx/>", "E-IMPORT-NOTHING"),
        ] {
            let test = try session(text, "a.gpx")
            #expect(await test.code("import a.gpx") == code)
        }
    }

    @Test(arguments: [
        ("{}", "E-IMPORT-KIND"), ("[1]", "E-IMPORT-KIND"), ("{\"id\":7}", "E-IMPORT-KIND"),
        ("{\"activityType\":\"hiking\"}", "E-IMPORT-FORMAT"),
    ])
    func brokenCommunityFiles(text: String, code: String) async throws {
        let test = try session(text, "a.json")
        #expect(await test.code("import a.json --dry-run") == code)
        #expect(await test.run("import a.json --dry-run").contains("a.json"))
    }
}
