import CivilTime
import Geodesy
import PluginKit
import Testing

@testable import GuidancePlugin

/// Walks as people walk them: what the place nearest to a fix alone gets wrong.
@Suite struct BeliefTests {
    private static let ground = Ground()
    private static let square = ground.line([(0, 0), (0, 500), (500, 500), (500, 0), (0, 0)])
    private static let outAndBack = ground.fineLine([(0, 0), (0, 1500), (0, 0)])

    @Test(
        "a loop's wrong end, taken for 60 m, is the wrong way and no arrival",
        arguments: [MatcherKind.belief, .window, .markov, .nearest])
    func wrongEnd(matcher: MatcherKind) throws {
        var settings = GuidanceSettings()
        settings.matcher = matcher
        var driver = Driver(try .made(Self.square), settings)
        driver.fix(Self.ground.place(0, 0))
        let wrong = driver.fix(Self.ground.place(60.7, 0), after: 47)
        driver.fix(Self.ground.place(22.8, 0), after: 30)
        #expect(!driver.events.contains { $0.kind == .arrived })
        if matcher == .belief { #expect(wrong == [.wrongWay]) }
        for metre in stride(from: 0.0, through: 2000, by: 1.5) {
            let leg = Int(metre / 500)
            let along = metre - Double(leg) * 500
            let places = [(0, along), (along, 500), (500, 500 - along), (500 - along, 0), (0, 0)]
            driver.fix(Self.ground.place(places[leg].0, places[leg].1))
        }
        #expect(driver.events.filter { $0.kind == .arrived }.count == 1)
    }

    @Test("at the wrong end of a loop no arrival is announced, however near its end is")
    func noArrivalAtTheStart() throws {
        let line = Self.ground.line([(0, 0), (0, 500), (735, 500), (735, 0), (0, 0)])
        for seed in 1...5 {
            var plan = WalkPlan()
            plan.noise = 5
            plan.walk = .wrongEnd
            let journey = try walked(
                try .made(line, turns: [(500, .right), (1235, .right), (1735, .right)]), plan,
                seed: UInt64(seed))
            let said = journey.events.filter { $0.turn?.direction == .arrive }
            // 100 m before the end and at it, after two kilometres.
            #expect(said.map(\.kind) == [.approaching, .arrived], "seed \(seed)")
            #expect(said.allSatisfy { $0.along > 2300 }, "seed \(seed)")
        }
    }

    @Test("who turns round before the tip of a way out and back is guided home")
    func turnedRound() throws {
        let route = try GuideRoute.made(
            Self.outAndBack, turns: [(400, .left), (1500, .uTurn), (2600, .right)])
        var driver = Driver(route)
        for metre in stride(from: 0.0, through: 800, by: 1.3) { driver.fix(Self.ground.place(0, metre)) }
        for metre in stride(from: 800.0, through: 0, by: -1.3) { driver.fix(Self.ground.place(0, metre)) }
        #expect(
            driver.events.map(\.kind)
                == [.approaching, .atTurn, .turnedRound, .approaching, .atTurn, .approaching, .arrived])
        #expect(driver.events[3].turn?.direction == .right)
        // 800 m out and 800 m home: said within 60 m of turning.
        #expect(abs(driver.events[2].distance - 800) < 60)
    }

    @Test("who turns round on a loop walks the wrong way, and hears it once")
    func wrongWay() throws {
        var driver = Driver(try .made(Self.square))
        for metre in stride(from: 0.0, through: 300, by: 1.3) { driver.fix(Self.ground.place(0, metre)) }
        for metre in stride(from: 300.0, through: 150, by: -1.3) { driver.fix(Self.ground.place(0, metre)) }
        #expect(driver.events.map(\.kind) == [.wrongWay])
        #expect(Haptic(driver.events[0]) == .failure)
    }

    @Test("switchbacks 20 m apart with three minutes without a fix: the right leg, and the end")
    func switchbackGap() throws {
        let legs: [(Double, Double)] = (0..<10).flatMap { leg -> [(Double, Double)] in
            let y = Double(leg) * 20
            return leg % 2 == 0 ? [(0, y), (200, y)] : [(200, y), (0, y)]
        }
        let route = try GuideRoute.made(Self.ground.fineLine(legs + [(0, 700)]))
        for walk in [HardWalk.gap, .cut] {
            for seed in 1...5 {
                var plan = WalkPlan()
                plan.noise = 3
                plan.walk = walk
                let journey = try walked(route, plan, seed: UInt64(seed))
                let last = try #require(journey.samples.last { !$0.hasArrived })
                #expect(abs(last.along - (last.walk.trueAlong ?? 0)) < 25, "\(walk) \(seed)")
                #expect(journey.events.filter { $0.kind == .arrived }.count == 1, "\(walk) \(seed)")
            }
        }
    }

