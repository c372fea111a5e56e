import PluginKit

extension GuidanceRun {
    /// Processes all fixes of a source. With `rerouting`, a new route is planned after `rerouteAfter` off route; if that
    /// fails, the walk continues along the old one and the failure is logged.
    mutating func walk<Recorder: TraceRecorder>(
        _ source: inout any WalkSource, rerouting: Rerouting?, _ context: Context, trace: inout Recorder
    ) async throws {
        var taken = 0
        var pace = ReroutePace(settings)
        while let fix = source.next() {
            taken += 1
            if taken % WalkSettings.checkInterval == 0 {
                try context.checkCancelled()
                context.progress.report("walking", done: taken)
            }
            take(fix, trace: &trace)
            guard let rerouting else { continue }
            guard pace.isDue(self) else { continue }
            do {
                let place = fix.fix.coordinate.withoutAltitude
                guard let route = try await rerouting.route(from: place, self, context) else { continue }
                follow(route)
                _ = source.follow(route)
                pace.succeed(fix.fix.time)
            } catch let error as RutterError where error.code != CommonErrors.interrupted.code {
                if pace.fail(fix.fix.time) {
                    let place = fix.fix.coordinate.withoutAltitude
                    recordNoWay(try await rerouting.nearestWay(to: place, self, context))
                }
                context.log.notice(
                    "no new route from \(Literal.coordinate(fix.fix.coordinate)): \(error.message)")
            }
        }
    }
}
