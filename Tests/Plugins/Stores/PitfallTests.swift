import Foundation
import Geodesy
import PluginKit
import PluginTestKit
import Testing
import TrailStores

@testable import StoresPlugin

/// Fixes, differences and reports that were wrong about right data.
struct PitfallTests {
    /// Hikes along one line, thirty kilometres apart.
    private func hikes(_ url: URL, swapped: (track: Bool, columns: Bool), neighbours: Int) throws {
        let store = try HikeStore(url, access: .own)
        for index in 0...neighbours {
            let points = Fixture.track.map { point in
                var point = point
                point.coordinate.latitude += Double(index) * 0.3
                return point
            }
            let turned = points.map { point in
                var point = point
                point.coordinate = Coordinate(
                    latitude: point.coordinate.longitude, longitude: point.coordinate.latitude,
                    altitude: point.coordinate.altitude)
                return point
            }
            let isOdd = index == 0
            let recorded = isOdd && swapped.columns ? turned : points
            let statistics = try #require(HikeStatistics(segments: [recorded]))
            try store.insert(
                Hike(id: Fixture.id(index), name: "Walk", statistics: statistics, now: Fixture.time),
                track: isOdd && swapped.track ? turned : points)
        }
    }

    /// Where two parts disagree, a fix needs a third: other hikes nearby.
    @Test func aSwappedTrackLeavesTheColumns() async throws {
        let session = try Fixture.session()
        try hikes(session.file("a.db"), swapped: (true, false), neighbours: 2)
        #expect(await session.run("store check a.db | get what").contains("of the track are swapped"))
        let fields = try await session.texts("store fix a.db --out b.db", "field")
        #expect(fields == ["track_data"])
        #expect(await session.run("store check b.db | count") == "0")

        try hikes(session.file("c.db"), swapped: (false, true), neighbours: 2)
        let columns = try await session.texts("store fix c.db --out d.db", "field")
        #expect(columns.sorted() == ["end_latitude", "end_longitude", "start_latitude", "start_longitude"])
        #expect(await session.run("store check d.db | count") == "0")

        try hikes(session.file("e.db"), swapped: (true, false), neighbours: 0)
        #expect(await session.run("store check e.db | get what").contains("no other hike shows in which"))
        #expect(await session.run("store fix e.db --out f.db | count") == "0")

        // The copy is checked: the note says what remains.
        let done = await session.run("store fix a.db --out g.db")
        #expect(done.contains("checked again: no findings remain"), "\(done)")
        let undone = await session.run("store fix e.db --out h.db")
        #expect(undone.contains("1 F-HIKE-SWAPPED); these need a decision"), "\(undone)")
    }

