import CivilTime
import Foundation
import Geodesy
import PluginKit

/// The parts of a fix that the belief uses.
struct BeliefFix {
    let position: Coordinate
    let time: Timestamp
    /// Seconds since the last fix.
    let gap: Double
    /// Standard deviation, metres.
    let sigma: Double
    /// The weight of the fix relative to an independent one.
    let weight: Double
    /// The expected distance walked along the line since the last fix, in metres.
    let expected: Double
    /// Metres searched ahead.
    let ahead: Double
    /// The maximum cost of a match behind the farthest point, in metres of distance from the line.
    let behind: Double
    /// The direction of movement, degrees from north; `nil` if unknown or standing.
    let course: Double?
}

extension BeliefFix {
    /// The cost of a segment that leads in another direction than the movement.
    func costOfCourse(_ segment: Int, on geometry: RouteGeometry) -> Double {
        guard let course else { return 0 }
        let line = geometry.points[segment].bearing(to: geometry.points[segment + 1])
        let isAgainst = abs(Angle.difference(from: line, to: course)) > BeliefSettings.against
        return isAgainst ? BeliefSettings.againstRate * min(gap, BeliefSettings.gap) : 0
    }
}

extension RouteBelief {
    /// The result of matching a fix.
    struct Outcome {
        var match: RouteMatch
        /// The hypothesis that was left for another part of the line; `nil` if the same one is followed.
        var left: Hypothesis?
    }

    /// Updates the belief with a fix. `isUnwalked` means that little of the route has been walked, so the
    /// end of a closed route may be its start.
    mutating func step<Recorder: TraceRecorder>(
        _ fix: BeliefFix, on geometry: RouteGeometry, isUnwalked: Bool, trace: inout Recorder
    ) -> Outcome {
        guard !hypotheses.isEmpty else {
            start(fix, on: geometry, trace: &trace)
            return Outcome(match: hypotheses[0].match, left: nil)
        }
        let before = hypotheses.count == 1 && !isWide(hypotheses[0], fix) ? [] : hypotheses
        for index in hypotheses.indices {
            Self.follow(&hypotheses[index], fix, on: geometry, trace: &trace)
        }
        if isWide(hypotheses[0], fix) { spawn(fix, from: before.isEmpty ? hypotheses : before, on: geometry) }
        if isUnwalked, geometry.isClosed { enterAgain(fix, on: geometry) }
        guard hypotheses.count > 1 else {
            hypotheses[0].cost = 0
            return Outcome(match: hypotheses[0].match, left: nil)
        }
        tidy(fix.sigma)
        let left = choose(fix.sigma, isUnwalked: isUnwalked, on: geometry)
        return Outcome(match: hypotheses[0].match, left: left)
    }

    /// Switches to another hypothesis and returns the previous one. The plan may continue there later,
    /// unless the new one continues from its farthest point: a step ahead that catches up, as on a spur
    /// walked to its tip, skips nothing.
    mutating func turn(to index: Int) -> Hypothesis {
        let left = hypotheses[0]
        let along = hypotheses[index].match.along
        let catchesUp =
            along >= left.match.along && along < left.furthest + GuidanceLimits.turnedSkip
        let walked = left.furthest - left.began
        if !catchesUp, walked >= BeliefSettings.remembered {
            self.left = left
        } else if walked >= BeliefSettings.forgotten {
            self.left = nil
        }
        hypotheses.swapAt(0, index)
        return left
    }

    /// Switches to another hypothesis for reasons other than cost: the costs are exchanged.
    mutating func settle(on index: Int) {
        let (left, taken) = (hypotheses[0].cost, hypotheses[index].cost)
        _ = turn(to: index)
        hypotheses[0].cost = min(left, taken)
        hypotheses[index].cost = max(left, taken)
    }

    // MARK: The first fix

