import CivilTime
import Foundation
import GRDB
import PluginTestKit
import Testing
import TrailStores

@testable import SyncPlugin

/// Random edits and syncs of two devices, between which the apps' own stores meet what is no edit. Whatever happens, the
/// devices end with the values that the users wrote last.
@Suite struct StoreEventSchedules {
    /// A guard that is taken out, in a decorator outside the engine.
    enum Planted: CaseIterable {
        /// Rows of another file, and those after a change of the schema, count as edits.
        case nothingUndone
        /// Rows that cannot be read count as deleted.
        case nothingUnreadable
        /// The times of an app whose clock was far off are believed.
        case futureBelieved
    }

    private struct Broken: StoreDecorator {
        var base: FolderStore
        let planted: Planted

        func kept(_ row: AppRow?, _ key: RecordKey, _ state: SyncedRecordState) throws -> KeptRow? {
            planted == .nothingUndone ? nil : try base.kept(row, key, state)
        }

        func obstacle(_ key: RecordKey) throws -> String? {
            planted == .nothingUnreadable ? nil : try base.obstacle(key)
        }

        func changedKeys() throws -> [RecordKey] {
            // The scan itself passes over what it cannot read.
            let keys = try base.changedKeys()
            return planted == .nothingUnreadable ? (keys + base.rows.unreadable.keys).sorted() : keys
        }
    }

    private typealias AppRow = [RowField]

    /// Two devices with a cloud, and what their users wrote last.
    private final class World {
        static let start = 1_770_000_000_000 as Int64
        static let records = 4
        /// In milliseconds.
        static let year = 365 * 86_400_000 as Int64
        let folder: TemporaryFolder
        let planted: Planted?
        var random: SplitMix
        var now = World.start
        /// The last note of each record, and the record's deletion as none.
        var notes: [String: String] = [:]
        /// The rating of each record, in a column that the phone's app has first.
        var ratings: [String: Int] = [:]
        var number = 0
        var hasRating = [true, false]
        /// What was wrong on the way.
        var violation: String?

        init(seed: UInt64, planted: Planted?) throws {
            folder = try TemporaryFolder()
            random = SplitMix(seed: seed)
            self.planted = planted
            for device in 0...1 {
                try FileManager.default.createDirectory(at: path(device), withIntermediateDirectories: true)
                _ = try WaypointStore(own: path(device))
            }
            try sql(0, "ALTER TABLE waypoints ADD COLUMN rating INTEGER NOT NULL DEFAULT 0")
            for _ in 0..<World.records { try add() }
            try settle()
        }

        func path(_ device: Int, _ name: String = "") -> URL {
            folder.url.appendingPathComponent("\(device)/\(name)")
        }

        private var moment: String { ISO8601.text(Timestamp(milliseconds: now)) }

        func sql(_ device: Int, _ statements: String...) throws {
            try DatabaseQueue(path: path(device, "waypoints.db").path).write { db in
                for statement in statements { try db.execute(sql: statement) }
            }
        }

        private func add() throws {
            number += 1
            let id = "0000ABCD-0000-4000-8000-0000000000\(number + 10)"
            notes[id] = "new \(number)"
            ratings[id] = number
            try sql(
                0,
                """
                INSERT INTO waypoints (id, latitude, longitude, timestamp, note, rating, modified_at)
                VALUES ('\(id)', 46, 7, '\(moment)', 'new \(number)', \(number), '\(moment)')
                """)
        }

        private func pick() -> String? {
            let ids = notes.keys.sorted()
            return ids.isEmpty ? nil : ids[random.below(ids.count)]
        }

        func edit(_ device: Int) throws { if let id = pick() { try edit(device, id, moment) } }

        private func edit(_ device: Int, _ id: String, _ moment: String) throws {
            number += 1
            notes[id] = "edit \(number)"
            try sql(
                device,
                "UPDATE waypoints SET note = 'edit \(number)', modified_at = '\(moment)' WHERE id = '\(id)'")
        }

        func delete(_ device: Int) throws {
            guard notes.count > 2, let id = pick() else { return }
            notes[id] = nil
            ratings[id] = nil
            try sql(device, "DELETE FROM waypoints WHERE id = '\(id)'")
        }

        func sync(_ device: Int) throws {
            now += 60_000
            let time = Timestamp(milliseconds: now)
            let base = try FolderStore(path(device), device: UInt64(device + 1), now: time)
            if let planted {
                try run(Broken(base: base, planted: planted))
            } else {
                try run(base)
            }
        }

        private func run(_ store: some DeviceStore) throws {
            var store = store
            let cloud = try EmbeddedCloud(folder.url.appendingPathComponent("cloud.db"), zone: "z", epoch: 1)
            var machine = SyncMachine(rule: .merge)
            machine.mayDeleteMany = true
            let now = planted == .futureBelieved ? now + 10 * World.year : now
            var output = try machine.start(.now, in: &store, now: now)
            while case .send(let request) = output {
                let next = try machine.receive(
                    try cloud.answer(request), to: machine.requestNumber, in: &store, now: now)
                output = next ?? .finished(.done)
            }
        }

        func settle() throws { for device in [0, 1, 0, 1] { try sync(device) } }

        // MARK: What is no edit

        private func files(_ device: Int) -> [URL] {
            ["", "-wal", "-shm"].map { path(device, "waypoints.db" + $0) }
        }

