import CivilTime
import Core
import GRDB
import Geodesy

/// Hikes as rows of `saved_routes`.
extension Hike: StoredRecord {
    typealias Schema = HikeSchema

    static let columns: [RecordColumn<Hike>] = [
        RecordColumn("id") { $0.id },
        RecordColumn("name") { $0.name },
        RecordColumn("start_latitude") { $0.start.latitude },
        RecordColumn("start_longitude") { $0.start.longitude },
        RecordColumn("end_latitude") { $0.end.latitude },
        RecordColumn("end_longitude") { $0.end.longitude },
        RecordColumn("start_time") { $0.startTime },
        RecordColumn("end_time") { $0.endTime },
        RecordColumn("total_distance") { $0.distance },
        RecordColumn("elevation_gain") { $0.gain },
        RecordColumn("elevation_loss") { $0.loss },
        RecordColumn("walking_time") { $0.walkingTime },
        RecordColumn("resting_time") { $0.restingTime },
        RecordColumn("avg_heart_rate") { $0.averageHeartRate },
        RecordColumn("max_heart_rate") { $0.maximumHeartRate },
        RecordColumn("estimated_calories") { $0.calories },
        RecordColumn("comment") { $0.comment },
        RecordColumn("region_id") { $0.regionID },
        RecordColumn("modified_at") { $0.modifiedAt },
        RecordColumn("cloudkit_record_id") { $0.cloudRecordID },
    ]
    /// The names of its columns without the track, in their order.
    package static let columnNames = columns.map(\.name)
    /// The columns that are not required.
    static let furtherColumns = columnNames.filter { !HikeSchema.needed.contains($0) }
    /// The column of the track.
    static let trackColumn = "track_data"
    /// Figures that an older store may lack; they read as 0.
    private static let measures: Set<String> = [
        "total_distance", "elevation_gain", "elevation_loss", "walking_time", "resting_time",
    ]

    static let momentColumn = "start_time"
    var moment: Timestamp { startTime }

    static func missing(_ column: String) -> String? { measures.contains(column) ? "0.0" : nil }

    // By position: the list of a large store has many cells.
    static func record(_ row: RawStatement, from first: Int) throws(RutterError) -> Hike {
        let cells = Cells(row, kind: "hike", columns: columnNames, first: first)
        var hike = Hike(
            id: try cells.identifier(0), name: cells.text(1) ?? "",
            start: Coordinate(latitude: try cells.number(2), longitude: try cells.number(3)),
            end: Coordinate(latitude: try cells.number(4), longitude: try cells.number(5)),
            startTime: try cells.moment(6), endTime: try cells.moment(7))
        // An end that is not on Earth is unknown; the track may have it.
        hike.isPlaceKnown = hike.start.isValid && hike.end.isValid
        hike.distance = try cells.figure(8, in: StoreSettings.distances)
        hike.gain = try cells.figure(9, in: StoreSettings.climbs)
        hike.loss = try cells.figure(10, in: StoreSettings.climbs)
        hike.walkingTime = try cells.figure(11, in: StoreSettings.durations)
        hike.restingTime = try cells.figure(12, in: StoreSettings.durations)
        hike.averageHeartRate = try cells.possible(13, in: StoreSettings.heartRates)
        hike.maximumHeartRate = try cells.possible(14, in: StoreSettings.heartRates)
        hike.calories = try cells.possible(15, in: StoreSettings.energies)
        hike.comment = cells.text(16) ?? ""
        hike.regionID = cells.text(17)
        hike.modifiedAt = try cells.optionalMoment(18)
        hike.cloudRecordID = cells.text(19)
        hike.leftOut = leftOut(row, from: first)
        return hike
    }

    static func leftOut(_ row: RawStatement, from first: Int) -> String? {
        let degrees = [(2, -90.0...90.0), (3, -180.0...180.0), (4, -90.0...90.0), (5, -180.0...180.0)]
        let rates = [
            (13, StoreSettings.heartRates), (14, StoreSettings.heartRates), (15, StoreSettings.energies),
        ]
        return Cells(row, kind: "hike", columns: columnNames, first: first).leftOut(degrees + rates)
    }

    /// Marks the values unknown to the hikes' recordings: their rows have zeros there, which the app
    /// requires.
    static func completed(_ hikes: [Hike], _ db: Database) throws -> [Hike] {
        let facts = try RecordingTable.facts(db).known
        if facts.isEmpty { return hikes }
        var found = hikes
        for index in found.indices {
            guard let bits = facts[found[index].id] else { continue }
            found[index].isClimbKnown = bits & RecordingTable.Unknown.climb == 0
            found[index].areTimesKnown = bits & RecordingTable.Unknown.times == 0
            found[index].isPlaceKnown =
                found[index].isPlaceKnown && bits & RecordingTable.Unknown.place == 0
        }
        return found
    }
}
