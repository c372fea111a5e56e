import Geodesy
import PluginKit
import Testing

@testable import GuidancePlugin

/// Lines on which the nearest point alone is not enough.
@Suite struct FollowingTests {
    private static let ground = Ground()
    static let lines: [String: [Coordinate]] = [
        // Crosses itself at a right angle and at a sharp one.
        "figure eight": ground.fineLine([
            (0, 0), (300, 300), (450, 300), (450, 0), (300, 0), (0, 300), (-150, 300),
        ]),
        "out and back": ground.fineLine([(0, 0), (0, 600), (0, 0)]),
        "out and back beside": ground.fineLine([(0, 0), (0, 600), (8, 600), (8, 0)]),
        "switchbacks": ground.fineLine(
            (0..<10).flatMap { leg -> [(Double, Double)] in
                let y = Double(leg) * 25
                return leg % 2 == 0 ? [(0, y), (200, y)] : [(200, y), (0, y)]
            }),
        "a loop walked twice": ground.fineLine([
            (0, 0), (200, 0), (200, 200), (0, 200), (0, 0), (200, 0), (200, 200), (0, 200), (0, 0),
        ]),
        "lollipop": ground.fineLine([
            (0, 0), (0, 300), (150, 400), (0, 500), (-150, 400), (0, 300), (0, 0),
        ]),
    ]

    @Test(
        "progress never jumps back by more than the noise, nor ahead, and the end is reached once",
        arguments: lines.keys.sorted(), [MatcherKind.window, .markov])
    func progress(name: String, matcher: MatcherKind) throws {
        let route = try GuideRoute.made(try #require(Self.lines[name]))
        var settings = GuidanceSettings()
        settings.matcher = matcher
        for seed in 1...20 {
            var plan = WalkPlan()
            plan.noise = 5
            let run = try walked(route, plan, settings: settings, seed: UInt64(seed))
            var farthestBack = 0.0
            var worst = 0.0
            var furthest = 0.0
            for sample in run.samples {
                farthestBack = max(farthestBack, furthest - sample.along)
                furthest = max(furthest, sample.along)
                worst = max(worst, abs(sample.along - (sample.walk.trueAlong ?? 0)))
            }
            // Eight standard deviations of noise on an axis: near the tip of a line that doubles back both sides of it
            // are equally near, so that noise counts twice there. The Markov model weighs a jump to the other side
            // against going back, and changes sides later.
            let bound = matcher == .window ? 40.0 : 80
            #expect(farthestBack <= bound, "\(name), seed \(seed): back by \(farthestBack) m")
            #expect(worst <= bound + 5, "\(name), seed \(seed): \(worst) m from the truth")
            #expect(run.events.filter { $0.kind == .arrived }.count == 1)
            #expect(!run.events.contains { $0.kind == .offRoute })
        }
    }

    @Test("the nearest point of the whole line jumps on them, which is why it is not the default")
    func nearestJumps() throws {
        var settings = GuidanceSettings()
        settings.matcher = .nearest
        let route = try GuideRoute.made(try #require(Self.lines["out and back"]))
        let run = try walked(route, WalkPlan(), settings: settings)
        let worst = run.samples.map { abs($0.along - ($0.walk.trueAlong ?? 0)) }.max() ?? 0
        #expect(worst > 500)
    }

    @Test("turning round half-way leads back along the same side", arguments: [MatcherKind.window, .markov])
    func turningRound(matcher: MatcherKind) throws {
        var settings = GuidanceSettings()
        settings.matcher = matcher
        var driver = Driver(try .made(try #require(Self.lines["out and back"])), settings)
        for metre in stride(from: 0.0, through: 300, by: 1.5) { driver.fix(Self.ground.place(0, metre)) }
        for metre in stride(from: 300.0, through: 60, by: -1.5) { driver.fix(Self.ground.place(0, metre)) }
        #expect(abs(driver.state.along - 60) < 5)
    }

    @Test("leaving the line and rejoining it elsewhere continues from there")
    func rejoiningElsewhere() throws {
        let line = Self.ground.fineLine([(0, 0), (1000, 0), (1000, 500), (0, 500)])
        var driver = Driver(try .made(line))
        for metre in stride(from: 0.0, through: 300, by: 2) { driver.fix(Self.ground.place(metre, 0)) }
        for metre in stride(from: 0.0, through: 500, by: 2) { driver.fix(Self.ground.place(300, metre)) }
        #expect(driver.events.map(\.kind) == [.offRoute, .backOnRoute])
        #expect(abs(driver.state.along - 2200) < 5)
    }

    @Test("after minutes without a fix the position is found again ahead")
    func afterATunnel() throws {
        var driver = Driver(try .made(Self.ground.fineLine([(0, 0), (0, 3000)])))
        driver.fix(Self.ground.place(0, 100))
        driver.fix(Self.ground.place(4, 900), after: 600)
        #expect(abs(driver.state.along - 900) < 1 && !driver.state.isOffRoute)
    }

    @Test(
        "the last known position of a receiver, a day old, is no walk against the route",
        arguments: [1, 2, 12])
    func lastKnownPosition(fixes: Int) throws {
        var driver = Driver(try .made(Self.ground.fineLine([(0, 0), (0, 1000)]), turns: [(500, .left)]))
        for _ in 0..<fixes { driver.fix(Self.ground.place(3000, 3000), after: 2) }
        let before = driver.events.count
        for metre in stride(from: 0.0, through: 1000, by: 2.6) {
            driver.fix(Self.ground.place(0, metre), after: metre == 0 ? 86_400 : 2)
        }
        let kinds = driver.events[before...].map(\.kind).filter { $0 != .backOnRoute }
        #expect(kinds == [.approaching, .atTurn, .approaching, .arrived])
    }

    @Test("who is farther back after hours is not warned before the way that is gone now is known")
    func fartherBackAfterHours() throws {
        var driver = Driver(try .made(Self.ground.fineLine([(0, 0), (0, 1000)]), turns: [(500, .left)]))
        for metre in stride(from: 0.0, through: 700, by: 2.6) {
            driver.fix(Self.ground.place(0, metre), after: 2)
        }
        for metre in stride(from: 300.0, through: 1000, by: 2.6) {
            driver.fix(Self.ground.place(0, metre), after: metre == 300 ? 7000 : 2)
        }
        #expect(
            driver.events.map(\.kind)
                == [.approaching, .atTurn, .approaching, .atTurn, .approaching, .arrived])
    }

    @Test("a bend that is cut 40 m inside it does not leave the route, whose next leg is as near")
    func besideTheNextLeg() throws {
        var driver = Driver(
            try .made(Self.ground.fineLine([(0, 0), (0, 300), (400, 300)]), turns: [(300, .right)]))
        for metre in stride(from: 0.0, through: 260, by: 2.6) {
            driver.fix(Self.ground.place(40, metre), after: 2)
        }
        for metre in stride(from: 40.0, through: 390, by: 2.6) {
            driver.fix(Self.ground.place(metre, 260), after: 2)
        }
        #expect(!driver.events.contains { $0.kind == .offRoute })
        #expect(driver.state.along > 600)
    }
}
