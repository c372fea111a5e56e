import CivilTime
import Foundation
import GRDB
import PluginTestKit
import Testing
import TrailStores

@testable import SyncPlugin

/// Each thing that happens to an app's own files, on the real stores: with its guard nothing of it reaches the other device,
/// and without the guard it does. So the guard is what holds, not the trial.
@Suite struct GuardTests {
    enum Fault: CaseIterable {
        case columnAdded, columnEmptied, olderStore, emptiedStore, missingStore, missingFolder, evictedRoute,
            malformedRoute, otherDocument, textOfOtherBytes, identifierTwice
    }

    /// The same store without what keeps those from counting as edits.
    private struct Unguarded: StoreDecorator {
        var base: FolderStore

        func obstacle(_ key: RecordKey) -> String? { nil }
        func kept(_ row: [RowField]?, _ key: RecordKey, _ state: SyncedRecordState) -> KeptRow? { nil }
        func row(_ key: RecordKey) throws -> [RowField]? {
            _ = try base.obstacle(key)
            return try base.row(key)
        }
        func changedKeys() throws -> [RecordKey] {
            let found = try base.changedKeys()
            let asked = try base.states.list().map(\.key).filter { base.rows.questions[$0.type] != nil }
            return Set(found + base.rows.unreadable.keys + asked).sorted()
        }
    }

    private static let now = Timestamp(milliseconds: 1_770_000_000_000)
    private static let old = "2026-01-01T00:00:00Z"
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for device in ["phone", "desk"] {
            try FileManager.default.createDirectory(
                at: path(device, "planned_routes"), withIntermediateDirectories: true)
            _ = try WaypointStore(own: path(device))
        }
        for number in 1...3 {
            try sql(
                "phone",
                """
                INSERT INTO waypoints (id, latitude, longitude, timestamp, label, note, modified_at)
                VALUES ('\(Self.id(number))', 46, 7, '\(Self.old)', 'W\(number)', 'note \(number)', '\(Self.old)')
                """)
        }
        try sql("phone", "ALTER TABLE waypoints ADD COLUMN rating INTEGER", "UPDATE waypoints SET rating = 4")
        for number in 1...2 { try route(number).write(to: file("phone", number)) }
        try sync("phone")
        try sync("desk")
    }

    private func path(_ device: String, _ name: String = "") -> URL {
        folder.url.appendingPathComponent("\(device)/\(name)")
    }
    private func file(_ device: String, _ number: Int) -> URL {
        path(device, "planned_routes/\(Self.id(number)).json")
    }
    private static func id(_ number: Int) -> String { "00000000-0000-4000-8000-00000000000\(number)" }

    private func route(_ number: Int) -> Data {
        Data(
            """
            {"coordinates": [{"latitude": 46.5, "longitude": 7.9}, {"latitude": 46.6, "longitude": 8}],
             "createdAt": "2026-02-06T08:00:00Z", "elevationGain": 120, "elevationLoss": 20,
             "endCoordinate": {"latitude": 46.6, "longitude": 8}, "estimatedDuration": 3600,
             "id": "\(Self.id(number))", "mode": "hiking", "name": "R\(number)",
             "startCoordinate": {"latitude": 46.5, "longitude": 7.9}, "totalDistance": 13500,
             "turnInstructions": [], "viaPoints": []}
            """.utf8)
    }

    private func sql(_ device: String, _ statements: String...) throws {
        try DatabaseQueue(path: path(device, "waypoints.db").path).write { db in
            for statement in statements { try db.execute(sql: statement) }
        }
    }

    private func sync(_ device: String, isGuarded: Bool = true) throws {
        let base = try FolderStore(path(device), device: device == "phone" ? 1 : 2, now: Self.now)
        if isGuarded { try run(base) } else { try run(Unguarded(base: base)) }
    }

    private func run(_ store: some DeviceStore) throws {
        var store = store
        let cloud = try EmbeddedCloud(folder.url.appendingPathComponent("cloud.db"), zone: "z", epoch: 1)
        var machine = SyncMachine(rule: .merge)
        machine.mayDeleteMany = true
        let now = Self.now.milliseconds
        var output = try machine.start(.now, in: &store, now: now)
        while case .send(let request) = output {
            let next = try machine.receive(
                try cloud.answer(request), to: machine.requestNumber, in: &store, now: now)
            output = next ?? .finished(.done)
        }
    }

    /// What a device's app shows: notes, ratings where there are some, and routes.
    private func shown(_ device: String) throws -> [String] {
        let rows = try DatabaseQueue(path: path(device, "waypoints.db").path).read { db in
            try GRDB.Row.fetchAll(db, sql: "SELECT * FROM waypoints ORDER BY id").map { row in
                let rating = row.columnNames.contains("rating") ? "\(row["rating"] as Int? ?? 0)" : ""
                return "\(row["note"] as String? ?? "") \(rating)"
            }
        }
        return rows + (try PlannedRouteFolder(path(device, "planned_routes")).routes().map(\.name).sorted())
    }

    /// Does it, and returns the device whose content must stay.
    private func make(_ fault: Fault) throws -> (victim: String, other: String) {
        let store = path("phone", "waypoints.db")
        switch fault {
        case .columnAdded:
            try sql("desk", "ALTER TABLE waypoints ADD COLUMN rating INTEGER")
            return ("desk", "phone")
        case .columnEmptied:
            try sql(
                "phone", "ALTER TABLE waypoints DROP COLUMN note",
                "ALTER TABLE waypoints ADD COLUMN note TEXT DEFAULT ''")
        case .olderStore:
            let image = try Data(contentsOf: store)
            try sql(
                "phone",
                "UPDATE waypoints SET note = 'newer', modified_at = '2026-01-02T00:00:00Z' WHERE label = 'W1'"
            )
            try sync("phone")
            try sync("desk")
            try image.write(to: store)
        case .emptiedStore: try Data().write(to: store)
        case .missingStore: try FileManager.default.removeItem(at: store)
        case .missingFolder: try FileManager.default.removeItem(at: path("phone", "planned_routes"))
        case .evictedRoute:
            try FileManager.default.moveItem(
                at: file("phone", 1), to: path("phone", "planned_routes/.\(Self.id(1)).json.icloud"))
        case .malformedRoute: try route(1).prefix(200).write(to: file("phone", 1))
        case .otherDocument: try Data(#"{"hello": 1}"#.utf8).write(to: file("phone", 1))
        case .textOfOtherBytes:
            try sql("phone", "UPDATE waypoints SET note = CAST(x'63e9' AS TEXT) WHERE label = 'W1'")
        case .identifierTwice:
            try sql(
                "phone", "CREATE TABLE again AS SELECT * FROM waypoints", "DROP TABLE waypoints",
                "ALTER TABLE again RENAME TO waypoints",
                "INSERT INTO waypoints SELECT * FROM waypoints WHERE label = 'W2'")
        }
        return ("phone", "desk")
    }

    @Test(arguments: Fault.allCases) func nothingReachesTheOtherDevice(_ fault: Fault) throws {
        let (victim, other) = try make(fault)
        let before = try shown(other)
        try sync(victim)
        try sync(other)
        #expect(try shown(other) == before)
    }

    @Test(arguments: Fault.allCases) func withoutItsGuardItDoes(_ fault: Fault) throws {
        let (victim, other) = try make(fault)
        let before = try shown(other)
        try sync(victim, isGuarded: false)
        try sync(other)
        #expect(try shown(other) != before)
    }
}
