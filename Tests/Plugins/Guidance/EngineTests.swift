import Geodesy
import PluginKit
import Testing

@testable import GuidancePlugin

@Suite struct EngineTests {
    private static let ground = Ground()
    /// 1 km to the north.
    private static let north = ground.line([(0, 0), (0, 1000)])

    @Test("hysteresis: what each distance from the line changes, 50 m out and 30 m in")
    func hysteresis() throws {
        // One fix is enough without a waiting time.
        var settings = GuidanceSettings()
        settings.offRouteFor = 0
        var driver = Driver(try .made(Self.north), settings)
        // Distance beside the line, and its effects.
        let table: [(Double, [GuidanceEvent.Kind])] = [
            (0, []), (49, []), (30, []), (49.9, []), (50.1, [.offRoute]), (49, []), (31, []), (60, []),
            (30.1, []), (29.9, [.backOnRoute]), (49, []), (31, []), (51, [.offRoute]), (10, [.backOnRoute]),
        ]
        for (index, (aside, expected)) in table.enumerated() {
            let made = driver.fix(Self.ground.place(aside, 300 + Double(index)))
            #expect(made == expected, "fix \(index + 1), \(aside) m beside the line")
        }
    }

    @Test(
        "prompts are spoken once each, approaching before at-turn; one fix that jumps past both says the turn alone"
    )
    func promptsInOneJump() throws {
        let route = try GuideRoute.made(Self.north, turns: [(500, .left)])
        var slow = Driver(route)
        for metre in stride(from: 0.0, through: 1000, by: 1) { slow.fix(Self.ground.place(0, metre)) }
        #expect(slow.events.map(\.kind) == [.approaching, .atTurn, .approaching, .arrived])
        #expect(abs(slow.events[0].along - 400) < 1.01 && abs(slow.events[1].along - 470) < 1.01)
        #expect(abs(slow.events[3].along - 970) < 1.01)
        var quick = Driver(route)
        quick.fix(Self.ground.place(0, 390))
        #expect(quick.fix(Self.ground.place(0, 510), after: 10) == [.atTurn])
        #expect(quick.state.next == 1)
    }

    @Test("several instructions in one jump, and the next is announced by the next fix")
    func severalInOneJump() throws {
        let route = try GuideRoute.made(Self.north, turns: [(300, .left), (340, .right), (420, .left)])
        var driver = Driver(route)
        driver.fix(Self.ground.place(0, 190))
        // The first is far behind: it is said to be passed. The second is here, and the third has the next fix.
        #expect(driver.fix(Self.ground.place(0, 345), after: 10) == [.passed, .atTurn])
        #expect(driver.fix(Self.ground.place(0, 347)) == [.approaching])
        #expect(driver.events.map { $0.turn?.direction } == [.left, .right, .left])
    }

    @Test("the app's rule, completing an instruction at 30 m, hides the at-turn prompt")
    func advanceHides() throws {
        var settings = GuidanceSettings()
        settings.advance = 30
        var driver = Driver(try .made(Self.north, turns: [(500, .left)]), settings)
        for metre in stride(from: 0.0, through: 1000, by: 1) { driver.fix(Self.ground.place(0, metre)) }
        #expect(driver.events.map(\.kind) == [.approaching, .approaching, .arrived])
        // A nearer advance lets it through.
        settings.advance = 29
        driver = Driver(try .made(Self.north, turns: [(500, .left)]), settings)
        for metre in stride(from: 0.0, through: 1000, by: 1) { driver.fix(Self.ground.place(0, metre)) }
        #expect(driver.events.map(\.kind) == [.approaching, .atTurn, .approaching, .arrived])
    }

    @Test("prompts by time: 20 s ahead at 5 m/s are 100 m, at 1 m/s 20 m")
    func promptsByTime() throws {
        var settings = GuidanceSettings()
        settings.approaching = .seconds(20)
        settings.atTurn = .seconds(5)
        for speed in [5.0, 1, 2.5] {
            var driver = Driver(try .made(Self.north, turns: [(500, .left)]), settings)
            for metre in stride(from: 0.0, through: 505, by: speed) {
                driver.fix(Self.ground.place(0, metre), speed: speed)
            }
            #expect(abs(500 - driver.events[0].along - 20 * speed) <= speed + 0.01)
            #expect(abs(500 - driver.events[1].along - 5 * speed) <= speed + 0.01)
        }
        // A receiver without a speed: it is measured along the line.
        var driver = Driver(try .made(Self.north, turns: [(500, .left)]), settings)
        for metre in stride(from: 0.0, through: 505, by: 5) { driver.fix(Self.ground.place(0, metre)) }
        #expect(abs(500 - driver.events[0].along - 100) <= 5.01)
    }

