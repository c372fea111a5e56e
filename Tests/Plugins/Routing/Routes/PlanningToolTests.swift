import Foundation
import Geodesy
import PluginKit
import PluginTestKit
import Testing

@testable import RoutingPlugin

@Suite struct PlanningToolTests {
    private func session(_ lines: String...) async throws -> TestSession {
        let session = try TestSession(plugins: { [RoutingPlugin()] })
        for line in lines { await session.run(line) }
        return session
    }

    /// A grade that no way has is no help where the avoided way is the only one.
    @Test func onlyTheAvoidedWayLeadsThere() async throws {
        let session = try await session(
            "let p = region sketch lane 'A--B------------------------C--D' --way AB --way 'BC name=Lane' --way CD"
        )
        let failure = await session.result("route plan $p.A $p.D --avoid Lane").failure
        #expect(failure?.code == "E-ROUTE-NONE")
        #expect(failure?.fix?.contains("grade") == false)
        #expect(failure?.fix?.contains("--avoid") == true)
    }

    @Test func waysAndAreasAreAvoided() async throws {
        let session = try await session(
            "let p = region sketch square '\nA-----B\nC-----D' --way 'AB name=High Street' --way AC --way CD --way DB"
        )
        #expect(await session.run("route plan $p.A $p.B | get distance") == "300m")
        #expect(await session.run("route plan $p.A $p.B --avoid 'High Street' | get distance") == "500m")
        #expect(await session.run("route plan $p.A $p.B --avoid way=1 | get distance") == "500m")
        #expect(
            await session.run("route plan $p.A $p.B --avoid 46.9999,9.001,47.0001,9.003 | get distance")
                == "500m")
        #expect(await session.result("route plan $p.A $p.B --avoid Nowhere").failure?.code == "E-ROUTE-AVOID")
        #expect(await session.result("route plan $p.A $p.B --avoid 3,2,1,0").failure?.code == "E-ROUTE-AVOID")
        #expect(await session.result("route plan $p.A $p.B --avoid way=x").failure?.code == "E-ROUTE-AVOID")
    }

    @Test(arguments: ["'High Stret'", "way=99", "3.0,2.0,4.0,5.0"])
    func eachItemToAvoidMustMatch(item: String) async throws {
        let session = try await session(
            "let p = region sketch square '\nA-----B\nC-----D' --way 'AB name=High Street' --way AC --way CD --way DB"
        )
        let failure = await session.result("route plan $p.A $p.B --avoid 'High Street' --avoid \(item)")
            .failure
        #expect(failure?.code == "E-ROUTE-AVOID")
        #expect(failure?.message.contains("`\(item.replacing("'", with: ""))`") == true)
        #expect(failure?.suggestion == (item.hasPrefix("'") ? "High Street" : nil))
    }

    /// Exact orders against all permutations; the good ones are never better than exact, and near it.
    @Test func visitingOrders() throws {
        var random = SplitMix(seed: 7)
        for count in [3, 5, 7, 8] {
            let costs = (0..<count).map { _ in
                (0..<count).map { _ in Double.random(in: 1...100, using: &random) }
            }
            var best = Double.infinity
            func permute(_ rest: [Int], _ order: [Int]) {
                if rest.isEmpty {
                    best = min(best, VisitingOrder.cost(order + [count - 1], costs))
                    return
                }
                for next in rest { permute(rest.filter { $0 != next }, order + [next]) }
            }
            permute(Array(1..<count - 1), [0])
            let order = try #require(VisitingOrder.order(costs))
            #expect(order.sorted() == Array(0..<count))
            #expect(order.first == 0 && order.last == count - 1)
            #expect(abs(VisitingOrder.cost(order, costs) - best) < 1e-9)
        }
        // 20 places on a circle in a mixed order: the best goes round.
        let places = (0..<20).map { Double(($0 * 7) % 20) }
        let ring = places.map { a in places.map { b in abs(a - b) } }
        let order = try #require(VisitingOrder.order(ring))
        #expect(order.sorted() == Array(0..<20))
        #expect(VisitingOrder.order([[0, 1, 2], [1, 0, .infinity], [2, 1, 0]]) == nil)
    }

    @Test func aMatrixSaysWhatCannotBeReached() async throws {
        let session = try await session(
            "let p = region sketch two 'A--B          C--D' --column 100m --way AB --way CD")
        #expect(
            await session.run("route matrix $p.A $p.B $p.D | where from == 1 | get distance").split(
                separator: "\n"
            )
            .first?.trimmingPrefix(" ") == "300m")
        // Four of the six pairs are between the two parts.
        #expect(await session.run("route matrix $p.A $p.B $p.D | where distance > 0m | count") == "2")
    }

    @Test(.needs(.osmium)) func roundTripsHaveTheirLength() async throws {
        let folder = try ScratchFolder()
        let region = try importedRegion(MadeUpTown.osm(side: 14, seed: 5), in: folder)
        let middle = region.graph.coordinate(of: region.graph.nodeCount / 2)
        var profile = CostProfile.hiking
        profile.sacLimit = nil
        var none = NoTrace()
        let trips = try RoundTrips(weighted: region.weighted(profile)).trips(
            from: middle, distance: 3000, count: 3, trace: &none, check: {})
        #expect(!trips.isEmpty)
        for trip in trips {
            #expect(abs(trip.distance - 3000) <= 450)
            #expect(trip.coordinates.first == trip.coordinates.last)
        }
    }

    /// A street without a way round has no round trip, which is said.
    @Test func anEmptyListOfRoundTripsSaysWhy() async throws {
        let session = try TestSession(plugins: { [RoutingPlugin()] })
        _ = await session.run("let p = region sketch line 'A---B' --way AB")
        #expect(await session.run("route round $p.A --distance 20km").contains("no round trip of about 20"))
    }

    @Test func daysEndAtHuts() throws {
        let line = [Coordinate(latitude: 47, longitude: 9), Coordinate(latitude: 47, longitude: 9.5)]
        func hut(_ name: String, _ longitude: Double, _ latitude: Double = 47) -> StageSplit.Lodging {
            StageSplit.Lodging(
                name: name, kind: "alpine_hut", at: Coordinate(latitude: latitude, longitude: longitude))
        }
        let huts = try StageSplit.along(
            line, [hut("far", 9.3, 47.1), hut("near", 9.1), hut("second", 9.2, 47.002)])
        #expect(huts.map(\.lodging.name) == ["near", "second"])
        #expect(abs(huts[0].share - 0.2) < 1e-3 && abs(huts[1].share - 0.4) < 1e-3)
        // Beside an end, within reach, and not.
        let ends = try StageSplit.along(
            line, [hut("before", 8.994), hut("after", 9.506), hut("off", 8.99)])
        #expect(ends.map(\.lodging.name) == ["before", "after"])
    }

    @Test func aPlaceAcrossTheMeridianOf180DegreesIsNear() throws {
        let line = [Coordinate(latitude: 0, longitude: 179.9), Coordinate(latitude: 0, longitude: 179.999)]
        let hut = StageSplit.Lodging(
            name: "Hut", kind: "alpine_hut", at: Coordinate(latitude: 0, longitude: -179.999))
        #expect(try StageSplit.along(line, [hut]).map(\.share) == [1])
    }

    @Test(.needs(.osmium)) func stagesAddUpToTheRoute() async throws {
        let session = try await session("region sample", "region import valley.osm --elevation N00E000.hgt")
        await session.run("let r = route plan 0.4977,0.4809 0.5143891,0.497302")
        let stages = await session.run("$r | route stages --hours 1 | get to")
        #expect(stages.contains("Meridian Hut"))
        #expect(
            await session.run("$r | route stages --hours 24 | get distance").trimmingPrefix(" ")
                == (await session.run("$r | get distance")).trimmingPrefix(" "))
    }

    @Test func alongATrailAndBack() async throws {
        let session = try await session(
            "let p = region sketch marked 'A----B----C----D' --way AB --way 'BC trail=E5' --way 'CD trail=E5'"
        )
        #expect(await session.run("route along E5 | get distance") == "500m")
        #expect(
            await session.run("route along E5 --back | get start")
                == (await session.run("route along E5 | get end")))
        #expect(await session.result("route along E55").failure?.suggestion == "E5")
        let gap = try await self.session(
            "let p = region sketch gap 'A----B----C----D' --way 'AB trail=E5' --way BC --way 'CD trail=E5'")
        #expect(await gap.run("route along E5 | get distance") == "250m")
        #expect(
            await gap.run("route along E5 | get warnings").contains("250 m of it in 1 other part is skipped")
        )
    }

    @Test func alongARingAndASpur() async throws {
        let ring = try await session(
            "let p = region sketch ring 'A----B\n|    |\nD----C' --way 'AB trail=LT' --way 'BC trail=LT' --way 'CD trail=LT' --way 'DA trail=LT'"
        )
        let length = await ring.run("trail list | get length")
        #expect(await ring.run("route along LT | get distance") == length)
        let back = "route along LT --back | get distance"
        #expect(await ring.run(back) == length)
        #expect(await ring.run("route along LT | get start") == (await ring.run("route along LT | get end")))
        // A gate cuts its node apart.
        let gate = try await session(
            "let p = region sketch gate 'A----B\n|    |\nD----C' --way 'AB trail=LT' --way 'BC trail=LT' --way 'CD trail=LT' --way 'DA trail=LT' --node 'B barrier=gate'"
        )
        #expect(await gate.run("route along LT | get distance") == length)
        let spur = try await session(
            "let p = region sketch spur 'A----B----C\n     |\n     D' --way 'AB trail=ST' --way 'BC trail=ST' --way 'BD trail=ST'"
        )
        #expect(
            await spur.run("route along ST | get warnings").contains(
                "of the trail is beside the way from end to end"))
    }

    /// At both ends of the longest part, nodes of other parts have the same place.
    @Test(.needs(.osmium)) func partsOfATrailThatTouchWithoutANode() async throws {
        let places = ["47,9", "47,9.01", "47,9.01", "47.001,9.01", "47,9", "47.001,9"]
        let nodes = places.enumerated().map { index, place in
            let parts = place.split(separator: ",")
            return "<node id=\"\(index + 1)\" lat=\"\(parts[0])\" lon=\"\(parts[1])\"/>"
        }
        let ways = [(10, 3, 4), (20, 1, 2), (30, 5, 6)].map { id, from, to in
            "<way id=\"\(id)\"><nd ref=\"\(from)\"/><nd ref=\"\(to)\"/><tag k=\"highway\" v=\"path\"/></way>"
        }
        let trail = """
            <relation id="7"><member type="way" ref="10"/><member type="way" ref="20"/><member type="way" ref="30"/>
            <tag k="type" v="route"/><tag k="route" v="hiking"/><tag k="ref" v="E5"/></relation>
            """
        let map = "<osm version=\"0.6\">\((nodes + ways).joined())\(trail)</osm>"
        let session = try TestSession(plugins: { [RoutingPlugin()] }, files: ["map.osm": Data(map.utf8)])
        await session.run("region import map.osm")
        // By hand: 0.01° of longitude at 47° north are 758.4 m.
        #expect(await session.run("route along E5 | get distance") == "759m")
        #expect(await session.run("route along E5 | get warnings").contains("222 m of it in 2 other parts"))
    }

    @Test func aSavedRouteKeepsItsWarnings() async throws {
        let session = try await session(
            "let p = region sketch hard 'A----B' --way 'AB highway=path sac_scale=alpine_hiking'")
        let planned = await session.run("route plan $p.A $p.B --sac-limit T4 --name Hard | get warnings")
        #expect(planned.contains("of grade T4, the limit"))
        await session.run("route plan $p.A $p.B --sac-limit T4 --name Hard | route save")
        #expect(await session.run("route show Hard | get warnings") == planned)
        await session.run("route edit Hard --name Harder")
        #expect(await session.run("route show Harder | get warnings") == planned)
    }

    @Test(.needs(.osmium)) func routesCrossFromOneRegionToTheNext() async throws {
        let osm = { (ways: String) in
            "<osm version=\"0.6\">"
                + (1...4).map { "<node id=\"\($0)\" lat=\"47\" lon=\"9.00\($0)\"/>" }.joined()
                + ways + "</osm>"
        }
        let way = { (id: Int, from: Int, to: Int) in
            "<way id=\"\(id)\"><nd ref=\"\(from)\"/><nd ref=\"\(to)\"/><tag k=\"highway\" v=\"path\"/></way>"
        }
        let session = try TestSession(
            plugins: { [RoutingPlugin()] },
            files: [
                "west.osm": Data(osm(way(1, 1, 2) + way(2, 2, 3)).utf8),
                "east.osm": Data(osm(way(2, 2, 3) + way(3, 3, 4)).utf8),
                "far.osm": Data(
                    osm(way(9, 1, 2)).replacing("id=\"1\" lat", with: "id=\"11\" lat").replacing(
                        "id=\"2\" lat", with: "id=\"12\" lat"
                    ).replacing("ref=\"", with: "ref=\"1").utf8),
            ])
        for name in ["west", "east", "far"] { await session.run("region import \(name).osm") }
        #expect(await session.run("region join west east | get edges") == "3")
        #expect(await session.run("region show west+east | get components") == "1")
        // By hand: 0.003° of longitude at 47° north are 227.5 m.
        #expect(await session.run("route plan 47,9.001 47,9.004 --region west+east | get distance") == "228m")
        #expect(await session.result("region join west far").failure?.code == "E-REGION-JOIN")
        #expect(
            try await session.output("region join west east --name again").contains("other tags") == false)
        #expect(await session.run("region list | count") == "5")
    }

    /// Way 2 is closed in the newer of two extracts.
    @Test(.needs(.osmium)) func waysThatDifferBetweenJoinedRegionsAreCounted() async throws {
        let osm = { (tag: String) in
            let nodes = (1...3).map { "<node id=\"\($0)\" lat=\"47\" lon=\"9.00\($0)\"/>" }.joined()
            let ways = [(1, 1, 2, ""), (2, 2, 3, tag)].map { id, from, to, tag in
                "<way id=\"\(id)\"><nd ref=\"\(from)\"/><nd ref=\"\(to)\"/><tag k=\"highway\" v=\"path\"/>\(tag)</way>"
            }
            return Data("<osm version=\"0.6\">\(nodes)\(ways.joined())</osm>".utf8)
        }
        let session = try TestSession(
            plugins: { [RoutingPlugin()] },
            files: ["old.osm": osm(""), "new.osm": osm("<tag k=\"surface\" v=\"mud\"/>")])
        for name in ["old", "new"] { await session.run("region import \(name).osm") }
        #expect(
            await session.run("region join old new --name one | get notices").contains(
                "1 way with other tags in new: those of old are used"))
    }
}
