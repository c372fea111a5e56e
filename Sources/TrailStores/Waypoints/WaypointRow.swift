import CivilTime
import Core
import Foundation
import GRDB
import Geodesy

/// Reads and writes waypoints as rows of `waypoints.db`.
enum WaypointRow {
    private static let names = [
        "id", "latitude", "longitude", "altitude", "timestamp", "label", "category", "note", "has_photo",
        "hike_id", "modified_at", "cloudkit_record_id",
    ]

    /// Columns of a waypoint without blobs, by index. Missing columns read as NULL.
    static func columns(_ present: Set<String>) -> String {
        names.map { FormatProfile.selected($0, in: present) }.joined(separator: ", ")
    }

    /// The waypoint in the current row of a statement. Its columns begin at index `first`.
    static func waypoint(_ statement: RawStatement, from first: Int = 0) throws(RutterError) -> Waypoint {
        let cells = Cells(statement, kind: "waypoint", columns: names, first: first)
        let coordinate = Coordinate(
            latitude: try cells.number(1), longitude: try cells.number(2),
            altitude: try cells.optionalNumber(3))
        return Waypoint(
            id: try cells.identifier(0), coordinate: coordinate, timestamp: try cells.moment(4),
            label: cells.text(5) ?? "", rawCategory: cells.text(6) ?? WaypointCategory.custom.raw,
            note: cells.text(7) ?? "",
            hasPhoto: cells.integer(8) != 0, hikeID: try cells.optionalIdentifier(9),
            modifiedAt: try cells.optionalMoment(10), cloudRecordID: cells.text(11))
    }

    static let insertion = """
        INSERT INTO waypoints (id, latitude, longitude, altitude, timestamp, label, category, note, has_photo, \
        hike_id, photo_data, photo_thumbnail, modified_at, cloudkit_record_id) \
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    /// Runs `insertion` for a waypoint.
    static func insert(_ waypoint: Waypoint, _ photo: WaypointPhoto, by statement: RawStatement) throws {
        statement.bind(1, waypoint.id)
        statement.bind(2, waypoint.coordinate.latitude)
        statement.bind(3, waypoint.coordinate.longitude)
        statement.bind(4, waypoint.coordinate.altitude)
        statement.bind(5, waypoint.timestamp)
        statement.bind(6, waypoint.label)
        statement.bind(7, waypoint.rawCategory)
        statement.bind(8, waypoint.note)
        statement.bind(9, Int64(waypoint.hasPhoto ? 1 : 0))
        statement.bind(10, waypoint.hikeID)
        statement.bind(11, photo.photo)
        statement.bind(12, photo.thumbnail)
        statement.bind(13, waypoint.modifiedAt)
        statement.bind(14, waypoint.cloudRecordID)
        try statement.run()
    }

    /// The changed columns between two states of a waypoint: unchanged columns keep the app's values.
    static func changes(
        from before: Waypoint, to after: Waypoint, photo: WaypointPhoto?, in present: Set<String>
    ) -> [(column: String, value: DatabaseValue)] {
        var changes: [(column: String, value: DatabaseValue)] = []
        func note<T: Equatable>(
            _ column: String, _ field: KeyPath<Waypoint, T>, _ value: (T) -> DatabaseValue
        ) {
            let new = after[keyPath: field]
            if before[keyPath: field] != new { changes.append((column, value(new))) }
        }
        note("latitude", \.coordinate.latitude) { $0.databaseValue }
        note("longitude", \.coordinate.longitude) { $0.databaseValue }
        note("altitude", \.coordinate.altitude) { $0?.databaseValue ?? .null }
        note("label", \.label.utf8Bytes) { _ in after.label.databaseValue }
        note("category", \.rawCategory.utf8Bytes) { _ in after.rawCategory.databaseValue }
        note("note", \.note.utf8Bytes) { _ in after.note.databaseValue }
        note("has_photo", \.hasPhoto) { ($0 ? 1 : 0).databaseValue }
        note("hike_id", \.hikeID) { $0?.uuidString.databaseValue ?? .null }
        note("modified_at", \.modifiedAt) {
            $0.map { ISO8601.text($0, fraction: .always) }?.databaseValue ?? .null
        }
        if let photo {
            for (column, data) in [("photo_data", photo.photo), ("photo_thumbnail", photo.thumbnail)] {
                let stored = FormatProfile.stored(column, in: present) ?? column
                changes.append((stored, data?.databaseValue ?? .null))
            }
        }
        return changes
    }
}
