import Formats
import PluginKit
import TrailStores

/// `profile list`
struct RouteProfiles: CommandProvider {
    var name: String { "profile list" }

    var command: Command {
        Command(
            name, "list the cost profiles for planning",
            output: .rows(["name", "mode", "speed", "gain", "loss"]), effect: .pure,
            examples: [
                .init(
                    "built-in profiles", "profile list",
                    gives: """
                        name           mode        speed  gain  loss
                        hiking         hiking   4.79km/h  7.92  7.92
                        walking        hiking   4.79km/h  7.92  7.92
                        trail-running  hiking      9km/h     9  7.92
                        wheelchair     hiking   3.96km/h    15    10
                        cycling        cycling    15km/h    12     0
                        app-hiking     hiking   4.79km/h  7.92  7.92
                        """)
            ],
            searchTerms: [
                "snow", "winter",
                "stroller", "pram", "pushchair",
                "bike", "on foot", "mountain bike", "kinds of travel", "wheelchair", "avoid stairs",
                "bicycle", "costs", "without hills", "avoid hills", "which rules", "means of travel",
                "walking or cycling", "quiet roads", "vehicle types", "cost models", "models of cost",
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

/// `profile show NAME`
struct RouteProfileCommand: CommandProvider {
    var name: String { "profile show" }

    var command: Command {
        Command(
            name, "show a cost profile",
            details: """
                Factors multiply the distance, `gain` and `loss` are equivalent metres of easy way for each metre of height; descents \
                count by their grade. `rules` are preferences over the tags of ways, such as `when highway=primary and \
                sidewalk=no: ×3`: they influence the choice of ways, but not the duration. Conditions are key=value|value, key!=value, key=*, \
                key=? (a value that is not understood), key<N and key>N (metres, percent), effects ×N, +Ns, forbidden and warn. `app-hiking` is the formula of the app. The record is the profile's file format: save it with `| to json | save mine.json`, edit \
                it, and plan with --profile mine.json. A file with `"base": "hiking"` needs only what differs: its entries and rules \
                are added to those of the base. Regions need not be imported again.
                """,
            .positional("profile", .text, "profile name or JSON file").completing(
                ProfileCompletions.completion),
            output: .value("record"), effect: .pure,
            examples: [.init("cost of mud on foot", "profile show hiking | get surfaces.mud", gives: "2")],
            searchTerms: [
                "cost", "surface", "factor", "walking speed", "which roads are avoided", "penalties",
                "preferences of routing",
            ]
        ) { context, profile in
            try CostProfiles.named(profile, context).record
        }
    }
}

/// `route times [ROUTE]`
struct RouteTimes: CommandProvider {
    var name: String { "route times" }

    var command: Command {
        Command(
            name, "estimate walking times by several formulas",
            details: """
                `profile` is the time of the cost profile, which takes surfaces and grades into account. `tobler` is Tobler's \
                hiking function (1993), `swiss` the formula of the Swiss signposts; both use slopes only and distinguish \
                uphill from downhill. `din33466` is the German standard for signposts: the longer of the times for the length at 4 km/h \
                and for the heights at 300 m/h up and 500 m/h down, and half of the other. `own` is your own pace by slope, without \
                rests, learned from the recordings of --like: those on foot for a route on foot, by bicycle for one by bicycle. All \
                but the first need heights along the whole route.
                """,
            RouteInput.parameter,
            .option("like", .value, "recordings to learn the pace from, such as (hike list)"),
            input: .optional(.value("route")), output: .rows(["formula", "there", "back"]), effect: .reads,
            examples: [
                .init(
                    "uphill and back",
                    "route plan $q.A $q.B | route times | where formula == tobler | first | get back",
                    after: ["let q = region sketch slope 'A-------B' --way AB --height 'A=500 B=540'"],
                    gives: "4min46s")
            ],
            searchTerms: [
                "before dark", "arrive in time",
                "how long will it take",
                "with children",
                "estimated time", "pace formula",
                "tobler", "swiss", "signpost", "din 33466", "norm", "duration", "uphill", "downhill",
                "walking time",
                "how long does it take", "naismith", "eta", "hiking time", "how long until the top",
                "time to the summit", "how long do i need", "with breaks", "out and back", "return trip",
                "both directions",
            ]
        ) { input, _, named, like in
            let route = try RouteInput.route(named, input, for: "route times")
            let own = try like.map { try Self.pace($0, route.mode) }
            var rows: [[Value]] = [[.text("profile"), .quantity(.seconds(route.duration)), .nothing]]
            // Without heights both directions would take the same time, which is wrong on a slope.
            let profile = route.climb == nil ? nil : RouteProfile.of(route)
            let formulas: [(String, (ElevationProfile) -> Double)] = [
                ("tobler", WalkingTimes.tobler), ("swiss", WalkingTimes.swiss),
            ]
            for (name, time) in formulas {
                rows.append([
                    .text(name), Value(profile) { .quantity(.seconds(time($0))) },
                    Value(profile) { .quantity(.seconds(time($0.reversed))) },
                ])
            }
            func standard(_ climb: (gain: Double, loss: Double)?, isBack: Bool) -> Value {
                Value(climb) {
                    .quantity(
                        .seconds(
                            WalkingTimes.din33466(
                                length: route.distance, gain: isBack ? $0.loss : $0.gain,
                                loss: isBack ? $0.gain : $0.loss)))
                }
            }
            let climb = profile == nil ? nil : route.climb
            rows.append([
                .text("din33466"), standard(climb, isBack: false), standard(climb, isBack: true),
            ])
            if let own {
                rows.append([
                    .text("own"), Value(profile) { .quantity(.seconds(own.pace.time($0))) },
                    Value(profile) { .quantity(.seconds(own.pace.time($0.reversed))) },
                ])
            }
            return .table(columns: ["formula", "there", "back"], cells: rows, note: own?.note)
        }
    }

    /// The pace of recordings, and what it was learned from.
    private static func pace(_ value: Value, _ mode: TravelMode) throws -> (pace: LearnedPace, note: String) {
        let items = try value.asRows?.collect() ?? [value]
        let hikes = items.compactMap { item -> (any RecordedHike)? in
            if case .object(let object) = item { object as? any RecordedHike } else { nil }
        }
        guard !items.isEmpty else {
            throw CommonErrors.argumentRange(
                "--like has no recordings", at: .parameter("like"),
                fix: "import FILE.gpx, then --like (hike list)")
        }
        guard hikes.count == items.count else {
            throw CommonErrors.argumentRange(
                "--like requires recordings, not a \(value.kindName)", at: .parameter("like"),
                fix: "--like (hike list)")
        }
        let fitting = try hikes.map { try $0.recording() }.filter {
            mode == .hiking
                ? GPXLine.isOnFoot($0.line.type) : GPXLine.isByBicycle($0.line.type)
        }
        let samples = fitting.map(LearnedPace.samples).filter { !$0.isEmpty }
        let motion = mode == .hiking ? LearnedPace.Settings.onFoot : LearnedPace.Settings.byBicycle
        guard let pace = LearnedPace(samples.flatMap(\.self), motion: motion) else {
            let way = mode == .hiking ? "on foot" : "by bicycle"
            throw CommonErrors.argumentRange(
                "no recording of --like has times and heights of \(Int(LearnedPace.Settings.least)) m \(way)",
                at: .parameter("like"), fix: "name other recordings, or omit --like")
        }
        let left = hikes.count - samples.count
        return (
            pace,
            "own: from \(samples.count, of: "recording"), \(Literal.quantity(.metres(pace.metres.rounded()))) in "
                + Literal.quantity(.seconds(pace.seconds.rounded()))
                + (left > 0 ? "; \(left) without times or heights, or of another activity, left out" : "")
        )
    }
}
