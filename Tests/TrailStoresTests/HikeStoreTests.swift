import CivilTime
import Foundation
import GRDB
import Geodesy
import PluginKit
import PluginTestKit
import Testing
import TrailStores

/// `routes.db`: schema, migration, rows, order.
struct HikeStoreTests {
    private let folder: TemporaryFolder
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.url.appendingPathComponent("routes.db")
    }

    private static let expected = """
        id TEXT 0 nil 1, name TEXT 1 nil 0, start_latitude REAL 1 nil 0, start_longitude REAL 1 nil 0, \
        end_latitude REAL 1 nil 0, end_longitude REAL 1 nil 0, start_time TEXT 1 nil 0, end_time TEXT 1 nil 0, \
        total_distance REAL 1 nil 0, elevation_gain REAL 1 nil 0, elevation_loss REAL 1 nil 0, \
        walking_time REAL 1 nil 0, resting_time REAL 1 nil 0, avg_heart_rate REAL 0 nil 0, \
        max_heart_rate REAL 0 nil 0, estimated_calories REAL 0 nil 0, comment TEXT 1 '' 0, \
        region_id TEXT 0 nil 0, track_data BLOB 1 nil 0, modified_at TEXT 0 nil 0, cloudkit_record_id TEXT 0 nil 0
        """

    private func columns() throws -> String {
        try DatabaseQueue(path: url.path).read { db in
            try db.columns(in: "saved_routes").map {
                "\($0.name) \($0.type) \($0.isNotNull ? 1 : 0) \($0.defaultValueSQL ?? "nil") \($0.primaryKeyIndex)"
            }
            .joined(separator: ", ")
        }
    }

    private func hike(_ id: UUID = Fixture.id, name: String = "Walk", at moment: Timestamp = Fixture.moment)
        -> Hike
    {
        let points = [
            TrackPoint(coordinate: Coordinate(latitude: 46.5, longitude: 7.9, altitude: 500), time: moment)
        ]
        guard let statistics = HikeStatistics(segments: [points]) else {
            preconditionFailure("a point is there")
        }
        return Hike(id: id, name: name, statistics: statistics, now: moment)
    }

    @Test func aFreshStoreHasTheAppsSchema() throws {
        _ = try HikeStore(url, access: .own)
        #expect(try columns() == Self.expected)
        let indexes = try DatabaseQueue(path: url.path).read { db in
            try String.fetchAll(
                db, sql: "SELECT sql FROM sqlite_master WHERE type = 'index' AND sql NOT NULL")
        }
        #expect(indexes == ["CREATE INDEX idx_routes_time ON saved_routes(start_time)"])
    }

    /// A store from before heart rates, comments and the sync columns.
    private func makeOldStore() throws {
        try Fixture.database(
            url,
            """
            CREATE TABLE saved_routes (id TEXT PRIMARY KEY, name TEXT NOT NULL, start_latitude REAL NOT NULL,
              start_longitude REAL NOT NULL, end_latitude REAL NOT NULL, end_longitude REAL NOT NULL,
              start_time TEXT NOT NULL, end_time TEXT NOT NULL, track_data BLOB NOT NULL, weather TEXT);
            INSERT INTO saved_routes VALUES ('\(Fixture.id.uuidString.lowercased())', 'Old', 46.5, 7.9, 46.6, 7.8,
              '2020-02-06T08:15:30Z', '2020-02-06T09:15:30Z', x'0300', 'rain');
            """)
    }

    @Test func anOldStoreIsReadAsItIs() throws {
        try makeOldStore()
        let before = try Fixture.content(folder.url)
        let hike = try #require(try HikeStore(url, access: .foreign).hike(Fixture.id))
        #expect(hike.name == "Old")
        #expect(hike.distance == 0)
        #expect(hike.averageHeartRate == nil)
        #expect(try Fixture.content(folder.url) == before)
    }

    @Test func anOldStoreIsMigratedAndWhatElseIsInItStays() throws {
        try makeOldStore()
        let store = try HikeStore(url, access: .foreignWritable)
        let hike = try #require(try store.all().first)
        #expect(try store.track(of: hike).isEmpty)
        var renamed = hike
        renamed.comment = "wet"
        #expect(try store.update(hike, to: renamed))
        guard case .removed(let rows) = try store.remove([renamed], onlyUnchanged: true) else {
            Issue.record("not removed")
            return
        }
        #expect(try store.restore(rows))
        let row = try DatabaseQueue(path: url.path).read { db in
            try String.fetchAll(db, sql: "SELECT id || weather || comment FROM saved_routes")
        }
        #expect(row == ["\(Fixture.id.uuidString.lowercased())rainwet"])
    }

    @Test func everythingComesBackAsItWasWritten() throws {
        let store = try HikeStore(url, access: .own)
        var wanted = hike()
        // The app's row alone cannot say that a climb is unknown.
        wanted.isClimbKnown = true
        wanted.averageHeartRate = 121.5
        wanted.calories = 300
        wanted.comment = "東京"
        wanted.regionID = "alps"
        wanted.modifiedAt = Fixture.moment
        wanted.cloudRecordID = "record"
        let points = [
            TrackPoint(
                coordinate: Coordinate(latitude: 46.5, longitude: 7.75, altitude: 500), time: Fixture.moment)
        ]
        try store.insert(wanted, track: points)
        #expect(try store.hike(wanted.id) == wanted)
        #expect(try store.track(of: wanted) == points)
        #expect(try store.hikes(named: "WALK").count == 1)
        #expect(try store.hikes(idPrefix: "6f96", limit: 3).count == 1)
        #expect(try store.freshID { Fixture.other } == Fixture.other)
    }

    @Test func newestFirst() throws {
        let store = try HikeStore(url, access: .own)
        for (index, seconds) in [5, 1, 9].enumerated() {
            try store.insert(
                hike(UUID(), name: "\(index)", at: Fixture.moment.advanced(bySeconds: Double(seconds))),
                track: [])
        }
        #expect(try store.all().map(\.name) == ["2", "0", "1"])
    }

    @Test func aHikeThatAnotherChangedIsNotTouched() throws {
        let store = try HikeStore(url, access: .own)
        let before = hike()
        try store.insert(before, track: [])
        try store.connection.write { db in try db.execute(sql: "UPDATE saved_routes SET comment = 'theirs'") }
        var after = before
        after.name = "mine"
        #expect(try store.update(before, to: after) == false)
        guard case .changed = try store.remove([before], onlyUnchanged: true) else {
            Issue.record("it was removed")
            return
        }
        #expect(try store.all().map(\.comment) == ["theirs"])
    }

    @Test(arguments: [
        ("start_time", "'noon'", "start_time is not an ISO 8601 time"),
        ("total_distance", "'far'", "total_distance is not a number"),
        ("total_distance", "-500", "total_distance is an impossible number"),
        ("walking_time", "9e999", "walking_time is an impossible number"),
        ("avg_heart_rate", "'fast'", "avg_heart_rate is not a number"), ("id", "'x'", "id is not a UUID"),
    ])
    func aBadCellIsAnErrorThatNamesRowAndColumn(column: String, value: String, message: String) throws {
        let store = try HikeStore(url, access: .own)
        try store.insert(hike(), track: [])
        try store.connection.write { db in try db.execute(sql: "UPDATE saved_routes SET \(column) = \(value)")
        }
        let id = column == "id" ? "x" : Fixture.id.uuidString
        #expect(messageThrown { _ = try store.all() } == "hike \(id): \(message)")
    }

    /// The rest of the row is used, without what is impossible.
    @Test(arguments: [
        ("start_latitude = 465000000", "start_latitude is an impossible number"),
        ("max_heart_rate = 999", "max_heart_rate is an impossible number"),
        ("estimated_calories = -1", "estimated_calories is an impossible number"),
    ])
    func anImpossibleOptionalValueIsUnknown(_ change: String, _ problem: String) throws {
        let store = try HikeStore(url, access: .own)
        try store.insert(hike(), track: [])
        #expect(try store.all().first?.leftOut == nil)
        try store.connection.write { db in try db.execute(sql: "UPDATE saved_routes SET \(change)") }
        let (hikes, problems) = try store.readable()
        #expect(problems.map(\.what) == [problem])
        #expect(problems.map(\.isUsed) == [true])
        let hike = try #require(hikes.first)
        #expect(hike.leftOut == problem)
        #expect(hike.isPlaceKnown == !change.hasPrefix("start"))
        #expect((hike.maximumHeartRate ?? 1) < 999)
        #expect((hike.calories ?? 1) > 0)
        let account = UnreadableRows(problems).account(used: 1)
        #expect(account.addsUp)
        #expect(account.words.contains("without a value (\(problem)), kept"))
    }

    @Test func aDamagedTrackNamesStoreAndRow() throws {
        let store = try HikeStore(url, access: .own)
        try store.insert(hike(), track: [])
        try store.connection.write { db in
            try db.execute(sql: "UPDATE saved_routes SET track_data = x'FFFFFF'")
        }
        #expect(
            messageThrown { _ = try store.track(of: hike()) }
                == "routes.db, hike \(Fixture.id): 3 bytes are not a multiple of 20; 3 are left over")
        guard case .removed = try store.remove([hike()]) else {
            Issue.record("a damaged hike cannot be deleted")
            return
        }
    }
}
