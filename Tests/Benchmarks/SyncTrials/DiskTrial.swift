import Foundation
import SyncPlugin

/// Schedules on the shipping stores and clouds: devices' stores in SQLite files on failing disks, and their
/// clouds: the embedded one on such a disk, those on servers behind slow and interrupted connections.
public enum DiskTrial {
    /// The cloud that devices sync with.
    public enum Cloud: Sendable {
        /// In memory: only the devices' disks fail.
        case memory
        /// In a file on a failing disk.
        case embedded
        /// On a server.
        case postgres(PostgresServer)
        /// In an object store.
        case s3(S3Server)
    }

    /// A planted fault of the devices' disks, to check that it is found.
    public enum Planted: Sendable {
        case nothing
        /// Disks that report flushes that they did not do.
        case lyingDisks
    }

    /// The outcome of a trial.
    public struct Outcome: Sendable {
        /// Schedules that ran.
        public fileprivate(set) var schedules = 0
        /// Schedules that violated an invariant.
        public fileprivate(set) var violations = 0
        /// The first failing schedule, and its violation.
        public fileprivate(set) var first: String?
    }

    private enum Settings {
        static let steps = 60
        /// Every second schedule has slow connections, with this delay in milliseconds in either direction.
        static let delay = 1
        static let mixing: UInt64 = 0x51ed_270b
    }

    /// Runs the schedules of a search with numbers in a range, with all faults enabled.
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
