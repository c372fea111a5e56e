import Foundation
import SyncPlugin

/// Schedules over what ships: the stores that devices have, in SQLite files on disks that fail, and the clouds that they sync with,
/// the embedded one on such a disk, those on servers behind connections that are slow and cut.
public enum DiskTrial {
    /// Where devices sync.
    public enum Cloud: Sendable {
        /// In memory: only the devices' disks fail.
        case memory
        /// In a file on a disk that fails.
        case embedded
        /// On a server.
        case postgres(PostgresServer)
        /// In an object store.
        case s3(S3Server)
    }

    /// What is wrong with the devices' disks beyond failing, to see that it is found.
    public enum Planted: Sendable {
        case nothing
        /// Disks that say they have flushed what they have not.
        case lyingDisks
    }

    /// What a trial came to.
    public struct Outcome: Sendable {
        /// Schedules that ran.
        public fileprivate(set) var schedules = 0
        /// Those that broke an invariant.
        public fileprivate(set) var violations = 0
        /// The first schedule that failed, and how.
        public fileprivate(set) var first: String?
    }

    private enum Settings {
        static let steps = 60
        /// Every second schedule has slow connections, of so many milliseconds either way.
        static let delay = 1
        static let mixing: UInt64 = 0x51ed_270b
    }

    /// Runs those schedules of a hunt whose numbers are in a range, with every fault on.
    public static func run(
        on cloud: Cloud, schedules range: Range<Int>, seed: UInt64, planted: Planted = .nothing,
        stopsAtFirst: Bool = false
    ) throws -> Outcome {
        var setup = SimulationSetup()
        setup.types = [.waypoint, .savedRoute, .plannedRoute]
        var outcome = Outcome()
        for index in range {
            let own = Simulation.seed(seed, index)
            let actions = Simulation.schedule(setup, seed: own, steps: Settings.steps)
            outcome.schedules += 1
            guard
                let violation = try violation(
                    actions, setup, on: cloud, seed: own ^ Settings.mixing, index, planted)
            else { continue }
            outcome.violations += 1
            if outcome.first == nil {
                outcome.first = "schedule \(index): \(violation.invariant.words): \(violation.detail)"
            }
            if stopsAtFirst { break }
        }
        return outcome
    }

    private static func violation(
        _ actions: [SimulatedAction], _ setup: SimulationSetup, on cloud: Cloud, seed: UInt64, _ index: Int,
        _ planted: Planted
    ) throws -> Violation? {
        let calm = Calm()
        var setup = setup
        setup.willSettle = { calm.set(true) }
        let epoch = SimulationSettings.firstEpoch
        switch cloud {
        case .memory: return try play(actions, setup, Simulation.memory, seed, planted)
        case .embedded:
            return try play(actions, setup, try DiskCloud(seed: seed, calm: calm), seed, planted)
        case .postgres(let server):
            let link = try SlowLink(to: server.port, milliseconds: index % 2 * Settings.delay)
            defer { link.close() }
            let address = server.address("anna")
            let far = address.replacingOccurrences(of: ":\(server.port)/", with: ":\(link.port)/")
            let direct = try PostgresCloud(address, epoch: epoch)
            try direct.restore(.empty, epoch: epoch)
            let linked = LinkedCloud(direct: direct, link: link, seed: seed, calm: calm) {
                try PostgresCloud(far, epoch: epoch)
            }
            return try play(actions, setup, linked, seed, planted)
        case .s3(let server):
            let link = try SlowLink(to: server.port, milliseconds: index % 2 * Settings.delay)
            defer { link.close() }
            let prefix = "disks-\(seed)"
            let direct = try S3Cloud(S3Store(try server.address(prefix)), epoch: epoch)
            let far = try S3Address(
                "s3://\(S3Server.bucket)/\(prefix)", environment: S3Server.environment(port: link.port))
            let linked = LinkedCloud(direct: direct, link: link, seed: seed, calm: calm) {
                try S3Cloud(S3Store(far), epoch: epoch)
            }
            return try play(actions, setup, linked, seed, planted)
        }
    }

    private static func play(
        _ actions: [SimulatedAction], _ setup: SimulationSetup, _ cloud: some CloudBackend, _ seed: UInt64,
        _ planted: Planted
    ) throws -> Violation? {
        let stores = try (0..<setup.devices).map { index in
            try DiskStore(
                number: index, setup, isNewer: index == 0, seed: seed,
                lies: planted == .lyingDisks)
        }
        var world = SimulatedWorld(setup, cloud: cloud, stores: stores)
        let violation = Simulation.violation { try world.run(actions) }
        if let untyped = stores.lazy.compactMap(\.untyped).first {
            return Violation(invariant: .converges, detail: "an error without a type or a fix: \(untyped)")
        }
        return violation
    }
}
