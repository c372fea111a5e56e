import Geodesy
import PluginKit

/// Guidance along a route as a pure state machine: a state and a fix determine the next state and events,
/// without clock and randomness.
public struct GuidanceEngine: Sendable {
    /// The route.
    let route: GuideRoute
    /// The thresholds.
    let settings: GuidanceSettings
    /// Stored, so that a fix counts no references.
    let arrival: ArrivalRule

    /// Guidance along a route.
    public init(_ route: GuideRoute, settings: GuidanceSettings = GuidanceSettings()) {
        self.route = route
        self.settings = settings
        arrival = ArrivalRule(route: route, settings: settings)
    }

    /// Processes a fix. A fix without a valid coordinate changes nothing.
    public func update<Recorder: TraceRecorder>(
        _ state: inout GuidanceState, with fix: PositionFix, events: inout [GuidanceEvent],
        trace: inout Recorder
    ) {
        guard fix.coordinate.isValid else { return }
        guard settings.matcher != .app else {
            return updateAsApp(&state, with: fix, events: &events, trace: &trace)
        }
        state.fixes += 1
        if let last = state.last, isNewStart(fix, after: last, state) {
            trace.record(GuidanceSteps.restarted(fix, after: last))
            let (fixes, hearing) = (state.fixes, state.hearing)
            state = GuidanceState()
            (state.fixes, state.hearing) = (fixes, hearing)
        }
        if !fix.isFollowed { state.hearing.hear(at: fix.time) }
        if state.given.isEmpty {
            state.given = [GuidanceState.SpokenPrompts](repeating: .nothing, count: route.stops.count)
        }
        trace.record(GuidanceSteps.fix(fix, state))
        if let last = state.last,
            state.screen.setsAside(fix, after: last, known: state.fixes, mode: route.mode, sigma: sigma)
        {
            return trace.record(GuidanceSteps.setAside(fix, after: last))
        }
        let gap = self.gap(to: fix, state)
        defer { state.lastGap = gap }
        let before = state.match
        state.belief.measureMotion(
            fix.coordinate, after: gap > 0 ? gap : GuidanceLimits.windowGap, sigma: sigma(fix))
        let found = findMatch(fix, &state, gap: gap, trace: &trace)
        if isJump(from: before, to: found.match, fix, state, gap) { state.jumpedAt = fix.time }
        move(&state, to: found, fix, gap, before)
        state.belief.measureStraying(
            found.match.distance, after: gap > 0 ? gap : GuidanceLimits.windowGap)
        trace.record(GuidanceSteps.projection(found.match, leapt: found.leapt, on: route.geometry))
        trace.record(GuidanceSteps.belief(state.belief, sigma: sigma(fix), of: route))
        let wasOffRoute = state.isOffRoute
        defer {
            state.last = fix
            trace.record(GuidanceSteps.state(state, before: before, wasOffRoute: wasOffRoute, of: route))
        }
        guard !state.hasArrived else { return }
        if let wrong = found.left, found.match.along < wrong.began { takeBack(wrong, &state) }
        let turnedFrom = found.turnedFrom(sigma(fix))
        if let turnedFrom {
            turnedRound(fix, from: turnedFrom, state: &state, trace: &trace)
        } else if found.leapt {
            state.turn = nil
        }
        sayTurn(fix, &state, &events)
        compareDistance(fix, &state, &events, &trace)
        let leapt = found.leapt || wasOffRoute || before == nil
        // Turns before the place where the walk joins the plan, and those that another event reports as left out, are not passed.
        // A walk that begins at the start of the plan joins nothing: going another way from there leaves a part out.
        let isJoining =
            found.left.map {
                $0.furthest - $0.began < BeliefSettings.remembered && $0.began > settings.arrived
            } ?? false
        let isSaid = wasOffRoute || before == nil || isJoining || turnedFrom != nil
        guard !state.isOffRoute, state.offRouteStreak == nil else {
            if leapt, !state.isOffRoute { findNext(&state, isSaid: isSaid, &trace) }
            return
        }
        state.hasJoined = true
        let change = compareHeading(fix, after: gap, &state, &events, &trace)
        if leapt || change != .none {
            state.leftOut = found.left.flatMap { leftOut(by: $0, fix, state) }
            if case .cut(let metres) = change { state.leftOut = metres > 0 ? metres : nil }
            findNext(&state, isSaid: isSaid || change == .turned || change == .forwards, &trace)
            if change == .forwards { resumeLeftOut(&state) }
        }
        if wasOffRoute {
            passTurnsTaken(fix, &state, &trace)
            sayWayOn(fix, state, &events)
        }
        // More fixes of a batch that was delivered late: the walker is farther on already.
        guard !fix.isFollowed else { return }
        if isHeld(fix, state) {
            trace.record(GuidanceSteps.jumped())
        } else {
            prompt(fix, after: state.hearing.latest, &state, &events, &trace)
        }
        arrive(fix, &state, &events, &trace)
    }

