import Foundation
import PluginTestKit
import SyncPlugin
import Synchronization

/// Whether faults are over.
package final class Calm: Sendable {
    private let state = Mutex(false)

    package init() {}
    package var isCalm: Bool { state.withLock { $0 } }
    /// Enables or disables faults.
    package func set(_ isCalm: Bool) { state.withLock { $0 = isCalm } }
}

private enum Settings {
    /// One request in this many meets an interruption within this many bytes.
    static let requests = 6
    static let bytes = 3000
}

/// A cloud on a server behind a slow connection that is interrupted in either direction. The simulator's own
/// requests use a separate connection.
package final class LinkedCloud<Cloud: CloudBackend>: CloudBackend {
    private var direct: Cloud
    private var far: Cloud?
    private let connect: () throws -> Cloud
    private let link: SlowLink
    private var random: SplitMix
    private let calm: Calm

    /// `direct` connects to the server itself, `connect` over the link.
    package init(
        direct: Cloud, link: SlowLink, seed: UInt64, calm: Calm, connect: @escaping () throws -> Cloud
    ) {
        self.direct = direct
        self.link = link
        self.connect = connect
        self.calm = calm
        random = SplitMix(seed: seed)
    }

    package func answer(_ request: CloudRequest) throws(CloudFailure) -> CloudReply {
        try overLink { cloud throws(CloudFailure) in try cloud.answer(request) }
    }

    private func overLink<T>(_ body: (inout Cloud) throws(CloudFailure) -> T) throws(CloudFailure) -> T {
        link.repair()
        if !calm.isCalm, random.below(Settings.requests) == 0 {
            link.cut(afterBytes: random.below(Settings.bytes), isUpwards: random.below(2) == 0)
        }
        defer { link.repair() }
        if far == nil {
            do { far = try connect() } catch { throw .transient("\(error)") }
        }
        do throws(CloudFailure) {
            guard var cloud = far else { throw .transient("no connection") }
            defer { far = cloud }
            return try body(&cloud)
        } catch {
            if case .permanent(let why) = error, link.wasCut {
                throw .permanent("an interrupted connection was treated as permanent: \(why)")
            }
            throw error
        }
    }

    package func latest() throws(CloudFailure) -> Int64 { try direct.latest() }
    package func state() throws(CloudFailure) -> ZoneState { try direct.state() }
    package func outline() throws(CloudFailure) -> ZoneImage { try direct.outline() }
    package func image() throws(CloudFailure) -> ZoneImage { try direct.image() }
    package func restore(_ image: ZoneImage, epoch: UInt64?) throws(CloudFailure) {
        try direct.restore(image, epoch: epoch)
    }
    package func begin(epoch: UInt64) throws(CloudFailure) { try direct.begin(epoch: epoch) }
    package func forgetTombstones(upTo number: Int64) throws(CloudFailure) {
        try direct.forgetTombstones(upTo: number)
    }
    /// A device does this when it reports; its success is not observed.
    package func collectBlobs(below number: Int64) throws(CloudFailure) {
        do {
            try overLink { cloud throws(CloudFailure) in try cloud.collectBlobs(below: number) }
        } catch .transient {}
    }
    package func collectOperations() throws(CloudFailure) { try direct.collectOperations() }
}
