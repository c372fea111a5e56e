import Geodesy
import PluginKit

extension TurnGenerator {
    /// The instructions along a line without known junctions, such as an imported track.
    ///
    /// Examines the corners of the simplified line. One is announced if the direction changes there by 45°
    /// or more, or by 15° or more between two straight pieces of at least 50 m. Corners to the same side
    /// within 50 m are one bend.
    public mutating func turns(alongLine points: [Coordinate]) -> [TurnInstruction] {
        let line = Polyline.withoutRepetition(points)
        guard line.count > 1 else {
            return turns(along: TurnPath(legs: [TurnLeg(line)]))
        }
        let along = Polyline.cumulativeDistances(line)
        let corners = Self.corners(of: line)
        trace.record(
            TraceStep(
                "start",
                [
                    ("out", .quantity(.degrees(LegBearing.leaving(line)))), ("points", .integer(line.count)),
                    ("corners", .integer(max(0, corners.count - 2))),
                ],
                why: """
                    no junctions are known: the corners of the line are examined after simplification with a tolerance of \
                    \(Int(TurnSettings.lineTolerance)) m
                    """))
        var bends: [FoundTurn] = []
        for (index, corner) in corners.enumerated().dropFirst().dropLast() {
            let straight = min(
                along[corner] - along[corners[index - 1]], along[corners[index + 1]] - along[corner])
            if let bend = bend(line, at: corner, along: along[corner], straight: straight) {
                bends.append(bend)
            }
        }
        let turns = merged(joined(bends))
        trace.record(
            TraceStep(
                "arrive",
                [
                    ("in", .quantity(.degrees(LegBearing.arriving(line)))),
                    ("along", .quantity(.metres(along[line.count - 1]))), ("turns", .integer(turns.count)),
                ], why: "the line ends here"))
        return wholeLine(line, turns: turns, length: along[line.count - 1])
    }

    /// The indices of the points that remain after simplification.
    private static func corners(of line: [Coordinate]) -> [Int] {
        var simplification = LineSimplification()
        simplification.run(
            count: line.count, tolerance: TurnSettings.lineTolerance,
            metric: { LocalPlane.distance(line[$0], from: line[$1], to: line[$2]) })
        return line.indices.filter { simplification.isKept[$0] }
    }

    private mutating func bend(
        _ line: [Coordinate], at index: Int, along: Double, straight: Double
    ) -> FoundTurn? {
        let turn = FoundTurn(
            at: line[index], along: along, incoming: LegBearing.arriving(Array(line[...index])),
            outgoing: LegBearing.leaving(Array(line[index...])), thresholds: thresholds)
        let isClean = straight >= TurnSettings.lineStraight
        let least = isClean ? thresholds.straight : max(thresholds.straight, TurnSettings.lineTurn)
        let isAnnounced = turn.sharpness >= least
        trace.record(
            TraceStep(
                "corner",
                [
                    ("at", .coordinate(turn.at.withoutAltitude)), ("along", .quantity(.metres(along))),
                    ("in", .quantity(.degrees(turn.incoming))), ("out", .quantity(.degrees(turn.outgoing))),
                    ("delta", .quantity(.degrees(turn.delta))), ("class", .text(turn.direction.rawValue)),
                    ("outcome", .text(isAnnounced ? "announced" : "dropped")),
                ],
                why: isAnnounced
                    ? "it turns by at least \(Int(least))°"
                    : "less than \(Int(least))°" + (isClean ? "" : " in a winding piece")))
        return isAnnounced ? turn : nil
    }

    /// Merges corners to the same side within 50 m into one bend. Two corners that each are a turn of their own stay two
    /// where together they would lead back: left, then left.
    private mutating func joined(_ bends: [FoundTurn]) -> [FoundTurn] {
        var result: [FoundTurn] = []
        var previous: FoundTurn?
        let spacing = thresholds.spacing
        for bend in bends {
            defer { previous = bend }
            guard let last = result.last, let corner = previous, bend.along - last.along < spacing,
                (bend.delta > 0) == (corner.delta > 0), last.direction != .uTurn
            else {
                result.append(bend)
                continue
            }
            var whole = last
            whole.side = bend.delta > 0 ? .right : .left
            whole.outgoing = bend.outgoing
            // More than a half turn would result in a turn to the other side.
            if (whole.delta > 0) != (bend.delta > 0) { whole.outgoing = last.incoming + 180 }
            if whole.direction == .uTurn, Self.areTwo(last, bend, apart: bend.along - corner.along) {
                result.append(bend)
                continue
            }
            trace.record(
                TraceStep(
                    "join",
                    [
                        ("at", .coordinate(whole.at.withoutAltitude)),
                        ("delta", .quantity(.degrees(whole.delta))),
                        ("class", .text(whole.direction.rawValue)), ("outcome", .text("joined")),
                    ],
                    why:
                        "two corners to the same side within \(Literal.quantity(.metres(spacing))) are one bend"
                )
            )
            result[result.count - 1] = whole
        }
        return result
    }

    /// Whether two corners are two turns for a walker, and not a narrow or round bend.
    private static func areTwo(_ first: FoundTurn, _ second: FoundTurn, apart: Double) -> Bool {
        apart >= TurnSettings.shortestBearing
            && min(first.sharpness, second.sharpness) >= second.thresholds.slight
    }

    private func wholeLine(_ line: [Coordinate], turns: [FoundTurn], length: Double) -> [TurnInstruction] {
        let leg = TurnLeg(line)
        return instructions(
            turns, first: leg, last: leg, length: length, setOut: LegBearing.leaving(line),
            arrival: LegBearing.arriving(line))
    }
}
