import Formats
import Foundation
import PluginKit
import PluginTestKit
import Testing
import TrailStores

/// Recordings in every format: FIT and TCX both ways, and a notice of everything that a format cannot hold.
struct RecordingExportTests {
    @Test(arguments: ["fit", "tcx"])
    func aWalkComesBack(format: String) async throws {
        let test = try TestSession.exporting(Walk.files)
        try await test.value("import walk.gpx")
        try await test.value("export a.\(format) Walk --as \(format)")
        #expect(
            await test.run(
                "import a.\(format) --dry-run | select distance gain loss segments points")
                == test.run("import walk.gpx --dry-run | select distance gain loss segments points"))
        let points =
            format == "fit"
            ? try FITReader.document(test.url("a.fit")) : try TCXReader.document(test.url("a.tcx"))
        let original = try GPXReader.document(test.url("walk.gpx"))
        for (point, other) in zip(
            points.tracks.flatMap { $0.segments.joined() }, original.tracks.flatMap { $0.segments.joined() })
        {
            #expect(abs(point.coordinate.latitude - other.coordinate.latitude) < 1e-7)
            #expect(point.coordinate.altitude == other.coordinate.altitude && point.time == other.time)
            #expect(point.heartRate == other.heartRate)
        }
    }

    /// What was measured without a position, as indoors, is an activity in formats that hold it; a map has nothing of it.
    @Test(arguments: ["fit", "tcx"])
    func anActivityIndoorsComesBack(format: String) async throws {
        let points = (0..<5).map {
            """
            <Trackpoint><Time>2026-06-06T08:0\($0):00Z</Time><DistanceMeters>\($0 * 200)</DistanceMeters>\
            <HeartRateBpm><Value>\(100 + $0 * 10)</Value></HeartRateBpm></Trackpoint>
            """
        }
        let tcx = """
            <TrainingCenterDatabase><Activities><Activity Sport="Running"><Id>2026-06-06T08:00:00Z</Id>\
            <Lap StartTime="2026-06-06T08:00:00Z"><TotalTimeSeconds>240</TotalTimeSeconds><DistanceMeters>800</DistanceMeters>\
            <Track>\(points.joined())</Track></Lap></Activity></Activities></TrainingCenterDatabase>
            """
        let test = try TestSession.exporting(["mill.tcx": Data(tcx.utf8)])
        let fields = "select distance duration sensors | to json"
        let before = await test.run("import mill.tcx | \(fields)")
        #expect(before.contains("\"distance\": 800") && before.contains("heart rate"), "\(before)")
        #expect(await test.result("export x.gpx mill").failure?.code == "E-EXPORT-NOTHING")
        try await test.value("export back.\(format) mill")
        #expect(await test.run("import back.\(format) --again | \(fields)") == before)
    }

    /// What is stored is written again to the last digit, also through the store.
    @Test func nothingIsLostThroughTheStore() async throws {
        let test = try TestSession.exporting(Walk.files)
        try await test.value("import walk.gpx")
        try await test.value("export b.gpx Walk")
        let before = try GPXReader.document(test.url("walk.gpx"))
        let after = try GPXReader.document(test.url("b.gpx"))
        #expect(after.tracks.map(\.segments) == before.tracks.map(\.segments))
        #expect(after.tracks.map(\.type) == before.tracks.map(\.type))
        #expect(after.author == before.author)
    }

    /// The store of waypoints has no column for most data of a file; values changed in the store take
    /// precedence.
    @Test func waypointsOfTheFileKeepTheirWords() async throws {
        let head = """
            <gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1"><metadata><time>2020-01-02T03:04:05Z</time>
            </metadata><wpt lat="46.501" lon="7.9"><name>Top</name><cmt>of the hill</cmt><desc>A view</desc><sym>Summit</sym>
            <hdop>1.5</hdop></wpt><wpt lat="46.502" lon="7.9"><name>B</name><cmt>other</cmt></wpt>
            """
        let track = try #require(Walk.gpx.range(of: "<trk>"))
        let test = try TestSession.exporting([
            "walk.gpx": Data((head + Walk.gpx[track.lowerBound...]).replacing("g:", with: "").utf8)
        ])
        try await test.value("import walk.gpx")
        try await test.value("export a.gpx Walk")
        let (before, after) = (
            try GPXReader.document(test.url("walk.gpx")), try GPXReader.document(test.url("a.gpx"))
        )
        #expect(after.waypoints == before.waypoints)
        #expect(after.time == before.time)
        var waypoint = try #require(try test.waypointStore.all().first { $0.label == "B" })
        let stored = waypoint
        waypoint.label = "Bench"
        #expect(try test.waypointStore.update(stored, to: waypoint))
        try await test.value("export b.gpx Walk")
        let changed = try GPXReader.document(test.url("b.gpx")).waypoints
        #expect(changed.map(\.name) == ["Top", "Bench"])
        #expect(changed.map(\.comment) == ["of the hill", nil])
        #expect(changed.map(\.description) == ["A view", "other"])
    }

    /// The app stores `custom` for a type that it does not know; the file's own is written until another category is set.
    @Test func aTypeOfTheFileIsKeptWhereTheStoreHasCustom() async throws {
        let head = """
            <gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1">
            <wpt lat="46.501" lon="7.9"><name>Top</name><sym>Flag</sym><type>Bakery</type></wpt>
            """
        let track = try #require(Walk.gpx.range(of: "<trk>"))
        let test = try TestSession.exporting([
            "walk.gpx": Data((head + Walk.gpx[track.lowerBound...]).replacing("g:", with: "").utf8)
        ])
        try await test.value("import walk.gpx")
        for (category, type) in [("custom", "Bakery"), ("shelter", "shelter")] {
            let stored = try #require(try test.waypointStore.all().first { $0.label == "Top" })
            var waypoint = stored
            waypoint.rawCategory = category
            #expect(try test.waypointStore.update(stored, to: waypoint))
            try await test.value("export \(category).gpx Walk")
            let written = try GPXReader.document(test.url("\(category).gpx")).waypoints
            #expect(written.map(\.type) == [type])
        }
    }

    @Test func whatAFormatCannotHoldIsListed() async throws {
        let more =
            "<extensions><g:TrackPointExtension><g:cad>80</g:cad></g:TrackPointExtension><g:mood>good</g:mood></extensions>"
        let gpx = Walk.gpx.replacing(
            "<time>2026-02-05T08:13:20Z</time>", with: "<time>2026-02-05T08:13:20.5Z</time>\(more)")
        let test = try TestSession.exporting(["walk.gpx": Data(gpx.utf8)])
        await test.run("let w = import walk.gpx --dry-run")
        func warnings(_ format: String) async -> String {
            await test.run("$w | export x.\(format) --as \(format) --force | get warnings")
        }
        #expect(await warnings("gpx") == "(empty list)")
        for format in ["kml", "geojson", "community"] {
            let words = await warnings(format)
            #expect(words.contains("cadence: not written for 1 point"), "\(words)")
            #expect(words.contains("extensions of other programs: not written for 1 point"), "\(words)")
        }
        #expect(await warnings("community").contains("1 gap between segments: not written"))
        let fit = await warnings("fit")
        #expect(
            fit.contains("time: rounded for 1 point (FIT)") && fit.contains("2 waypoints: not written (FIT)"))
        #expect(await warnings("tcx").contains("the activity hiking: not written (TCX)"))
    }

    @Test func timesAreRequired() async throws {
        let test = try TestSession.exporting([:])
        #expect(await test.code("[46.5,7.9 46.6,7.9] | export x.fit") == "E-EXPORT-TIMES")
        #expect(await test.code("[46.5,7.9 46.6,7.9] | export --as tcx") == "E-EXPORT-TIMES")
        #expect(await test.code("46.5,7.9 | export --as fit") == "E-EXPORT-OUT")
    }

    /// An unknown elevation is neither 0 in a file nor a climb.
    @Test func anUnknownElevationIsNotWritten() async throws {
        let gpx = Walk.gpx.replacing(
            "<ele>520</ele><time>2026-02-05T08:01:40Z</time><ext",
            with: "<time>2026-02-05T08:01:40Z</time><ext")
        let test = try TestSession.exporting(["walk.gpx": Data(gpx.utf8)])
        try await test.value("import walk.gpx")
        try await test.value("export b.gpx Walk")
        let text = try test.text("b.gpx")
        #expect(!text.contains("<ele>0</ele>"))
        let heights = try GPXReader.document(test.url("b.gpx")).tracks[0].segments[0].map(
            \.coordinate.altitude)
        #expect(heights == [500, nil, 540])
        let community = await test.run("export c.json Walk | get warnings")
        #expect(community.contains("elevation: unknown for 1 of 5 points, interpolated (community JSON)"))
    }

    @Test func thePlansReportHasACueSheet() async throws {
        let gpx =
            "<gpx><rte><name>Plan</name><rtept lat='46.5' lon='7.9'/><rtept lat='46.51' lon='7.9'/></rte></gpx>"
        let test = try TestSession.exporting(["plan.gpx": Data(gpx.utf8)])
        try await test.value("import plan.gpx")
        let folder = PlannedRouteFolder(test.url("workspace/planned_routes"))
        var route = try #require(try folder.routes().first)
        route.turns = [
            TurnInstruction(
                coordinate: route.start, direction: .left, bearing: 270, distanceFromPrevious: 400,
                cumulativeDistance: 1234, trailName: nil, description: "Turn left at the | mill")
        ]
        try folder.save(route)
        let text = await test.run("export - Plan --as markdown")
        #expect(text.contains("## Cue sheet\n\n1. 1.23 km: Turn left at the \\| mill"))
        #expect(!text.contains("heart rate") && text.contains("| Estimated duration |"))
        #expect(await test.run("export plan.pdf Plan").contains("pages written to plan.pdf"))
    }
}