    /// Of two rows of one edge the faulty one goes; of two that differ without a fault neither does.
    @Test func theGoodEdgeStays() async throws {
        let session = try Fixture.session()
        let twin =
            "INSERT INTO routing_edges SELECT 9, from_node, to_node, distance, elevation_gain, elevation_loss, surface, highway_type, sac_scale, trail_visibility, name, osm_way_id"
        func keys(_ name: String, _ sql: String) async throws -> [String] {
            try FormatFixture.database(session.file("\(name).db"), FormatFixture.routing + sql)
            return try await session.texts(
                "store fix \(name).db --code F-ROUTING-SAME --out \(name)-fixed.db", "key")
        }
        let same = twin + ", cost, reverse_cost, is_oneway, geometry FROM routing_edges WHERE id = 2;"
        #expect(try await keys("same", same) == ["9"])
        #expect(
            try await keys("first", same + "UPDATE routing_edges SET geometry = x'0102030405' WHERE id = 2")
                == ["2"])
        #expect(try await keys("second", same + "UPDATE routing_edges SET cost = 1 WHERE id = 9") == ["9"])
        #expect(
            try await keys("neither", same + "UPDATE routing_edges SET surface = 'gravel' WHERE id = 9") == []
        )
    }

    /// Both apps parse RFC 3339; the iOS app only with a fraction.
    @Test func datesThatAnAppRefuses() async throws {
        let session = try Fixture.session()
        try Fixture.waypoints(at: session.file("w.db"))
        for (date, ios, android) in [
            ("2026-01-07T09:00:00.123Z", true, true), ("2026-01-07T09:00:01,123Z", false, false),
            ("2026-01-07T09:00:02.123", false, false), ("2026-01-07T09:00:03Z", false, true),
            ("2026-01-07T09:00:04.123+01:00", true, true), ("2026-01-07 09:00:05.123Z", false, false),
        ] {
            try Fixture.change(
                session.file("w.db"), "UPDATE waypoints SET timestamp = ? WHERE rowid = 2", [date])
            #expect(await session.run("store check w.db --as ios | count") == (ios ? "0" : "1"), "\(date)")
            #expect(
                await session.run("store check w.db --as android | where row == 2 | count")
                    == (android ? "0" : "1"), "\(date)")
        }
    }

    @Test func bytesBehindATrack() async throws {
        let session = try Fixture.session()
        try Fixture.hikes(at: session.file("h.db"))
        try Fixture.change(
            session.file("h.db"),
            "UPDATE saved_routes SET track_data = CAST(track_data || x'00000000' AS BLOB)")
        #expect(
            try await session.texts("store check h.db", "what")
                == ["track_data: a complete stream of 101 points, and 4 bytes behind its end"])
        #expect(await session.run("store check h.db --as ios | get what").contains("not known"))
    }

    @Test func dataHasFixAndIdentifier() async throws {
        let session = try Fixture.session()
        try Fixture.waypoints(at: session.file("w.db"))
        try Fixture.change(session.file("w.db"), "UPDATE waypoints SET has_photo = 1 WHERE rowid = 1")
        let text = await session.run("store check w.db | to json --compact")
        #expect(text.contains("\"id\":\"\(Fixture.id(1))\""), "\(text)")
        #expect(text.contains("\"fix\":\"UPDATE waypoints SET has_photo = 0 WHERE _rowid_ = 1\""), "\(text)")
    }

    /// Findings that say the same are one row with their number; their fixes are applied all the same.
    @Test func oneCauseIsOneRow() async throws {
        let session = try Fixture.session()
        try Fixture.waypoints(at: session.file("w.db"))
        try Fixture.change(
            session.file("w.db"),
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
            INSERT INTO waypoints(id, latitude, longitude, timestamp, label)
            SELECT printf('B0000000-0000-4000-8000-%012d', i), 46 + i / 1000.0, 7.9, printf('2026-01-%02dT08:00:00Z', 1 + i % 28), i FROM n
            """)
        let text = await session.run("store check w.db | get what")
        #expect(text.contains("300 rows, such as 4, 5, 6: timestamp is"), "\(text)")
        #expect(await session.run("store check w.db | count") == "1")
        #expect(
            await session.run("store check w.db | where code == 'F-WAYPOINT-FRACTION' | store fix --out f.db")
                .contains("300 fixes applied"))
        #expect(await session.run("store check f.db | count") == "0")
    }

    /// What SQLite says of one page after another is one row, and its fix is named.
    @Test func oneCauseOfManyPages() async throws {
        let session = try Fixture.session()
        try Fixture.waypoints(at: session.file("w.db"))
        var bytes = [UInt8](try Data(contentsOf: session.file("w.db")))
        let size = Int(bytes[16]) << 8 | Int(bytes[17])
        bytes += [UInt8](repeating: 0, count: 20 * size)
        bytes[31] += 20
        try Data(bytes).write(to: session.file("w.db"))
        let text = await session.run("store check w.db | where code == 'F-STORE-INTEGRITY' | get what")
        #expect(text.contains("20 times, such as: Page"), "\(text)")
        #expect(text.contains("is never used; Page"), "\(text)")
    }

    @Test func cellsThatLookAlike() async throws {
        let session = try Fixture.session()
        for (name, value) in [
            ("a", "1"), ("b", "'1'"), ("c", "1.0"), ("d", "x'31'"), ("e", "printf('%80s', 'x')"),
            ("f", "printf('%80s', 'y')"),
        ] {
            try FormatFixture.database(
                session.file("\(name).db"),
                "CREATE TABLE beds(id INTEGER PRIMARY KEY, n); INSERT INTO beds VALUES (1, \(value))")
        }
        for (one, other, words) in [
            ("a", "b", ["integer 1", "text '1'"]), ("a", "c", ["integer 1", "real 1"]),
            ("e", "f", ["from byte 80: 'x'", "from byte 80: 'y'"]),
        ] {
            let text = await session.run("store diff \(one).db \(other).db")
            for word in words { #expect(text.contains(word), "\(text)") }
        }
    }

    /// Names that were typed are in no file of the bundle.
    @Test func typedNamesAreBlankedOrItIsSaid() async throws {
        let session = try Fixture.session()
        try Fixture.waypoints(at: session.file("w.db"))
        await session.run(
            "sql \"SELECT id FROM waypoints WHERE note = 'seen by Quill' AND label = 'Hut'\" --store w.db")
        let made = await session.run("bug bundle b.zip --blank-names | get remarks")
        await session.run("bug open b.zip")
        let text = try String(contentsOf: session.file("b/bug.md"), encoding: .utf8)
        #expect(!text.contains("Hut"), "\(text)")
        #expect(made.contains("1 typed text remains"), "\(made)")
    }

    @Test func valuesOfOptionsAreNames() {
        let entry =
            "waypoint add 46.5,7.9 --label 'Quill Cabin' --note \"by Rose\" --category hut --name Farrow | first 2"
        #expect(TypedNames.values(in: entry) == ["Quill Cabin", "by Rose", "Farrow"])
        #expect(
            TypedNames.literals(in: "sql \"SELECT 1 WHERE a = 'x y' OR b = 'z'\"; echo 'w'") == [
                "x y", "z", "w",
            ])
    }

    /// An index that lacks rows is rebuilt in the copy.
    @Test func indexesThatLackRowsAreRebuilt() async throws {
        let session = try Fixture.session()
        try Fixture.waypoints(at: session.file("w.db"))
        try Fixture.change(
            session.file("w.db"),
            """
            CREATE INDEX i ON waypoints(label, note); PRAGMA writable_schema = 1;
            UPDATE sqlite_master SET sql = 'CREATE INDEX i ON waypoints(note, label)' WHERE name = 'i'
            """)
        #expect(try await session.codes("w.db").contains("F-STORE-INTEGRITY"))
        let note = await session.run("store fix w.db --out f.db")
        #expect(note.contains("1 fix applied") && note.contains("no findings remain"), "\(note)")
        #expect(try await session.codes("f.db").isEmpty)
    }

    /// A view in the place of the table is named, and does not stop the check.
    @Test func aViewInPlaceOfATable() async throws {
        let session = try Fixture.session()
        try Fixture.waypoints(at: session.file("w.db"))
        try Fixture.change(
            session.file("w.db"),
            "ALTER TABLE waypoints RENAME TO waypoints_v2; CREATE VIEW waypoints AS SELECT * FROM waypoints_v2"
        )
        #expect(try await session.codes("w.db") == ["F-SCHEMA-VIEW"])
        #expect(await session.run("store open w.db | get because").contains("waypoints is a view"))
    }
}
