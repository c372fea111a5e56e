import Archives
import Formats
import Foundation

/// The table `activities.csv` of an archive of Strava, and `cardioActivities.csv` of Runkeeper. Strava's columns are named in the
/// language of the account; their order is the same in all.
enum StravaActivities {
    private static let file = "filename"
    /// The same column of Runkeeper's.
    private static let runkeeperFile = "gpx file"
    /// Where files stand in the archive, which shows their column in any language.
    private static let folder = "activities/"
    /// The places of columns in tables of any language.
    private enum Place {
        static let (number, date, name, type, comment) = (0, 1, 2, 3, 4)
    }
    /// Columns before that of the files in the shortest of these tables.
    private static let leastColumns = 6
    /// Rows in which the column of files is looked for.
    private static let lookedAt = 200

    /// Whether a file that begins so is such a table.
    static func isTable(_ head: String) -> Bool {
        let first = head.prefix { !$0.isNewline }
        let words = first.lowercased()
        if words.contains("activity id"),
            words.split(separator: ",").contains(where: { $0.contains(file) || $0.contains(runkeeperFile) })
        {
            return true
        }
        return first.split(separator: ",").count > leastColumns && head.contains("," + folder)
    }

    /// Reads a table. Throws `E-IMPORT-FORMAT` with the line.
    static func read(_ source: SourceBytes, into table: inout ActivityTable) throws {
        var dialect = CSVDialect()
        dialect.isStrict = false
        var all: [[String]] = []
        do {
            let rows = try CSVTokenizer(dialect, bytes: source.all())
            while try rows.next() {
                all.append(
                    (0..<rows.count).map { index in
                        String(decoding: rows[index], as: UTF8.self).trimmingCharacters(in: .whitespaces)
                    })
            }
        } catch let fault as CSVFault {
            throw ImportErrors.format("\(source.name), \(fault)")
        }
        guard let header = all.first else { return }
        let columns = Columns(header, all.dropFirst().prefix(lookedAt))
        for cells in all.dropFirst() {
            func cell(_ place: Int?) -> String? {
                place.flatMap { cells.indices.contains($0) ? cells[$0].nonEmpty : nil }
            }
            guard let path = cell(columns.file) else {
                // A row that ends early has none of the cells that would name it.
                guard cells.contains(where: { !$0.isEmpty }) else { continue }
                let name = cell(columns.name) ?? cell(columns.number) ?? "without a name"
                table.unrecorded.append("`\(name)`" + (cell(columns.date).map { " of \($0)" } ?? ""))
                continue
            }
            table.activities[path] = ActivityTable.Activity(
                name: cell(columns.name), type: cell(columns.type).map(TrackActivity.named),
                comment: cell(columns.comment), gear: cell(columns.gear))
        }
        if columns.isByOrder { table.doubts.append("columns of another language, read by their order") }
    }

    /// The columns that are read.
    private struct Columns {
        var number, date, name, type, comment, gear, file: Int?
        /// Whether the names are of another language.
        var isByOrder = false

        init(_ header: [String], _ rows: ArraySlice<[String]>) {
            let names = header.map { $0.lowercased() }
            func place(_ name: String) -> Int? { names.firstIndex(of: name) }
            file = place(StravaActivities.file)
            if let files = place(StravaActivities.runkeeperFile) {
                (number, date, name) = (place("activity id"), place("date"), place("route name"))
                (type, comment, file) = (place("type"), place("notes"), files)
                return
            }
            guard file == nil else {
                (number, date, name) = (place("activity id"), place("activity date"), place("activity name"))
                (type, comment) = (place("activity type"), place("activity description"))
                gear = place("activity gear")
                return
            }
            isByOrder = true
            (number, date, name) = (Place.number, Place.date, Place.name)
            (type, comment) = (Place.type, Place.comment)
            let counts = header.indices.map { column in
                rows.count { $0.indices.contains(column) && $0[column].hasPrefix(StravaActivities.folder) }
            }
            file = counts.max().flatMap { most in most > 0 ? counts.firstIndex(of: most) : nil }
            gear = file.flatMap { $0 > Place.comment + 1 ? $0 - 1 : nil }
        }
    }
}
