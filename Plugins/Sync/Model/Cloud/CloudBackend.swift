import Foundation

/// What a device asks of a cloud.
package protocol CloudService {
    /// Answers a request completely or not at all.
    mutating func answer(_ request: CloudRequest) throws(CloudFailure) -> CloudReply
    /// The number of the last change.
    mutating func latest() throws(CloudFailure) -> Int64
    /// The digests of ranges of records; `nil` if computing them would cost the cloud as much as returning
    /// the records.
    mutating func digests(of ranges: [KeyRange]) throws(CloudFailure) -> [RangeDigest]?
    /// The ranges in which the zone's records differ from the digests in `own`, by the ranges for which the
    /// zone keeps digests; `nil` if it keeps none.
    mutating func differences(from own: (KeyRange) -> RangeDigest) throws(CloudFailure) -> [KeyRange]?
    /// Waits for a change notification, at most a number of seconds; returns whether to poll.
    mutating func awaitHint(seconds: Double) throws(CloudFailure) -> Bool
}

/// What its operator does: restoring copies and discarding.
package protocol CloudAdministration {
    /// Replaces the content with a copy. Begins a new epoch unless `epoch` is `nil`, which simulates an
    /// operator who restores the files without announcing it.
    mutating func restore(_ image: ZoneImage, epoch: UInt64?) throws(CloudFailure)
    /// Begins a new epoch, as after a restore: every device fetches everything.
    mutating func begin(epoch: UInt64) throws(CloudFailure)
    /// Discards tombstones up to a number.
    mutating func forgetTombstones(upTo number: Int64) throws(CloudFailure)
    /// Removes unreferenced blobs whose bytes all arrived before a number. A cloud may keep them longer.
    mutating func collectBlobs(below number: Int64) throws(CloudFailure)
    /// Discards operations whose answers their replicas have acknowledged. The zone never performs an unknown
    /// operation up to that number.
    mutating func collectOperations() throws(CloudFailure)
}

/// A look at a whole zone: for dry runs, copies and checks.
package protocol CloudInspection {
    /// The records and the position of the zone.
    mutating func state() throws(CloudFailure) -> ZoneState
    /// The content of the zone without the bytes of its blobs.
    mutating func outline() throws(CloudFailure) -> ZoneImage
    /// The whole content of the zone.
    mutating func image() throws(CloudFailure) -> ZoneImage
}

/// A cloud: in memory, embedded in a file, PostgreSQL, or an object store. The same tests run on all of them.
package protocol CloudBackend: CloudService, CloudAdministration, CloudInspection {}

extension CloudService {
    package func digests(of ranges: [KeyRange]) -> [RangeDigest]? { nil }
    package func differences(from own: (KeyRange) -> RangeDigest) -> [KeyRange]? { nil }

    /// A cloud without notifications is polled after each wait.
    package func awaitHint(seconds: Double) -> Bool {
        Thread.sleep(forTimeInterval: seconds)
        return true
    }
}

/// The records of a zone in key order, and its position.
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
    /// The number up to which each replica's operations are discarded.
    package var floors: [UInt64: UInt64] = [:]
    package var blobs: [Blob] = []
    package var head: Int64 = 0
    package var floor: Int64 = 0
    package var lineage: Lineage
    package var history = MarkHistory()

    /// A copy of a zone that was never used.
    package static var empty: ZoneImage { ZoneImage(lineage: Lineage(starts: [])) }
}

extension CloudBackend {
    /// The zone's lineage, which identifies its account.
    package mutating func lineage() throws(CloudFailure) -> Lineage {
        guard case .page(let page) = try answer(.fetch(after: nil, limit: 0)) else {
            throw .permanent("the cloud's answer does not match the request")
        }
        return page.lineage
    }
}
