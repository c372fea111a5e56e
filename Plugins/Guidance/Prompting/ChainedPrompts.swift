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

    /// Adds the turns after the next one that will be passed before the next fix to its prompt, which is spoken for them if it is not
    /// due otherwise: `In 40 metres, turn left. Then, in 60 metres, turn right`.
    func chain(
        _ prompt: inout GuidanceEvent?, _ fix: PositionFix, unheard: Double, _ state: inout GuidanceState
    ) {
        state.lastChance = []
        let last = route.stops.count - 1
        guard unheard > 0, state.next < last else { return }
        // The position and the pace are both measured: a turn just beyond the next fix may be passed at it.
        let reach = state.along + unheard + settings.late
        // The next turn heads what is said, unless this fix has the prompt of the one before, which was just passed.
        let isHead = prompt.map { $0.turn == route.stops[state.next].turn } ?? true
        var hasNew = false
        var chained: [GuidanceEvent.Upcoming] = []
        // To the first of them.
        var metres = 0.0
        var index = state.next
        while index < last, chained.count < GuidanceLimits.mostChained {
            let stop = route.stops[index]
            guard stop.along > state.along, stop.along <= reach else { break }
            let wasSaid = state.given[index] != .nothing
            if index == state.next, isHead {
                guard wasSaid else { break }
            } else {
                // Between two turns of a prompt none is left out, although it was said before.
                guard !wasSaid || index == state.next else { break }
                if !wasSaid {
                    state.given[index] = .approaching
                    hasNew = true
                }
                if chained.isEmpty { metres = stop.along - state.along }
                chained.append(.init(turn: stop.turn, distance: stop.along - route.stops[index - 1].along))
            }
            state.lastChance.append(index)
            index += 1
        }
        guard hasNew else { return }
        if prompt == nil {
            // The next one was said before.
            let first = chained.removeFirst()
            prompt = event(.approaching, fix, state, distance: metres, turn: first.turn)
        }
        prompt?.following = chained
    }
}
