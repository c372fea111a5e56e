import CivilTime
import Foundation
import GRDB
import Photos
import Pictures
import PluginKit
import TrailStores

/// Checks the rules of `waypoints.db`.
struct WaypointChecks: StoreChecking {
    let kind = StoreKind.waypoints
    private static let table = "waypoints"

    /// Checks every waypoint.
    func check(_ run: CheckRun) throws {
        try FormatFindings.check(run, kind, missing: WaypointFindings.columns, older: WaypointFindings.older)
        var identifiers = SharedKeys<UInt128>()
        var detector = Plausibility.SwapDetector()
        var marks = SharedKeys<Mark>()
        var records: [String: Int64] = [:]
        let photos = PhotoChecking()
        try run.visit(Self.table, WaypointSchema.needed + WaypointSchema.further) { row in
            let row = Checked(row: row, run: run, time: row.moment("timestamp"))
            row.identifier(&identifiers)
            row.coordinate(&detector)
            row.times()
            row.texts()
            row.mark(&marks)
            row.record(&records)
            pictures(row, photos)
        }
        if let missing = photos.missing, photos.seen > 0 {
            run.add(
                WaypointFindings.unchecked, table: Self.table,
                "\(photos.seen, of: "photo") not checked: \(missing)")
        }
        let twice = identifiers.repeated()
        for (row, first) in twice {
            run.add(
                WaypointFindings.twice, table: Self.table, row: row, id: run.text("id", Self.table, row),
                "the same id as row \(first)")
        }
        // A row with another row's identifier is reported as that.
        for (row, first) in marks.repeated(without: Set(twice.map(\.row))) {
            run.add(
                WaypointFindings.same, table: Self.table, row: row, id: run.text("id", Self.table, row),
                "coordinate, time and label are those of row \(first)")
        }
        for waypoint in detector.swapped {
            let values = "\(Literal.number(waypoint.latitude)), \(Literal.number(waypoint.longitude))"
            run.add(
                WaypointFindings.swapped, table: Self.table, row: waypoint.row, id: waypoint.id,
                "the others are near \(Literal.number(waypoint.longitude)), \(Literal.number(waypoint.latitude)), not \(values)",
                repair:
                    "UPDATE waypoints SET latitude = longitude, longitude = latitude WHERE _rowid_ = \(waypoint.row)"
            )
        }
        if let count = detector.atOnePlace {
            run.add(
                WaypointFindings.onePlace, table: Self.table, "all \(count) waypoints have one coordinate")
        }
        for (waypoint, column) in detector.mirrored {
            run.add(
                WaypointFindings.sign, table: Self.table, row: waypoint.row, id: waypoint.id,
                "no other is near \(Literal.number(waypoint.latitude)), \(Literal.number(waypoint.longitude)); with the other sign of the \(column) it lies among them"
            )
        }
        // Room's tables have different indexes.
        if run.profile.reader == .ios {
            try Plausibility.indexes(
                run, WaypointFindings.index,
                [
                    (Self.table, ["hike_id"], "idx_waypoints_hike"),
                    (Self.table, ["latitude", "longitude"], "idx_waypoints_location"),
                ])
        }
    }

    /// The values by which two rows are the same waypoint.
    private struct Mark: Comparable {
        /// The bits of latitude and longitude.
        let coordinate: UInt128
        /// The time, and a hash of the label.
        let name: UInt128

        static func < (one: Mark, other: Mark) -> Bool {
            one.coordinate < other.coordinate
                || one.coordinate == other.coordinate && one.name < other.name
        }
    }

    /// Whether photos can be decoded here, and how many there are.
    private final class PhotoChecking {
        /// Why none can be decoded; `nil` if they can.
        let missing: String?
        var seen = 0

        init() {
            do {
                try NativeLibrary.photos.require()
                missing = nil
            } catch {
                missing = error.message
            }
        }
    }

