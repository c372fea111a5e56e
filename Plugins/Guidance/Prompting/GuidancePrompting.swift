import Geodesy
import PluginKit

// Prompts and arrival.
extension GuidanceEngine {
    /// Sets the next instruction after a leap: turns behind the position were not taken, and turns ahead
    /// that were not announced are pending.
    func findNext<Recorder: TraceRecorder>(_ state: inout GuidanceState, _ trace: inout Recorder) {
        let last = route.stops.count - 1
        var next = 0
        while next < last, route.stops[next].along <= state.along || state.given[next] == .done {
            if next >= state.next, state.given[next] != .done {
                trace.record(GuidanceSteps.skipped(route.stops[next], state))
            }
            next += 1
        }
        state.next = next
    }

    /// After a correction to an earlier part of the route, the part that was followed by mistake was not
    /// walked: its prompts are spoken again when it is reached.
    func takeBack(_ wrong: RouteBelief.Hypothesis, _ state: inout GuidanceState) {
        for (index, stop) in route.stops.enumerated()
        where stop.along > wrong.began && state.given[index] != .nothing {
            state.given[index] = .nothing
        }
    }

    func prompt<Recorder: TraceRecorder>(
        _ fix: PositionFix, _ state: inout GuidanceState, _ events: inout [GuidanceEvent],
        _ trace: inout Recorder
    ) {
        let isAtEnd = arrival.isAtEnd(fix, state, from: state.along, hasStopped: hasStopped(fix, state))
        guard isAtEnd || !isWalkedBack(fix, state) else { return }
        while state.next < route.stops.count {
            let index = state.next
            let stop = route.stops[index]
            let isLast = index == route.stops.count - 1
            let left = stop.along - state.along
            guard !isLast || arrival.isWalked(state.progress, at: fix.time, after: max(0, left)) else {
                return
            }
            let isDone =
                !isLast
                && (isAtEnd || state.along >= route.doneAt(index, advance: settings.advance))
            let speed = fix.speed ?? state.speed
            let near = settings.approaching.metres(atSpeed: speed)
            if state.given[index] == .nothing,
                isDue(.approaching, stop, left: left, threshold: near, isDone: isDone, trace: &trace)
            {
                state.given[index] = .approaching
                events.append(event(.approaching, fix, state, distance: max(0, left), turn: stop.turn))
            }
            let here = settings.atTurn.metres(atSpeed: speed)
            if !isLast, state.given[index] == .approaching,
                isDue(.atTurn, stop, left: left, threshold: here, isDone: isDone, trace: &trace)
            {
                state.given[index] = .atTurn
                // One fix, one prompt: at the turn the announcement of the same fix says nothing more.
                if let last = events.last, last.kind == .approaching, last.fix == state.fixes {
                    events.removeLast()
                }
                events.append(event(.atTurn, fix, state, distance: max(0, left), turn: stop.turn))
            }
            guard isDone else { return }
            trace.record(GuidanceSteps.advanced(stop, left: left, settings))
            state.given[index] = .done
            repeat {
                state.next += 1
            } while state.next < route.stops.count - 1
                && state.given[state.next] == .done
        }
    }

    /// Whether the route is currently walked backwards, by more than noise explains.
    private func isWalkedBack(_ fix: PositionFix, _ state: GuidanceState) -> Bool {
        guard let followed = state.belief.hypotheses.first else { return false }
        return followed.back > BeliefCosts.deadBand(sigma(fix))
            && followed.match.along < followed.lowest + sigma(fix)
    }

    /// Whether a prompt is due. After the point is passed it is spoken late; if instructions are completed
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
            fix, state, sigma: sigma(fix), hasStopped: hasStopped(fix, state))
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
