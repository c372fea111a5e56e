import Foundation

/// A cloud: in memory, embedded in a file, or PostgreSQL. One suite tests all three.
package protocol CloudBackend {
    /// Answers a request, whole or not at all.
    mutating func answer(_ request: CloudRequest) throws(CloudFailure) -> CloudReply
    /// The number of the last change.
    mutating func latest() throws(CloudFailure) -> Int64
    /// What the records of some ranges hold; `nil` where that would cost the cloud as much as giving the records themselves.
    mutating func digests(of ranges: [KeyRange]) throws(CloudFailure) -> [RangeDigest]?
    /// Where the zone's records are others than those whose digests `own` tells, by the ranges that the zone itself keeps digests of;
    /// `nil` where it keeps none.
    mutating func differences(from own: (KeyRange) -> RangeDigest) throws(CloudFailure) -> [KeyRange]?
    /// Waits until there may be changes, or for a number of seconds; returns whether to look.
    mutating func awaitHint(seconds: Double) throws(CloudFailure) -> Bool
    /// The records and how far the zone is.
    mutating func state() throws(CloudFailure) -> ZoneState
    /// Everything that the zone holds, but for the bytes of its blobs.
    mutating func outline() throws(CloudFailure) -> ZoneImage
    /// Everything that the zone holds.
    mutating func image() throws(CloudFailure) -> ZoneImage
    /// Puts a copy back in place of everything. A new epoch begins, unless it is `nil`: then it is as if the operator had put
    /// back the files and told nobody.
    mutating func restore(_ image: ZoneImage, epoch: UInt64?) throws(CloudFailure)
    /// Begins a new epoch, as after a copy was put back: every device fetches everything.
    mutating func begin(epoch: UInt64) throws(CloudFailure)
    /// Forgets tombstones up to a number.
    mutating func forgetTombstones(upTo number: Int64) throws(CloudFailure)
    /// Removes blobs that no record names, if all that came of them came below a number. A cloud may keep them longer.
    mutating func collectBlobs(below number: Int64) throws(CloudFailure)
    /// Forgets the operations whose answers their replicas say they have seen. What the zone does not know of a replica up to there
    /// it never does any more.
    mutating func collectOperations() throws(CloudFailure)
}

extension CloudBackend {
    package func digests(of ranges: [KeyRange]) -> [RangeDigest]? { nil }
    package func differences(from own: (KeyRange) -> RangeDigest) -> [KeyRange]? { nil }

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
    /// The newest mark of its history.
    package var mark: HistoryMark?
}

/// A copy of a zone.
package struct ZoneImage: Sendable, Hashable {
    package var records: [CloudRecord] = []
    package var operations: [OperationID: DoneOperation] = [:]
    /// Up to which number the operations of each replica are forgotten.
    package var floors: [UInt64: UInt64] = [:]
    package var blobs: [Blob] = []
    package var head: Int64 = 0
    package var floor: Int64 = 0
    package var lineage: Lineage
    package var history = History()

    /// A copy of a zone that never held anything.
    package static var empty: ZoneImage { ZoneImage(lineage: Lineage(starts: [])) }
}

extension CloudBackend {
    /// The zone's lineage, which says whose it is.
    package mutating func lineage() throws(CloudFailure) -> Lineage {
        guard case .page(let page) = try answer(.fetch(after: nil, limit: 0)) else {
            throw .permanent("the cloud answered something else than it was asked")
        }
        return page.lineage
    }
}

extension MemoryZone: CloudBackend {
    package func outline() -> ZoneImage { image() }
    package func digests(of ranges: [KeyRange]) -> [RangeDigest]? {
        ranges.map { range in
            var digest = RangeDigest()
            for record in records where !record.version.isDeleted && range.has(record.key) {
                digest.add(RangeDigest.digest(record.key, VersionCoding.bytes(record.version)))
            }
            return digest
        }
    }
    package func latest() -> Int64 { head }
}
