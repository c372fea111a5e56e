import CivilTime
import Foundation
import PluginKit

/// What the same fixes come to under different settings.
struct WalkComparison {
    static let columns = [
        "run", "prompts", "offRoute", "arrived", "error", "first", "base", "here",
    ]

    /// The journey that the others are compared with.
    let base: Journey
    let words: SpokenText

    /// The fixes of a walk once more, under other settings and along the first route alone.
    static func rerun(_ journey: Journey, _ settings: GuidanceSettings, check: () throws -> Void) throws
        -> Journey
    {
        var copy = Journey(journey.routes[0], settings: settings)
        var trace = NoTrace()
        for (index, sample) in journey.samples.enumerated() {
            if index % WalkSettings.checkInterval == 0 { try check() }
            copy.take(sample.walk, trace: &trace)
        }
        return copy
    }

    /// A row about a run: what it said, how far it was from the truth, and where it first says something else than the
    /// base.
    func row(_ name: String, _ journey: Journey) -> Value {
        let prompts = journey.events.filter { $0.kind == .approaching || $0.kind == .atTurn }.count
        let left = journey.events.filter { $0.kind == .offRoute }.count
        let difference = firstDifference(journey)
        return .record(
            Record(
                keys: Self.columns,
                values: [
                    .text(name), .integer(prompts), .integer(left), .boolean(journey.state.hasArrived),
                    Value(Self.error(journey)) { .quantity(.metres($0)) },
                    Value(difference?.seconds) { .quantity(.seconds($0)) },
                    Value(difference?.base, Value.text), Value(difference?.here, Value.text),
                ]))
    }

    /// The first fix at which both do not say the same, seconds after the start, and what each says; else the first at
    /// which they stand at different places of the line.
    private func firstDifference(_ other: Journey) -> (seconds: Double, base: String, here: String)? {
        let mine = Dictionary(grouping: base.events, by: \.fix)
        let theirs = Dictionary(grouping: other.events, by: \.fix)
        let start = base.samples.first?.walk.fix.time
        for (index, (left, right)) in zip(base.samples, other.samples).enumerated() {
            let said = mine[index + 1, default: []].map(told)
            let saidThere = theirs[index + 1, default: []].map(told)
            let isElsewhere = abs(left.along - right.along) > Self.elsewhere
            guard said != saidThere || isElsewhere else { continue }
            let seconds = start.map { left.walk.fix.time.seconds(since: $0) } ?? 0
            return (seconds, Self.shown(said, at: left), Self.shown(saidThere, at: right))
        }
        return nil
    }

    /// Places of the line so far apart, metres, are different ones.
    private static let elsewhere = 25.0

    private func told(_ event: GuidanceEvent) -> String {
        event.kind.rawValue + (event.turn.map { " (\($0.description))" } ?? "")
    }

    private static func shown(_ said: [String], at sample: Journey.Sample) -> String {
        (said.isEmpty ? "nothing" : said.joined(separator: ", "))
            + " at \(Literal.quantity(.metres(sample.along)))"
    }

    /// The mean distance along the line between where guidance took one to be and where one was; `nil` where nobody
    /// knows. Only fixes on route count.
    private static func error(_ journey: Journey) -> Double? {
        let errors = journey.samples.compactMap { sample -> Double? in
            guard !sample.isOffRoute, sample.leg == 0, let truth = sample.walk.trueAlong else { return nil }
            return abs(sample.along - truth)
        }
        return errors.isEmpty ? nil : errors.reduce(0, +) / Double(errors.count)
    }
}
