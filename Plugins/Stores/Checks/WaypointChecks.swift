import CivilTime
import Foundation
import GRDB
import Pictures
import PluginKit
import TrailStores

/// Checks the rules of `waypoints.db`.
struct WaypointChecks: StoreChecking {
    let kind = StoreKind.waypoints
    private static let table = "waypoints"

    /// Looks at every waypoint.
    func check(_ run: CheckRun) throws {
        try FormatFindings.check(run, kind, missing: WaypointFindings.columns, older: WaypointFindings.older)
        var seen: [UUID: Int64] = [:]
        try run.visit(Self.table, WaypointSchema.needed + WaypointSchema.further) { row in
            let row = Checked(row: row, run: run)
            row.identifier(&seen)
            row.place()
            row.times()
            row.texts()
            try pictures(row)
        }
    }

    private func pictures(_ checked: Checked) throws {
        let row = checked.row
        let photo = try picture("photo_data", checked, WaypointFindings.photo)
        let thumbnail = try picture("photo_thumbnail", checked, WaypointFindings.thumbnail)
        let hasAny = !row["photo_data"].isNull || !row["photo_thumbnail"].isNull
        // A device that received only the thumbnail sets the flag; a thumbnail alone need not set it.
        let flag = row["has_photo"]
        switch flag {
        case .int64(0) where row["photo_data"].isNull: break
        case .int64(1) where hasAny: break
        case .null where !row.has("has_photo"): break
        case .int64(0), .int64(1):
            checked.add(
                WaypointFindings.flag,
                "has_photo is \(flag.shown), \(hasAny ? "a photo" : "nothing") is stored")
        default: checked.add(WaypointFindings.flag, "has_photo is \(flag.shown), neither 0 nor 1")
        }
        if photo != nil, row["photo_thumbnail"].isNull {
            checked.add(WaypointFindings.noThumbnail, "a photo without a thumbnail")
        }
        if let thumbnail { size(of: thumbnail, checked) }
    }

    /// The picture in a cell; adds a finding if it is not one.
    private func picture(
        _ column: String, _ checked: Checked, _ kind: FindingKind
    ) throws -> (bytes: Int, picture: Bitmap)? {
        switch checked.row[column] {
        case .null: return nil
        case .blob(let data):
            try NativeLibrary.photos.require()
            do {
                let picture = try Photos.decode(data)
                if PhotoKind(sniffing: data) == .jpeg { return (data.count, picture) }
                checked.add(kind, "\(column) is not a JPEG")
            } catch {
                checked.add(kind, "\(column): \(error), \(data.count) bytes")
            }
        case let other: checked.add(kind, "\(column) is \(other.shown)")
        }
        return nil
    }

    private func size(of thumbnail: (bytes: Int, picture: Bitmap), _ checked: Checked) {
        let (bytes, picture) = thumbnail
        let side = StoreSettings.thumbnailSide
        if picture.width != side || picture.height != side {
            checked.add(WaypointFindings.thumbnailSize, "\(picture.width) × \(picture.height) pixels")
        } else if bytes > StoreSettings.largestThumbnail {
            checked.add(WaypointFindings.thumbnailSize, "\(bytes) bytes")
        }
    }

    // MARK: Cells

    private struct Checked {
        let row: CheckedRow
        let run: CheckRun

        func add(_ kind: FindingKind, _ what: String) {
            run.add(kind, table: WaypointChecks.table, row: row.number, id: row.text("id"), what)
        }

        func identifier(_ seen: inout [UUID: Int64]) {
            guard row.has("id") else { return }
            guard let id = row.text("id").flatMap(UUID.init(uuidString:)) else {
                return add(WaypointFindings.identifier, "id is \(row["id"].shown)")
            }
            if let first = seen[id] {
                add(WaypointFindings.twice, "the same id as row \(first)")
            } else {
                seen[id] = row.number ?? 0
            }
        }

        func place() {
            for (column, limit) in [("latitude", 90.0), ("longitude", 180.0)] where row.has(column) {
                guard let number = row.number(column), abs(number) <= limit else {
                    add(WaypointFindings.place, "\(column) is \(row[column].shown)")
                    continue
                }
            }
            if row["altitude"].isNull { return }
            guard let altitude = row.number("altitude"), StoreSettings.altitudes.contains(altitude) else {
                return add(WaypointFindings.altitude, "altitude is \(row["altitude"].shown)")
            }
        }

        func times() {
            if row.has("timestamp"), row.text("timestamp").flatMap({ ISO8601.timestamp($0) }) == nil {
                add(WaypointFindings.time, "timestamp is \(row["timestamp"].shown)")
            }
            if row["modified_at"].isNull { return }
            if row.text("modified_at").flatMap({ ISO8601.timestamp($0) }) == nil {
                add(WaypointFindings.modified, "modified_at is \(row["modified_at"].shown)")
            }
        }

        func texts() {
            for column in ["label", "category", "note"] where row.has(column) && row.text(column) == nil {
                add(WaypointFindings.text, "\(column) is \(row[column].shown)")
            }
            if let category = row.text("category"), WaypointCategory.known(category) == nil {
                add(WaypointFindings.category, "category is \(row["category"].shown)")
            }
            if row["hike_id"].isNull { return }
            if row.text("hike_id").flatMap(UUID.init(uuidString:)) == nil {
                add(WaypointFindings.hike, "hike_id is \(row["hike_id"].shown)")
            }
        }
    }
}
