import CivilTime
import Foundation
import Geodesy
import PluginKit
import SyncPlugin
import TrailStores

/// Measures push and pull on the embedded cloud.
public enum SyncMeasurement {
    /// Number of measurements; the medians are printed.
    private static let repetitions = 5
    /// Pulls without changes per measurement.
    private static let emptyPulls = 9

    /// Pushes and pulls waypoints on the embedded cloud beside plain inserts of the same rows; prints ratios.
    /// Returns whether everything arrived.
    public static func measure(count: Int = 10_000) throws -> Bool {
        let runs = try (0..<repetitions).map { _ in try run(count) }
        print(
            "\(count) rows in one transaction: \(median(runs.map(\.batch)).text); one by one, a tenth of them: "
                + median(runs.map(\.single)).text)
        for (name, cost) in [("push", \Run.push), ("pull", \Run.pull)] as [(String, KeyPath<Run, Cost>)] {
            // Per run: the machine may be slower in one than in another.
            func ratio(_ to: (Run) -> Double, _ of: (Cost) -> Double) -> String {
                let ratios = runs.map { of($0[keyPath: cost]) / to($0) }.sorted()
                return "\((ratios[ratios.count / 2] * 100).rounded() / 100)×"
            }
            print(
                "\(name): \(median(runs.map { $0[keyPath: cost] }).text); "
                    + "\(ratio({ $0.batch.wall }, \.wall)) of one transaction "
                    + "(\(ratio({ $0.batch.processor }, \.processor)) of its processor time), "
                    + "\(ratio({ $0.single.wall * 10 }, \.wall)) of one by one; goal 3×")
        }
        print(
            "a pull without changes: \(median(runs.map(\.empty)).text), goal 5 ms; "
                + "including opening the stores \(median(runs.map(\.opened)).text)")
        return runs.allSatisfy { $0.counts.pushed == count && $0.counts.pulled == count }
    }

    /// The outcome of one measurement.
    private struct Run {
        let batch, single, push, pull, empty, opened: Cost
        let counts: SyncCounts
    }

    private static func run(_ count: Int) throws -> Run {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "rutter-sync-bench-\(getpid())")
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["plain", "single", "a", "b"] {
            try FileManager.default.createDirectory(
                at: folder.appendingPathComponent(name), withIntermediateDirectories: true)
        }
        let random = RandomSource(seed: 1)
        let now = Timestamp(milliseconds: SimulationSettings.start)
        let waypoints = (0..<count).map { index in
            Waypoint(
                id: random.uuid(),
                coordinate: Coordinate(latitude: random.uniform() * 90, longitude: random.uniform() * 90),
                timestamp: now, label: "Waypoint \(index)", modifiedAt: now)
        }
        func open(_ name: String) throws -> WaypointStore {
            try WaypointStore(own: folder.appendingPathComponent(name))
        }
        func insert(into name: String) throws {
            let store = try open(name)
            var rest = waypoints.makeIterator()
            try store.insertAll({ rest.next() })
        }
        let batch = try time { try insert(into: "plain") }
        // As in an app: each is durable when its call returns.
        let single = try time {
            let store = try open("single")
            for waypoint in waypoints.prefix(count / 10) { try store.insert(waypoint) }
        }
        try insert(into: "a")
        let cloud = try EmbeddedCloud(folder.appendingPathComponent("cloud.db"), zone: "z", epoch: 1)
        func device(_ name: String) throws -> FolderStore {
            try FolderStore(folder.appendingPathComponent(name), device: name == "a" ? 1 : 2, now: now)
        }
        var counts = SyncCounts()
        let (first, second) = (try device("a"), try device("b"))
        let push = try time { counts = try first.sync(.now, with: cloud) }
        let pull = try time { counts.pulled = try second.sync(.pull, with: cloud).pulled }
        let empty = median(
            try (0..<emptyPulls).map { _ in try time { _ = try second.sync(.pull, with: cloud) } })
        let opened = try time { _ = try device("b").sync(.pull, with: cloud) }
        return Run(
            batch: batch, single: single, push: push, pull: pull, empty: empty, opened: opened, counts: counts
        )
    }

    private static func median(_ costs: [Cost]) -> Cost {
        costs.sorted { $0.wall < $1.wall }[costs.count / 2]
    }

    /// A duration in seconds.
    private struct Cost {
        let wall: Double
        let processor: Double

        var text: String {
            "\(SyncMeasurement.ms(wall)) (\(SyncMeasurement.ms(processor)) of processor time)"
        }
    }

    private static func time(_ body: () throws -> Void) rethrows -> Cost {
        let start = clock()
        let wall = try ContinuousClock().measure(body).components
        return Cost(
            wall: Double(wall.seconds) + Double(wall.attoseconds) / 1e18,
            processor: Double(clock() - start) / Double(CLOCKS_PER_SEC))
    }

    private static func ms(_ seconds: Double) -> String { "\((seconds * 1e5).rounded() / 100) ms" }
}