        private func image(_ device: Int) throws -> Data {
            try DatabaseQueue(path: path(device, "waypoints.db").path).writeWithoutTransaction {
                try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            }
            return try Data(contentsOf: path(device, "waypoints.db"))
        }

        private func replace(_ device: Int, by data: Data?) throws {
            for file in files(device) { try? FileManager.default.removeItem(at: file) }
            try data?.write(to: path(device, "waypoints.db"))
        }

        /// Everything of the store was sent before: nothing of the user's goes with it.
        func disturb(_ device: Int) throws {
            try settle()
            switch random.below(7) {
            case 0:
                // An older file comes back after both devices have changed records.
                let old = try image(device)
                try edit(device)
                try delete(device)
                try settle()
                try replace(device, by: old)
                if device == 1, hasRating[1], !(try hasColumn(1)) { hasRating[1] = false }
            case 1:
                try replace(device, by: random.below(2) == 0 ? nil : Data())
                hasRating[device] = false
                try sync(device)
                let store = try FolderStore(
                    path(device), device: UInt64(device + 1), now: Timestamp(milliseconds: now))
                _ = try store.answer(.waypoint, bringsBack: true, now: now, rule: .merge)
            case 2:
                if try !hasColumn(device) {
                    try sql(device, "ALTER TABLE waypoints ADD COLUMN rating INTEGER NOT NULL DEFAULT 0")
                }
                hasRating[device] = true
            case 3:
                try sql(device, "ALTER TABLE waypoints DROP COLUMN note")
            case 4: try addOddRows(device)
            case 5:
                // The app's clock was years ahead; the other device's user edits the same record later.
                guard let id = pick() else { return }
                try edit(device, id, ISO8601.text(Timestamp(milliseconds: now + 9 * World.year)))
                try sync(device)
                now += 60_000
                try edit(1 - device, id, moment)
            default:
                guard let id = pick() else { return }
                try sql(device, "UPDATE waypoints SET note = CAST(x'fffe' AS TEXT) WHERE id = '\(id)'")
                try settle()
                let others = try DatabaseQueue(path: path(1 - device, "waypoints.db").path).read {
                    try Int.fetchOne($0, sql: "SELECT count(*) FROM waypoints")
                }
                if others != notes.count { violation = "a record that cannot be read is gone elsewhere" }
                let note = notes[id] ?? ""
                try sql(device, "UPDATE waypoints SET note = '\(note)' WHERE id = '\(id)'")
            }
        }

        /// Rows whose identifiers are none, and one that is another's in the other case: nothing of them arrives, and nothing of
        /// the records beside them changes.
        private func addOddRows(_ device: Int) throws {
            guard let id = pick() else { return }
            for odd in ["NULL", "'wp-17'", "lower('\(id)')"] {
                try sql(
                    device,
                    "INSERT INTO waypoints (id, latitude, longitude, timestamp, note) VALUES (\(odd), 1, 2, '\(moment)', 'odd')"
                )
            }
            try settle()
            let others = try DatabaseQueue(path: path(1 - device, "waypoints.db").path).read {
                try String.fetchAll($0, sql: "SELECT note FROM waypoints")
            }
            if others.sorted() != notes.values.sorted() {
                violation = "rows with odd identifiers give \(others)"
            }
            try sql(device, "DELETE FROM waypoints WHERE note = 'odd'")
        }

        private func hasColumn(_ device: Int) throws -> Bool {
            try DatabaseQueue(path: path(device, "waypoints.db").path).read { db in
                try db.columns(in: "waypoints").contains { $0.name == "rating" }
            }
        }

        /// What is wrong at the end; `nil` if nothing is.
        func wrong() throws -> String? {
            try settle()
            if let violation { return violation }
            for device in 0...1 {
                let (found, rated) = try DatabaseQueue(path: path(device, "waypoints.db").path).read { db in
                    let rows = try GRDB.Row.fetchAll(db, sql: "SELECT * FROM waypoints")
                    return (
                        Dictionary(rows.map { ($0["id"] ?? "", $0["note"] ?? "") }, uniquingKeysWith: { $1 }),
                        Dictionary(
                            rows.compactMap { row in
                                row.hasColumn("rating") ? (row["id"] ?? "", row["rating"] ?? 0) : nil
                            }, uniquingKeysWith: { $1 })
                    ) as ([String: String], [String: Int])
                }
                if found != notes { return "device \(device): \(found) instead of \(notes)" }
                if !rated.isEmpty, rated != ratings {
                    return "device \(device): \(rated) instead of \(ratings)"
                }
            }
            return nil
        }
    }

    private static func run(_ seed: UInt64, _ planted: Planted? = nil) throws -> String? {
        let world = try World(seed: seed, planted: planted)
        for _ in 0..<6 {
            let device = world.random.below(2)
            switch world.random.below(4) {
            case 0: try world.edit(device)
            case 1: try world.delete(device)
            default: try world.disturb(device)
            }
            try world.settle()
        }
        return try world.wrong()
    }

    @Test(arguments: 0..<12 as Range<UInt64>)
    func nothingButEditsIsSent(_ seed: UInt64) throws {
        #expect(try Self.run(seed) == nil)
    }

    @Test(arguments: Planted.allCases)
    func aGuardTakenOutIsMissed(_ planted: Planted) throws {
        #expect(try (0..<12 as Range<UInt64>).contains { try Self.run($0, planted) != nil })
    }
}

extension GRDB.Row {
    fileprivate func hasColumn(_ name: String) -> Bool { columnNames.contains(name) }
}
