import Foundation
import GRDB
import Photos
import Pictures
import PluginKit
import PluginTestKit
import Testing
import TrailStores

@testable import StoresPlugin

/// Every planted fault is found, with its table, row and cause; intact stores have no findings.
@Suite(.needs(.photos))
struct PlantedFaultTests {
    private let folder: TemporaryFolder
    private var sound: [StoreKind: URL] = [:]

    init() throws {
        folder = try TemporaryFolder()
        let base = folder.url.appendingPathComponent("sound")
        try FileManager.default.createDirectory(at: base, withIntermediateDirectories: true)
        for kind in StoreKind.allCases where kind != .other {
            sound[kind] = base.appendingPathComponent(try FormatFixture.write(kind, in: base))
        }
    }

    private func outcome(_ url: URL, _ kind: StoreKind) async throws -> CheckOutcome {
        let checks = FormatChecks.all.map { $0.kind == .hikes ? HikeChecks(largestTrack: 1 << 20) : $0 }
        do {
            let connection = try StoreConnection.reading(url)
            return try await CheckOutcome(
                connection, checks.filter { $0.kind == kind }, now: Fixture.time, progress: ProgressReporter()
            )
        } catch let error as RutterError where error.code.hasPrefix("E-STORE-") {
            return CheckOutcome(findings: try FileFindings.of(url))
        }
    }

