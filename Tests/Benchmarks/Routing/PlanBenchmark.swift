import CivilTime
import Foundation
import Geodesy
import Logging
import PluginKit
import RoutingPlugin
import Workbench

/// Whole plans between places.
struct PlanBenchmark {
    let planner: RoutePlanner
    let pairs: RandomPairs
    let goals: Goals

    /// Snapping, path, line and sums; gives the median in seconds.
    func run() throws -> Double {
        var times = Times()
        for places in pairs.places { times.add(try ownTimed { try planner.plan(places) }.1) }
        print("plan (snapping, path, statistics, geometry): \(times.words)\(verdict(times))")
        return times.median
    }

    /// The command in a session, as it comes from its declaration to a value: with the names of ways and the heights
    /// along the route. The reading of the line belongs to it.
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
            // The command runs on other threads: only the clock sees all of it.
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
    /// What `compare-routers.py` reads: the same places for others, and what was measured here.
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
