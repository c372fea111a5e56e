import Foundation
import Geodesy
import PluginKit

/// The state of the hidden Markov matcher: the candidates of the last few positions.
///
/// Method: P. Newson and J. Krumm, "Hidden Markov map matching through noise and sparseness", 2009; decoded by Viterbi's
/// algorithm as positions arrive. The match of a position more than `lag` fixes old is settled: candidates that would
/// require another one are dropped.
struct MarkovMemory: Sendable, Hashable {
    /// A point of the line that a position may match.
    struct Candidate: Sendable, Hashable {
        var match: RouteMatch
        /// Logarithm of the likelihood of the best path to it, 0 for the best candidate.
        var score: Double
        /// The index of its predecessor on that path in the previous column; −1 for none.
        var parent: Int
    }

    /// The candidates of the last positions, oldest first.
    private(set) var columns: [[Candidate]] = []
    /// The last position.
    private(set) var coordinate: Coordinate?

    /// An empty state.
    init() {}

    /// Removes all candidates, as after a stretch far from the line.
    mutating func forget() {
        columns = []
        coordinate = nil
    }

    /// Adds the candidates of a new position and returns the match on the most likely path; `nil` if no
    /// path leads to any of them.
    mutating func step<Recorder: TraceRecorder>(
        _ matches: [RouteMatch], at position: Coordinate, model: MarkovModel, trace: inout Recorder
    ) -> RouteMatch? {
        let before = columns.last ?? []
        let straight = coordinate.map { $0.distance(to: position) } ?? 0
        var column = matches.map { match -> Candidate in
            let emission = model.emission(match.distance)
            guard !before.isEmpty else {
                return Candidate(match: match, score: emission + model.prior(match.along), parent: -1)
            }
            var best = (score: -Double.infinity, parent: -1)
            for (index, candidate) in before.enumerated() {
                let transition = model.transition(match.along - candidate.match.along, straight: straight)
                if candidate.score + transition > best.score { best = (candidate.score + transition, index) }
            }
            return Candidate(match: match, score: best.score + emission, parent: best.parent)
        }
        guard let top = column.map(\.score).max(), top.isFinite else { return nil }
        for index in column.indices { column[index].score -= top }
        columns.append(column)
        coordinate = position
        settle(model.lag)
        for candidate in columns[columns.count - 1] {
            trace.record(MatchSteps.candidate(candidate.match, cost: candidate.score, what: "likelihood"))
        }
        return columns[columns.count - 1].first { $0.score == 0 }?.match
    }

    /// Settles the oldest position once more than `lag` follow it.
    private mutating func settle(_ lag: Int) {
        guard columns.count > lag + 1, let newest = columns.last,
            let best = newest.firstIndex(where: { $0.score == 0 })
        else { return }
        let settled = ancestor(of: best)
        columns[columns.count - 1] = newest.enumerated().map { index, candidate in
            var kept = candidate
            if ancestor(of: index) != settled { kept.score = -.infinity }
            return kept
        }
        columns.removeFirst()
    }

    /// The candidate of the oldest position on the best path to one of the newest.
    private func ancestor(of index: Int) -> Int {
        var present = index
        for column in columns.dropFirst().reversed() where present >= 0 { present = column[present].parent }
        return present
    }
}

/// The likelihoods of positions and transitions.
struct MarkovModel {
    /// Standard deviation of positions, metres.
    var sigma: Double
    /// Scale of the difference between distance along the line and straight distance, metres.
    var beta: Double
    /// Fixes after which a match is settled.
    var lag: Int
    /// The weight of a position relative to an independent one, 0…1.
    var weight = 1.0

    /// The weight of a position after a gap in seconds. The noise of receivers is correlated: n positions with the
    /// correlation φ between neighbours count as n · (1 − φ)/(1 + φ) independent ones.
    static func weight(after gap: Double) -> Double {
        guard gap > 0 else { return 1 }
        let kept = exp(-gap / WalkSettings.timeConstant)
        return (1 - kept) / (1 + kept)
    }

    /// Likelihood of a position at a distance from its match: Gaussian.
    func emission(_ distance: Double) -> Double { -0.5 * weight * (distance / sigma) * (distance / sigma) }

    /// Likelihood of a distance along the line for a distance between positions: exponential in the
    /// difference. Going back is less likely than going forward.
    func transition(_ travel: Double, straight: Double) -> Double {
        let back = travel < 0 ? min(GuidanceLimits.markovBack, -travel / beta) : 0
        return -abs(abs(travel) - straight) / beta - back
    }

    /// Likelihood of a start at a point: the start of the line is preferred, which matters on a loop.
    func prior(_ along: Double) -> Double {
        -min(GuidanceLimits.markovStart, along / GuidanceLimits.markovStartScale)
    }
}

extension RouteGeometry {
    /// The candidates of a position: the nearest point of each pass within reach, at most `markovCandidates`.
    func candidates(_ coordinate: Coordinate, within radius: Double) -> [RouteMatch] {
        let all = passes(coordinate, within: radius)
        guard all.count > GuidanceLimits.markovCandidates else { return all }
        return all.sorted { ($0.distance, $0.along) < ($1.distance, $1.along) }
            .prefix(GuidanceLimits.markovCandidates).sorted { $0.along < $1.along }
    }
}