    /// A copy of the sound store of a kind in a folder of its own.
    private func copy(_ kind: StoreKind, _ number: Int) throws -> URL {
        let source = try #require(sound[kind])
        let place = folder.url.appendingPathComponent("\(number)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let url = place.appendingPathComponent(source.lastPathComponent)
        try FileManager.default.copyItem(at: source, to: url)
        return url
    }

    private func plant(_ fault: PlantedFault, _ number: Int) throws -> URL {
        if case .beside(let change) = fault.change {
            let url = try logged(number)
            try change(url)
            return url
        }
        let url = try copy(fault.kind, number)
        switch fault.change {
        case .sql(let statement): try FormatFixture.database(url, statement)
        case .track(let track): try Fixture.change(url, "UPDATE saved_routes SET track_data = ?", [track()])
        case .bytes(let change):
            var bytes = [UInt8](try Data(contentsOf: url))
            change(&bytes)
            try Data(bytes).write(to: url)
        case .text(let old, let new):
            let file =
                fault.kind == .plannedRoutes
                ? url.appendingPathComponent(FormatFixture.routeID + ".json") : url
            let text = try String(contentsOf: file, encoding: .utf8).replacing("\n", with: "")
            let old = old.replacing("\n", with: "")
            try #require(text.contains(old), "\(old)")
            let changed =
                old == "]"
                ? String(text.dropLast(text.hasSuffix("]") ? 1 : 0)) + new : text.replacing(old, with: new)
            try Data(changed.utf8).write(to: file)
        case .beside: break
        }
        return url
    }

    /// A store with its log and index, as they are while its app runs.
    private func logged(_ number: Int) throws -> URL {
        let place = folder.url.appendingPathComponent("\(number)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let live = place.appendingPathComponent("live.db")
        let writer = try WaypointStore(live, access: .own)
        for index in 1...3 {
            try writer.insert(
                Waypoint(
                    id: Fixture.id(index), coordinate: .init(latitude: 46 + Double(index) / 10, longitude: 7),
                    timestamp: Fixture.time))
        }
        let url = place.appendingPathComponent("w.db")
        for suffix in ["", "-wal", "-shm"] {
            try FileManager.default.copyItem(atPath: live.path + suffix, toPath: url.path + suffix)
        }
        return url
    }

    @Test func everyPlantedFaultIsFound() async throws {
        var missed: [String] = []
        for (number, fault) in PlantedFault.all.enumerated() {
            let url = try plant(fault, number)
            let found = try await outcome(url, fault.kind).findings
            let hit = found.contains { finding in
                finding.kind.code == "F-\(fault.code)" && finding.what.contains(fault.what)
                    && (fault.row == nil || finding.row == fault.row)
            }
            if !hit {
                let list = found.map { "\($0.kind.code) \($0.row ?? 0) \($0.what)" }
                missed.append("\(fault.kind) \(fault.code) '\(fault.what)': \(fault.change) gave \(list)")
            }
        }
        #expect(PlantedFault.all.count >= 130)
        #expect(
            missed.isEmpty, "\(missed.count) of \(PlantedFault.all.count): \(missed.joined(separator: "\n"))")
    }

    /// Every row of the ordinary tables, by table and number.
    private func rows(_ url: URL) throws -> [String: Row] {
        let connection = try StoreConnection.reading(url)
        return try connection.read { db in
            let tables = try String.fetchAll(
                db,
                sql:
                    "SELECT name FROM pragma_table_list WHERE type = 'table' AND wr = 0 AND name NOT LIKE 'sqlite_%'"
            )
            var rows: [String: Row] = [:]
            for table in tables {
                for row in try Row.fetchAll(db, sql: "SELECT rowid, * FROM \"\(table)\"") {
                    rows["\(table) \(row[0] as DatabaseValue)"] = row
                }
            }
            return rows
        }
    }

    /// Whatever is wrong with a store, following the fixes leaves fewer findings, and changes nothing that was right.
    @Test func everyFixLeavesFewerFindingsAndWhatWasRight() async throws {
        var wrong: [String] = []
        var followed = 0
        for (number, fault) in PlantedFault.all.enumerated() {
            if case .beside = fault.change { continue }
            let url = try plant(fault, 1000 + number)
            let found = try await outcome(url, fault.kind).findings
            let statements = found.compactMap(\.repair)
            if statements.isEmpty { continue }
            followed += 1
            let (sound, planted) = (try rows(try #require(self.sound[fault.kind])), try rows(url))
            try await FixStore.apply(statements, to: url)
            let left = try await outcome(url, fault.kind).findings
            if left.count >= found.count {
                wrong.append(
                    "\(fault.kind) \(fault.code): \(found.count) findings, then \(left.map(\.what))")
            }
            let fixed = try rows(url)
            for (key, row) in sound.sorted(by: { $0.key < $1.key })
            where planted[key] == row && fixed[key] != row {
                wrong.append("\(fault.kind) \(fault.code): \(key) was right; \(statements)")
            }
        }
        #expect(followed > 10, "\(followed)")
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
    }

    @Test func soundStoresHaveNoFindings() async throws {
        for (kind, url) in sound.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let found = try await outcome(url, kind).findings
            #expect(found.isEmpty, "\(kind): \(found.map(\.what))")
        }
    }

    /// The Android app's columns and framing are sound in its own store, and read.
    @Test func soundStoresOfTheAndroidAppHaveNoFindings() async throws {
        let url = folder.url.appendingPathComponent("android.db")
        try AndroidFixture.waypoints(at: url)
        let waypoints = try await outcome(url, .waypoints).findings
        #expect(waypoints.isEmpty, "\(waypoints.map(\.what))")
        let store = try WaypointStore(url, access: .foreign)
        #expect(try store.photo(of: Fixture.id(1)).photo == Fixture.photo)
        let hikes = folder.url.appendingPathComponent("hikes.db")
        try AndroidFixture.hikes(at: hikes)
        let found = try await outcome(hikes, .hikes).findings
        #expect(found.isEmpty, "\(found.map(\.what))")
        let hike = try #require(try HikeStore(hikes, access: .foreign).all().first)
        #expect(hike.averageHeartRate == 120)
        #expect(try HikeStore(hikes, access: .foreign).track(of: hike).count == Fixture.track.count)
    }
}

/// Stores as the Android port writes them: Room's table, its column names, zlib's frame.
enum AndroidFixture {
    static func waypoints(at url: URL) throws {
        try Fixture.change(
            url,
            """
            CREATE TABLE room_master_table(id INTEGER PRIMARY KEY, identity_hash TEXT);
            CREATE TABLE waypoints(id TEXT NOT NULL PRIMARY KEY, latitude REAL NOT NULL, longitude REAL NOT NULL,
              altitude REAL, timestamp TEXT NOT NULL, label TEXT NOT NULL, category TEXT NOT NULL, note TEXT NOT NULL,
              has_photo INTEGER NOT NULL, hike_id TEXT, photo BLOB, thumbnail BLOB)
            """)
        let thumbnail = try Photos.thumbnail(Fixture.photo).jpeg
        try Fixture.change(
            url,
            "INSERT INTO waypoints VALUES (?, 46.5, 7.9, NULL, '2026-02-06T08:15:30Z', 'Hut', 'shelter', '', 1, NULL, ?, ?)",
            [Fixture.id(1).uuidString, Fixture.photo, thumbnail])
    }

    static func hikes(at url: URL) throws {
        let plain = url.deletingLastPathComponent().appendingPathComponent("plain.db")
        try Fixture.hikes(at: plain)
        try FileManager.default.moveItem(at: plain, to: url)
        try Fixture.change(
            url,
            """
            CREATE TABLE room_master_table(id INTEGER PRIMARY KEY, identity_hash TEXT);
            ALTER TABLE saved_routes RENAME COLUMN avg_heart_rate TO average_heart_rate;
            UPDATE saved_routes SET average_heart_rate = 120, max_heart_rate = 150
            """)
        try Fixture.change(
            url, "UPDATE saved_routes SET track_data = ?", [Framed.zlib(Framed.records(Fixture.track))])
    }
}
