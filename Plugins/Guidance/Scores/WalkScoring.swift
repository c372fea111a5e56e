import CivilTime
import Geodesy
import PluginKit

/// Scores a walk along its first route.
struct WalkScoring {
    private let run: GuidanceRun
    private let route: GuideRoute
    private let samples: ArraySlice<GuidanceRun.Sample>
    /// Seconds since the first fix.
    private let times: [Double]
    /// The true distance along the route at each fix; `nil` off the plan.
    private let truth: [Double?]
    /// For each fix, the time at which the plan was last joined, left or continued elsewhere.
    private let joined: [Double]
    /// For each instruction, the fix at which its point was passed; `nil` if it was not.
    private let passed: [Int?]

    /// `nil` without true positions.
    init?(_ run: GuidanceRun) {
        let own = run.samples.prefix { $0.leg == 0 }
        guard let first = own.first, own.contains(where: { $0.walk.trueAlong != nil }) else { return nil }
        self.run = run
        route = run.routes[0]
        samples = own
        times = own.map { $0.walk.fix.time.seconds(since: first.walk.fix.time) - $0.walk.clockError }
        truth = own.map(\.walk.trueAlong)
        joined = Self.joined(truth, times)
        passed = Self.passed(route, truth, times)
    }

    /// The score, and the faults in chronological order.
    var result: (score: WalkScore, faults: [WalkFault], scoredPrompts: [ScoredPrompt]) {
        var score = Tally()
        score.walks = 1
        score.seconds = times.last ?? 0
        scoreArrival(&score)
        scorePrompts(&score)
        scoreReroutes(&score)
        for event in events where event.kind == .offRoute {
            guard let sample = sample(event), truth[event.fix - 1] != nil,
                let place = sample.walk.truth,
                route.geometry.nearest(place).distance <= ScoreSettings.onRoute
            else { continue }
            score.falseOffRoute += 1
            score.note(.falseOffRoute, event.fix - 1, "on the route", self)
        }
        for index in truth.indices.dropFirst() {
            guard let real = truth[index], times[index] > joined[index] + ScoreSettings.settling,
                abs(samples[index].along - real) > ScoreSettings.wrong, !samples[index].hasArrived
            else { continue }
            score.secondsWrong += times[index] - times[index - 1]
        }
        return (score.score, score.faults.sorted { $0.seconds < $1.seconds }, score.scoredPrompts)
    }

    /// A score being computed.
    @dynamicMemberLookup
    private struct Tally {
        var score = WalkScore()
        var faults: [WalkFault] = []
        var scoredPrompts: [ScoredPrompt] = []

        subscript<T>(dynamicMember path: WritableKeyPath<WalkScore, T>) -> T {
            get { score[keyPath: path] }
            set { score[keyPath: path] = newValue }
        }

        mutating func note(
            _ kind: WalkFault.Kind, _ fix: Int, _ text: String, off: Double? = nil, _ walk: WalkScoring
        ) {
            faults.append(
                WalkFault(
                    kind: kind, seconds: walk.times[fix], truth: walk.truth[fix],
                    along: walk.samples[fix].along, text: text, off: off))
        }
    }

    private var events: ArraySlice<GuidanceEvent> {
        run.events.prefix { $0.kind != .rerouted }
    }

    private func sample(_ event: GuidanceEvent) -> GuidanceRun.Sample? {
        samples.indices.contains(event.fix - 1) ? samples[event.fix - 1] : nil
    }

    // MARK: The true walk

    private static func isContinuous(_ truth: [Double?], _ times: [Double], _ index: Int) -> Bool {
        guard let before = truth[index - 1], let now = truth[index] else { return false }
        let most = ScoreSettings.fastest * (times[index] - times[index - 1]) + ScoreSettings.slack
        return abs(now - before) <= most
    }

    private static func joined(_ truth: [Double?], _ times: [Double]) -> [Double] {
        var joined: [Double] = []
        var last = 0.0
        for index in truth.indices {
            let isLate = index > 0 && times[index] - times[index - 1] > BeliefSettings.gap
            if index == 0 || !isContinuous(truth, times, index) || isLate { last = times[index] }
            joined.append(last)
        }
        return joined
    }

    private static func passed(_ route: GuideRoute, _ truth: [Double?], _ times: [Double]) -> [Int?] {
        var passed = [Int?](repeating: nil, count: route.stops.count)
        for index in truth.indices.dropFirst() where isContinuous(truth, times, index) {
            guard let before = truth[index - 1], let now = truth[index], now > before else { continue }
            for stop in first(route, beyond: before)..<route.stops.count {
                // The end is reached, not passed.
                let along = min(route.stops[stop].along, route.length - 1)
                guard along <= now else { break }
                if along > before, passed[stop] == nil { passed[stop] = index }
            }
        }
        return passed
    }

