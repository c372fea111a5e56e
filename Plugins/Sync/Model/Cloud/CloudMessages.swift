/// How far a device has read a zone: an epoch, and a number of the zone's counter within it.
package struct ChangeToken: Hashable, Sendable {
    package var epoch: UInt64
    package var number: Int64

    package init(epoch: UInt64, number: Int64) {
        self.epoch = epoch
        self.number = number
    }
}

/// Names an operation for ever: the device and its own count.
package struct OperationID: Hashable, Sendable {
    package let device: UInt64
    package let number: UInt64
}

/// A record to save.
package struct SaveOperation: Hashable, Sendable {
    package var id: OperationID
    package let key: RecordKey
    /// The tag of the version it was based on; 0 where the device knows none.
    package var baseTag: Int64
    package let version: Version
}

/// A record as the cloud holds it. Its tag is the number of its last change.
package struct CloudRecord: Hashable, Sendable {
    package let key: RecordKey
    package let version: Version
    package let tag: Int64
}

/// An epoch of a zone, and up to which number its history is that of the epoch before.
package struct EpochStart: Hashable, Sendable {
    package let epoch: UInt64
    package let number: Int64
}

/// The history of a zone, oldest epoch first.
package struct Lineage: Hashable, Sendable {
    package var starts: [EpochStart]

    /// The present epoch.
    package var epoch: UInt64 { starts.last?.epoch ?? 0 }

    /// Up to which number the present history and that of an epoch are one; 0 for an epoch that is no part of it.
    package func shared(with epoch: UInt64) -> Int64 {
        guard let index = starts.firstIndex(where: { $0.epoch == epoch }) else { return 0 }
        return starts[(index + 1)...].map(\.number).min() ?? .max
    }
}

/// A request of a device to the cloud.
package enum CloudRequest: Hashable, Sendable {
    /// Saves records; `token` is how far the device had read when it sent them. What was sent before the cloud
    /// forgot tombstones must not be taken for something new.
    case save(token: ChangeToken, operations: [SaveOperation])
    /// The changes after a token.
    case changes(since: ChangeToken, limit: Int)
    /// All records after a key, in their order.
    case fetch(after: RecordKey?, limit: Int)
    /// Keeps blobs.
    case putBlobs([Blob])
    /// Gives blobs.
    case getBlobs([BlobReference])
}

/// A blob with its bytes. The simulator leaves the bytes out.
package struct Blob: Hashable, Sendable {
    package let reference: BlobReference
    package let bytes: [UInt8]
}

/// The outcome of one operation.
package enum SaveResult: Hashable, Sendable {
    /// Done; the record's new tag.
    case saved(Int64)
    /// Done before; the tag it got then.
    case duplicate(Int64)
    /// Based on another version than the cloud's, which is this; `nil` when the cloud has forgotten the record.
    case refused(CloudRecord?)
    /// Names a blob that the cloud does not have.
    case missingBlob
    /// Refused for good.
    case rejected(String)
}

/// A page of records.
package struct CloudPage: Hashable, Sendable {
    package var records: [CloudRecord]
    /// How far one has read with this page; of a full fetch, the head when the page was read.
    package var token: ChangeToken
    package var hasMore: Bool
    package var lineage: Lineage
}

/// An answer of the cloud.
package enum CloudReply: Hashable, Sendable {
    /// One result an operation, in their order.
    case saved([SaveResult])
    /// Changes or records.
    case page(CloudPage)
    /// The token or the tags are of another epoch, or below the floor: fetch everything.
    case expired
    /// The blobs are kept.
    case stored
    /// The blobs that were found.
    case blobs([Blob])

    /// Whether it answers a save.
    var isOfSave: Bool { if case .saved = self { true } else { false } }
}

/// Why the cloud gave no answer.
package enum CloudFailure: Error, Hashable, Sendable {
    /// It may work later: no connection, a time-out, a server that is going away or full.
    case transient(String)
    /// It will not work by trying again.
    case permanent(String)
}

/// The numbers of a zone's counter, of tags and tokens. A real zone never comes near the end: what is beyond is damaged, and
/// below it one can go on counting.
package enum ZoneNumbers {
    package static let all: ClosedRange<Int64> = 0...(1 << 62)
}
