import Geodesy
import PluginKit
import PluginTestKit
import Testing

@testable import RoutingPlugin

/// Legs that are drawn as straight lines off the ways.
@Suite struct StraightLegTests {
    /// Two ways that do not meet: A–B along the top, C–D 400 m below.
    private func session() async throws -> TestSession {
        let test = try TestSession(plugins: { [RoutingPlugin()] })
        await test.run(
            "let p = region sketch apart 'A-----B\n \n \n \nC-----D' --column 50m --way 'AB name=Top Lane' --way 'CD name=Low Lane'"
        )
        return test
    }

    private func route(_ test: TestSession, _ line: String) async throws -> Route {
        try #require(try await test.value(line).object(as: Route.self))
    }

    @Test func aStraightLegJoinsWaysThatDoNotMeet() async throws {
        let test = try await session()
        await test.run("expect-error E-ROUTE-NONE route plan $p.A $p.C")
        let turns = await test.run(
            "route plan $p.A $p.C --via $p.B --via $p.D --straight 2 | route turns | get text")
        #expect(turns.contains("Via 1 reached. Turn right onto a straight line off the ways"), "\(turns)")
        #expect(turns.contains("Via 2 reached. Turn right onto Low Lane"))
        let route = try await route(test, "route plan $p.A $p.C --via $p.B --via $p.D --straight 2")
        #expect(route.found?.edges.map(\.name) == ["Top Lane", nil, "Low Lane"])
        let across = try #require(route.found?.edges[1])
        #expect(across.way == nil)
        #expect(abs(across.distance - 400) < 1)
        let sum = route.found?.edges.reduce(0) { $0 + $1.distance } ?? 0
        #expect(abs(sum - route.distance) < 0.5)
        #expect(abs(Polyline.length(route.line) - route.distance) < 1)
        let warning = try #require(route.found?.warnings.first)
        #expect(warning.hasPrefix("leg 2 is a straight line of 400m: what lies on it is unknown"))
    }

    /// Leg 1 of the way back is the last one of the way there.
    @Test func theWayBackHasTheSameStraightLeg() async throws {
        let test = try await session()
        let back = try await route(
            test, "route plan $p.A $p.D --via $p.B --via $p.C --straight 2 | route reverse")
        let warnings = back.found?.warnings ?? []
        #expect(warnings.contains { $0.hasPrefix("leg 2 is a straight line") })
        let end = try await route(test, "route plan $p.A $p.C --via $p.B --straight 2 | route reverse")
        #expect(end.found?.warnings.first?.hasPrefix("leg 1 is a straight line") == true)
    }

    /// A line needs no way near it: its ends may lie far from all ways.
    @Test func aLineOffTheMapNeedsNoWay() async throws {
        let test = try await session()
        let line = try await route(test, "route plan 47.2,9.2 47.21,9.2 --straight 1")
        #expect(abs(line.distance - 1112) < 2)
        #expect(line.planned.regionID == nil)
        #expect(line.climb == nil)
        #expect(line.turns.count == 2)
    }

    /// The line leads through its pins and on to where the next way begins.
    @Test func aStraightLegEndsWhereTheWayBegins() async throws {
        let test = try await session()
        let route = try await route(test, "route plan 47.002,9 $p.B --via 47.0005,9 --straight 1")
        let gaps = zip(route.line, route.line.dropFirst()).map { $0.distance(to: $1) }
        #expect((gaps.max() ?? 0) < 300)
        #expect(abs(Polyline.length(route.line) - route.distance) < 1)
    }

    @Test func aLineOffTheMapIsReversedAndMoved() async throws {
        let test = try await session()
        let plan = "route plan 47.2,9.2 47.21,9.2 --straight 1"
        let back = try await route(test, "\(plan) | route reverse")
        #expect(back.pins.map(\.latitude) == [47.21, 47.2])
        #expect(back.warnings.first?.hasPrefix("leg 1 is a straight line") == true)
        let moved = try await route(test, "\(plan) | route move 2 47.22,9.2")
        #expect(abs(moved.distance - 2224) < 4)
    }

    @Test func aLegThatIsNotThereIsRefused() async throws {
        let test = try await session()
        #expect(
            await test.run("expect-error E-ARG-RANGE route plan $p.A $p.B --straight 2")
                == "the route has no leg 2")
    }

    /// Other places have other legs: a changed plan keeps no number that means another one.
    @Test func numbersOfLegsEndWithTheirPlaces() {
        var plan = RoutePlan(places: [Coordinate(latitude: 47, longitude: 9)])
        plan.places = Array(repeating: plan.places[0], count: 3)
        plan.straight = [2]
        plan.places[1].latitude = 48
        #expect(plan.straight == [2])
        plan.places.removeLast()
        #expect(plan.straight.isEmpty)
        #expect(StraightLegs.reversed([1, 2], of: 4) == [4, 3])
    }
}
