/// The position up to which a device has read a zone: an epoch, and a number of the zone's counter within it.
package struct ChangeToken: Hashable, Sendable {
    package var epoch: UInt64
    package var number: Int64

    package init(epoch: UInt64, number: Int64) {
        self.epoch = epoch
        self.number = number
    }
}

/// A point in a zone's history: the number of a change that ended a request, and a hash of all changes up to
/// it. Two zones with an equal mark have the same history up to it, whatever was restored from which copy.
package struct HistoryMark: Hashable, Sendable {
    package let number: Int64
    package let hash: UInt64

    package init(number: Int64, hash: UInt64) {
        self.number = number
        self.hash = hash
    }

    /// The hash of a history extended by one operation.
    package static func hash(_ hash: UInt64, adding id: OperationID, digest: UInt64) -> UInt64 {
        ContentHash.mix(ContentHash.mix(ContentHash.mix(hash, id.device), id.number), digest)
    }
}

/// Identifies an operation permanently: the device's replica identifier and its own count.
package struct OperationID: Hashable, Sendable {
    package let device: UInt64
    package let number: UInt64
}

/// A record to save.
package struct SaveOperation: Hashable, Sendable {
    package var id: OperationID
    package let key: RecordKey
    /// The tag of the version it is based on; 0 if unknown to the device.
    var baseTag: Int64
    package let version: Version

    package init(id: OperationID, key: RecordKey, baseTag: Int64, version: Version) {
        self.id = id
        self.key = key
        self.baseTag = baseTag
        self.version = version
    }

    /// A digest of the saved version: a known operation with another digest is a different operation.
    package var digest: UInt64 { digest(of: VersionCoding.bytes(version)) }

    /// The digest computed from the version's bytes.
    func digest(of bytes: [UInt8]) -> UInt64 { bytes.withUnsafeBytes { digest(of: $0) } }

    func digest(of bytes: UnsafeRawBufferPointer) -> UInt64 {
        var hash = ContentHash.mix(UInt64(key.type.rawValue), key.name.high)
        hash = ContentHash.mix(hash, key.name.low)
        hash = ContentHash.mix(hash, UInt64(bitPattern: baseTag))
        return ContentHash.hash(bytes, seed: hash)
    }
}

/// An operation that a zone has performed.
package struct DoneOperation: Hashable, Sendable {
    /// The tag assigned to the record.
    package let tag: Int64
    /// The digest of the saved version; `nil` if an older version did not store it.
    package let digest: UInt64?

    package init(tag: Int64, digest: UInt64?) {
        self.tag = tag
        self.digest = digest
    }
}

/// A record as stored in the cloud. Its tag is the number of its last change.
package struct CloudRecord: Hashable, Sendable {
    package let key: RecordKey
    package let version: Version
    package let tag: Int64
}

/// The start of an epoch, and the number up to which its history equals that of the previous epoch.
package struct EpochStart: Hashable, Sendable {
    package let epoch: UInt64
    package let number: Int64
}

/// The history of a zone, oldest epoch first.
package struct Lineage: Hashable, Sendable {
    package var starts: [EpochStart]

    /// The first epoch, a random number: permanently identifies the zone and thereby the account.
    package var origin: UInt64 { starts.first?.epoch ?? 0 }

    /// The current epoch.
    package var epoch: UInt64 { starts.last?.epoch ?? 0 }

    /// The number up to which the current history equals that of an epoch; 0 for an epoch that is not part of
    /// it.
    package func shared(with epoch: UInt64) -> Int64 {
        guard let index = starts.firstIndex(where: { $0.epoch == epoch }) else { return 0 }
        return starts[(index + 1)...].map(\.number).min() ?? .max
    }
}

/// A request of a device to the cloud.
package enum CloudRequest: Hashable, Sendable {
    /// Saves records. `token` is the device's position when it sent them: what was sent before the cloud
    /// discarded tombstones must not be mistaken for new records. Every request that depends on the history
    /// carries a witness, the newest mark that the device knows. A zone that does not know the witness was
    /// restored from a copy, and does nothing.
    case save(token: ChangeToken, witness: HistoryMark? = nil, operations: [SaveOperation])
    /// The changes after a token.
    case changes(since: ChangeToken, witness: HistoryMark? = nil, limit: Int)
    /// All records after a key, in their order.
    case fetch(after: RecordKey?, witness: HistoryMark? = nil, limit: Int)
    /// Which of the marks, newest first, the zone knows.
    case common([HistoryMark])
    /// Stores small blobs.
    case putBlobs([Blob])
    /// Returns small blobs.
    case getBlobs([BlobReference])
    /// Stores the next part of a large blob if it begins at the end of the stored parts. An empty part
    /// queries that end.
    case putPart(BlobPart)
    /// Returns a part of a blob.
    case getPart(BlobReference, from: Int64)
    /// Which of the blobs the cloud does not have completely. With `looksInside` it hashes the stored bytes
    /// and drops damaged blobs.
    case lacks([BlobReference], looksInside: Bool)
    /// Reports a device's position when its outbox is empty. The cloud may discard what all devices have
    /// read.
    case report(Watermark)
}

