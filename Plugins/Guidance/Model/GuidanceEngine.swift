import Geodesy
import PluginKit

/// Guidance along a route: a pure state machine. State and a fix determine the next state and events; there is no
/// clock and no randomness in it.
public struct GuidanceEngine: Sendable {
    /// The route.
    public let route: GuideRoute
    /// The thresholds.
    public let settings: GuidanceSettings

    /// Guidance along a route.
    public init(_ route: GuideRoute, settings: GuidanceSettings = GuidanceSettings()) {
        self.route = route
        self.settings = settings
    }

    /// Processes a fix. A fix without a valid coordinate changes nothing.
    public func update<Recorder: TraceRecorder>(
        _ state: inout GuidanceState, with fix: PositionFix, events: inout [GuidanceEvent],
        trace: inout Recorder
    ) {
        guard fix.coordinate.isValid else { return }
        state.fixes += 1
        trace.record(GuidanceSteps.fix(fix, state))
        let gap = max(0, state.last.map { fix.time.seconds(since: $0.time) } ?? 0)
        let found = place(fix, &state, gap: gap, trace: &trace)
        let before = state.match
        state.match = found.match
        state.furthest = found.leapt ? found.match.along : max(state.furthest, found.match.along)
        trace.record(GuidanceSteps.projection(found.match, leapt: found.leapt, on: route.geometry))
        if !found.leapt, let before, gap > 0 { measureSpeed(&state, found.match.along - before.along, gap) }
        let wasOffRoute = state.isOffRoute
        defer {
            state.last = fix
            trace.record(GuidanceSteps.state(state, before: before, wasOffRoute: wasOffRoute, of: route))
        }
        guard !state.hasArrived else { return }
        compareDistance(fix, &state, &events, &trace)
        guard !state.isOffRoute else { return }
        if found.leapt || wasOffRoute || before == nil { skipPassed(&state, &trace) }
        prompt(fix, &state, &events, &trace)
        compareRemaining(fix, &state, &events, &trace)
    }

    // MARK: Matching

    private func place<Recorder: TraceRecorder>(
        _ fix: PositionFix, _ state: inout GuidanceState, gap: Double, trace: inout Recorder
    ) -> (match: RouteMatch, leapt: Bool) {
        switch settings.matcher {
        case .window: return windowed(fix, state, gap, &trace)
        case .nearest:
            let match = route.geometry.nearest(fix.coordinate)
            trace.record(MatchSteps.candidate(match, cost: match.distance, what: "cost"))
            return (match, state.match.map { isLeap(match.along - $0.along, gap) } ?? (match.along > 0))
        case .markov: return mostLikely(fix, &state, gap, &trace)
        }
    }

    private func windowed<Recorder: TraceRecorder>(
        _ fix: PositionFix, _ state: GuidanceState, _ gap: Double, _ trace: inout Recorder
    ) -> (match: RouteMatch, leapt: Bool) {
        let window = MatchWindow(
            segment: state.match?.segment ?? 0, along: state.along, furthest: state.furthest,
            back: settings.windowBack, ahead: ahead(gap), travelWeight: settings.travelWeight,
            backLimit: settings.backLimit)
        let near = route.geometry.windowed(fix.coordinate, around: window, trace: &trace)
        let limit = state.isOffRoute ? settings.clear : settings.offRoute
        guard near.distance > limit else { return (near, false) }
        trace.record(GuidanceSteps.fallback(near, limit: limit))
        let far = route.geometry.nearest(fix.coordinate, from: state.along, trace: &trace)
        // A leap requires a match that is on route, except at the first fix, which always requires a match.
        guard far.distance <= limit || state.match == nil, isLeap(far.along - state.along, gap) else {
            return (near, false)
        }
        return (far, true)
    }

    private func mostLikely<Recorder: TraceRecorder>(
        _ fix: PositionFix, _ state: inout GuidanceState, _ gap: Double, _ trace: inout Recorder
    ) -> (match: RouteMatch, leapt: Bool) {
        let reach = settings.offRoute * GuidanceLimits.markovReach
        let candidates = route.geometry.candidates(fix.coordinate, within: reach)
        let model = MarkovModel(
            sigma: max(settings.sigma, fix.accuracy ?? 0), beta: settings.beta, lag: settings.lag,
            weight: MarkovModel.weight(after: gap))
        let likely =
            candidates.isEmpty
            ? nil : state.markov.step(candidates, at: fix.coordinate, model: model, trace: &trace)
        guard let likely else {
            state.markov.forget()
            let far = route.geometry.nearest(fix.coordinate, from: state.along, trace: &trace)
            return (far, isLeap(far.along - state.along, gap))
        }
        let match = route.geometry.match(likely.segment, likely.share, from: fix.coordinate)
        return (match, isLeap(match.along - state.along, gap))
    }

    /// Whether a distance along the line is too long for the time between two fixes.
    private func isLeap(_ travel: Double, _ gap: Double) -> Bool {
        travel > ahead(gap) || travel < -settings.windowBack
    }

