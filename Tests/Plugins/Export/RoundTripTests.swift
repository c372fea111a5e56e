import Archives
import CivilTime
import Formats
import Foundation
import Geodesy
import PluginKit
import PluginTestKit
import Testing
import TrailStores

/// Written files round-trip: nothing is lost that the format can represent.
struct RoundTripTests {
    @Test(arguments: ["gpx", "geojson", "kml"])
    func randomJourneysComeBack(format: String) async throws {
        for seed in 1...60 {
            var random = RandomDocuments(seed: UInt64(seed))
            let document = random.document()
            let test = try TestSession.exporting(["a.gpx": Data(GPXWriter.text(document).utf8)])
            try await test.value("import a.gpx --dry-run | export b.\(format) --as \(format)")
            try await test.value("import b.\(format) --dry-run | export c.gpx")
            let back = try GPXReader.document(test.url("c.gpx"))
            // Without what cannot have been measured, which an import leaves out.
            var original = try TrackFile(SourceBytes(test.url("a.gpx"))).document
            // Moments of which the place is unknown have no point in these formats.
            for index in original.tracks.indices {
                (original.tracks[index].doubts, original.tracks[index].unplaced) = ([], [])
            }
            for index in original.routes.indices { original.routes[index].doubts = [] }
            #expect(back.waypoints == original.waypoints, "seed \(seed)")
            #expect(back.tracks == original.tracks, "seed \(seed)")
            #expect(back.routes == original.routes, "seed \(seed)")
            #expect(back.name == original.name, "seed \(seed)")
            #expect(back.author == original.author, "seed \(seed)")
            if original.description != nil {
                #expect(back.description == original.description, "seed \(seed)")
            }
        }
    }

    @Test(.enabled(if: Tools.has("xmllint"), "xmllint is not installed"))
    func randomJourneysAreValid() async throws {
        for seed in 1...25 {
            var random = RandomDocuments(seed: UInt64(seed))
            let test = try TestSession.exporting([
                "a.gpx": Data(GPXWriter.text(random.document()).utf8)
            ])
            await test.run("let j = import a.gpx --dry-run")
            for entry in ["b.gpx", "c.gpx --as-route", "b.kml"] {
                try await test.value("$j | export \(entry)")
            }
            #expect(try Schemas.problems(test.url("b.gpx"), Schemas.gpx) == "", "seed \(seed)")
            #expect(try Schemas.problems(test.url("c.gpx"), Schemas.gpx) == "", "seed \(seed)")
            #expect(try Schemas.problems(test.url("b.kml"), Schemas.kml) == "", "seed \(seed)")
        }
    }

