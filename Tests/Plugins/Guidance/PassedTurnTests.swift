import Geodesy
import PluginKit
import PluginTestKit
import Testing

@testable import GuidancePlugin

/// Turns that lie behind the walker are not announced.
@Suite struct PassedTurnTests {
    private static let ground = Ground()
    private static let turns: [(Double, TurnDirection)] = [(300, .left), (700, .right), (1500, .left)]

    private static func driver() throws -> Driver {
        Driver(try .made(ground.fineLine([(0, 0), (0, 3000)]), turns: turns))
    }

    @Test("turns passed in a tunnel are one event that says where the walker is and what comes next")
    func tunnel() throws {
        var driver = try Self.driver()
        for metre in stride(from: 0.0, through: 150, by: 1.3) { driver.fix(Self.ground.place(0, metre)) }
        driver.fix(Self.ground.place(0, 950), after: 615)
        #expect(driver.events.map(\.kind) == [.passed])
        let passed = try #require(driver.events.first)
        #expect(passed.turnsPassed == 2 && passed.turn?.direction == .right)
        #expect(
            SpokenText(.metric).text(passed)
                == "You have passed 2 turns. You are on way 1. In 550 metres, turn left")
        for metre in stride(from: 951.3, through: 1510, by: 1.3) { driver.fix(Self.ground.place(0, metre)) }
        #expect(driver.events.map(\.kind) == [.passed, .approaching, .atTurn])
    }

    /// A receiver without satellites goes straight on where the way turns.
    @Test("what may have been walked without a fix is passed, and not left out")
    func unseen() throws {
        let line = Self.ground.fineLine([(0, 0), (0, 300), (600, 300)])
        var driver = Driver(try .made(line, turns: [(300, .right), (400, .left)]))
        for metre in stride(from: 0.0, through: 400, by: 1.3) { driver.fix(Self.ground.place(0, metre)) }
        #expect(driver.events.last?.kind == .offRoute)
        driver.fix(Self.ground.place(150, 300), after: 420)
        let back = try #require(driver.events.first { $0.kind == .backOnRoute })
        #expect(
            SpokenText(.metric).text(back)
                == "You are back on the route. You have passed a turn. It goes on to the east")
    }

    @Test("a turn is announced up to 15 m past its point, and not farther on", arguments: [5.0, 14, 16, 80])
    func justPassed(metres: Double) throws {
        var driver = try Self.driver()
        for metre in stride(from: 0.0, through: 150, by: 1.3) { driver.fix(Self.ground.place(0, metre)) }
        let made = driver.fix(Self.ground.place(0, 300 + metres), after: (150 + metres) / 1.3)
        #expect(made == (metres < 15 ? [.atTurn] : [.passed]))
        // Whatever was said, it is said once.
        #expect(driver.fix(Self.ground.place(0, 303 + metres), after: 2).isEmpty)
    }

    @Test("the setting late moves that bound; an announcement alone is no prompt at the turn")
    func setting() throws {
        var settings = GuidanceSettings()
        settings.late = 60
        var driver = Driver(
            try .made(Self.ground.fineLine([(0, 0), (0, 3000)]), turns: Self.turns), settings)
        for metre in stride(from: 0.0, through: 220, by: 1.3) { driver.fix(Self.ground.place(0, metre)) }
        #expect(driver.fix(Self.ground.place(0, 350), after: 100) == [.atTurn])
        var strict = try Self.driver()
        for metre in stride(from: 0.0, through: 220, by: 1.3) { strict.fix(Self.ground.place(0, metre)) }
        #expect(strict.fix(Self.ground.place(0, 350), after: 100) == [.passed])
    }

    @Test("of two turns 10 m apart each has its own fix; after a long gap the one ahead is said")
    func onePrompt() throws {
        let line = Self.ground.fineLine([(0, 0), (0, 1000)])
        let route = try GuideRoute.made(line, turns: [(500, .left), (510, .right)])
        var driver = Driver(route)
        for metre in stride(from: 0.0, through: 1000, by: 1.3) {
            #expect(driver.fix(Self.ground.place(0, metre)).count { $0 != .arrived } <= 1)
        }
        #expect(driver.events.filter { $0.kind == .atTurn }.map(\.turn?.direction) == [.left, .right])
        var sparse = Driver(route)
        for metre in stride(from: 0.0, through: 300, by: 1.3) { sparse.fix(Self.ground.place(0, metre)) }
        sparse.fix(Self.ground.place(0, 504), after: 150)
        #expect(sparse.events.map(\.kind) == [.passed, .atTurn])
        #expect(sparse.events.last?.turn?.direction == .right)
    }

    @Test("fixes delivered together are heard at the last one")
    func batch() throws {
        let route = try GuideRoute.made(Self.ground.fineLine([(0, 0), (0, 2000)]), turns: [(300, .left)])
        var plan = WalkPlan()
        plan.scenario = .batch
        let run = try walked(route, plan)
        #expect(run.events.allSatisfy { !run.samples[$0.fix - 1].walk.fix.isFollowed })
        #expect(run.samples.count { $0.walk.fix.isFollowed } > run.samples.count / 2)
        #expect(run.events.last?.kind == .arrived)
    }

    @Test("a later part of the plan, walked backwards by mistake: no turn before it is said to be passed")
    func straightOnAtACrossing() throws {
        let corners = [(0.0, 0.0), (0, 300), (300, 300), (300, 600), (0, 600), (0, 300), (-400, 300)]
        let turns: [(Double, TurnDirection)] = [
            (300, .right), (600, .left), (900, .left), (1200, .left), (1500, .right),
        ]
        var driver = Driver(try .made(Self.ground.fineLine(corners), turns: turns))
        let north = Array(stride(from: 0.0, through: 420, by: 2.6))
        let back = stride(from: 417.4, through: 300, by: -2.6)
        for metre in north + Array(back) {
            driver.fix(Self.ground.place(0, metre), after: 2)
        }
        #expect(driver.events.contains { $0.kind == .wrongWay })
        // They are left out, as the later part is followed from here.
        #expect(driver.events.filter { $0.kind == .passed }.allSatisfy { $0.leftOut != nil })
    }

    @Test("who goes straight on where the plan makes a spur has left it out, and has passed no turn there")
    func spurLeftOut() throws {
        let corners = [(0.0, 0.0), (0, 500), (300, 500), (0, 500), (0, 1000), (400, 1000)]
        let turns: [(Double, TurnDirection)] = [(500, .right), (800, .uTurn), (1100, .right), (1600, .right)]
        var driver = Driver(try .made(Self.ground.fineLine(corners), turns: turns))
        for metre in stride(from: 0.0, through: 700, by: 2.6) {
            driver.fix(Self.ground.place(0, metre), after: 2)
        }
        let passed = try #require(driver.events.first { $0.kind == .passed })
        #expect(SpokenText(.metric).text(passed).hasPrefix("You have left out 6"))
    }

    @Test("a part without turns that was left out is not told with a turn that is passed later")
    func spurWithoutTurns() throws {
        let corners = [(0.0, 0.0), (0, 500), (300, 500), (0, 500), (0, 1000), (400, 1000)]
        let turns: [(Double, TurnDirection)] = [(1450, .left), (1600, .right)]
        var driver = Driver(try .made(Self.ground.fineLine(corners), turns: turns))
        for metre in stride(from: 0.0, through: 700, by: 2.6) {
            driver.fix(Self.ground.place(0, metre), after: 2)
        }
        #expect(!driver.events.contains { $0.kind == .passed })
        driver.fix(Self.ground.place(0, 950), after: 190)
        let passed = try #require(driver.events.first { $0.kind == .passed })
        #expect(passed.turnsPassed == 1 && passed.leftOut == nil)
    }

    @Test("nothing is announced to one who walks back, whatever the line", arguments: shapes.keys.sorted())
    func walkedBack(shape: String) throws {
        let line = try #require(Self.shapes[shape])
        let length = Polyline.length(line)
        let turns = stride(from: 0.1, through: 0.9, by: 0.08).map { ($0 * length, TurnDirection.left) }
        let route = try GuideRoute.made(line, turns: turns)
        var driver = Driver(route)
        var fixesBack = 0
        for metre in stride(from: length - 100, through: 0, by: -2.6) {

            let wasBack = driver.state.heading.isBack
            let made = driver.fix(route.geometry.coordinate(at: metre).withoutAltitude, after: 2)
            if wasBack, driver.state.heading.isBack {
                fixesBack += 1
                #expect(!made.contains(.approaching) && !made.contains(.atTurn))
            }
        }
        // Where the line comes back beside itself, another part may lead the way that is walked.
        #expect(fixesBack > 0 || shape != "one way")
    }

    /// Lines of difficult shapes.
    private static let shapes: [String: [Coordinate]] = [
        "loop": ground.fineLine([(0, 0), (0, 900), (700, 1000), (800, 100), (0, 0)]),
        "out and back": ground.fineLine([(0, 0), (100, 700), (0, 1500), (100, 700), (0, 0)]),
        "one way": ground.fineLine([(0, 0), (300, 600), (0, 1200), (400, 1800)]),
        "switchbacks": ground.fineLine(
            (0..<10).flatMap { leg -> [(Double, Double)] in
                let y = Double(leg) * 25
                return leg % 2 == 0 ? [(0, y), (200, y)] : [(200, y), (0, y)]
            }),
    ]

    /// The walk's own measure: no prompt more than `late` past its turn by the match, none after the next turn was passed, and
    /// one a fix. By the true position the same within what a score calls in place.
    @Test(
        "no prompt is spoken past its turn, whatever the walk", arguments: shapes.keys.sorted(),
        WalkScenario.allCases)
    func property(shape: String, scenario: WalkScenario) throws {
        let line = try #require(Self.shapes[shape])
        let length = Polyline.length(line)
        let turns = stride(from: 0.1, through: 0.9, by: 0.08).map { ($0 * length, TurnDirection.left) }
        let route = try GuideRoute.made(line, turns: turns)
        for seed in 1...4 {
            var plan = WalkPlan()
            plan.noise = 5
            plan.interval = [1.0, 2, 5, 20][seed - 1]
            plan.scenario = scenario
            guard
                let run = try? SimulatedWalk.run(route, plan, seed: UInt64(seed), hasMotion: seed % 2 == 0)
            else {
                #expect(scenario == .cut)
                return
            }
            let stops = run.routes[0].stops
            var prompts: [Int: Int] = [:]
            for event in run.events where event.kind == .approaching || event.kind == .atTurn {
                prompts[event.fix, default: 0] += 1
                let index = try #require(stops.firstIndex { $0.turn == event.turn })
                let past = event.along - stops[index].along
                #expect(past <= run.settings.late, "\(event.kind) \(past) m past its turn, seed \(seed)")
                if index + 1 < stops.count {
                    #expect(event.along < stops[index + 1].along, "after the next turn, seed \(seed)")
                }
                // A phone that sleeps for 90 s announces what is passed meanwhile; where fixes come late, an announcement is due
                // up to ten metres before the turn before it.
                let most = scenario == .asleep ? 200.0 : 110
                #expect(event.distance <= most, "\(event.distance) m ahead")
                guard let truth = run.samples[event.fix - 1].walk.trueAlong, scenario != .twice else {
                    continue
                }
                let late = truth - stops[index].along
                // Noise of many metres moves the match by as much; the same place is passed twice on a way out and back.
                let isNoisy = [.poor, .canyon, .lying, .drift].contains(scenario)
                if !isNoisy, event.kind == .atTurn, abs(truth - event.along) < 50 {
                    #expect(
                        late <= run.settings.late + ScoreSettings.inPlace,
                        "truly \(late) m past, seed \(seed)")
                }
            }
            #expect(prompts.values.allSatisfy { $0 == 1 }, "seed \(seed)")
        }
    }

    @Test("who begins a figure of eight with its second loop is told what is left out")
    func eight() throws {
        let line = Self.ground.fineLine([
            (0, 0), (300, 300), (0, 600), (-300, 300), (0, 0), (300, -300), (0, -600), (-300, -300), (0, 0),
        ])
        let turns: [(Double, TurnDirection)] = [(424, .left), (849, .left), (1273, .left), (2121, .right)]
        var driver = Driver(try .made(line, turns: turns))
        for place in line.dropFirst(line.count / 2) { driver.fix(place, after: 7) }
        let said = try #require(driver.events.first { $0.kind == .passed })
        #expect(abs((said.leftOut ?? 0) - 1697) < 100)
        #expect(SpokenText(.metric).text(said).hasPrefix("You have left out 1.7 kilometres of the route"))
    }

    @Test("who joins a way out and back on the way home has not turned round")
    func joinsHome() throws {
        let route = try GuideRoute.made(Self.ground.fineLine([(0, 0), (0, 900), (0, 0)]))
        var driver = Driver(route)
        for metre in stride(from: 500.0, through: 0, by: -1.3) { driver.fix(Self.ground.place(0, metre)) }
        let said = driver.events.filter { $0.kind == .turnedRound }.map { SpokenText(.metric).text($0) }
        #expect(said.allSatisfy { $0.hasPrefix("The route goes on this way") }, "\(said)")
    }
}
