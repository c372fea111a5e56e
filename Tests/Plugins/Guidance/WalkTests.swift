import CivilTime
import Foundation
import Geodesy
import PluginKit
import Testing

@testable import GuidancePlugin

@Suite struct WalkTests {
    private static let ground = Ground()
    private static let north = ground.line([(0, 0), (0, 1000)])

    private static func fixes(
        _ plan: WalkPlan, line: [Coordinate] = north, seed: UInt64 = 1
    ) throws -> [WalkFix] {
        var walker = try Walker(
            try .made(line), plan, start: Timestamp(milliseconds: 5000), random: Xoshiro256(seed: seed))
        var fixes: [WalkFix] = []
        while let fix = walker.next() { fixes.append(fix) }
        return fixes
    }

    private static func seconds(_ fixes: [WalkFix]) -> Double {
        fixes[fixes.count - 1].fix.time.seconds(since: fixes[0].fix.time)
    }

    @Test("a steady walk: a fix each interval, the last at the end", arguments: [0.3, 1, 7, 60, 2000])
    func steady(interval: Double) throws {
        var plan = WalkPlan()
        plan.pace = .steady(2)
        plan.interval = interval
        let fixes = try Self.fixes(plan)
        // The line is as long as the sphere makes it, a hair more or less than it was drawn.
        #expect(abs(fixes.count - Int((500 / interval).rounded(.up)) - 1) <= 1)
        #expect(abs(Self.seconds(fixes) - 500) < 0.01)
        #expect(fixes[0].fix.coordinate.distance(to: Self.north[0]) < 0.01)
        #expect(fixes[fixes.count - 1].fix.coordinate.distance(to: Self.north[1]) < 0.01)
        #expect(fixes[0].fix.time.milliseconds == 5000)
        for (index, fix) in fixes.enumerated() {
            #expect(abs((fix.trueAlong ?? -1) - min(1000, 2 * interval * Double(index))) < 0.01)
        }
    }

    @Test("pauses last as long as requested")
    func pauses() throws {
        var plan = WalkPlan()
        plan.pace = .steady(2)
        plan.pauses = [.init(at: 300, seconds: 90), .init(at: 700, seconds: 30.5)]
        let fixes = try Self.fixes(plan)
        #expect(abs(Self.seconds(fixes) - 620.5) < 1)
        #expect(fixes.filter { abs(($0.trueAlong ?? 0) - 300) < 2 && $0.fix.speed == 0 }.count == 90)
    }

    @Test("a detour has the given offset and rejoins at the given distance")
    func detours() throws {
        var plan = WalkPlan()
        for offset in [120.0, -80] {
            plan.detours = [.init(at: 300, offset: offset, length: 200)]
            let fixes = try Self.fixes(plan)
            let geometry = try #require(RouteGeometry(Self.north))
            let truths = fixes.compactMap(\.truth)
            let aside = truths.map { geometry.nearest($0).distance }
            #expect(abs((aside.max() ?? 0) - abs(offset)) < 0.5)
            // To the right of a way to the north is east.
            let farthest = try #require(
                truths.max { geometry.nearest($0).distance < geometry.nearest($1).distance })
            #expect((farthest.longitude > Self.north[0].longitude) == (offset > 0))
            let left = zip(fixes, aside).filter { $0.1 > 1 }.compactMap(\.0.trueAlong)
            #expect((left.min() ?? 0) >= 299 && (left.max() ?? 0) <= 501)
        }
        plan.detours = [.init(at: 900, offset: 50, length: 200)]
        #expect(throws: RutterError.self) { try Self.fixes(plan) }
        plan.detours = [.init(at: 100, offset: 50, length: 200), .init(at: 250, offset: 50, length: 200)]
        #expect(throws: RutterError.self) { try Self.fixes(plan) }
    }

    @Test("noise has the requested deviation and time constant")
    func noise() {
        var noise = GaussMarkovNoise(sigma: 5, timeConstant: 20)
        var random = Xoshiro256(seed: 11)
        let origin = Ground.equator.origin
        let east = (0..<200_000).map { _ in
            let shifted = noise.shifted(origin, after: 1, &random)
            return (shifted.longitude - origin.longitude) * LocalPlane.metresPerDegree
        }
        let count = Double(east.count)
        let mean = east.reduce(0, +) / count
        let variance = east.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / count
        func correlation(_ lag: Int) -> Double {
            zip(east, east.dropFirst(lag)).reduce(0) { $0 + ($1.0 - mean) * ($1.1 - mean) } / count / variance
        }
        #expect(abs(mean) < 0.3 && abs(variance.squareRoot() - 5) < 0.2)
        #expect(abs(correlation(20) - exp(-1)) < 0.05)
        #expect(abs(correlation(1) - exp(-0.05)) < 0.01)
    }

    @Test("the same seed returns the same walk, another seed another one")
    func seeds() throws {
        var plan = WalkPlan()
        plan.noise = 5
        plan.dropout = 0.1
        let first = try Self.fixes(plan, seed: 4)
        let again = try Self.fixes(plan, seed: 4)
        let other = try Self.fixes(plan, seed: 5)
        #expect(first == again && first != other)
    }

    @Test("the share of lost fixes")
    func dropout() throws {
        var plan = WalkPlan()
        plan.pace = .steady(0.1)
        plan.dropout = 0.2
        let count = try Self.fixes(plan).count
        #expect(abs(Double(count) - 8000) < 200)
    }

    @Test("Tobler's speeds: 5.04 km/h on the level, fastest at 5 % down, slower up")
    func tobler() throws {
        #expect(abs(Walker.tobler(0) * 3.6 - 5.0366) < 0.001)
        #expect(abs(Walker.tobler(-0.05) * 3.6 - 6) < 0.001)
        #expect(abs(Walker.tobler(0.2) * 3.6 - 2.5012) < 0.001)
        var plan = WalkPlan()
        plan.pace = .tobler
        var uphill = Self.north
        uphill[0].altitude = 500
        uphill[1].altitude = 700
        let up = Self.seconds(try Self.fixes(plan, line: uphill))
        #expect(abs(up - 1000 / Walker.tobler(0.2)) < 5)
        #expect(throws: RutterError.self) { try Self.fixes(plan) }
    }

    @Test("walks that would never end are refused")
    func tooLong() {
        var plan = WalkPlan()
        plan.pace = .steady(0.01)
        plan.interval = 0.05
        let far = [Coordinate(latitude: 0, longitude: 0), Coordinate(latitude: 0, longitude: 20)]
        #expect(throws: RutterError.self) { try Self.fixes(plan, line: far) }
    }
}
