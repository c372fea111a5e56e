import Foundation
import Geodesy
import PluginKit
import RoutingPlugin
import TurnInstructions

/// Checks instructions independently: the texts, the line and the names of the route, with its own
/// bearings.
struct InstructionCheck {
    private struct Findings {
        var (routes, instructions, turns) = (0, 0, 0)
        /// Instructions located after the turn that their first words describe.
        var behind = 0
        /// Arrows that contradict the first words.
        var contrary = 0
        /// Turns in the text to a side to which the line does not turn.
        var wrongSide = 0
        /// Named ways left without an instruction, and all that are left.
        var unannounced = 0
        var departures = 0
    }

    /// The distance in metres over which the line's direction is measured here, before and after a point.
    private static let reach = 15.0
    /// The spacing in metres of the points where a turn ahead of an instruction is searched.
    private static let step = 2.5
    /// The minimum change of direction in degrees of a turn to a side.
    private static let clear = 25.0
    /// The side is ambiguous for a line that returns on itself.
    private static let turnsBack = 150.0
    /// The maximum distance in metres of a turn before its instruction.
    private static let lookBack = 80.0
    /// The maximum distance of a merged instruction before its departure, and the maximum length in metres
    /// of an ignored piece of another way.
    private static let merged = 51.0
    private static let shortPiece = 31.0

    static func run(_ planner: RoutePlanner, routes: Int) throws {
        var findings = Findings()
        var examples: [String] = []
        let sample = try RandomPairs(planner, count: routes)
        for places in sample.places {
            let path = try planner.plan(places)
            let turnPath = PathTurns(graph: planner.weighted.graph, path: path).turnPath()
            var generator = TurnGenerator(trace: NoTrace())
            let turns = generator.turns(along: turnPath)
            findings.routes += 1
            findings.instructions += turns.count
            look(at: turns, along: turnPath, &findings) { what in
                if examples.count < 40 { examples.append("\(words(places[0])) \(words(places[1])): \(what)") }
            }
        }
        print(
            "instructions: \(findings.routes) routes, \(findings.instructions) instructions, \(findings.turns) with a side; "
                + "\(findings.behind) behind their turn, \(findings.contrary) arrows that contradict their text, "
                + "\(findings.wrongSide) turns that the line does not take, \(findings.unannounced) of "
                + "\(findings.departures) departures from a named way unannounced"
                + goal("0 of each", findings.behind + findings.contrary + findings.unannounced == 0))
        for example in examples { print("  \(example)") }
    }

    private static func words(_ coordinate: Coordinate) -> String {
        "\(coordinate.latitude),\(coordinate.longitude)"
    }

    private static func look(
        at turns: [TurnInstruction], along path: TurnPath, _ findings: inout Findings,
        note: (String) -> Void
    ) {
        var (points, ends, drawn): ([Coordinate], [Double], [Double]) = ([], [], [])
        for leg in path.legs {
            points += points.isEmpty ? leg.points : Array(leg.points.dropFirst())
            ends.append((ends.last ?? 0) + leg.length)
            drawn.append((drawn.last ?? 0) + Polyline.length(leg.points))
        }
        let line = MeasuredLine(points)
        /// The location of the junction on the drawn line, whose length differs slightly from that of the
        /// edges.
        func change(at along: Double) -> Double {
            let nearest = ends.indices.min { abs(ends[$0] - along) < abs(ends[$1] - along) } ?? 0
            return line.change(at: drawn[nearest], reach: reach)
        }
        /// Whether the line turns to a side at a location or within reach ahead of it.
        func isAhead(_ along: Double, _ side: Double) -> Bool {
            let nearest = ends.indices.min { abs(ends[$0] - along) < abs(ends[$1] - along) } ?? 0
            return stride(from: 0, through: reach, by: step).contains { ahead in
                line.change(at: drawn[nearest] + ahead, reach: reach) * side >= clear
            }
        }
        /// The change of direction between the junctions before and after, if these are near: the line may turn again there.
        func changeBetweenJunctions(at along: Double) -> Double {
            let nearest = ends.indices.min { abs(ends[$0] - along) < abs(ends[$1] - along) } ?? 0
            let before = drawn[nearest] - (nearest > 0 ? drawn[nearest - 1] : 0)
            let after = nearest + 1 < drawn.count ? drawn[nearest + 1] - drawn[nearest] : reach
            return line.change(at: drawn[nearest], before: min(reach, before), after: min(reach, after))
        }
        for (index, turn) in turns.enumerated() {
            guard let side = firstSide(turn.description) else { continue }
            findings.turns += 1
            if arrowSide(turn.direction) != side {
                findings.contrary += 1
                note("arrow \(turn.direction.rawValue): \(turn.description)")
            }
            guard turn.description.hasPrefix("Turn") || turn.description.hasPrefix("Sharp"),
                !turn.description.contains("roundabout")
            else { continue }
            let here = change(at: turn.cumulativeDistance)
            if abs(here) > turnsBack || isAhead(turn.cumulativeDistance, side)
                || changeBetweenJunctions(at: turn.cumulativeDistance) * side >= clear
            {
                continue
            }
            let earlier = ends.dropLast().filter { end in
                end < turn.cumulativeDistance - 1 && end > turn.cumulativeDistance - lookBack
                    && !turns[..<index].contains { isAnnounced(at: end, by: $0) }
            }
            if earlier.contains(where: { change(at: $0) * side >= clear }) {
                findings.behind += 1
                note("behind at \(Int(turn.cumulativeDistance)) m: \(turn.description)")
            } else if here * side < -clear {
                findings.wrongSide += 1
                note("\(Int(here))° at \(Int(turn.cumulativeDistance)) m: \(turn.description)")
            }
        }
        departures(turns, path, ends, &findings, note: note)
    }

