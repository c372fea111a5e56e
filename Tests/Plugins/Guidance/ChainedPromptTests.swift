import Geodesy
import PluginTestKit
import Testing

@testable import GuidancePlugin

/// Phones that sleep or deliver their fixes together can say something once a minute or so.
@Suite struct ChainedPromptTests {
    private static let ground = Ground()

    private static func route(_ turns: [(Double, TurnDirection)]) throws -> GuideRoute {
        try .made(ground.fineLine([(0, 0), (0, 2000)]), turns: turns)
    }

    /// One fix a minute, 78 m apart, from the start on.
    private static func events(_ turns: [(Double, TurnDirection)]) throws -> [GuidanceEvent] {
        var driver = Driver(try route(turns))
        for number in 0..<10 { driver.fix(ground.place(0, Double(number) * 78), after: 60) }
        return driver.events
    }

    @Test("two turns before the next fix are said together, and not as passed afterwards")
    func two() throws {
        // Heard at 234 and 312 m.
        let events = try Self.events([(250, .left), (290, .right)])
        #expect(events.map(\.kind) == [.approaching, .atTurn])
        let texts = events.map { SpokenText(.metric).text($0) }
        #expect(texts.last == "Turn left. Then, in 40 metres, turn right")
    }

    @Test("three turns before the next fix are said together")
    func three() throws {
        // The first is announced 94 m before it, at 156 m, and 16 m before it, at 234 m.
        let events = try Self.events([(250, .left), (270, .right), (295, .left)])
        let said = SpokenText(.metric).text(try #require(events.last))
        #expect(said == "Turn left. Then, in 20 metres, turn right. Then, in 25 metres, turn left")
        #expect(!events.contains { $0.kind == .passed })
    }

    @Test("what lies beyond the next fix is said there")
    func beyond() throws {
        let events = try Self.events([(250, .left), (330, .right)])
        #expect(events.allSatisfy { $0.following.isEmpty })
        #expect(events.map(\.kind) == [.approaching, .atTurn, .atTurn])
    }

    @Test("a turn a few metres beyond the next fix may be passed at it: it is said before")
    func justBeyond() throws {
        // Heard at 234 and 312 m.
        let events = try Self.events([(250, .left), (316, .right)])
        let texts = events.map { SpokenText(.metric).text($0) }
        #expect(texts.contains("Turn left. Then, in 70 metres, turn right"))
    }

    @Test("a turn announced at the last fix before it is not said to be passed")
    func announced() throws {
        // The first is 70 m ahead at 234 m and passed at 312 m, where the second is said.
        let events = try Self.events([(304, .left), (340, .right)])
        #expect(events.map(\.kind) == [.approaching, .atTurn])
        #expect(events.map(\.turn?.direction) == [.left, .right])
    }

    @Test("a walker hears `turn left` only where it is this turn, a cyclist some seconds before it")
    func soon() throws {
        for event in try Self.events([(450, .left), (900, .right)]) where event.kind == .atTurn {
            #expect(event.distance <= 30)
        }
    }

    @Test("a turn that is here, and may be passed by a metre of noise, is not left out for the next one")
    func here() throws {
        // Heard at 234 and 312 m.
        let events = try Self.events([(310, .left), (370, .right)])
        #expect(
            events.map { SpokenText(.metric).text($0) }.last == "Turn left. Then, in 60 metres, turn right")
    }

