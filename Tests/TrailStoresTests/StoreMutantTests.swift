import Archives
import CivilTime
import Core
import Foundation
import Geodesy
import PluginTestKit
import Testing

@testable import Formats
@testable import TrailStores

/// Mutants of what stores hold, and of the tables beside recordings; `stores-bench --mutations` damages whole databases.
@Suite(.serialized) struct StoreMutantTests {
    private static let start = Timestamp(milliseconds: 1_780_732_800_000)
    private static let count = 24

    private static func place(_ index: Int) -> Coordinate {
        Coordinate(latitude: 47 + Double(index) / 1000, longitude: 8, altitude: Double(500 + index))
    }
    private static func time(_ index: Int) -> Timestamp { start.advanced(bySeconds: Double(20 * index)) }

    /// A blob that is not the app's is an error; one that is has possible places.
    @Test func tracks() async throws {
        let points = (0..<Self.count).map { TrackPoint(coordinate: Self.place($0), time: Self.time($0)) }
        let blob = Array(TrackCodec.encode(points, start: Self.start))
        try await MutantTrial([MutableFile("track.blob", whole: blob)]) { bytes, name in
            let read = try TrackCodec.decode(Data(bytes), source: name)
            let wrong = read.filter { !$0.coordinate.isValid }
            #expect(wrong.isEmpty)
            return []
        }.run()
    }

    @Test func recordings() async throws {
        var points: [GPXPoint] = []
        for index in 0..<Self.count {
            points.append(
                GPXPoint(
                    coordinate: Self.place(index), time: Self.time(index), heartRate: Double(100 + index)))
        }
        let blob = Array(RecordingCodec.points([points]))
        try await MutantTrial([MutableFile("recording.blob", whole: blob)]) { bytes, name in
            _ = try RecordingCodec.segments(Data(bytes), source: name)
            return []
        }.run()
    }

    @Test(.needs(.xml)) func tablesOfActivities() async throws {
        var strava =
            "Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Activity Gear,Filename\n"
        var garmin: [String] = []
        var apple = "<?xml version=\"1.0\"?>\n<HealthData locale=\"en\">\n"
        for index in 0..<Self.count {
            let minute = 10 + index
            strava +=
                "\(index),\"Jun 6, 2026, 8:\(minute):00 AM\",Walk,Hike,Text,Boots,activities/\(index).gpx\n"
            let start = 1_780_732_800_000 + index * 3_600_000
            garmin.append(
                "{\"activityId\":\(index),\"name\":\"Walk\",\"activityType\":\"hiking\",\"startTimeGmt\":\(start).0}"
            )
            apple += "<Workout workoutActivityType=\"HKWorkoutActivityTypeHiking\" "
            apple +=
                "startDate=\"2026-06-06 10:\(minute):00 +0200\" endDate=\"2026-06-06 10:\(minute):50 +0200\"></Workout>\n"
        }
        apple += "</HealthData>\n"
        let summary = "[{\"summarizedActivitiesExport\":[" + garmin.joined(separator: ",\n") + "]}]"
        let files = [
            ("activities.csv", strava), ("summarizedActivities.json", summary), ("export.xml", apple),
        ]
        .map { MutableFile($0.0, whole: Array($0.1.utf8)) }
        try await MutantTrial(files) { bytes, name in
            let source = SourceBytes(bytes, name: name)
            guard try ActivityTable.isTable(source) else { return [] }
            let table = try ActivityTable(source, check: {})
            return table.activities.keys.sorted() + table.started.map { "\($0.start)" }
        }.run()
    }
}
