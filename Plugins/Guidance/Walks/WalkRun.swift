import PluginKit

/// Runs a walk to its end.
enum WalkRun {
    /// Processes all fixes of a source. With `rerouting`, a new route is planned after `rerouteAfter` off route; if that
    /// fails, the walk continues along the old one and the failure is logged.
    static func run<Recorder: TraceRecorder>(
        _ journey: inout GuidedJourney, _ source: inout any WalkSource, rerouting: Rerouting?,
        _ context: Context,
        trace: inout Recorder
    ) async throws {
        var taken = 0
        var pace = ReroutePace(journey.settings)
        while let fix = source.next() {
            taken += 1
            if taken % WalkSettings.checkInterval == 0 {
                try context.checkCancelled()
                context.progress.report("walking", done: taken)
            }
            journey.take(fix, trace: &trace)
            guard let rerouting else { continue }
            guard pace.isDue(journey) else { continue }
            do {
                let place = fix.fix.coordinate.withoutAltitude
                guard let route = try await rerouting.route(from: place, journey, context) else { continue }
                journey.follow(route)
                _ = source.follow(route)
                pace.succeed(fix.fix.time)
            } catch let error as RutterError where error.code != CommonErrors.interrupted.code {
                if pace.fail(fix.fix.time) {
                    let place = fix.fix.coordinate.withoutAltitude
                    journey.recordNoWay(try await rerouting.nearestWay(to: place, journey, context))
                }
                context.log.notice(
                    "no new route from \(Literal.coordinate(fix.fix.coordinate)): \(error.message)")
            }
        }
    }
}
