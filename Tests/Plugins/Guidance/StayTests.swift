import CivilTime
import Geodesy
import PluginKit
import Testing
import TrailStores

@testable import GuidancePlugin

/// A walker who rests, and fixes that are old or far away when a walk begins.
@Suite struct StayTests {
    /// The legs of switchbacks are as near to each other as the noise is wide.
    @Test("nothing is announced at the fix at which the match jumps ahead")
    func jumps() throws {
        let line = Ground().fineLine(
            (0..<12).flatMap { leg -> [(Double, Double)] in
                let y = Double(leg) * 18
                return leg % 2 == 0 ? [(0, y), (120, y)] : [(120, y), (0, y)]
            })
        let length = Polyline.length(line)
        let turns = stride(from: 0.05, through: 0.95, by: 0.03).map { ($0 * length, TurnDirection.left) }
        let route = try GuideRoute.made(line, turns: turns)
        var jumps = 0
        for seed in 1...12 {
            var plan = WalkPlan()
            plan.noise = 10
            plan.interval = 2
            plan.scenario = seed % 2 == 0 ? .cafe : .outlier
            let run = try SimulatedWalk.run(route, plan, seed: UInt64(seed), hasMotion: false)
            for (one, next) in zip(run.samples, run.samples.dropFirst()).dropFirst(5) {
                let straight = one.walk.fix.coordinate.distance(to: next.walk.fix.coordinate)
                // At most twice the speed of a walk, and one and a half of what lies between the fixes.
                let most = GuidanceLimits.jump + 6 + 1.5 * straight
                // The end itself is said at once.
                guard next.along - one.along > most, next.along < length - 100 else { continue }
                jumps += 1
                let said = run.events.filter { $0.time == next.walk.fix.time }.map(\.kind)
                #expect(!said.contains(.atTurn) && !said.contains(.approaching), "seed \(seed)")
            }
        }
        #expect(jumps > 0)
    }

    private static let ground = Ground()

    @Test(
        "a rest under trees, where the receiver drifts, is not walking against the route",
        arguments: [(8.0, 20.0), (10, 60), (15, 120), (15, 60), (15, 40)])
    func rest(sigma: Double, timeConstant: Double) throws {
        for seed in UInt64(1)...8 {
            var driver = Driver(try .made(Self.ground.fineLine([(0, 0), (0, 2000)])))
            var random = Xoshiro256(seed: seed)
            var noise = GaussMarkovNoise(sigma: sigma, timeConstant: timeConstant)
            for metre in stride(from: 0.0, through: 700, by: 2.6) {
                driver.fix(Self.ground.place(0, metre), after: 2)
            }
            for _ in 0..<1200 {
                driver.fix(noise.shifted(Self.ground.place(0, 700), after: 2, &random), after: 2)
            }
            #expect(!driver.events.contains { $0.kind == .wrongWay }, "seed \(seed)")
            // Walking back after the rest is.
            for metre in stride(from: 700.0, through: 500, by: -2.6) {
                driver.fix(Self.ground.place(0, metre), after: 2)
            }
            #expect(driver.events.contains { $0.kind == .wrongWay }, "seed \(seed)")
        }
    }

    @Test(
        "the last known position of a receiver is forgotten when the first fixes contradict it",
        arguments: [(0.0, -5000.0), (0, 3000), (150_000, 90_000)], [1, 3])
    func stale(offset: (Double, Double), count: Int) throws {
        var driver = Driver(
            try .made(Self.ground.fineLine([(0, 0), (0, 1000)]), turns: [(300, .left)]))
        for _ in 0..<count { driver.fix(Self.ground.place(offset.0, offset.1), after: 2) }
        for metre in stride(from: 0.0, through: 1000, by: 2.6) {
            driver.fix(Self.ground.place(0, metre), after: 2)
        }
        #expect(driver.events.map(\.kind) == [.approaching, .atTurn, .approaching, .arrived])
    }
}

/// Recorded times where the clock was set on the way.
@Suite struct RecordedClockTests {
    private static func corrected(_ seconds: [Double]) -> (times: [Double], steps: [Double]) {
        let clock = RecordedClock(seconds.map { Timestamp(milliseconds: Int64($0 * 1000)) })
        return (clock.times.map { Double($0.milliseconds) / 1000 }, clock.steps)
    }

    @Test func aStepBackAndOneAheadAreTakenOut() {
        let back = Self.corrected([4000, 4002, 4004, 406, 408])
        #expect(back.times == [4000, 4002, 4004, 4006, 4008] && back.steps == [-3600])
        let ahead = Self.corrected([0, 2, 4, 3606, 3608])
        #expect(ahead.times == [0, 2, 4, 6, 8] && ahead.steps == [3600])
    }

    @Test func restsAndRepeatedPointsAreNoSteps() {
        #expect(Self.corrected([0, 2, 4, 3700, 3702]).steps.isEmpty)
        // A tracker that writes every ten minutes lost six points.
        #expect(Self.corrected([0, 600, 1200, 5400, 6000]).steps.isEmpty)
        let repeated = Self.corrected([0, 2, 4, 3, 6])
        #expect(repeated.times == [0, 2, 4, 4, 6] && repeated.steps.isEmpty)
    }
}
