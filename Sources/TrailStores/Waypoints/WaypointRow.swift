import CivilTime
import Foundation
import GRDB
import Geodesy
import PluginKit

/// Reads and writes waypoints as rows of `waypoints.db`.
enum WaypointRow {
    /// Columns of a waypoint without blobs, by position. Columns that an older store lacks read as NULL.
    static func columns(_ present: Set<String>) -> String {
        let names = [
            "id", "latitude", "longitude", "altitude", "timestamp", "label", "category", "note", "has_photo",
            "hike_id", "modified_at", "cloudkit_record_id",
        ]
        return names.map { present.contains($0) ? $0 : "NULL AS \($0)" }.joined(separator: ", ")
    }

    static func waypoint(_ row: Row) throws(RutterError) -> Waypoint {
        let name = rowName(row)
        let coordinate = Coordinate(
            latitude: try number(row, 1, "latitude", name), longitude: try number(row, 2, "longitude", name),
            altitude: try optionalNumber(row, 3, "altitude", name))
        return Waypoint(
            id: try identifier(row, 0, "id", name), coordinate: coordinate,
            timestamp: try moment(row, 4, "timestamp", name), label: text(row, 5), rawCategory: text(row, 6),
            note: text(row, 7), hasPhoto: integer(row, 8) != 0,
            hikeID: try optionalIdentifier(row, 9, "hike_id", name),
            modifiedAt: try optionalMoment(row, 10, "modified_at", name),
            cloudRecordID: isNull(row, 11) ? nil : text(row, 11))
    }

    static func arguments(_ waypoint: Waypoint, _ photo: WaypointPhoto) -> StatementArguments {
        [
            waypoint.id.uuidString, waypoint.coordinate.latitude, waypoint.coordinate.longitude,
            waypoint.coordinate.altitude, ISO8601.text(waypoint.timestamp, fraction: .always), waypoint.label,
            waypoint.rawCategory, waypoint.note, waypoint.hasPhoto ? 1 : 0, waypoint.hikeID?.uuidString,
            photo.photo, photo.thumbnail, waypoint.modifiedAt.map { ISO8601.text($0, fraction: .always) },
            waypoint.cloudRecordID,
        ]
    }

    // MARK: Cells

    private static func rowName(_ row: Row) -> String {
        if case .string(let id) = value(row, 0).storage { return "waypoint \(id)" }
        return "a waypoint without id"
    }

    private static func value(_ row: Row, _ index: Int) -> DatabaseValue { row[index] as DatabaseValue }

    private static func isNull(_ row: Row, _ index: Int) -> Bool { value(row, index).isNull }

    private static func text(_ row: Row, _ index: Int) -> String {
        switch value(row, index).storage {
        case .string(let text): text
        case .int64(let number): String(number)
        case .double(let number): Literal.number(number)
        case .null, .blob: ""
        }
    }

    private static func integer(_ row: Row, _ index: Int) -> Int64 {
        if case .int64(let number) = value(row, index).storage { return number }
        return 0
    }

    private static func number(
        _ row: Row, _ index: Int, _ column: String, _ name: String
    ) throws(RutterError) -> Double {
        guard let number = try optionalNumber(row, index, column, name) else {
            throw wrong(name, column, "is missing")
        }
        return number
    }

    private static func optionalNumber(
        _ row: Row, _ index: Int, _ column: String, _ name: String
    ) throws(RutterError) -> Double? {
        switch value(row, index).storage {
        case .double(let number): return number
        case .int64(let number): return Double(number)
        case .null: return nil
        case .string, .blob: throw wrong(name, column, "is not a number")
        }
    }

    private static func identifier(
        _ row: Row, _ index: Int, _ column: String, _ name: String
    ) throws(RutterError) -> UUID {
        guard let id = try optionalIdentifier(row, index, column, name) else {
            throw wrong(name, column, "is missing")
        }
        return id
    }

    private static func optionalIdentifier(
        _ row: Row, _ index: Int, _ column: String, _ name: String
    ) throws(RutterError) -> UUID? {
        if isNull(row, index) { return nil }
        guard case .string(let text) = value(row, index).storage, let id = UUID(uuidString: text) else {
            throw wrong(name, column, "is not a UUID")
        }
        return id
    }

    private static func moment(
        _ row: Row, _ index: Int, _ column: String, _ name: String
    ) throws(RutterError) -> Timestamp {
        guard let moment = try optionalMoment(row, index, column, name) else {
            throw wrong(name, column, "is missing")
        }
        return moment
    }

    private static func optionalMoment(
        _ row: Row, _ index: Int, _ column: String, _ name: String
    ) throws(RutterError) -> Timestamp? {
        if isNull(row, index) { return nil }
        guard case .string(let text) = value(row, index).storage, let moment = ISO8601.timestamp(text) else {
            throw wrong(name, column, "is not an ISO 8601 time")
        }
        return moment
    }

    private static func wrong(_ name: String, _ column: String, _ what: String) -> RutterError {
        StoreErrors.row("\(name): \(column) \(what)", fix: "`store check` lists all such rows")
    }
}
