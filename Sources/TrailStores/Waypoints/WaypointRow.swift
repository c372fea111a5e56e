import CivilTime
import Core
import Geodesy

/// Waypoints as rows of `waypoints.db`.
extension Waypoint: StoredRecord {
    typealias Schema = WaypointSchema

    static let columns: [RecordColumn<Waypoint>] = [
        RecordColumn("id") { $0.id },
        RecordColumn("latitude") { $0.coordinate.latitude },
        RecordColumn("longitude") { $0.coordinate.longitude },
        RecordColumn("altitude") { $0.coordinate.altitude },
        RecordColumn("timestamp") { $0.timestamp },
        RecordColumn("label") { $0.label },
        RecordColumn("category") { $0.rawCategory },
        RecordColumn("note") { $0.note },
        RecordColumn("has_photo") { $0.hasPhoto },
        RecordColumn("hike_id") { $0.hikeID },
        RecordColumn("modified_at") { $0.modifiedAt },
        RecordColumn("cloudkit_record_id") { $0.cloudRecordID },
    ]
    /// The names of its columns without the photos, in their order.
    package static let columnNames = columns.map(\.name)

    static let momentColumn = "timestamp"
    var moment: Timestamp { timestamp }

    // By position: a list of a hundred thousand rows has a million cells.
    static func record(_ row: RawStatement, from first: Int) throws(RutterError) -> Waypoint {
        let cells = Cells(row, kind: "waypoint", columns: columnNames, first: first)
        let coordinate = Coordinate(
            latitude: try cells.degrees(1, within: 90), longitude: try cells.degrees(2, within: 180),
            altitude: try cells.possible(3, in: StoreSettings.altitudes))
        return Waypoint(
            id: try cells.identifier(0), coordinate: coordinate, timestamp: try cells.moment(4),
            label: cells.text(5) ?? "", rawCategory: cells.text(6) ?? WaypointCategory.custom.raw,
            note: cells.text(7) ?? "",
            hasPhoto: cells.integer(8) != 0, hikeID: try cells.optionalIdentifier(9),
            modifiedAt: try cells.optionalMoment(10), cloudRecordID: cells.text(11))
    }

    static func leftOut(_ row: RawStatement, from first: Int) -> String? {
        Cells(row, kind: "waypoint", columns: columnNames, first: first).leftOut([
            (3, StoreSettings.altitudes)
        ])
    }
}
