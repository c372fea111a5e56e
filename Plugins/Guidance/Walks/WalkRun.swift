import PluginKit

/// Runs a walk to its end.
enum WalkRun {
    /// Processes all fixes of a source. With `rerouting`, a new route is planned after `rerouteAfter` off route; if that
    /// fails, the walk continues along the old one and the failure is logged.
    static func run<Recorder: TraceRecorder>(
        _ journey: inout Journey, _ source: inout any WalkSource, rerouting: Rerouting?, _ context: Context,
        trace: inout Recorder
    ) async throws {
        var taken = 0
        var attempts = 0
        var nextAttempt = journey.settings.rerouteAfter
        while let fix = source.next() {
            taken += 1
            if taken % WalkSettings.checkInterval == 0 {
                try context.checkCancelled()
                context.progress.report("walking", done: taken)
            }
            journey.take(fix, trace: &trace)
            guard let rerouting else { continue }
            guard journey.state.isOffRoute else {
                nextAttempt = journey.settings.rerouteAfter
                continue
            }
            guard journey.secondsOffRoute >= nextAttempt, attempts < WalkSettings.mostReroutes else {
                continue
            }
            attempts += 1
            nextAttempt = journey.secondsOffRoute + max(1, journey.settings.rerouteAfter)
            do {
                let place = fix.fix.coordinate.withoutAltitude
                guard let route = try await rerouting.route(from: place, journey, context) else { continue }
                journey.follow(route)
                _ = source.follow(route)
                nextAttempt = journey.settings.rerouteAfter
            } catch let error as RutterError where error.code != CommonErrors.interrupted.code {
                context.log.notice(
                    "no new route from \(Literal.coordinate(fix.fix.coordinate)): \(error.message)")
            }
        }
    }
}
