import Foundation
import PluginKit

/// The parameters of a simulated walk, shared by all commands that simulate one.
struct WalkOptions: Sendable {
    let speed: Double?
    let pace: String?
    let interval: Double
    let noise: Double
    let timeConstant: Double
    let dropout: Double
    let detours: [String]
    let pauses: [String]
    let scenario: WalkScenario?
    let seed: Int?
    let track: URL?
    let reroutes: Bool
    let settings: String?

    static let parameter = Parameter<WalkOptions>.group(
        .option("speed", .quantity(.speed, in: 0.01...100), "walking speed; default: 1.3m/s"),
        .option(
            "pace", .choice([.init("tobler", "by the slope, after Tobler 1993")]),
            "walking speed by the slope; requires altitudes"),
        .option(
            "interval", .quantity(.duration, in: 0.05...3600), default: "1s", "time between two fixes"),
        .option(
            "noise", .quantity(.length, in: 0...10_000), default: "0m",
            "standard deviation of the fixes on each axis"),
        .option(
            "time-constant", .quantity(.duration, in: 0.1...100_000), default: "20s",
            "correlation time of the noise (Gauss–Markov)"),
        .option(
            "dropout", .quantity(.ratio, in: 0...0.99), default: "0%", "share of the fixes that are lost"),
        .options(
            "detour", .text,
            "way off the route: AT,OFFSET,LENGTH such as 500m,120m,300m; a negative offset is to the left"),
        .options("pause", .text, "rest: AT,FOR such as 1km,5min; may be repeated"),
        .option(
            "scenario", .choice(of: WalkScenario.self) { $0.summary },
            "walk that is hard to follow; not with --detour or --track"),
        .option(
            "seed", .integer(0...Int.max),
            "seed of noise and losses; default: the session's random numbers"),
        .option("track", .inputFile, "GPX file whose recorded fixes replace simulated ones"),
        .flag("reroute", "plan a new route after 10 s off route (the setting guidance.reroute-after)"),
        .option("with", .text, "settings for this walk only, such as 'off-route=40m matcher=nearest'"),
        make: WalkOptions.init)

    /// The complete walk along a route with these options.
    func walk(_ given: GuideRoute, _ context: Context) async throws -> GuidanceWalk {
        let session = GuidanceSettings(context.settings)
        let settings = try settings.map { try session.changed(by: $0) } ?? session
        let route = scenario?.route(given) ?? given
        let rerouting = try reroutes ? Rerouting(route, settings, context) : nil
        var source = try source(route, context)
        var run = GuidanceRun(route, settings: settings)
        if let tracing = context.tracing {
            var log = TraceLog(limit: tracing.limit)
            defer { tracing.keep(log, picture: GuidancePicturing(line: route.geometry.points)) }
            log.record(GuidanceSteps.started(run))
            try await run.walk(&source, rerouting: rerouting, context.untraced, trace: &log)
            log.record(GuidanceSteps.ended(run))
        } else {
            var none = NoTrace()
            try await run.walk(&source, rerouting: rerouting, context, trace: &none)
        }
        return GuidanceWalk(run: run, words: SpokenText(context.environment.units))
    }

    private func source(_ route: GuideRoute, _ context: Context) throws -> any WalkSource {
        let plan = try plan
        let random = seed.map { Xoshiro256(seed: UInt64($0)) } ?? context.random.fork()
        let start = context.clock.now
        guard let track else {
            return try Walker(route, plan, start: start, random: random)
        }
        guard plan.detours.isEmpty, plan.pauses.isEmpty, plan.scenario == nil else {
            throw GuidanceErrors.simulation(
                "--track cannot be combined with --detour, --pause or --scenario", at: .parameter("track"))
        }
        let walk = try RecordedWalk(
            track, plan, start: start, random: random, check: context.checkCancelled)
        for notice in walk.notices { context.log.warning("\(track.lastPathComponent): \(notice)") }
        return walk
    }

    private var plan: WalkPlan {
        get throws {
            var plan = WalkPlan()
            if pace != nil {
                guard speed == nil else {
                    throw GuidanceErrors.simulation(
                        "--speed and --pace cannot be combined", at: .parameter("pace"))
                }
                plan.pace = .tobler
            } else if let speed {
                plan.pace = .steady(speed)
            }
            plan.interval = interval
            plan.noise = noise
            plan.timeConstant = timeConstant
            plan.dropout = dropout
            plan.detours = try detours.map(Self.detour)
            plan.pauses = try pauses.map(Self.pause)
            plan.scenario = scenario
            if scenario != nil, !plan.detours.isEmpty {
                throw GuidanceErrors.simulation(
                    "--scenario and --detour cannot be combined", at: .parameter("scenario"))
            }
            return plan
        }
    }

    private static func detour(_ text: String) throws(RutterError) -> WalkPlan.Detour {
        let parts = text.split(separator: ",").map { Quantity(written: $0)?.value(of: .length) }
        guard parts.count == 3, let at = parts[0], let offset = parts[1], let length = parts[2], at >= 0,
            length >= 0, abs(offset) > 0, abs(offset) <= farthest
        else {
            throw GuidanceErrors.simulation(
                "`\(text)` is not a detour", at: .parameter("detour"),
                fix: "AT,OFFSET,LENGTH such as 500m,120m,300m")
        }
        return WalkPlan.Detour(at: at, offset: offset, length: length)
    }

    private static func pause(_ text: String) throws(RutterError) -> WalkPlan.Pause {
        let parts = text.split(separator: ",")
        guard parts.count == 2, let at = Quantity(written: parts[0])?.value(of: .length),
            let seconds = Quantity(written: parts[1])?.value(of: .duration), at >= 0, seconds > 0
        else {
            throw GuidanceErrors.simulation(
                "`\(text)` is not a pause", at: .parameter("pause"), fix: "AT,FOR such as 1km,5min")
        }
        return WalkPlan.Pause(at: at, seconds: seconds)
    }

    /// The largest offset of a detour, metres.
    private static let farthest = 1_000_000.0
}
