import PluginKit

/// `guide prompts ROUTE`
struct GuidancePrompts: CommandProvider {
    private static let columns = ["along", "event", "direction", "text", "haptic", "at"]

    var name: String { "guide prompts" }

    var command: Command {
        Command(
            name, "list all prompts along a route",
            details: """
                For each prompt, the point of the line where it is due and its spoken text, for a walk exactly on the \
                line. For prompts due at a time before the turn, the point is computed with the walking speed.
                """,
            GuideRouteInput.parameter,
            .option(
                "units", ParameterType.choice(of: UnitSystem.self),
                "units of the spoken text; default: the session's"),
            input: .optional(.value("route")), output: .rows(Self.columns), effect: .reads,
            examples: [
                .init(
                    "in feet and miles",
                    "$line | guide prompts --units imperial | first 2 | select event text haptic",
                    after: GuidanceExample.line,
                    gives: """
                        event        text                     haptic
                        approaching  In 350 feet, turn right  click
                        atTurn       Turn right               directionUp
                        """)
            ],
            searchTerms: [
                "early warning", "how early",
                "all announcements", "text of announcements",
                "voice prompts",
                "spoken", "voice", "say", "haptic", "instructions", "voice navigation", "spoken instructions",
                "announcements", "screen reader", "blind", "vibration", "what will be said",
                "what does the watch say", "which notification", "notifications",
            ]
        ) { input, context, route, units in
            let route = try await route.route(input, for: "guide prompts", context)
            let words = SpokenText(units ?? context.environment.units)
            let settings = GuidanceSettings(context.settings)
            let arrival = ArrivalRule(route: route, settings: settings)
            var rows: [Value] = []
            var before = 0.0
            for (index, stop) in route.stops.enumerated() {
                let isLast = index == route.stops.count - 1
                let kinds: [(GuidanceEvent.Kind, Double)] = [
                    (.approaching, settings.approaching.metres(atSpeed: nil)),
                    isLast
                        ? (.arrived, stop.along - arrival.due)
                        : (.atTurn, settings.atTurn.metres(atSpeed: nil)),
                ]
                for (kind, near) in kinds where settings.advance == 0 || isLast || near > settings.advance {
                    // A prompt due before the preceding turn is spoken after that turn.
                    let along = max(before, stop.along - near)
                    let event = GuidanceEvent(
                        kind: kind, fix: 0, time: context.clock.now,
                        coordinate: route.geometry.coordinate(at: along), turn: stop.turn,
                        distance: stop.along - along, along: along)
                    rows.append(Self.row(event, words))
                }
                before = max(0, route.doneAt(index, advance: settings.advance))
            }
            return .table(columns: Self.columns, rows: rows)
        }
    }

    private static func row(_ event: GuidanceEvent, _ words: SpokenText) -> Value {
        .record(
            Record(
                keys: columns,
                values: [
                    .quantity(.metres(event.along)), .text(event.kind.rawValue),
                    Value(event.direction) { .text($0.rawValue) }, .text(words.text(event)),
                    Value(Haptic(event)) { .text($0.rawValue) },
                    .coordinate(event.coordinate.withoutAltitude),
                ]))
    }
}
