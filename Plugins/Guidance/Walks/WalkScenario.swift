import Geodesy
import PluginKit

/// Named walks that are difficult to match.
public enum WalkScenario: String, Sendable, Hashable, CaseIterable {
    case wrongEnd, turnBack, gap, cut, shortcut, outlier, poor, cafe, middle, twice
    case burst, drift, canyon, coldStart, stale, batch, clockStep, asleep, lying, stops

    /// Its description.
    var summary: String {
        switch self {
        case .wrongEnd: "60 m along the wrong end, or away from the start, then as planned"
        case .turnBack: "turns round before the tip and walks home; elsewhere 200 m back and forward again"
        case .gap: "three minutes without a fix, at the switchbacks if there are any"
        case .cut: "straight up the switchbacks"
        case .shortcut: "skips a part of the route in a straight line"
        case .outlier: "a fix 80 m away every 200 s"
        case .poor: "five minutes with an accuracy of 40 m"
        case .cafe: "rests for 20 minutes beside the line, towards a parallel leg if there is one"
        case .middle: "starts in the middle"
        case .twice: "the route twice, one after the other"
        case .burst: "2 to 10 fixes in a row 120 to 350 m away, every 200 s"
        case .drift: "drifts 35 m aside and back within four minutes"
        case .canyon: "between tall houses: noise of 15 m for minutes, reported as 8 m"
        case .coldStart: "2 to 5 first fixes 300 to 1200 m away"
        case .stale: "every minute a fix where the walker was two minutes ago"
        case .batch: "fixes delivered together, once a minute"
        case .clockStep: "the clock is set an hour ahead, later half an hour back"
        case .asleep: "a phone asleep: one fix every 90 s"
        case .stops: "stops for 5 to 60 s every 120 m, and walks slower and faster"
        case .lying: "noise of 12 m reported as 3 m, then of 5 m reported as 60 m"
        }
    }

    /// The walked route: repeated for `twice`.
    func route(_ route: GuideRoute) -> GuideRoute {
        guard self == .twice else { return route }
        let length = route.length
        let inner = route.stops.dropLast().map(\.turn)
        let second = route.stops.dropLast().map { stop in
            var turn = stop.turn
            turn.cumulativeDistance = stop.along + length
            return turn
        }
        let first = zip(inner, route.stops).map { turn, stop in
            var turn = turn
            turn.cumulativeDistance = stop.along
            return turn
        }
        var arrival = route.stops[route.stops.count - 1].turn
        arrival.cumulativeDistance = 2 * length
        return GuideRoute(
            name: route.name, mode: route.mode, line: route.geometry.points + route.geometry.points,
            turns: first + second + [arrival], duration: 2 * route.duration, isBareLine: route.isBareLine)
            ?? route
    }

    /// The path along a route. Throws `E-GUIDE-SIMULATION` if the route does not support it.
    func script(_ route: RouteGeometry) throws(RutterError) -> WalkScript {
        var script = WalkScript()
        let length = route.length
        switch self {
        case .wrongEnd: startWrong(&script, route)
        case .turnBack: turnBack(&script, route)
        case .cut:
            guard let legs = RouteLegs(route).switchbacks() else {
                throw GuidanceErrors.simulation(
                    "the route has no switchbacks to cut: no later leg lies within "
                        + Literal.inMessage(.metres(RouteLegs.cut.upperBound)), at: .parameter("walk"))
            }
            cut(&script, route, legs)
        case .shortcut:
            let from = length * Sizes.shortcutFrom
            cut(&script, route, [from, from + min(Sizes.shortcut, length * Sizes.shortcutShare)])
        case .cafe: rest(&script, route)
        case .middle:
            // On a loop and back the middle is also the start, which is ambiguous.
            let isStart =
                route.coordinate(at: length / 2).distance(to: route.coordinate(at: 0)) < Sizes.start
            script.go(on: route, from: length * (isStart ? 0.4 : 0.5), to: length)
        case .gap, .outlier, .poor, .twice, .burst, .drift, .canyon, .coldStart, .stale, .batch, .clockStep,
            .asleep, .lying, .stops:
            script.go(on: route, from: 0, to: length)
        }
        script.disturbances = disturbances(route)
        if self == .stops { stop(&script) }
        return script
    }