    private mutating func start<Recorder: TraceRecorder>(
        _ fix: BeliefFix, on geometry: RouteGeometry, trace: inout Recorder
    ) {
        let passes = geometry.passes(fix.position, within: Self.reach(fix.sigma))
        hypotheses = passes.map { pass in
            let match = geometry.match(pass.segment, pass.share, from: fix.position)
            let emission = BeliefCosts.emission(match.distance, sigma: fix.sigma, weight: 1)
            let cost =
                BeliefCosts.start(match.along) + emission + fix.costOfCourse(pass.segment, on: geometry)
            return Hypothesis(match, fix.time, cost: cost)
        }
        if hypotheses.isEmpty { hypotheses = [Hypothesis(geometry.nearest(fix.position), fix.time, cost: 0)] }
        for hypothesis in hypotheses {
            trace.record(MatchSteps.candidate(hypothesis.match, cost: hypothesis.cost, what: "cost"))
        }
        hypotheses.sort { ($0.cost, $0.match.along) < ($1.cost, $1.match.along) }
        hypotheses.swapAt(0, earliest(like: 0, fix.sigma, on: geometry))
        tidy(fix.sigma)
    }

    // MARK: Following

    /// The match of a fix near the previous match.
    @inline(__always)
    private static func follow<Recorder: TraceRecorder>(
        _ hypothesis: inout Hypothesis, _ fix: BeliefFix, on geometry: RouteGeometry,
        trace: inout Recorder
    ) {
        let last = hypothesis.match.along
        let around = BeliefSettings.window + 3 * fix.sigma
        let expected = hypothesis.back < BeliefCosts.deadBand(fix.sigma) ? fix.expected : 0
        let window = MatchWindow(
            segment: hypothesis.match.segment, along: last + expected, furthest: hypothesis.furthest,
            back: around + fix.expected + expected, ahead: max(around, fix.ahead) - expected,
            travelWeight: Self.travelWeight, backLimit: fix.behind)
        var match = geometry.windowed(fix.position, around: window, trace: &trace)
        let predicted = last + expected
        // A fix that is an outlier across the line is also unreliable along it.
        let innovation =
            BeliefSettings.innovation
            + (match.distance > Self.gate(fix.sigma) ? 0 : BeliefSettings.gateSigmas * fix.sigma)
        var isOutlier = fix.gap <= BeliefSettings.outlierGap && abs(match.along - predicted) > innovation
        if isOutlier, hypothesis.setAside > 0 {
            let distance = geometry.coordinate(at: predicted).distance(to: fix.position)
            isOutlier =
                hypothesis.setAside < BeliefSettings.mostSetAside
                && distance <= Self.gate(fix.sigma) + fix.sigma
            if isOutlier { match.distance = distance }
        }
        hypothesis.cost += BeliefCosts.emission(match.distance, sigma: fix.sigma, weight: fix.weight)
        // Movement beside the line, as beyond its end, is not movement along it.
        if match.distance <= Self.gate(fix.sigma) {
            hypothesis.cost += fix.costOfCourse(match.segment, on: geometry)
        }
        if isOutlier {
            match = geometry.match(at: predicted, distance: match.distance)
        } else if fix.sigma > BeliefSettings.predicted {
            match = hypothesis.corrected(match, fix, expected, on: geometry)
        } else {
            hypothesis.variance = fix.sigma * fix.sigma
        }
        hypothesis.setAside = isOutlier ? hypothesis.setAside + 1 : 0
        hypothesis.match = match
        hypothesis.fixes += 1
        if match.along >= hypothesis.furthest {
            hypothesis.furthest = match.along
            hypothesis.lowest = match.along
            hypothesis.furthestTime = fix.time
        } else if match.along < hypothesis.lowest {
            hypothesis.lowest = match.along
        } else if match.along - hypothesis.lowest >= BeliefSettings.forwards + 3 * fix.sigma {
            // Walked forwards again.
            hypothesis.beginAgain(at: match, fix.time)
        }
    }

    private static let travelWeight = 0.2

    // MARK: Other parts of the line

    /// Whether the fix may belong to a part of the line other than that of a hypothesis.
    @inline(__always)
    private func isWide(_ hypothesis: Hypothesis, _ fix: BeliefFix) -> Bool {
        fix.gap > BeliefSettings.gap
            || hypothesis.match.distance > Self.gate(fix.sigma)
            || hypothesis.back > BeliefCosts.deadBand(fix.sigma)
    }

    /// The distance from the line, in metres, that noise can explain.
    @inline(__always)
    private static func gate(_ sigma: Double) -> Double {
        max(BeliefSettings.gate, BeliefSettings.gateSigmas * sigma)
    }

    private static func reach(_ sigma: Double) -> Double {
        min(BeliefSettings.mostReach, BeliefSettings.reach + 2 * sigma)
    }

