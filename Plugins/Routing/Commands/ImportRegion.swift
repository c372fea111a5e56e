import Foundation
import Geodesy
import PluginKit

/// `region import FILE`
struct ImportRegion: CommandProvider {
    let regions: RegionChoice

    var name: String { "region import" }

    var command: Command {
        Command(
            name, "import a region from a map file and elevation tiles",
            details: """
                Keeps the ways that can be walked or ridden, ferries, obstacles at nodes such as gates, and hiking trails; splits them at junctions, reads the elevation of each point from \
                the tiles, and precomputes shortcuts for fast planning. Nodes missing in the file are cut from their ways. \
                `unknown` counts the tags of ways and obstacles whose values are not understood. \
                Interrupted with Ctrl-C, or after an error, it leaves no files behind. With --update only map features (from the file) and relief (from the tiles) are added; ways, names and trails are unchanged.
                """,
            .positional("file", .inputFile, "OpenStreetMap file: .osm.pbf, .osm, .osm.gz or .osm.bz2"),
            .options(
                "elevation", .inputPath,
                "elevation tile (.hgt, .hgt.zip, .hgt.gz), GeoTIFF in degrees (.tif), or folder of them; repeatable"
            ),
            .option("name", .text, "name of the region; default: the file name"),
            .option("bbox", .box, "only ways with a node in this box"),
            .flag("replace", "replace a region of the same name"),
            .flag("update", "only add the map's features and relief to the region of this name"),
            output: .value("record"), effect: .changes,
            examples: [
                .init(
                    "the sample valley", "region import valley.osm --elevation N00E000.hgt | get edges",
                    after: ["region sample"], gives: "32"),
                .init(
                    "add the map to a region of an earlier version",
                    "region import valley.osm --elevation N00E000.hgt --update | get name",
                    after: ["region sample", "region import valley.osm"], gives: "valley"),
            ],
            searchTerms: [
                "map does not cover", "outside the map",
                "streets of a town", "map data", "load a map", "road data", "get a region",
                "geofabrik", "download a map", "add a country", "install a map",
                "osm", "pbf", "hgt", "srtm", "map", "openstreetmap", "download map", "elevation tiles",
                "offline map", "offline use", "get map data", "street data", "osm file", "terrain",
                "download roads",
            ]
        ) { context, file, elevation, name, bbox, replace, update in
            let name = name ?? Self.name(of: file)
            let folder = try regions.folder(context)
            if update {
                let report = try RegionImport(into: folder, progress: context.progress).update(
                    RegionImport.Request(source: file, elevation: elevation, bounds: bbox, name: name))
                regions.close(try folder.database(name))
                var record = Record([
                    ("name", .text(name)), ("features", .integer(report.map?.features ?? 0)),
                    ("tiles", .list(report.tiles.map(Value.text))),
                ])
                if !report.notices.isEmpty { record["notices"] = .list(report.notices.map(Value.text)) }
                return .record(record)
            }
            let existed = folder.names.contains(name)
            var request = RegionImport.Request(
                source: file, elevation: elevation, bounds: bbox, name: name, replaces: replace)
            request.isWatched = context.tracing != nil
            request.day = context.clock.now.civil(in: context.environment.timeZone).date
            let report = try RegionImport(into: folder, progress: context.progress).run(request)
            context.tracing?.keep(
                "ways by their tags",
                from: .start(
                    [("file", .text(file.lastPathComponent)), ("ways", .integer(report.seenWays))],
                    why: "ways with the same tags share a decision: can they be walked or ridden?"),
                candidates: report.considered.lazy.map { WaySteps.considered($0.tags, $0.verdict) },
                to: .end(
                    [("ways", .integer(report.keptWays)), ("edges", .integer(report.edges))],
                    why: "the kept ways are split at their junctions"))
            if !existed { RegionUndo.record("imported region \(name)", name, in: folder, regions, context) }
            var record = Record([
                ("name", .text(name)), ("nodes", .integer(report.nodes)),
                ("edges", .integer(report.edges)),
                ("places", .integer(report.places)), ("ways", .integer(report.keptWays)),
                ("seen", .integer(report.seenWays)),
                ("missing", .integer(report.missingReferences)),
                ("tiles", .list(report.tiles.map(Value.text))),
                ("unknownHeights", .integer(report.unknownHeights)),
                ("trails", .integer(report.trails)),
            ])
            record["account"] = .object(AccountObject(report.account))
            if !report.unknownValues.counts.isEmpty { record["unknown"] = report.unknownValues.table }
            if !report.notices.isEmpty { record["notices"] = .list(report.notices.map(Value.text)) }
            return .record(record)
        }.deciding("region import valley.osm", after: ["region sample"])
    }

    /// The file's name without the extensions of map files.
    private static func name(of file: URL) -> String {
        var name = file.lastPathComponent
        for ending in [".gz", ".bz2", ".pbf", ".osm"] where name.lowercased().hasSuffix(ending) {
            name = String(name.dropLast(ending.count))
        }
        return name
    }
}

/// Undo of adding a region.
enum RegionUndo {
    static func record(
        _ summary: String, _ name: String, in folder: RegionFolder, _ regions: RegionChoice,
        _ context: Context
    ) {
        context.journal.record(summary) {
            regions.close(try folder.database(name))
            try folder.remove(name)
        }
    }
}
