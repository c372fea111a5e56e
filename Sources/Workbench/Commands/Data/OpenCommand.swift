import Foundation
import PluginKit

/// `open FILE`
struct OpenCommand: CommandProvider {
    var name: String { "open" }

    var command: Command {
        Command(
            name, "read a file as a value, by its extension",
            details: """
                json is read as JSON, csv and tsv as rows, geojson as rows with coordinates, everything else as text; a \
                file without extension is JSON when it begins with a bracket. Use `from` to name the format: GTFS tables \
                are from csv --file stops.txt --text.
                """,
            .positional("file", .inputFile, "file to read"),
            output: .any, effect: .pure,
            examples: [
                .init(
                    "a table", "open huts.json | count",
                    after: [DataCommands.huts, "$huts | save huts.json"], gives: "3"),
                .init("a text", "open note.md", after: ["'# Huts' | save note.md"], gives: "# Huts"),
            ],
            searchTerms: [
                "read", "load", "import", "file", "cat", "csv", "json", "read a file", "spreadsheet",
            ]
        ) { _, url in
            let source = TextSource(url)
            switch url.pathExtension.lowercased() {
            case "json": return try source.json()
            case "geojson": return try source.geojson()
            case "csv": return try source.csv().rows()
            case "tsv":
                var csv = source.csv()
                csv.separator = UInt8(ascii: "\t")
                return try csv.rows()
            case "txt", "md": return .text(try source.text())
            default: return try guessed(url, source)
            }
        }
    }

    private func guessed(_ url: URL, _ source: TextSource) throws -> Value {
        let head = try FileText.head(of: url)
        if head.contains(0) {
            throw DataErrors.format(
                "\(url.lastPathComponent) is not text", at: .parameter("file"),
                fix: "stores and archives have their own commands; `help open` lists the supported formats")
        }
        let first = head.first { $0 > 32 }
        let looksLikeJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        return looksLikeJSON && url.pathExtension.isEmpty ? try source.json() : .text(try source.text())
    }
}