    @Test("off route no turn is announced; passed ones are skipped after coming back")
    func noPromptsOffRoute() throws {
        let route = try GuideRoute.made(Self.north, turns: [(300, .left), (600, .right)])
        var driver = Driver(route)
        for metre in stride(from: 0.0, through: 150, by: 5) { driver.fix(Self.ground.place(0, metre)) }
        for metre in stride(from: 150.0, through: 450, by: 5) { driver.fix(Self.ground.place(80, metre)) }
        #expect(driver.events.map(\.kind) == [.offRoute])
        for metre in stride(from: 450.0, through: 1000, by: 5) { driver.fix(Self.ground.place(0, metre)) }
        #expect(
            driver.events.map(\.kind)
                == [.offRoute, .backOnRoute, .approaching, .atTurn, .approaching, .arrived])
        #expect(driver.events[2].turn?.direction == .right)
    }

    @Test("joining the route half-way announces nothing behind the position")
    func joiningHalfway() throws {
        let route = try GuideRoute.made(Self.north, turns: [(100, .left), (300, .right), (600, .left)])
        var driver = Driver(route)
        #expect(driver.fix(Self.ground.place(3, 420)).isEmpty)
        #expect(driver.fix(Self.ground.place(3, 510), after: 60) == [.approaching])
        #expect(driver.events[0].turn?.direction == .left)
    }

    @Test("arrival is announced once, and nothing after it")
    func arrivalOnce() throws {
        var driver = Driver(try .made(Self.north))
        for metre in stride(from: 800.0, through: 1000, by: 5) { driver.fix(Self.ground.place(0, metre)) }
        #expect(driver.events.map(\.kind) == [.approaching, .arrived])
        for metre in stride(from: 1000.0, through: 700, by: -5) { driver.fix(Self.ground.place(0, metre)) }
        driver.fix(Self.ground.place(900, 0))
        #expect(driver.events.count == 2)
    }

    @Test("arrival requires being on route")
    func arrivalOnRoute() throws {
        var settings = GuidanceSettings()
        settings.offRouteFor = 0
        var driver = Driver(try .made(Self.north), settings)
        driver.fix(Self.ground.place(60, 900))
        driver.fix(Self.ground.place(60, 990))
        #expect(driver.events.map(\.kind) == [.offRoute] && !driver.state.hasArrived)
        // Fixes that lay 60 m beside the route may be as wrong along it.
        driver.fix(Self.ground.place(20, 990))
        #expect(!driver.state.hasArrived)
        driver.fix(Self.ground.place(5, 996))
        #expect(driver.state.hasArrived)
    }

    @Test("a route of two points, and one shorter than every threshold")
    func shortRoutes() throws {
        var driver = Driver(try .made(Self.ground.line([(0, 0), (0, 20)])))
        // Who is at the start has not arrived.
        #expect(driver.fix(Self.ground.place(0, 0)) == [.approaching])
        #expect(driver.fix(Self.ground.place(0, 20), after: 15) == [.arrived])
        var atEnd = Driver(try .made(Self.ground.line([(0, 0), (0, 20)])))
        #expect(atEnd.fix(Self.ground.place(0, 20)) == [.arrived])
    }

    @Test("a fix without a valid coordinate changes nothing")
    func invalidFixes() throws {
        var driver = Driver(try .made(Self.north))
        driver.fix(Self.ground.place(0, 100))
        let before = driver.state
        driver.fix(Coordinate(latitude: .nan, longitude: 0))
        driver.fix(Coordinate(latitude: 91, longitude: 0))
        driver.fix(Coordinate(latitude: 0, longitude: .infinity))
        #expect(driver.state == before)
    }

    @Test(
        "the same walk has the same events at 60° and 85° north and across the antimeridian as at the equator"
    )
    func anywhere() throws {
        let corners = [(0.0, 0.0), (0, 300), (400, 300), (400, 600), (100, 600)]
        func events(_ ground: Ground) throws -> [(GuidanceEvent.Kind, Int)] {
            let route = try GuideRoute.made(
                ground.line(corners), turns: [(300, .right), (700, .left), (1000, .left)])
            var plan = WalkPlan()
            plan.detours = [WalkPlan.Detour(at: 350, offset: 90, length: 150)]
            return try walked(route, plan).events.map { ($0.kind, $0.fix) }
        }
        let expected = try events(.equator)
        #expect(expected.map(\.0).contains(.offRoute) && expected.last?.0 == .arrived)
        for ground in [Ground.north60, .antimeridian, .north85, Ground()] {
            let found = try events(ground)
            #expect(found.map(\.0) == expected.map(\.0), "\(ground.origin)")
            // A sphere is no plane: a square in metres does not quite close, so a fix or two may differ.
            for (left, right) in zip(found, expected) { #expect(abs(left.1 - right.1) <= 4) }
        }
    }

    @Test("on a route of 20 m the arrival is announced at its start, and once it is walked")
    func shortest() throws {
        let ground = Ground()
        var driver = Driver(try .made(ground.line([(0, 0), (0, 20)])))
        for metre in stride(from: 0.0, through: 20, by: 1.3) { driver.fix(ground.place(0, metre)) }
        #expect(driver.events.map(\.kind) == [.approaching, .arrived])
        #expect(driver.events.last.map { $0.along >= 10 } == true)
    }
}
