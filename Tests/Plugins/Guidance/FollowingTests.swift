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
}
