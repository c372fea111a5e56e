import Foundation
import Geodesy
import PluginKit

/// A track matched to the network.
package struct MatchedTrack: Sendable {
    /// The pieces of the track that could be matched, each a path without gaps.
    var paths: [GraphPath]
    /// For each position of the track its point on the network; `nil` for skipped and unmatched ones.
    package var places: [SnappedPoint?]
    /// The number of positions without a way nearby.
    var unmatched: Int
    /// The number of positions set aside since they lie far from those before and after.
    var stray = 0
    /// The number of rests, each matched as one position.
    var rests = 0
}

/// Finds the path travelled, from the positions of a track.
///
/// Method: a hidden Markov model (Newson and Krumm 2009). The candidates of a position are the nearest
/// points of the edges around it. Emission probabilities depend on the distance, transition probabilities
/// on the difference between the path on the network and the straight line. Viterbi's algorithm finds the
/// likeliest sequence. One-way streets are ignored: a track shows where someone was, not where they were
/// allowed to be.
package struct MapMatcher {
    let weighted: WeightedGraph
    private let snapper: Snapper

    /// A matcher on a graph whose costs are distances.
    package init(_ graph: RoutingGraph) {
        weighted = WeightedGraph(anyDirection: graph)
        snapper = Snapper(graph) { _ in true }
    }

    /// A candidate of a position with the likeliest path to it.
    private struct State {
        /// Its name in a trace.
        var name: String
        var place: SnappedPoint
        /// Logarithm of the likelihood of the path so far.
        var score: Double
        var previous: Int?
        /// The leg from the previous candidate.
        var leg: [PathEdge] = []
    }

    /// Matches a track to the network.
    package func match(_ track: [Coordinate], progress: ProgressReporter = ProgressReporter()) throws
        -> MatchedTrack
    {
        var trace = NoTrace()
        return try match(track, progress: progress, trace: &trace)
    }

    /// The same with a trace.
    package func match(
        _ track: [Coordinate], progress: ProgressReporter = ProgressReporter(),
        trace: inout some TraceRecorder
    ) throws -> MatchedTrack {
        var places = [SnappedPoint?](repeating: nil, count: track.count)
        var paths: [GraphPath] = []
        var columns: [(position: Int, states: [State])] = []
        var unmatched = 0
        func close() throws {
            if let path = try backtrack(columns, &places, &trace) { paths.append(path) }
            columns = []
        }
        let screened = TrackScreening(track)
        let considered = screened.kept
        // Positions without a way since the last one with a way.
        var away: [Int] = []
        trace.record(MatchTrace.start(positions: track.count, considered: considered.count))
        for (index, position) in considered.enumerated() {
            let number = index + 1
            try Interruption.check()
            progress.report("matching", done: position, of: track.count)
            let near = snapper.nearest(
                to: track[position], within: MatchSettings.radius, limit: MatchSettings.candidates)
            trace.record(MatchTrace.position(number, track[position], near))
            guard !near.isEmpty else {
                unmatched += 1
                away.append(position)
                continue
            }
            // Who is off the network for long is not known to have used the ways between.
            if let last = columns.last, isLong(away, from: last.position, to: position, track) {
                trace.record(MatchTrace.broken(number))
                try close()
            }
            away = []
            if let last = columns.last {
                var states: [State] = []
                for (candidate, place) in near.enumerated() {
                    let name = MatchTrace.name(number, candidate)
                    if let state = try step(to: place, named: name, from: last.states, &trace) {
                        states.append(state)
                    }
                }
                if !states.isEmpty {
                    columns.append((position, states))
                    continue
                }
                trace.record(MatchTrace.broken(number))
                try close()
            }
            let states = near.enumerated().map { candidate, place in
                State(
                    name: MatchTrace.name(number, candidate), place: place, score: emission(place),
                    previous: nil)
            }
            for state in states {
                trace.record(MatchTrace.first(state.name, state.place, score: state.score))
            }
            columns.append((position, states))
        }
        try close()
        trace.record(MatchTrace.end(pieces: paths.count, unmatched: unmatched))
        guard !paths.isEmpty else { throw RouteErrors.noMatch("no way of the region matches the track") }
        return MatchedTrack(
            paths: paths, places: places, unmatched: unmatched, stray: screened.stray, rests: screened.rests)
    }

    /// Whether positions without a way are several, and lead far.
    private func isLong(_ away: [Int], from: Int, to: Int, _ track: [Coordinate]) -> Bool {
        guard away.count >= MatchSettings.awayPositions else { return false }
        return Polyline.length(([from] + away + [to]).map { track[$0] }) > MatchSettings.awayLength
    }

    private func emission(_ place: SnappedPoint) -> Double {
        let ratio = place.distance / MatchSettings.sigma
        return -0.5 * ratio * ratio
    }

    /// The likeliest transition to a candidate from those before; `nil` if there is none.
    private func step(
        to place: SnappedPoint, named name: String, from states: [State], _ trace: inout some TraceRecorder
    ) throws -> State? {
        var best: State?
        var lengths = (way: 0.0, line: 0.0)
        for (index, state) in states.enumerated() {
            let line = state.place.coordinate.distance(to: place.coordinate)
            let limit = line * MatchSettings.detour + MatchSettings.slack
            guard let way = try way(from: state.place, to: place, limit: limit) else { continue }
            let score = state.score - abs(way.length - line) / MatchSettings.beta + emission(place)
            if score > best?.score ?? -.infinity {
                best = State(name: name, place: place, score: score, previous: index, leg: way.leg)
                lengths = (way.length, line)
            }
        }
        if let best, let previous = best.previous {
            trace.record(
                MatchTrace.reached(
                    name, place, from: states[previous].name, way: lengths.way, line: lengths.line,
                    score: best.score, of: states.count))
        } else {
            trace.record(MatchTrace.unreached(name, place, of: states.count))
        }
        return best
    }

    func way(
        from: SnappedPoint, to: SnappedPoint, limit: Double
    ) throws -> (leg: [PathEdge], length: Double)? {
        let ends = LegEnds(weighted, from: from, to: to)
        var query = ends.query
        query.bound = min(query.bound, limit)
        var search = OneWaySearch(
            weighted: weighted, potential: StraightLine(weighted, to: query.goals), trace: NoTrace())
        let found = try search.run(query).result
        guard found != nil || ends.query.bound <= limit, let leg = ends.edges(of: found) else { return nil }
        let length = leg.reduce(0) { $0 + $1.share * Double(weighted.graph.distance[$1.edge]) }
        return (leg, length)
    }

    /// The path of the likeliest sequence.
    private func backtrack(
        _ columns: [(position: Int, states: [State])], _ places: inout [SnappedPoint?],
        _ trace: inout some TraceRecorder
    ) throws -> GraphPath? {
        guard let last = columns.last else { return nil }
        var index = last.states.indices.max { last.states[$0].score < last.states[$1].score }
        let score = index.map { last.states[$0].score } ?? 0
        var (legs, stops): ([[PathEdge]], [SnappedPoint]) = ([], [])
        var names: [String] = []
        for column in columns.reversed() {
            guard let current = index else { break }
            let state = column.states[current]
            places[column.position] = state.place
            stops.append(state.place)
            names.append(state.name)
            if state.previous != nil { legs.append(state.leg) }
            index = state.previous
        }
        trace.record(MatchTrace.back(names.reversed(), score: score))
        guard stops.count > 1, let start = stops.last, let end = stops.first else { return nil }
        let straight = try withoutToAndFro(legs.reversed(), stops.reversed())
        var path = PathBuilder(weighted).path(legs: straight, stops: [start, end], settled: 0)
        path.viaEdges = []
        return path
    }
}

extension WeightedGraph {
    /// The distance as the cost of every edge, whatever its direction.
    convenience init(anyDirection graph: RoutingGraph) {
        let lengths = Block<Double>(repeating: 0, count: graph.edgeCount)
        for edge in 0..<graph.edgeCount { lengths.base[edge] = Double(graph.distance[edge]) }
        self.init(graph, profile: .distance, forward: lengths, backward: lengths)
    }
}
