import Archives
import Formats
import Foundation
import PluginKit

/// The table of activities that stands beside their files in an archive of Strava: names, kinds, descriptions and gear.
struct ActivityTable {
    /// A row.
    struct Activity {
        var name: String?
        var type: String?
        var comment: String?
        var gear: String?
    }

    /// Its kind among those of an importer.
    static let kind = "activities"
    /// The activities by their file, relative to the table.
    private(set) var activities: [String: Activity] = [:]
    /// The names and days of activities without a file, as those entered by hand.
    private(set) var unrecorded: [String] = []

    private static let file = "filename"
    /// Activities by the words of archives that differ from ours.
    private static let types = [
        "hike": "hiking", "walk": "walking", "run": "running", "trail run": "running",
        "virtual run": "running",
        "ride": "cycling", "virtual ride": "cycling", "gravel ride": "cycling",
        "mountain bike ride": "cycling",
        "e-bike ride": "e_biking", "nordic ski": "cross_country_skiing",
        "backcountry ski": "cross_country_skiing",
        "alpine ski": "alpine_skiing", "snowshoe": "snowshoeing", "swim": "swimming", "canoe": "paddling",
        "canoeing": "paddling", "kayak": "kayaking", "row": "rowing", "ice skate": "ice_skating",
        "inline skate": "inline_skating", "rock climb": "rock_climbing", "sail": "sailing",
    ]

    /// Whether a file that begins so is such a table.
    static func isTable(_ head: String) -> Bool {
        let first = head.prefix { !$0.isNewline }.lowercased()
        return first.contains("activity id") && first.split(separator: ",").contains { $0.contains(file) }
    }

    /// Reads a table. Throws `E-IMPORT-FORMAT` with the line.
    init(_ source: SourceBytes) throws {
        var dialect = CSVDialect()
        dialect.isStrict = false
        do {
            let rows = try CSVTokenizer(dialect, bytes: source.all())
            var places: [String: Int] = [:]
            while try rows.next() {
                let cells = (0..<rows.count).map { index in
                    String(decoding: rows[index], as: UTF8.self).trimmingCharacters(in: .whitespaces)
                }
                guard !places.isEmpty else {
                    for (place, cell) in cells.enumerated() where places[cell.lowercased()] == nil {
                        places[cell.lowercased()] = place
                    }
                    continue
                }
                func cell(_ name: String) -> String? {
                    guard let place = places[name], cells.indices.contains(place) else { return nil }
                    return cells[place].nonEmpty
                }
                guard let path = cell(Self.file) else {
                    // A row that ends early has none of the cells that would name it.
                    guard cells.contains(where: { !$0.isEmpty }) else { continue }
                    let name = cell("activity name") ?? cell("activity id") ?? "without a name"
                    unrecorded.append("`\(name)`" + (cell("activity date").map { " of \($0)" } ?? ""))
                    continue
                }
                activities[path] = Activity(
                    name: cell("activity name"),
                    type: cell("activity type").map { Self.types[$0.lowercased()] ?? $0.lowercased() },
                    comment: cell("activity description"), gear: cell("activity gear"))
            }
        } catch let fault as CSVFault {
            throw ImportErrors.format("\(source.name), \(fault)")
        }
    }
}

extension TrackImport {
    /// Takes the table of an archive; the hikes of its files get its names when all of them are in.
    func take(_ table: ActivityTable, _ file: SourceFile) -> SourceReport {
        let folder = file.path.lastIndex(of: "/").map { String(file.path[...$0]) } ?? ""
        tables.append((file.path, folder, table))
        var report = SourceReport(file: file.path, result: .imported)
        report.format = ActivityTable.kind
        let rows = table.unrecorded
        report.dropped += rows.prefix(Self.mostRows).map { "activity \($0) has no file, not imported" }
        if rows.count > Self.mostRows {
            report.dropped.append(
                "\(rows.count - Self.mostRows) more activities have no file, not imported")
        }
        report.kept = "names of \(table.activities.count, of: "activity", plural: "activities")"
        return report
    }

    /// Activities without a file that are named one by one.
    private static let mostRows = 20

    /// The activities of tables whose files are not in their archives.
    func missing(among files: Set<String>) -> [(file: String, words: String)] {
        tables.flatMap { file, folder, table in
            let missing = table.activities.filter { !files.contains(folder + $0.key) }
                .sorted { $0.key < $1.key }
            let words = missing.prefix(Self.mostRows).map { path, activity in
                "activity \(activity.name.map { "`\($0)` " } ?? "")names \(path), which is not there"
            }
            let more = missing.count - Self.mostRows
            return (words + (more > 0 ? ["\(more) more activities name files that are not there"] : []))
                .map { (file, $0) }
        }
    }

    /// Gives the hikes of this import the names, activities and texts that stand in the tables of their archives.
    func nameHikes() throws {
        guard !tables.isEmpty else { return }
        for (path, before, store) in addedHikes {
            for (_, folder, table) in tables where path.hasPrefix(folder) {
                guard let activity = table.activities[String(path.dropFirst(folder.count))] else { continue }
                var (after, recording) = (before, try store.recording(of: before))
                if let name = activity.name, options.name == nil { after.name = name }
                let gear = activity.gear.map { "Gear: \($0)" }
                let texts = [before.comment.nonEmpty ?? activity.comment, gear].compactMap(\.self)
                after.comment = texts.joined(separator: "\n")
                recording.line.type = activity.type ?? recording.line.type
                try undo.replace(before, by: after, recording, in: store)
            }
        }
    }
}