    /// Whether guidance restarts at a fix: nothing is known by the fixes before it that matters for the walk along the route.
    private func isNewStart(_ fix: PositionFix, after last: PositionFix, _ state: GuidanceState) -> Bool {
        // The last known position of a receiver, or where it was switched off the day before.
        if !state.hasJoined, fix.time.seconds(since: last.time) >= GuidanceLimits.longGap { return true }
        return !state.isOffRoute
            && FixScreen.contradicts(fix, after: last, known: state.fixes, mode: route.mode, sigma: sigma)
    }

    /// Seconds since the last fix; as many as between those before where hours seem to have passed on the spot, since then
    /// the clock was set, or the walker rested.
    private func gap(to fix: PositionFix, _ state: GuidanceState) -> Double {
        guard let last = state.last else { return 0 }
        let gap = max(0, fix.time.seconds(since: last.time))
        guard gap >= GuidanceLimits.longGap, state.lastGap > 0 else { return gap }
        let usual = route.mode.usualSpeed * GuidanceLimits.fasterThanExpected * state.lastGap
        let metres = last.coordinate.distance(to: fix.coordinate)
        return metres <= usual + sigma(last) + sigma(fix) ? min(gap, state.lastGap) : gap
    }

    /// The standard deviation of a fix, metres.
    func sigma(_ fix: PositionFix) -> Double { max(settings.sigma, fix.accuracy ?? 0) }

    // MARK: Matching

    /// The match of a fix.
    struct Found {
        var match: RouteMatch
        /// Whether it is on another part of the line, too far for walking along the line.
        var leapt: Bool
        /// The farthest point and its time, if the belief moved to another part of the line.
        var left: RouteBelief.Hypothesis?

        /// The farthest point before turning round, if the new part is the way home: a fix has a standard deviation of `sigma` metres.
        func turnedFrom(_ sigma: Double) -> Double? {
            guard let left, left.back >= GuidanceLimits.turnedBack,
                match.along - left.furthest >= GuidanceLimits.turnedSkip,
                GuidanceLimits.isTurn(from: left.match, to: match, sigma)
            else { return nil }
            return left.furthest
        }
    }

    private func findMatch<Recorder: TraceRecorder>(
        _ fix: PositionFix, _ state: inout GuidanceState, gap: Double, trace: inout Recorder
    ) -> Found {
        switch settings.matcher {
        case .belief: return believed(fix, &state, gap: gap, trace: &trace)
        case .window: return windowed(fix, state, gap, &trace)
        case .nearest, .app:
            let match = route.geometry.nearest(fix.coordinate)
            trace.record(MatchSteps.candidate(match, cost: match.distance, what: "cost"))
            return Found(
                match: match,
                leapt: state.match.map { isLeap(match.along - $0.along, gap) } ?? (match.along > 0))
        case .markov: return mostLikely(fix, &state, gap, &trace)
        }
    }

