import Foundation
import PluginKit

/// `from FORMAT [--file FILE]`
struct FromCommand: CommandProvider {
    var name: String { "from" }

    var command: Command {
        Command(
            name, "parse text as values",
            details: """
                json: objects become records, arrays of objects tables, with the fields of all of them; whole numbers beyond 64 \
                bits lose digits.
                csv: the first line names the columns. Cells that are numbers become numbers, empty cells nothing, \
                everything else is text; quoted cells and leading zeros are always text. Rows are read as they are \
                requested.
                geojson: a row for each feature, with its point in `at` or its line in `line`, then the properties.
                text: the text itself. lines: its lines, one at a time.
                """,
            .positional(
                "format", .choice(of: InputFormat.self) { $0.summary }, "json, csv, geojson, text or lines"),
            .option("file", .inputFile, "file to read instead of the pipe"),
            .option("separator", .text, default: ",", "csv: separator of cells, such as ';' or tab"),
            .flag("text", "csv: keep numbers as text, for ids such as 0042 and 17"),
            .flag("no-header", "csv: treat the first line as a row; columns are numbered"),
            input: .optional(.value("text")), output: .any, effect: .pure,
            examples: [
                .init(
                    "an object", "'{\"beds\":50,\"open\":true}' | from json", gives: "beds  50\nopen  true"),
                .init("rows", "\"name,beds\\nIlla,50\\nSorteny,46\" | from csv | sum beds", gives: "96"),
                .init("lines", "\"one\\ntwo\" | from lines | last", gives: "two"),
            ], searchTerms: ["parse", "read", "import", "json", "csv"]
        ) { input, _, format, file, separator, text, noHeader in
            let source = try TextSource(file: file, input: input)
            switch format {
            case .json: return try source.json()
            case .geojson: return try source.geojson()
            case .text: return .text(try source.text())
            case .lines: return source.lines()
            case .csv:
                var csv = source.csv()
                csv.separator = try separatorByte(separator)
                csv.keepsText = text
                csv.lacksHeader = noHeader
                return try csv.rows()
            }
        }
    }

    private func separatorByte(_ text: String) throws(RutterError) -> UInt8 {
        if text == "tab" || text == "\t" { return UInt8(ascii: "\t") }
        guard let byte = text.utf8.first, text.utf8.count == 1, byte >= 32, byte != UInt8(ascii: "\"") else {
            throw CommonErrors.argumentRange(
                "the separator is one character, not `\(text)`", at: .parameter("separator"),
                fix: "--separator ';' or --separator tab")
        }
        return byte
    }
}

/// The formats that text is read in.
private enum InputFormat: String, CaseIterable, Sendable {
    case json, csv, geojson, text, lines

    var summary: String {
        switch self {
        case .json: "a JSON value"
        case .csv: "rows; the first line names the columns"
        case .geojson: "features as rows, with `at` or `line`"
        case .text: "the text unchanged"
        case .lines: "the lines of the text"
        }
    }
}