    private func pictures(_ checked: Checked, _ photos: PhotoChecking) {
        let row = checked.row
        let photo = picture("photo_data", checked, WaypointFindings.photo, photos)
        let thumbnail = picture("photo_thumbnail", checked, WaypointFindings.thumbnail, photos)
        let hasAny = !row.isNull("photo_data") || !row.isNull("photo_thumbnail")
        // A device that received only the thumbnail sets the flag; a thumbnail alone need not set it.
        let flag = row["has_photo"]
        switch flag {
        case .int64(0) where row.isNull("photo_data"): break
        case .int64(1) where hasAny: break
        case .null where !row.has("has_photo"): break
        case .int64(0), .int64(1):
            checked.add(
                WaypointFindings.flag,
                "has_photo is \(flag.shown), \(hasAny ? "a photo" : "nothing") is stored",
                repair: "has_photo = \(hasAny ? 1 : 0)")
        default:
            checked.add(
                WaypointFindings.flag, "has_photo is \(flag.shown), neither 0 nor 1",
                repair: "has_photo = \(hasAny ? 1 : 0)")
        }
        if photo != nil || photos.missing != nil && !row.isNull("photo_data"), row.isNull("photo_thumbnail") {
            checked.add(WaypointFindings.noThumbnail, "a photo without a thumbnail")
        }
        if let thumbnail { size(of: thumbnail, checked) }
    }