    /// Adds hypotheses for other parts of the line near a fix.
    private mutating func spawn(_ fix: BeliefFix, from before: [Hypothesis], on geometry: RouteGeometry) {
        for pass in geometry.passes(fix.position, within: Self.reach(fix.sigma)) {
            let known = hypotheses.firstIndex { abs($0.match.along - pass.along) < BeliefSettings.same }
            // After a gap existing hypotheses continue: they are the fastest possible movement.
            guard known != 0, known == nil || fix.gap <= BeliefSettings.gap else { continue }
            let emission =
                BeliefCosts.emission(pass.distance, sigma: fix.sigma, weight: fix.weight)
                + fix.costOfCourse(pass.segment, on: geometry)
            let least = cost(of: pass.along, fix, from: before, on: geometry)
            if let known, hypotheses[known].total(fix.sigma) <= least + emission + BeliefSettings.margin {
                continue
            }
            let fresh = Hypothesis(
                geometry.match(pass.segment, pass.share, from: fix.position), fix.time,
                cost: least + emission)
            // A hypothesis that was walked backwards to here restarts.
            if let known { hypotheses[known] = fresh } else { hypotheses.append(fresh) }
        }
    }

    /// The cost of a hypothesis on another part of the line: a jump from the followed one, or after a gap
    /// movement along the line from any.
    private func cost(
        of along: Double, _ fix: BeliefFix, from before: [Hypothesis], on geometry: RouteGeometry
    ) -> Double {
        let jump =
            before[0].cost + before[0].costOfTurning(to: along, fix.sigma, on: geometry)
            + min(BeliefCosts.jump(along - before[0].furthest), costOfReturn(to: along))
        guard fix.gap > BeliefSettings.gap else { return jump }
        return before.reduce(jump) { least, old in
            let transition = BeliefCosts.transition(
                along - old.match.along, expected: fix.expected, sigma: fix.sigma)
            return min(least, old.total(fix.sigma) + transition)
        }
    }

    /// The cost of continuing where the plan was left: at its farthest point, or as far before it as has
    /// been walked since.
    private func costOfReturn(to along: Double) -> Double {
        guard let left else { return .infinity }
        let walked = hypotheses[0].furthest - hypotheses[0].began
        guard walked < BeliefSettings.forgotten else { return .infinity }
        let nearest = max(left.match.along - walked - BeliefSettings.reach, min(left.furthest, along))
        return BeliefCosts.jump(along - nearest)
    }

    /// At the end of a closed route that was not walked, the position is its start.
    private mutating func enterAgain(_ fix: BeliefFix, on geometry: RouteGeometry) {
        let entry = BeliefSettings.entry + fix.sigma
        guard
            let atEnd = hypotheses.filter({
                geometry.length - $0.match.along < entry && $0.match.distance < entry
            }).min(by: { $0.total(fix.sigma) < $1.total(fix.sigma) })
        else { return }
        let cost = atEnd.total(fix.sigma)
        if let index = hypotheses.firstIndex(where: { $0.match.along < entry }) {
            hypotheses[index].cost = min(hypotheses[index].cost, cost)
            return
        }
        let first = geometry.passes(fix.position, within: Self.reach(fix.sigma)).first
        guard let first, first.along < entry else { return }
        hypotheses.append(
            Hypothesis(geometry.match(first.segment, first.share, from: fix.position), fix.time, cost: cost))
    }

    // MARK: Choosing

    /// Drops duplicate and hopeless hypotheses, and normalises the costs to a minimum of 0.
    private mutating func tidy(_ sigma: Double) {
        var kept: [Hypothesis] = [hypotheses[0]]
        let least = hypotheses.map { $0.total(sigma) }.min() ?? 0
        for hypothesis in hypotheses.dropFirst().sorted(by: { $0.total(sigma) < $1.total(sigma) })
        where hypothesis.total(sigma) <= least + BeliefSettings.hopeless
            && hypothesis.back <= BeliefSettings.mostBehind + 3 * sigma
        {
            guard kept.count < BeliefSettings.most else { break }
            if let same = kept.firstIndex(where: {
                abs($0.match.along - hypothesis.match.along) < BeliefSettings.same
            }) {
                // Choosing the better of two hypotheses at one point of the line skips nothing.
                let back = BeliefCosts.back(kept[same].back, sigma)
                kept[same].cost = min(kept[same].cost, hypothesis.total(sigma) - back)
            } else {
                kept.append(hypothesis)
            }
        }
        let lowest = kept.map(\.cost).min() ?? 0
        for index in kept.indices { kept[index].cost -= lowest }
        hypotheses = kept
    }

