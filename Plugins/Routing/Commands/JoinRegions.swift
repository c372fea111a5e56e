import GRDB
import PluginKit

/// `region join A B`
struct JoinRegions: CommandProvider {
    let regions: RegionChoice

    var name: String { "region join" }

    var command: Command {
        Command(
            name, "join two regions into one",
            details: """
                Routes cross between the regions at common nodes of the map, as in extracts that overlap or share \
                a border. Ways in both are kept once, as in FIRST, and a notice counts those that differ; names, trails and maps of both are kept. Without a common node \
                nothing is written.
                """,
            .positional("first", .text, "name of a region").completing(RegionCompletions.completion),
            .positional("second", .text, "name of another").completing(RegionCompletions.completion),
            .option("name", .text, "name of the joined region; default: FIRST+SECOND"),
            .flag("replace", "replace a region of the same name"),
            output: .value("record"), effect: .changes,
            examples: [
                .init(
                    "a region with itself is refused",
                    "expect-error E-REGION-JOIN region join village village",
                    after: Samples.sketch, gives: "village and village are the same region")
            ],
            searchTerms: [
                "map does not cover", "outside the map", "beyond the map", "extend the map",
                "merge", "border", "cross", "add another map", "two maps", "bigger map", "merge regions",
            ]
        ) { context, first, second, name, replaces in
            guard first != second else {
                throw RegionErrors.join(
                    "\(first) and \(second) are the same region", at: .parameter("second"))
            }
            let folder = try regions.folder(context)
            let databases = try [first, second].map { try folder.database($0) }
            let name = name ?? "\(first)+\(second)"
            let existed = folder.names.contains(name)
            let report = try folder.join(
                databases, names: [first, second], as: name, replaces: replaces, progress: context.progress)
            if !existed { RegionUndo.record("joined region \(name)", name, in: folder, regions, context) }
            var record = Record([
                ("name", .text(name)), ("nodes", .integer(report.nodes)), ("edges", .integer(report.edges)),
                ("shared", .integer(report.shared)),
            ])
            if !report.notices.isEmpty { record["notices"] = .list(report.notices.map(Value.text)) }
            return .record(record)
        }
    }
}
