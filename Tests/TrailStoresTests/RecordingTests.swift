import CivilTime
import Formats
import Foundation
import GRDB
import Geodesy
import PluginKit
import PluginTestKit
import Testing
import TrailStores

/// Recordings beside the app's rows: nothing is lost, and the app's row and track stay what the app writes.
struct RecordingTests {
    private let folder: TemporaryFolder
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.url.appendingPathComponent("routes.db")
    }

    /// Two segments with every kind of gap in what is known.
    private static let recording: Recording = {
        func point(_ index: Int) -> GPXPoint {
            var point = GPXPoint(
                coordinate: Coordinate(
                    latitude: 46.123_456_789 + Double(index) * 1e-4, longitude: -7.000_000_123,
                    altitude: index % 2 == 0 ? nil : 500 + Double(index) / 3),
                time: index == 3 ? nil : Fixture.moment.advanced(bySeconds: Double(index) * 7.003))
            if index == 1 { point.sensors.heartRate = 0 }
            if index == 2 { point.sensors.power = 251.5 }
            if index == 4 {
                point.name = "Hut"
                point.extensions = "<x xmlns=\"urn:x\"/>"
                point.details = [GPXDetail(.sat, "7")].compactMap { $0 }
            }
            return point
        }
        var line = GPXLine(
            name: "Walk", type: "cycling", segments: [(0..<5).map(point), [], (5..<9).map(point)])
        line.calories = 321
        var lap = TrackLap()
        lap.start = Fixture.moment
        lap.distance = 12.5
        line.laps = [lap]
        line.unplaced = [UnplacedSample(time: Fixture.moment, altitude: nil, sensors: PointSensors())]
        var recording = Recording(line: line, origin: .init(file: "w.gpx", format: "gpx", sha256: "ab"))
        recording.waypoints = [point(4)]
        recording.document.copyright = FileCopyright(author: "A")
        recording.notices = ["one"]
        return recording
    }()

    private func hike(_ recording: Recording) throws -> Hike {
        let statistics = try #require(HikeStatistics(segments: recording.segments))
        return Hike(id: Fixture.id, name: "Walk", statistics: statistics, now: Fixture.moment)
    }

    @Test func everythingComesBack() throws {
        let store = try HikeStore(url, access: .own)
        try store.insertAll([(try hike(Self.recording), Self.recording)])
        let stored = try #require(try store.all().first)
        let back = try store.recording(of: stored)
        #expect(back == Self.recording)
        // To the last bit, not within a tolerance.
        #expect(back.points.map(\.coordinate) == Self.recording.points.map(\.coordinate))
    }

    /// Schema, blob and numbers of the app's row are those of `stores.md`, computed by hand from the blob.
    @Test func theAppReadsWhatIsStored() throws {
        let store = try HikeStore(url, access: .own)
        try store.insertAll([(try hike(Self.recording), Self.recording)])
        let row = try #require(
            try DatabaseQueue(path: url.path).read { db in
                try Row.fetchOne(db, sql: "SELECT * FROM saved_routes")
            })
        #expect(
            Array(row.columnNames) == [
                "id", "name", "start_latitude", "start_longitude", "end_latitude", "end_longitude",
                "start_time",
                "end_time", "total_distance", "elevation_gain", "elevation_loss", "walking_time",
                "resting_time",
                "avg_heart_rate", "max_heart_rate", "estimated_calories", "comment", "region_id",
                "track_data",
                "modified_at", "cloudkit_record_id",
            ])
        let blob: Data = row["track_data"]
        let track = try TrackCodec.decode(blob, source: "the row")
        #expect(track.count == 9)
        let altitudes = track.compactMap(\.coordinate.altitude)
        // Unknown elevations are interpolated for the app, so that it draws no climb that was not there.
        #expect(altitudes.allSatisfy { $0 >= 500 && $0 < 503 }, "\(altitudes)")
        #expect(row["elevation_gain"] as Double? ?? .nan < 3)
    }

    @Test func aStoreWithoutRecordingsIsNotTouchedByReading() throws {
        let store = try HikeStore(url, access: .own)
        let points = [
            TrackPoint(coordinate: Coordinate(latitude: 1, longitude: 2, altitude: 3), time: Fixture.moment)
        ]
        let plain = Recording(
            line: GPXLine(segments: [points.map { GPXPoint(coordinate: $0.coordinate, time: $0.time) }]))
        try store.insertAll([(try hike(plain), points)])
        func tables() throws -> [String] {
            try DatabaseQueue(path: url.path).read { db in
                try String.fetchAll(
                    db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
            }
        }
        #expect(try tables() == ["saved_routes"])
        _ = try store.recording(of: try #require(try store.all().first))
        #expect(try tables() == ["saved_routes"])
        var other = try hike(Self.recording)
        other.id = try store.freshID { UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)) }
        try store.insertAll([(other, Self.recording)])
        #expect(try tables() == ["rutter_recordings", "saved_routes"])
    }

    /// The app continues recording: its track is used then, not the recording of the earlier track.
    @Test func anotherTrackOfTheAppReplacesTheRecording() throws {
        let store = try HikeStore(url, access: .own)
        try store.insertAll([(try hike(Self.recording), Self.recording)])
        let theirs = [
            TrackPoint(coordinate: Coordinate(latitude: 1, longitude: 2, altitude: 3), time: Fixture.moment)
        ]
        try store.connection.write { db in
            try db.execute(
                sql: "UPDATE saved_routes SET track_data = ?",
                arguments: [TrackCodec.encode(theirs, start: Fixture.moment)])
        }
        let recording = try store.recording(of: try #require(try store.all().first))
        #expect(recording.origin == nil)
        #expect(recording.points.map(\.coordinate.latitude) == [1])
    }

    @Test func aDeletedHikeComesBackWithItsRecording() throws {
        let store = try HikeStore(url, access: .own)
        let hike = try hike(Self.recording)
        try store.insertAll([(hike, Self.recording)])
        guard case .removed(let rows) = try store.remove([try #require(try store.hike(Fixture.id))]) else {
            Issue.record("not removed")
            return
        }
        #expect(try store.all().isEmpty)
        #expect(try store.restore(rows))
        #expect(try store.recording(of: hike) == Self.recording)
    }

    @Test func replacingKeepsTheOriginalAndWhatTheAppAlone() throws {
        let store = try HikeStore(url, access: .own)
        try store.insertAll([(try hike(Self.recording), Self.recording)])
        var second = try hike(Self.recording)
        second.id = Fixture.other
        try store.insertAll([(second, Self.recording)])
        try store.connection.write { db in
            try db.execute(sql: "ALTER TABLE saved_routes ADD COLUMN weather TEXT")
            try db.execute(sql: "UPDATE saved_routes SET weather = 'rain'")
        }
        let before = try #require(try store.hike(Fixture.id))
        var shorter = Self.recording
        shorter.line.segments.removeLast()
        let after = before.measured(try #require(HikeStatistics(segments: shorter.segments)))
        let rows = try #require(try store.replace(before, with: after, recording: shorter))
        let stored = try #require(try store.hike(Fixture.id))
        #expect(stored == after)
        #expect(try store.recording(of: stored) == shorter)
        #expect(try store.original(of: stored) == Self.recording)
        let weather = try store.connection.read { db in
            try String.fetchOne(db, sql: "SELECT DISTINCT weather FROM saved_routes")
        }
        #expect(weather == "rain")
        guard case .removed = try store.remove([after], onlyUnchanged: true) else {
            Issue.record("not removed")
            return
        }
        #expect(try store.restore(rows))
        #expect(try store.hike(Fixture.id) == before)
        #expect(try store.recording(of: before) == Self.recording)
        #expect(try store.replace(after, with: before, recording: shorter) == nil)
    }

    @Test(arguments: [Data(), Data([1, 2, 3]), Data([0x63, 0])])
    func aDamagedRecordingIsAnError(blob: Data) throws {
        let store = try HikeStore(url, access: .own)
        try store.insertAll([(try hike(Self.recording), Self.recording)])
        try store.connection.write { db in
            try db.execute(sql: "UPDATE rutter_recordings SET points = ?", arguments: [blob])
        }
        let stored = try #require(try store.all().first)
        #expect(codeThrown { _ = try store.recording(of: stored) } == "E-STORE-TRACK")
    }

    // MARK: An app's track alone

    private func track(_ altitudes: [Double], steps: [Double], distance: Double) throws -> Recording {
        var latitude = 46.0
        let points = zip(altitudes, [0] + steps).enumerated().map { index, pair in
            latitude += pair.1 / 111_226.3
            return TrackPoint(
                coordinate: Coordinate(latitude: latitude, longitude: 7, altitude: pair.0),
                time: Fixture.moment.advanced(bySeconds: Double(index)))
        }
        var hike = Hike(
            id: Fixture.id, name: "W", statistics: try #require(HikeStatistics(segments: [points])),
            now: Fixture.moment)
        hike.distance = distance
        return Recording(track: points, of: hike)
    }

    @Test func unknownElevationsOfATrack() throws {
        let steps = [10.0, 10, 10]
        #expect(try track([0, 0, 0, 0], steps: steps, distance: 30).hasElevations == false)
        let some = try track([500, 0, 510, 0], steps: steps, distance: 30)
        #expect(some.points.map(\.coordinate.altitude) == [500, nil, 510, nil])
        #expect(some.notices == ["2 elevations of exactly 0m among others are treated as unknown"])
        // At the shore 0 is a measurement.
        #expect(
            try track([3, 0, -1, 2], steps: steps, distance: 30).points.allSatisfy {
                $0.coordinate.altitude != nil
            })
    }

    /// The stored distance shows which steps were gaps: 2.22 km stored, 23.35 km along all points.
    @Test func gapsOfATrackAreInferredFromTheStoredDistance() throws {
        let altitudes = [1.0, 1, 1, 1]
        let two = try track(altitudes, steps: [1110, 21_130, 1110], distance: 2220)
        #expect(two.line.segments.map(\.count) == [2, 2])
        #expect(two.notices == ["1 gap between segments inferred from the stored distance"])
        let statistics = try #require(HikeStatistics(segments: two.segments))
        #expect(abs(statistics.distance - 2220) < 0.1)
        // A distance that no split explains is kept as the app stored it, and the track is one
        // piece.
        #expect(try track(altitudes, steps: [1110, 21_130, 1110], distance: 5000).line.segments.count == 1)
        #expect(try track(altitudes, steps: [10, 10, 10], distance: 30).line.segments.count == 1)
    }

    @Test func interpolation() {
        #expect(Interpolation.filled([nil, 1, nil, nil, 4, nil]) == [1, 1, 2, 3, 4, 4])
        #expect(Interpolation.filled([nil, nil]) == [nil, nil])
        #expect(Interpolation.filled([]).isEmpty)
    }
}
