import PluginKit

/// `guide prompts ROUTE`
struct GuidancePrompts: CommandProvider {
    let desk: GuidanceDesk
    private static let columns = ["along", "event", "direction", "text", "haptic", "at"]

    var command: Command {
        Command(
            "guide prompts", "lists everything that will be said along a route, without walking it",
            details: """
                Where each prompt is due and how it is spoken, on the line itself. Prompts that are due at a time before the turn \
                are taken at walking speed.
                """,
            RouteInput.parameter,
            .option(
                "units", ParameterType.choice(of: UnitSystem.self),
                "units that are spoken; otherwise the session's"),
            input: .optional(.value("route")), output: .rows(Self.columns), effect: .reads,
            examples: [
                .init(
                    "in feet and miles",
                    "$line | guide prompts --units imperial | first 2 | select event text haptic",
                    after: Samples.line,
                    gives: """
                        event        text                     haptic
                        approaching  In 350 feet, turn right  click
                        atTurn       Turn right               directionUp
                        """)
            ], searchTerms: ["spoken", "voice", "say", "haptic", "instructions"]
        ) { input, context, route, units in
            let route = try await route.route(input, for: "guide prompts", context)
            let words = SpokenText(units ?? context.environment.units)
            let settings = desk.settings
            var rows: [Value] = []
            var before = 0.0
            for (index, stop) in route.stops.enumerated() {
                let isLast = index == route.stops.count - 1
                let kinds: [(GuidanceEvent.Kind, Double)] = [
                    (.approaching, settings.approaching.metres(atSpeed: nil)),
                    isLast ? (.arrived, settings.arrived) : (.atTurn, settings.atTurn.metres(atSpeed: nil)),
                ]
                for (kind, near) in kinds where settings.advance == 0 || isLast || near > settings.advance {
                    // What is nearer to the turn ahead is said once that one is passed.
                    let along = max(before, stop.along - near)
                    let event = GuidanceEvent(
                        kind: kind, fix: 0, time: context.clock.now,
                        coordinate: route.geometry.coordinate(at: along), turn: stop.turn,
                        distance: stop.along - along, along: along)
                    rows.append(Self.row(event, words))
                }
                before = max(0, stop.along - settings.advance)
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
