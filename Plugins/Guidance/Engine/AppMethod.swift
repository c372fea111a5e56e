import Geodesy
import PluginKit

// Guidance by the app's documented algorithm: at each position it projects onto the whole line, advances
// past an instruction that is nearer than 30 m, compares the distance with 50 m and 30 m, and emits the
// haptics of the instruction that is next then. It continues off route. Nothing is debounced, and arrival
// is 30 m from the end.
extension GuidanceEngine {
    /// Processes a fix with the app's algorithm.
    func updateAsApp<Recorder: TraceRecorder>(
        _ state: inout GuidanceState, with fix: PositionFix, events: inout [GuidanceEvent],
        trace: inout Recorder
    ) {
        let isFirst = state.fixes == 0
        let before = state.match
        let wasOffRoute = state.isOffRoute
        state.fixes += 1
        if isFirst {
            state.given = [GuidanceState.SpokenPrompts](repeating: .nothing, count: route.stops.count)
        }
        trace.record(GuidanceSteps.fix(fix, state))
        let match = route.geometry.nearest(fix.coordinate)
        trace.record(GuidanceSteps.projection(match, leapt: false, on: route.geometry))
        state.match = match
        state.furthest = max(state.furthest, match.along)
        state.last = fix
        defer {
            trace.record(GuidanceSteps.state(state, before: before, wasOffRoute: wasOffRoute, of: route))
        }
        guard !state.hasArrived else { return }
        // The first position passes the instruction `start`, which is not a stop here.
        if !isFirst { advance(&state, &trace) }
        compareAppDistance(match, fix: fix, state: &state, events: &events, trace: &trace)
        promptAsApp(fix, &state, &events, &trace)
        let left = route.length - match.along
        trace.record(GuidanceSteps.arrival(left, isThere: left < settings.arrived, settings))
        guard left < settings.arrived else { return }
        state.hasArrived = true
        state.next = route.stops.count
        events.append(event(.arrived, fix, state, distance: max(0, left), turn: route.stops.last?.turn))
    }

    /// One instruction per fix.
    private func advance<Recorder: TraceRecorder>(_ state: inout GuidanceState, _ trace: inout Recorder) {
        guard state.next < route.stops.count - 1 else { return }
        let stop = route.stops[state.next]
        let left = stop.along - state.along
        guard left < settings.atTurn.metres(atSpeed: nil) else { return }
        trace.record(GuidanceSteps.advanced(stop, left: left, settings))
        state.next += 1
    }

    private func compareAppDistance<Recorder: TraceRecorder>(
        _ match: RouteMatch, fix: PositionFix, state: inout GuidanceState,
        events: inout [GuidanceEvent], trace: inout Recorder
    ) {
        let threshold = state.isOffRoute ? settings.clear : settings.offRoute
        let isOut = state.isOffRoute ? match.distance >= threshold : match.distance > threshold
        trace.record(
            GuidanceSteps.offRoute(
                match.distance, threshold, wasOffRoute: state.isOffRoute, isOffRoute: isOut))
        guard isOut != state.isOffRoute else { return }
        state.isOffRoute = isOut
        state.offRouteSince = isOut ? fix.time : nil
        events.append(event(isOut ? .offRoute : .backOnRoute, fix, state, distance: match.distance))
    }

    private func promptAsApp<Recorder: TraceRecorder>(
        _ fix: PositionFix, _ state: inout GuidanceState, _ events: inout [GuidanceEvent],
        _ trace: inout Recorder
    ) {
        let index = state.next
        guard index < route.stops.count else { return }
        let stop = route.stops[index]
        let left = max(0, stop.along - state.along)
        let kinds: [(GuidanceEvent.Kind, GuidanceState.SpokenPrompts, PromptDistance)] = [
            (.approaching, .approaching, settings.approaching), (.atTurn, .atTurn, settings.atTurn),
        ]
        for (kind, given, near) in kinds where state.given[index].rawValue < given.rawValue {
            let threshold = near.metres(atSpeed: nil)
            guard left <= threshold, kind == .approaching || index < route.stops.count - 1 else { continue }
            trace.record(
                GuidanceSteps.prompt(
                    kind, stop, left: left, threshold: threshold, isDue: true, isHidden: false, settings))
            state.given[index] = given
            events.append(event(kind, fix, state, distance: left, turn: stop.turn))
        }
    }
}
