import Foundation
import PluginKit

/// The options that tell how a walk is simulated, for every command that simulates one.
enum WalkOptions {
    static let speed = Parameter.option(
        "speed", ParameterType<Double>.quantity(.speed, in: 0.01...100),
        "how fast one walks; 1.3m/s if left out")
    static let pace = Parameter.option(
        "pace", ParameterType<String>.choice([.init("tobler", "by the slope, after Tobler 1993")]),
        "walks by the slope instead of steadily; needs altitudes")
    static let interval = Parameter.option(
        "interval", ParameterType<Double>.quantity(.duration, in: 0.05...3600), default: "1s",
        "time between two fixes")
    static let noise = Parameter.option(
        "noise", ParameterType<Double>.quantity(.length, in: 0...10_000), default: "0m",
        "standard deviation of the fixes on each axis")
    static let timeConstant = Parameter.option(
        "time-constant", ParameterType<Double>.quantity(.duration, in: 0.1...100_000), default: "20s",
        "how long noise stays alike (Gauss–Markov)")
    static let dropout = Parameter.option(
        "dropout", ParameterType<Double>.quantity(.ratio, in: 0...0.99), default: "0%",
        "share of the fixes that are lost")
    static let detour = Parameter.options(
        "detour", ParameterType<String>.text,
        "leaves the route: AT,OFFSET,LENGTH such as 500m,120m,300m; a negative offset leads to the left")
    static let pause = Parameter.options(
        "pause", ParameterType<String>.text, "rests: AT,FOR such as 1km,5min; may be given several times")
    static let seed = Parameter.option(
        "seed", ParameterType<Int>.integer(0...Int.max),
        "seed of noise and losses; otherwise the session's random numbers")
    static let track = Parameter.option(
        "track", ParameterType<URL>.inputFile,
        "a GPX file whose recorded fixes are taken instead of simulated ones")
    static let reroute = Parameter.flag(
        "reroute", "plans a new route when one has been off route for 10 s (`guide settings`)")
    static let with = Parameter.option(
        "with", ParameterType<String>.text,
        "settings for this walk alone, such as 'offRoute=40m matcher=nearest'")

    static let specs: [ParameterSpec] = [
        speed.spec, pace.spec, interval.spec, noise.spec, timeConstant.spec, dropout.spec, detour.spec,
        pause.spec, seed.spec, track.spec, reroute.spec, with.spec,
    ]

    /// The walk that the options tell, walked to its end.
    static func walk(
        _ arguments: Arguments, _ input: Value, for command: String, desk: GuidanceDesk, _ context: Context
    )
        async throws -> GuidanceWalk
    {
        let route = try await RouteInput.route(arguments, input, for: command, context)
        let settings = try settings(arguments, desk)
        let rerouting = try arguments[reroute] ? Rerouting(route, settings, context) : nil
        var source = try source(route, arguments, context)
        var journey = Journey(route, settings: settings)
        if let tracing = context.tracing {
            var log = TraceLog(limit: tracing.limit)
            defer { tracing.keep(log, picture: GuidancePicturing(line: route.geometry.points)) }
            try await WalkRun.run(&journey, &source, rerouting: rerouting, context, trace: &log)
        } else {
            var none = NoTrace()
            try await WalkRun.run(&journey, &source, rerouting: rerouting, context, trace: &none)
        }
        return GuidanceWalk(journey: journey, words: SpokenText(context.environment.units))
    }

    /// The session's settings with those for this walk alone.
    private static func settings(_ arguments: Arguments, _ desk: GuidanceDesk) throws -> GuidanceSettings {
        guard let text = try arguments[with] else { return desk.settings }
        do {
            return try SettingsTable.changed(desk.settings, by: text)
        } catch {
            throw error.moved(to: "with")
        }
    }

    private static func source(
        _ route: GuideRoute, _ arguments: Arguments, _ context: Context
    ) throws -> any WalkSource {
        let plan = try plan(arguments)
        let random = try arguments[seed].map { Xoshiro256(seed: UInt64($0)) } ?? context.random.fork()
        let start = context.clock.now
        guard let file = try arguments[track] else {
            return try Walker(route, plan, start: start, random: random)
        }
        guard plan.detours.isEmpty, plan.pauses.isEmpty else {
            throw GuidanceErrors.simulation(
                "a recorded track goes its own way: it takes no detours and pauses", at: .parameter("track"))
        }
        return try RecordedWalk(
            file, plan, start: start, random: random, check: context.checkCancelled)
    }

    private static func plan(_ arguments: Arguments) throws -> WalkPlan {
        var plan = WalkPlan()
        let speed = try arguments[speed]
        if try arguments[pace] != nil {
            guard speed == nil else {
                throw GuidanceErrors.simulation(
                    "--speed and --pace exclude each other", at: .parameter("pace"))
            }
            plan.pace = .tobler
        } else if let speed {
            plan.pace = .steady(speed)
        }
        plan.interval = try arguments[interval]
        plan.noise = try arguments[noise]
        plan.timeConstant = try arguments[timeConstant]
        plan.dropout = try arguments[dropout]
        plan.detours = try arguments[detour].map(Self.detour)
        plan.pauses = try arguments[pause].map(Self.pause)
        return plan
    }

    private static func detour(_ text: String) throws(RutterError) -> WalkPlan.Detour {
        let parts = text.split(separator: ",").map { WrittenQuantity.amount($0, of: .length) }
        guard parts.count == 3, let at = parts[0], let offset = parts[1], let length = parts[2], at >= 0,
            length >= 0, abs(offset) > 0, abs(offset) <= farthest
        else {
            throw GuidanceErrors.simulation(
                "`\(text)` is no detour", at: .parameter("detour"),
                fix: "AT,OFFSET,LENGTH such as 500m,120m,300m")
        }
        return WalkPlan.Detour(at: at, offset: offset, length: length)
    }

    private static func pause(_ text: String) throws(RutterError) -> WalkPlan.Pause {
        let parts = text.split(separator: ",")
        guard parts.count == 2, let at = WrittenQuantity.amount(parts[0], of: .length),
            let seconds = WrittenQuantity.amount(parts[1], of: .duration), at >= 0, seconds > 0
        else {
            throw GuidanceErrors.simulation(
                "`\(text)` is no pause", at: .parameter("pause"), fix: "AT,FOR such as 1km,5min")
        }
        return WalkPlan.Pause(at: at, seconds: seconds)
    }

    /// No detour leads farther aside, metres.
    private static let farthest = 1_000_000.0
}

extension RutterError {
    /// The same error at the word given for another parameter.
    func moved(to parameter: String) -> RutterError {
        var copy = self
        copy.place = .parameter(parameter)
        return copy
    }
}
