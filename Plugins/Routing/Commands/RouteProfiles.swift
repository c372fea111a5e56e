import PluginKit

/// `route profiles`
struct RouteProfiles: CommandProvider {
    var command: Command {
        Command(
            "route profiles", "list the cost profiles for planning",
            output: .rows(["name", "mode", "speed", "gain", "loss"]), effect: .pure,
            examples: [
                .init(
                    "built-in profiles", "route profiles",
                    gives: """
                        name     mode        speed  gain  loss
                        hiking   hiking   4.79km/h  7.92  7.92
                        cycling  cycling    15km/h    12     0
                        """)
            ]
        ) { _ in
            .table(
                columns: ["name", "mode", "speed", "gain", "loss"],
                cells: CostProfiles.all.map { profile in
                    [
                        .text(profile.name), .text(profile.mode.rawValue),
                        .quantity(.metresPerSecond(profile.speed)), .number(profile.gain),
                        .number(profile.loss),
                    ]
                })
        }
    }
}

/// `route profile NAME`
struct RouteProfileCommand: CommandProvider {
    var command: Command {
        Command(
            "route profile", "show a cost profile",
            details: """
                Factors multiply the distance, `gain` and `loss` are metres of easy way for each metre of height; descents \
                count by their grade. The record is the profile's file format: save it with `| to json | save mine.json`, edit \
                it, and plan with --profile mine.json. Regions need no new import.
                """,
            .positional("profile", .text, "profile name or JSON file").completing(
                ProfileCompletions.completion),
            output: .value("record"), effect: .pure,
            examples: [.init("cost of mud on foot", "route profile hiking | get surfaces.mud", gives: "2")],
            searchTerms: ["cost", "surface", "factor"]
        ) { context, profile in
            try CostProfiles.named(profile, context).record
        }
    }
}

/// `route times [ROUTE]`
struct RouteTimes: CommandProvider {
    var command: Command {
        Command(
            "route times", "estimate walking times by several formulas",
            details: """
                `profile` is the time of the cost profile, which takes surfaces and grades into account. `tobler` is Tobler's \
                hiking function (1993), `swiss` the formula of the Swiss signposts; both use slopes alone and distinguish \
                uphill from downhill.
                """,
            RouteInput.parameter,
            input: .optional(.value("route")), output: .rows(["formula", "there", "back"]), effect: .reads,
            examples: [
                .init(
                    "on the flat", "route plan $p.A $p.D | route times | get there | first",
                    after: Samples.sketch, gives: "7min31s")
            ], searchTerms: ["tobler", "swiss", "signpost", "duration", "uphill", "downhill"]
        ) { input, _, named in
            let route = try RouteInput.route(named, input, for: "route times")
            var rows: [[Value]] = [[.text("profile"), .quantity(.seconds(route.duration)), .nothing]]
            let length = route.distance
            let known = RouteProfile.of(route)
            let flat = ElevationProfile(points: [
                .init(distance: 0, elevation: 0), .init(distance: length, elevation: 0),
            ])
            guard let profile = known ?? flat else { return .table(columns: [], rows: []) }
            let formulas: [(String, (ElevationProfile) -> Double)] = [
                ("tobler", WalkingTimes.tobler), ("swiss", WalkingTimes.swiss),
            ]
            for (name, time) in formulas {
                rows.append([
                    .text(name), .quantity(.seconds(time(profile))),
                    .quantity(.seconds(time(profile.reversed))),
                ])
            }
            return .table(columns: ["formula", "there", "back"], cells: rows)
        }
    }
}
