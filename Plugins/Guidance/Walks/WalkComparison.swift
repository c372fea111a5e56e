import CivilTime
import Foundation
import PluginKit

/// Compares runs of the same fixes under different settings.
struct WalkComparison {
    static let columns = [
        "run", "prompts", "offRoute", "arrived", "error", "first", "base", "here",
    ]

    /// The run to compare with.
    let base: GuidanceRun

    /// Reruns the fixes of a walk under other settings, along its first route only.
    static func rerun(_ run: GuidanceRun, _ settings: GuidanceSettings, check: () throws -> Void) throws
        -> GuidanceRun
    {
        var copy = GuidanceRun(run.routes[0], settings: settings)
        var trace = NoTrace()
        for (index, sample) in run.samples.enumerated() {
            if index % WalkSettings.checkInterval == 0 { try check() }
            copy.take(sample.walk, trace: &trace)
        }
        return copy
    }

    /// A row for a run: counts of its events, its error, and its first difference from the base.
    func row(_ name: String, _ run: GuidanceRun) -> Value {
        let prompts = run.events.filter { $0.kind == .approaching || $0.kind == .atTurn }.count
        let left = run.events.filter { $0.kind == .offRoute }.count
        let difference = firstDifference(run)
        return .record(
            Record(
                keys: Self.columns,
                values: [
                    .text(name), .integer(prompts), .integer(left), .boolean(run.state.hasArrived),
                    Value(Self.error(run)) { .quantity(.metres($0)) },
                    Value(difference?.seconds) { .quantity(.seconds($0)) },
                    Value(difference?.base, Value.text), Value(difference?.here, Value.text),
                ]))
    }

    /// A fix at which two runs are compared.
    private struct Comparison {
        let seconds: Double
        /// The events of each run there, and its match.
        let events: (base: [String], here: [String])
        let samples: (base: GuidanceRun.Sample, here: GuidanceRun.Sample)

        var base: String { WalkComparison.shown(events.base, at: samples.base) }
        var here: String { WalkComparison.shown(events.here, at: samples.here) }
        var apart: Double { abs(samples.base.along - samples.here.along) }
        var hasSameEvents: Bool { events.base == events.here }
        /// Whether both have the same events at nearly the same point of the line.
        var isSame: Bool { hasSameEvents && apart <= WalkComparison.elsewhere }
    }

    /// The fixes of both runs: with different events, or with different matches on the line.
    private func compared(_ other: GuidanceRun) -> some Sequence<Comparison> {
        let mine = Dictionary(grouping: base.events, by: \.fix)
        let theirs = Dictionary(grouping: other.events, by: \.fix)
        let start = base.samples.first?.walk.fix.time
        return zip(base.samples, other.samples).enumerated().lazy.map { index, samples in
            Comparison(
                seconds: start.map { samples.0.walk.fix.time.seconds(since: $0) } ?? 0,
                events: (
                    mine[index + 1, default: []].map(described), theirs[index + 1, default: []].map(described)
                ), samples: (samples.0, samples.1))
        }
    }

    /// The first fix with different events, in seconds after the start, and the events of each; else the
    /// first with different matches on the line.
    private func firstDifference(_ other: GuidanceRun) -> Comparison? { compared(other).first { !$0.isSame } }

    // MARK: Steps

    static func started(_ walks: Int) -> TraceStep {
        .start([("walks", .integer(walks))], why: "the same fixes are processed with each of the settings")
    }

    static func ended(_ runs: Int) -> TraceStep {
        .end([("runs", .integer(runs))], why: "all runs have processed all fixes")
    }

    /// A step for each fix of a run compared with the base.
    func steps(_ name: String, _ other: GuidanceRun) -> [TraceStep] {
        var hasDiffered = false
        return compared(other).map { fix in
            let isFirst = !fix.isSame && !hasDiffered
            hasDiffered = hasDiffered || !fix.isSame
            return .candidate(
                [
                    ("run", .text(name)), ("elapsed", .quantity(.seconds(fix.seconds))),
                    ("base", .text(fix.base)), ("here", .text(fix.here)),
                    ("apart", .quantity(.metres(fix.apart))),
                ], isFirst ? .best : fix.isSame ? .kept : .refused,
                why: fix.isSame
                    ? "the same events"
                    : (isFirst ? "the first difference: " : "")
                        + (fix.hasSameEvents
                            ? "the matches on the line are far apart" : "different events"))
        }
    }

    /// A step for each run by its score, from rows of `guide score`.
    static func ranked(_ rows: [Value]) -> [TraceStep] {
        func share(_ row: Value) -> Double {
            if case .quantity(let share)? = row.field("inPlace") { share.value } else { -1 }
        }
        let best = rows.map(share).max() ?? -1
        return rows.map { row in
            .candidate(
                ["walk", "prompts", "inPlace", "missing", "falseArrivals", "falseOffRoute"].compactMap {
                    key in
                    row.field(key).map { (key, $0) }
                }, share(row) == best ? .best : .refused,
                why: share(row) == best
                    ? "no run has a higher share of prompts in place"
                    : "a lower share of prompts in place than the best")
        }
    }

    /// Matches farther apart than this, metres, are different.
    private static let elsewhere = 25.0

    private func described(_ event: GuidanceEvent) -> String {
        event.kind.rawValue + (event.turn.map { " (\($0.description))" } ?? "")
    }

    private static func shown(_ events: [String], at sample: GuidanceRun.Sample) -> String {
        (events.isEmpty ? "nothing" : events.joined(separator: ", "))
            + " at \(Literal.quantity(.metres(sample.along)))"
    }

    /// The mean distance along the line between the matched and the true position of fixes on route; `nil` without
    /// true positions.
    private static func error(_ run: GuidanceRun) -> Double? {
        let errors = run.samples.compactMap { sample -> Double? in
            guard !sample.isOffRoute, sample.leg == 0, let truth = sample.walk.trueAlong else { return nil }
            return abs(sample.along - truth)
        }
        return errors.isEmpty ? nil : errors.reduce(0, +) / Double(errors.count)
    }
}
