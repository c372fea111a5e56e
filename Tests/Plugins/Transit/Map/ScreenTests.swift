import CivilTime
import Foundation
import Geodesy
import Pictures
import PluginKit
import PluginTestKit
import Testing

@testable import TransitPlugin

/// The screen reports truncation: loads that were cut, the selected stop, counts, pictures, the clock.
@Suite struct ScreenTests {
    private func session(_ set: String = "") async throws -> TestSession {
        let session = try TestSession(plugins: { [TransitPlugin()] })
        try await session.value("set timezone Europe/Berlin")
        try await session.value("feed sample")
        try await session.value("feed import harbour")
        if !set.isEmpty { await session.run(set) }
        return session
    }

    private func feed(_ folder: TemporaryFolder) throws -> Feed {
        let tables = Dictionary(uniqueKeysWithValues: SampleFeed.tables().map { ($0.name, $0.text) })
        let database = folder.url.appendingPathComponent("gtfs.db")
        _ = try FeedImport.run(FeedSource(name: "harbour", tables: tables), to: database, isLenient: false)
        return try Feed(database, isOwn: true, fallback: .gmt)
    }

    /// A load that was cut covers only its circle: after zooming in, the map loads again and shows the
    /// stops.
    @Test func aLoadThatWasCut() throws {
        let feed = try feed(TemporaryFolder())
        let now = TestSession.Settings.start
        func load(_ box: BoundingBox) throws -> LoadedStops { try feed.stops.points(in: box, limit: 5) }
        var map = StopMap(center: Coordinate(latitude: 0.5, longitude: 0.5), zoom: 12)
        try map.loadIfNeeded(at: now, load: load)
        #expect(map.loaded?.isCut == true)
        #expect(map.loaded?.total == 119)
        // The harbour is within the view but not among the five nearest stops.
        let harbour = Coordinate(latitude: 0.493, longitude: 0.504)
        map.move(to: harbour, zoom: 16, at: now)
        try map.loadIfNeeded(at: now, load: load)
        #expect(map.events.last?.kind == .load)
        #expect(map.events.last?.why == "the previous load was cut and does not cover the region")
        #expect(map.inView.contains { $0.coordinate.distance(to: harbour) < 1 })
        // The area within the loaded circle is not loaded again.
        map.move(to: harbour, zoom: 20, at: now)
        try map.loadIfNeeded(at: now, load: load)
        #expect(map.events.last?.kind == .skip)
    }

