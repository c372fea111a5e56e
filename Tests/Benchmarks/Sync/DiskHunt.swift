import Foundation
import SyncTrials
import Synchronization

/// Schedules on the shipping stores and clouds, with failing disks and connections.
struct DiskHunt {
    private enum Settings {
        static let seed: UInt64 = 20_261_123
        /// Number of schedules with a cloud in memory or in a file, and on a server.
        static let files = 200
        static let servers = 60
        /// Factor for a long search.
        static let long = 3
        /// Schedules within which disks without flushes must be caught.
        static let patience = 400
        static let parts = 4
    }

    let isLong: Bool

    private func count(_ schedules: Int) -> Int { isLong ? schedules * Settings.long : schedules }

    /// Runs everything and prints the outcome; returns whether nothing was lost, and the number of schedules.
    func run() throws -> (isRight: Bool, schedules: Int) {
        var results = [
            try search("in memory", .memory, Settings.files),
            try search("in a file on such a disk", .embedded, Settings.files),
        ]
        if PostgresServer.isInstalled {
            let server = try PostgresServer()
            results.append(
                try search("on PostgreSQL with interruptions", .postgres(server), Settings.servers)
            )
        } else {
            print("skipped: schedules of disks on PostgreSQL; no server is installed")
        }
        if S3Server.isInstalled {
            let server = try S3Server()
            results.append(
                try search("on S3 with interruptions", .s3(server), Settings.servers))
        } else {
            print("skipped: schedules of disks on S3; SeaweedFS is not installed (.ci/servers)")
        }
        let faults =
            FaultyDisk.kinds.map { "\($0.count) \($0.words)" } + [
                "\(SlowLink.cuts) cut connections",
                "\(FaultyDisk.filesThatFailed) of them at the file of a planned route",
            ]
        print("  in them " + faults.joined(separator: ", "))
        let lies = try DiskTrial.run(
            on: .memory, schedules: 0..<Settings.patience, seed: Settings.seed, planted: .lyingDisks,
            stopsAtFirst: true)
        print(
            lies.violations > 0
                ? "caught after \(lies.schedules) schedules: disks that flush nothing"
                : "NOT caught: disks that flush nothing")
        return (
            results.allSatisfy(\.isRight) && lies.violations > 0, results.reduce(0) { $0 + $1.schedules }
        )
    }

    private func search(_ place: String, _ cloud: DiskTrial.Cloud, _ schedules: Int) throws -> (
        isRight: Bool, schedules: Int
    ) {
        let wanted = count(schedules)
        let found = Mutex<[DiskTrial.Outcome]>([])
        let failures = Mutex<[String]>([])
        // A server has one zone per user; each schedule has its own files.
        var isShared = false
        if case .postgres = cloud { isShared = true }
        let parts = isShared ? 1 : Settings.parts
        let size = (wanted + parts - 1) / parts
        let start = ContinuousClock.now
        DispatchQueue.concurrentPerform(iterations: parts) { part in
            let range = min(part * size, wanted)..<min((part + 1) * size, wanted)
            do {
                let own = try DiskTrial.run(on: cloud, schedules: range, seed: Settings.seed)
                found.withLock { $0.append(own) }
            } catch { failures.withLock { $0.append("\(error)") } }
        }
        let all = found.withLock { $0 }
        let count = all.reduce(0) { $0 + $1.schedules }
        let violations = all.reduce(0) { $0 + $1.violations }
        let seconds = start.duration(to: .now).components.seconds
        print(
            "\(count) schedules of devices on failing disks, their cloud \(place): \(violations) violations, \(seconds) s"
        )
        for line in all.compactMap(\.first) + failures.withLock({ $0 }) { print("  \(line)") }
        return (violations == 0 && count == wanted, count)
    }
}
