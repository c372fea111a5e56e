import PluginKit

/// `map show`
struct MapShowCommand: LegacyCommand {
    private static let options = MapOptions()

    let spec = CommandSpec(
        "map show", "draws everything that the stores in use hold",
        details:
            "Waypoints, recorded tracks and what other plugins put on the map; `… | map` draws a selection.",
        parameters: options.specs, output: .value("map"), effect: .reads,
        examples: [
            .init(
                "an empty workspace has nothing to show", "expect-error E-PICTURE-NOTHING map show",
                gives: "nothing in the stores has a place")
        ])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        var objects: [Value] = []
        for content in context.all((any MapContent).self) {
            objects += try await content.mapObjects(context: context).map { .object($0) }
        }
        let features = try MapFeatures.of(.list(objects))
        if features.isEmpty { throw PictureErrors.nothing("nothing in the stores has a place") }
        return try Self.options.drawn(features, arguments, context)
    }
}