/// A blob with its bytes. The simulator omits the bytes.
package struct Blob: Hashable, Sendable {
    package let reference: BlobReference
    package let bytes: [UInt8]
}

/// A range of bytes of a blob that is too large for one message.
package struct BlobPart: Hashable, Sendable {
    package let reference: BlobReference
    /// Offset of the range in the blob.
    package let offset: Int64
    package let bytes: [UInt8]

    package init(reference: BlobReference, offset: Int64, bytes: [UInt8]) {
        self.reference = reference
        self.offset = offset
        self.bytes = bytes
    }

    /// End of the range in the blob.
    var end: Int64 { offset + Int64(bytes.count) }
}

/// A device's position in a zone, and the number up to which its operations are settled.
package struct Watermark: Hashable, Sendable {
    /// Its replica identifier.
    package let device: UInt64
    package let token: ChangeToken
    /// The number up to which it sends no operation again; 0 before the first.
    package let settled: UInt64

    package init(device: UInt64, token: ChangeToken, settled: UInt64 = 0) {
        self.device = device
        self.token = token
        self.settled = settled
    }

    /// Whether discarding operations up to a number is worthwhile, given the number already discarded.
    static func isWorthwhile(_ settled: UInt64, above floor: UInt64) -> Bool {
        settled > floor && settled - floor >= UInt64(SyncSettings.leastCollected)
    }

    /// The number up to which a zone may discard, from the positions of its devices; `nil` if not worthwhile.
    /// A device far behind does not hold the others back: it fetches everything when it returns.
    static func floor(of numbers: some Sequence<Int64>, head: Int64, above floor: Int64) -> Int64? {
        let near = numbers.filter { head - $0 <= SyncSettings.mostBehind }
        guard let lowest = near.min(), lowest - floor >= SyncSettings.leastCollected else { return nil }
        return min(lowest, head)
    }
}

/// The outcome of one operation.
package enum SaveResult: Hashable, Sendable {
    /// Done; the record's new tag.
    case saved(Int64)
    /// Performed before; the tag assigned then.
    case duplicate(Int64)
    /// Based on another version than the cloud's, which is returned; `nil` if the cloud has discarded the
    /// record.
    case refused(CloudRecord?)
    /// The operation's identifier was used for something else, or for an operation already settled and
    /// discarded: the device's data is a copy. Nothing was done.
    case reused
    /// References a blob that the cloud does not have.
    case missingBlob
    /// Rejected permanently.
    case rejected(String)
}

/// A page of records.
package struct CloudPage: Hashable, Sendable {
    package var records: [CloudRecord]
    /// The position after this page; in a full fetch, the head when the page was read.
    package var token: ChangeToken
    package var hasMore: Bool
    package var lineage: Lineage
    /// The marks passed by this page, lowest first, without those up to the request's witness; the last is at
    /// the end of the page or after it. If more pages follow, they reach up to the head: the page lacks
    /// records that changed again later, so a device that has read it depends on the whole history.
    package var history: [HistoryMark] = []
}

/// An answer of the cloud.
package enum CloudReply: Hashable, Sendable {
    /// One result per operation, in order, and the newest mark.
    case saved([SaveResult], HistoryMark? = nil)
    /// Changes or records.
    case page(CloudPage)
    /// The token or the tags are of another epoch, or below the floor: fetch everything.
    case expired
    /// The device's witness is unknown: the zone was restored from a copy, or belongs to another account.
    case diverged(Lineage)
    /// The newest mark known to both.
    case common(HistoryMark?)
    /// The blobs are stored.
    case stored
    /// The blobs that were found.
    case blobs([Blob])
    /// The number of bytes of a large blob that the cloud has, from its start. When complete, the bytes match
    /// the digest: on a mismatch the cloud discards them and restarts.
    case received(Int64)
    /// The watermark is stored.
    case noted
    /// The part; `nil` if the cloud does not have the blob.
    case part(BlobPart?)
    /// The blobs that the cloud does not have completely.
    case lacking([BlobReference])

    /// Whether it answers a save.
    var isOfSave: Bool { if case .saved = self { true } else { false } }
}

/// Why the cloud did not answer.
package enum CloudFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// May succeed later: no connection, a time-out, a server that is shutting down or full.
    case transient(String)
    /// A retry will not succeed.
    case permanent(String)

    /// Why, in the words of the cloud.
    package var description: String {
        switch self {
        case .transient(let why), .permanent(let why): why
        }
    }
}

/// Limits of a zone's counter for tags and tokens. A real zone never comes near the limit: a larger number is
/// damage, and counting on from below it is safe.
enum ZoneNumbers {
    static let all: ClosedRange<Int64> = 0...(1 << 62)
}