    /// Switches to the best hypothesis if it is clearly better, for more than one fix. One far along the
    /// line must be better by more as long as the followed one explains the fixes: two passes may be within
    /// each other's noise.
    private mutating func choose(
        _ sigma: Double, isUnwalked: Bool, on geometry: RouteGeometry
    ) -> Hypothesis? {
        let followed = hypotheses[0]
        let isForwards = followed.back < BeliefCosts.deadBand(sigma)
        let better = hypotheses.indices.dropFirst().filter {
            let other = hypotheses[$0]
            let isFar = abs(other.match.along - followed.match.along) > BeliefSettings.forgotten
            let isExplained =
                isForwards
                && followed.match.distance <= max(Self.gate(sigma), other.match.distance + sigma)
            let margin = isExplained && isFar ? BeliefSettings.farMargin : BeliefSettings.margin
            return other.fixes >= BeliefSettings.leastFixes
                && other.total(sigma) < followed.total(sigma) - margin
        }.min { hypotheses[$0].total(sigma) < hypotheses[$1].total(sigma) }
        return better.map { turn(to: isUnwalked ? earliest(like: $0, sigma, on: geometry) : $0) }
    }

    /// The first pass of the line in a hypothesis's direction that explains the fixes about as well: at the
    /// start of a walk, most of the route is assumed to be ahead.
    private func earliest(like index: Int, _ sigma: Double, on geometry: RouteGeometry) -> Int {
        func bearing(_ along: Double) -> Double {
            let reach = BeliefSettings.reach
            return geometry.coordinate(at: max(0, along - reach))
                .bearing(to: geometry.coordinate(at: min(geometry.length, along + reach)))
        }
        let likely = hypotheses[index]
        let direction = bearing(likely.match.along)
        let alike = hypotheses.indices.filter {
            let other = hypotheses[$0]
            let turned = Angle.difference(from: direction, to: bearing(other.match.along))
            return other.fixes >= min(likely.fixes, BeliefSettings.leastFixes)
                && other.total(sigma) < likely.total(sigma) + BeliefSettings.alike
                && abs(turned) < GuidanceLimits.alongCourse
        }
        return alike.min { hypotheses[$0].match.along < hypotheses[$1].match.along } ?? index
    }
}

extension RouteBelief.Hypothesis {
    /// A hypothesis that starts at a match.
    fileprivate init(_ match: RouteMatch, _ time: Timestamp, cost: Double) {
        self.match = match
        began = match.along
        furthest = match.along
        lowest = match.along
        furthestTime = time
        self.cost = cost
    }

    /// The cost of having walked backwards before a jump to another part of the line: none if that part
    /// leads here from the turning point, as the way home does.
    fileprivate func costOfTurning(to along: Double, _ sigma: Double, on geometry: RouteGeometry) -> Double {
        let cost = BeliefCosts.back(back, sigma)
        guard cost > 0, along >= back else { return cost }
        let turned = geometry.coordinate(at: furthest)
        let apart = geometry.coordinate(at: along - back).distance(to: turned)
        return apart <= BeliefSettings.gate + BeliefSettings.gateSigmas * sigma ? 0 : cost
    }

    /// Sets the farthest point to a match.
    fileprivate mutating func beginAgain(at match: RouteMatch, _ time: Timestamp) {
        furthest = match.along
        lowest = match.along
        furthestTime = time
    }

    /// The match predicted by the speed and corrected by the fix: a one-dimensional Kalman filter, whose
    /// measurement has the low weight that correlated noise requires.
    fileprivate mutating func corrected(
        _ measured: RouteMatch, _ fix: BeliefFix, _ expected: Double, on geometry: RouteGeometry
    ) -> RouteMatch {
        let spread = variance + BeliefSettings.walkVariance * fix.gap
        let noise = fix.sigma * fix.sigma / max(fix.weight, 1e-6)
        let gain = spread / (spread + noise)
        variance = (1 - gain) * spread
        let predicted = match.along + expected
        let along = predicted + gain * (measured.along - predicted)
        return geometry.match(at: along, distance: measured.distance)
    }
}
