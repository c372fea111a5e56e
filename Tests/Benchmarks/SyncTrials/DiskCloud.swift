import Foundation
import PluginTestKit
import SyncPlugin

/// The embedded cloud on a failing disk, also in the middle of a request.
package final class DiskCloud: CloudBackend {
    private enum Settings {
        /// One request in this many meets a fault, within this many writes and flushes.
        static let requests = 8
        static let operations = 25
    }

    private let disk: FaultyDisk
    private var random: SplitMix
    private var held: EmbeddedCloud?
    private let calm: Calm

    package init(seed: UInt64, calm: Calm) throws {
        random = SplitMix(seed: seed)
        disk = try FaultyDisk(seed: random.next())
        self.calm = calm
        held = try open()
    }

    private func open() throws -> EmbeddedCloud {
        try EmbeddedCloud(
            disk.folder.url.appendingPathComponent("cloud.db"), zone: "schedule",
            epoch: SimulationSettings.firstEpoch)
    }

    private func cloud() throws(CloudFailure) -> EmbeddedCloud {
        if let held { return held }
        do {
            let cloud = try open()
            held = cloud
            return cloud
        } catch { throw .permanent("\(error)") }
    }

    package func answer(_ request: CloudRequest) throws(CloudFailure) -> CloudReply {
        if !calm.isCalm, random.below(Settings.requests) == 0 {
            disk.arm(
                FaultyDisk.Kind.allCases[random.below(FaultyDisk.Kind.allCases.count)],
                after: random.below(Settings.operations))
        }
        let result: Result<CloudReply, CloudFailure>
        do throws(CloudFailure) { result = .success(try cloud().answer(request)) } catch {
            result = .failure(error)
        }
        disk.disarm()
        guard disk.hasFailed else { return try result.get() }
        // The requester died with the process that wrote the file, or waits for space: it receives no
        // answer.
        let wasDead = disk.isDead
        held = nil
        disk.repair()
        switch result {
        case .success(let reply) where !wasDead: return reply
        case .failure(.permanent(let why)) where !wasDead:
            throw .permanent("a disk fault was treated as permanent: \(why)")
        default: throw .transient("the disk failed")
        }
    }

    package func latest() throws(CloudFailure) -> Int64 { try cloud().latest() }
    package func state() throws(CloudFailure) -> ZoneState { try cloud().state() }
    package func outline() throws(CloudFailure) -> ZoneImage { try cloud().outline() }
    package func image() throws(CloudFailure) -> ZoneImage { try cloud().image() }
    package func restore(_ image: ZoneImage, epoch: UInt64?) throws(CloudFailure) {
        try cloud().restore(image, epoch: epoch)
    }
    package func begin(epoch: UInt64) throws(CloudFailure) { try cloud().begin(epoch: epoch) }
    package func forgetTombstones(upTo number: Int64) throws(CloudFailure) {
        try cloud().forgetTombstones(upTo: number)
    }
    package func collectBlobs(below number: Int64) throws(CloudFailure) {
        try cloud().collectBlobs(below: number)
    }
    package func collectOperations() throws(CloudFailure) { try cloud().collectOperations() }
}
