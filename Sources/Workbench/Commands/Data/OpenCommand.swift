import Archives
import Formats
import Foundation
import PluginKit

/// `open FILE`
struct OpenCommand: CommandProvider {
    var name: String { "open" }

    var command: Command {
        Command(
            name, "read a file as a value, by its extension",
            details: """
                json is read as JSON, jsonl as a JSON value in each line, csv, tsv and psv as rows, geojson as rows with \
                coordinates, gpkg (GeoPackage, in WGS 84) too, with the column `layer` if it has several, everything else as text; a txt file whose first line names columns, as in timetables, is rows, and a file without extension is JSON when it begins with a bracket. Packed \
                files (gz, bz2, xz, zst) are read as what they hold. Use `from` to name the format and how columns are read: \
                from csv --file stops.txt --types stop_code=text.
                Several files, such as `open logs/*.csv`, are rows of one table: the column `file` says where a row comes \
                from, columns are joined by name, and what a file lacks is nothing and said.
                """,
            .rest("files", .inputFile, minimum: 1, "file to read; several become one table"),
            .option("encoding", .text, NamedEncoding.help),
            output: .any, effect: .pure,
            examples: [
                .init(
                    "a table", "open huts.json | count",
                    after: [DataCommands.huts, "$huts | save huts.json"], gives: "3"),
                .init(
                    "a table of a timetable", "open stops.txt | get stop_name",
                    after: ["\"stop_id,stop_name\\nA,Alpha\" | save stops.txt"], gives: "Alpha"),
                .init("a text", "open note.md", after: ["'# Huts' | save note.md"], gives: "# Huts"),
                .init(
                    "several files", "open may.csv june.csv | summarize sum(beds) by file",
                    after: [
                        "[{beds: 50}] | save may.csv", "[{beds: 46} {beds: 4}] | save june.csv",
                    ],
                    gives: "file      sumBeds\nmay.csv        50\njune.csv       50"),
            ],
            searchTerms: [
                "unzip", "gzip",
                "semicolons", "csv file", "excel", "tsv", "json file", "look at a file",
                "read", "load", "import", "file", "cat", "csv", "json", "read a file", "spreadsheet",
                "several files", "concatenate files", "merge csv files", "combine files", "encoding", "table",
            ]
        ) { context, urls, encoding in
            let encoding = try encoding.map(NamedEncoding.init(argument:))
            if urls.count == 1 {
                return try Self.content(of: urls[0], encoding, context).value { context.log.notice("\($0)") }
            }
            return .rows(
                try FileTable(
                    try urls.map { url in
                        try Interruption.check()
                        return (url, try Self.content(of: url, encoding, context))
                    }
                ) { context.log.notice("\($0)") }.rows)
        }
    }

    /// What a file holds, by its name and its beginning.
    private static func content(
        of url: URL, _ encoding: NamedEncoding?, _ context: Context
    ) throws -> FileContent {
        if url.pathExtension.lowercased() == "gpkg" { return .geopackage(url) }
        let source = try TextSource(url, typed: context.files.typedPath(of: url), encoding: encoding)
        var options = CSVOptions()
        options.zone = context.environment.timeZone
        let ending = unpacked(url).pathExtension.lowercased()
        if let other = OtherFile(
            head: source.head, typed: context.files.typedPath(of: url), isTable: tables.contains(ending))
        {
            throw DataErrors.format(
                "\(url.lastPathComponent) is \(other.name)", at: .parameter("files"), fix: other.fix)
        }
        switch ending {
        case "json": return .json(source)
        case "jsonl", "ndjson": return .jsonLines(source)
        case "geojson": return .geojson(source)
        case "csv": return .csv(source.csvSource(options))
        case "psv":
            options.separator = UInt8(ascii: "|")
            return .csv(source.csvSource(options))
        case "tsv", "tab":
            options.separator = UInt8(ascii: "\t")
            return .csv(source.csvSource(options))
        case "md": return .text(source)
        case "txt" where namesColumns(source.head), "txt" where hasLayout(source.head),
            "log" where hasLayout(source.head):
            return .csv(source.csvSource(options))
        case "txt": return .text(source)
        default: return try guessed(url, source, options)
        }
    }

    /// Endings of files that hold data, never a page.
    private static let tables: Set<String> = [
        "csv", "tsv", "tab", "psv", "json", "jsonl", "ndjson", "geojson",
    ]

    /// Whether the first line is names of columns with separators between them, as in the tables of timetables: no sentence is.
    private static func namesColumns(_ head: some Collection<UInt8>) -> Bool {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = head.starts(with: mark) ? Array(head.dropFirst(mark.count)) : Array(head)
        let line = text.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        return CSVSeparator.known.contains { separator in
            let names = line.split(separator: separator, omittingEmptySubsequences: false)
            return names.count > 1
                && names.allSatisfy { name in
                    let word = String(decoding: name, as: UTF8.self)
                    return !word.isEmpty && word.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
                        && word.first?.isLetter == true
                }
        }
    }

    /// Whether a text shows by its own marks that it is a table, such as the rule below the names of its columns.
    private static func hasLayout(_ head: [UInt8]) -> Bool {
        TableLayout(markedIn: Array(head.prefix(DataSettings.sample))) != nil
    }

    /// Whether the first line is `[a name]`, as in files of settings; JSON has only three words without quotes.
    private static func beginsWithSection(_ head: [UInt8]) -> Bool {
        let line = String(decoding: head.prefix { $0 != 10 && $0 != 13 }, as: UTF8.self)
        guard let match = line.wholeMatch(of: /\s*\[([A-Za-z][^\]"\[{,]*)\]\s*/) else { return false }
        return !["true", "false", "null"].contains(match.output.1.trimmingCharacters(in: .whitespaces))
    }

    /// The name of what a packed file holds.
    private static func unpacked(_ url: URL) -> URL {
        SourceWalk.compressions.contains(url.pathExtension.lowercased())
            ? url.deletingPathExtension() : url
    }

    private static func guessed(
        _ url: URL, _ source: TextSource, _ options: CSVOptions
    ) throws -> FileContent {
        let head = source.head
        if head.contains(0) {
            throw DataErrors.format(
                "\(url.lastPathComponent) is not text", at: .parameter("files"),
                fix: "stores and archives have their own commands; `help open` lists the supported formats")
        }
        let first = head.first { $0 > 32 }
        if url.pathExtension.isEmpty, namesColumns(head) { return .csv(source.csvSource(options)) }
        let looksLikeJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        return looksLikeJSON && url.pathExtension.isEmpty && !beginsWithSection(head)
            ? .json(source) : .text(source)
    }
}

/// A file in the format in which it is read.
enum FileContent {
    case json(TextSource)
    case jsonLines(TextSource)
    case geojson(TextSource)
    case csv(CSVSource)
    case text(TextSource)
    case geopackage(URL)

    /// The value; `notice` gets what is said of repeated keys.
    func value(_ notice: @escaping @Sendable (String) -> Void) throws -> Value {
        switch self {
        case .json(let source): try source.json(notice)
        case .jsonLines(let source): try source.jsonLines(notice)
        case .geojson(let source): try source.geojson(notice)
        case .csv(let source): try source.rows()
        case .text(let source): .text(try source.text())
        case .geopackage(let url): try GeoPackageRows.rows(of: url, notice)
        }
    }
}
