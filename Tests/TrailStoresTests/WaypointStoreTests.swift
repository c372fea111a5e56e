import CivilTime
import Foundation
import GRDB
import Geodesy
import PluginKit
import PluginTestKit
import Testing
import TrailStores

/// Waypoints as rows: written rows round-trip, and rows of other programs are validated.
struct WaypointStoreTests {
    private let folder: TemporaryFolder
    private let url: URL
    private let store: WaypointStore

    init() throws {
        folder = try TemporaryFolder()
        url = folder.url.appendingPathComponent("waypoints.db")
        store = try WaypointStore(url, access: .own)
    }

    private func sql(_ sql: String, _ arguments: StatementArguments = []) throws {
        try store.connection.write { db in try db.execute(sql: sql, arguments: arguments) }
    }

    private func cell(_ column: String) throws -> DatabaseValue? {
        try store.connection.read { db in
            try DatabaseValue.fetchOne(db, sql: "SELECT \(column) FROM waypoints")
        }
    }

    /// Puts a row as another program would, with one column replaced.
    private func insert(_ column: String, _ value: String) throws {
        var row = [
            "id": "'\(Fixture.id)'", "latitude": "46.5", "longitude": "7.9",
            "timestamp": "'2026-02-06T08:15:30.123Z'",
        ]
        row[column] = value
        let keys = row.keys.sorted()
        try sql(
            "INSERT INTO waypoints (\(keys.joined(separator: ","))) "
                + "VALUES (\(keys.map { row[$0] ?? "NULL" }.joined(separator: ",")))")
    }

    @Test func everythingComesBackAsItWasWritten() throws {
        var waypoint = Fixture.waypoint(label: "Zürich 東京 \u{0} 'quoted'")
        waypoint.hikeID = Fixture.other
        waypoint.modifiedAt = Fixture.moment
        waypoint.cloudRecordID = "record"
        waypoint.hasPhoto = true
        let photo = WaypointPhoto(photo: Data([1, 2, 3]), thumbnail: Data([4]))
        try store.insert(waypoint, photo: photo)
        #expect(try store.waypoint(waypoint.id) == waypoint)
        #expect(try store.photo(of: waypoint.id) == photo)
    }

    @Test func cellsAreWrittenAsTheAppWritesThem() throws {
        try store.insert(Fixture.waypoint())
        #expect(try cell("id") == "6F9619FF-8B86-D011-B42D-00C04FC964FF".databaseValue)
        #expect(try cell("timestamp") == "2026-02-06T08:15:30.123Z".databaseValue)
        #expect(try cell("latitude") == 46.5763.databaseValue)
        #expect(try cell("has_photo") == 0.databaseValue)
        #expect(try cell("hike_id") == .null)
        #expect(try cell("photo_data") == .null)
    }

    @Test(arguments: [0.1, -179.999_999_999_999_97, 2.3e-308, 89.999_999_999_999_99, -0.0])
    func anglesKeepEveryBit(angle: Double) throws {
        try store.insert(Fixture.waypoint(angle / 2, angle))
        let read = try #require(try store.all().first)
        #expect(read.coordinate.longitude.bitPattern == angle.bitPattern || angle == 0)
        #expect(read.coordinate.latitude == angle / 2)
    }

    @Test(arguments: ["6f9619ff-8b86-d011-b42d-00c04fc964ff", "6F9619ff-8b86-D011-b42d-00c04fc964FF"])
    func identifiersOfEitherCaseAreFoundChangedAndDeleted(text: String) throws {
        try insert("id", "'\(text)'")
        try sql("UPDATE waypoints SET hike_id = ?", [Fixture.other.uuidString.lowercased()])
        let before = try #require(try store.waypoint(Fixture.id))
        #expect(before.hikeID == Fixture.other)
        #expect(try store.waypoints(ofHike: Fixture.other).count == 1)
        #expect(try store.waypoints(idPrefix: "6f9619F", limit: 5).count == 1)
        var after = before
        after.label = "new"
        #expect(try store.update(before, to: after))
        #expect(try cell("id") == text.databaseValue)
        guard case .removed = try store.remove([after]) else {
            Issue.record("not found")
            return
        }
        #expect(try store.isEmpty())
    }