    /// In files clusters stand beside the selected stop's pin and ring, wherever their centre is; others stay in their places.
    @Test func clustersBesideTheSelectedStop() throws {
        let feed = try feed(TemporaryFolder())
        let stop = try #require(try feed.stops.with(id: "HAR"))
        let place = try #require(stop.coordinate)
        let map = StopMap(center: place, zoom: 14)
        let view = map.view
        let middle = view.point(for: place)
        var frame = StopMapFrame(marks: MapMarks(pins: [], clusters: []))
        for (x, y) in [(0.0, 0.0), (3, -12), (-20, 4), (1, -30), (0, 25), (90, 0), (0, -60)] {
            let center = view.coordinate(at: ScenePoint(middle.x + x, middle.y + y))
            let cluster = ClusterObject(
                center: center, stops: Array(repeating: stop, count: 126), first: stop)
            frame.selected = nil
            #expect(frame.coordinate(of: cluster, in: view) == center)
            frame.selected = StopObject(stop)
            let drawn = view.point(for: frame.coordinate(of: cluster, in: view))
            // The ring has a radius of 13 points, a pin's disc one of 9 above it, and the cluster's one of 16.5.
            let (right, down) = (drawn.x - middle.x, drawn.y - middle.y)
            #expect((right * right + down * down).squareRoot() > 13 + 16.5, "\(x), \(y)")
            #expect((right * right + (down + 12) * (down + 12)).squareRoot() > 9 + 16.5, "\(x), \(y)")
            if abs(x) + abs(y) > 50 { #expect(frame.coordinate(of: cluster, in: view) == center) }
        }
    }

    /// Counts of pins and clusters add up to all stops in view, at every zoom, and to a plain count of them.
    @Test func countsAddUp() throws {
        let feed = try feed(TemporaryFolder())
        let all = try feed.stops.all().filter(\.kind.isOnMaps)
        for zoom in stride(from: 1.0, through: 20, by: 1) {
            var map = StopMap(center: Coordinate(latitude: 0.505, longitude: 0.495), zoom: zoom)
            try map.loadIfNeeded(at: TestSession.Settings.start) { try feed.stops.points(in: $0) }
            let marks = try MapMarks(of: map, feed)
            let region = map.region
            #expect(marks.stops == all.count { $0.coordinate.map(region.contains) ?? false }, "\(zoom)")
            for cluster in marks.clusters { #expect(try cluster.members.collect().count == cluster.count) }
        }
    }

    /// Members of a cluster lie within twice its radius of each other on the screen; no single stop has more neighbours
    /// outside of clusters than a cluster needs.
    @Test func groupsAreMadeOnTheScreen() {
        var random = Xoshiro256(seed: 5)
        let points = (0..<500).map { _ in
            ScenePoint(Double.random(in: 0...640, using: &random), Double.random(in: 0...288, using: &random))
        }
        let made = ScreenGroups(points)
        #expect((made.groups.flatMap { $0 } + made.singles).sorted() == Array(points.indices))
        // Positions are rounded to dots of four points.
        let slack = 6.0
        func distance(_ a: Int, _ b: Int) -> Double {
            hypot(points[a].x - points[b].x, points[a].y - points[b].y)
        }
        for group in made.groups {
            #expect(group.count > TransitSettings.clusterThreshold)
            #expect(group.allSatisfy { distance($0, group[0]) <= TransitSettings.screenRadius + slack })
        }
        for single in made.singles {
            let near = made.singles.count { distance($0, single) <= TransitSettings.screenRadius - slack }
            #expect(near <= TransitSettings.clusterThreshold)
        }
    }

    /// The rows of `stop cluster` are the marks of `stop map`: the same stops at the same zoom make the same groups.
    @Test(arguments: [12.0, 13, 14.5, 15, 17])
    func theTableHasTheClustersOfTheMap(zoom: Double) async throws {
        let session = try await session("")
        let map = try #require(
            try await session.value("stop map 0.505,0.495 --zoom \(zoom)").object(as: StopMapObject.self))
        let box = map.map.region
        let area = [box.south, box.west, box.north, box.east].map { "\($0)" }.joined(separator: ",")
        let rows = try await session.value(
            "stop list \(area) --limit 1000 | stop cluster --zoom \(zoom)")
        let table = try #require(rows.asRows).collect().compactMap { $0.object(as: ClusterObject.self) }
        let marks = map.frame.marks
        #expect(Set(table.filter { $0.count > 1 }.map(\.center)) == Set(marks.clusters.map(\.center)))
        #expect(table.count { $0.count == 1 } == marks.pins.count)
        #expect(table.reduce(0) { $0 + $1.count } == marks.stops)
    }

    /// Groups do not change while a map is moved: they depend on the stops and the zoom alone.
    @Test func movingTheMapLeavesGroupsAlone() throws {
        var random = Xoshiro256(seed: 7)
        let places = (0..<400).map { _ in
            Coordinate(
                latitude: 46 + Double.random(in: 0...0.05, using: &random),
                longitude: Angle.longitude(179.97 + Double.random(in: 0...0.06, using: &random)))
        }
        let groups = try #require(ScreenGroups(places, zoom: 13)).groups.map(Set.init)
        #expect(!groups.isEmpty)
        let turned = try #require(ScreenGroups(places.reversed(), zoom: 13)).groups
        #expect(Set(turned.map { Set($0.map { places.count - 1 - $0 }) }) == Set(groups))
        #expect(ScreenGroups([places[0], Coordinate(latitude: 0, longitude: 0)], zoom: 18) == nil)
    }

    /// What was not read is said below the groups, too.
    @Test func aCutListMakesACutTable() async throws {
        let session = try await session("")
        let rows = try await session.value("stop list 0.3,0.3,0.7,0.7 --limit 20 | stop cluster --zoom 13")
        #expect(rows.asRows?.note?.contains("the 20 nearest of") == true)
        let single = try await session.value(
            "stop list 0.49,0.49,0.51,0.51 --limit 4 | stop cluster --zoom 16")
        #expect(single.asRows?.note?.contains("the 4 nearest of") == true)
        #expect(
            await session.run(
                "stop list 0.49,0.49,0.51,0.51 --limit 1 | stop cluster --zoom 16 | select id mode lines"
            )
            .contains("CEN"))
    }

