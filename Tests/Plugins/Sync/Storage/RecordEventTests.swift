import CivilTime
import Foundation
import GRDB
import PluginTestKit
import Testing
import TrailStores

@testable import SyncPlugin

/// What happens to one record.
extension StoreEventTests {
    @Test func textThatIsNoneIsSetAside() throws {
        try sql(
            "phone", "UPDATE waypoints SET note = CAST(x'6361fe' AS TEXT) WHERE label = 'W1'",
            Self.insertion(4))
        try sync("phone", "desk")
        #expect(try texts("desk") == ["note 1", "note 2", "note 3", "note 4"])
        let store = try open("phone")
        _ = try store.changedKeys()
        #expect(
            try store.setAside().compactMap(\.key) == [
                RecordKey(type: .waypoint, name: RecordName(high: 0x4000, low: 0x8000_0000_0000_0001))
            ])
    }

    @Test func rowsWithoutAnIdentifierAreListed() throws {
        let row = "46, 8, '\(Self.start)'"
        try sql(
            "phone",
            """
            INSERT INTO waypoints (id, latitude, longitude, timestamp) VALUES
            (NULL, \(row)), ('wp-17', \(row)), ('0000000000000-4000-8000-000000000009', \(row)), (x'01', \(row))
            """, Self.insertion(4))
        try sync("phone", "desk")
        #expect(try texts("desk").count == 4)
        #expect(try open("phone").setAside().count == 4)
    }

    /// A row whose identifier differs from another's in case only is neither written nor deleted with it.
    @Test func identifiersThatDifferInCaseOnly() throws {
        let big = "ABCDEF00-0000-4000-8000-000000000000"
        let row = "46, 8, '\(Self.start)'"
        try sql(
            "phone",
            "INSERT INTO waypoints (id, latitude, longitude, timestamp, label) VALUES ('\(big)', \(row), 'Big'), ('\(big.lowercased())', \(row), 'Small')"
        )
        try sync("phone", "desk")
        #expect(try texts("desk", "label") == ["W1", "W2", "W3", "Big"])
        #expect(try open("phone").setAside().count == 1)
        try sql("desk", "UPDATE waypoints SET label = 'Bigger' WHERE label = 'Big'")
        try sync("desk", "phone")
        #expect(try texts("phone", "label") == ["W1", "W2", "W3", "Bigger", "Small"])
        try sql("desk", "DELETE FROM waypoints WHERE label = 'Bigger'")
        try sync("desk", "phone")
        #expect(try texts("phone", "label") == ["W1", "W2", "W3", "Small"])
    }

    /// An identifier in mixed case is still one record's.
    @Test func anIdentifierInMixedCase() throws {
        let id = "AbCDEF00-0000-4000-8000-000000000000"
        try sql(
            "phone",
            "INSERT INTO waypoints (id, latitude, longitude, timestamp, label) VALUES ('\(id)', 46, 8, '\(Self.start)', 'Mixed')"
        )
        try sync("phone", "desk")
        try sql("desk", "UPDATE waypoints SET label = 'Edited' WHERE label = 'Mixed'")
        try sync("desk", "phone")
        #expect(try texts("phone", "label") == ["W1", "W2", "W3", "Edited"])
        #expect(try texts("desk", "label") == ["W1", "W2", "W3", "Edited"])
    }

    @Test func aViewInPlaceOfTheTableStopsNothing() throws {
        let hike = """
            INSERT INTO saved_routes (id, name, start_latitude, start_longitude, end_latitude, end_longitude, start_time,
                end_time, total_distance, elevation_gain, elevation_loss, walking_time, resting_time, track_data)
            VALUES ('\(Self.id(9))', 'Day', 46, 7, 46, 7, '\(Self.start)', '\(Self.start)', 1, 1, 1, 1, 1, x'')
            """
        try sql("phone", "ALTER TABLE waypoints RENAME TO old", "CREATE VIEW waypoints AS SELECT * FROM old")
        try DatabaseQueue(path: path("phone", "routes.db").path).write { try $0.execute(sql: hike) }
        try sync("phone", "desk")
        #expect(try texts("desk").count == 3)
        let hikes = try DatabaseQueue(path: path("desk", "routes.db").path).read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM saved_routes")
        }
        #expect(hikes == 1)
        #expect(try open("phone").setAside().first?.why.contains("view") == true)
    }
}
