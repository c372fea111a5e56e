import CivilTime
import Foundation
import GRDB
import Geodesy
import PluginKit
import StoresPlugin
import TrailStores

/// Compares, checks, repairs and copies stores of waypoints, each beside SQLite's own tools.
struct StoresBenchmark {
    /// Rows of the stores that are compared, repaired and copied.
    private static let count = 100_000
    /// Rows of the stores that are checked and compared beside SQLite's own tools.
    private static let many = 400_000
    /// Maximum time of a check, as a multiple of SQLite's integrity check, which is part of it.
    private static let checkGoal = 1.5

    private let folder: URL
    private let rounds: Int
    private let progress = ProgressReporter()

    init(folder: URL, isQuick: Bool) {
        self.folder = folder
        rounds = isQuick ? 1 : 5
    }

    func run() async throws {
        try await large()
        let phone = try make("phone.db", Self.count)
        let watch = file("watch.db")
        try await change(phone, to: watch, "UPDATE waypoints SET label = 'moved' WHERE _rowid_ % 100 = 0")
        try await compare("comparing 100,000 waypoints with 100,000", phone, watch)
        let lower = file("lower.db")
        try await change(watch, to: lower, "UPDATE waypoints SET id = lower(id)")
        try await compare("the same where one has its identifiers in lower case", phone, lower)
        try await repair(phone)
        try await copy(phone)
    }

    private func file(_ name: String) -> URL { folder.appendingPathComponent(name) }

    // MARK: Stores

    private func make(_ name: String, _ count: Int) throws -> URL {
        let random = RandomSource(seed: 1)
        var index = 0
        do {
            let store = try WaypointStore(file("made.db"), access: .own)
            try store.insertAll {
                guard index < count else { return nil }
                index += 1
                return Waypoint(
                    id: random.uuid(),
                    coordinate: Coordinate(
                        latitude: 45.8 + 2 * random.uniform(), longitude: 6 + 4.5 * random.uniform(),
                        altitude: (random.uniform() * 30_000).rounded() / 10),
                    timestamp: Timestamp(milliseconds: 1_700_000_000_000 + Int64(index) * 1000),
                    label: "Place \(index)", rawCategory: WaypointCategory.all[index % 9].raw,
                    note: "a note about place \(index)")
            }
        }
        // Without a log beside it, as when copied from a device.
        let queue = try DatabaseQueue(path: file("made.db").path)
        try queue.vacuum(into: file(name).path)
        try queue.close()
        try FileManager.default.removeItem(at: file("made.db"))
        return file(name)
    }

    private func change(_ url: URL, to other: URL, _ sql: String) async throws {
        try FileManager.default.copyItem(at: url, to: other)
        let queue = try DatabaseQueue(path: other.path)
        try await queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }

    // MARK: Measuring

    private func compare(_ what: String, _ first: URL, _ second: URL) async throws {
        var (ours, reading) = (Best(), Best())
        var same = 0
        for _ in 0..<rounds {
            try await ours.measure {
                let comparison = StoreComparison(try .reading(first), try .reading(second))
                same = try await comparison.run(progress: progress).counts.map(\.same).reduce(0, +)
            }
            await reading.measure {
                for url in [first, second] {
                    _ = readAll(url.path, "SELECT * FROM waypoints ORDER BY id")
                }
            }
        }
        report(
            "\(what), \(same) of them the same", ours, beside: reading, "reading both in this order")
    }

    /// Checks and compares as many rows as a large app has, beside SQLite's own tools.
    private func large() async throws {
        let phone = try make("large.db", Self.many)
        let watch = file("large-watch.db")
        try await change(phone, to: watch, "UPDATE waypoints SET label = 'moved' WHERE _rowid_ % 100 = 0")
        try await check(phone)
        guard try shell("command -v sqldiff > '\(file("where").path)'") else {
            return say("skipped: comparing beside sqldiff; it is in Debian's sqlite3-tools")
        }
        var (ours, byKey, byNumber) = (Best(), Best(), Best())
        var different = 0
        for _ in 0..<rounds {
            // Both are reopened, as sqldiff opens them.
            try await ours.measure {
                let comparison = StoreComparison(try .reading(phone), try .reading(watch))
                let counts = try await comparison.run(progress: progress).counts
                different = counts.map { $0.total - $0.same }.reduce(0, +)
            }
            let target = file("sqldiff").path
            try await byNumber.measure { try shell("sqldiff '\(phone.path)' '\(watch.path)' > '\(target)'") }
            try await byKey.measure {
                try shell("sqldiff --primarykey '\(phone.path)' '\(watch.path)' > '\(target)'")
            }
        }
        let what = "comparing \(Self.many) waypoints by their identifiers, \(different) of them different"
        report(what, ours, beside: byKey, "sqldiff --primarykey", goal: 1)
        report(what, ours, beside: byNumber, "sqldiff by the rows' numbers", goal: 1)
    }

    private func check(_ url: URL) async throws {
        var (ours, integrity) = (Best(), Best())
        for _ in 0..<rounds {
            try await ours.measure {
                let connection = try StoreConnection.reading(url)
                let found = try await CheckOutcome(connection, .waypoints, progress: progress).count
                if found > 0 { say("       the check finds \(found) faults where there are none") }
            }
            await integrity.measure { _ = readAll(url.path, "PRAGMA integrity_check") }
        }
        report(
            "checking \(Self.many) waypoints", ours, beside: integrity, "SQLite's integrity check alone",
            goal: Self.checkGoal)
    }

    /// With a destroyed page of the table, beside sqlite3's `.dump` into a new database.
    private func repair(_ url: URL) async throws {
        let damaged = file("damaged.db")
        try FileManager.default.copyItem(at: url, to: damaged)
        let handle = try FileHandle(forWritingTo: damaged)
        try handle.seek(toOffset: 4096 * 1000)
        try handle.write(contentsOf: Data(repeating: 0x5A, count: 4096))
        try handle.close()
        var (ours, dump) = (Best(), Best())
        var saved = 0
        for round in 0..<rounds {
            let target = file("repaired\(round).db")
            try await ours.measure {
                let report = try await StoreRepair.repair(damaged, into: target, progress: progress)
                saved = report.parts.filter { $0.kind == "table" }.map(\.saved).reduce(0, +)
            }
            let other = file("dumped\(round).db")
            try await dump.measure {
                try shell("sqlite3 '\(damaged.path)' .dump | sqlite3 '\(other.path)'")
            }
        }
        let dumped = readAll(file("dumped0.db").path, "SELECT 1 FROM waypoints") / 8
        report(
            "repairing a damaged store, \(saved) rows recovered (sqlite3 recovers \(dumped))", ours,
            beside: dump,
            "sqlite3's .dump into a new file")
    }

    private func copy(_ url: URL) async throws {
        var (ours, backup) = (Best(), Best())
        for round in 0..<rounds {
            let connection = try StoreConnection.reading(url)
            try await ours.measure {
                _ = try await StoreCopy.copy(
                    connection, to: file("copy\(round).db"), parameter: "to", progress: progress)
            }
            try await backup.measure {
                try shell("sqlite3 '\(url.path)' \".backup '\(file("backup\(round).db").path)'\"")
            }
        }
        report("copying it", ours, beside: backup, "sqlite3's .backup")
    }
}