    @Test("a fix of 500 m accuracy, or one outlier, is no reason to warn; several fixes are")
    func debounced() throws {
        let route = try GuideRoute.made(Self.ground.line([(0, 0), (0, 3000)]))
        var driver = Driver(route)
        var none = NoTrace()
        for metre in 0..<100 { driver.fix(Self.ground.place(0, Double(metre))) }
        var poor = driver.state
        var events: [GuidanceEvent] = []
        for second in 0..<60 {
            let fix = PositionFix(
                Self.ground.place(152, 100), time: Timestamp(milliseconds: Int64(101 + second) * 1000),
                accuracy: 500)
            driver.engine.update(&poor, with: fix, events: &events, trace: &none)
        }
        #expect(events.isEmpty)
        #expect(driver.fix(Self.ground.place(80, 100)).isEmpty)
        #expect(driver.fix(Self.ground.place(0, 102)).isEmpty)
        for second in 0..<8 { #expect(driver.fix(Self.ground.place(80, 104 + Double(second))).isEmpty) }
        #expect(driver.fix(Self.ground.place(80, 112)) == [.offRoute])
    }

    @Test("a turn shortly before the end is spoken before the arrival, and both prompts of the arrival come")
    func lastTurn() throws {
        for before in [2.0, 10, 20, 29] {
            let route = try GuideRoute.made(
                Self.ground.line([(0, 0), (0, 1000)]), turns: [(1000 - before, .left)])
            var driver = Driver(route)
            for metre in stride(from: 0.0, through: 1000, by: 1) { driver.fix(Self.ground.place(0, metre)) }
            #expect(driver.events.map(\.kind) == [.approaching, .atTurn, .approaching, .arrived])
        }
    }

    /// Lines of the shapes that are hard.
    private static let shapes: [String: [Coordinate]] = [
        "loop": ground.fineLine([(0, 0), (0, 900), (700, 1000), (800, 100), (0, 0)]),
        "out and back": ground.fineLine([(0, 0), (100, 700), (0, 1500), (100, 700), (0, 0)]),
        "one way": ground.fineLine([(0, 0), (300, 600), (0, 1200), (400, 1800)]),
    ]

    @Test(
        "hard walks: no false arrival, none missed, no long silence", arguments: shapes.keys.sorted(),
        HardWalk.allCases)
    func hard(shape: String, walk: HardWalk) throws {
        let line = try #require(Self.shapes[shape])
        let length = Polyline.length(line)
        let turns = stride(from: 0.1, through: 0.9, by: 0.1).map { ($0 * length, TurnDirection.left) }
        let route = try GuideRoute.made(line, turns: turns)
        var total = WalkScore()
        for seed in 1...3 {
            var plan = WalkPlan()
            plan.noise = 5
            plan.interval = 2
            plan.walk = walk
            guard
                let journey = try? SimulatedWalk.journey(
                    route, plan, seed: UInt64(seed), hasMotion: seed % 2 == 0)
            else {
                // The shapes have no switchbacks.
                #expect(walk == .cut)
                return
            }
            total.add(try #require(journey.score))
        }
        #expect(total.falseArrivals == 0 && total.missedArrivals == 0 && total.silences == 0)
        #expect(total.falseOffRoute == 0)
        // After the wrong end of a loop the first prompt may be late: there are three in sixty.
        #expect((total.shareInPlace ?? 0) >= (walk == .wrongEnd ? 0.9 : 0.95))
    }

    @Test("the belief says how sure it is: two positions at the start of a loop, one after a while")
    func places() throws {
        var driver = Driver(try .made(Self.square))
        driver.fix(Self.ground.place(0, 0))
        let first = driver.state.belief.places(sigma: 5)
        #expect(first.count == 2 && abs(first.map(\.share).reduce(0, +) - 1) < 1e-9)
        #expect(first[0].along < 1 && first[0].share > 0.9)
        for metre in stride(from: 0.0, through: 400, by: 1.3) { driver.fix(Self.ground.place(0, metre)) }
        #expect(driver.state.belief.places(sigma: 5).count == 1)
    }
}
