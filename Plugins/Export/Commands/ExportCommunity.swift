import PluginKit

/// `export community`
struct ExportCommunity: Command {
    let source: JourneySource
    private static let author = Parameter.option("author", .text, "who shares it")
    private static let country = Parameter.option("country", .text, default: "", "the country it lies in")
    private static let area = Parameter.option("area", .text, default: "", "the area it lies in")

    let spec = CommandSpec(
        "export community", "writes a hike or planned route as the community's JSON",
        details: """
            \(ExportOptions.inputHelp) Keys: id version name activityType author description createdAt region stats \
            boundingBox track waypoints photos, in order of their names; places with 5 decimals, elevations with one. What \
            the format cannot leave out and is not known is written as the apps do: an elevation of 0, the time of the \
            point before. Photos are named by their waypoints and are not written.
            """,
        parameters: [
            ExportOptions.thing.spec, ExportOptions.out.spec, author.spec, country.spec, area.spec,
            ExportOptions.force.spec,
        ],
        input: ExportOptions.input, output: .value("text"), effect: .reads,
        examples: [
            .init(
                "its statistics", "$walk | export community | from json | get stats.distanceMeters",
                after: ExportExample.open, gives: "111.2")
        ], searchTerms: ["share", "json", "upload"])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let found = try source.journeys(try arguments[ExportOptions.thing], input, context)
        let journey = try ExportOptions.one(try ExportOptions.placed(found), "community")
        let details = CommunityFormat.Details(
            author: try arguments[Self.author], country: try arguments[Self.country],
            area: try arguments[Self.area])
        let bytes = try CommunityFormat.bytes(journey, details)
        return try ExportOptions.finish(bytes, "community", arguments, warnings: journey.warnings, context)
    }
}
