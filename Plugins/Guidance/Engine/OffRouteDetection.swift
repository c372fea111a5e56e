import CivilTime
import Geodesy
import PluginKit

// Off route, walking against the route, turning round.
extension GuidanceEngine {
    /// Compares the distance from the line with the threshold, which is wider for less accurate fixes. The
    /// route counts as left when several fixes have been beyond it for some time.
    func compareDistance<Recorder: TraceRecorder>(
        _ fix: PositionFix, _ state: inout GuidanceState, _ events: inout [GuidanceEvent],
        _ trace: inout Recorder
    ) {
        guard let match = state.match else { return }
        let margin = settings.margin(accuracy: fix.accuracy)
        let threshold = (state.isOffRoute ? settings.clear : settings.offRoute) + margin
        let isBeyond = state.isOffRoute ? match.distance >= threshold : match.distance > threshold
        guard isBeyond, !state.isOffRoute else {
            state.offRouteStreak = nil
            trace.record(
                GuidanceSteps.offRoute(
                    match.distance, threshold, wasOffRoute: state.isOffRoute, isOffRoute: isBeyond))
            if isBeyond != state.isOffRoute { leave(fix, &state, &events, isOut: isBeyond) }
            return
        }
        var offRouteStreak = state.offRouteStreak ?? GuidanceState.OffRouteStreak(since: fix.time, fixes: 0)
        offRouteStreak.fixes += 1
        // Fixes without times, or entered by hand, all have the same one.
        let elapsed = fix.time.seconds(since: offRouteStreak.since)
        let waited = elapsed > 0 ? elapsed : Double(offRouteStreak.fixes - 1) * GuidanceLimits.windowGap
        let isElsewhere = isElsewhere(fix, state, margin)
        let isOut =
            hasWaited(offRouteStreak, waited) && !isElsewhere && !isStayOnRoute(state, threshold)
            && !isBesideLineAhead(fix, state, threshold)
        trace.record(
            GuidanceSteps.offRoute(match.distance, threshold, wasOffRoute: false, isOffRoute: isOut))
        if !isOut {
            trace.record(
                GuidanceSteps.waiting(
                    offRouteStreak, seconds: waited, of: settings.offRouteFor, isElsewhere: isElsewhere))
        }
        state.offRouteStreak = isOut ? nil : offRouteStreak
        if isOut { leave(fix, &state, &events, isOut: true) }
    }

    private func hasWaited(_ offRouteStreak: GuidanceState.OffRouteStreak, _ seconds: Double) -> Bool {
        settings.offRouteFor <= 0
            || offRouteStreak.fixes >= GuidanceLimits.leastOffRoute && seconds >= settings.offRouteFor
    }

    /// Whether another part of the line, which the belief considers possible, explains the fix.
    private func isElsewhere(_ fix: PositionFix, _ state: GuidanceState, _ margin: Double) -> Bool {
        settings.offRouteFor > 0
            && state.belief.hypotheses.dropFirst().contains {
                $0.match.distance < settings.clear / 2 + margin
                    && $0.fixes >= BeliefSettings.leastFixes
            }
    }

    /// Whether a walker rests on the route, however far the receiver drifts.
    private func isStayOnRoute(_ state: GuidanceState, _ threshold: Double) -> Bool {
        settings.offRouteFor > 0
            && state.belief.stay.map { route.geometry.nearest($0).distance <= threshold } ?? false
    }

    /// Whether the line just ahead or behind comes within the threshold of a fix, as where a bend is cut, although the part that
    /// is followed does not.
    private func isBesideLineAhead(_ fix: PositionFix, _ state: GuidanceState, _ threshold: Double) -> Bool {
        guard settings.offRouteFor > 0 else { return false }
        let near = route.geometry.nearest(fix.coordinate)
        return near.distance <= threshold && abs(near.along - state.along) <= settings.windowAhead
    }

