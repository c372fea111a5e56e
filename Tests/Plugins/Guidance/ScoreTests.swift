import CivilTime
import Geodesy
import PluginKit
import Testing

@testable import GuidancePlugin

@Suite struct ScoreTests {
    private static let line = Ground().fineLine([(0, 0), (0, 2000)])

    private static func score(_ settings: GuidanceSettings, _ plan: WalkPlan = WalkPlan()) throws -> WalkScore
    {
        let route = try GuideRoute.made(line, turns: [(500, .left), (1000, .right), (1500, .left)])
        return try #require(try walked(route, plan, settings: settings).score)
    }

    @Test(
        "a walk on the line without noise has three turns of two prompts and one of the arrival, all in place"
    )
    func clean() throws {
        let score = try Self.score(GuidanceSettings())
        #expect(score.prompts == 7 && score.inPlace == 7)
        #expect(score.falseArrivals + score.missedArrivals + score.silences + score.falseOffRoute == 0)
        #expect(score.secondsWrong == 0 && abs(score.seconds - 2000 / 1.3) < 2)
    }

    @Test("the app has no at-turn prompts: three prompts are missing")
    func app() throws {
        var settings = GuidanceSettings()
        settings.matcher = .app
        let score = try Self.score(settings)
        #expect(score.missing == 3 && score.inPlace == 4)
    }

    @Test("on a way out and back the nearest point arrives at once or never: both are counted")
    func nearest() throws {
        let line = Ground().fineLine([(0, 0), (0, 600), (0, 0)])
        let route = try GuideRoute.made(line, turns: [(300, .left), (900, .right)])
        var settings = GuidanceSettings()
        settings.matcher = .nearest
        let score = try #require(try walked(route, WalkPlan(), settings: settings).score)
        #expect(score.falseArrivals + score.missedArrivals > 0)
        #expect(score.inPlace < score.prompts && score.secondsWrong > 100)
    }

    @Test("excused prompts are counted, but not in the share; with them it is lower")
    func excused() throws {
        var plan = WalkPlan()
        // Out of a gap of three minutes 12 m before a turn.
        plan.scenario = .gap
        let turns = stride(from: 100.0, to: 1900, by: 60).map { ($0, TurnDirection.left) }
        let score = try #require(try walked(try .made(Self.line, turns: turns), plan).score)
        #expect(score.excused > 0 && score.prompts >= score.inPlace + score.excused)
        #expect((score.shareOfAll ?? 1) < (score.shareInPlace ?? 0))
    }

    @Test("a walk ends with standing for the given time")
    func standing() throws {
        var plan = WalkPlan()
        let route = try GuideRoute.made(Self.line)
        let before = try walked(route, plan).samples
        plan.stand = 30
        let after = try walked(route, plan).samples
        #expect(after.count - before.count == 30)
        #expect(after.dropLast(2).suffix(25).allSatisfy { $0.walk.fix.speed == 0 })
    }

    @Test("a new route to the end over the via points is clean; one that skips them is not")
    func rerouted() throws {
        let ground = Ground()
        func score(by via: Bool) throws -> WalkScore {
            let line = ground.line([(0, 0), (0, 400), (400, 400), (400, 0)])
            let given = try #require(
                GuideRoute(
                    name: "given", mode: .hiking, line: line, turns: [], duration: nil, isBareLine: false,
                    via: [ground.place(400, 400)]))
            let anew = ground.line([(200, 0)] + (via ? [(400, 400)] : []) + [(400, 0)])
            var walker = try Walker(
                try .made(ground.line([(0, 0), (200, 0)])), WalkPlan(), start: Timestamp(milliseconds: 0),
                random: Xoshiro256(seed: 1))
            var run = GuidanceRun(given, settings: GuidanceSettings())
            var none = NoTrace()
            while let fix = walker.next() { run.take(fix, trace: &none) }
            let route = try GuideRoute.made(anew)
            run.follow(route)
            var second = try Walker(
                route, WalkPlan(), start: Timestamp(milliseconds: 1_000_000), random: Xoshiro256(seed: 1))
            while let fix = second.next() { run.take(fix, trace: &none) }
            return try #require(run.score)
        }
        let good = try score(by: true)
        #expect(good.reroutes == 1 && good.viasMissed == 0 && good.missedArrivals == 0)
        #expect(good.falseArrivals == 0)
        #expect(try score(by: false).viasMissed == 1)
    }

    @Test("where fixes come once a minute, the last announcement before a turn is all that is due")
    func batches() throws {
        var plan = WalkPlan()
        plan.scenario = .batch
        let turns = stride(from: 117.0, to: 1900, by: 131).map { ($0, TurnDirection.left) }
        let score = try #require(try walked(try .made(Self.line, turns: turns), plan).score)
        #expect(score.missing == 0 && score.early == 0 && score.late == 0)
        #expect(score.excused > 0)
    }

    @Test("a prompt out of place at a fix that is itself astray is excused")
    func stray() throws {
        var plan = WalkPlan()
        plan.scenario = .drift
        let turns = stride(from: 100.0, to: 1900, by: 60).map { ($0, TurnDirection.left) }
        let route = try GuideRoute.made(Self.line, turns: turns)
        var excused = 0
        // The direction of the drift is random; along the line it moves prompts.
        for seed in 1...24 {
            let score = try #require(try walked(route, plan, seed: UInt64(seed)).score)
            excused += score.excused
            #expect(
                score.prompts == score.inPlace + score.excused + score.early + score.late + score.missing)
        }
        #expect(excused > 0)
    }

    @Test("faults are listed with their places")
    func faults() throws {
        var settings = GuidanceSettings()
        settings.matcher = .app
        let route = try GuideRoute.made(Self.line, turns: [(500, .left)])
        let faults = try walked(route, WalkPlan(), settings: settings).faults
        #expect(faults.map(\.kind) == [.missing])
        #expect(abs((faults.first?.truth ?? 0) - 500) < 2)
    }
}
