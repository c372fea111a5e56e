import Foundation
import Geodesy
import PluginKit

/// What the hidden Markov matcher remembers: the candidates of the last few positions.
///
/// Method: P. Newson and J. Krumm, "Hidden Markov map matching through noise and sparseness", 2009; decoded by Viterbi's
/// algorithm as positions come. A position more than `lag` fixes old no longer changes its place: candidates that
/// would need another one are dropped.
public struct MarkovMemory: Sendable, Hashable {
    /// A place of the line that a position may stand for.
    struct Candidate: Sendable, Hashable {
        var match: RouteMatch
        /// Logarithm of the likelihood of the best path to it, the best of all candidates being 0.
        var score: Double
        /// The candidate before it on that path, by its place in the column before; −1 for none.
        var parent: Int
    }

    /// One column for each of the last positions, the oldest first.
    private(set) var columns: [[Candidate]] = []
    /// The last position.
    private(set) var place: Coordinate?

    /// Remembers nothing.
    public init() {}

    /// Forgets everything, as after a stretch far from the line.
    mutating func forget() {
        columns = []
        place = nil
    }

    /// Takes the candidates of a new position, and gives the place of the most likely path. `nil` when no path leads
    /// to any of them.
    mutating func step<Recorder: TraceRecorder>(
        _ matches: [RouteMatch], at position: Coordinate, model: MarkovModel, trace: inout Recorder
    ) -> RouteMatch? {
        let before = columns.last ?? []
        let straight = place.map { $0.distance(to: position) } ?? 0
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
        place = position
        settle(model.lag)
        for candidate in columns[columns.count - 1] {
            trace.record(MatchSteps.candidate(candidate.match, cost: candidate.score, what: "likelihood"))
        }
        return columns[columns.count - 1].first { $0.score == 0 }?.match
    }

    /// Settles the oldest position once there are more than `lag` after it.
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

/// How likely positions and ways are.
struct MarkovModel {
    /// Standard deviation of positions, metres.
    var sigma: Double
    /// Scale of the difference between the way along the line and the straight one, metres.
    var beta: Double
    /// Fixes after which a place is settled.
    var lag: Int
    /// What a position counts of an independent one, 0…1.
    var weight = 1.0

    /// What a position counts so many seconds after the one before. The noise of receivers stays alike for a while: of n
    /// positions with the correlation φ between neighbours, n · (1 − φ)/(1 + φ) tell something new.
    static func weight(after gap: Double) -> Double {
        guard gap > 0 else { return 1 }
        let kept = exp(-gap / WalkSettings.timeConstant)
        return (1 - kept) / (1 + kept)
    }

    /// Likelihood of a position so far from the place it stands for: Gaussian.
    func emission(_ distance: Double) -> Double { -0.5 * weight * (distance / sigma) * (distance / sigma) }

    /// Likelihood of having gone so far along the line when the positions are so far apart: exponential in the
    /// difference. Going back is less likely than going on.
    func transition(_ travel: Double, straight: Double) -> Double {
        let back = travel < 0 ? min(GuidanceLimits.markovBack, -travel / beta) : 0
        return -abs(abs(travel) - straight) / beta - back
    }

    /// Likelihood of beginning at a place: one sets out at the start rather than farther on, as on a loop.
    func prior(_ along: Double) -> Double {
        -min(GuidanceLimits.markovStart, along / GuidanceLimits.markovStartScale)
    }
}

extension RouteGeometry {
    /// The candidates of a position: the nearest place of each pass within reach, the nearest `markovCandidates`.
    func candidates(_ place: Coordinate, within radius: Double) -> [RouteMatch] {
        let all = passes(place, within: radius)
        guard all.count > GuidanceLimits.markovCandidates else { return all }
        return all.sorted { ($0.distance, $0.along) < ($1.distance, $1.along) }
            .prefix(GuidanceLimits.markovCandidates).sorted { $0.along < $1.along }
    }
}
