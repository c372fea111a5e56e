import PluginKit

/// `map show`
struct MapShowCommand: CommandProvider {
    var name: String { "map show" }

    var command: Command {
        Command(
            name, "draw everything in the active stores on a map",
            details: "Waypoints, recorded tracks and objects of other plugins; `… | map` draws a selection.",
            MapOptions.parameters, output: .value("map"), effect: .reads,
            examples: [
                .init(
                    "an empty workspace has nothing to show", "expect-error E-PICTURE-NOTHING map show",
                    gives: "the active stores have no coordinates")
            ],
            searchTerms: [
                "make a map", "see everything", "all my data", "everything on a map", "overview map",
            ]
        ) { context, options in
            var objects: [Value] = []
            for content in context.all((any MapContent).self) {
                objects += try await content.mapObjects(context: context).map { .object($0) }
            }
            return try options.drawing(
                of: .list(objects), context, isAll: true, nothing: "the active stores have no coordinates")
        }
    }
}
