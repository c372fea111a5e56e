import Geodesy
import PluginKit

// Prompts and arrival.
extension GuidanceEngine {
    /// Sets the next instruction after a leap: turns behind the position were not taken, and turns ahead
    /// that were not announced are pending. Those skipped are reported by the next event, unless another says it.
    func findNext<Recorder: TraceRecorder>(
        _ state: inout GuidanceState, isSaid: Bool, _ trace: inout Recorder
    ) {
        let last = route.stops.count - 1
        var next = 0
        while next < last, route.stops[next].along <= state.along || state.given[next] == .done {
            if next >= state.next, state.given[next] != .done {
                trace.record(GuidanceSteps.skipped(route.stops[next], state))
                if state.given[next] != .atTurn { state.passed.append(next) }
            }
            next += 1
        }
        state.next = next
        if isSaid { state.passed = [] }
        // A part without turns is not said: what is passed later is no part of it.
        if state.passed.isEmpty { state.leftOut = nil }
    }

    /// Where the line is rejoined, a walker who goes the way that the plan takes after a turn near there has no turn to take,
    /// as one who stayed on the path while the plan made a loop.
    func passTurnsTaken<Recorder: TraceRecorder>(
        _ fix: PositionFix, _ state: inout GuidanceState, _ trace: inout Recorder
    ) {
        let next = state.next
        guard next < route.stops.count - 1, let course = course(fix, state) else { return }
        let stop = route.stops[next]
        let ahead = GuidanceLimits.legOfTurn
        guard (0...GuidanceLimits.turnAtRejoin).contains(stop.along - state.along),
            ahead < route.length - stop.along
        else { return }
        let before = route.geometry.bearing(at: max(0, stop.along - ahead))
        let after = route.geometry.bearing(at: stop.along + ahead)
        let off = abs(Angle.difference(from: after, to: course))
        guard off <= GuidanceLimits.goesAlong, abs(Angle.difference(from: before, to: course)) > 2 * off
        else {
            return
        }
        trace.record(GuidanceSteps.taken(stop, state))
        state.given[next] = .done
        state.next = next + 1
    }

    /// Adds to the event that the line is rejoined how to go on: where the line leads, unless the walker goes that way already, and
    /// the next turn, if it was announced before the line was left and is not announced again.
    func sayWayOn(_ fix: PositionFix, _ state: GuidanceState, _ events: inout [GuidanceEvent]) {
        guard let last = events.indices.last, events[last].fix == state.fixes,
            events[last].kind == .backOnRoute
        else { return }
        let leg = GuidanceLimits.legOfTurn
        if route.length - state.along > leg {
            let ahead = route.geometry.bearing(at: state.along + leg)
            let isAlong =
                course(fix, state).map {
                    abs(Angle.difference(from: ahead, to: $0)) <= GuidanceLimits.goesAlong
                }
                ?? false
            events[last].bearing = isAlong ? nil : ahead
        }
        guard route.stops.indices.contains(state.next), state.given[state.next] != .nothing else { return }
        let stop = route.stops[state.next]
        let metres = stop.along - state.along
        // Who comes to the turn from another side does not turn to the side that the plan names.
        if metres > leg { events[last].upcoming = .init(turn: stop.turn, distance: metres) }
    }

    /// The direction of movement in degrees: as reported, else from the mean position of the last half minute; `nil` for one
    /// who hardly moves.
    private func course(_ fix: PositionFix, _ state: GuidanceState) -> Double? {
        if isStanding(fix, state) { return nil }
        if let course = fix.course { return course }
        guard let center = state.belief.center,
            center.distance(to: fix.coordinate) >= GuidanceLimits.legOfTurn
        else { return nil }
        return center.bearing(to: fix.coordinate)
    }

    /// After a correction to an earlier part of the route, the part that was followed by mistake was not
    /// walked: its prompts are spoken again when it is reached.
    func takeBack(_ wrong: RouteBelief.Hypothesis, _ state: inout GuidanceState) {
        for (index, stop) in route.stops.enumerated()
        where stop.along > wrong.began && state.given[index] != .nothing {
            state.given[index] = .nothing
        }
        state.passed.removeAll { route.stops[$0].along > wrong.began }
        if state.passed.isEmpty { state.leftOut = nil }
    }

