import CivilTime
import Foundation
import GRDB
import Geodesy
import PluginKit

/// A row of `saved_routes`, read with care: another program wrote it.
struct HikeRow {
    static let columns = [
        "id", "name", "start_latitude", "start_longitude", "end_latitude", "end_longitude", "start_time",
        "end_time",
        "total_distance", "elevation_gain", "elevation_loss", "walking_time", "resting_time",
        "avg_heart_rate",
        "max_heart_rate", "estimated_calories", "comment", "region_id", "modified_at", "cloudkit_record_id",
    ]

    let id: UUID
    let name: String
    let start: Coordinate
    let end: Coordinate
    let startTime: Timestamp
    let endTime: Timestamp
    /// Distance, gain, loss, walking time, resting time.
    let numbers: [Double]
    /// Mean and highest heart rate, calories.
    let optionals: [Double?]
    let comment: String
    let regionID: String?
    let modifiedAt: Timestamp?
    let cloudRecordID: String?

    init(_ row: Row) throws(RutterError) {
        let cells = Cells(row)
        guard let text = cells.text(0), let id = UUID(uuidString: text) else {
            throw StoreErrors.row("hike \(cells.text(0) ?? "without id"): id is not a UUID")
        }
        self.id = id
        name = cells.text(1) ?? ""
        start = Coordinate(latitude: try cells.number(2), longitude: try cells.number(3))
        end = Coordinate(latitude: try cells.number(4), longitude: try cells.number(5))
        startTime = try cells.moment(6)
        endTime = try cells.moment(7)
        numbers = [
            try cells.number(8), try cells.number(9), try cells.number(10), try cells.number(11),
            try cells.number(12),
        ]
        optionals = [cells.optionalNumber(13), cells.optionalNumber(14), cells.optionalNumber(15)]
        comment = cells.text(16) ?? ""
        regionID = cells.text(17)
        modifiedAt = cells.text(18).flatMap { ISO8601.timestamp($0) }
        cloudRecordID = cells.text(19)
    }

    /// Cells by position, with errors that name the hike and the column.
    private struct Cells {
        let row: Row

        init(_ row: Row) { self.row = row }

        func text(_ index: Int) -> String? {
            if case .string(let text) = (row[index] as DatabaseValue).storage { return text }
            return nil
        }

        func optionalNumber(_ index: Int) -> Double? {
            switch (row[index] as DatabaseValue).storage {
            case .double(let number): number
            case .int64(let number): Double(number)
            default: nil
            }
        }

        func number(_ index: Int) throws(RutterError) -> Double {
            guard let number = optionalNumber(index) else { throw wrong(index, "is not a number") }
            return number
        }

        func moment(_ index: Int) throws(RutterError) -> Timestamp {
            guard let moment = text(index).flatMap({ ISO8601.timestamp($0) }) else {
                throw wrong(index, "is not an ISO 8601 time")
            }
            return moment
        }

        private func wrong(_ index: Int, _ what: String) -> RutterError {
            StoreErrors.row(
                "hike \(text(0) ?? "without id"): \(HikeRow.columns[index]) \(what)",
                fix: "`store check` lists all such rows")
        }
    }
}
