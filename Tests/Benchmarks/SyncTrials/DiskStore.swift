import CivilTime
import Core
import Foundation
import GRDB
import PluginTestKit
import SyncPlugin
import TrailStores

/// A device's shipping store in files on a failing disk, for the schedules of the simulator.
package final class DiskStore: StoreDecorator, SimulatedDeviceStore, InspectableStore {
    private enum Settings {
        /// Writes and flushes of a file per simulated write.
        static let operations = 7
        /// One opening in this many meets a fault, within this many writes and flushes.
        static let openings = 6
        static let operationsOfOpening = 30
        /// One photo in this many is large, and one is larger than everything held in memory together.
        static let large = (every: 23, size: 300_000)
        static let huge = (every: 997, size: 9 << 20)
        /// One write in this many has no time.
        static let untimed = 9
        static let photo = "photo_data"
        static let track = "track_data"
        static let routes = "planned_routes"
        /// A route as an app writes it, without its identifier. Whole numbers are writes of the simulator.
        static var route: [String: Any] {
            let (start, end) = (["latitude": 46.5, "longitude": 7.9], ["latitude": 46.6, "longitude": 8.0])
            return [
                "name": "Way", "mode": "hiking", "startCoordinate": start, "endCoordinate": end,
                "viaPoints": [Any](), "coordinates": [start, end], "turnInstructions": [Any](),
                "totalDistance": 13_500.5, "estimatedDuration": 3600.5, "elevationGain": 120.5,
                "elevationLoss": 20.5,
                "createdAt": "2026-02-06T08:00:00Z",
            ]
        }
        /// Further required columns of an app's row.
        static let waypoint: [(String, any DatabaseValueConvertible & Sendable)] = [
            ("latitude", 46.5), ("longitude", 7.9), ("timestamp", "2026-02-06T08:00:00Z"),
        ]
        static let hike: [(String, any DatabaseValueConvertible & Sendable)] = [
            ("name", "Day"), ("start_latitude", 46.5), ("start_longitude", 7.9), ("end_latitude", 46.6),
            ("end_longitude", 7.9), ("start_time", "2026-02-05T08:00:00Z"),
            ("end_time", "2026-02-05T16:00:00Z"), ("total_distance", 9000), ("elevation_gain", 800),
            ("elevation_loss", 800), ("walking_time", 20_000), ("resting_time", 8000),
        ]
    }

    /// A copy of a device's folder.
    package struct Backup {
        let folder: TemporaryFolder
    }

    private let disk: FaultyDisk
    private let number: UInt64
    private let setup: SimulationSetup
    private var records: Int { setup.records }
    private var random: SplitMix
    private var identities: UInt64 = 0
    private var held: FolderStore?
    /// The app's own connection, in addition to the engine's.
    private var app: WaypointStore?
    private var hikes: HikeStore?
    /// Photos taken by the users of this device.
    private var photos: [BlobReference: Data] = [:]
    /// A fault without a type or a fix.
    private(set) var untyped: String?
    package let schema: [String]

    /// A new device. A newer one has an additional column.
    package init(number: Int, _ setup: SimulationSetup, isNewer: Bool, seed: UInt64, lies: Bool = false)
        throws
    {
        self.number = UInt64(number + 1)
        self.setup = setup
        random = SplitMix(seed: seed &+ UInt64(number))
        disk = try FaultyDisk(seed: random.next())
        if lies { disk.lie() }
        schema = ["a", "b"] + (isNewer ? ["z"] : [])
        try open(device: self.number)
    }

    private var folder: URL { disk.folder.url }

    package var base: FolderStore {
        get {
            guard let held else { preconditionFailure("a store is used while its process is not running") }
            return held
        }
        set { held = newValue }
    }

    package var simulated: DiskStore {
        get { self }
        set {}
    }

    // MARK: Processes

    private func open(device: UInt64) throws {
        if random.below(Settings.openings) == 0 {
            disk.arm(kind(), after: random.below(Settings.operationsOfOpening))
            do {
                try openOnce(device)
                if !disk.hasFailed { return disk.disarm() }
            } catch { guard isOfFault(error) else { throw error } }
            end()
        }
        try openOnce(device)
    }

    private func openOnce(_ device: UInt64) throws {
        let app = try WaypointStore(own: folder)
        self.app = app
        let hikes = try HikeStore(own: folder)
        self.hikes = hikes
        for (table, connection) in [("waypoints", app.connection), ("saved_routes", hikes.connection)] {
            try connection.write { db in
                let there = Set(try db.columns(in: table).map(\.name))
                for column in schema where !there.contains(column) {
                    try db.execute(sql: "ALTER TABLE \(table) ADD COLUMN \(column) INTEGER")
                }
            }
        }
        let disk = disk
        var renewals = random.next()
        held = try FolderStore(
            folder, device: device, now: Timestamp(milliseconds: SimulationSettings.start),
            willChangeFile: { try disk.changeFile() },
            identity: { _ in
                renewals &+= 2
                return renewals | 1
            })
    }

    /// Ends all processes, and lets the disk lose unflushed data.
    private func end() {
        held = nil
        app = nil
        hikes = nil
        disk.repair()
    }

    package func crash() throws {
        // Sometimes the process ends regularly, and its files are closed.
        if !disk.isDead, random.below(4) > 0 { disk.end(random.below(3) == 0 ? .power : .kill) }
        end()
        try open(device: number)
    }

    private func kind() -> FaultyDisk.Kind {
        FaultyDisk.Kind.allCases[random.below(FaultyDisk.Kind.allCases.count)]
    }

    package var writesLeft: Int? {
        didSet {
            guard let writesLeft else { return disk.disarm() }
            if oldValue == nil {
                let count = writesLeft * Settings.operations + random.below(Settings.operations)
                disk.arm(kind(), after: count)
            }
        }
    }

    package var hasEnded: Bool { disk.isDead }

    package func isOfFault(_ error: any Error) -> Bool {
        if error is SimulatedCrash || disk.isDead { return true }
        guard disk.hasFailed else { return false }
        // The user who continues after a fault gets a fix.
        if let error = error as? RutterError, error.fix != nil { return true }
        untyped = "\(error)"
        return false
    }

    // MARK: Contents

    package func blobField(of record: Int) -> String? {
        switch setup.key(record).type {
        case .waypoint: Settings.photo
        case .savedRoute: Settings.track
        default: nil
        }
    }

    package func schema(of record: Int) -> [String] {
        (schema + [blobField(of: record)].compactMap { $0 }).sorted()
    }

    package var durable: SimulatedStore.Durable {
        get throws {
            var states = [SyncedRecordState?](repeating: nil, count: records + 1)
            for (key, state) in try base.durableStates() { states[Int(key.name.low)] = state }
            return SimulatedStore.Durable(
                header: try base.durableHeader(), states: states,
                conflicts: try base.durableLosers().map { .init(key: $0.key, loser: $0.loser) },
                held: try base.durableHeldBack())
        }
    }

    package var rows: [AppRow?] {
        get throws { try (0..<records).map { try base.durableRow(setup.key($0)) } }
    }

    // MARK: Users

    package func userMakes(_ write: Int32) -> BlobReference {
        let number = Int(write)
        var size = 0
        if number % Settings.large.every == 0 { size = Settings.large.size }
        if number % Settings.huge.every == 0 { size = Settings.huge.size }
        // Most photos have one size.
        var data = Data("photo \(String(number + 1_000_000))".utf8)
        data.append(Data(count: size))
        let reference = BlobReference(data)
        photos[reference] = data
        return reference
    }

    package func userWrites(_ row: AppRow?, at index: Int, now: Int64) throws {
        do { try write(row, at: index, now) } catch {
            // The app reports it; its user frees space, and saves again.
            guard isOfFault(error) else { throw error }
            try crash()
            try write(row, at: index, now)
        }
    }

    private func write(_ row: AppRow?, at index: Int, _ now: Int64) throws {
        guard let app, let hikes else { return }
        let key = setup.key(index)
        let isTimed = random.below(Settings.untimed) != 0
        let time = isTimed ? ISO8601.text(Timestamp(milliseconds: now)) : nil
        switch key.type {
        case .waypoint: try write(row, key, "waypoints", app.connection, Settings.waypoint, time)
        case .savedRoute: try write(row, key, "saved_routes", hikes.connection, Settings.hike, time)
        default: try writeRoute(row, key, time)
        }
    }

    /// The app's own write of a planned route to a file.
    private func writeRoute(_ row: AppRow?, _ key: RecordKey, _ time: String?) throws {
        let routes = PlannedRouteFolder(folder.appendingPathComponent(Settings.routes))
        guard let id = UUID(uuidString: key.name.text) else { return }
        let file = try routes.file(of: id)
        guard let row else {
            if file != nil { _ = try routes.delete(id) }
            return
        }
        var object: [String: Any] = Settings.route
        object["id"] = key.name.text
        if let file {
            object = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any] ?? [:]
        }
        for field in row {
            if case .integer(let number) = field.value { object[field.key] = number }
        }
        object["modifiedAt"] = time
        try routes.restore(
            try JSONSerialization.data(withJSONObject: object, options: .sortedKeys), of: id)
    }

    private func write(
        _ row: AppRow?, _ key: RecordKey, _ table: String, _ connection: StoreConnection,
        _ needed: [(String, any DatabaseValueConvertible & Sendable)], _ time: String?
    ) throws {
        let held = try base.durableRow(key)
        let names = [key.name.text, key.name.lowercaseText]
        guard let row else {
            return try connection.write { db in
                try db.execute(
                    sql: "DELETE FROM \(table) WHERE id IN (?, ?)", arguments: StatementArguments(names))
            }
        }
        var columns: [String] = []
        var values: [(any DatabaseValueConvertible)?] = []
        let own = schema(of: Int(key.name.low))
        for field in row where own.contains(field.key) {
            if let held, held.first(where: { $0.key == field.key })?.value == field.value { continue }
            columns.append(field.key)
            switch field.value {
            case .integer(let number): values.append(number)
            case .blob(let reference): values.append(photos[reference])
            default: values.append(nil)
            }
        }
        columns.append("modified_at")
        values.append(time)
        try connection.write { db in
            if held != nil {
                let list = columns.map { "\($0) = ?" }.joined(separator: ", ")
                try db.execute(
                    sql: "UPDATE \(table) SET \(list) WHERE id IN (?, ?)",
                    arguments: StatementArguments(values + names))
            } else {
                columns += ["id"] + needed.map(\.0)
                // Some apps write identifiers in lower case.
                values += [names[Int(key.name.low) % 2]] + needed.map(\.1)
                let marks = columns.map { _ in "?" }.joined(separator: ", ")
                try db.execute(
                    sql: "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(marks))",
                    arguments: StatementArguments(values))
            }
        }
    }

    // MARK: Copies

    package var backup: Backup {
        get throws {
            let copy = try TemporaryFolder()
            try Self.copy(folder, to: copy.url)
            return Backup(folder: copy)
        }
    }

    private static func copy(_ source: URL, to target: URL) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: source.path)
        where !name.hasSuffix("-shm") {
            try FileManager.default.copyItem(
                at: source.appendingPathComponent(name), to: target.appendingPathComponent(name))
        }
    }

    private func clear() throws {
        end()
        disk.flush()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        }
    }

    package func bringBack(_ backup: Backup) throws {
        try clear()
        try Self.copy(backup.folder.url, to: folder)
        try open(device: number)
    }

    package func reinstall(keeping token: ChangeToken?) throws {
        try clear()
        identities += 1
        try open(device: identities << 16 | number)
        if let token {
            base.header.token = token
            try base.commit()
        }
    }

    package func forgetAccount() throws {
        try crash()
        base.header.account = nil
        base.header.token = nil
        base.header.witness = nil
        try base.commit()
    }
}
