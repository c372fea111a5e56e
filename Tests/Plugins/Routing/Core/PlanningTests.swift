import Foundation
import Geodesy
import PluginKit
import PluginTestKit
import Testing

@testable import RoutingPlugin

/// Sketches, snapping, partial edges, errors, traces, and features built on searches.
struct PlanningTests {
    /// A region of a sketch; the folder lives as long as the test.
    private func sketch(
        _ map: String, _ ways: [RegionSketch.Way], heights: [Character: Double] = [:],
        in folder: ScratchFolder
    ) throws -> RoutingRegion {
        try RegionImport(into: folder.regions).sketch(
            map: map, ways: ways, heights: heights, name: "sketch", replaces: true)
        return try RoutingRegion(folder.regions.database("sketch"), isOwn: true)
    }

    /// A is at 47°N 9°E; a column is 50 m, a row 100 m.
    private func place(_ column: Double, _ row: Double) -> Coordinate {
        let south = Coordinate(latitude: 47, longitude: 9).destination(bearing: 180, distance: row * 100)
        let east = south.destination(bearing: 90, distance: column * 50)
        return Coordinate(latitude: south.latitude, longitude: east.longitude)
    }

    private let square = """
        A---B---C
        |   |   |
        D---E---F
        """

    private let squareWays = [
        RegionSketch.Way("ABC", name: "Upper Way", surface: "asphalt"),
        RegionSketch.Way("DEF", name: "Lower Way", surface: "asphalt"),
        RegionSketch.Way("AD", surface: "asphalt"), RegionSketch.Way("BE", surface: "asphalt"),
        RegionSketch.Way("CF", surface: "asphalt"),
    ]

    /// A profile whose costs exceed the hierarchy's integers is planned by another algorithm.
    @Test func extremeProfilesStayExact() throws {
        let folder = try ScratchFolder()
        let region = try sketch(square, squareWays, in: folder)
        var profile = CostProfile.appHiking
        profile.surfaces["asphalt"] = 1e15
        let planner = try RoutePlanner(region, profile: profile)
        #expect(planner.costs == nil)
        let ends = [place(0, 0), place(8, 2)]
        let (found, plain) = (try planner.plan(ends), try planner.plan(ends, method: .dijkstra))
        #expect(found.cost == plain.cost)
        #expect(try RoutePlanner(region, profile: .appHiking).costs != nil)
    }

    // MARK: Sketches

