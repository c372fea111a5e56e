import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import RoutingPlugin

/// Obstacles, restrictions and other features of the network, in sketches: lengths are known by
/// construction.
@Suite struct NetworkTests {
    private func session(_ lines: String...) async throws -> TestSession {
        let session = try TestSession(plugins: { [RoutingPlugin()] })
        for line in lines { await session.run(line) }
        return session
    }

    @Test func aLockedGateIsWalkedAround() async throws {
        let map =
            "let p = region sketch gate '\nA--B--C\nD-----E' --way 'ABC highway=track' --way AD --way DE --way EC "
        let open = try await session(map + "--node 'B barrier=gate'")
        #expect(await open.run("route plan $p.A $p.C | get distance") == "300m")
        let locked = try await session(map + "--node 'B barrier=gate locked=yes'")
        #expect(await locked.run("route plan $p.A $p.C | get distance") == "500m")
        // The ways on both sides of the gate can still be reached.
        #expect(await locked.run("route plan $p.D 47,9.0015 | get distance") == "214m")
        // The app knows no gates.
        #expect(await locked.run("route plan $p.A $p.C --profile app-hiking | get distance") == "300m")
    }

    @Test func aGateAtACrossingStopsAllWays() async throws {
        let session = try await session(
            "let p = region sketch four 'A--B--C\n   |\n   D' --column 500m --way AB --way BC --way BD --node 'B barrier=gate access=private'"
        )
        #expect(await session.result("route plan $p.A $p.C").failure?.code == "E-ROUTE-NONE")
        #expect(await session.run("route plan $p.A $p.D --allow private | get distance") == "3.5km")
        let nodes = await session.run("route plan $p.A $p.D --allow private | get nodes")
        #expect(nodes.split(separator: "\n").map { $0.trimmingPrefix(" ") } == ["1", "2", "4"])
    }

