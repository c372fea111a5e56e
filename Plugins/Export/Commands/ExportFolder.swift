import Foundation
import PluginKit

/// `export folder`
struct ExportFolder: CommandProvider {
    let source: JourneySource
    private static let columns = ["file", "name", "bytes", "warnings", "problem"]
    /// Maximum bytes of a hike's name in a file name.
    private static let longestName = 120

    var name: String { "export folder" }

    var command: Command {
        Command(
            name, "write each hike or route to its own file",
            details: """
                Writes piped hikes, routes and imports into the folder --out, one file each, named by day and name: \
                `hike list | export folder --format pdf --out reports`. Returns one row per file. Items that cannot be written in the \
                format are listed with the reason, and the others are written. An interrupted export leaves no files. One \
                file with several hikes is written by the format's own command: `hike list | export gpx --out all.gpx`.
                """,
            .option("out", .outputFile, "folder to write to"),
            .option("format", .choice(of: JourneyFormat.self), default: "gpx", "format of the files"),
            ExportOptions.units,
            ExportOptions.force,
            input: .any, output: .rows(Self.columns), effect: .reads,
            examples: [
                .init(
                    "a file each", "$walk | export folder --out walks | get file", after: ExportExample.open,
                    gives: "2026-02-06 Walk.gpx")
            ], searchTerms: ["batch", "all", "several", "directory"]
        ) { input, context, out, format, units, force in
            guard let folder = out else {
                throw ExportErrors.out("a folder is required", fix: "export folder --out FOLDER")
            }
            let journeys = try source.journeys(nil, input, context)
            let wording = ExportOptions.wording(units, context)
            let names = Self.names(journeys, wording, format.fileExtension)
            let files = try StagedFolder(folder, names: names, force: force)
            var rows: [[Value]] = []
            for (index, (journey, name)) in zip(journeys, names).enumerated() {
                try context.checkCancelled()
                context.progress.report("writing files", done: index, of: journeys.count)
                rows.append(try Self.write(journey, name, format, wording, files, context))
            }
            try files.finish()
            return .table(columns: Self.columns, cells: rows)
        }
    }

    /// Writes a file; returns its row. A journey that the format cannot represent has no file, and a row with
    /// the reason.
    private static func write(
        _ journey: ExportJourney, _ name: String, _ format: JourneyFormat, _ wording: Wording,
        _ files: StagedFolder, _ context: Context
    ) throws -> [Value] {
        let made: (bytes: [UInt8], warnings: [String])
        do {
            made = try format.file(journey, wording: wording, context: context)
        } catch let error as RutterError
            where ExportErrors.all.contains(where: { $0.code == error.kind.code })
        {
            return [.nothing, .text(journey.title), .nothing, .integer(0), .text(error.message)]
        }
        try files.add(name, Data(made.bytes))
        return [
            .text(name), .text(journey.title), .integer(made.bytes.count), .integer(made.warnings.count),
            .nothing,
        ]
    }

    /// File names: day and name, without characters that file systems reject; numbered if they repeat.
    private static func names(_ journeys: [ExportJourney], _ wording: Wording, _ fileExtension: String)
        -> [String]
    {
        var taken: Set<String> = []
        return journeys.map { journey in
            let day = journey.start.map { wording.isoDay($0) + " " } ?? ""
            var title = ""
            for character in journey.title {
                let isPlain =
                    !character.isNewline && !"/\\:*?\"<>|".contains(character)
                    && !character.unicodeScalars.contains { $0.value < 32 || $0.value == 127 }
                let next = isPlain ? String(character) : "_"
                if title.utf8.count + next.utf8.count > longestName { break }
                title += next
            }
            let stem = day + title.trimmingCharacters(in: CharacterSet(charactersIn: " ."))
            var name = "\(stem).\(fileExtension)"
            var number = 2
            // File systems of other operating systems are case-insensitive.
            while !taken.insert(name.lowercased()).inserted {
                name = "\(stem) (\(number)).\(fileExtension)"
                number += 1
            }
            return name
        }
    }
}
