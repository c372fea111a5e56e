import Archives
import CivilTime
import Core
import Foundation
import Geodesy

/// Reads track files of OziExplorer (`.plt`), which others write too: six lines of head, then rows of latitude, longitude, 1 where a segment begins, height in
/// feet (−777 for none), and days since 30 December 1899.
enum OziTrackReader {
    /// The words of the first line, of the program itself and of a collection of tracks in its format.
    private static let marks = ["OziExplorer Track Point File", "Geolife trajectory"]
    private static let headLines = 6
    /// The height that stands for none.
    private static let noHeight = -777.0
    /// Days from 30 December 1899 to 1970.
    private static let epoch = 25_569.0
    /// The name of the datum of WGS 84, in the second line.
    private static let datum = "WGS 84"

    static func isTrack(_ text: String) -> Bool {
        let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        return marks.contains { start.hasPrefix($0) }
    }

    /// The track of a file.
    static func document(_ source: SourceBytes, check: () throws -> Void) throws -> GPXDocument {
        try JSONSource.checkSize(source)
        let bytes = try source.all()
        let text = String(
            decoding: DataEncoding(head: bytes, isWhole: true).converted(bytes) ?? bytes, as: UTF8.self)
        guard isTrack(text) else { throw ImportErrors.format("\(source.name) is not a track of OziExplorer") }
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        var log = LogPoints()
        if lines.count > 1, lines[1].trimmingCharacters(in: .whitespaces) != datum {
            log.doubts.add(
                "the datum `\(lines[1].trimmingCharacters(in: .whitespaces).prefix(40))`, read as WGS 84: off by up to some hundred metres"
            )
        }
        var segments: [[GPXPoint]] = []
        for (index, line) in lines.dropFirst(headLines).enumerated() where !line.allSatisfy(\.isWhitespace) {
            if index % GPXSettings.checkInterval == 0 { try check() }
            log.account.seen += 1
            guard log.account.seen <= GPXSettings.mostPoints else {
                throw ImportErrors.tooLarge("\(source.name) has more than \(GPXSettings.mostPoints) points")
            }
            let cells = line.split(separator: ",", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            func number(_ place: Int) -> Double? {
                cells.indices.contains(place) ? DecimalBytes.decimal(cells[place]) : nil
            }
            let height = number(3).flatMap { $0 == noHeight ? nil : $0 * LogSettings.foot }
            guard let place = Coordinate(log: number(0), number(1), altitude: height) else {
                log.leaveOut("rows without a possible position", "rows without a possible position, left out")
                continue
            }
            var point = GPXPoint(coordinate: place)
            if let days = number(4), days > 0 {
                // Rounded to the second, which seven decimals of a day are finer than.
                let seconds = ((days - epoch) * Double(LogSettings.day) / 1000).rounded()
                point.time = LogSettings.moment(seconds: seconds)
            }
            if number(2) == 1 || segments.isEmpty { segments.append([]) }
            segments[segments.count - 1].append(point)
        }
        if segments.contains(where: { $0.contains { $0.time != nil } }) {
            log.doubts.add("times without a zone, taken as UTC")
        }
        let name = lines.count > 4 ? lines[4].split(separator: ",", omittingEmptySubsequences: false) : []
        var document = log.document()
        document.tracks = segments.isEmpty ? [] : [GPXLine(segments: segments)]
        if name.count > 3, !document.tracks.isEmpty {
            document.tracks[0].name = name[3].trimmingCharacters(in: .whitespaces).nonEmpty
        }
        return document
    }
}