    @Test func privateWaysOpenOnRequestWithAWarning() async throws {
        let session = try await session(
            "let p = region sketch estate '\nA-----B\n\n\nC-----D' --way 'AB access=private name=Drive' --way AC --way CD --way DB"
        )
        #expect(await session.run("route plan $p.A $p.B | get distance") == "900m")
        #expect(await session.run("route plan $p.A $p.B --allow private | get distance") == "300m")
        #expect(
            await session.run("route plan $p.A $p.B --allow private | get warnings")
                == "300m with restricted access: access=private: Drive")
    }

    @Test func conditionsHoldAtATime() async throws {
        let session = try await session(
            "let p = region sketch winter '\nA-----B\nC-----D' --way 'AB foot:conditional=no @ (Nov-Apr)' --way AC --way CD --way DB"
        )
        #expect(await session.run("route plan $p.A $p.B --at 2026-02-06 | get distance") == "500m")
        #expect(await session.run("route plan $p.A $p.B --at 2026-07-06 | get distance") == "300m")
        #expect(await session.run("route plan $p.A $p.B --at 2026-07-06 | get warnings | count") == "0")
    }

    @Test func linksFerriesAndLiftsAreWays() async throws {
        let session = try await session(
            "let p = region sketch mixed 'A--B--C--D' --way 'AB highway=primary_link' --way 'BC highway=ferry name=Boat' --way 'CD highway=elevator'"
        )
        #expect(
            await session.run("route plan $p.A $p.D | get edges | get highway").split(separator: "\n")
                .map { $0.trimmingPrefix(" ") } == ["primary_link", "ferry", "elevator"])
        // By hand: 150 m × 1.3 (surface unknown) / 1.33 m/s + 150 m / 4.2 m/s + 60 s = 242.3 s.
        #expect(await session.run("route plan $p.A $p.D | get duration") == "4min2s")
        #expect(
            await session.run("route plan $p.A $p.D | route turns | get text").contains("onto the ferry Boat")
        )
    }

    @Test func snappingPrefersWhatConnects() async throws {
        let session = try await session(
            "let p = region sketch near '\nA---------B\n  E-F' --column 20m --way AB --way 'EF name=Islet'")
        // E lies on the islet, 40 m from the main way.
        #expect(await session.run("route plan $p.E $p.B | get distance") == "160m")
        #expect(
            await session.run("route plan $p.E $p.B | get warnings").contains(
                "the start is 40 m from its way: the nearest way, 0 m away, does not connect"))
        #expect(await session.run("route plan $p.E $p.F | get distance") == "40m")
        let far = try await self.session(
            "let p = region sketch far 'A--B  C--D' --column 400m --way AB --way CD")
        let failure = await far.result("route plan $p.A $p.D").failure
        #expect(failure?.code == "E-ROUTE-NONE")
        #expect(
            failure?.message.contains("the end is on an island of 2 nodes, 2.4 km from the main network")
                == true)
    }

    @Test func hardGradesAreNotWalkedUnasked() async throws {
        let session = try await session(
            "let p = region sketch ridge '\nA-----B\n\n\nC-----D' --way 'AB sac_scale=alpine_hiking' --way AC --way CD --way DB"
        )
        #expect(await session.run("route plan $p.A $p.B | get distance") == "900m")
        #expect(await session.run("route plan $p.A $p.B --sac-limit T4 | get distance") == "300m")
        let only = try await self.session(
            "let p = region sketch peak 'A---B' --way 'AB sac_scale=demanding_alpine_hiking'")
        let failure = await only.result("route plan $p.A $p.B").failure
        #expect(failure?.code == "E-ROUTE-SNAP" || failure?.fix?.contains("--sac-limit T5") == true)
    }

    @Test func unknownHeightsStayUnknown() async throws {
        let flat = try await session("let p = region sketch flat 'A-----B' --way AB")
        #expect(await flat.run("route plan $p.A $p.B | get gain") == "")
        #expect(await flat.run("route plan $p.A $p.B | route elevation | get gain") == "")
        #expect(
            await flat.run("route plan $p.A $p.B | route times | where formula == tobler | first | get there")
                == "")
        let part = try await session(
            "let p = region sketch part 'A-----B-----C' --way AB --way BC --height 'A=500 B=520'")
        #expect(await part.run("route plan $p.A $p.C | get gain") == "")
        #expect(
            await part.run("route plan $p.A $p.C | get warnings").contains("heights are unknown along 300m"))
        #expect(await part.run("route plan $p.A $p.B | get gain") == "20m")
    }

    @Test func overlappingRegionsAreTriedInTurn() async throws {
        let session = try await session(
            "let q = region sketch small 'A-B  C-D' --way AB --way CD --column 400m",
            "let p = region sketch large 'A-B--C-D\n\n\n\n\nE' --way ABCD --way AE --column 400m")
        #expect(await session.run("route plan $q.A $q.B | get region") == "small")
        #expect(
            await session.run("route plan $q.A $q.B | get warnings").contains(
                "large contains the coordinates too"))
        #expect(await session.run("route plan $q.A $q.D | get region") == "large")
        #expect(await session.run("route plan $q.A $q.D | get warnings").contains("not found in small"))
        let failure = await session.result("route plan $q.A $q.D --region small").failure
        #expect(failure?.message.hasSuffix("(in the region small)") == true)
    }

    @Test func profilesWithUnknownKeysAreRefused() async throws {
        let session = try TestSession(
            plugins: { [RoutingPlugin()] }, files: ["other.json": Data(#"{"nmae": "x"}"#.utf8)])
        #expect(await session.result("route profile other.json").failure?.suggestion == "name")
    }

    @Test func trailsAreTold() async throws {
        let session = try await session(
            "let p = region sketch marked 'A----B----C----D' --way AB --way 'BC trail=E5 osmc:symbol=red:red:white_bar' --way CD"
        )
        #expect(
            await session.run("route plan $p.A $p.D | route turns | get text").split(separator: "\n").map {
                $0.trimmingPrefix(" ")
            } == [
                "Head east", "Continue straight; follow E5, red-white-red", "Continue straight; leave E5",
                "Arrive",
            ])
    }

    @Test func theFarthestPointReachedMayLieBetweenJunctions() async throws {
        let session = try await session("let p = region sketch long 'A--------------------B' --way AB")
        // 1.33 m/s over ground that counts 1.3: 5 min are 306.9 m, and no junction but the start.
        #expect(await session.run("route reachable $p.A --within 5min | get farthest") == "307m")
    }
}
