import Foundation
import GuidancePlugin
import PluginKit
import Synchronization

/// Scores each hard walk over recorded tracks in each shape.
struct ScoreBenchmark: Sendable {
    let seeds: Int
    let settings: GuidanceSettings
    /// Threads.
    let workers: Int
    /// The maximum number of listed walks with faults, per kind.
    let listed: Int
    let routes: [RecordedRoute]
    let only: String?
    /// Whether walks are listed only for faults other than misplaced prompts.
    let isGrave: Bool
    /// The only seed; `nil` for all.
    let seed: Int?
    /// Metres of noise in place of those of each kind; 0 shows what the times of the fixes alone allow.
    let noise: Double?

    /// A kind of walk: its name, the hard walk, the noise in metres.
    struct Kind: Sendable {
        let name: String
        let scenario: WalkScenario?
        let noise: Double
    }

    static let kinds: [Kind] =
        [
            Kind(name: "plain, 5 m", scenario: nil, noise: 5),
            Kind(name: "plain, 10 m", scenario: nil, noise: 10),
        ]
        + WalkScenario.allCases.map { Kind(name: $0.rawValue, scenario: $0, noise: 5) }

    private static let intervals = [1.0, 2, 3, 5]
    /// Seconds of standing at the end.
    private static let stand = 30.0
    private static let mostFaults = 4

    func run() {
        let pieces = Set(routes.map(\.name)).count
        print("\(routes.count) routes of \(pieces) pieces, \(seeds) seeds, \(settings.matcher.rawValue)")
        print(
            Self.line([
                "walk", "walks", "false arr.", "missed", "prompts", "in place", "early", "late", "missing",
                "silences", "off/h", "wrong", "excused", "of all", "spoken each",
            ]))
        var total = WalkScore()
        for kind in Self.kinds where only.map({ kind.name.hasPrefix($0) }) ?? true {
            let score = score(kind)
            total.add(score)
            print(Self.line(kind.name, score))
        }
        print(Self.line("all", total))
    }

    private func score(_ kind: Kind) -> WalkScore {
        let state = Mutex((score: WalkScore(), listed: 0))
        let jobs = routes.flatMap { route in (seed.map { $0...$0 } ?? 1...seeds).map { (route, $0) } }
        DispatchQueue.concurrentPerform(iterations: workers) { worker in
            for index in stride(from: worker, to: jobs.count, by: workers) {
                let (route, seed) = jobs[index]
                guard let run = run(kind, route, seed), let score = run.score else { continue }
                state.withLock { state in
                    state.score.add(score)
                    let isClean =
                        score.falseArrivals + score.missedArrivals + score.silences == 0
                        && score.falseOffRoute == 0 && (isGrave || (score.shareInPlace ?? 1) == 1)
                    guard !isClean, state.listed < listed else { return }
                    state.listed += 1
                    print(
                        "  \(route.name) \(route.shape.rawValue) seed \(seed): "
                            + Self.line("", score))
                    for fault in run.faults.prefix(Self.mostFaults) {
                        print(
                            "    ", fault.kind, Int(fault.seconds), "s truth",
                            fault.truth.map { Int($0) } ?? -1, "of", Int(run.route.length), "believed",
                            Int(fault.along), "off", fault.off.map { Int($0) } ?? 0, fault.text)
                        Self.printSamples(before: fault, run)
                    }
                    for event in run.events where ![.approaching, .atTurn].contains(event.kind) {
                        print("      event", event.kind, "fix", event.fix, "along", Int(event.along))
                    }
                }
            }
        }
        return state.withLock(\.score)
    }

    /// The fixes before a fault: true position, matched position, and distance from the line.
    private static func printSamples(before fault: WalkFault, _ run: GuidanceRun) {
        guard let start = run.samples.first?.walk.fix.time else { return }
        let end = run.samples.lastIndex { $0.walk.fix.time.seconds(since: start) <= fault.seconds } ?? 0
        let shown = run.samples[max(0, end - shownSamples)...min(end + 1, run.samples.count - 1)]
        let cells = shown.map { sample in
            "\(sample.walk.trueAlong.map { "\(Int($0))" } ?? "-")→\(Int(sample.along))"
                + (sample.distance > 0 ? "(\(Int(sample.distance)))" : "")
        }
        print("        ", cells.joined(separator: " "))
    }

    private static let shownSamples = 14

    private func run(_ kind: Kind, _ route: RecordedRoute, _ seed: Int) -> GuidanceRun? {
        var plan = WalkPlan()
        plan.scenario = kind.scenario
        plan.noise = noise ?? kind.noise
        plan.stand = Self.stand
        plan.interval = Self.intervals[seed % Self.intervals.count]
        // Some routes do not support some walks, such as a cut without switchbacks.
        return try? SimulatedWalk.run(
            route.route, plan, settings: settings, seed: UInt64(seed), hasMotion: seed % 2 == 0)
    }

    private static func line(_ name: String, _ score: WalkScore) -> String {
        let share = score.shareInPlace.map { String(format: "%.2f %%", $0 * 100) } ?? "-"
        let hourly = score.falseOffRouteHourly.map { String(format: "%.3f", $0) } ?? "-"
        return line([
            name, "\(score.walks)", "\(score.falseArrivals)", "\(score.missedArrivals)", "\(score.prompts)",
            share, "\(score.early)", "\(score.late)", "\(score.missing)", "\(score.silences)", hourly,
            String(format: "%.2f %%", score.seconds > 0 ? score.secondsWrong / score.seconds * 100 : 0),
            "\(score.excused)", score.shareOfAll.map { String(format: "%.2f %%", $0 * 100) } ?? "-",
            score.promptsEach.map { String(format: "%.3f", $0) } ?? "-",
        ])
    }

    private static func line(_ cells: [String]) -> String {
        "| " + cells.joined(separator: " | ") + " |"
    }
}
