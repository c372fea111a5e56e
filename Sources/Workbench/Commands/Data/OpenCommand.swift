import Archives
import Foundation
import PluginKit

/// `open FILE`
struct OpenCommand: CommandProvider {
    var name: String { "open" }

    var command: Command {
        Command(
            name, "read a file as a value, by its extension",
            details: """
                json is read as JSON, jsonl as a JSON value in each line, csv and tsv as rows, geojson as rows with \
                coordinates, everything else as text; a txt file whose first line names columns, as in timetables, is rows, and a file without extension is JSON when it begins with a bracket. Packed \
                files (gz, bz2, xz, zst) are read as what they hold. Use `from` to name the format and how columns are read: \
                from csv --file stops.txt --types stop_code=text.
                """,
            .positional("file", .inputFile, "file to read"),
            output: .any, effect: .pure,
            examples: [
                .init(
                    "a table", "open huts.json | count",
                    after: [DataCommands.huts, "$huts | save huts.json"], gives: "3"),
                .init(
                    "a table of a timetable", "open stops.txt | get stop_name",
                    after: ["\"stop_id,stop_name\\nA,Alpha\" | save stops.txt"], gives: "Alpha"),
                .init("a text", "open note.md", after: ["'# Huts' | save note.md"], gives: "# Huts"),
            ],
            searchTerms: [
                "read", "load", "import", "file", "cat", "csv", "json", "read a file", "spreadsheet",
            ]
        ) { context, url in
            let source = try TextSource(url)
            let log = context.log
            var options = CSVOptions()
            options.zone = context.environment.timeZone
            switch content(url).pathExtension.lowercased() {
            case "json": return try source.json { log.notice("\($0)") }
            case "jsonl", "ndjson": return try source.jsonLines { log.notice("\($0)") }
            case "geojson": return try source.geojson { log.notice("\($0)") }
            case "csv": return try source.csv(options)
            case "tsv":
                options.separator = UInt8(ascii: "\t")
                return try source.csv(options)
            case "txt" where Self.namesColumns(source.head): return try source.csv(options)
            case "txt", "md": return .text(try source.text())
            default: return try guessed(url, source) { log.notice("\($0)") }
            }
        }
    }

    /// Whether the first line is names of columns with commas between them, as in the tables of timetables: no sentence is.
    private static func namesColumns(_ head: some Collection<UInt8>) -> Bool {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = head.starts(with: mark) ? Array(head.dropFirst(mark.count)) : Array(head)
        let line = text.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        let names = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        return names.count > 1
            && names.allSatisfy { name in
                let word = String(decoding: name, as: UTF8.self)
                return !word.isEmpty && word.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
                    && word.first?.isLetter == true
            }
    }

    /// Whether the first line is `[a name]`, as in files of settings; JSON has only three words without quotes.
    private static func beginsWithSection(_ head: [UInt8]) -> Bool {
        let line = String(decoding: head.prefix { $0 != 10 && $0 != 13 }, as: UTF8.self)
        guard let match = line.wholeMatch(of: /\s*\[([A-Za-z][^\]"\[{,]*)\]\s*/) else { return false }
        return !["true", "false", "null"].contains(match.output.1.trimmingCharacters(in: .whitespaces))
    }

    /// The name of what a packed file holds.
    private func content(_ url: URL) -> URL {
        SourceWalk.compressions.contains(url.pathExtension.lowercased())
            ? url.deletingPathExtension() : url
    }

    private func guessed(_ url: URL, _ source: TextSource, _ notice: @escaping (String) -> Void) throws
        -> Value
    {
        let head = source.head
        if head.contains(0) {
            throw DataErrors.format(
                "\(url.lastPathComponent) is not text", at: .parameter("file"),
                fix: "stores and archives have their own commands; `help open` lists the supported formats")
        }
        let first = head.first { $0 > 32 }
        if url.pathExtension.isEmpty, Self.namesColumns(head) { return try source.csv(CSVOptions()) }
        let looksLikeJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        return looksLikeJSON && url.pathExtension.isEmpty && !Self.beginsWithSection(head)
            ? try source.json(notice) : .text(try source.text())
    }
}