    /// Moves to a match: updates the farthest point, the distances covered and skipped, and the speed.
    private func move(
        _ state: inout GuidanceState, to found: Found, _ fix: PositionFix, _ gap: Double,
        _ before: RouteMatch?
    ) {
        let along = found.match.along
        state.match = found.match
        guard let before else {
            state.progress.join(found.match, on: route.geometry)
            state.furthest = along
            state.heading.begin(along, fix.time)
            return
        }
        if found.leapt {
            state.progress.leap(from: state.furthest, to: along, on: route.geometry, fix.time)
            state.furthest = along
            // The part that is followed now may have been walked backwards for a while.
            let now = state.belief.hypotheses.first
            state.heading.begin(
                found.left == nil ? along : now?.furthest ?? along,
                found.left == nil ? fix.time : now?.furthestTime)
        } else {
            let most = farthestWalk(fix, state, gap)
            state.progress.covered += min(max(0, along - state.furthest), most)
            state.progress.reached = surelyReached(found.match, fix, state, most)
            state.progress.sinceLeap += max(0, along - state.furthest)
            state.furthest = max(state.furthest, along)
            if gap > 0 { measureSpeed(&state, along - before.along, gap) }
        }
    }

    /// Whether a match lies farther ahead of the one before than anybody walks between two fixes: where the line comes back
    /// beside itself, a single fix of a walker who rests may lie on the other part.
    private func isJump(
        from before: RouteMatch?, to match: RouteMatch, _ fix: PositionFix, _ state: GuidanceState,
        _ gap: Double
    ) -> Bool {
        guard settings.matcher == .belief, let before, gap > 0, gap <= BeliefSettings.gap else {
            return false
        }
        let step = match.along - before.along - GuidanceLimits.jump
        return step > 0 && step > farthestWalk(fix, state, gap)
    }

    /// Whether prompts wait after a jump: for the next fix, and longer for one who stands, except at the end.
    private func isHeld(_ fix: PositionFix, _ state: GuidanceState) -> Bool {
        guard let jumpedAt = state.jumpedAt, state.hearing.latest <= BeliefSettings.gap else { return false }
        // A clock that was set back is no reason to wait.
        let seconds = fix.time.seconds(since: jumpedAt)
        guard (0..<GuidanceLimits.heldStanding).contains(seconds), seconds == 0 || isStanding(fix, state)
        else {
            return false
        }
        return !arrival.isAtEnd(fix, state, from: state.along, hasStopped: true)
    }

    /// The metres from the farthest point of the part that was followed to where this one was met, if nobody walks them in the time
    /// since: a loop that was cut off. `nil` if they may have been walked, as in a tunnel.
    private func leftOut(by left: RouteBelief.Hypothesis, _ fix: PositionFix, _ state: GuidanceState)
        -> Double?
    {
        let metres = (state.belief.hypotheses.first?.began ?? state.along) - left.furthest
        let speed = max(state.belief.speed ?? 0, route.mode.usualSpeed)
        let seconds = max(GuidanceLimits.windowGap, fix.time.seconds(since: left.furthestTime))
        return metres > GuidanceLimits.fasterThanExpected * speed * seconds ? metres : nil
    }

    /// The maximum distance in metres walked since the last fix, by the speed and by the distance between
    /// both.
    private func farthestWalk(_ fix: PositionFix, _ state: GuidanceState, _ gap: Double) -> Double {
        // Fixes with the same time are entered by hand.
        let seconds = gap > 0 ? gap : GuidanceLimits.windowGap
        let speed = max(fix.speed ?? 0, state.belief.speed ?? 0, route.mode.usualSpeed)
        let straight = state.last?.coordinate.distance(to: fix.coordinate) ?? 0
        return GuidanceLimits.fasterThanExpected * max(speed * seconds, straight)
    }

    /// The point that was certainly reached: the match, unless it moved ahead by more than the possible
    /// distance and the point at that distance also explains the fix.
    private func surelyReached(
        _ match: RouteMatch, _ fix: PositionFix, _ state: GuidanceState, _ walk: Double
    ) -> Double {
        let most = state.progress.reached + walk
        guard settings.matcher == .belief, match.along > most else { return match.along }
        let place = route.geometry.coordinate(at: most)
        return place.distance(to: fix.coordinate) <= settings.clear ? most : match.along
    }