    /// Announces turns: at most one prompt a fix, and none for a turn whose point was passed by more than
    /// `settings.late`. Turns that were passed unannounced, with those that a leap skipped, are one event. `gap` is the time since
    /// something could be said, seconds.
    func prompt<Recorder: TraceRecorder>(
        _ fix: PositionFix, after gap: Double, _ state: inout GuidanceState, _ events: inout [GuidanceEvent],
        _ trace: inout Recorder
    ) {
        let isAtEnd = arrival.isAtEnd(fix, state, from: state.along, hasStopped: hasStopped(fix, state))
        guard isAtEnd || !(state.heading.isBack || isWalkedBack(fix, state)) else { return }
        // One event a fix: what this one says already, such as that the line is rejoined, is heard first.
        if gap <= BeliefSettings.gap, let last = events.last, last.fix == state.fixes { return }
        let unheard = metresUnheard(fix, state)
        let isResting = state.belief.stay != nil
        // Who walks on is told again, also near the place of the rest.
        if !isResting || state.belief.moved >= BeliefSettings.sustainedToWarn, !state.saidAtRest.isEmpty {
            state.saidAtRest = [:]
        }
        var prompt: (index: Int, event: GuidanceEvent)?
        while state.next < route.stops.count {
            let index = state.next
            let stop = route.stops[index]
            let isLast = index == route.stops.count - 1
            let left = stop.along - state.along
            guard !isLast || arrival.isWalked(state.progress, at: fix.time, after: max(0, left)) else {
                break
            }
            let isDone =
                !isLast
                && (isAtEnd || state.along >= route.doneAt(index, advance: settings.advance))
            if !isLast, left < -settings.late {
                if state.given[index].rawValue < GuidanceState.SpokenPrompts.atTurn.rawValue, !hidesAtTurn,
                    !state.lastChance.contains(index)
                {
                    trace.record(GuidanceSteps.passed(stop, left: left, settings))
                    state.passed.append(index)
                }
            } else if let (kind, given) = due(
                index, left: left, unheard: unheard, isDone: isDone, fix, state, &trace)
            {
                if let earlier = prompt {
                    if isAtEnd {
                        // All that is left is around the end, which is said instead.
                        guard !isLast else { break }
                    } else if gap <= BeliefSettings.gap
                        || unheard > 0 && route.stops[earlier.index].along > state.along - settings.sigma
                    {
                        // Where the next fix is far beyond, what comes next is said with it.
                        trace.record(GuidanceSteps.held(stop))
                        break
                    } else {
                        // The next fix may be far beyond it, and the earlier turn is passed already; it is none to
                        // report if it was announced at the last fix before it.
                        if !state.lastChance.contains(earlier.index) { state.passed.append(earlier.index) }
                        prompt = nil
                    }
                }
                state.given[index] = given
                // The receiver drifts to and fro past a turn beside which one rests: what was said is not said again.
                let isSaid = isResting && (state.saidAtRest[index] ?? .nothing).rawValue >= given.rawValue
                if isResting, !isSaid { state.saidAtRest[index] = given }
                if prompt == nil, !isSaid {
                    prompt = (index, event(kind, fix, state, distance: max(0, left), turn: stop.turn))
                }
            }
            guard isDone else { break }
            trace.record(GuidanceSteps.advanced(stop, left: left, settings))
            state.given[index] = .done
            repeat {
                state.next += 1
            } while state.next < route.stops.count - 1
                && state.given[state.next] == .done
        }
        var event = prompt?.event
        chain(&event, fix, unheard: unheard, &state)
        report(fix, &state, prompt: event, &events)
    }

    /// Adds the events of a fix: the turns that were passed unannounced, and its prompt.
    private func report(
        _ fix: PositionFix, _ state: inout GuidanceState, prompt: GuidanceEvent?,
        _ events: inout [GuidanceEvent]
    ) {
        // Of one who rests the receiver may drift back.
        if state.belief.stay == nil, let last = state.passed.max() {
            let stop = route.stops[last]
            var event = self.event(
                .passed, fix, state, distance: max(0, state.along - stop.along), turn: stop.turn)
            event.turnsPassed = state.passed.count
            event.leftOut = state.leftOut
            state.passed = []
            state.leftOut = nil
            if prompt == nil, route.stops.indices.contains(state.next) {
                let next = route.stops[state.next]
                event.upcoming = .init(turn: next.turn, distance: max(0, next.along - state.along))
            }
            events.append(event)
        }
        if let prompt { events.append(prompt) }
    }

