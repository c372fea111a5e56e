import CivilTime
import Foundation
import Geodesy
import Logging
import PluginKit
import RoutingPlugin
import Workbench

/// Complete plans between coordinates.
struct PlanBenchmark {
    let planner: RoutePlanner
    let pairs: RandomPairs
    let goals: Goals

    /// Snapping, path, line and sums; returns the median in seconds.
    func run() throws -> Double {
        var times = Times()
        for places in pairs.places { times.add(try ownTimed { try planner.plan(places) }.1) }
        print("plan (snapping, path, statistics, geometry): \(times.words)\(verdict(times))")
        return times.median
    }

    /// The command in a session, from its text to a value, including the names of ways, the heights along
    /// the route and parsing.
    func runCommand(workspace: URL) async throws {
        let session = try Session(
            configuration: SessionConfiguration(
                seed: 1, clock: SessionClock(standingAt: Timestamp(milliseconds: 0)), environment: .notebook,
                workspace: workspace, files: FileAccess(unconfinedIn: workspace),
                log: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }), plugins: { [RoutingPlugin()] }
        )
        var times = Times()
        for places in pairs.places {
            let words = places.map { "\($0.latitude),\($0.longitude)" }
            let entry = "let r = route plan \(words[0]) \(words[1])"
            var failure: RutterError?
            // The command runs on other threads, so it is measured by the clock.
            let clock = ContinuousClock()
            let start = clock.now
            failure = await session.run(entry).failure
            let time = (clock.now - start).components
            if let failure { throw failure }
            times.add(Double(time.seconds) + Double(time.attoseconds) / 1e18)
        }
        print("route plan, the command in a session, by the clock: \(times.words)\(verdict(times))")
    }

    private func verdict(_ times: Times) -> String {
        goals.planning.map { goal("< \(us($0)) median", times.median < $0) } ?? ""
    }
}

extension RandomPairs {
    /// The input of `compare-routers.py`: the same coordinates, and the results measured here.
    func write(to url: URL, extract: URL, median: Double, importing: ImportBenchmark) throws {
        struct Export: Encodable {
            var extract: String
            var pairs: [[[Double]]]
            var planMedianSeconds: Double
            var importSeconds: Double?
        }
        let export = Export(
            extract: extract.path, pairs: places.map { $0.map { [$0.latitude, $0.longitude] } },
            planMedianSeconds: median, importSeconds: try importing.wholeProcess()?.seconds)
        try JSONEncoder().encode(export).write(to: url)
        print("\(places.count) pairs and two times written to \(url.path)")
    }
}
