import Foundation
import SyncPlugin
import Synchronization

/// PostgreSQL in use: over a slow network, by many devices at once, and with a frozen peer.
public struct ServerTrial {
    private enum Settings {
        static let count = 10_000
        /// Milliseconds one way.
        static let delay = 5
        static let devices = 10
        static let each = 200
        /// Bytes of a client's requests after which it freezes: then the zone is locked, and the records are
        /// incomplete.
        static let frozenAfter = 100_000
        /// Number of measurements; the fastest counts, since others use the machine too.
        static let repetitions = 3
    }

    private let server: PostgresServer
    private let folder: URL
    private var devices: TrialDevices { TrialDevices(folder: folder) }

    /// A trial on its own server.
    public init(folder: URL) throws {
        server = try PostgresServer(options: "-c fsync=on")
        self.folder = folder
    }

    /// Runs everything and prints the results; returns whether nothing was lost and the waits were within the
    /// limits.
    public func run() throws -> Bool {
        var isRight = try push()
        isRight = try compare() && isRight
        isRight = try together() && isRight
        let beside = try besideFrozen()
        return isRight && beside.lost == 0 && beside.seconds <= 10
    }

    // MARK: Parts

    private func account(_ name: String) throws {
        try server.psql("root", "CREATE ROLE \(name) LOGIN PASSWORD 'secret-\(name)'")
        try CloudSetup.run(server.address("root"), accounts: [name], quota: nil)
    }

    private func cloud(_ account: String, through link: SlowLink? = nil) throws -> PostgresCloud {
        var address = server.address(account)
        if let link { address = address.replacingOccurrences(of: ":\(server.port)/", with: ":\(link.port)/") }
        return try PostgresCloud(address, epoch: 1)
    }

    private func device(_ name: String, count: Int) throws -> FolderStore {
        try devices.device(name, count: count)
    }

    private func seconds(_ body: () throws -> Void) rethrows -> Double { try TrialDevices.seconds(body) }

    private func push() throws -> Bool {
        var near = Double.infinity
        var far = near
        var plain = near
        var isWhole = true
        for round in 0..<Settings.repetitions {
            for isFar in [false, true] {
                let name = "push\(round)\(isFar ? "far" : "near")"
                try account(name)
                let link = isFar ? try SlowLink(to: server.port, milliseconds: Settings.delay) : nil
                defer { link?.close() }
                let cloud = try cloud(name, through: link)
                let store = try device(name, count: Settings.count)
                let took = try seconds {
                    isWhole = try store.sync(.now, with: cloud).pushed == Settings.count && isWhole
                }
                if isFar { far = min(far, took) } else { near = min(near, took) }
            }
            let rows = try server.psql(
                "root",
                """
                SELECT 'INSERT INTO plain VALUES ' || string_agg(format('(%L, %s, %L, %s, %L, %L)', owner, type, name, tag, deleted,
                    content), ',') FROM rutter.records WHERE owner = 'push\(round)near'
                """)
            let file = folder.appendingPathComponent("plain.sql")
            try Data(rows.utf8).write(to: file)
            try server.psql(
                "root",
                "DROP TABLE IF EXISTS plain; CREATE TABLE plain (LIKE rutter.records INCLUDING ALL)")
            let start = try seconds { try server.psql("root", "SELECT 1") }
            plain = min(plain, try seconds { try server.psql("root", file: file) } - start)
        }
        let ratio = near / plain
        print(
            "push of \(Settings.count): \(TrialDevices.text(near)), \(TrialDevices.text(ratio, "×")) of one insert of the same rows "
                + "(\(TrialDevices.text(plain))), goal 3×; with \(2 * Settings.delay) ms round trip \(TrialDevices.text(far)), goal 2 s"
        )
        return isWhole
    }

    private func compare() throws -> Bool {
        try account("pair")
        let link = try SlowLink(to: server.port, milliseconds: 0)
        defer { link.close() }
        return try devices.compare(
            Settings.count, near: cloud("pair"), far: { try cloud("pair", through: link) }, link: link)
    }

    /// Ten devices that were never connected, at once.
    private func together() throws -> Bool {
        try account("many")
        let devices = try (0..<Settings.devices).map { try device("many\($0)", count: Settings.each) }
        let address = server.address("many")
        let failures = Mutex<[String]>([])
        // Each store is used by one thread only.
        nonisolated(unsafe) let stores = devices
        let took = seconds {
            DispatchQueue.concurrentPerform(iterations: stores.count) { index in
                do {
                    let cloud = try PostgresCloud(address, epoch: 1)
                    _ = try stores[index].sync(.now, with: cloud)
                } catch { failures.withLock { $0.append("\(error)") } }
            }
        }
        let pulled = try device("fresh", count: 0).sync(.pull, with: cloud("many")).pulled
        let failed = failures.withLock { $0 }
        print(
            "\(Settings.devices) devices at once, \(Settings.each) waypoints each: \(TrialDevices.text(took)), \(failed.count) failed, "
                + "\(pulled) of \(Settings.devices * Settings.each) arrived"
                + (failed.first.map { ": \($0)" } ?? ""))
        return failed.isEmpty && pulled == Settings.devices * Settings.each
    }

    /// One device freezes in the middle of a save, with the zone locked. The others continue, and when it
    /// resumes nothing is lost. Returns the number of records missing at the end, and the time of the others.
    public func besideFrozen() throws -> (lost: Int, seconds: Double) {
        try account("cold")
        let link = try SlowLink(to: server.port, milliseconds: 0)
        let frozen = try device("frozen", count: Settings.count)
        nonisolated(unsafe) let cloud = try cloud("cold", through: link)
        link.freeze(afterBytes: Settings.frozenAfter)
        nonisolated(unsafe) let store = frozen
        let failure = Mutex<String?>(nil)
        let isOver = DispatchSemaphore(value: 0)
        Thread {
            do { _ = try store.sync(.now, with: cloud) } catch { failure.withLock { $0 = "\(error)" } }
            isOver.signal()
        }.start()
        try awaitLock()
        let other = try device("awake", count: Settings.each)
        var pushed = 0
        let took = try seconds { pushed = try other.sync(.now, with: self.cloud("cold")).pushed }
        isOver.wait()
        link.close()
        let why = failure.withLock { $0 } ?? "nothing"
        let again = try FolderStore(
            folder.appendingPathComponent("frozen"), device: 1, now: devices.now
        ).sync(.now, with: self.cloud("cold"))
        print(
            "with a frozen peer that holds the lock: \(TrialDevices.text(took)), goal 10 s; the peer's error: \(why); "
                + "it sent \(again.pushed) of \(Settings.count) when it resumed")
        return (Settings.each + Settings.count - pushed - again.pushed, took)
    }

    /// Waits until a transaction waits for its client.
    private func awaitLock() throws {
        let sql =
            "SELECT count(*) FROM pg_stat_activity WHERE usename = 'cold' AND state IN ('idle in transaction', 'active')"
        while try server.psql("root", sql).hasPrefix("0") { Thread.sleep(forTimeInterval: 0.02) }
    }
}
