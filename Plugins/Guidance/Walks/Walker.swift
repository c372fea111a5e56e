import CivilTime
import Foundation
import Geodesy
import PluginKit

/// A fix of a walk, and the true position.
public struct WalkFix: Sendable, Hashable {
    /// The measured position.
    public var fix: PositionFix
    /// The true position; `nil` if unknown, as in a recording.
    var truth: Coordinate?
    /// The true distance along the route, metres; `nil` if unknown, and off the plan.
    public var trueAlong: Double?
    /// Seconds by which the clock of the fix is ahead of the true time.
    var clockError = 0.0
}

/// A sequence of fixes of a walk.
protocol WalkSource: Sendable {
    /// The next fix; `nil` at the end.
    mutating func next() -> WalkFix?
    /// Continues along a new route from the true position; `false` for a recording, which cannot be
    /// changed.
    mutating func follow(_ route: GuideRoute) -> Bool
}

/// A simulated walk along a route.
struct Walker: WalkSource {
    private var path: SimulatedPath
    private var plan: WalkPlan
    private var rests: [WalkScript.Rest]
    private var receiver: DisturbedReceiver
    private var noise: GaussMarkovNoise?
    private var random: Xoshiro256
    private var time: Timestamp
    /// Distance along the path, metres.
    private var position = 0.0
    private var resting = 0.0
    private let unevenness: Double
    private var hasBegun = false
    private var hasEnded = false
    private var elapsed = 0.0
    private let start: Timestamp

    /// A walk with its start time.
    init(_ route: GuideRoute, _ plan: WalkPlan, start: Timestamp, random: Xoshiro256) throws {
        let script = try plan.scenario?.script(route.geometry)
        path = try script.map { try SimulatedPath($0) } ?? SimulatedPath(route.geometry, plan)
        receiver = DisturbedReceiver(script?.disturbances ?? [])
        unevenness = script?.unevenness ?? 0
        self.plan = plan
        self.random = random
        self.start = start
        time = start
        let path = path
        let pauses = plan.pauses.map {
            WalkScript.Rest(at: path.distance(reaching: $0.at), seconds: $0.seconds)
        }
        let last = WalkScript.Rest(at: path.geometry.length, seconds: plan.stand)
        let given = pauses + (script?.rests ?? []) + (plan.stand > 0 ? [last] : [])
        rests = given.sorted { ($0.at, $0.seconds) < ($1.at, $1.seconds) }
        if plan.noise > 0 { noise = GaussMarkovNoise(sigma: plan.noise, timeConstant: plan.timeConstant) }
        if plan.pace == .tobler, path.geometry.points.contains(where: { $0.altitude == nil }) {
            throw GuidanceErrors.simulation(
                "--pace tobler requires altitudes, and \(route.name) has none", at: .parameter("pace"),
                fix: "--speed 1.3m/s")
        }
        try checkLength(rest: rests.reduce(0) { $0 + $1.seconds })
    }

    mutating func next() -> WalkFix? {
        while !hasEnded {
            if hasBegun { advance(plan.interval) }
            hasBegun = true
            hasEnded = position >= path.geometry.length && resting <= 0
            receiver.reach(position, elapsed, &random)
            time = start.advanced(bySeconds: elapsed + receiver.clockError)
            let found = fix()
            let isLost = plan.dropout > 0 && random.unit() < plan.dropout || receiver.isSilent
            if !isLost { return found }
        }
        return nil
    }

    mutating func follow(_ route: GuideRoute) -> Bool {
        // Throws for a route too short to walk.
        guard let path = try? SimulatedPath(route.geometry, WalkPlan()) else { return false }
        self.path = path
        // Detours, pauses and disturbances refer to the original route.
        rests = []
        receiver = DisturbedReceiver([])
        resting = 0
        position = 0
        return true
    }

    private mutating func fix() -> WalkFix {
        let truth = path.geometry.coordinate(at: position)
        var shown = truth
        if var noise {
            shown = noise.shifted(truth, after: plan.interval, &random)
            self.noise = noise
        }
        let accuracy = receiver.disturb(&shown, truth: truth, after: plan.interval, &random)
        var fix = PositionFix(
            shown, time: time, accuracy: accuracy ?? (plan.noise > 0 ? plan.noise : nil),
            speed: resting > 0 ? 0 : speed, course: path.geometry.bearing(at: position))
        fix.isFollowed = !hasEnded && receiver.isFollowed(after: plan.interval)
        return WalkFix(
            fix: fix, truth: truth, trueAlong: path.routeAlong(at: position), clockError: receiver.clockError)
    }

    private var speed: Double {
        let swing = sin(position / WalkSettings.swingLength * 2 * .pi)
        return evenSpeed * (1 + unevenness * swing)
    }

    private var evenSpeed: Double {
        switch plan.pace {
        case .steady(let speed): speed
        case .tobler: Self.tobler(path.slope(at: position))
        }
    }

    /// W. Tobler, "Three presentations on geographical analysis and modeling", 1993: 6 km/h · exp(−3.5·|slope + 0.05|).
    static func tobler(_ slope: Double) -> Double { 6 / 3.6 * exp(-3.5 * abs(slope + 0.05)) }

    /// Advances by a time in seconds, at most to the end.
    private mutating func advance(_ seconds: Double) {
        var left = seconds
        while left > 0, position < path.geometry.length || resting > 0 {
            if resting > 0 {
                let rest = min(resting, left)
                elapsed += rest
                resting -= rest
                left -= rest
                continue
            }
            let step = min(left, WalkSettings.step)
            let next = min(path.geometry.length, position + speed * step)
            if let rest = rests.first, next >= rest.at {
                elapsed += step
                left -= step
                position = next
                resting = rest.seconds
                rests.removeFirst()
                continue
            }
            // Only the last step is shortened: rounding in a sum of shares could leave a remainder forever.
            let isLast = next == path.geometry.length
            elapsed += isLast ? (next - position) / speed : step
            left -= step
            position = next
        }
    }

    private func checkLength(rest: Double) throws {
        let slowest: Double =
            switch plan.pace {
            case .steady(let speed): speed
            case .tobler: Self.tobler(1)
            }
        let fixes = (path.geometry.length / slowest + rest) / plan.interval
        if fixes > Double(WalkSettings.mostFixes) {
            throw GuidanceErrors.simulation(
                "the walk would have about \(Literal.number(fixes, digits: 2)) fixes",
                at: .parameter("interval"), fix: "use a higher --speed or a longer --interval")
        }
    }
}
