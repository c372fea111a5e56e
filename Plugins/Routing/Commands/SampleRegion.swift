import Foundation
import PluginKit

/// `region sample`
struct SampleRegion: CommandProvider {
    var name: String { "region sample" }

    var command: Command {
        Command(
            name, "write a sample map file and elevation tile",
            details: """
                An invented valley at 0.5° north and east, in open sea, with named trails of all kinds, SAC grades and heights. \
                Writes valley.osm and N00E000.hgt to the output folder; import them with `region import valley.osm \
                --elevation N00E000.hgt`.
                """,
            .flag("force", "overwrite files of the same names"),
            output: .value("text"), effect: .changes,
            examples: [
                .init("write both files", "region sample", gives: "valley.osm and N00E000.hgt written")
            ],
            searchTerms: ["valley", "example", "lesson", "demo", "example data", "sample data", "play"]
        ) { context, force in
            let map = try context.files.output("valley.osm")
            let tile = try context.files.output(SampleTerrain.tileName)
            if !force {
                for file in [map, tile] where FileManager.default.fileExists(atPath: file.path) {
                    throw CommonErrors.fileExists(
                        "\(file.lastPathComponent) already exists", fix: "overwrite it with --force")
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
