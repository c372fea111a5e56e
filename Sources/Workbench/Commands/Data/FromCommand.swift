import Formats
import Foundation
import PluginKit

/// `from FORMAT [--file FILE]`
struct FromCommand: CommandProvider {
    var name: String { "from" }

    var command: Command {
        Command(
            name, "parse text as values",
            details: """
                json: objects become records, arrays of objects tables, with the fields of all of them; numbers \
                keep up to 38 digits, longer ones are text. NaN, None, trailing commas and objects one after the other, as \
                other programs write them, are read with a notice.
                jsonl: a JSON value in each line.
                csv: the first line names the columns. A column has one kind: number, boolean, date, coordinate, quantity or \
                text, found from a file of up to 1 MiB, or the beginning of a longer one; a cell further on \
                that is of another kind is an error with its line. \
                Quotes say nothing about the kind, blanks around a value are ignored, empty cells are nothing, and numbers with \
                leading zeros are text. The separator and the encoding are recognised, and so are tables of Markdown and of shells \
                of databases, columns that blanks align, and logs that name their fields. Rows are read as they are requested.
                geojson: a row for each feature, with its point in `at` or its line in `line`, then the properties.
                text: the text itself. lines: its lines, one at a time.
                """,
            .positional(
                "format", .choice(of: InputFormat.self) { $0.summary },
                "json, jsonl, csv, geojson, text or lines"),
            .option("file", .inputFile, "file to read instead of the pipe"),
            .option("encoding", .text, NamedEncoding.help),
            .option("separator", .text, "csv: separator of cells, such as ';' or tab; recognised if omitted"),
            .option("types", .text, "csv: kinds of columns, such as 'zip=text,beds=number'"),
            .option(
                "skip", .integer(0...10_000), default: "0", "csv: lines before the one that names the columns"
            ),
            .option("comment", .text, "csv: leave out lines that begin with this character, such as '#'"),
            .option("missing", .text, "csv: cells that stand for a missing value, such as 'NA,-'"),
            .flag(
                "units",
                "csv: take units from names such as `distance (m)`, or skip the line below the names, which has them"
            ),
            .flag("text", "csv: keep numbers as text, for ids such as 0042 and 17"),
            .flag("quoted-text", "csv: keep cells in quotes as text"),
            .flag(
                "lenient",
                "csv: allow rows of other lengths, and quotes anywhere; jsonl: leave out lines that are no JSON"
            ),
            .flag("no-header", "csv: treat the first line as a row; columns are numbered"),
            input: .optional(.value("text")), output: .any, effect: .pure,
            examples: [
                .init(
                    "an object", "'{\"beds\":50,\"open\":true}' | from json", gives: "beds  50\nopen  true"),
                .init("rows", "\"name,beds\\nIlla,50\\nSorteny,46\" | from csv | sum beds", gives: "96"),
                .init("lines", "\"one\\ntwo\" | from lines | last", gives: "two"),
            ],
            searchTerms: [
                "output of another program",
                "parse", "read", "import", "json", "csv", "pasted text", "standard input", "separator",
                "no header line", "delimiter",
            ]
        ) {
            input, context, format, file, encoding, separator, types, skip, comment, missing, units, text,
            quotedText, lenient,
            noHeader in
            let source = try TextSource(
                file: file, input: input, files: context.files,
                encoding: try encoding.map(NamedEncoding.init(argument:)))
            if let file,
                let other = OtherFile(
                    head: source.head, typed: context.files.typedPath(of: file),
                    isTable: format != .text && format != .lines)
            {
                throw DataErrors.format(
                    "\(file.lastPathComponent) is \(other.name)", at: .parameter("file"), fix: other.fix)
            }
            let log = context.log
            switch format {
            case .json: return try source.json { log.notice("\($0)") }
            case .jsonl: return try source.jsonLines(isLenient: lenient) { log.notice("\($0)") }
            case .geojson: return try source.geojson { log.notice("\($0)") }
            case .text: return .text(try source.text())
            case .lines: return source.lines()
            case .csv:
                guard !units || !noHeader else {
                    throw CommonErrors.argumentRange(
                        "--units and --no-header cannot be combined: no line has names",
                        at: .parameter("units"),
                        fix: "omit one of them")
                }
                return try source.csv(
                    CSVOptions(
                        separator: try separator.map(separatorByte), skippedLines: skip,
                        comment: try comment.map { try byte($0, "comment", fix: "--comment '#'") },
                        missing: Set((missing ?? "").split(separator: ",").map(Self.trimmed)),
                        hasUnits: units,
                        keepsText: text,
                        keepsQuotedText: quotedText, lacksHeader: noHeader, isLenient: lenient,
                        kinds: try types.map(kinds) ?? [:], zone: context.environment.timeZone))
            }
        }
    }

    /// Kinds by column, from `beds=number,zip=text`.
    private func kinds(_ text: String) throws(RutterError) -> [String: ColumnKind] {
        var kinds: [String: ColumnKind] = [:]
        for item in text.split(separator: ",") {
            let parts = item.split(separator: "=", maxSplits: 1).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            guard parts.count == 2, !parts[0].isEmpty else {
                throw CommonErrors.argumentRange(
                    "`\(item)` is not COLUMN=KIND", at: .parameter("types"),
                    fix: "--types 'zip=text,beds=number'")
            }
            guard let kind = ColumnKind(rawValue: parts[1]) else {
                let names = ColumnKind.allCases.map(\.rawValue)
                throw CommonErrors.argumentRange(
                    "`\(parts[1])` is no kind of column", at: .parameter("types"),
                    fix: "kinds are " + names.joined(separator: ", "),
                    suggestion: Suggestion.nearest(to: parts[1], in: names))
            }
            kinds[parts[0]] = kind
        }
        return kinds
    }

    private func separatorByte(_ text: String) throws(RutterError) -> UInt8 {
        if text == "tab" || text == "\t" { return UInt8(ascii: "\t") }
        return try byte(text, "separator", fix: "--separator ';' or --separator tab")
    }

    private func byte(_ text: String, _ parameter: String, fix: String) throws(RutterError) -> UInt8 {
        guard let byte = text.utf8.first, text.utf8.count == 1, ![10, 13, UInt8(ascii: "\"")].contains(byte)
        else {
            throw CommonErrors.argumentRange(
                "--\(parameter) takes one character, not `\(text)`", at: .parameter(parameter), fix: fix)
        }
        return byte
    }

    private static func trimmed(_ text: Substring) -> String { text.trimmingCharacters(in: .whitespaces) }
}

/// The formats that text is read in.
private enum InputFormat: String, CaseIterable, Sendable {
    case json, jsonl, csv, geojson, text, lines

    var summary: String {
        switch self {
        case .json: "a JSON value"
        case .jsonl: "a JSON value in each line"
        case .csv: "rows; the first line names the columns"
        case .geojson: "features as rows, with `at` or `line`"
        case .text: "the text unchanged"
        case .lines: "the lines of the text"
        }
    }
}
