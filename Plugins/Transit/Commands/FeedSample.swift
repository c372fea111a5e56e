import Foundation
import PluginKit

/// `feed sample`
struct FeedSample: CommandProvider {
    var name: String { "feed sample" }

    var command: Command {
        Command(
            name, "write a sample feed of an invented harbour town",
            details: """
                Writes a folder `harbour` with a small feed that covers the difficult cases: byte-order mark, quotes and CR LF, \
                unknown columns, times past midnight and without a leading zero, blank times, a service without a calendar, \
                frequencies, extended route types, stations with platforms and boarding areas, trips with scattered rows. \
                Import it with feed import harbour.
                """,
            .option("folder", .outputFile, "folder to write (default: harbour)"),
            .flag("force", "overwrite existing tables"),
            output: .value("text"), effect: .changes,
            examples: [.init("a folder", "feed sample", gives: "harbour written: 9 tables")],
            searchTerms: ["gtfs", "example", "lesson", "demo", "example data", "sample data", "play"]
        ) { context, chosen, force in
            let folder = try chosen ?? context.files.output(SampleFeed.folder)
            let name = folder.lastPathComponent
            let tables = SampleFeed.tables()
            let files = tables.map { folder.appendingPathComponent($0.name) }
            if !force,
                let there = files.first(where: { FileManager.default.fileExists(atPath: $0.path) })
            {
                throw CommonErrors.fileExists(
                    "\(name)/\(there.lastPathComponent) already exists",
                    fix: "overwrite it with --force")
            }
            do {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                for (file, table) in zip(files, tables) {
                    // Each path is checked again: a link in the folder could lead elsewhere.
                    _ = try context.files.output("\(folder.path)/\(table.name)")
                    try Data(table.text.utf8).write(to: file, options: .atomic)
                }
            } catch let error as CocoaError {
                throw CommonErrors.fileAccess("the feed cannot be written: \(error.localizedDescription)")
            }
            return .text("\(name) written: \(tables.count) tables")
        }
    }
}
