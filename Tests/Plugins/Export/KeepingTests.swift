import Foundation
import PluginTestKit
import Testing
import TrailStores

/// Imports into the stores: all or nothing, and back.
struct KeepingTests {
    @Test func whatAnImportKeepsCanBeTakenBack() async throws {
        let test = try TestSession.exporting(Walk.files)
        #expect(await test.run("import walk.gpx | get kept") == "1 hike, 2 waypoints")
        let hike = try #require(try test.hikeStore.all().first)
        #expect(hike.name == "Walk" && hike.comment == "Fog & sun")
        #expect(hike.averageHeartRate == 110)
        let waypoints = try test.waypointStore.waypoints(ofHike: hike.id)
        // Both have the time of the hike's start, and no order by it.
        #expect(
            Set(waypoints.map { [$0.label, $0.rawCategory] })
                == [["Bench", "viewpoint"], ["Spring | cold", "waterSource"]])
        #expect(await test.run("undo") == "undone: imported 1 hike, 2 waypoints")
        #expect(try test.hikeStore.all().isEmpty)
        #expect(try test.waypointStore.all().isEmpty)
    }

    @Test func linesWithoutTimesBecomePlannedRoutes() async throws {
        let gpx = """
            <gpx><trk><name>A</name><trkseg><trkpt lat="1" lon="2"><ele>5</ele></trkpt><trkpt lat="1.1" lon="2"><ele>9</ele>
            </trkpt></trkseg></trk><rte><name>B</name><rtept lat="1" lon="2"/><rtept lat="1" lon="2.1"/></rte></gpx>
            """
        let test = try TestSession.exporting(["a.gpx": Data(gpx.utf8)])
        #expect(await test.run("import a.gpx | get kept") == "2 planned routes")
        let folder = PlannedRouteFolder(test.url("workspace/planned_routes"))
        let routes = try folder.routes()
        #expect(routes.map(\.name).sorted() == ["A", "B"])
        let route = try #require(routes.first { $0.name == "A" })
        #expect(route.profile?.map(\.elevation) == [5, 9])
        #expect(abs(route.distance - 11_122.6) < 1)
        #expect(await test.run("import a.gpx --as hikes | get kept") == "2 hikes")
        #expect(await test.run("undo") == "undone: imported 2 hikes")
        #expect(await test.run("undo") == "undone: imported 2 planned routes")
        #expect(try folder.routes().isEmpty)
    }

    @Test func heightsOfAPartOfAPlanAreSaidToBeLeftOut() async throws {
        func heights(_ all: [Int?]) async throws -> String {
            let points = all.enumerated().map { index, height in
                let written = height.map { "<ele>\($0)</ele>" } ?? ""
                return "<rtept lat=\"1.\(index)\" lon=\"2\">\(written)</rtept>"
            }
            let gpx = "<gpx><rte><name>B</name>\(points.joined())</rte></gpx>"
            let test = try TestSession.exporting(["b.gpx": Data(gpx.utf8)])
            return await test.run("import b.gpx | get dropped")
        }
        #expect(try await heights([3, 4, nil]).contains("2 of 3 points have a height"))
        #expect(try await !heights([3, 4, 5]).contains("height"))
        #expect(try await !heights([nil, nil]).contains("height"))
    }

    @Test func identifiersStayWhereTheyAreFree() async throws {
        let test = try TestSession.exporting(Walk.files)
        try await test.value("import walk.gpx")
        let hike = try #require(try test.hikeStore.all().first).id
        let places = Set(try test.waypointStore.all().map(\.id))
        for format in ["geojson", "kml", "community"] {
            try await test.value("export a.\(format) Walk --as \(format)")
            let other = try TestSession.exporting(["a.\(format)": try test.data("a.\(format)")])
            try await other.value("import a.\(format)")
            #expect(try other.hikeStore.all().map(\.id) == [hike], "\(format)")
            #expect(try Set(other.waypointStore.all().map(\.id)) == places, "\(format)")
            // The second time the identifiers are in use.
            try await other.value("import a.\(format) --again")
            #expect(try other.hikeStore.all().count == 2, "\(format)")
        }
    }

    @Test func whatAnotherSessionChangedStays() async throws {
        let test = try TestSession.exporting(Walk.files)
        try await test.value("import walk.gpx")
        let hike = try #require(try test.hikeStore.all().first)
        var theirs = hike
        theirs.comment = "theirs"
        #expect(try test.hikeStore.update(hike, to: theirs))
        #expect(await test.code("undo") == "E-IMPORT-CHANGED")
        #expect(try test.hikeStore.all().map(\.comment) == ["theirs"])
        // The waypoints, which were reverted first, are restored.
        #expect(try test.waypointStore.waypoints(ofHike: hike.id).count == 2)
    }

    @Test func aRouteThatCannotBeWrittenLeavesNothing() async throws {
        let gpx = """
            <gpx><wpt lat="1" lon="2"><name>W</name></wpt><rte><name>B</name><rtept lat="1" lon="2"/>
            <rtept lat="1" lon="2.1"/></rte></gpx>
            """
        let test = try TestSession.exporting(["a.gpx": Data(gpx.utf8)])
        await test.run("import a.gpx --dry-run")
        // There is a file in place of the folder.
        try FileManager.default.createDirectory(at: test.url("workspace"), withIntermediateDirectories: true)
        try Data().write(to: test.url("workspace/planned_routes"))
        #expect(await test.code("import a.gpx") == "E-FILE-ACCESS")
        if FileManager.default.fileExists(atPath: test.url("workspace/waypoints.db").path) {
            #expect(try test.waypointStore.all().isEmpty)
        }
        #expect(await test.code("undo") == "E-UNDO-NOTHING")
    }
}
