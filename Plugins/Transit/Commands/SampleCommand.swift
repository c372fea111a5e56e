import Foundation
import PluginKit

/// `transit sample`
struct SampleCommand: CommandProvider {
    var command: Command {
        Command(
            "transit sample", "writes the sample feed: the timetable of an invented harbour town",
            details: """
                A folder `harbour` with the tables of a small feed that has every oddity: a byte-order mark, quotes and CR LF, \
                unknown columns, times past midnight and without a leading nought, blank times, a service without calendar, \
                frequencies, extended route types, stations with platforms and boarding areas, trips whose rows do not stand \
                together. Import it with transit import harbour.
                """,
            .flag("force", "overwrites tables of the same names"),
            output: .value("text"), effect: .changes,
            examples: [.init("a folder", "transit sample", gives: "harbour written: 8 tables")],
            searchTerms: ["gtfs", "example", "lesson"]
        ) { context, force in
            let folder = try context.files.output(SampleFeed.folder)
            let tables = SampleFeed.tables()
            let files = tables.map { folder.appendingPathComponent($0.name) }
            if !force,
                let there = files.first(where: { FileManager.default.fileExists(atPath: $0.path) })
            {
                throw CommonErrors.fileExists(
                    "\(SampleFeed.folder)/\(there.lastPathComponent) exists already",
                    fix: "overwrite it with --force")
            }
            do {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                for (file, table) in zip(files, tables) {
                    // Each path anew: a link in the folder could lead elsewhere.
                    _ = try context.files.output("\(SampleFeed.folder)/\(table.name)")
                    try Data(table.text.utf8).write(to: file, options: .atomic)
                }
            } catch let error as CocoaError {
                throw CommonErrors.fileAccess("the feed cannot be written: \(error.localizedDescription)")
            }
            return .text("\(SampleFeed.folder) written: \(tables.count) tables")
        }
    }
}