    /// Metres searched ahead after a gap in seconds.
    private func ahead(_ gap: Double) -> Double {
        settings.windowAhead * max(1, gap / GuidanceLimits.windowGap)
    }

    private func measureSpeed(_ state: inout GuidanceState, _ travel: Double, _ gap: Double) {
        let speed = max(0, travel / gap)
        state.speed = state.speed.map { $0 + GuidanceLimits.speedShare * (speed - $0) } ?? speed
    }

    // MARK: Off route

    private func compareDistance<Recorder: TraceRecorder>(
        _ fix: PositionFix, _ state: inout GuidanceState, _ events: inout [GuidanceEvent],
        _ trace: inout Recorder
    ) {
        guard let match = state.match else { return }
        let isOut = state.isOffRoute ? match.distance >= settings.clear : match.distance > settings.offRoute
        trace.record(
            GuidanceSteps.offRoute(match.distance, wasOffRoute: state.isOffRoute, isOffRoute: isOut, settings)
        )
        guard isOut != state.isOffRoute else { return }
        state.isOffRoute = isOut
        state.offRouteSince = isOut ? fix.time : nil
        var event = self.event(isOut ? .offRoute : .backOnRoute, fix, state, distance: match.distance)
        if isOut {
            let place = route.geometry.coordinate(segment: match.segment, share: match.share)
            event.bearing = fix.coordinate.bearing(to: place)
        }
        events.append(event)
    }

    // MARK: Prompts

    /// Skips the instructions behind a position that was reached another way: their turns were not taken.
    private func skipPassed<Recorder: TraceRecorder>(
        _ state: inout GuidanceState, _ trace: inout Recorder
    ) {
        while state.next < route.stops.count - 1, route.stops[state.next].along <= state.along {
            trace.record(GuidanceSteps.skipped(route.stops[state.next], state))
            state.next += 1
            state.given = .nothing
        }
    }

    private func prompt<Recorder: TraceRecorder>(
        _ fix: PositionFix, _ state: inout GuidanceState, _ events: inout [GuidanceEvent],
        _ trace: inout Recorder
    ) {
        while state.next < route.stops.count {
            let stop = route.stops[state.next]
            let isLast = state.next == route.stops.count - 1
            let left = stop.along - state.along
            let isDone = !isLast && left <= settings.advance
            let speed = fix.speed ?? state.speed
            let near = settings.approaching.metres(atSpeed: speed)
            if state.given == .nothing, isDue(near, left, isDone, .approaching, stop, &trace) {
                state.given = .approaching
                events.append(event(.approaching, fix, state, distance: max(0, left), turn: stop.turn))
            }
            let here = settings.atTurn.metres(atSpeed: speed)
            if !isLast, state.given == .approaching, isDue(here, left, isDone, .atTurn, stop, &trace) {
                state.given = .atTurn
                events.append(event(.atTurn, fix, state, distance: max(0, left), turn: stop.turn))
            }
            guard isDone else { return }
            trace.record(GuidanceSteps.advanced(stop, left: left, settings))
            state.next += 1
            state.given = .nothing
        }
    }

    /// Whether a prompt is due. Once the point is passed it is spoken late; where instructions are dropped before their
    /// point, a prompt due nearer than that is never spoken.
    private func isDue<Recorder: TraceRecorder>(
        _ threshold: Double, _ left: Double, _ isDone: Bool, _ kind: GuidanceEvent.Kind,
        _ stop: GuideRoute.Stop, _ trace: inout Recorder
    ) -> Bool {
        let isHidden = isDone && settings.advance > 0 && threshold <= settings.advance
        let isDue = (left <= threshold || isDone) && !isHidden
        trace.record(
            GuidanceSteps.prompt(
                kind, stop, left: left, threshold: threshold, isDue: isDue, isHidden: isHidden, settings))
        return isDue
    }

    // MARK: Arrival

    private func compareRemaining<Recorder: TraceRecorder>(
        _ fix: PositionFix, _ state: inout GuidanceState, _ events: inout [GuidanceEvent],
        _ trace: inout Recorder
    ) {
        let left = route.length - state.along
        let isThere = left <= settings.arrived
        trace.record(GuidanceSteps.arrival(left, isThere: isThere, settings))
        guard isThere else { return }
        state.hasArrived = true
        state.next = route.stops.count
        events.append(event(.arrived, fix, state, distance: max(0, left), turn: route.stops.last?.turn))
    }

    private func event(
        _ kind: GuidanceEvent.Kind, _ fix: PositionFix, _ state: GuidanceState, distance: Double,
        turn: TurnInstruction? = nil
    ) -> GuidanceEvent {
        GuidanceEvent(
            kind: kind, fix: state.fixes, time: fix.time, coordinate: fix.coordinate, turn: turn,
            distance: distance, along: state.along)
    }
}