    @Test func aStopOffScreenMovesTheMap() async throws {
        let session = try await session("stop map 0.5,0.5 --zoom 17")
        #expect(await session.run("stop drawer AIR; stop map | get shown").hasSuffix("1"))
        #expect(await session.run("stop map | get center") == "0.535,0.531")
        // A stop in view leaves the map where it is.
        await session.run("stop map 0.5,0.5 --zoom 17; stop drawer CEN1")
        #expect(await session.run("stop map | get center") == "0.5,0.5")
    }

    /// The selected stop is drawn, in brackets, also where a cluster covers its pin.
    @Test func theSelectedStopIsMarked() async throws {
        let session = try await session("stop map 0.505,0.495 --zoom 13; stop drawer BAYA")
        let text = await session.run("stop map")
        #expect(text.contains("[B]"), "\(text)")
        #expect(await session.run("stop show HAR").contains("[F]"))
    }

    /// The picture is the screen: its area, its scale and its drawer.
    @Test func thePictureIsTheScreen() async throws {
        let session = try await session(
            "stop map 0.5,0.5 --zoom 15; stop drawer Central; stop drawer --state half")
        #expect(await session.run("stop map | map | get zoom") == "15")
        #expect(await session.run("stop map | map | get center") == "0.5,0.5")
        #expect(await session.run("stop map | map") == (await session.run("stop map")))
        await session.run("stop map | map --out screen.svg")
        let svg = try String(
            contentsOf: session.folder.url.appendingPathComponent("screen.svg"), encoding: .utf8)
        for words in ["Central Station", "09:00", "Harbour", "Scheduled", "pl. A", "stops in view"] {
            #expect(svg.contains(words), "\(words)")
        }
        // Asked for another area, it is a map of the stops as before.
        #expect(await session.run("stop map | map --zoom 12 | get zoom") == "12")
    }

    @Test func aClusterShowsItsCount() async throws {
        let session = try await session("stop map 0.505,0.495 --zoom 12")
        let counts = await session.run("stop map | get clusters | get count | to csv").split(separator: "\n")
            .dropFirst()
        #expect(!counts.isEmpty)
        let text = await session.run("stop map")
        #expect(counts.contains { text.contains($0) })
        await session.run("stop map | map --out clusters.svg")
        let svg = try String(
            contentsOf: session.folder.url.appendingPathComponent("clusters.svg"), encoding: .utf8)
        for count in counts { #expect(svg.contains(">\(count)<"), "\(count)") }
    }

    /// Past departures disappear from the drawer, and minutes count down.
    @Test func theDrawerFollowsTheClock() async throws {
        let session = try await session("stop show CEN3; stop drawer --state half")
        #expect(
            await session.run("stop drawer | get visible | first | select time in | to csv")
                == "time,in\n09:00,0")
        await session.run("clock +2min")
        #expect(
            await session.run("stop drawer | get visible | first | select time in | to csv")
                == "time,in\n09:03,60"
        )
        #expect(await session.run("stop map").contains("│ 09:03  1min "))
        await session.run("clock +20min")
        // The run of 09:15 leaves the stop a second time 13 minutes later.
        #expect(await session.run("stop drawer | get visible | first | get time") == "09:28")
        // A stored value does not change.
        await session.run("let kept = stop drawer; clock +10min")
        #expect(await session.run("$kept | get visible | first | get time") == "09:28")
    }

    /// After another import the numbers of stops refer to other stops: the map reloads, and the drawer
    /// finds its stop.
    @Test func anotherImport() async throws {
        let session = try await session("stop show CEN3; stop drawer --state half")
        let small = session.folder.url.appendingPathComponent("small", isDirectory: true)
        try FileManager.default.createDirectory(at: small, withIntermediateDirectories: true)
        for (name, text) in ImportTests.small {
            try Data(text.utf8).write(to: small.appendingPathComponent(name))
        }
        await session.run("feed import small --force")
        #expect(await session.run("stop map | get shown") == "0")
        #expect(await session.run("stop drawer").contains("E-TRANSIT-NODRAWER"))
    }
}