    private static func first(_ route: GuideRoute, beyond along: Double) -> Int {
        max(0, min(route.stops.partitionIndex { $0.along > along }, route.stops.count - 1))
    }

    // MARK: Arrival

    private func scoreArrival(_ score: inout Tally) {
        let isThere = passed[passed.count - 1] != nil
        var hasArrived = false
        for event in events where event.kind == .arrived {
            hasArrived = true
            let left = truth[event.fix - 1].map { route.length - $0 }
            if left.map({ isFalse(left: $0) }) ?? true {
                score.falseArrivals += 1
                score.note(.falseArrival, event.fix - 1, "You have arrived", off: left.map { -$0 }, self)
            }
        }
        if isThere, !hasArrived {
            score.missedArrivals += 1
            score.note(.missedArrival, truth.count - 1, "no arrival", self)
        }
    }

    /// Whether an arrival with this many metres left is false: more than 25 m before it is due, near the
    /// end or where the whole rest is around it.
    private func isFalse(left: Double) -> Bool {
        let arrived = run.settings.arrived
        return left > arrived + ScoreSettings.inPlace
            && !ArrivalRule(route: route, settings: run.settings).isRestAtEnd(
                from: route.length - left + ScoreSettings.inPlace)
    }

    // MARK: New routes

    /// After a new route was planned: the arrival is due at the end of the first route, once all via points
    /// were passed.
    private func scoreReroutes(_ score: inout Tally) {
        score.reroutes = run.routes.count - 1
        let later = run.samples.dropFirst(samples.count)
        let end = route.geometry.points[route.geometry.points.count - 1]
        guard score.reroutes > 0, let last = run.samples.last?.walk.truth else { return }
        let all = run.samples.indices
        let arrivals = run.events.filter { $0.kind == .arrived && $0.fix > samples.count }
        let reach = run.settings.arrived + ScoreSettings.inPlace
        for event in arrivals where all.contains(event.fix - 1) {
            let off = (run.samples[event.fix - 1].walk.truth ?? event.coordinate).distance(to: end)
            guard off > reach else { continue }
            score.falseArrivals += 1
            score.note(.falseArrival, samples.endIndex - 1, "You have arrived", off: -off, self)
        }
        guard last.distance(to: end) <= ScoreSettings.passed else {
            score.missedArrivals += 1
            score.note(.missedArrival, samples.endIndex - 1, "the new route does not lead to the end", self)
            return
        }
        if !later.isEmpty, !run.events.contains(where: { $0.kind == .arrived }) {
            score.missedArrivals += 1
            score.note(.missedArrival, samples.endIndex - 1, "no arrival", self)
        }
        for via in route.vias {
            let place = route.geometry.coordinate(at: via.along)
            let isPassed = run.samples.contains {
                $0.walk.truth.map { $0.distance(to: place) <= ScoreSettings.passed } ?? false
            }
            guard !isPassed else { continue }
            score.viasMissed += 1
            score.note(.viaMissed, samples.endIndex - 1, Literal.coordinate(via.coordinate), self)
        }
    }

    // MARK: Prompts