    @Test func aSketchBecomesARegion() throws {
        let folder = try ScratchFolder()
        let region = try sketch(square, squareWays, heights: ["A": 500, "D": 520], in: folder)
        let graph = region.graph
        #expect(graph.nodeCount == 6 && graph.edgeCount == 7)
        let a = try #require(graph.node(id: 1))
        #expect(graph.coordinate(of: a).latitude == 47 && graph.coordinate(of: a).altitude == 500)
        let climb = (0..<7).first { graph.gain[$0] > 0 }
        #expect(climb.map { graph.gain[$0] } == 20)
        // Four columns of 50 m, and two rows of 100 m.
        #expect(
            abs(graph.distance[0] - 200) < 0.1 && abs((climb.map { graph.distance[$0] } ?? 0) - 200) < 0.1)
        #expect(graph.name(of: 0) == "Upper Way")
    }

    @Test func sketchesThatCannotBeRead() throws {
        let folder = try ScratchFolder()
        for (map, ways, heights) in [
            ("A-A", [RegionSketch.Way("AA")], [:]), ("A-B", [RegionSketch.Way("AC")], [:]),
            ("A-B", [RegionSketch.Way("A")], [:]), ("---", [RegionSketch.Way("AB")], [:]),
            ("A-B", [RegionSketch.Way("AB", highway: "river")], [:]),
            ("A-B", [RegionSketch.Way("AB")], ["C": 1.0]),
        ] as [(String, [RegionSketch.Way], [Character: Double])] {
            let code = errorCode { _ = try sketch(map, ways, heights: heights, in: folder) }
            #expect(code == "E-REGION-SKETCH", "\(map) \(ways)")
        }
        #expect(errorCode { _ = try sketch("A-B", [], in: folder) } == "E-REGION-EMPTY")
    }

    // MARK: Snapping and part-edges

    @Test func partEdgesCount() throws {
        let folder = try ScratchFolder()
        let region = try sketch(square, squareWays, in: folder)
        let planner = try RoutePlanner(region, profile: .appHiking)
        for method in SearchMethod.allCases {
            // From 50 m east of A on the upper way to the middle of the lower: 150 to B, 200 to E, 100 back.
            let path = try planner.plan([place(1, 0.1), place(2, 2.2)], method: method)
            let expected = 50.0 + 200 + 100
            #expect(abs(path.distance - expected) < 0.5, "\(method): \(path.distance)")
            #expect(abs(path.cost - path.distance) < 0.01)
            #expect(abs(path.duration - path.cost / 1.33) < 1e-9)
            #expect(
                path.edges.first?.enter == 1 - path.stops[0].fraction || path.edges.first?.isReversed == false
            )
            // On one edge, in both directions.
            for (from, to) in [(1.0, 3.0), (3.0, 1.0)] {
                let short = try planner.plan([place(from, 0), place(to, 0)], method: method)
                #expect(abs(short.distance - 100) < 0.1 && short.edges.count == 1)
                #expect(short.edges[0].isReversed == (to < from))
            }
            let nowhere = try planner.plan([place(1, 0), place(1, 0)], method: method)
            #expect(nowhere.distance == 0 && nowhere.edges.isEmpty && nowhere.coordinates.count == 1)
        }
    }

    @Test func onewayOnOneEdgeGoesRound() throws {
        let folder = try ScratchFolder()
        var ways = squareWays
        ways[0].oneway = "yes"
        let region = try sketch(square, ways, in: folder)
        for method in SearchMethod.allCases {
            let riding = try RoutePlanner(region, profile: .cycling)
            let there = try riding.plan([place(1, 0), place(3, 0)], method: method)
            #expect(abs(there.distance - 100) < 0.1)
            // Back against the street is not allowed: 50 m to B, down, west, up, and 50 m to the place.
            let back = try riding.plan([place(3, 0), place(1, 0)], method: method)
            #expect(abs(back.distance - (50 + 200 + 200 + 200 + 50)) < 0.5, "\(method): \(back.distance)")
            let walking = try RoutePlanner(region, profile: .appHiking)
            #expect(abs(try walking.plan([place(3, 0), place(1, 0)], method: method).distance - 100) < 0.1)
        }
    }

    @Test func viaPointsOnAnEdgeDoNotCutIt() throws {
        let folder = try ScratchFolder()
        let region = try sketch(square, squareWays, in: folder)
        let planner = try RoutePlanner(region, profile: .appHiking)
        let through = try planner.plan([place(0, 0), place(1, 0), place(3, 0)])
        #expect(through.edges.count == 1 && through.viaEdges == [0])
        let turned = try planner.plan([place(0, 0), place(3, 0), place(1, 0)])
        #expect(turned.edges.count == 2 && turned.viaEdges == [1])
        #expect(abs(turned.distance - 250) < 0.1)
    }

    @Test func nothingNearTellsHowFar() throws {
        let folder = try ScratchFolder()
        let region = try sketch(square, squareWays, in: folder)
        let planner = try RoutePlanner(region, profile: .appHiking)
        let far = place(0, 0).destination(bearing: 0, distance: 2345)
        let error = rutterError { _ = try planner.plan([place(0, 0), far]) }
        #expect(error?.code == "E-ROUTE-SNAP")
        #expect(error?.message.contains("2.3 km") == true && error?.message.hasPrefix("the end") == true)
        let via = rutterError { _ = try planner.plan([place(0, 0), place(8, 2), far, place(4, 0)]) }
        #expect(via?.code == "E-ROUTE-SNAP")
        #expect(via?.message.hasPrefix("via point 2 is not near a way: the nearest is 2.3 km away") == true)
        let near = place(0, 0).destination(bearing: 0, distance: 499)
        #expect(abs(try Snapper(planner.weighted).snap(near).distance - 499) < 0.5)
        let sea = rutterError { _ = try planner.plan([Coordinate(latitude: 0, longitude: -150), far]) }
        #expect(sea?.code == "E-ROUTE-SNAP")
    }

    /// The tree returns the same as a scan of every edge.
    @Test(.needs(.osmium)) func theNearestEdgeIsTheNearest() throws {
        let folder = try ScratchFolder()
        let region = try importedRegion(MadeUpTown.osm(side: 8, seed: 31), in: folder)
        let graph = region.graph
        let bounds = try #require(graph.bounds)
        let snapper = Snapper(graph) { _ in true }
        var random = SplitMix(seed: 77)
        for _ in 0..<30 {
            let place = Coordinate(
                latitude: .random(in: bounds.south...bounds.north, using: &random),
                longitude: .random(in: bounds.west...bounds.east, using: &random))
            var least = Double.infinity
            for edge in 0..<graph.edgeCount {
                let line = graph.line(of: edge)
                for (a, b) in zip(line, line.dropFirst()) {
                    for step in 0...100 {
                        let point = a.interpolated(to: b, share: Double(step) / 100)
                        least = min(least, place.distance(to: point))
                    }
                }
            }
            let found = try snapper.snap(place)
            #expect(abs(found.distance - least) < 0.5)
            let on = graph.line(of: PathEdge(edge: found.edge, isReversed: false, leave: found.fraction)).last
            #expect((on?.distance(to: found.point) ?? 99) < 0.1)
        }
    }

    @Test(.needs(.osmium)) func acrossTheAntimeridian() throws {
        let folder = try ScratchFolder()
        let file = try folder.write(
            "fiji.osm",
            """
            <osm version="0.6"><node id="1" lat="-17" lon="179.999"/><node id="2" lat="-17" lon="-179.999"/>
            <node id="3" lat="-17" lon="-179.99"/>
            <way id="1"><nd ref="1"/><nd ref="2"/><nd ref="3"/><tag k="highway" v="path"/></way></osm>
            """)
        _ = try RegionImport(into: folder.regions).run(.init(source: file, name: "fiji"))
        let region = try RoutingRegion(folder.regions.database("fiji"), isOwn: true)
        let path = try RoutePlanner(region, profile: .appHiking).plan([
            Coordinate(latitude: -17, longitude: 179.9995), Coordinate(latitude: -17, longitude: -179.9995),
        ])
        #expect(abs(path.distance - 106.3) < 0.5)
    }

    // MARK: No route

    @Test func disconnectedEnds() throws {
        let folder = try ScratchFolder()
        let region = try sketch(
            "A---B               C---D", [RegionSketch.Way("AB"), RegionSketch.Way("CD")], in: folder)
        let planner = try RoutePlanner(region, profile: .appHiking)
        // More than 500 m apart: neither end can be snapped to the other's way.
        let (near, far) = (place(1, 0), place(23, 0))
        for method in SearchMethod.allCases {
            let error = rutterError { _ = try planner.plan([near, far], method: method) }
            #expect(error?.code == "E-ROUTE-NONE")
            #expect(
                error?.message.contains("2 nodes explored, closest approach 950 m") == true, "\(error as Any)"
            )
        }
        let via = rutterError { _ = try planner.plan([near, far, near]) }
        #expect(via?.code == "E-ROUTE-VIA" && via?.message.contains("via point 1") == true)
    }

    @Test func theSACLimitBlocks() throws {
        let folder = try ScratchFolder()
        var ways = squareWays
        ways[3].sacScale = "alpine_hiking"
        let region = try sketch(square, ways, in: folder)
        let places = [place(4, 0), place(4, 2)]
        #expect(abs(try RoutePlanner(region, profile: .appHiking).plan(places).distance - 200) < 0.5)
        let limited = try RoutePlanner(region, profile: .appHiking.limited(to: .demandingMountainHiking))
        for method in SearchMethod.allCases {
            #expect(abs(try limited.plan(places, method: method).distance - 600) < 0.5)
        }
    }

    // MARK: Steps

    @Test func tracesTellEverySettledNode() throws {
        let folder = try ScratchFolder()
        let region = try sketch(square, squareWays, in: folder)
        let planner = try RoutePlanner(region, profile: .appHiking)
        for method in SearchMethod.allCases {
            var log = TraceLog()
            let stops = try [place(0, 0), place(8, 2)].map { try Snapper(planner.weighted).snap($0) }
            let path = try planner.plan(stops: stops, method: method, trace: &log)
            let kind = method == .hierarchy ? "climb" : "settle"
            #expect(log.steps.count { $0.kind == kind } == path.settled)
            guard method == .aStar else { continue }
            let f = log.steps.filter { $0.kind == "settle" }.compactMap { $0.values["f"] }
            let numbers = f.map { if case .number(let value) = $0 { value } else { Double.nan } }
            #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 <= $1 + 1e-6 }, "f never falls")
            #expect(log.steps.contains { $0.kind == "relax" })
        }
    }

    @Test(.needs(.osmium)) func routesAreTheSameOnEveryRun() throws {
        let folder = try ScratchFolder()
        let map = MadeUpTown.osm(side: 8, seed: 13)
        let paths = try (0..<3).map { _ in
            let region = try importedRegion(map, in: folder)
            let graph = region.graph
            return try RoutePlanner(region, profile: .appHiking).plan([
                graph.coordinate(of: 3), graph.coordinate(of: graph.nodeCount - 5),
            ])
        }
        #expect(paths[0].edges == paths[1].edges && paths[0].edges == paths[2].edges)
        #expect(paths[0].coordinates == paths[1].coordinates)
    }

    // MARK: Built on searches

    @Test func alternativesDiffer() throws {
        let folder = try ScratchFolder()
        let region = try sketch(square, squareWays, in: folder)
        let planner = try RoutePlanner(region, profile: .appHiking)
        let paths = try planner.alternatives([place(0, 0), place(8, 2)], count: 3)
        #expect(paths.count >= 2)
        #expect(Set(paths.map { $0.edges.map(\.edge) }).count == paths.count)
        #expect(paths.allSatisfy { $0.cost >= paths[0].cost - 1e-9 && $0.cost <= paths[0].cost * 1.4 })
    }

    @Test func whatIsReachedInTime() throws {
        let folder = try ScratchFolder()
        let region = try sketch(square, squareWays, in: folder)
        let planner = try RoutePlanner(region, profile: .appHiking)
        // 250 m of asphalt at 1.33 m/s from A: AB and AD whole, 50 m of BC, BE and DE.
        let area = try planner.reachable(from: place(0, 0), within: 250 / 1.33)
        #expect(area.nodes.count == 3)
        #expect(abs(area.length - (200 + 200 + 3 * 50)) < 0.5, "\(area.length)")
        #expect(area.outline.allSatisfy { $0.first == $0.last && $0.count > 4 })
        let small = try planner.reachable(from: place(2, 0), within: 30 / 1.33)
        #expect(small.nodes.isEmpty && abs(small.length - 60) < 0.1)
    }

    @Test(.needs(.osmium)) func aNoisyTrackIsMatched() throws {
        let folder = try ScratchFolder()
        let region = try importedRegion(MadeUpTown.osm(side: 9, seed: 8), in: folder)
        let graph = region.graph
        let planner = try RoutePlanner(region, profile: .distance)
        var random = SplitMix(seed: 3)
        var tried = 0
        while tried < 4 {
            let ends = (0..<2).map { _ in
                graph.coordinate(of: Int.random(in: 0..<graph.nodeCount, using: &random))
            }
            guard let path = try? planner.plan(ends), path.distance > 600 else { continue }
            tried += 1
            let track = noisy(path.coordinates, &random)
            let matched = try MapMatcher(graph).match(track)
            #expect(matched.paths.count == 1)
            let truth = Set(path.edges.dropFirst().dropLast().map(\.edge))
            let found = Set(matched.paths.flatMap { $0.edges.map(\.edge) })
            #expect(Double(truth.intersection(found).count) >= 0.9 * Double(truth.count))
            #expect(abs(matched.paths[0].distance - path.distance) < 0.1 * path.distance)
        }
        #expect(
            errorCode { _ = try MapMatcher(graph).match([Coordinate(latitude: 0, longitude: 0)]) }
                == "E-ROUTE-MATCH")
    }

    /// A position every 20 m, up to 8 m off.
    private func noisy(_ line: [Coordinate], _ random: inout SplitMix) -> [Coordinate] {
        let along = Polyline.cumulativeDistances(line)
        return stride(from: 0, through: along.last ?? 0, by: 20).map { distance in
            let next = along.firstIndex { $0 >= distance } ?? line.count - 1
            guard next > 0 else { return line[0] }
            let share = (distance - along[next - 1]) / max(1e-9, along[next] - along[next - 1])
            return line[next - 1].interpolated(to: line[next], share: share).destination(
                bearing: .random(in: 0..<360, using: &random), distance: .random(in: 0...8, using: &random))
        }
    }
}