    private func leave(
        _ fix: PositionFix, _ state: inout GuidanceState, _ events: inout [GuidanceEvent], isOut: Bool
    ) {
        guard let match = state.match else { return }
        state.isOffRoute = isOut
        if isOut { state.leftAt = state.furthest }
        state.offRouteSince = isOut ? fix.time : nil
        var event = self.event(isOut ? .offRoute : .backOnRoute, fix, state, distance: match.distance)
        event.isJoining = !state.hasJoined
        if isOut {
            let place = route.geometry.coordinate(segment: match.segment, share: match.share)
            event.bearing = fix.coordinate.bearing(to: place)
        } else if let leftAt = state.leftAt {
            let metres = state.along - leftAt
            let turns = route.stops.indices.dropLast().filter {
                route.stops[$0].along > leftAt && route.stops[$0].along <= state.along
            }
            if mayBeWalkedUnseen(metres, fix, state) {
                event.turnsPassed = turns.count {
                    state.given[$0].rawValue < GuidanceState.SpokenPrompts.atTurn.rawValue
                }
            } else if metres >= GuidanceLimits.leftOut || !turns.isEmpty {
                event.leftOut = metres
            }
        }
        events.append(event)
        state.heading.begin(state.along, fix.time)
    }

    /// Whether so many metres of the plan may have been walked without a fix, as in a tunnel, into which the receiver went straight on.
    private func mayBeWalkedUnseen(_ metres: Double, _ fix: PositionFix, _ state: GuidanceState) -> Bool {
        guard let last = state.last, case let gap = fix.time.seconds(since: last.time),
            gap > BeliefSettings.gap
        else { return false }
        let speed = max(state.belief.speed ?? 0, route.mode.usualSpeed)
        return metres <= GuidanceLimits.fasterThanExpected * speed * gap
    }

    /// Detects that the line is walked backwards. If the way back is part of the route, as on a way out and
    /// back, it is followed from here on.
    func compareHeading<Recorder: TraceRecorder>(
        _ fix: PositionFix, after gap: Double, _ state: inout GuidanceState, _ events: inout [GuidanceEvent],
        _ trace: inout Recorder
    ) -> HeadingChange {
        let sigma = sigma(fix)
        let metres = GuidanceLimits.wrongWay + 3 * max(sigma, state.belief.strayed)
        if gap >= GuidanceLimits.longGap, state.heading.peak - state.along >= metres {
            // Where the walker went meanwhile is unknown, and so is the way that is gone now.
            walkAgain(&state)
            state.heading.begin(state.along, fix.time)
            return .turned
        }
        if state.heading.turnsForwards(state.along, fix.time, metres: metres) {
            walkAgain(&state)
            return .forwards
        }
        let from = state.heading.peak
        let isStaying =
            state.belief.stay != nil
            || fix.speed == nil && state.belief.moved < BeliefSettings.sustained
        let isMoving = !isStaying && !isStanding(fix, state) && !isAlong(fix, state)
        let turns =
            isMoving
            && state.heading.turns(state.along, fix.time, metres: metres, seconds: settings.wrongWayAfter)
        guard turns || isMoving && state.heading.isBack else { return .none }
        if let home = wayHome(state, sigma) {
            let furthest = state.furthest
            let followed = state.match
            state.belief.settle(on: home)
            let walked = state.belief.hypotheses[0]
            state.match = walked.match
            state.progress.leap(from: furthest, to: walked.began, on: route.geometry, fix.time)
            state.progress.sinceLeap = walked.match.along - walked.began
            state.furthest = state.along
            state.progress.reached = state.along
            if let followed, !GuidanceLimits.isTurn(from: followed, to: walked.match, sigma) {
                state.heading.begin(state.along, fix.time)
                return .cut(metres: max(0, walked.began - furthest))
            }
            turnedRound(fix, from: furthest, state: &state, trace: &trace)
            sayTurn(fix, &state, &events)
            return .turned
        }
        guard turns, fix.speed != nil || state.belief.moved >= BeliefSettings.sustainedToWarn else {
            return .none
        }
        state.heading.turnBack(state.along)
        // Who meets a later part of the plan and walks it backwards has not come by the turns before it: they are left out if it is
        // walked forwards then.
        state.leftOutBefore = state.leftOut.map {
            .init(begin: (state.belief.hypotheses.first?.began ?? from) - $0, stops: state.passed)
        }
        state.passed = []
        state.leftOut = nil
        trace.record(GuidanceSteps.wrongWay(from - state.along, metres, settings))
        events.append(event(.wrongWay, fix, state, distance: from - state.along))
        return .none
    }

