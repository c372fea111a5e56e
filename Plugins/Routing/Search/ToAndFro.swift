extension MapMatcher {
    /// Legs between stops without short ways back and forth on one edge: noise along a way looks like turning round twice.
    ///
    /// A piece between two turns on the spot is left out if it is short, and shorter than the pieces before and after it, so that a
    /// true way to an end and back stays.
    func withoutToAndFro(_ legs: [[PathEdge]], _ stops: [SnappedPoint]) throws -> [[PathEdge]] {
        var (legs, stops) = (legs, stops)
        for _ in 0..<MatchSettings.toAndFroPasses {
            let before = legs.count
            (legs, stops) = try pass(legs, stops)
            if legs.count == before { break }
        }
        return legs
    }

    private func pass(
        _ legs: [[PathEdge]], _ stops: [SnappedPoint]
    ) throws -> (legs: [[PathEdge]], stops: [SnappedPoint]) {
        let lengths = legs.map { leg in
            leg.reduce(0) { $0 + $1.share * Double(weighted.graph.distance[$1.edge]) }
        }
        let turns = legs.indices.dropFirst().filter { Self.turnsRound(legs[$0 - 1], legs[$0]) }
        let ends = [0] + turns + [legs.count]
        var result: (legs: [[PathEdge]], stops: [SnappedPoint]) = ([], stops.isEmpty ? [] : [stops[0]])
        var next = 0
        for (number, turn) in turns.enumerated().dropLast() where turn - 1 >= next {
            let (from, to) = (turn, turns[number + 1])
            func length(_ range: Range<Int>) -> Double { lengths[range].reduce(0, +) }
            let piece = length(from..<to)
            guard piece <= MatchSettings.toAndFro, to < legs.count, length(ends[number]..<from) >= piece,
                length(to..<ends[number + 3]) >= piece,
                let way = try way(
                    from: stops[from - 1], to: stops[to + 1],
                    limit: lengths[from - 1] + piece + lengths[to] + 1)
            else { continue }
            while next < from - 1 {
                result.legs.append(legs[next])
                result.stops.append(stops[next + 1])
                next += 1
            }
            result.legs.append(way.leg)
            result.stops.append(stops[to + 1])
            next = to + 1
        }
        while next < legs.count {
            result.legs.append(legs[next])
            result.stops.append(stops[next + 1])
            next += 1
        }
        return result
    }

    /// Whether the second leg begins by going back on the edge on which the first ends.
    private static func turnsRound(_ first: [PathEdge], _ second: [PathEdge]) -> Bool {
        guard let last = first.last, let next = second.first else { return false }
        return last.edge == next.edge && last.isReversed != next.isReversed
    }
}
