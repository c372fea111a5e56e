import PluginKit

/// `route elevation [ROUTE]`
struct RouteElevation: CommandProvider {
    var name: String { "route elevation" }

    var command: Command {
        Command(
            name, "show elevation statistics of a route",
            details: """
                Returns the minimum, maximum and average elevation, the climb, and the steepest 100 m. Climbs under 3 m are \
                ignored as noise; `… | profile` draws the elevations. An app that sums over the ends of edges only reports less \
                climbing on a way that rises and falls in between, and more where ends alternate slightly: `appGain` and \
                `appLoss` are the values it would show. Where heights are unknown, gain and loss are `nothing`. On bridges, in \
                tunnels and on ferries the heights are those between their ends: `interpolated` is their length.
                """,
            RouteInput.parameter,
            .flag("points", "return the elevation points as rows"),
            input: .optional(.value("route")), output: .value("record"), effect: .reads,
            examples: [
                .init(
                    "a climb",
                    "route plan $q.A $q.B | route elevation | get gain",
                    after: ["let q = region sketch slope 'A---B' --way AB --height 'A=500 B=620'"],
                    gives: "120m")
            ], searchTerms: ["profile", "climb", "steep", "how steep", "ascent", "gain", "gradient"]
        ) { input, _, named, points in
            let route = try RouteInput.route(named, input, for: "route elevation")
            let profile = RouteProfile.of(route)
            let interpolated = OffGroundStretches(route)
            if points {
                let rows = (profile?.points ?? []).map { point -> [Value] in
                    [.quantity(.metres(point.distance)), .quantity(.altitude(point.elevation))]
                        + (interpolated.isEmpty ? [] : [.boolean(interpolated.contain(point.distance))])
                }
                let columns = ["distance", "elevation"] + (interpolated.isEmpty ? [] : ["interpolated"])
                return .table(columns: columns, cells: rows)
            }
            let steepest = profile?.steepest
            let ends = route.found?.climbOfEnds
            return .record(
                Record(
                    [
                        ("minimum", Value(profile?.minimum) { .quantity(.altitude($0)) }),
                        ("maximum", Value(profile?.maximum) { .quantity(.altitude($0)) }),
                        ("average", Value(profile?.average) { .quantity(.altitude($0)) }),
                        ("gain", Value(route.climb?.gain) { .quantity(.climb($0)) }),
                        ("loss", Value(route.climb?.loss) { .quantity(.climb($0)) }),
                        ("steepest", Value(steepest) { .quantity(.share($0.grade)) }),
                        ("steepestFrom", Value(steepest) { .quantity(.metres($0.from)) }),
                        ("steepestTo", Value(steepest) { .quantity(.metres($0.to)) }),
                        ("appGain", Value(ends) { .quantity(.climb($0.gain)) }),
                        ("appLoss", Value(ends) { .quantity(.climb($0.loss)) }),
                    ]
                        + (interpolated.isEmpty
                            ? [] : [("interpolated", .quantity(.metres(interpolated.length)))])))
        }
    }
}
