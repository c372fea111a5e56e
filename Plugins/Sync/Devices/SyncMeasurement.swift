import CivilTime
import Foundation
import Geodesy
import PluginKit
import TrailStores

extension SyncBenchmark {
    /// Pushes and pulls waypoints on the embedded back end beside plain inserts of the same rows; prints ratios.
    /// Gives whether everything arrived.
    public static func measure(count: Int = 10_000) throws -> Bool {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "rutter-sync-bench-\(getpid())")
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["plain", "a", "b"] {
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
        func insert(into name: String) throws {
            let store = try WaypointStore(
                folder.appendingPathComponent(name).appendingPathComponent("waypoints.db"), access: .own)
            // One row a transaction is how an app's user makes them; a batch is the fairer reference.
            var rest = waypoints.makeIterator()
            try store.insertAll({ rest.next() })
        }
        let plain = try seconds { try insert(into: "plain") }
        try insert(into: "a")
        func sync(_ name: String, _ mode: SyncMachine.Mode) throws -> SyncCounts {
            var store = try FolderStore(
                folder.appendingPathComponent(name), device: name == "a" ? 1 : 2, now: now)
            let cloud = try EmbeddedCloud(folder.appendingPathComponent("cloud.db"), zone: "z", epoch: 1)
            var machine = SyncMachine(rules: .merge)
            var output = try machine.start(mode, in: &store, now: now.milliseconds)
            while case .send(let request) = output {
                output =
                    try machine.receive(
                        try cloud.answer(request), to: machine.requestNumber, in: &store,
                        now: now.milliseconds)
                    ?? .finished(.done)
            }
            return machine.counts
        }
        var counts = SyncCounts()
        let push = try seconds { counts = try sync("a", .now) }
        let pull = try seconds { counts.pulled = try sync("b", .pull).pulled }
        let empty = try (0..<9).map { _ in try seconds { _ = try sync("b", .pull) } }.sorted()[4]
        print(
            "plain inserts of \(count) rows \(ms(plain)); push \(ms(push)) (\(ratio(push, plain))), ",
            terminator: "")
        print(
            "pull \(ms(pull)) (\(ratio(pull, plain))); a pull with nothing new, opening included, \(ms(empty))"
        )
        print("goals: within 3 times of plain inserts, 5 ms")
        return counts.pushed == count && counts.pulled == count
    }

    private static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let clock = ContinuousClock()
        let time = try clock.measure(body).components
        return Double(time.seconds) + Double(time.attoseconds) / 1e18
    }

    private static func ms(_ seconds: Double) -> String { "\((seconds * 1e5).rounded() / 100) ms" }
    private static func ratio(_ a: Double, _ b: Double) -> String { "\((a / b * 100).rounded() / 100)×" }
}
