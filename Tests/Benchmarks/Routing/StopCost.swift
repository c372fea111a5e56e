import Foundation
import PluginKit
import RoutingPlugin
import Synchronization

/// How long an import continues after cancellation, at times spread evenly over all of its phases.
struct StopCost {
    let file: URL
    var tiles: [URL] = []

    private static let moments = 60
    /// The maximum seconds until an import ends.
    private static let most = 0.05

    /// The last phase of an import, by its own report.
    private final class Phase: Sendable {
        private let label = Mutex("starting")

        var now: String { label.withLock { $0 } }

        func set(_ label: String) { self.label.withLock { $0 = label } }
    }

    func run() async throws {
        let (_, whole) = try timed { try importOnce(Phase()) }
        var longest: [String: Double] = [:]
        // Of all threads until the end: it excludes the time of other work on the machine.
        var work: [String: Double] = [:]
        var stopped = 0
        for moment in 0..<Self.moments {
            let phase = Phase()
            let task = Task.detached { try importOnce(phase) }
            try await Task.sleep(for: .seconds(whole * (Double(moment) + 0.5) / Double(Self.moments)))
            let label = phase.now
            let end = await timedEnd(of: task)
            // An import that has already finished is not counted.
            guard let end else { continue }
            stopped += 1
            longest[label] = max(longest[label] ?? 0, end.seconds)
            work[label] = max(work[label] ?? 0, end.work)
        }
        let worst = longest.values.max() ?? 0
        print(
            "stopping an import of \(file.lastPathComponent) (\(ms(whole))) at \(stopped) moments: at most "
                + ms(worst) + goal("≤ \(ms(Self.most))", worst <= Self.most))
        for (label, seconds) in longest.sorted(by: { $0.value > $1.value }) {
            print("  while \(label): at most \(ms(seconds)), processor time at most \(ms(work[label] ?? 0))")
        }
    }

    /// Cancels a task; returns the seconds until it ended, by the clock and of processor time, or `nil` if it had finished.
    private func timedEnd(of task: Task<Void, any Error>) async -> (seconds: Double, work: Double)? {
        let clock = ContinuousClock()
        let (start, used) = (clock.now, processorTime())
        task.cancel()
        let result = await task.result
        guard case .failure = result else { return nil }
        return ((clock.now - start) / .seconds(1), processorTime() - used)
    }

    private func importOnce(_ phase: Phase) throws {
        let scratch = try Scratch()
        _ = try RegionImport(
            into: RegionFolder(at: scratch.url), progress: ProgressReporter { phase.set($0.label) }
        ).run(RegionImport.Request(source: file, elevation: tiles, name: "one"))
    }
}