    /// The prompt of an instruction that is due, with what is spoken then: at the turn its announcement says nothing more.
    private func due<Recorder: TraceRecorder>(
        _ index: Int, left: Double, unheard: Double, isDone: Bool, _ fix: PositionFix, _ state: GuidanceState,
        _ trace: inout Recorder
    ) -> (GuidanceEvent.Kind, GuidanceState.SpokenPrompts)? {
        let stop = route.stops[index]
        let isLast = index == route.stops.count - 1
        let speed = fix.speed ?? state.speed
        var due: (GuidanceEvent.Kind, GuidanceState.SpokenPrompts)?
        // Where little is heard, a few metres of noise must not decide whether it is said at all.
        let slack = state.hearing.isRare && unheard > 0 ? settings.sigma : 0
        let near = max(settings.approaching.metres(atSpeed: speed) + 2 * slack, unheard)
        if state.given[index] == .nothing,
            isDue(.approaching, stop, left: left, threshold: near, isDone: isDone, trace: &trace)
        {
            due = (.approaching, .approaching)
        }
        var here = settings.atTurn.metres(atSpeed: speed) + slack
        // A cyclist's next fix may lie beyond the turn.
        if due == nil {
            let soon = max(0, speed ?? 0) * GuidanceLimits.soon
            here = max(here, min(unheard, here * GuidanceLimits.earlyAtTurn, soon))
        }
        if !isLast, (due?.1 ?? state.given[index]) == .approaching,
            isDue(.atTurn, stop, left: left, threshold: here, isDone: isDone, trace: &trace)
        {
            due = (.atTurn, .atTurn)
        }
        return due
    }

    /// Whether instructions are completed before their prompts at the turn are due, as in the app.
    private var hidesAtTurn: Bool {
        settings.advance > 0 && settings.atTurn.metres(atSpeed: nil) <= settings.advance
    }

    /// Whether the route is currently walked backwards, by more than noise explains.
    private func isWalkedBack(_ fix: PositionFix, _ state: GuidanceState) -> Bool {
        guard let followed = state.belief.hypotheses.first else { return false }
        return followed.back > BeliefCosts.deadBand(sigma(fix))
            && followed.match.along < followed.lowest + sigma(fix)
    }

    /// Whether a prompt is due. Just after the point is passed it still is; if instructions are completed
    /// before their point, a prompt due later than that is never spoken.
    private func isDue<Recorder: TraceRecorder>(
        _ kind: GuidanceEvent.Kind, _ stop: GuideRoute.Stop, left: Double, threshold: Double, isDone: Bool,
        trace: inout Recorder
    ) -> Bool {
        let isHidden = isDone && settings.advance > 0 && threshold <= settings.advance
        let isDue = (left <= threshold || isDone) && !isHidden
        trace.record(
            GuidanceSteps.prompt(
                kind, stop, left: left, threshold: threshold, isDue: isDue, isHidden: isHidden, settings))
        return isDue
    }

    /// Arrives if the end is near and the route is walked.
    func arrive<Recorder: TraceRecorder>(
        _ fix: PositionFix, _ state: inout GuidanceState, _ events: inout [GuidanceEvent],
        _ trace: inout Recorder
    ) {
        let isNear = arrival.isNear(
            fix, state, sigma: max(sigma(fix), state.belief.strayed), hasStopped: hasStopped(fix, state))
        let left = route.length - state.progress.reached
        trace.record(GuidanceSteps.arrival(left, isThere: isNear, settings))
        guard isNear else { return }
        let isThere = arrival.isLast(state.next) && arrival.isWalked(state.progress, at: fix.time)
        trace.record(
            GuidanceSteps.order(
                state.progress, needed: arrival.needed(state.progress),
                before: route.stops.count - 1 - state.next, isThere: isThere))
        guard isThere else { return }
        state.hasArrived = true
        state.next = route.stops.count
        let rest = max(0, route.length - state.along)
        // On a very short route the end is announced where it is reached.
        if let last = events.last, last.fix == state.fixes, last.kind == .approaching,
            last.turn == route.stops.last?.turn
        {
            events.removeLast()
        }
        events.append(event(.arrived, fix, state, distance: rest, turn: route.stops.last?.turn))
    }

    /// Whether the walker stands without progress for a while: on a tangled line, a walker may also stay
    /// near one point.
    private func hasStopped(_ fix: PositionFix, _ state: GuidanceState) -> Bool {
        guard isStanding(fix, state), let followed = state.belief.hypotheses.first else { return false }
        return fix.speed != nil || fix.time.seconds(since: followed.furthestTime) >= GuidanceLimits.stopped
    }
}

extension GuideRoute {
    /// The distance from the start at which an instruction is completed, metres. Those near the end, where
    /// a position beyond them may never occur, are completed before their point.
    func doneAt(_ index: Int, advance: Double) -> Double {
        min(stops[index].along - advance, max(0, length - GuidanceLimits.nearEnd))
    }
}
