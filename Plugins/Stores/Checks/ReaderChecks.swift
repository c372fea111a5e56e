import CivilTime
import Formats
import Foundation
import GRDB
import PluginKit
import TrailStores

/// The rows that an app would drop, and why: the question of most bug reports.
enum ReaderFindings {
    static let row = FindingKind(
        .error, "F-READER-ROW", "the app drops the row",
        why: "Its reader silently skips a row that it cannot decode.",
        fix: "correct the named value in a copy")
    static let table = FindingKind(
        .error, "F-READER-TABLE", "the app cannot read the table",
        why: "Its statement names a column that the table lacks, so the list stays empty.",
        fix: "open the store with the app whose columns it has, or export and import its rows")
    static let track = FindingKind(
        .warning, "F-READER-TRACK", "the app shows the hike without its track",
        why: "The row is read, but its blob is in a format that the app does not inflate, or damaged.",
        fix: "write the track again in the app's format")
    static let unsure = FindingKind(
        .info, "F-READER-UNSURE", "what the app does is not known",
        why: "The value is odd, and it was never tried whether the app accepts it.",
        fix: "try it with the app")
    static let file = FindingKind(
        .error, "F-READER-FILE", "the app skips the file",
        why: "A planned route whose JSON does not decode is missing from the list.",
        fix: "correct the named key; the file is text")
    static let all = [row, table, track, file, unsure]
}

/// Reads a store as one app does.
struct ReaderChecks {
    let profile: FormatProfile

    /// The number of rows that the app shows, and of all rows.
    struct Shown: Sendable {
        var shown = 0
        var all = 0
    }

    /// Adds the rows that the app drops; `nil` for kinds of store that only one program reads.
    func check(_ run: CheckRun, _ kind: StoreKind) throws -> Shown? {
        switch kind {
        case .waypoints: try waypoints(run)
        case .hikes: try hikes(run)
        case .plannedRoutes: try routes(run)
        default: nil
        }
    }

    private func columnsAreThere(_ run: CheckRun, _ table: String, _ wanted: [String]) throws -> Bool {
        let present = try run.columns(table)
        let missing = wanted.map { profile.column($0) }.filter { !present.contains($0) }
        if missing.isEmpty { return true }
        run.add(
            ReaderFindings.table, table: table,
            "\(profile.name) requires \(missing.joined(separator: ", ")), which the table lacks")
        return false
    }

    private func waypoints(_ run: CheckRun) throws -> Shown {
        var shown = Shown()
        let isReadable = try columnsAreThere(
            run, "waypoints",
            [
                "id", "latitude", "longitude", "timestamp", "label", "category", "photo_data",
                "photo_thumbnail",
            ])
        try run.visit("waypoints", ["id", "latitude", "longitude", "timestamp"]) { row in
            shown.all += 1
            let reasons = identifier(row) + date(row, "timestamp", profile.waypointDates)
            for reason in reasons {
                run.add(
                    ReaderFindings.row, table: "waypoints", row: row.number, id: row.text("id"),
                    "\(profile.name) drops it: \(reason)")
            }
            if reasons.isEmpty { shown.shown += 1 }
        }
        if !isReadable { shown.shown = 0 }
        return shown
    }

    private func hikes(_ run: CheckRun) throws -> Shown {
        var shown = Shown()
        let table = "saved_routes"
        let isReadable = try columnsAreThere(
            run, table, ["id", "name", "start_time", "end_time", "track_data", "avg_heart_rate"])
        try run.visit(table, ["id", "start_time", "end_time", "track_data"]) { row in
            shown.all += 1
            let reasons =
                identifier(row) + date(row, "start_time", profile.hikeDates)
                + date(row, "end_time", profile.hikeDates)
            for reason in reasons {
                run.add(
                    ReaderFindings.row, table: table, row: row.number, id: row.text("id"),
                    "\(profile.name) drops it: \(reason)")
            }
            if reasons.isEmpty { shown.shown += 1 }
            let (problem, doubt) = try track(row)
            if let doubt {
                run.add(ReaderFindings.unsure, table: table, row: row.number, id: row.text("id"), doubt)
            }
            if let problem {
                run.add(
                    ReaderFindings.track, table: table, row: row.number, id: row.text("id"),
                    "\(profile.name) shows no track: \(problem)")
            }
        }
        if !isReadable { shown.shown = 0 }
        return shown
    }

    /// Why the app shows no track, and what is not known about that.
    private func track(_ row: CheckedRow) throws -> (problem: String?, doubt: String?) {
        guard case .blob(let blob) = row["track_data"] else {
            return ("track_data is \(row["track_data"].shown)", nil)
        }
        guard let track = try TrackBlob(blob, source: "track_data") else {
            return ("\(blob.count) bytes that do not inflate", nil)
        }
        if track.isCut { return ("the stream is cut short after \(track.points) points", nil) }
        guard profile.framings.contains(track.framing) else {
            return ("\(track.points) points in \(track.framing.rawValue) framing", nil)
        }
        guard track.trailing > 0 else { return (nil, nil) }
        return (
            nil,
            "\(track.trailing, of: "byte") behind a complete stream of \(track.points) points: whether \(profile.name) shows the track is not known"
        )
    }

    private func routes(_ run: CheckRun) throws -> Shown {
        var shown = Shown()
        let table = DocumentLayout.table(of: .plannedRoutes)
        for (index, document) in try DocumentFiles(run.url).documents.enumerated() {
            try run.step(table)
            shown.all += 1
            var reason: String?
            do throws(JSONFault) {
                _ = try PlannedRoute(json: try document.content.get())
            } catch {
                reason = error.description
            }
            for key in ["createdAt", "modifiedAt"] {
                guard let date = document.tree?[key]?.text, let refusal = profile.routeDates.refusal(date)
                else { continue }
                reason = reason ?? "\(key) is '\(date)', \(refusal.rawValue)"
            }
            if let reason {
                run.add(
                    ReaderFindings.file, table: table, row: Int64(index + 1), id: document.file,
                    "\(profile.name) skips \(document.file): \(reason)")
            } else {
                shown.shown += 1
            }
        }
        return shown
    }

    private func identifier(_ row: CheckedRow) -> [String] {
        if row.identifier("id") != nil { return [] }
        // Java's UUID.fromString is laxer, but Room compares identifiers as text.
        return profile.reader == .ios || row.text("id") == nil ? ["id is \(row["id"].shown), not a UUID"] : []
    }

    private func date(_ row: CheckedRow, _ column: String, _ rule: FormatProfile.Fraction) -> [String] {
        guard let text = row.text(column) else { return ["\(column) is \(row[column].shown)"] }
        return rule.refusal(text).map { ["\(column) is '\(text)', \($0.rawValue)"] } ?? []
    }
}
