import CivilTime
import Foundation
import PluginKit

/// Compares runs of the same fixes under different settings.
struct WalkComparison {
    static let columns = [
        "run", "prompts", "offRoute", "arrived", "error", "first", "base", "here",
    ]

    /// The journey to compare with.
    let base: Journey

    /// Reruns the fixes of a walk under other settings, along its first route only.
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

    /// A row for a run: counts of its events, its error, and its first difference from the base.
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

    /// The first fix with different events, in seconds after the start, and the events of each; else the first with
    /// different matches on the line.
    private func firstDifference(_ other: Journey) -> (seconds: Double, base: String, here: String)? {
        let mine = Dictionary(grouping: base.events, by: \.fix)
        let theirs = Dictionary(grouping: other.events, by: \.fix)
        let start = base.samples.first?.walk.fix.time
        for (index, (left, right)) in zip(base.samples, other.samples).enumerated() {
            let said = mine[index + 1, default: []].map(described)
            let saidThere = theirs[index + 1, default: []].map(described)
            let isElsewhere = abs(left.along - right.along) > Self.elsewhere
            guard said != saidThere || isElsewhere else { continue }
            let seconds = start.map { left.walk.fix.time.seconds(since: $0) } ?? 0
            return (seconds, Self.shown(said, at: left), Self.shown(saidThere, at: right))
        }
        return nil
    }

    /// Matches farther apart than this, metres, are different.
    private static let elsewhere = 25.0

    private func described(_ event: GuidanceEvent) -> String {
        event.kind.rawValue + (event.turn.map { " (\($0.description))" } ?? "")
    }

    private static func shown(_ said: [String], at sample: Journey.Sample) -> String {
        (said.isEmpty ? "nothing" : said.joined(separator: ", "))
            + " at \(Literal.quantity(.metres(sample.along)))"
    }

    /// The mean distance along the line between the matched and the true position of fixes on route; `nil` without
    /// true positions.
    private static func error(_ journey: Journey) -> Double? {
        let errors = journey.samples.compactMap { sample -> Double? in
            guard !sample.isOffRoute, sample.leg == 0, let truth = sample.walk.trueAlong else { return nil }
            return abs(sample.along - truth)
        }
        return errors.isEmpty ? nil : errors.reduce(0, +) / Double(errors.count)
    }
}
