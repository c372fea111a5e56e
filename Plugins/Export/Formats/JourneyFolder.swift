import Foundation
import PluginKit

/// A folder in which each journey is written to a file of its own.
struct JourneyFolder {
    private static let columns = ["file", "name", "bytes", "warnings", "problem"]
    /// Maximum bytes of a journey's name in a file name.
    private static let longestName = 120

    let url: URL
    let force: Bool
    let context: Context

    /// Writes the files; returns a row for each. A journey that the format cannot represent has no file, and a row with
    /// the reason. An interrupted export leaves no files.
    func write(
        _ journeys: [ExportJourney], ending: String, make: (ExportJourney) throws -> JourneyFile
    ) throws -> Value {
        let names = Self.names(journeys, ExportOptions.wording(nil, context), ending)
        let files = try StagedFolder(url, names: names, force: force, parameter: "path")
        var rows: [[Value]] = []
        for (index, (journey, name)) in zip(journeys, names).enumerated() {
            try context.checkCancelled()
            context.progress.report("writing files", done: index, of: journeys.count)
            rows.append(try Self.row(journey, name, files, make))
        }
        try files.finish()
        return .table(columns: Self.columns, cells: rows)
    }

    private static func row(
        _ journey: ExportJourney, _ name: String, _ files: StagedFolder,
        _ make: (ExportJourney) throws -> JourneyFile
    ) throws -> [Value] {
        let file: JourneyFile
        do {
            file = try make(journey)
        } catch let error as RutterError
            where ExportErrors.all.contains(where: { $0.code == error.kind.code })
        {
            return [.nothing, .text(journey.title), .nothing, .integer(0), .text(error.message)]
        }
        try files.add(name, file.data)
        return [
            .text(name), .text(journey.title), .integer(file.data.count), .integer(file.warnings.count),
            .nothing,
        ]
    }

    /// File names: day and name, without characters that file systems reject; numbered if they repeat.
    private static func names(
        _ journeys: [ExportJourney], _ wording: JourneyWording, _ fileExtension: String
    ) -> [String] {
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
