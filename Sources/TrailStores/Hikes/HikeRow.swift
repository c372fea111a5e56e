import CivilTime
import Core
import Foundation
import GRDB
import Geodesy

/// Reads and writes hikes as rows of `saved_routes`.
package enum HikeRow {
    /// The columns without the track, by index.
    package static let names = [
        "id", "name", "start_latitude", "start_longitude", "end_latitude", "end_longitude", "start_time",
        "end_time", "total_distance", "elevation_gain", "elevation_loss", "walking_time", "resting_time",
        "avg_heart_rate", "max_heart_rate", "estimated_calories", "comment", "region_id", "modified_at",
        "cloudkit_record_id",
    ]

    /// Required columns.
    static let needed = HikeSchema.needed
    /// The other columns.
    static let further = names.filter { !needed.contains($0) }
    /// Figures that an older store may lack; they read as 0.
    private static let measures: Set<String> = [
        "total_distance", "elevation_gain", "elevation_loss", "walking_time", "resting_time",
    ]

    /// The columns to read; missing columns read as NULL.
    static func columns(_ present: Set<String>) -> String {
        names.map { name in
            let isLost = measures.contains(name) && !present.contains(name)
            return isLost ? "0.0 AS \(name)" : FormatProfile.selected(name, in: present)
        }
        .joined(separator: ", ")
    }

    /// The hike in the current row of a statement. Its columns begin at index `first`.
    static func hike(_ statement: RawStatement, from first: Int = 0) throws(RutterError) -> Hike {
        let cells = Cells(statement, kind: "hike", columns: names, first: first)
        var hike = Hike(
            id: try cells.identifier(0), name: cells.text(1) ?? "",
            start: Coordinate(latitude: try cells.number(2), longitude: try cells.number(3)),
            end: Coordinate(latitude: try cells.number(4), longitude: try cells.number(5)),
            startTime: try cells.moment(6), endTime: try cells.moment(7))
        hike.distance = try cells.number(8)
        hike.gain = try cells.number(9)
        hike.loss = try cells.number(10)
        hike.walkingTime = try cells.number(11)
        hike.restingTime = try cells.number(12)
        hike.averageHeartRate = try cells.optionalNumber(13)
        hike.maximumHeartRate = try cells.optionalNumber(14)
        hike.calories = try cells.optionalNumber(15)
        hike.comment = cells.text(16) ?? ""
        hike.regionID = cells.text(17)
        hike.modifiedAt = try cells.optionalMoment(18)
        hike.cloudRecordID = cells.text(19)
        return hike
    }

    /// Writes the figures and the track of a hike; the user's texts and unknown columns stay.
    static func updateMeasures(_ hike: Hike, track: Data, row: Int64, _ db: Database) throws {
        try db.execute(
            sql: """
                UPDATE saved_routes SET start_latitude = ?, start_longitude = ?, end_latitude = ?, end_longitude = ?, \
                start_time = ?, end_time = ?, total_distance = ?, elevation_gain = ?, elevation_loss = ?, \
                walking_time = ?, resting_time = ?, avg_heart_rate = ?, max_heart_rate = ?, estimated_calories = ?, \
                modified_at = ?, track_data = ? WHERE rowid = ?
                """,
            arguments: [
                hike.start.latitude, hike.start.longitude, hike.end.latitude, hike.end.longitude,
                ISO8601.text(hike.startTime, fraction: .always),
                ISO8601.text(hike.endTime, fraction: .always),
                hike.distance, hike.gain, hike.loss, hike.walkingTime, hike.restingTime,
                hike.averageHeartRate,
                hike.maximumHeartRate, hike.calories,
                hike.modifiedAt.map { ISO8601.text($0, fraction: .always) },
                track, row,
            ])
    }

    /// Writes name and comment.
    static func updateTexts(_ hike: Hike, row: Int64, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE saved_routes SET name = ?, comment = ?, modified_at = ? WHERE rowid = ?",
            arguments: [
                hike.name, hike.comment, hike.modifiedAt.map { ISO8601.text($0, fraction: .always) }, row,
            ])
    }

    static let insertion = """
        INSERT INTO saved_routes (\(names.joined(separator: ", ")), track_data) \
        VALUES (\(names.map { _ in "?" }.joined(separator: ", ")), ?)
        """

    /// Runs `insertion` for a hike.
    static func insert(_ hike: Hike, track: Data, by statement: RawStatement) throws {
        statement.bind(1, hike.id)
        statement.bind(2, hike.name)
        statement.bind(3, hike.start.latitude)
        statement.bind(4, hike.start.longitude)
        statement.bind(5, hike.end.latitude)
        statement.bind(6, hike.end.longitude)
        statement.bind(7, hike.startTime)
        statement.bind(8, hike.endTime)
        statement.bind(9, hike.distance)
        statement.bind(10, hike.gain)
        statement.bind(11, hike.loss)
        statement.bind(12, hike.walkingTime)
        statement.bind(13, hike.restingTime)
        statement.bind(14, hike.averageHeartRate)
        statement.bind(15, hike.maximumHeartRate)
        statement.bind(16, hike.calories)
        statement.bind(17, hike.comment)
        statement.bind(18, hike.regionID)
        statement.bind(19, hike.modifiedAt)
        statement.bind(20, hike.cloudRecordID)
        statement.bind(21, track)
        try statement.run()
    }
}
