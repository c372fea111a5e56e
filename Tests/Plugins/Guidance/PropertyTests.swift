import CivilTime
import Formats
import Foundation
import Geodesy
import PluginKit
import PluginTestKit
import Testing
import TrailStores

@testable import GuidancePlugin

/// Invariants of all walks. Random lines by default; lines of real hikes if the folder of real data is
/// available.
@Suite struct PropertyTests {
    private static let sigma = 5.0
    private static let detour = 120.0
    /// Maximum seconds until leaving the route is detected, once the distance exceeds the noise.
    private static let patience = 15.0

    /// A walk on the line and one with a detour; returns their violations.
    static func problem(_ line: [Coordinate], seed: UInt64) throws -> String? {
        let route = try GuideRoute.made(line)
        var plan = WalkPlan()
        plan.noise = sigma
        let straight = try walked(route, plan, seed: seed)
        if let left = straight.events.first(where: { $0.kind == .offRoute }) {
            return "false off-route at fix \(left.fix)"
        }
        if straight.events.filter({ $0.kind == .arrived }).count != 1 { return "not arrived once" }
        plan.detours = [.init(at: route.length * 0.3, offset: seed % 2 == 0 ? detour : -detour, length: 250)]
        let round = try walked(route, plan, seed: seed)
        return unnoticed(round)
    }

    /// A time after at least `patience` truly off route at which guidance had not detected it.
    private static func unnoticed(_ run: GuidanceRun) -> String? {
        let route = run.route.geometry
        let limit = run.settings.offRoute + 2 * sigma
        var since: Double?
        for (index, sample) in run.samples.enumerated() {
            // A detour that passes the end of the route arrives there, and guidance ends.
            guard let truth = sample.walk.truth, !sample.hasArrived else { break }
            if route.nearest(truth).distance <= limit || sample.isOffRoute {
                since = nil
                continue
            }
            since = since ?? Double(index)
            if let since, Double(index) - since >= patience {
                return "off route unnoticed at fix \(index + 1)"
            }
        }
        return nil
    }

    /// Once each, in order, and never off route.
    static func promptProblem(_ run: GuidanceRun) -> String? {
        var given: [String: Int] = [:]
        var isOff = false
        for event in run.events {
            switch event.kind {
            case .approaching, .atTurn:
                if isOff { return "a prompt off route" }
                let turn = event.turn?.trailName ?? ""
                let name = "\(event.kind.rawValue) \(turn)"
                given[name, default: 0] += 1
                if given[name] != 1 { return "\(name) twice" }
                // A fix at the turn says it alone; after that nothing announces it.
                if event.kind == .approaching, given["atTurn \(turn)"] != nil { return "\(name) too late" }
            case .offRoute:
                if isOff { return "off route twice" }
                isOff = true
            case .backOnRoute:
                if !isOff { return "back without having left" }
                isOff = false
            case .arrived:
                if isOff { return "arrived off route" }
            case .rerouted, .wrongWay, .turnedRound, .noWay, .passed: break
            }
        }
        return nil
    }

    /// A random hike of about two kilometres.
    private static func wandering(_ random: inout Xoshiro256) -> [Coordinate] {
        var (east, north, direction) = (0.0, 0.0, 6 * random.unit())
        var points = [(east, north)]
        for _ in 0..<80 {
            direction += (random.unit() - 0.5) * 1.2
            east += 25 * sin(direction)
            north += 25 * cos(direction)
            points.append((east, north))
        }
        return Ground().line(points)
    }

    @Test("with noise of 5 m no false off-route; each detour of 120 m is detected", arguments: 1...40)
    func madeUp(seed: Int) throws {
        var random = Xoshiro256(seed: UInt64(seed))
        let problem = try Self.problem(Self.wandering(&random), seed: UInt64(seed))
        #expect(problem == nil)
    }

    @Test("each prompt once, approaching before at-turn, whatever the walk", arguments: 1...40)
    func prompts(seed: Int) throws {
        var random = Xoshiro256(seed: UInt64(seed) &* 77)
        let line = Self.wandering(&random)
        let length = Polyline.length(line)
        var turns = (0..<12).map { _ in random.unit() * length }.sorted().map { ($0, TurnDirection.left) }
        turns[3].0 = turns[4].0
        let route = try GuideRoute.made(line, turns: turns)
        var plan = WalkPlan()
        plan.noise = 20 * random.unit()
        plan.interval = 1 + 30 * random.unit()
        plan.dropout = 0.5 * random.unit()
        plan.detours = [.init(at: length * 0.4, offset: 200 * (random.unit() - 0.5) + 1, length: 300)]
        // The app announces turns off route too.
        for matcher in MatcherKind.allCases where matcher != .app {
            var settings = GuidanceSettings()
            settings.matcher = matcher
            let run = try walked(route, plan, settings: settings, seed: UInt64(seed))
            #expect(Self.promptProblem(run) == nil)
        }
    }

    @Test("between 30 m and 50 m nothing flaps", arguments: 1...20)
    func noFlapping(seed: Int) throws {
        var random = Xoshiro256(seed: UInt64(seed))
        let ground = Ground()
        var settings = GuidanceSettings()
        settings.offRouteFor = 0
        var driver = Driver(try .made(ground.fineLine([(0, 0), (0, 3000)])), settings)
        var distance = 0.0
        for step in 0..<800 {
            distance = max(30.5, min(49.5, distance + 12 * (random.unit() - 0.5)))
            driver.fix(ground.place(distance, 300 + Double(step)))
        }
        #expect(driver.events.isEmpty)
        driver.fix(ground.place(51, 1101))
        for step in 0..<800 {
            distance = max(30.5, min(70, distance + 12 * (random.unit() - 0.5)))
            driver.fix(ground.place(distance, 1101 + Double(step)))
        }
        #expect(driver.events.map(\.kind) == [.offRoute])
    }

    /// Pieces of two kilometres of the real hikes.
    static func realPieces() throws -> [[Coordinate]] {
        var pieces: [[Coordinate]] = []
        for file in RealData.files(in: "gpx") where file.pathExtension == "gpx" {
            guard let document = try? GPXReader.document(file) else { continue }
            for line in document.tracks + document.routes {
                let points = line.segments.flatMap { $0 }.map(\.coordinate)
                // A line drawn by few points is not a hike.
                guard let geometry = RouteGeometry(points), geometry.length > 1500, points.count > 50 else {
                    continue
                }
                for start in stride(from: 0.0, to: geometry.length - 1500, by: 2000) {
                    let inner = geometry.points.indices.filter {
                        geometry.along[$0] >= start && geometry.along[$0] <= start + 2000
                    }
                    if inner.count > 20 { pieces.append(inner.map { geometry.points[$0] }) }
                }
            }
        }
        return pieces
    }

    @Test(
        "1,000 seeded walks on real hikes: no false off-route, and every detour noticed",
        .enabled(if: RealData.has("gpx"), "needs the folder of real data"))
    func real() async throws {
        let pieces = try Self.realPieces()
        try #require(pieces.count > 50)
        let problems = try await withThrowingTaskGroup(of: [String].self) { group in
            let workers = 4
            for worker in 0..<workers {
                group.addTask {
                    var found: [String] = []
                    for seed in stride(from: worker + 1, through: 1000, by: workers) {
                        let piece = seed % pieces.count
                        if let problem = try Self.problem(pieces[piece], seed: UInt64(seed)) {
                            found.append("seed \(seed), piece \(piece): \(problem)")
                        }
                    }
                    return found
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(
            problems.isEmpty,
            Comment(rawValue: "\(problems.count): \(problems.prefix(12).joined(separator: "; "))"))
    }
}
