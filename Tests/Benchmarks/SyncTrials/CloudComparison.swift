import Foundation
import SyncPlugin

/// Schedules that must end on a real cloud as in memory.
package enum CloudComparison {
    private enum Settings {
        static let steps = 60
    }

    /// Runs schedules on a cloud in a file and in memory; returns the first that ends differently, with the
    /// difference.
    package static func difference(file: URL, schedules: Range<Int>, seed: UInt64) throws -> String? {
        try firstDifference(schedules: schedules, seed: seed) {
            try EmbeddedCloud(file, zone: "schedule \($0)", epoch: SimulationSettings.firstEpoch)
        }
    }

    /// Runs schedules on PostgreSQL and in memory; returns the first that ends differently. The user's zone is emptied.
    package static func difference(postgres address: String, schedules: Range<Int>, seed: UInt64) throws
        -> String?
    {
        let cloud = try PostgresCloud(address, epoch: SimulationSettings.firstEpoch)
        return try firstDifference(schedules: schedules, seed: seed) { _ in
            // The initial zone: an empty copy whose history begins with the first epoch.
            try cloud.restore(.empty, epoch: SimulationSettings.firstEpoch)
            return cloud
        }
    }

    /// Runs schedules on an S3 server and in memory; returns the first that ends differently.
    package static func difference(s3 server: S3Server, schedules: Range<Int>, seed: UInt64) throws -> String?
    {
        try difference(
            objects: { S3Store(try server.address("schedule-\($0)")) }, schedules: schedules, seed: seed)
    }

    /// Runs schedules in an object store and in memory, each in its own zone; returns the first that ends
    /// differently.
    package static func difference(
        objects store: (Int) throws -> any ObjectStore, layout: ZoneLayout = ZoneLayout(),
        schedules: Range<Int>, seed: UInt64
    ) throws -> String? {
        try firstDifference(schedules: schedules, seed: seed) {
            try S3Cloud(try store($0), epoch: SimulationSettings.firstEpoch, layout: layout)
        }
    }

    private static func firstDifference(
        schedules: Range<Int>, seed: UInt64, on cloud: (Int) throws -> some CloudBackend
    ) throws -> String? {
        var setup = SimulationSetup()
        setup.collectsBlobs = false
        for index in schedules {
            let actions = Simulation.schedule(
                setup, seed: Simulation.seed(seed, index), steps: Settings.steps)
            if let difference = try difference(on: try cloud(index), from: setup, actions) {
                return "schedule \(index): \(difference)"
            }
        }
        return nil
    }

    private static func difference(
        on cloud: some CloudBackend, from setup: SimulationSetup, _ actions: [SimulatedAction]
    ) throws -> String? {
        var memory = SimulatedWorld(setup, cloud: Simulation.memory) { $0 }
        try memory.run(actions)
        var other = SimulatedWorld(setup, cloud: cloud) { $0 }
        try other.run(actions)
        if try other.cloud.state() != memory.cloud.state() { return "the zones differ" }
        if other.devices.map(\.store.rows) != memory.devices.map(\.store.rows) {
            return "the devices' rows differ"
        }
        return nil
    }
}
