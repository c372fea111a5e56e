import Foundation

/// A cloud: in memory, embedded in a file, or PostgreSQL. One suite tests all three.
package protocol CloudBackend {
    /// Answers a request, whole or not at all.
    mutating func answer(_ request: CloudRequest) throws(CloudFailure) -> CloudReply
    /// The number of the last change.
    mutating func latest() throws(CloudFailure) -> Int64
    /// Waits until there may be changes, or for a number of seconds; returns whether to look.
    mutating func awaitHint(seconds: Double) throws(CloudFailure) -> Bool
    /// The records and how far the zone is.
    mutating func state() throws(CloudFailure) -> ZoneState
    /// Everything that the zone holds.
    mutating func image() throws(CloudFailure) -> ZoneImage
    /// Puts a copy back in place of everything; a new epoch begins.
    mutating func restore(_ image: ZoneImage, epoch: UInt64) throws(CloudFailure)
    /// Forgets tombstones up to a number.
    mutating func forgetTombstones(upTo number: Int64) throws(CloudFailure)
}

extension CloudBackend {
    /// A cloud without notifications is polled after each wait.
    package func awaitHint(seconds: Double) -> Bool {
        Thread.sleep(forTimeInterval: seconds)
        return true
    }
}

/// The records of a zone in the order of their keys, and how far it is.
package struct ZoneState: Sendable, Hashable {
    package var records: [CloudRecord]
    package var head: Int64
    package var floor: Int64
    package var lineage: Lineage
}

/// A copy of a zone.
package struct ZoneImage: Sendable, Hashable {
    package var records: [CloudRecord] = []
    package var operations: [OperationID: Int64] = [:]
    package var blobs: [Blob] = []
    package var head: Int64 = 0
    package var floor: Int64 = 0
    package var lineage: Lineage

    /// A copy of a zone that never held anything.
    package static var empty: ZoneImage { ZoneImage(lineage: Lineage(starts: [])) }
}

extension MemoryZone: CloudBackend {
    package func latest() -> Int64 { head }
}