    private func scorePrompts(_ score: inout Tally) {
        var spoken: [Int: [GuidanceEvent.Kind: [Int]]] = [:]
        var indices: [TurnInstruction: Int] = [:]
        for (index, stop) in route.stops.enumerated() where indices[stop.turn] == nil {
            indices[stop.turn] = index
        }
        for event in events where event.kind == .approaching || event.kind == .atTurn {
            guard let turn = event.turn, let stop = indices[turn] else { continue }
            spoken[stop, default: [:]][event.kind, default: []].append(event.fix - 1)
            for next in event.following {
                guard let index = indices[next.turn] else { continue }
                spoken[index, default: [:]][.approaching, default: []].append(event.fix - 1)
                // Said with the turn before it, and at its own turn already: that is the prompt for it, too.
                let stop = route.stops[index]
                guard let here = truth[event.fix - 1], here >= duePoint(.atTurn, nil, stop),
                    isLastChance(event.fix - 1, before: stop)
                else { continue }
                spoken[index, default: [:]][.atTurn, default: []].append(event.fix - 1)
            }
        }
        score.announced = spoken.values.reduce(0) { $0 + $1.count }
        score.spoken = spoken.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + Set($1).count } }
        var silent = 0
        for (index, stop) in route.stops.enumerated() {
            let isLast = index == route.stops.count - 1
            let given = spoken[index] ?? [:]
            guard let passing = passed[index] else {
                // Not passed: a prompt is correct where it would be due, as before turning round.
                for kind in [GuidanceEvent.Kind.approaching, .atTurn] {
                    for fix in given[kind] ?? [] { countSpare((fix, kind, stop), index, &score) }
                }
                continue
            }
            let isNew = isSettling(passing)
            if !isNew { silent = given.isEmpty ? silent + 1 : 0 }
            if silent == ScoreSettings.silence + 1 {
                score.silences += 1
                score.note(.silence, passing, stop.turn.description, self)
            }
            for kind in isLast ? [GuidanceEvent.Kind.approaching] : [.approaching, .atTurn] {
                let due = due(duePoint(kind, index, stop), before: passing)
                let fixes = given[kind] ?? []
                if fixes.isEmpty,
                    isSuperseded(kind, by: given[.atTurn] ?? [], stop, at: due.along)
                        || isSaidAlready(kind, by: given[.approaching] ?? [], stop, at: due.along)
                {
                    continue
                }
                // Where it is heard behind the turn only, the last announcement before the turn is all that can be said.
                let isUnseen =
                    due.along > stop.along + run.settings.late
                    || kind == .atTurn && due.along > stop.along
                        && (given[.approaching] ?? []).contains { isLastChance($0, before: stop) }
                let nearest = fixes.min { distance($0, due.along) < distance($1, due.along) }
                for fix in fixes where fix != nearest { countSpare((fix, kind, stop), index, &score) }
                guard let fix = nearest else {
                    score.prompts += 1
                    score.scoredPrompts.append(
                        ScoredPrompt(
                            kind: kind, text: stop.turn.description, due: due.along, spoken: nil,
                            verdict: isNew || isUnseen ? .excused : .missing))
                    if isNew || isUnseen {
                        score.excused += 1
                        continue
                    }
                    score.missing += 1
                    score.note(.missing, passing, "\(kind.rawValue): \(stop.turn.description)", self)
                    continue
                }
                score.prompts += 1
                let point = duePoint(kind, index, stop)
                // Fixes are heard once a minute or so: noise decides whether one is before the point or behind it.
                var off = truth[fix].map {
                    abs($0 - point) < abs($0 - due.along) ? $0 - point : $0 - due.along
                }
                if isLastChance(fix, before: stop) { off = 0 }
                count(
                    off, (fix, kind, stop), isExcused: due.isSettling && fix <= passing + 1 || isNew, &score)
            }
        }
    }

    /// Whether the first fix at which an announcement is due is so near that the prompt at the turn, or the arrival, is
    /// spoken instead: a fix has one prompt.
    private func isSuperseded(
        _ kind: GuidanceEvent.Kind, by prompts: [Int], _ stop: GuideRoute.Stop, at along: Double
    ) -> Bool {
        guard kind == .approaching else { return false }
        if prompts.contains(where: { distance($0, along) <= ScoreSettings.inPlace }) { return true }
        let isEnd = stop.along >= route.length
        let near = isEnd ? run.settings.arrived : run.settings.atTurn.metres(atSpeed: nil)
        return along >= stop.along - near
    }

    /// Whether the only fix before a turn at which its prompt is due has its announcement: nothing more can be said there.
    private func isSaidAlready(
        _ kind: GuidanceEvent.Kind, by announcements: [Int], _ stop: GuideRoute.Stop, at along: Double
    ) -> Bool {
        kind == .atTurn
            && announcements.contains { truth[$0] == along && isLastChance($0, before: stop) }
    }

    /// Whether a turn lies ahead of a fix, and nothing can be said again before it is passed, as by a phone that sleeps: whatever is
    /// said of it is said there. A turn as near beyond the next fix as a prompt may be out of place may be passed at it.
    private func isLastChance(_ fix: Int, before stop: GuideRoute.Stop) -> Bool {
        guard let here = truth[fix], here <= stop.along,
            let heard = samples.indices.dropFirst(fix + 1).first(where: { !samples[$0].walk.fix.isFollowed }),
            times[heard] - times[fix] > BeliefSettings.gap
        else { return false }
        return truth[heard].map { $0 > stop.along - ScoreSettings.inPlace } ?? false
    }

    /// Metres from the true distance at a fix to another; infinite off the plan.
    private func distance(_ fix: Int, _ along: Double) -> Double {
        truth[fix].map { abs($0 - along) } ?? .infinity
    }

    /// Counts a prompt of an instruction that is not passed then. It is correct where it would be due, and
    /// off the plan also near that point: the walker may arrive there by another way.
    private func countSpare(
        _ prompt: (fix: Int, kind: GuidanceEvent.Kind, stop: GuideRoute.Stop), _ index: Int,
        _ score: inout Tally
    ) {
        let due = duePoint(prompt.kind, index, prompt.stop)
        var off = truth[prompt.fix].map { $0 - due }
        if off == nil, let place = samples[prompt.fix].walk.truth {
            off = route.geometry.coordinate(at: due).distance(to: place)
        }
        score.prompts += 1
        count(
            off, prompt, isExcused: times[prompt.fix] <= joined[prompt.fix] + ScoreSettings.settling, &score)
    }

    /// Counts a prompt by the metres that it is late; `nil` off the plan.
    private func count(
        _ off: Double?, _ prompt: (fix: Int, kind: GuidanceEvent.Kind, stop: GuideRoute.Stop),
        isExcused: Bool, _ score: inout Tally
    ) {
        let isExcused = isExcused || isStray(prompt.fix)
        let isInPlace = off.map { abs($0) <= ScoreSettings.inPlace } ?? false
        score.scoredPrompts.append(
            ScoredPrompt(
                kind: prompt.kind, text: prompt.stop.turn.description,
                due: off.flatMap { off in truth[prompt.fix].map { $0 - off } },
                spoken: samples[prompt.fix].along,
                verdict: isInPlace ? .inPlace : isExcused ? .excused : (off ?? 0) < 0 ? .early : .late))
        if let off, abs(off) <= ScoreSettings.inPlace {
            score.inPlace += 1
        } else if isExcused {
            score.excused += 1
        } else {
            let isEarly = off.map { $0 < 0 } ?? false
            if isEarly { score.early += 1 } else { score.late += 1 }
            score.note(
                isEarly ? .early : .late, prompt.fix,
                "\(prompt.kind.rawValue): \(prompt.stop.turn.description)", off: off, self)
        }
    }

    /// Whether the fix itself lies farther from the true position than a prompt may from its point: a receiver that is drawn
    /// aside for minutes moves all that is said by as much.
    private func isStray(_ fix: Int) -> Bool {
        guard let place = samples[fix].walk.truth else { return false }
        return samples[fix].walk.fix.coordinate.distance(to: place) > ScoreSettings.inPlace
    }

    /// Where a prompt is due, metres from the start: not before the turn before it, unless `index` is `nil`.
    private func duePoint(_ kind: GuidanceEvent.Kind, _ index: Int?, _ stop: GuideRoute.Stop) -> Double {
        let near = kind == .approaching ? run.settings.approaching : run.settings.atTurn
        let before = index.map { $0 > 0 ? route.doneAt($0 - 1, advance: run.settings.advance) : 0 } ?? 0
        return max(before, stop.along - near.metres(atSpeed: nil))
    }

    /// The true distance along the route at the first fix at which a prompt is due, and whether the
    /// continuation is still unknown then.
    private func due(_ point: Double, before passing: Int) -> (along: Double, isSettling: Bool) {
        var index = passing
        while index > 0, joined[index - 1] == joined[passing], let before = truth[index - 1], before >= point
        {
            index -= 1
        }
        // Of a batch of fixes the walker hears at the last one.
        while samples[index].walk.fix.isFollowed, index + 1 < samples.count { index += 1 }
        return (truth[index] ?? point, isSettling(index))
    }

    /// Whether the continuation of the plan is still unknown. At the start of the route it is known at
    /// once.
    private func isSettling(_ index: Int) -> Bool {
        times[index] <= joined[index] + ScoreSettings.settling
            && (joined[index] > 0 || (truth[0] ?? 0) > ScoreSettings.wrong)
    }
}

