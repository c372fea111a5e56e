import Foundation
import SyncTrials
import Synchronization

/// Searches for violations, which must find none under the correct rules, and must catch every planted fault.
struct Hunt {
    private enum Settings {
        static let seed: UInt64 = 20_260_206
        static let hunts = [
            (devices: 3, steps: 60, schedules: 100_000), (devices: 3, steps: 200, schedules: 100_000),
            (devices: 5, steps: 200, schedules: 10_000),
        ]
        /// Factor for a long search.
        static let long = 2
        /// Schedules within which a planted fault must be caught, and their steps.
        static let patience = 10_000
        static let steps = 60
        /// Schedules that must end on real clouds as in memory.
        static let compared = 300
        /// Maximum violations printed per search.
        static let shown = 8
        /// Parts of a search, which share the processor's cores.
        static let parts = 64
    }

    let isLong: Bool

    func run() throws -> Bool {
        var isRight = true
        var schedules = 0
        for hunt in Settings.hunts {
            let count = isLong ? hunt.schedules * Settings.long : hunt.schedules
            schedules += count
            isRight = search(hunt.devices, hunt.steps, count) && isRight
        }
        let disks = try DiskHunt(isLong: isLong).run()
        isRight = disks.isRight && isRight
        print("\(schedules + disks.schedules) schedules in all")
        isRight = faults() && isRight
        isRight = try compare() && isRight
        isRight = try compareObjects() && isRight
        return isRight
    }

    private func search(_ devices: Int, _ steps: Int, _ schedules: Int) -> Bool {
        let start = Processor.seconds
        let found = Mutex<[HuntOutcome]>([])
        let size = (schedules + Settings.parts - 1) / Settings.parts
        DispatchQueue.concurrentPerform(iterations: Settings.parts) { part in
            let range = min(part * size, schedules)..<min((part + 1) * size, schedules)
            let own = HuntOutcome(
                devices: devices, steps: steps, schedules: range, seed: Settings.seed)
            found.withLock { $0.append(own) }
        }
        let all = found.withLock { $0 }
        let count = all.reduce(0) { $0 + $1.schedules }
        let violations = all.reduce(0) { $0 + $1.violations }
        print(
            "\(count) schedules of \(devices) devices and \(steps) steps: \(violations) violations, "
                + "\(Int(Double(count) / (Processor.seconds - start))) a second of processor time")
        for first in all.compactMap(\.first).prefix(Settings.shown) { print("  \(first)") }
        return violations == 0 && count == schedules
    }

    private func faults() -> Bool {
        let found = Mutex<[Int: FaultCatch]>([:])
        DispatchQueue.concurrentPerform(iterations: FaultCatch.faultCount) { index in
            let one = FaultCatch(
                index, within: Settings.patience, steps: Settings.steps, seed: Settings.seed)
            found.withLock { $0[index] = one }
        }
        let catches = found.withLock { $0 }.sorted { $0.key < $1.key }.map(\.value)
        for one in catches {
            guard let schedules = one.schedules, let invariant = one.invariant, let steps = one.steps else {
                print("NOT caught: \(one.fault)")
                continue
            }
            print(
                "caught after \(schedules) schedules, invariant \(invariant), shrunk to \(steps) steps: \(one.fault)"
                    + (one.isTheFault ? "" : "; ALSO FAILS WITHOUT IT"))
        }
        let fired = catches.reduce(into: Set<Int>()) { $0.formUnion($1.fired) }
        print("violated invariants: \(fired.sorted().map(String.init).joined(separator: " "))")
        return catches.allSatisfy { $0.schedules != nil && $0.isTheFault }
            && fired.count == FaultCatch.invariantCount
    }

    private func compare() throws -> Bool {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sync-bench-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let schedules = 0..<Settings.compared
        let file = folder.appendingPathComponent("cloud.db")
        var different = try CloudComparison.difference(file: file, schedules: schedules, seed: Settings.seed)
        print("\(Settings.compared) schedules on SQLite: \(different ?? "end as in memory")")
        var isRight = different == nil
        guard PostgresServer.isInstalled else {
            print("skipped: schedules on PostgreSQL; no server is installed")
            return isRight
        }
        let postgres = try PostgresServer()
        different = try CloudComparison.difference(
            postgres: postgres.address("anna"), schedules: schedules, seed: Settings.seed)
        print("\(Settings.compared) schedules on PostgreSQL: \(different ?? "end as in memory")")
        isRight = isRight && different == nil
        return isRight
    }

    private func compareObjects() throws -> Bool {
        guard S3Server.isInstalled else {
            print("skipped: schedules on S3; SeaweedFS is not installed (.ci/servers)")
            return true
        }
        let server = try S3Server()
        let different = try CloudComparison.difference(
            s3: server, schedules: 0..<Settings.compared, seed: Settings.seed)
        print("\(Settings.compared) schedules on S3: \(different ?? "end as in memory")")
        return different == nil
    }
}
