import PluginKit

/// `line shapes`
struct LineShapes: CommandProvider {
    let library: FeedLibrary

    var name: String { "line shapes" }

    var command: Command {
        Command(
            name, "list the shapes along which trips run",
            details:
                "The shapes of the feed, with the number of trips on each. `… | map` draws them in the colours of lines.",
            .optional(
                "line", ParameterType<LineObject>.reference(LineObject.kind, to: LineObject.self),
                "only this line"),
            output: .rows(ShapeObject.columns), effect: .reads,
            examples: [
                .init(
                    "of a line", "line shapes S1 | select shape trips length points",
                    after: FeedExamples.feed,
                    gives: """
                        shape  trips  length  points
                        rail      76  5.34km       5
                        """)
            ],
            searchTerms: [
                "route of the tram", "route of the bus",
                "line on a map", "route of a bus", "route", "geometry", "polyline", "course of a line",
                "geometry of a line",
            ]
        ) { context, line in
            let feed = try library.feed(context)
            let note = feed.layout.hasShapes ? nil : "the timetable has no shapes"
            return .table(
                objects: try feed.shapes.of(route: line?.number), columns: ShapeObject.columns, note: note)
        }
    }
}
