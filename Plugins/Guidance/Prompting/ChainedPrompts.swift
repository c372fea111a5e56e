import Geodesy
import PluginKit

// Where little can be said: what will be passed before the next fix is said now.
extension GuidanceEngine {
    /// Metres that are walked before something can be said again; 0 where that is soon.
    func metresUnheard(_ fix: PositionFix, _ state: GuidanceState) -> Double {
        guard !isStanding(fix, state) else { return 0 }
        let speed = fix.speed ?? state.belief.speed ?? state.speed ?? route.mode.usualSpeed
        let metres = max(0, speed) * state.hearing.expected
        return metres > settings.late ? metres : 0
    }

    /// Adds the turns after the next one to its prompt that will be passed before the next fix, or are due now and have their
    /// point soon after it: `In 40 metres, turn left. Then, in 60 metres, turn right`. The prompt is spoken for them if it
    /// is not due otherwise.
    func chain(
        _ prompt: inout GuidanceEvent?, _ fix: PositionFix, unheard: Double, _ state: inout GuidanceState
    ) {
        state.lastChance = []
        let last = route.stops.count - 1
        guard unheard > 0, state.next < last else { return }
        let speed = fix.speed ?? state.speed
        let here = state.along + settings.atTurn.metres(atSpeed: speed)
        let ahead = state.along + settings.approaching.metres(atSpeed: speed)
        // The position and the pace are both measured: a turn just beyond the next fix may be passed at it.
        let passed = state.along + unheard + settings.late
        // The next turn heads what is said, unless this fix has the prompt of the one before, which was just passed.
        let isHead = prompt.map { $0.turn == route.stops[state.next].turn } ?? true
        var chained: [GuidanceEvent.Upcoming] = []
        // How many of them there are up to the last that must be said now.
        var needed = 0
        // To the first of them.
        var metres = 0.0
        var index = state.next
        while index < last, chained.count < GuidanceLimits.mostChained {
            let stop = route.stops[index]
            // Once the turn before is here, the announcement of this one is due: the next fix is too near to it for one.
            let isDue =
                state.hearing.isRare && index > 0
                && route.stops[index - 1].along <= state.along + 2 * settings.sigma
            guard stop.along > state.along, stop.along <= (isDue ? max(passed, ahead) : passed) else { break }
            let given = state.given[index]
            if index == state.next, isHead {
                guard given != .nothing else { break }
            } else {
                if chained.isEmpty { metres = stop.along - state.along }
                // Between two turns of a prompt none is left out, although it was said before.
                chained.append(.init(turn: stop.turn, distance: stop.along - route.stops[index - 1].along))
                if given == .nothing || given == .approaching && stop.along <= here { needed = chained.count }
            }
            index += 1
        }
        chained.removeLast(chained.count - needed)
        let first = isHead ? state.next + 1 : state.next
        for index in first..<first + needed where state.given[index] == .nothing {
            state.given[index] = .approaching
        }
        state.lastChance = Array(
            (state.next..<last).prefix { route.stops[$0].along <= passed && state.given[$0] != .nothing })
        guard needed > 0 else { return }
        if prompt == nil {
            // The next one was said before.
            let first = chained.removeFirst()
            prompt = event(.approaching, fix, state, distance: metres, turn: first.turn)
        }
        prompt?.following = chained
    }
}