/// A prompt that was spoken or due, and its category.
struct ScoredPrompt {
    /// The category of a prompt.
    enum Verdict: String {
        case inPlace, excused, early, late, missing

        var words: String {
            switch self {
            case .inPlace: "spoken within 25 m of the point where it is due"
            case .excused: "out of place or not spoken, while the position or the continuation was unknown"
            case .early: "spoken too early"
            case .late: "spoken too late, or off the plan"
            case .missing: "its point was passed, and it was not spoken"
            }
        }
    }

    let kind: GuidanceEvent.Kind
    let text: String
    /// The point where it is due, metres from the start; `nil` off the plan.
    let due: Double?
    /// The walker's position by guidance when it was spoken, metres from the start; `nil` if it never was.
    let spoken: Double?
    let verdict: Verdict

    /// As a trace step.
    func step(_ walk: String) -> TraceStep {
        .candidate(
            [
                ("walk", .text(walk)), ("prompt", .text(kind.rawValue)), ("text", .text(text)),
                ("due", Value(due) { .quantity(.metres($0)) }),
                ("spoken", Value(spoken) { .quantity(.metres($0)) }), ("counted", .text(verdict.rawValue)),
            ], verdict == .inPlace ? .kept : verdict == .excused ? .waiting : .refused, why: verdict.words)
    }
}

extension GuidanceRun {
    /// Each prompt with its category.
    var scoredPrompts: [ScoredPrompt] { WalkScoring(self)?.result.scoredPrompts ?? [] }

    /// The score of the walk; `nil` without true positions.
    public var score: WalkScore? { WalkScoring(self)?.result.score }

    /// The faults of the score, in chronological order.
    public var faults: [WalkFault] { WalkScoring(self)?.result.faults ?? [] }
}