    /// Distances in metres, times in seconds.
    private enum Sizes {
        static let wrongEnd = 60.0
        /// A way out and back has no wrong end: both are the same.
        static let apart = 20.0
        static let back = 200.0
        static let start = 500.0
        static let shortcut = 600.0
        static let shortcutShare = 0.15
        static let shortcutFrom = 0.4
        static let silence = 180.0
        static let outlier = 80.0
        static let outlierEvery = 200.0
        static let poor = 40.0
        static let poorFor = 300.0
        static let rest = 1200.0
        static let aside = 15.0
        static let forever = 1e9
        static let burst = 120.0...350
        static let burstFixes = 2...10
        static let burstEvery = 200.0
        static let cold = 300.0...1200
        static let coldFixes = 2...5
        static let drift = 35.0
        static let driftFor = 240.0
        static let canyon = (sigma: 15.0, timeConstant: 40.0, reported: 8.0)
        static let lying: [(sigma: Double, reported: Double)] = [(12, 3), (5, 60)]
        static let staleBy = 120.0
        static let staleEvery = 60.0
        static let batchEvery = 60.0
        static let clock = [3600.0, -1800]
        static let asleepEvery = 90.0
        static let stopEvery = 120.0
        static let stops = [8.0, 25, 60, 5, 40, 15]
        static let unevenness = 0.35
    }

    private func disturbances(_ route: RouteGeometry) -> [WalkScript.Disturbance] {
        switch self {
        case .gap:
            let at = RouteLegs(route).switchbacks()?.first ?? route.length / 2
            return [.init(kind: .silence, at: max(0, at - 1), seconds: Sizes.silence)]
        case .poor:
            return [.init(kind: .noise(Sizes.poor), at: route.length * 0.4, seconds: Sizes.poorFor)]
        case .outlier:
            return always(.outliers(Sizes.outlier, every: Sizes.outlierEvery))
        case .burst: return always(.bursts(Sizes.burst, fixes: Sizes.burstFixes, every: Sizes.burstEvery))
        case .coldStart: return always(.cold(Sizes.cold, fixes: Sizes.coldFixes))
        case .stale: return always(.stale(Sizes.staleBy, every: Sizes.staleEvery))
        case .batch: return always(.batches(every: Sizes.batchEvery))
        case .asleep: return always(.sparse(every: Sizes.asleepEvery))
        case .drift:
            return [.init(kind: .drift(Sizes.drift), at: route.length * 0.4, seconds: Sizes.driftFor)]
        case .canyon:
            let noise = WalkScript.Disturbance.Kind.wrongAccuracy(
                Sizes.canyon.sigma, timeConstant: Sizes.canyon.timeConstant, reported: Sizes.canyon.reported)
            return [.init(kind: noise, at: route.length * 0.3, seconds: Sizes.poorFor)]
        case .lying:
            return zip([0.2, 0.6], Sizes.lying).map { share, noise in
                .init(
                    kind: .wrongAccuracy(
                        noise.sigma, timeConstant: WalkSettings.timeConstant, reported: noise.reported),
                    at: route.length * share, seconds: Sizes.poorFor)
            }
        case .clockStep:
            return zip([0.3, 0.6], Sizes.clock).map { share, step in
                .init(kind: .clock(step), at: route.length * share, seconds: Sizes.forever)
            }
        case .wrongEnd, .turnBack, .cut, .shortcut, .cafe, .middle, .twice, .stops: return []
        }
    }

    /// A disturbance of the whole walk.
    private func always(_ kind: WalkScript.Disturbance.Kind) -> [WalkScript.Disturbance] {
        [.init(kind: kind, at: 0, seconds: Sizes.forever)]
    }

    /// Stops to look, to drink, to wait, and an uneven pace.
    private func stop(_ script: inout WalkScript) {
        let places = stride(from: Sizes.stopEvery, to: script.length, by: Sizes.stopEvery)
        script.rests = places.enumerated().map {
            .init(at: $1, seconds: Sizes.stops[$0 % Sizes.stops.count])
        }
        script.unevenness = Sizes.unevenness
    }

    private func startWrong(_ script: inout WalkScript, _ route: RouteGeometry) {
        let length = route.length
        let far = min(Sizes.wrongEnd, length / 10)
        script.points.append((route.coordinate(at: 0), 0))
        let (end, start) = (route.coordinate(at: length - far), route.coordinate(at: far))
        if route.isClosed, end.distance(to: start) > Sizes.apart {
            script.leave(towards: route.coordinate(at: length - far))
            script.go(on: route, from: length, to: length - far, isPlanned: false)
            script.go(on: route, from: length - far, to: length, isPlanned: false)
        } else {
            let away = route.coordinate(at: 0).destination(
                bearing: route.bearing(at: 0) + 180, distance: far)
            script.leave(towards: away)
            script.points.append((away, nil))
        }
        script.come(to: 0, on: route)
        script.go(on: route, from: 0, to: length)
    }