    /// The picture in a cell; adds a finding if it is not one.
    private func picture(
        _ column: String, _ checked: Checked, _ kind: FindingKind, _ photos: PhotoChecking
    ) -> (bytes: Int, picture: Bitmap)? {
        if checked.row.isNull(column) { return nil }
        switch checked.row[column] {
        case .blob(let data):
            photos.seen += 1
            // What a photo is can be told without decoding it.
            if photos.missing != nil {
                if PhotoKind(sniffing: data) != .jpeg { checked.add(kind, "\(column) is not a JPEG") }
                return nil
            }
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
        /// The creation time; `nil` if it is invalid.
        let time: Timestamp?

        /// Adds a finding; `repair` is the SQL assignment that fixes it.
        func add(_ kind: FindingKind, _ what: String, repair: String? = nil) {
            let statement = repair.flatMap { repair in
                row.number.map { "UPDATE waypoints SET \(repair) WHERE _rowid_ = \($0)" }
            }
            run.add(
                kind, table: WaypointChecks.table, row: row.number, id: row.text("id"), what,
                repair: statement)
        }

        func identifier(_ identifiers: inout SharedKeys<UInt128>) {
            guard row.has("id") else { return }
            guard let id = row.identifier("id") else {
                return add(WaypointFindings.identifier, "id is \(row["id"].shown)")
            }
            if Plausibility.isNil(id) {
                return add(WaypointFindings.identifier, "id is \(row["id"].shown), which names nothing")
            }
            guard let number = row.number else { return }
            identifiers.add(
                withUnsafeBytes(of: id.uuid) { $0.loadUnaligned(as: UInt128.self) }, row: number)
        }

        func coordinate(_ detector: inout Plausibility.SwapDetector) {
            var isValid = true
            for (column, limit) in [("latitude", 90.0), ("longitude", 180.0)] where row.has(column) {
                guard let number = row.number(column), abs(number) <= limit else {
                    isValid = false
                    add(WaypointFindings.place, "\(column) is \(row[column].shown)")
                    continue
                }
            }
            if isValid, let latitude = row.number("latitude"), let longitude = row.number("longitude") {
                if Plausibility.isNull(latitude, longitude) {
                    add(WaypointFindings.zero, "the coordinate is 0,0")
                } else if let number = row.number {
                    detector.add(number, row.text("id"), latitude, longitude)
                }
            }
            if row.isNull("altitude") { return }
            guard let altitude = row.number("altitude"), StoreSettings.altitudes.contains(altitude) else {
                return add(WaypointFindings.altitude, "altitude is \(row["altitude"].shown)")
            }
            if !CheckSettings.heights.contains(altitude) {
                add(WaypointFindings.height, "altitude is \(Literal.quantity(.metres(altitude)))")
            }
        }

        func times() {
            let refusal = row.utf8("timestamp") {
                run.profile.waypointDates.refusal(utf8: $0, isDate: time != nil)
            }
            if row.has("timestamp"), time == nil {
                let clocks = Plausibility.clocks("timestamp", of: row, now: run.now)
                add(WaypointFindings.time, "timestamp is \(row["timestamp"].shown)\(clocks)")
            } else if let refusal {
                add(
                    WaypointFindings.fraction,
                    "timestamp is '\(row.text("timestamp") ?? "")', \(refusal.rawValue): \(run.profile.name) drops the row",
                    // Without a zone the moment is not known.
                    repair: refusal == .noZone
                        ? nil : time.map { "timestamp = '\(ISO8601.text($0, fraction: .always))'" })
            }
            if let words = Plausibility.strange(time, now: run.now) {
                add(WaypointFindings.year, "timestamp is \(words)")
            }
            if row.isNull("modified_at") { return }
            guard let modified = row.moment("modified_at") else {
                let clocks = Plausibility.clocks("modified_at", of: row, now: run.now)
                return add(WaypointFindings.modified, "modified_at is \(row["modified_at"].shown)\(clocks)")
            }
            if let words = Plausibility.strange(modified, now: run.now) {
                add(WaypointFindings.year, "modified_at is \(words)")
            } else if let time, time.seconds(since: modified) > CheckSettings.clockTolerance {
                let early = Literal.duration(time.seconds(since: modified).rounded())
                add(WaypointFindings.before, "modified_at is \(early) before timestamp")
            }
        }

        func texts() {
            for column in ["label", "category", "note"] where row.has(column) {
                let fault = column == "label" ? Plausibility.damageOfName : Plausibility.damage
                guard let damage = row.utf8(column, { text in fault(text) ?? "" }) else {
                    let isNull = row.isNull(column)
                    let empty = "\(column) = '\(column == "category" ? "custom" : "")'"
                    add(
                        WaypointFindings.text, "\(column) is \(row[column].shown)",
                        repair: isNull ? empty : nil)
                    continue
                }
                if damage.isEmpty { continue }
                add(
                    WaypointFindings.damaged, "\(column) has \(damage)",
                    repair: Plausibility.cleaned(row.text(column)).map { "\(column) = \($0.sqlLiteral)" })
            }
            if let category = row.text("category"), WaypointCategory.known(category) == nil {
                add(WaypointFindings.category, "category is \(row["category"].shown)")
            }
            if row.isNull("hike_id") { return }
            if row.identifier("hike_id") == nil {
                add(WaypointFindings.hike, "hike_id is \(row["hike_id"].shown)")
            }
        }

        /// Compares the record in the cloud with those of the rows before.
        func record(_ records: inout [String: Int64]) {
            if row.isNull("cloudkit_record_id") { return }
            guard let number = row.number, let record = row.text("cloudkit_record_id"), !record.isEmpty else {
                if row.text("cloudkit_record_id") == nil {
                    add(WaypointFindings.text, "cloudkit_record_id is \(row["cloudkit_record_id"].shown)")
                }
                return
            }
            if let first = records[record] {
                add(
                    WaypointFindings.record,
                    "its record \(record.prefix(60)) in the cloud is that of row \(first)")
            } else {
                records[record] = number
            }
        }

        /// Adds the values that identify duplicates.
        func mark(_ marks: inout SharedKeys<Mark>) {
            guard let number = row.number, let latitude = row.number("latitude"),
                let longitude = row.number("longitude"), let time,
                let label = row.utf8("label", { FNV1a.hash($0) })
            else { return }
            // Adding zero turns -0 into 0.
            let coordinate = ((latitude + 0).bitPattern, (longitude + 0).bitPattern)
            let moment = UInt64(bitPattern: time.milliseconds)
            marks.add(
                Mark(
                    coordinate: UInt128(coordinate.0) << UInt64.bitWidth | UInt128(coordinate.1),
                    name: UInt128(moment) << UInt64.bitWidth | UInt128(label)),
                row: number)
        }
    }
}
