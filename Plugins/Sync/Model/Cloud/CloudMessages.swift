/// How far a device has read a zone: an epoch, and a number of the zone's counter within it.
package struct ChangeToken: Hashable, Sendable {
    package var epoch: UInt64
    package var number: Int64

    package init(epoch: UInt64, number: Int64) {
        self.epoch = epoch
        self.number = number
    }
}

/// A moment of a zone's history: the number of a change that ended a request, and a hash of all changes up to it. Two zones with
/// an equal mark have the same history up to it, whatever was put back from which copy.
package struct HistoryMark: Hashable, Sendable {
    package let number: Int64
    package let hash: UInt64

    package init(number: Int64, hash: UInt64) {
        self.number = number
        self.hash = hash
    }

    /// The hash of a history with one more operation.
    package static func hash(_ hash: UInt64, adding id: OperationID, digest: UInt64) -> UInt64 {
        ContentHash.mix(ContentHash.mix(ContentHash.mix(hash, id.device), id.number), digest)
    }
}

/// Names an operation for ever: the device's replica identifier and its own count.
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

    package init(id: OperationID, key: RecordKey, baseTag: Int64, version: Version) {
        self.id = id
        self.key = key
        self.baseTag = baseTag
        self.version = version
    }

    /// A digest of what is saved: an operation known with another digest is another operation.
    package var digest: UInt64 { digest(of: VersionCoding.bytes(version)) }

    /// The same, of the version's bytes.
    func digest(of bytes: [UInt8]) -> UInt64 { bytes.withUnsafeBytes { digest(of: $0) } }

    func digest(of bytes: UnsafeRawBufferPointer) -> UInt64 {
        var hash = ContentHash.mix(UInt64(key.type.rawValue), key.name.high)
        hash = ContentHash.mix(hash, key.name.low)
        hash = ContentHash.mix(hash, UInt64(bitPattern: baseTag))
        return ContentHash.hash(bytes, seed: hash)
    }
}

/// An operation that a zone has done.
package struct DoneOperation: Hashable, Sendable {
    /// The tag that the record got.
    package let tag: Int64
    /// The digest of what was saved; `nil` where an older version did not keep it.
    package let digest: UInt64?

    package init(tag: Int64, digest: UInt64?) {
        self.tag = tag
        self.digest = digest
    }
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

    /// The first epoch, a random number: it identifies the zone, and with it the account, for ever.
    package var origin: UInt64 { starts.first?.epoch ?? 0 }

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
    ///
    /// Every request that depends on the history carries a witness, the newest mark that the device knows. A zone that does
    /// not know it was put back from a copy, and does nothing.
    case save(token: ChangeToken, witness: HistoryMark? = nil, operations: [SaveOperation])
    /// The changes after a token.
    case changes(since: ChangeToken, witness: HistoryMark? = nil, limit: Int)
    /// All records after a key, in their order.
    case fetch(after: RecordKey?, witness: HistoryMark? = nil, limit: Int)
    /// Which of some marks, newest first, the zone knows.
    case common([HistoryMark])
    /// Keeps small blobs.
    case putBlobs([Blob])
    /// Gives small blobs.
    case getBlobs([BlobReference])
    /// Keeps the next part of a large blob, if it begins where the cloud's parts end. One without bytes asks how far they go.
    case putPart(BlobPart)
    /// Gives a part of a blob.
    case getPart(BlobReference, from: Int64)
    /// Which of some blobs the cloud does not have whole. Where it `looksInside` it hashes what it has, and drops what is damaged.
    case lacks([BlobReference], looksInside: Bool)
    /// Says how far a device has read, when it has nothing left to send. What all devices have read the cloud may forget.
    case report(Watermark)
}

/// A blob with its bytes. The simulator leaves the bytes out.
package struct Blob: Hashable, Sendable {
    package let reference: BlobReference
    package let bytes: [UInt8]
}

/// Some bytes of a blob that is too large to travel whole.
package struct BlobPart: Hashable, Sendable {
    package let reference: BlobReference
    /// Where in the blob they begin.
    package let offset: Int64
    package let bytes: [UInt8]

    package init(reference: BlobReference, offset: Int64, bytes: [UInt8]) {
        self.reference = reference
        self.offset = offset
        self.bytes = bytes
    }

    /// Where in the blob they end.
    var end: Int64 { offset + Int64(bytes.count) }
}

/// How far a device has read a zone, and up to which of its operations it waits for no answer.
package struct Watermark: Hashable, Sendable {
    /// Its replica identifier.
    package let device: UInt64
    package let token: ChangeToken
    /// The number of the last operation up to which it sends none again; 0 before the first.
    package let settled: UInt64

    package init(device: UInt64, token: ChangeToken, settled: UInt64 = 0) {
        self.device = device
        self.token = token
        self.settled = settled
    }

    /// Whether it is worth to forget operations up to a number, above those that are forgotten.
    static func isWorthwhile(_ settled: UInt64, above floor: UInt64) -> Bool {
        settled > floor && settled - floor >= UInt64(SyncSettings.leastCollected)
    }

    /// Up to which number a zone may forget, by the numbers that its devices have read up to; `nil` where that is not worth it.
    /// A device that is far behind does not hold the others up: it fetches everything when it comes back.
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
    /// Done before; the tag it got then.
    case duplicate(Int64)
    /// Based on another version than the cloud's, which is this; `nil` when the cloud has forgotten the record.
    case refused(CloudRecord?)
    /// The operation's identifier was used for something else, or for something that its replica had the answer to and the zone has
    /// forgotten: the device's data is a copy. Nothing was done.
    case reused
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
    /// The marks that were passed with this page, lowest first, without those up to the request's witness; the last at the end of
    /// the page or after it. When there is more they go up to the head: what changed again after the page is not in it, so a device
    /// that has read it depends on the whole history.
    package var history: [HistoryMark] = []
}

/// An answer of the cloud.
package enum CloudReply: Hashable, Sendable {
    /// One result an operation, in their order, and the newest mark.
    case saved([SaveResult], HistoryMark? = nil)
    /// Changes or records.
    case page(CloudPage)
    /// The token or the tags are of another epoch, or below the floor: fetch everything.
    case expired
    /// The zone does not know the device's witness: it was put back from a copy, or belongs to another account.
    case diverged(Lineage)
    /// The newest mark that both know.
    case common(HistoryMark?)
    /// The blobs are kept.
    case stored
    /// The blobs that were found.
    case blobs([Blob])
    /// How many bytes of a large blob the cloud has, from its start. Once it has all of them they are those that the digest names:
    /// of others it keeps none, and begins again.
    case received(Int64)
    /// The watermark is noted.
    case noted
    /// The part; `nil` where the cloud does not have the blob.
    case part(BlobPart?)
    /// The blobs that the cloud does not have whole.
    case lacking([BlobReference])

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

    /// The epoch that begins when a device has read further than a zone was ever written.
    static func epoch(after token: ChangeToken) -> UInt64 {
        token.epoch &+ UInt64(bitPattern: token.number) | 1
    }
}