    @Test(arguments: [
        ("2026-02-06T08:15:30.123Z", 1_770_365_730_123), ("2026-02-06T08:15:30Z", 1_770_365_730_000),
        ("2026-02-06T09:15:30+01:00", 1_770_365_730_000),
    ])
    func timesWithAndWithoutFraction(text: String, milliseconds: Int64) throws {
        try insert("timestamp", "'\(text)'")
        #expect(try store.all().first?.timestamp.milliseconds == milliseconds)
    }

    @Test func anUnknownCategoryStaysUnlessItIsEdited() throws {
        try insert("category", "'geocache'")
        let before = try #require(try store.all().first)
        #expect(before.category.raw == "geocache")
        var after = before
        after.label = "Box"
        try store.update(before, to: after)
        #expect(try cell("category") == "geocache".databaseValue)
        var edited = after
        edited.rawCategory = "danger"
        try store.update(after, to: edited)
        #expect(try cell("category") == "danger".databaseValue)
    }

    @Test func anEditWritesOnlyWhatChanged() throws {
        // Bytes that are not UTF-8, an integer as latitude, a time without fraction: none of them is
        // changed.
        try insert("note", "CAST(x'ff41' AS TEXT)")
        try sql("UPDATE waypoints SET has_photo = 7, timestamp = '2026-02-06T08:15:30Z'")
        let before = try #require(try store.all().first)
        #expect(before.note == "\u{FFFD}A")
        var after = before
        after.label = "new"
        #expect(try store.update(before, to: after))
        #expect(try cell("hex(note)") == "FF41".databaseValue)
        #expect(try cell("has_photo") == 7.databaseValue)
        #expect(try cell("timestamp") == "2026-02-06T08:15:30Z".databaseValue)
    }

