import CivilTime
import Foundation
import GRDB
import Geodesy
import Pictures
import PluginKit
import PluginTestKit
import Testing
import TrailStores

@testable import RoutingPlugin

@Suite struct RouteCommandTests {
    /// A session with the sketch of the commands' examples.
    private func session(_ files: [String: Data] = [:]) async throws -> TestSession {
        let session = try TestSession(plugins: { [RoutingPlugin()] }, files: files)
        for line in Samples.sketch { _ = try await session.value(line) }
        return session
    }

    private func route(_ session: TestSession, _ line: String) async throws -> Route {
        guard case .object(let object) = try await session.value(line), let route = object as? Route else {
            throw CommonErrors.inputKind("no route")
        }
        return route
    }

    @Test func anEdgeTravelledAgainstItsDirectionIsReversedFirst() async throws {
        let session = try await session()
        #expect(
            await session.run("route plan $p.F $p.A | route turns | get text")
                == """
                Head north on Mill Lane
                Turn left onto Main Street at the end of Mill Lane
                Arrive
                """)
        #expect(
            await session.run("route plan $p.A $p.E | route turns | get text")
                == """
                Head east on Main Street
                Turn right onto Mill Lane
                Arrive
                """)
    }

    /// Two ways from S to T: 800 m that lead away at first, 1,000 m that come near the end early. By hand, an estimate five times the
    /// straight line follows the second.
    @Test func anEstimateThatIsTooHighMissesTheCheapestRoute() async throws {
        let session = try TestSession(plugins: { [RoutingPlugin()] })
        let ways = ["SB", "BC", "CT", "SA", "AD", "DE", "ET"].map { "--way '\($0) surface=asphalt'" }
        _ = try await session.value(
            """
            let p = region sketch weight '
            B---------------C
            |               |
            |               |
            |               |
            S-------------A T
                          | |
                          | |
                          | |
                          | |
                          | |
                          D-E
            ' --column 25m \(ways.joined(separator: " "))
            """)
        #expect(await session.run("route plan $p.S $p.T | get cost") == "800")
        for (weight, cost) in [("0", "800"), ("1", "800"), ("2", "800"), ("5", "1000")] {
            #expect(await session.run("route plan $p.S $p.T --weight \(weight) | get cost") == cost)
        }
        let doubtful = await session.run("route plan $p.S $p.T --weight 5 | get warnings")
        #expect(doubtful.contains("weight 5: the estimate may be too high"))
        #expect(await !session.run("route plan $p.S $p.T --weight 1 | get warnings").contains("weight"))
        #expect(
            await session.run("expect-error E-ARG-RANGE route plan $p.S $p.T --method dijkstra --weight 2")
                == "only A* has an estimate to weight")
    }

    @Test func partEdgesBelongToTheRoute() async throws {
        let session = try await session()
        // Halfway along AB and halfway along CD: 100 m + 200 m + 100 m.
        let route = try await route(session, "route plan 47,9.001319 47,9.006594")
        #expect(abs(route.distance - 400) < 0.5)
        #expect(route.planned.coordinates.count == 4)
        #expect(route.found?.nodes == [2, 3])
        #expect(route.turns.map(\.direction) == [.start, .arrive])
        #expect(abs((route.turns.last?.cumulativeDistance ?? 0) - route.distance) < 0.001)
    }

    @Test func ofMorePlacesThanTwoThoseBetweenArePassed() async throws {
        let failure = await (try session()).result("route plan 47,9 47,9.001 47,9.002 47,9.003").failure
        #expect(failure?.code == "E-ARG-EXTRA")
        #expect(failure?.fix == "route plan 47,9 47,9.003 --via 47,9.001 --via 47,9.002")
    }

    @Test func aViaPointInTheMiddleOfAWayIsTurnedRoundAt() async throws {
        let session = try await session()
        let route = try await route(session, "route plan $p.A $p.D --via $p.F")
        let told = route.turns.map(\.direction)
        #expect(told == [.start, .right, .uTurn, .right, .arrive])
    }

    @Test func aSavedRouteIsTheStoresFile() async throws {
        let session = try await session()
        let route = try await route(session, "route plan $p.A $p.F --name Here | route save")
        let folder = PlannedRouteFolder(
            session.folder.url.appendingPathComponent("workspace/planned_routes"))
        let saved = try #require(try folder.routes().first)
        #expect(saved.id == route.id)
        #expect(saved.turns == route.turns)
        #expect(saved.createdAt == TestSession.Settings.start)
        #expect(saved.regionID == "village")
        #expect(saved.profile == nil)
        #expect(saved.distance == route.distance)
    }

    @Test func aSavedRouteHasTheMomentOfItsChange() async throws {
        let session = try await session()
        let route = try await route(session, "route plan $p.A $p.F --name Here | route save")
        let folder = PlannedRouteFolder(
            session.folder.url.appendingPathComponent("workspace/planned_routes"))
        #expect(try folder.routes().first?.modifiedAt == TestSession.Settings.start)
        // A version that comes with a moment keeps it.
        var later = try #require(try folder.routes().first)
        later.modifiedAt = TestSession.Settings.start.advanced(bySeconds: 60)
        try folder.save(later)
        _ = await session.run("route show Here | route save")
        #expect(try folder.routes().first?.modifiedAt == later.modifiedAt)
        #expect(route.name == "Here")
    }

    @Test func turnsNameTheSymbolsOfTheApps() async throws {
        let session = try await session()
        #expect(
            await session.run("route plan $p.A $p.F | route turns | select direction symbol")
                == """
                direction  symbol
                start      figure.walk
                right      arrow.turn.up.right
                arrive     mappin.circle.fill
                """)
    }

    @Test func theSameSeedGivesTheSameBytes() async throws {
        var files: [Data] = []
        for _ in 0..<2 {
            let session = try await session()
            let route = try await route(session, "route plan $p.A $p.F | route save")
            let url = session.folder.url.appendingPathComponent("workspace/planned_routes")
                .appendingPathComponent("\(route.id.uuidString).json")
            files.append(try Data(contentsOf: url))
        }
        #expect(files[0] == files[1])
    }

    @Test func changesCanBeTakenBack() async throws {
        let session = try await session()
        await session.run("route plan $p.A $p.F --name One | route save")
        await session.run("route edit One --name Two")
        #expect(await session.run("route list | get name") == "Two")
        #expect(await session.run("undo") == "undone: renamed route One")
        #expect(await session.run("route list | get name") == "One")
        await session.run("route delete One; undo")
        #expect(await session.run("route list | count") == "1")
        #expect(await session.run("undo") == "undone: saved route One")
        #expect(await session.run("route list | count") == "0")
        await session.run("region delete village")
        #expect(await session.result("route plan $p.A $p.F").failure?.code == "E-ROUTE-NODATA")
        await session.run("undo")
        #expect(await session.result("route plan $p.A $p.F").failure == nil)
        await session.run("undo")
        #expect(await session.run("region list | count") == "0")
    }

    /// Over a hill in the middle of an edge, which the heights of the ends do not show.
    @Test(.needs(.osmium)) func whatAnAppWouldShowAsClimb() async throws {
        let session = try TestSession(plugins: { [RoutingPlugin()] })
        await session.run("region sample")
        await session.run("region import valley.osm --elevation N00E000.hgt")
        let plan = "route plan 0.5143891,0.497302 0.5152884,0.5134898"
        let own = try await route(session, plan)
        let ends = try #require(own.found?.climbOfEnds)
        // Gain less loss is the difference of the ends, however it is summed.
        #expect(abs((ends.gain - ends.loss) - (own.planned.gain - own.planned.loss)) < 0.01)
        #expect(own.planned.gain > ends.gain + 20, "the path goes up and down between its two junctions")
        #expect(await session.run("\(plan) | elevation --stats | get appGain") == "0m")
    }

    @Test(.needs(.osmium)) func whatIsNearTheLimitIsWarnedOf() async throws {
        let session = try TestSession(plugins: { [RoutingPlugin()] })
        await session.run("region sample")
        await session.run("region import valley.osm")
        let plan = "route plan 0.5143891,0.497302 0.522483,0.4946041"
        let unknown = "heights are unknown: cost and duration exclude climbing"
        // Up to T3 by default, and never harder.
        #expect(
            await session.run("\(plan) | get warnings")
                == "1.11km of grade T2: Pass Path\n1.52km of grade T3, the limit: Equator Ridge\n\(unknown)")
        #expect(!(await session.run("\(plan) | get edges")).contains("Peak Path"))
        #expect(
            await session.run("\(plan) --sac-limit T4 | get warnings")
                == "1.47km of grade T4, the limit: Peak Path\n\(unknown)")
        #expect(await session.run("\(plan) --sac-limit T4").contains("warnings"))
        #expect(!(await session.run("\(plan) --sac-limit T3 | get edges")).contains("Peak Path"))
    }

    @Test func damagedFilesAreListed() async throws {
        let session = try await session()
        await session.run("route plan $p.A $p.F --name One | route save")
        let folder = session.folder.url.appendingPathComponent("workspace/planned_routes")
        try Data("{".utf8).write(to: folder.appendingPathComponent("broken.json"))
        #expect(await session.run("route list | get name") == "One\nbroken.json")
        #expect(await session.run("route list | last | get error").isEmpty == false)
        #expect(await session.run("@One | get name") == "One")
    }

    @Test func namesAreResolvedAndCompleted() async throws {
        let session = try await session()
        for _ in 0..<2 { await session.run("route plan $p.A $p.F --name Twin | route save") }
        #expect(await session.result("route show Twin").failure?.code == "E-REFERENCE-AMBIGUOUS")
        let id = await session.run("route list | first | get id")
        #expect(await session.run("route show '\(id)' | get name") == "Twin")
        // A name that two routes have is no suggestion.
        #expect(await session.result("route show Twim").failure?.suggestion == nil)
        await session.run("route plan $p.A $p.F --name Ridge | route save")
        #expect(await session.result("route show Ridgf").failure?.suggestion == "@Ridge")
    }

    @Test func linesOfAGPXFileBecomeRoutes() async throws {
        let gpx = """
            <?xml version="1.0"?><gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1" creator="t">
            <trk><name>Walk</name><trkseg>
            <trkpt lat="47.0" lon="9.0"><ele>500</ele></trkpt><trkpt lat="47.005" lon="9.0"><ele>560</ele></trkpt>
            </trkseg><trkseg><trkpt lat="47.005" lon="9.008"><ele>540</ele></trkpt></trkseg></trk>
            <rte><rtept lat="47" lon="9"/><rtept lat="47.01" lon="9"/></rte>
            <trk><name>Empty</name></trk></gpx>
            """
        let session = try await session(["two.gpx": Data(gpx.utf8)])
        let names = await session.run("import two.gpx --as routes | first | get routes | get name")
        #expect(names == "Walk\ntwo 3")
        #expect(await session.run("@Walk | route turns | get text") == "Head north\nTurn right\nArrive")
        #expect(await session.run("@Walk | get gain") == "60m")
        #expect(await session.run("@Walk | route reverse | get gain") == "20m")
        #expect(
            await session.run("@Walk | route reverse | route turns | get text")
                == "Head west\nTurn left\nArrive")
        #expect(await session.result("@Walk | route move 1 47,9").failure?.code == "E-ROUTE-FIXED")
    }

    @Test func heightsOfAPartOfAFileAreUnknown() async throws {
        /// 20 points, of which the first ones have heights that rise by 20 m each.
        func gpx(heights: Int) -> Data {
            let points = (0..<20).map { index in
                let height = index < heights ? "<ele>\(500 + 20 * index)</ele>" : ""
                return "<trkpt lat=\"\(47 + Double(index) / 1000)\" lon=\"9\">\(height)</trkpt>"
            }
            let head = "<gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\" creator=\"t\">"
            return Data("\(head)<trk><trkseg>\(points.joined())</trkseg></trk></gpx>".utf8)
        }
        let session = try await session([
            "part.gpx": gpx(heights: 10), "none.gpx": gpx(heights: 0), "whole.gpx": gpx(heights: 20),
        ])
        let duration = await session.run("import none.gpx --as routes | get duration")
        #expect(await session.run("import part.gpx --as routes --again | get duration") == duration)
        #expect(await session.run("route show part | get gain") == "")
        #expect(await session.run("route show part | elevation --points | count") == "0")
        #expect(await session.run("import whole.gpx --as routes | get gain") == "380m")
        #expect(await session.run("route show whole | get duration") != duration)
    }

    @Test func aRouteWithoutANameIsCalledByThePlacesAtItsEnds() async throws {
        let gpx = """
            <?xml version="1.0"?><gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1" creator="t">
            <rte><rtept lat="47" lon="9"/><rtept lat="47.01" lon="9"/></rte></gpx>
            """
        let session = try TestSession(
            plugins: { [RoutingPlugin(), NamingPlugin()] }, files: ["walk.gpx": Data(gpx.utf8)])
        for line in Samples.sketch { _ = try await session.value(line) }
        let (start, end) = (await session.run("$p.A"), await session.run("$p.D"))
        #expect(await session.run("route plan $p.A $p.D | get name") == "\(start) to \(end)")
        #expect(await session.run("route plan $p.A $p.A --via $p.D | get name") == "Round trip from \(start)")
        #expect(await session.run("route order $p.A $p.D --via $p.C | get name") == "\(start) to \(end)")
        #expect(await session.run("route plan $p.A $p.D --name Mine | get name") == "Mine")
        #expect(await session.run("import walk.gpx --as routes | get name") == "47,9 to 47.01,9")
    }

    @Test func theMapHasTheNetworkBelowTheRoute() async throws {
        let session = try await session()
        let route = try await route(session, "route plan $p.A $p.F")
        let features = route.mapFeatures
        let lines = features.prefix { if case .line = $0 { true } else { false } }
        #expect(lines.count == 4)
        guard case .route(let line) = features[lines.count] else {
            Issue.record("no route")
            return
        }
        #expect(line == route.planned.coordinates)
    }

    @Test func namesOfRegionsAndProfilesAreCompleted() async throws {
        let session = try await session()
        let regions = await session.session.completions(of: "route plan 47,9 47,9 --region vi")
        #expect(regions.candidates.map(\.replacement) == ["village"])
        let profiles = await session.session.completions(of: "profile show c")
        #expect(profiles.candidates.map(\.replacement) == ["cycling"])
    }

    @Test func errorsTellWhatToDo() async throws {
        let session = try await session()
        #expect(await session.result("route turns").failure?.code == "E-ROUTE-MISSING")
        #expect(
            await session.result("route plan $p.A $p.F | route move 7 $p.D").failure?.code == "E-ROUTE-PIN")
        #expect(await session.result("route plan $p.A $p.F --profile hikin").failure?.suggestion == "hiking")
        #expect(await session.result("route plan $p.A $p.F --region villag").failure?.suggestion == "village")
        #expect(
            await session.result("region sketch village 'A-B' --way AB").failure?.code == "E-REGION-EXISTS")
        #expect(await session.result("region sketch x 'A-B'").failure?.code == "E-REGION-SKETCH")
        #expect(await session.result("region sketch x 'A-A' --way AA").failure?.code == "E-REGION-SKETCH")
    }
}