    @Test(
        "of two turns before the next fix that were both announced, the second is said again with the first")
    func both() throws {
        // Heard at 156 and 234 m.
        let events = try Self.events([(240, .left), (248, .right)])
        #expect(
            events.map { SpokenText(.metric).text($0) } == [
                "In 80 metres, turn left. Then, in 8 metres, turn right",
                "Turn left. Then, in 8 metres, turn right",
            ])
    }

    @Test(
        "a few metres of noise do not decide whether a turn is announced at all",
        arguments: [96.0, 100, 104, 108])
    func noise(left: Double) throws {
        // Heard at 234 m, and at 312 m, 18 to 30 m before the turn.
        let events = try Self.events([(234 + left, .left)])
        #expect(events.map(\.kind) == [.approaching, .atTurn])
    }

    @Test("a fix a second says one turn after the other; a single gap is no habit")
    func dense() throws {
        var driver = Driver(try Self.route([(260, .left), (290, .right), (700, .left), (730, .right)]))
        for metre in stride(from: 0.0, through: 300, by: 1.3) { driver.fix(Self.ground.place(0, metre)) }
        driver.fix(Self.ground.place(0, 640), after: 260)
        #expect(driver.events.allSatisfy { $0.following.isEmpty })
    }

    @Test("turns farther ahead than usual are announced where the next fix comes too late for them")
    func far() throws {
        // A fix in two minutes, 156 m apart: heard at 312 m, and at 468 m.
        var driver = Driver(try Self.route([(450, .left)]))
        for number in 0..<5 { driver.fix(Self.ground.place(0, Double(number) * 156), after: 120) }
        #expect(driver.events.map { SpokenText(.metric).text($0) } == ["In 140 metres, turn left"])
    }

    @Test("a cyclist with a fix every 5 s hears a turn before it", arguments: [0.0, 14, 28, 32, 34])
    func cyclist(start: Double) throws {
        var driver = Driver(try Self.route([(450, .left)]))
        for number in 0..<18 {
            driver.fix(Self.ground.place(0, start + Double(number) * 35), after: 5, speed: 7)
        }
        #expect(driver.events.map(\.kind) == [.approaching, .atTurn])
        #expect(driver.events.allSatisfy { $0.along < 450 })
    }

    /// `Turn left. Then, in 30 metres, turn left` must not mean the turn after the next one.
    @Test("a prompt leaves out no turn between two of its turns")
    func consecutive() throws {
        let turns = [450.0, 470, 480, 492, 560, 585, 600].map { ($0, TurnDirection.left) }
        let names = turns.indices.map { "way \($0)" }
        var longest = 0
        for start in stride(from: 0.0, to: 70, by: 2.5) {
            var driver = Driver(try Self.route(turns))
            for number in 0..<10 {
                driver.fix(Self.ground.place(0, start + Double(number) * 70), after: 10, speed: 7)
            }
            for event in driver.events {
                let said = ([event.turn].compactMap(\.self) + event.following.map(\.turn)).map(\.trailName)
                let first = try #require(names.firstIndex { $0 == said.first })
                #expect(said == Array(names[first...].prefix(said.count)), "start \(start)")
                longest = max(longest, said.count)
            }
        }
        #expect(longest > 2)
    }

    /// Lines of difficult shapes.
    private static let shapes: [String: [Coordinate]] = [
        "loop": ground.fineLine([(0, 0), (0, 900), (700, 1000), (800, 100), (0, 0)]),
        "one way": ground.fineLine([(0, 0), (300, 600), (0, 1200), (400, 1800)]),
    ]

    @Test(
        "every turn is said before it is passed, or counted as passed", arguments: shapes.keys.sorted(),
        [WalkScenario.batch, .asleep])
    func accounted(shape: String, scenario: WalkScenario) throws {
        let line = try #require(Self.shapes[shape])
        let length = Polyline.length(line)
        let turns = stride(from: 0.05, through: 0.95, by: 0.03).map { ($0 * length, TurnDirection.left) }
        let route = try GuideRoute.made(line, turns: turns)
        for seed in 1...4 {
            var plan = WalkPlan()
            plan.noise = 5
            plan.scenario = scenario
            let run = try SimulatedWalk.run(route, plan, seed: UInt64(seed), hasMotion: seed % 2 == 0)
            let prompts = run.events.filter { $0.kind != .passed }
            let said = Set(prompts.flatMap { [$0.turn?.trailName] + $0.following.map(\.turn.trailName) })
            let passed = run.events.reduce(0) { $0 + $1.turnsPassed }
            #expect(said.compactMap(\.self).count + passed >= turns.count, "seed \(seed)")
            #expect(said.compactMap(\.self).count > turns.count / 2, "seed \(seed)")
        }
    }
}
