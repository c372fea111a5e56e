import Archives
import CivilTime
import Core
import Foundation

/// Logs of GnssLogger on Android phones: the rows `Fix` among those of raw measurements, whose names stand in a comment.
struct GnssLog {
    /// The rows as a table that names its columns.
    let table: SourceBytes
    /// What was left out, with its count.
    private(set) var doubts = Tally()

    /// What the columns of the rows are called in the table.
    private static let names = [
        "latitudedegrees": "lat", "longitudedegrees": "lon", "altitudemeters": "ele",
        "speedmps": "speed (m/s)", "accuracymeters": "accuracy (m)", "bearingdegrees": "course",
        "unixtimemillis": "time", "(utc)timeinms": "time",
    ]
    /// Sources of positions, best first: those of satellites, and what Android makes of all.
    private static let providers = ["GPS", "FLP", "NLP"]
    private static let mark = "# Fix,"

    /// Whether a text begins as such a log.
    static func isLog(_ head: String) -> Bool {
        head.hasPrefix("#") && head.contains("\n\(mark)Provider,")
    }

    /// Reads a log. Throws `E-FILE-ACCESS`, or `E-IMPORT-FORMAT` for one without positions.
    init(_ source: SourceBytes) throws {
        try JSONSource.checkSize(source)
        let lines = String(decoding: try source.all(), as: UTF8.self).split(whereSeparator: \.isNewline)
        let header = lines.first { $0.hasPrefix(Self.mark) } ?? ""
        let columns = header.dropFirst(2).split(separator: ",", omittingEmptySubsequences: false)
        let rows = lines.lazy.filter { $0.hasPrefix("Fix,") }
            .map { $0.split(separator: ",", omittingEmptySubsequences: false) }.filter { $0.count > 1 }
        let found = Set(rows.map { $0[1].uppercased() })
        guard let provider = Self.providers.first(where: found.contains) ?? found.min() else {
            throw ImportErrors.format("\(source.name) is a log of GnssLogger without positions")
        }
        var text = columns.map { Self.names[$0.lowercased()] ?? String($0) }.joined(separator: ",")
        for row in rows {
            guard row[1].uppercased() == provider else {
                doubts.add("positions of \(row[1].prefix(20)) beside those of \(provider), left out")
                continue
            }
            text += "\n" + row.joined(separator: ",")
        }
        table = SourceBytes(Array(text.utf8), name: source.name)
    }
}