    private func turnBack(_ script: inout WalkScript, _ route: RouteGeometry) {
        let length = route.length
        let from = length * 0.3
        if let home = RouteLegs(route).wayHome(from: from) {
            script.go(on: route, from: 0, to: from)
            script.leave(towards: route.coordinate(at: home))
            script.come(to: home, on: route)
            script.go(on: route, from: home, to: length)
            return
        }
        let turn = length * 0.4
        script.go(on: route, from: 0, to: turn)
        script.go(on: route, from: turn, to: turn - min(Sizes.back, turn / 2))
        script.go(on: route, from: turn - min(Sizes.back, turn / 2), to: length)
    }

    /// Straight from point to point of the route.
    private func cut(_ script: inout WalkScript, _ route: RouteGeometry, _ legs: [Double]) {
        script.go(on: route, from: 0, to: legs[0])
        for leg in legs.dropFirst().dropLast() {
            script.leave(towards: route.coordinate(at: leg))
            script.points.append((route.coordinate(at: leg), nil))
        }
        let last = legs[legs.count - 1]
        script.leave(towards: route.coordinate(at: last))
        script.come(to: last, on: route)
        script.go(on: route, from: last, to: route.length)
    }

    private func rest(_ script: inout WalkScript, _ route: RouteGeometry) {
        let legs = RouteLegs(route).parallel()
        let at = legs?.from ?? route.length / 2
        let place = route.coordinate(at: at)
        let bearing =
            legs.map { place.bearing(to: route.coordinate(at: $0.to)) } ?? route.bearing(at: at) + 90
        let aside = min(Sizes.aside, (legs?.distance ?? 2 * Sizes.aside) / 2)
        script.go(on: route, from: 0, to: at)
        script.points.append((place.destination(bearing: bearing, distance: aside), at))
        script.rests.append(.init(at: script.length, seconds: Sizes.rest))
        script.go(on: route, from: at, to: route.length)
    }
}

/// Adjacent legs of a route.
struct RouteLegs {
    let route: RouteGeometry

    /// The maximum distance of a cut to another leg, metres.
    static let cut = 12.0...45.0
    private static let step = 10.0
    /// Minimum distance along the line between adjacent legs, metres.
    private static let apart = 80.0
    private static let longest = 1500.0
    private static let parallelApart = 150.0
    private static let parallel = 12.0...60.0
    /// The maximum distance between the way home and the way out, metres.
    private static let home = 10.0
    private static let mostCuts = 6
    /// The maximum bend of a cut, degrees.
    private static let bend = 50.0

    init(_ route: RouteGeometry) { self.route = route }

    /// The points of the first switchbacks, straight up from leg to leg; `nil` if there are none.
    func switchbacks() -> [Double]? {
        for from in stride(from: route.length * 0.1, to: route.length * 0.9, by: Self.step) {
            var legs = [from]
            var bearing: Double?
            while legs.count <= Self.mostCuts, let next = next(from: legs[legs.count - 1], towards: bearing) {
                let place = route.coordinate(at: legs[legs.count - 1])
                bearing = place.bearing(to: route.coordinate(at: next))
                legs.append(next)
            }
            if legs.count > 1 { return legs }
        }
        return nil
    }

    private func next(from: Double, towards bearing: Double?) -> Double? {
        let place = route.coordinate(at: from)
        return route.passes(place, within: Self.cut.upperBound).first { pass in
            guard pass.distance >= Self.cut.lowerBound, pass.along >= from + Self.apart,
                pass.along <= min(from + Self.longest, route.length * 0.95)
            else { return false }
            guard let bearing else { return true }
            let turn = Angle.difference(
                from: bearing, to: place.bearing(to: route.coordinate(at: pass.along)))
            return abs(turn) <= Self.bend
        }?.along
    }

    /// The nearest pair of legs that are far apart along the line.
    func parallel() -> (from: Double, to: Double, distance: Double)? {
        var best: (from: Double, to: Double, distance: Double)?
        for from in stride(from: route.length * 0.1, to: route.length * 0.9, by: Self.step) {
            let passes = route.passes(route.coordinate(at: from), within: Self.parallel.upperBound)
            for pass in passes
            where abs(pass.along - from) >= Self.parallelApart && pass.distance >= Self.parallel.lowerBound
                && pass.distance < best?.distance ?? .infinity
            {
                best = (from, pass.along, pass.distance)
            }
        }
        return best
    }

    /// The point of the way home beside a point of the way out, on a route that returns the same way.
    func wayHome(from: Double) -> Double? {
        let place = route.coordinate(at: from)
        guard let pass = route.passes(place, within: Self.home).last, pass.along > from + Self.parallelApart
        else { return nil }
        let turn = Angle.difference(from: route.bearing(at: from), to: route.bearing(at: pass.along))
        return abs(turn) > 135 ? pass.along : nil
    }
}