    @Test func anEditOfWhatAnotherChangedIsRefused() throws {
        let before = Fixture.waypoint()
        try store.insert(before)
        try sql("UPDATE waypoints SET note = 'from elsewhere'")
        var after = before
        after.label = "mine"
        #expect(
            try store.update(before, to: after, photo: WaypointPhoto(photo: Data([1]), thumbnail: nil))
                == false)
        #expect(try cell("label") == "Hut".databaseValue)
        #expect(try cell("photo_data") == .null)
        guard case .changed(let waypoint) = try store.remove([before], onlyUnchanged: true) else {
            Issue.record("it was removed")
            return
        }
        #expect(waypoint.id == before.id)
    }

    @Test(arguments: [
        ("latitude", "'north'", "latitude is not a number"),
        ("longitude", "x'00'", "longitude is not a number"),
        ("timestamp", "'yesterday'", "timestamp is not an ISO 8601 time"),
        ("timestamp", "5", "timestamp is not"),
        ("hike_id", "'the hike'", "hike_id is not a UUID"),
        ("altitude", "'high'", "altitude is not a number"),
        ("modified_at", "'now'", "modified_at is not"),
    ])
    func aBadCellIsAnErrorThatNamesRowAndColumn(column: String, value: String, message: String) throws {
        try insert(column, value)
        #expect(codeThrown { _ = try store.all() } == "E-STORE-ROW")
        let text = messageThrown { _ = try store.all() } ?? ""
        #expect(text.hasPrefix("waypoint 6F9619FF-8B86-D011-B42D-00C04FC964FF: \(message)"), "\(text)")
    }

    @Test(arguments: ["NULL", "'no uuid'", "x'6f'"])
    func aBadIdentifierIsAnError(value: String) throws {
        try insert("id", value)
        #expect(codeThrown { _ = try store.all() } == "E-STORE-ROW")
    }

    @Test func missingPlacesOfALaxTableAreErrors() throws {
        let lax = folder.url.appendingPathComponent("lax.db")
        try Fixture.database(
            lax,
            """
            CREATE TABLE waypoints (id TEXT, latitude REAL, longitude REAL, timestamp TEXT);
            INSERT INTO waypoints VALUES ('\(Fixture.id)', NULL, 7.9, '2026-02-06T08:15:30Z');
            """)
        let store = try WaypointStore(lax, access: .foreign)
        #expect(messageThrown { _ = try store.all() } == "waypoint \(Fixture.id): latitude is missing")
    }

    /// A place that is not on Earth is no place, as of coordinates in ten-millionths of a degree or in metres; an altitude that
    /// stands for none is unknown.
    @Test func impossiblePlacesAreNotRead() throws {
        try store.insert(Fixture.waypoint())
        try sql("UPDATE waypoints SET altitude = -32768")
        let (waypoints, problems) = try store.readable()
        #expect(waypoints.map(\.coordinate.altitude) == [nil])
        #expect(problems.map(\.what) == ["altitude is an impossible number"])
        #expect(problems.map(\.isUsed) == [true])
        for (change, why) in [
            ("latitude = 465000000", "latitude is not within ±90"),
            ("longitude = 880000", "longitude is not within ±180"),
        ] {
            try sql("UPDATE waypoints SET latitude = 46.5, longitude = 7.9")
            try sql("UPDATE waypoints SET \(change)")
            #expect(messageThrown { _ = try store.all() } == "waypoint \(Fixture.id): \(why)")
        }
    }

    @Test func orderIsByTimeAlsoWhereTextIsNot() throws {
        // As text "…30.500Z" comes before "…30Z", in time after it.
        let ids = (1...4).map { "00000000-0000-0000-0000-00000000000\($0)" }
        let times = ["08:15:30Z", "08:15:30.500Z", "08:15:31Z", "08:15:30.250Z"]
        for (id, time) in zip(ids, times) {
            try sql(
                "INSERT INTO waypoints (id, latitude, longitude, timestamp, label, hike_id) VALUES (?,1,1,?,?,?)",
                [id, "2026-02-06T\(time)", time, Fixture.other.uuidString])
        }
        #expect(try store.all().map(\.label) == ["08:15:31Z", "08:15:30.500Z", "08:15:30.250Z", "08:15:30Z"])
        #expect(
            try store.waypoints(ofHike: Fixture.other).map(\.label)
                == ["08:15:30Z", "08:15:30.250Z", "08:15:30.500Z", "08:15:31Z"])
    }

    @Test func allOrNothing() throws {
        var waypoints = (0..<2000).map { Fixture.waypoint(id: UUID(), label: "\($0)") }
        waypoints.append(waypoints[0])
        var rest = waypoints.makeIterator()
        #expect(codeThrown { try store.insertAll({ rest.next() }) } == "E-STORE-SQL")
        #expect(try store.isEmpty())
        rest = waypoints.makeIterator()
        let stopped = codeThrown {
            try store.insertAll({ rest.next() }) { count in
                if count > 1000 { throw Interruption.stopped }
            }
        }
        #expect(stopped == "E-INTERRUPTED")
        #expect(try store.isEmpty())
        rest = waypoints.dropLast().makeIterator() as IndexingIterator<[Waypoint]>
        #expect(try store.insertAll({ rest.next() }) == 2000)
    }

    @Test func labelsAreFoundWithoutCaseAndAccents() throws {
        try store.insert(Fixture.waypoint(label: "Zürichberg"))
        try store.insert(Fixture.waypoint(id: Fixture.other, label: "zurich"))
        #expect(try store.waypoints(label: "ZURICHBERG").map(\.label) == ["Zürichberg"])
        #expect(try store.waypoints(labelPrefix: "züri", limit: 9).count == 2)
        #expect(try store.waypoints(idPrefix: "%", limit: 9).isEmpty)
        #expect(try store.waypoints(idPrefix: "", limit: 9).isEmpty)
    }

    @Test func aFreshIdentifierIsOneThatIsNotTaken() throws {
        try store.insert(Fixture.waypoint())
        var candidates = [Fixture.id, Fixture.other].makeIterator()
        #expect(try store.freshID { candidates.next() ?? UUID() } == Fixture.other)
    }
}