@Suite struct SearchStepTests {
    @Test func aSearchCanBeSteppedThrough() async throws {
        let session = try TestSession(plugins: { [RoutingPlugin()] })
        for line in Samples.sketch { await session.run(line) }
        #expect(await session.run("let s = step route plan $p.A $p.F; $s.kind") == "start")
        #expect(
            await session.run("let t = trace route plan $p.A $p.F; $t | where kind == end | count") == "1")
        #expect(await session.run("step to kind == settle and parent == B | get node") == "C")
        #expect(await session.run("step picture | get settled") == "3")
        #expect(await session.run("step to 1; step picture | get frontier").hasSuffix("1"))
        #expect(await session.result("step picture | map").failure == nil)
        #expect(
            await session.run(
                "let t = trace route plan $p.A $p.F --method dijkstra; $t | where h > 0 | count") == "0")
    }

    @Test func aSearchWithoutARouteKeepsItsSteps() async throws {
        let session = try TestSession(plugins: { [RoutingPlugin()] })
        await session.run("let p = region sketch two 'A--B  C--D' --column 500m --way AB --way CD")
        #expect(await session.result("route plan $p.A $p.D").failure?.code == "E-ROUTE-NONE")
        #expect(await session.run("let s = step route plan $p.A $p.D; $s.kind") == "start")
    }

    @Test func othersCanAskForARoute() async throws {
        let session = try TestSession(plugins: { [RoutingPlugin(), AskingPlugin()] })
        for line in Samples.sketch { await session.run(line) }
        #expect(await session.run("ask $p.A $p.F") == "3 turns, 500m")
    }
}

/// Another plugin that plans by the capability alone.
private struct AskingPlugin: Plugin {
    let name = "asking"
    let summary = "asks"
    let version = "1.0"
    let commands: [any CommandProvider] = [Ask()]

    private struct Ask: CommandProvider {
        var command: Command {
            Command(
                "ask", "asks", .positional("from", .coordinate, "from"), .positional("to", .coordinate, "to"),
                output: .value("text"), effect: .reads, examples: [.init("one", "ask 47,9 47,9")]
            ) { context, from, to in
                guard let planner = context.all((any RoutePlanning).self).first else { return .nothing }
                let route = try await planner.plan(
                    planner.request(over: [from, to], mode: .hiking), context: context)
                return .text("\(route.turns.count) turns, \(Literal.quantity(.metres(route.distance)))")
            }
        }
    }
}

/// Calls each place by its coordinate.
private struct NamingPlugin: Plugin, PlaceNaming {
    let name = "naming"
    let summary = "names for coordinates"
    let version = "1.0"
    let commands: [any CommandProvider] = []
    var capabilities: [any Capability] { [self] }

    func name(of coordinate: Coordinate, context: Context) async throws -> String? {
        Literal.coordinate(coordinate)
    }
}
