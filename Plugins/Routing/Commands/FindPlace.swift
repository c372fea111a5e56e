import PluginKit

/// `region find TEXT`
struct FindPlace: Command {
    let regions: RegionChoice
    private static let text = Parameter.positional("text", .text, "a name, or a part of one")
    private static let region = Parameter.option(
        "region", ParameterType<String>.text, "the region; else all of the workspace"
    ).completing(RegionWords.completion)

    let spec = CommandSpec(
        "region find", "finds places and ways of regions by their names",
        details: """
            Villages, peaks, huts, stations and what else a map names, and the ways that have a name, whatever the case \
            and the accents. What is called exactly so comes first. A place that is called so and nothing else is can be \
            named wherever a place is wanted: route plan @Vaduz @Malbun.
            """,
        parameters: [text.spec, region.spec], output: .rows(PlaceObject.fields), effect: .reads,
        examples: [
            .init(
                "ways", "region find 'lane' | select name kind region", after: Samples.sketch,
                gives: """
                    name       kind  region
                    Mill Lane  way   village
                    """),
            .init(
                "to be planned with", "route plan @'Main Street' @'Mill Lane' | get distance",
                after: Samples.sketch,
                gives: "300m"),
        ], searchTerms: ["search", "place", "name", "village", "peak", "hut"])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let text = try arguments[Self.text]
        let names = try arguments[Self.region].map { [$0] } ?? regions.folder(context).names
        var found: [PlaceObject] = []
        for name in names {
            try context.checkCancelled()
            let places = try regions.region(name, context).places()
            found += PlaceSearch.find(text, in: places).map { PlaceObject(named: $0, region: name) }
        }
        return .table(Table(objects: found, columns: PlaceObject.fields))
    }
}
