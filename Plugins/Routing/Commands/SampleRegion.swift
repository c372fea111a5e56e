import Foundation
import PluginKit

/// `region sample`
struct SampleRegion: CommandProvider {
    var command: Command {
        Command(
            "region sample", "writes the sample valley: a map file and an elevation tile",
            details: """
                An invented valley at 0.5° north and east, in open sea, with named trails of all kinds, SAC grades and heights. \
                It writes valley.osm and N00E000.hgt where output files go; import them with region import valley.osm \
                --elevation N00E000.hgt.
                """,
            .flag("force", "overwrites files of the same names"),
            output: .value("text"), effect: .changes,
            examples: [.init("two files", "region sample", gives: "valley.osm and N00E000.hgt written")],
            searchTerms: ["valley", "example", "lesson"]
        ) { context, force in
            let map = try context.files.output("valley.osm")
            let tile = try context.files.output(SampleTerrain.tileName)
            if !force {
                for file in [map, tile] where FileManager.default.fileExists(atPath: file.path) {
                    throw CommonErrors.fileExists(
                        "\(file.lastPathComponent) exists already", fix: "overwrite it with --force")
                }
            }
            do {
                try Data(SampleMap.xml().utf8).write(to: map, options: .atomic)
                try context.checkCancelled()
                try SampleTerrain.tile().write(to: tile, options: .atomic)
            } catch let error as CocoaError {
                throw CommonErrors.fileAccess("the files cannot be written: \(error.localizedDescription)")
            }
            return .text("valley.osm and \(SampleTerrain.tileName) written")
        }
    }
}
