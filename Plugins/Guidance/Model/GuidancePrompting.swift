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
        let isAtEnd = isAtEnd(fix, state, from: state.along)
        guard isAtEnd || !isWalkedBack(fix, state) else { return }
        while state.next < route.stops.count {
            let index = state.next
            let stop = route.stops[index]
            let isLast = index == route.stops.count - 1
            let left = stop.along - state.along
            guard !isLast || mayArrive(fix, state, after: left) else { return }
            let isDone =
                !isLast
                && (isAtEnd || state.along >= route.doneAt(index, advance: settings.advance))
            let speed = fix.speed ?? state.speed
            let near = settings.approaching.metres(atSpeed: speed)
            if state.given[index] == .nothing, isDue(near, left, isDone, .approaching, stop, &trace) {
                state.given[index] = .approaching
                events.append(event(.approaching, fix, state, distance: max(0, left), turn: stop.turn))
            }
            let here = settings.atTurn.metres(atSpeed: speed)
            if !isLast, state.given[index] == .approaching, isDue(here, left, isDone, .atTurn, stop, &trace) {
                state.given[index] = .atTurn
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

    /// Whether enough of the route will have been walked at its end, this many metres ahead, to arrive
    /// there.
    private func mayArrive(_ fix: PositionFix, _ state: GuidanceState, after left: Double) -> Bool {
        let ahead = max(0, left)
        return route.length <= settings.arrived
            || state.progress.covered + ahead >= state.progress.needed(on: route.geometry)
                && state.progress.sinceLeap + ahead
                    >= state.progress.neededSinceLeap(settings.arrived, at: fix.time)
    }

    /// Whether a prompt is due. After the point is passed it is spoken late; if instructions are completed
    /// before their point, a prompt due later than that is never spoken.
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

    /// Arrival: near the end, all earlier instructions completed, and most of the route walked in order.
    func compareRemaining<Recorder: TraceRecorder>(
        _ fix: PositionFix, _ state: inout GuidanceState, _ events: inout [GuidanceEvent],
        _ trace: inout Recorder
    ) {
        let left = route.length - state.progress.reached
        // An uncertainty of some metres delays the arrival by as many metres, unless the walker stands.
        let unsure = max(0, sigma(fix) - settings.sigma) * GuidanceLimits.unsureDeviations
        let most = max(settings.arrived - unsure, settings.arrived * GuidanceLimits.leastArrived)
        let isNear =
            left <= (hasStopped(fix, state) ? settings.arrived : most)
            || state.next == route.stops.count - 1 && isAtEnd(fix, state, from: state.progress.reached)
        trace.record(GuidanceSteps.arrival(left, isThere: isNear, settings))
        guard isNear else { return }
        let needed =
            route.length <= settings.arrived ? 0 : state.progress.needed(on: route.geometry)
        let isThere =
            state.next == route.stops.count - 1 && state.progress.covered >= needed
            && state.progress.sinceLeap >= state.progress.neededSinceLeap(settings.arrived, at: fix.time)
        trace.record(
            GuidanceSteps.order(
                state.progress, needed: needed, before: route.stops.count - 1 - state.next,
                isThere: isThere))
        guard isThere else { return }
        state.hasArrived = true
        state.next = route.stops.count
        let rest = max(0, route.length - state.along)
        events.append(event(.arrived, fix, state, distance: rest, turn: route.stops.last?.turn))
    }
}

extension GuidanceEngine {
    /// Whether the fix is at the end and so is the rest of the line, whose last bend may have been cut:
    /// standing there counts as arrival, whatever the shape of the line.
    private func isAtEnd(_ fix: PositionFix, _ state: GuidanceState, from along: Double) -> Bool {
        guard route.length - along <= settings.arrived * GuidanceLimits.lastBend,
            state.belief.hypotheses.first?.setAside == 0
        else { return false }
        let end = route.geometry.points[route.geometry.points.count - 1]
        return end.distance(to: fix.coordinate) <= settings.arrived * GuidanceLimits.atEnd
            && (hasStopped(fix, state) || route.isAtEnd(from: along, within: settings.arrived))
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

    /// Whether all points of the line from a distance from the start on are within a distance in metres of
    /// its end.
    func isAtEnd(from along: Double, within radius: Double) -> Bool {
        guard length - along <= radius * GuidanceLimits.lastBend else { return false }
        let end = geometry.points[geometry.points.count - 1]
        return geometry.coordinate(at: along).distance(to: end) <= radius
            && geometry.points.indices.reversed().prefix { geometry.along[$0] > along }
                .allSatisfy { geometry.points[$0].distance(to: end) <= radius }
    }
}
