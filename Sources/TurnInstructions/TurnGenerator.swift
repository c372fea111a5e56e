import Geodesy
import PluginKit

/// Makes turn instructions of a route.
///
/// At each junction the direction over the last 15–50 m before it is compared with that over the first 15–50 m
/// after it. What is obvious is left out, and what follows within 50 m is merged.
public struct TurnGenerator<Recorder: TraceRecorder> {
    /// What takes the decisions.
    public internal(set) var trace: Recorder

    /// A generator that records its decisions.
    public init(trace: Recorder) { self.trace = trace }

    /// The instructions along a path; the first is `start`, the last `arrive`.
    public mutating func turns(along path: TurnPath) -> [TurnInstruction] {
        guard let first = path.legs.first, let last = path.legs.last else { return [] }
        let length = path.legs.reduce(0) { $0 + $1.length }
        let setOut = LegBearing.leaving(first.points)
        let arrival = LegBearing.arriving(last.points)
        trace.record(
            TraceStep(
                "start", [("out", .quantity(.degrees(setOut))), ("name", Value(first.name, Value.text))],
                why: "a route begins with its direction"))
        let turns = merged(found(along: path))
        trace.record(
            TraceStep(
                "arrive", [("in", .quantity(.degrees(arrival))), ("along", .quantity(.metres(length)))],
                why: "a route ends with its arrival"))
        return instructions(turns, first: first, last: last, length: length, setOut: setOut, arrival: arrival)
    }

    func instructions(
        _ turns: [FoundTurn], first: TurnLeg, last: TurnLeg, length: Double, setOut: Double, arrival: Double
    ) -> [TurnInstruction] {
        guard let from = first.points.first, let to = last.points.last else { return [] }
        var all = [
            TurnInstruction(
                coordinate: from.withoutAltitude, direction: .start, bearing: setOut, distanceFromPrevious: 0,
                cumulativeDistance: 0, trailName: first.name,
                description: TurnWording.start(bearing: setOut, name: first.name))
        ]
        var previous = 0.0
        for turn in turns {
            all.append(
                TurnInstruction(
                    coordinate: turn.at.withoutAltitude, direction: turn.direction, bearing: turn.outgoing,
                    distanceFromPrevious: turn.along - previous, cumulativeDistance: turn.along,
                    trailName: turn.members.isEmpty ? turn.name : turn.members.last?.name,
                    description: TurnWording.text(turn)))
            previous = turn.along
        }
        all.append(
            TurnInstruction(
                coordinate: to.withoutAltitude, direction: .arrive, bearing: arrival,
                distanceFromPrevious: length - previous, cumulativeDistance: length, trailName: last.name,
                description: TurnWording.arrive))
        return all
    }

    // MARK: Finding

    private mutating func found(along path: TurnPath) -> [FoundTurn] {
        var turns: [FoundTurn] = []
        var along = 0.0
        var index = 0
        while index < path.legs.count - 1 {
            along += path.legs[index].length
            if let exit = roundaboutExit(path, entering: index) {
                turns.append(roundabout(path, entering: index, leaving: exit, along: along))
                for passed in index + 1..<exit { along += path.legs[passed].length }
                index = exit
                continue
            }
            if let turn = junction(path, after: index, along: along) { turns.append(turn) }
            index += 1
        }
        return turns
    }

    /// The turn at the junction after a leg, if it is told.
    private mutating func junction(_ path: TurnPath, after index: Int, along: Double) -> FoundTurn? {
        let (incoming, outgoing) = (path.legs[index], path.legs[index + 1])
        guard let at = outgoing.points.first else { return nil }
        let junction = path.junctions[index]
        var turn = FoundTurn(
            at: at, along: along, incoming: LegBearing.arriving(incoming.points),
            outgoing: LegBearing.leaving(outgoing.points), name: outgoing.name)
        turn.landmark = TurnRules.landmark(
            delta: turn.delta, from: incoming, to: outgoing, bearing: turn.incoming, junction)
        let verdict = TurnRules.verdict(turn, from: incoming, to: outgoing, junction)
        record(turn, junction, outcome: verdict.isTold ? "told" : "dropped", why: verdict.why)
        return verdict.isTold ? turn : nil
    }

    /// The first leg after a roundabout that begins behind a leg; `nil` when there is none, or it is not left.
    private func roundaboutExit(_ path: TurnPath, entering index: Int) -> Int? {
        guard !path.legs[index].isRoundabout, path.legs[index + 1].isRoundabout else { return nil }
        return path.legs.indices.dropFirst(index + 1).first { !path.legs[$0].isRoundabout }
    }

    private mutating func roundabout(
        _ path: TurnPath, entering index: Int, leaving exit: Int, along: Double
    ) -> FoundTurn {
        let passed = path.junctions[index + 1..<exit - 1].filter { junction in
            junction.exits.contains { !$0.isRoundabout }
        }
        var turn = FoundTurn(
            at: path.legs[index + 1].points.first ?? Coordinate(latitude: 0, longitude: 0), along: along,
            incoming: LegBearing.arriving(path.legs[index].points),
            outgoing: LegBearing.leaving(path.legs[exit].points), name: path.legs[exit].name)
        turn.landmark = .roundabout(exit: passed.count + 1)
        record(turn, path.junctions[index], outcome: "told", why: "a roundabout is said as one instruction")
        return turn
    }

    private mutating func record(_ turn: FoundTurn, _ junction: TurnJunction, outcome: String, why: String) {
        trace.record(
            TraceStep(
                "junction",
                [
                    ("at", .coordinate(turn.at.withoutAltitude)), ("along", .quantity(.metres(turn.along))),
                    ("in", .quantity(.degrees(turn.incoming))), ("out", .quantity(.degrees(turn.outgoing))),
                    ("delta", .quantity(.degrees(turn.delta))), ("class", .text(turn.direction.rawValue)),
                    ("exits", .integer(junction.exits.count)), ("name", Value(turn.name, Value.text)),
                    ("landmark", .text(turn.landmark.word)), ("outcome", .text(outcome)),
                ], why: why))
    }

    // MARK: Merging

    /// Turns with at least 50 m between each two: of nearer ones the sharper stays and describes both.
    mutating func merged(_ turns: [FoundTurn]) -> [FoundTurn] {
        var kept: [FoundTurn] = []
        for turn in turns {
            guard let last = kept.last, turn.along - last.along < TurnSettings.spacing else {
                kept.append(turn)
                continue
            }
            let isSharper = turn.sharpness > last.sharpness + TurnSettings.equalSharpness
            var stays = isSharper ? turn : last
            stays.members = (last.members.isEmpty ? [last] : last.members) + [turn]
            let gap = turn.along - last.along
            let which = isSharper ? "later" : "earlier"
            let text = TurnWording.text(stays)
            trace.record(
                TraceStep(
                    "merge",
                    [
                        ("at", .coordinate(stays.at.withoutAltitude)),
                        ("along", .quantity(.metres(stays.along))), ("gap", .quantity(.metres(gap))),
                        ("stays", .text(which)), ("text", .text(text)), ("outcome", .text("merged")),
                    ],
                    why:
                        "less than \(Int(TurnSettings.spacing)) m apart: the sharper stays and describes both"
                ))
            kept[kept.count - 1] = stays
        }
        return kept
    }
}