    /// What a walk against the line turned out to be.
    enum HeadingChange: Equatable {
        /// Nothing that changes the part of the line that is followed.
        case none
        /// The walker has turned round.
        case turned
        /// What was walked backwards is walked forwards again.
        case forwards
        /// Another part beside this one, which leads the other way, as after a bend that was cut; so many metres of the line are
        /// left out.
        case cut(metres: Double)
    }

    /// What was left out before the part that was walked backwards is said now, as this part is followed.
    func resumeLeftOut(_ state: inout GuidanceState) {
        guard let part = state.leftOutBefore else { return }
        state.leftOutBefore = nil
        let metres = state.along - part.begin
        guard metres >= GuidanceLimits.leftOut else { return }
        state.passed = part.stops.filter { route.stops[$0].along <= state.along }
        state.leftOut = state.passed.isEmpty ? nil : metres
    }

    /// What was walked backwards lies ahead again: its turns are announced again.
    private func walkAgain(_ state: inout GuidanceState) {
        state.furthest = state.along
        state.progress.beginAgain(at: state.along)
        for (index, stop) in route.stops.enumerated() where stop.along > state.along {
            state.given[index] = .nothing
        }
    }

    /// Whether the walker stands, by the speed if given, else by the distance from the mean position.
    func isStanding(_ fix: PositionFix, _ state: GuidanceState) -> Bool {
        fix.speed.map { $0 < GuidanceLimits.standing } ?? (state.belief.motion < BeliefSettings.moving)
    }

    /// Whether the course, if known, is that of the line.
    private func isAlong(_ fix: PositionFix, _ state: GuidanceState) -> Bool {
        guard let course = fix.course, let match = state.match else { return false }
        let points = route.geometry.points
        let line = points[match.segment].bearing(to: points[match.segment + 1])
        return abs(Angle.difference(from: line, to: course)) < GuidanceLimits.alongCourse
    }

    /// The hypothesis of another part of the route in this direction: the way home, or out again. The
    /// likeliest one after some metres; `nil` if the followed part has a likelier position.
    private func wayHome(_ state: GuidanceState, _ sigma: Double) -> Int? {
        let reach = BeliefSettings.gate + 2 * sigma
        let all = state.belief.hypotheses
        let likeliest = all.indices.dropFirst().filter { all[$0].match.distance <= reach }
            .min { all[$0].total(sigma) < all[$1].total(sigma) }
        return likeliest.flatMap {
            let isFar = abs(all[$0].match.along - state.along) > GuidanceLimits.turnedSkip
            return isFar && all[$0].isWalked(sigma) ? $0 : nil
        }
    }

    /// Marks the rest of the way out as skipped.
    func turnedRound<Recorder: TraceRecorder>(
        _ fix: PositionFix, from furthest: Double, state: inout GuidanceState, trace: inout Recorder
    ) {
        trace.record(GuidanceSteps.turnedRound(from: furthest, to: state.along))
        let hasTurned = !state.heading.isBack && state.progress.covered >= GuidanceLimits.walkedToTurn
        state.heading.begin(state.along, fix.time)
        // The receiver of one who rests drifts back and forth: the walk from here on tells.
        state.turn = .init(furthest: furthest, hasTurned: hasTurned)
    }

    /// Says that the walker has turned round, at once or after a rest.
    func sayTurn(_ fix: PositionFix, _ state: inout GuidanceState, _ events: inout [GuidanceEvent]) {
        guard let turn = state.turn, state.belief.stay == nil else { return }
        state.turn = nil
        guard state.along - turn.furthest >= GuidanceLimits.turnedSkip else { return }
        var event = self.event(.turnedRound, fix, state, distance: max(0, route.length - state.along))
        event.hasTurned = turn.hasTurned
        events.append(event)
    }
}

extension GuidanceLimits {
    /// Whether a walker who was matched to the way out, and now to the way home, has turned round: who is clearly nearer to another
    /// part of the line, as to the next leg of a hairpin, has cut across to it.
    static func isTurn(from out: RouteMatch, to home: RouteMatch, _ sigma: Double) -> Bool {
        let noise = turnedDeviations * sigma
        return home.distance <= out.distance + turnedBeside && out.distance <= home.distance + noise
    }
}

extension GuidanceSettings {
    /// The addition to the off-route thresholds for a fix of an accuracy, metres.
    func margin(accuracy: Double?) -> Double {
        max(0, (accuracy ?? 0) - BeliefSettings.predicted) * GuidanceLimits.marginDeviations
    }
}
