import PluginKit

/// `route elevation [ROUTE]`
struct RouteElevation: CommandProvider {
    var command: Command {
        Command(
            "route elevation", "tells the heights of a route: lowest, highest, mean, climb, steepest 100 m",
            details: """
                Climbing counts only from 3 m on, so that the noise of samples is left out; `… | profile` draws the heights. \
                An app that sums over the ends of edges alone finds less climbing on a way that goes up and down in between, and \
                more where ends lie a little higher and lower in turn: `appGain` and `appLoss` tell what it would show.
                """,
            RouteInput.parameter,
            .flag("points", "gives the heights themselves as rows"),
            input: .optional(.value("route")), output: .value("record"), effect: .reads,
            examples: [
                .init(
                    "a sketch has no heights unless it says so",
                    "route plan $p.A $p.D | route elevation | get gain", after: Samples.sketch, gives: "0m")
            ], searchTerms: ["profile", "climb", "steep"]
        ) { input, _, named, points in
            let route = try RouteInput.route(named, input, for: "route elevation")
            let profile = RouteProfile.of(route)
            if points {
                let rows = (profile?.points ?? []).map { point -> [Value] in
                    [.quantity(.metres(point.distance)), .quantity(.altitude(point.elevation))]
                }
                return .table(columns: ["distance", "elevation"], cells: rows)
            }
            let steepest = profile?.steepest
            let ends = route.found?.climbOfEnds
            return .record(
                Record([
                    ("minimum", Value(profile?.minimum) { .quantity(.altitude($0)) }),
                    ("maximum", Value(profile?.maximum) { .quantity(.altitude($0)) }),
                    ("average", Value(profile?.average) { .quantity(.altitude($0)) }),
                    ("gain", .quantity(.climb(route.planned.gain))),
                    ("loss", .quantity(.climb(route.planned.loss))),
                    ("steepest", Value(steepest) { .quantity(.share($0.grade)) }),
                    ("steepestFrom", Value(steepest) { .quantity(.metres($0.from)) }),
                    ("steepestTo", Value(steepest) { .quantity(.metres($0.to)) }),
                    ("appGain", Value(ends) { .quantity(.climb($0.gain)) }),
                    ("appLoss", Value(ends) { .quantity(.climb($0.loss)) }),
                ]))
        }
    }
}