    private func believed<Recorder: TraceRecorder>(
        _ fix: PositionFix, _ state: inout GuidanceState, gap: Double, trace: inout Recorder
    ) -> Found {
        let sigma = sigma(fix)
        // Fixes with the same time are entered by hand.
        let seconds = gap > 0 ? gap : GuidanceLimits.windowGap
        let speed = fix.speed ?? state.belief.speed ?? route.mode.usualSpeed
        let read = BeliefFix(
            position: fix.coordinate, time: fix.time, gap: seconds, sigma: sigma,
            weight: state.belief.weight * MarkovModel.weight(after: seconds),
            expected: max(0, speed) * seconds,
            ahead: settings.windowAhead * seconds / GuidanceLimits.windowGap,
            behind: max(sigma, state.belief.strayed) <= BeliefSettings.predicted ? BeliefSettings.behind : 0,
            course: isStanding(fix, state) ? nil : fix.course)
        let isUnwalked =
            state.progress.covered < min(GuidanceLimits.leastOnClosed, route.length / 4)
        let outcome = state.belief.step(read, on: route.geometry, isUnwalked: isUnwalked, trace: &trace)
        if outcome.left == nil, let before = state.match, gap > 0 {
            let share = min(1, gap / BeliefSettings.speedTime)
            let measured = (outcome.match.along - before.along) / gap
            let last = state.belief.speed ?? route.mode.usualSpeed
            state.belief.speed = last + share * (measured - last)
        }
        // A step ahead that catches up is not a leap: prompts on it are spoken late.
        let step = outcome.match.along - state.along
        let isCatchingUp = outcome.left != nil && 0..<GuidanceLimits.turnedSkip ~= step
        return Found(
            match: outcome.match, leapt: outcome.left != nil && !isCatchingUp,
            left: isCatchingUp ? nil : outcome.left)
    }

    private func windowed<Recorder: TraceRecorder>(
        _ fix: PositionFix, _ state: GuidanceState, _ gap: Double, _ trace: inout Recorder
    ) -> Found {
        let window = MatchWindow(
            segment: state.match?.segment ?? 0, along: state.along, furthest: state.furthest,
            back: settings.windowBack, ahead: ahead(gap), travelWeight: settings.travelWeight,
            backLimit: settings.backLimit)
        let near = route.geometry.windowed(fix.coordinate, around: window, trace: &trace)
        let limit = state.isOffRoute ? settings.clear : settings.offRoute
        guard near.distance > limit else { return Found(match: near, leapt: false) }
        trace.record(GuidanceSteps.fallback(near, limit: limit))
        let far = route.geometry.nearest(fix.coordinate, from: state.along, trace: &trace)
        // A leap requires a match that is on route, except at the first fix, which always requires a match.
        guard far.distance <= limit || state.match == nil, isLeap(far.along - state.along, gap) else {
            return Found(match: near, leapt: false)
        }
        return Found(match: far, leapt: true)
    }

    private func mostLikely<Recorder: TraceRecorder>(
        _ fix: PositionFix, _ state: inout GuidanceState, _ gap: Double, _ trace: inout Recorder
    ) -> Found {
        let reach = settings.offRoute * GuidanceLimits.markovReach
        let candidates = route.geometry.candidates(fix.coordinate, within: reach)
        let model = MarkovModel(
            sigma: sigma(fix), beta: settings.beta, lag: settings.lag, weight: MarkovModel.weight(after: gap))
        let likely =
            candidates.isEmpty
            ? nil : state.markov.step(candidates, at: fix.coordinate, model: model, trace: &trace)
        guard let likely else {
            state.markov.forget()
            let far = route.geometry.nearest(fix.coordinate, from: state.along, trace: &trace)
            return Found(match: far, leapt: isLeap(far.along - state.along, gap))
        }
        let match = route.geometry.match(likely.segment, likely.share, from: fix.coordinate)
        return Found(match: match, leapt: isLeap(match.along - state.along, gap))
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

    func event(
        _ kind: GuidanceEvent.Kind, _ fix: PositionFix, _ state: GuidanceState, distance: Double,
        turn: TurnInstruction? = nil
    ) -> GuidanceEvent {
        GuidanceEvent(
            kind: kind, fix: state.fixes, time: fix.time, coordinate: fix.coordinate, turn: turn,
            distance: distance, along: state.along)
    }
}

extension TravelMode {
    /// The expected speed before one is measured, metres per second.
    var usualSpeed: Double { self == .hiking ? GuidanceLimits.walkingSpeed : GuidanceLimits.ridingSpeed }
}
