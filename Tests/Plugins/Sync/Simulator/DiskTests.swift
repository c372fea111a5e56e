import Core
import Foundation
import PluginTestKit
import SyncTrials
import Testing
import TrailStores

@testable import SyncPlugin

/// Devices' stores and clouds on failing disks and connections.
@Suite(.serialized) struct DiskTests {
    private static let seed: UInt64 = 20_261_123

    @Test func nothingIsLostOnDisksThatFail() throws {
        for cloud in [DiskTrial.Cloud.memory, .embedded] {
            let found = try DiskTrial.run(on: cloud, schedules: 0..<12, seed: Self.seed)
            #expect(found.violations == 0, "\(found.first ?? "")")
        }
    }

    /// Processes that end between what they remember of a store for the first time and the first mark in it.
    @Test(arguments: [83, 129, 156])
    func aStoreThatWasNeverMarkedIsNoOther(_ schedule: Int) throws {
        let found = try DiskTrial.run(on: .memory, schedules: schedule..<(schedule + 1), seed: Self.seed)
        #expect(found.violations == 0, "\(found.first ?? "")")
    }

    @Test(.enabled(if: PostgresServer.isInstalled, "no PostgreSQL server is installed"))
    func nothingIsLostOnConnectionsThatAreCut() throws {
        let server = try PostgresServer()
        let found = try DiskTrial.run(on: .postgres(server), schedules: 0..<6, seed: Self.seed)
        #expect(found.violations == 0, "\(found.first ?? "")")
    }

    @Test(.enabled(if: S3Server.isInstalled, "SeaweedFS is not installed"))
    func nothingIsLostInAnObjectStoreOverConnectionsThatAreCut() throws {
        let server = try S3Server()
        let found = try DiskTrial.run(on: .s3(server), schedules: 0..<6, seed: Self.seed)
        #expect(found.violations == 0, "\(found.first ?? "")")
    }

    /// Disks that report flushes they did not do lose acknowledged data: the power failures are effective.
    @Test func disksThatLieAreCaught() throws {
        let found = try DiskTrial.run(
            on: .memory, schedules: 0..<40, seed: Self.seed, planted: .lyingDisks, stopsAtFirst: true)
        #expect(found.violations == 1)
    }

    /// After a fault during its creation a store exists, or the error states why not; it never stays locked
    /// by a process that considers it created.
    @Test(arguments: FaultyDisk.kinds)
    func aStoreIsMadeOrNot(_ kind: FaultyDisk.Kind) throws {
        for count in 0..<25 {
            let disk = try FaultyDisk(seed: 3)
            let file = disk.folder.url.appendingPathComponent("waypoints.db")
            disk.arm(kind, after: count)
            do {
                let first = try WaypointStore(file, access: .own)
                if !disk.isDead, disk.hasFailed, kind != .full {
                    let second = try WaypointStore(file, access: .own)
                    #expect(try second.counts().count == first.counts().count)
                }
            } catch {
                #expect(disk.isDead || error.code == StoreErrors.disk.code, "\(kind) \(count): \(error)")
                #expect(disk.isDead || error.fix != nil, "\(kind) \(count)")
            }
            disk.repair()
            let again = try WaypointStore(file, access: .own)
            #expect(try again.counts().isEmpty, "\(kind) \(count)")
        }
    }

    /// A clock wrong by hours, like one wrong by minutes, loses nothing; both are among the steps.
    @Test func clocksAreWrongByHours() throws {
        for hours in [0x8000, 0x8000 + 1440] {
            let actions = try SimulatedAction.parse(
                """
                edit 0 0 0; sync 0 0 61440; sync 1 0 61440; skew 1 0 \(hours); edit 1 0 0; edit 0 0 0; sync 1 0 61440; \
                sync 0 0 61440; delete 1 0 0; sync 1 0 61440; edit 0 0 1; sync 0 0 61440
                """
            ).get()
            var world = SimulatedWorld(SimulationSetup(), cloud: Simulation.memory) { $0 }
            try world.run(actions)
            #expect(abs(world.devices[1].skew) == 12 * 3_600_000)
        }
    }
}
