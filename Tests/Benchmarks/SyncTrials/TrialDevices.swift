import CivilTime
import Foundation
import Geodesy
import PluginKit
import SyncPlugin
import TrailStores

/// Devices for trials on servers, and their measurements.
struct TrialDevices {
    private enum Settings {
        /// The row that is edited to make one difference.
        static let edited = 4711
    }

    let folder: URL
    let now = Timestamp(milliseconds: SimulationSettings.start)

    /// A device with unsent waypoints.
    func device(_ name: String, count: Int) throws -> FolderStore {
        let own = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        let random = RandomSource(seed: name.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) })
        let store = try WaypointStore(own: own)
        var made = 0
        try store.insertAll({
            if made == count { return nil }
            made += 1
            return Waypoint(
                id: random.uuid(),
                coordinate: Coordinate(latitude: random.uniform() * 90, longitude: random.uniform() * 90),
                timestamp: now, label: "\(name) \(made)", modifiedAt: now)
        })
        return try FolderStore(own, device: random.next(), now: now)
    }

    /// Edits a number of waypoints as the user of a device.
    func edit(_ name: String, _ count: Int, from offset: Int) throws {
        try WaypointStore(own: folder.appendingPathComponent(name)).connection.write { db in
            try db.execute(
                sql: """
                    UPDATE waypoints SET note = note || 'other'
                    WHERE id IN (SELECT id FROM waypoints LIMIT \(count) OFFSET \(offset))
                    """)
        }
    }

    /// Compares a device with a cloud that differs in one record, over a link that counts bytes: by ranges
    /// and fully. Returns whether the difference was found.
    func compare(
        _ count: Int, near: some CloudBackend, far: () throws -> any CloudBackend, link: SlowLink
    ) throws -> Bool {
        let (first, second) = (try device("pair", count: count), try device("other", count: 0))
        _ = try first.sync(.now, with: near)
        _ = try second.sync(.pull, with: near)
        try edit("other", 1, from: Settings.edited)
        _ = try second.sync(.now, with: near)
        var isRight = true
        var sizes: [Int] = []
        for byRanges in [true, false] {
            let cloud = try far()
            let start = link.bytes
            var found = (records: 0, requests: 0)
            let took = try Self.seconds {
                found = try first.readDifferences(of: cloud, byRanges: byRanges)
            }
            sizes.append(link.bytes - start)
            isRight =
                isRight
                && (byRanges ? found.records > 0 && found.records < count / 10 : found.records == count)
            print(
                "comparing \(count) records of which one differs, \(byRanges ? "by ranges" : "fully"): "
                    + "\(link.bytes - start) bytes, \(found.requests) requests for digests, "
                    + "\(found.records) records read, \(Self.text(took))")
        }
        print("by ranges: 1/\(sizes[1] / max(sizes[0], 1)) of the bytes")
        return isRight
    }

    /// A duration.
    static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let wall = try ContinuousClock().measure(body).components
        return Double(wall.seconds) + Double(wall.attoseconds) / 1e18
    }

    static func text(_ number: Double, _ unit: String = " s") -> String {
        "\((number * 100).rounded() / 100)\(unit)"
    }
}