    /// Stretches of one name; short pieces of another way belong to the one before.
    private static func departures(
        _ turns: [TurnInstruction], _ path: TurnPath, _ ends: [Double], _ findings: inout Findings,
        note: (String) -> Void
    ) {
        var stretches: [(name: String?, from: Double, to: Double)] = []
        // A roundabout is announced at its entry, with its exit.
        for (index, leg) in path.legs.enumerated() where !leg.isRoundabout {
            let from = index == 0 ? 0 : ends[index - 1]
            if let last = stretches.last, last.name == leg.name, last.to == from {
                stretches[stretches.count - 1].to = ends[index]
            } else {
                stretches.append((leg.name, from, ends[index]))
            }
        }
        let long = stretches.filter { $0.to - $0.from >= shortPiece }
        for (before, after) in zip(long, long.dropFirst())
        where before.name != nil && before.name != after.name {
            findings.departures += 1
            let hasInstruction = turns.dropFirst().contains {
                $0.cumulativeDistance >= before.to - merged
                    && $0.cumulativeDistance <= after.from + shortPiece
            }
            if !hasInstruction {
                findings.unannounced += 1
                note("\(before.name ?? "") is left at \(Int(before.to)) m for \(after.name ?? "no name")")
            }
        }
    }

    /// Whether an instruction announces the junction at a distance from the start: it is located there or
    /// shortly before, or it is merged with the next turn, soon after it.
    private static func isAnnounced(at end: Double, by turn: TurnInstruction) -> Bool {
        let gap = end - turn.cumulativeDistance
        return gap > -1 && gap <= (turn.description.contains(", then ") ? merged : reach)
    }

    /// −1 for left, 1 for right, by the first words; `nil` without a side.
    private static func firstSide(_ text: String) -> Double? {
        let first = text.split(separator: ",").first.map(String.init) ?? text
        let verb = first.components(separatedBy: " onto ")[0].components(separatedBy: " at the ")[0]
        if verb.hasSuffix("left") { return -1 }
        return verb.hasSuffix("right") ? 1 : nil
    }

    private static func arrowSide(_ direction: TurnDirection) -> Double {
        switch direction {
        case .slightLeft, .left, .sharpLeft: -1
        case .slightRight, .right, .sharpRight: 1
        default: 0
        }
    }
}

/// A line with the distance of each of its points.
private struct MeasuredLine {
    private let points: [Coordinate]
    private let along: [Double]

    init(_ points: [Coordinate]) {
        self.points = points
        along = Polyline.cumulativeDistances(points)
    }

    var length: Double { along.last ?? 0 }

    /// Degrees by which the line turns right at a point, from the chord before it to the chord after it.
    func change(at place: Double, reach: Double) -> Double {
        change(at: place, before: reach, after: reach)
    }

    func change(at place: Double, before: Double, after: Double) -> Double {
        let (before, here, after) = (point(at: place - before), point(at: place), point(at: place + after))
        return Angle.difference(from: before.bearing(to: here), to: here.bearing(to: after))
    }

    private func point(at place: Double) -> Coordinate {
        let place = min(max(0, place), length)
        guard let next = along.firstIndex(where: { $0 >= place }), next > 0 else { return points[0] }
        let span = along[next] - along[next - 1]
        let (a, b) = (points[next - 1], points[next])
        return span > 0
            ? a.destination(bearing: a.bearing(to: b), distance: (place - along[next - 1])) : b
    }
}
