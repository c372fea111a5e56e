import CivilTime
import Foundation
import GRDB
import Geodesy
import PluginKit
import StoresPlugin
import TrailStores

/// Comparing, checking, mending and copying stores of 100,000 waypoints, each beside what SQLite alone takes for it.
struct StoresBenchmark {
    private static let count = 100_000

    private let folder: URL
    private let rounds: Int
    private let progress = ProgressReporter()

    init(folder: URL, isQuick: Bool) {
        self.folder = folder
        rounds = isQuick ? 1 : 5
    }

    func run() async throws {
        let phone = try make("phone.db")
        let watch = file("watch.db")
        try await change(phone, to: watch, "UPDATE waypoints SET label = 'moved' WHERE _rowid_ % 100 = 0")
        try await compare("comparing 100,000 waypoints with 100,000", phone, watch)
        let lower = file("lower.db")
        try await change(watch, to: lower, "UPDATE waypoints SET id = lower(id)")
        try await compare("the same where one has its identifiers in lower case", phone, lower)
        try await check(phone)
        try await repair(phone)
        try await copy(phone)
    }

    private func file(_ name: String) -> URL { folder.appendingPathComponent(name) }

    // MARK: Stores

    private func make(_ name: String) throws -> URL {
        let random = RandomSource(seed: 1)
        var index = 0
        do {
            let store = try WaypointStore(file("made.db"), access: .own)
            try store.insertAll {
                guard index < Self.count else { return nil }
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
        // Without a log beside it, as it would be copied from a device.
        let queue = try DatabaseQueue(path: file("made.db").path)
        try queue.vacuum(into: file(name).path)
        try queue.close()
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
            "\(what), \(same) of them the same", ours, beside: reading, "reading both in this order", goal: 2)
    }

    private func check(_ url: URL) async throws {
        var (ours, integrity) = (Best(), Best())
        for _ in 0..<rounds {
            let connection = try StoreConnection.reading(url)
            try await ours.measure {
                let found = try await CheckOutcome(connection, .waypoints, progress: progress).count
                if found > 0 { say("       the check finds \(found) faults where there are none") }
            }
            await integrity.measure { _ = readAll(url.path, "PRAGMA integrity_check") }
        }
        report("checking 100,000 waypoints", ours, beside: integrity, "SQLite's integrity check alone")
    }

    /// With a page of the table destroyed, beside sqlite3's `.dump` read into a new database.
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
            let target = file("mended\(round).db")
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
            "mending a damaged store, \(saved) rows saved (sqlite3 saves \(dumped))", ours, beside: dump,
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