    @Test(.enabled(if: Tools.has("xmllint"), "xmllint is not installed"))
    func theSchemasRefuseWhatTheyShould() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("x.xml")
        let space = "xmlns=\"http://www.topografix.com/GPX/1/1\" version=\"1.1\" creator=\"t\""
        for content in [
            "<trk/><wpt lat=\"1\" lon=\"2\"/>", "<wpt lat=\"1\" lon=\"180\"/>",
            "<wpt lat=\"1\" lon=\"2\"><time>2026-01-01T00:00:00Z</time><ele>1</ele></wpt>",
            "<wpt lat=\"1e1\" lon=\"2\"/>",
        ] {
            try Data("<gpx \(space)>\(content)</gpx>".utf8).write(to: file)
            #expect(try Schemas.problems(file, Schemas.gpx) != "", "\(content)")
        }
        try Data(
            "<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Document><Placemark><Point><coordinates>1 2</coordinates></Point><name>x</name></Placemark></Document></kml>"
                .utf8
        ).write(to: file)
        #expect(try Schemas.problems(file, Schemas.kml) != "")
    }

    /// Further data of a receiver round-trips as well, in the order of the schema; data that the schema does
    /// not allow is omitted.
    @Test func whatAReceiverSays() async throws {
        let gpx = """
            <gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1"
              xmlns:x="http://www.garmin.com/xmlschemas/TrackPointExtension/v1">
            <metadata><time>2026-03-01T00:00:00Z</time><keywords>alps, snow</keywords></metadata>
            <wpt lat="1" lon="2"><magvar>12.5</magvar><geoidheight>-3.25</geoidheight><name>A</name><src>Etrex &amp; co</src>
            <fix>3d</fix><sat>9</sat><hdop>0.9</hdop><vdop>1</vdop><pdop>1.4</pdop><ageofdgpsdata>2</ageofdgpsdata>
            <dgpsid>7</dgpsid></wpt>
            <wpt lat="1" lon="3"><hdop>NaN</hdop><fix>4d</fix><sat>-1</sat><dgpsid>1024</dgpsid><magvar>360</magvar>
            <pdop>1e3</pdop><vdop>.</vdop><geoidheight/><cad>5</cad></wpt>
            <trk><trkseg><trkpt lat="1" lon="2"><sat>5</sat><extensions><x:TrackPointExtension><x:cad>80</x:cad>
            <x:hr>101</x:hr><x:atemp>-4.5</x:atemp><x:depth>0</x:depth></x:TrackPointExtension></extensions></trkpt>
            <trkpt lat="1" lon="2.001"><extensions><x:TrackPointExtension><x:cad>254</x:cad></x:TrackPointExtension>
            </extensions></trkpt></trkseg></trk></gpx>
            """
        let test = try TestSession.exporting(["a.gpx": Data(gpx.utf8)])
        try await test.value("import a.gpx --dry-run | export b.gpx")
        let original = try GPXReader.document(test.url("a.gpx"))
        #expect(original.waypoints.map(\.details.count) == [10, 0])
        let back = try GPXReader.document(test.url("b.gpx"))
        #expect(back.waypoints == original.waypoints && back.tracks == original.tracks)
        #expect(back.time == original.time && back.keywords == "alps, snow")
        let text = try test.text("b.gpx")
        #expect(
            text.contains(
                "<gpxtpx:atemp>-4.5</gpxtpx:atemp><gpxtpx:depth>0</gpxtpx:depth><gpxtpx:hr>101</gpxtpx:hr>"
                    + "<gpxtpx:cad>80</gpxtpx:cad>"))
        guard Tools.has("xmllint") else { return }
        #expect(try Schemas.problems(test.url("b.gpx"), Schemas.gpx) == "")
    }

    @Test func aHikeOfTheStoreComesBackToTheDigit() async throws {
        let test = try TestSession.exporting(Walk.files)
        try await test.value("import walk.gpx")
        // The numbers of the file, not those of the app's track, which Float32 moves by up to 7.6e-6°.
        let stored = try GPXReader.document(test.url("walk.gpx")).tracks.flatMap { $0.segments.joined() }
        try await test.value("export b.gpx Walk")
        let points = try GPXReader.document(test.url("b.gpx")).tracks.flatMap { $0.segments.joined() }
        #expect(points.count == stored.count)
        for (before, after) in zip(stored, points) {
            #expect(abs(before.coordinate.latitude - after.coordinate.latitude) <= 1e-7)
            #expect(abs(before.coordinate.longitude - after.coordinate.longitude) <= 1e-7)
            #expect(before.time == after.time)
        }
    }

    @Test func theCommunitysFile() async throws {
        let test = try TestSession.exporting(Walk.files)
        try await test.value("import walk.gpx")
        let id = try #require(try test.hikeStore.all().first).id
        try await test.value(
            "export a.json Walk --author Ann --country Switzerland --area Oberland")
        let text = try test.text("a.json")
        let keys = [
            "activityType", "author", "boundingBox", "createdAt", "description", "id", "name", "photos",
            "region",
            "stats", "track", "version", "waypoints",
        ]
        let json = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(json.keys.sorted() == keys)
        // Keys are in their order in the file itself.
        let places = keys.compactMap { text.range(of: "\"\($0)\":")?.lowerBound }
        #expect(places.count == keys.count)
        #expect(
            text.hasPrefix("{\"activityType\":\"hiking\",\"author\":\"Ann\",\"boundingBox\":{\"east\":7.9,"))
        #expect(
            text.contains(
                "\"track\":[{\"ele\":500,\"lat\":46.5,\"lon\":7.9,\"time\":\"2026-02-05T08:00:00Z\"}"))
        #expect(text.contains("\"version\":1,"))
        #expect(json["id"] as? String == id.uuidString)
        let back = await test.run(
            "import a.json --dry-run | export --as community --country Switzerland --area Oberland")
        #expect(back.trimmingCharacters(in: .newlines) == text.trimmingCharacters(in: .newlines))
    }

    @Test func placesAndMetresOfTheCommunityAreRounded() async throws {
        let gpx = """
            <gpx><trk><trkseg><trkpt lat="46.123456789" lon="-7.987654321"><ele>1234.5678</ele></trkpt>
            <trkpt lat="46.2" lon="-7.9"/></trkseg></trk></gpx>
            """
        let test = try TestSession.exporting(["a.gpx": Data(gpx.utf8)])
        let text = await test.run("import a.gpx --dry-run | export --as community")
        #expect(
            text.contains(
                "{\"ele\":1234.6,\"lat\":46.12346,\"lon\":-7.98765,\"time\":\"1970-01-01T00:00:00Z\"}"))
        // The format requires an elevation: the unknown one is that of its neighbour, with a notice.
        #expect(text.contains("{\"ele\":1234.6,\"lat\":46.2,"))
    }

    @Test(.enabled(if: RealData.has("gpx"), "the folder of real data is not there"))
    func realFilesComeBack() async throws {
        let files = RealData.files(in: "gpx") + RealData.files(in: "gpx/hiking-de").prefix(12)
        for file in files where file.pathExtension == "gpx" {
            let test = try TestSession.exporting(["a.gpx": try Data(contentsOf: file)])
            guard await test.code("let j = import a.gpx --dry-run") == nil else { continue }
            let original = try TrackFile(SourceBytes(test.url("a.gpx"))).document
            try await test.value("$j | export b.gpx")
            let back = try GPXReader.document(test.url("b.gpx"))
            #expect(
                back.tracks.map { $0.segments.map(\.count) }
                    == original.tracks.map { $0.segments.map(\.count) })
            for (before, after) in zip(original.tracks, back.tracks) {
                for (left, right) in zip(before.segments.joined(), after.segments.joined()) {
                    #expect(abs(left.coordinate.latitude - right.coordinate.latitude) <= 1e-7)
                    #expect(abs(left.coordinate.longitude - right.coordinate.longitude) <= 1e-7)
                    #expect(left.time == right.time)
                }
            }
            // Extensions without a namespace are kept as they came; the schema does not allow them, nor did the source.
            let isUnqualified = try test.text("b.gpx").contains("xmlns=\"\"")
            if !isUnqualified, !file.lastPathComponent.contains("without_namespaces") {
                #expect(
                    try Schemas.problems(test.url("b.gpx"), Schemas.gpx) == "", "\(file.lastPathComponent)")
            }
            try await test.value("$j | export b.kml")
            #expect(try Schemas.problems(test.url("b.kml"), Schemas.kml) == "", "\(file.lastPathComponent)")
        }
    }
}
