import Formats
import PluginKit

/// Writes values in one format.
protocol DataWriter {
    /// Writes the value without a line end after the last line.
    func write(_ value: Value, to sink: TextSink) throws
}

/// The output formats.
enum DataFormat: String, CaseIterable, Sendable {
    case json, jsonl, csv, tsv, markdown, geojson, gpx, kml, text

    /// What it is, for help and completion.
    var summary: String {
        switch self {
        case .json: "any value; quantities as plain numbers in base units"
        case .jsonl: "a compact JSON value in each line, one for each row"
        case .csv: "rows, by RFC 4180"
        case .tsv: "rows, with tabs between cells; quotes as in CSV"
        case .markdown: "rows as a table, a list as a list"
        case .geojson: "points and lines, by RFC 7946"
        case .gpx: "points as waypoints, lines as tracks, GPX 1.1"
        case .kml: "points and lines as placemarks, KML 2.2"
        case .text: "as in the terminal, with all rows"
        }
    }

    /// The extension of such files.
    var fileExtension: String {
        switch self {
        case .markdown: "md"
        case .text: "txt"
        default: rawValue
        }
    }

    /// The format of files with an extension.
    init?(fileExtension: String) {
        let wanted = fileExtension.lowercased()
        guard let format = Self.allCases.first(where: { $0.fileExtension == wanted }) else { return nil }
        self = format
    }

    /// Whether it has columns and cells.
    var isTable: Bool { self == .csv || self == .tsv }

    /// The end of a line, which follows the last line of a file.
    var lineEnd: String { isTable ? CSVLine.end : "\n" }

    func writer(
        _ environment: Environment, compact: Bool = false, style: CSVStyle = CSVStyle(),
        notice: @escaping (String) -> Void = { _ in }
    ) -> any DataWriter {
        switch self {
        case .json: JSONDataWriter(timeZone: environment.timeZone, compact: compact)
        case .jsonl: JSONLinesWriter(timeZone: environment.timeZone)
        case .csv: CSVDataWriter(timeZone: environment.timeZone, style: style, notice: notice)
        case .tsv:
            CSVDataWriter(
                timeZone: environment.timeZone, separator: UInt8(ascii: "\t"), style: style, notice: notice)
        case .markdown: MarkdownWriter(environment: environment)
        case .geojson: GeoJSONDataWriter(timeZone: environment.timeZone, compact: compact)
        case .gpx: GPXDataWriter(notice: notice)
        case .kml: KMLDataWriter()
        case .text: PlainTextWriter(environment: environment)
        }
    }
}
