import Geodesy
import PluginKit
import TrailStores
import TurnInstructions

/// Makes a route of a day of a longer one: its line, heights, warnings and instructions, without via points.
struct StageRoutes {
    let route: Route
    /// The instructions of the whole.
    private let turns: [TurnInstruction]

    init(_ route: Route) {
        self.route = route
        turns = route.turns
    }

    /// The part of the route that a day covers, with the line of the day.
    func route(
        of stage: StageSplit.Stage, _ line: [Coordinate], name: String, climb: (gain: Double, loss: Double)?,
        _ context: Context
    ) -> Route? {
        guard let first = line.first, let last = line.last else { return nil }
        let (from, to) = (stage.from * route.distance, stage.to * route.distance)
        var planned = PlannedRoute(
            id: context.random.uuid(), name: name, mode: route.mode, start: first.withoutAltitude,
            end: last.withoutAltitude, coordinates: line.map(\.withoutAltitude), distance: to - from,
            duration: stage.seconds, gain: climb?.gain ?? 0, loss: climb?.loss ?? 0,
            createdAt: context.clock.now)
        planned.regionID = route.planned.regionID
        if climb != nil { planned.profile = RouteProfile.of(line: line, length: to - from)?.points }
        planned.warnings = route.planning.map { "of the whole route: \($0)" }
        planned.turns = instructions(line, from: from, to: to)
        var part = Route(planned)
        part.surroundings = route.surroundings
        return part
    }

    /// The instructions between two distances, with a start and an arrival of their own.
    private func instructions(_ line: [Coordinate], from: Double, to: Double) -> [TurnInstruction] {
        // The way that the day begins on has the name of the last turn before.
        let name = turns.last { $0.cumulativeDistance <= from + Self.least }?.trailName
        var generator = TurnGenerator(trace: NoTrace())
        let ends = generator.turns(along: TurnPath(legs: [TurnLeg(line, name: name)], junctions: []))
        guard var start = ends.first, var arrival = ends.last, ends.count > 1 else { return ends }
        let inner = turns.filter { turn in
            turn.direction != .start && turn.direction != .arrive
                && turn.cumulativeDistance > from + Self.least && turn.cumulativeDistance < to - Self.least
        }
        start.trailName = name
        var all = [start]
        for turn in inner {
            var own = turn
            own.cumulativeDistance = turn.cumulativeDistance - from
            own.distanceFromPrevious = own.cumulativeDistance - all[all.count - 1].cumulativeDistance
            all.append(own)
        }
        arrival.cumulativeDistance = to - from
        arrival.distanceFromPrevious = to - from - all[all.count - 1].cumulativeDistance
        return all + [arrival]
    }

    /// Metres from an end within which an instruction is about the end.
    private static let least = 1.0
}
