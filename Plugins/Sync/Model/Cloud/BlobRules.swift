/// The store of a zone's large blobs, which arrive in parts.
protocol BlobPartStore {
    /// What its calls throw; `Never` in memory.
    associatedtype Failure: Error = any Error
    /// Prepares for a part. Returns the number of bytes stored from the blob's start; `nil` if it is complete.
    mutating func begin(_ part: BlobPart) throws(Failure) -> Int64?
    /// Stores a part that begins at the end of the stored ones.
    mutating func append(_ part: BlobPart) throws(Failure)
    /// Whether the stored bytes match the blob's digest.
    mutating func matches(_ blob: BlobReference) throws(Failure) -> Bool
    /// Makes a blob visible, all of whose bytes are stored.
    mutating func complete(_ blob: BlobReference) throws(Failure)
    /// Removes the stored parts of a blob that do not match its digest.
    mutating func discard(_ blob: BlobReference) throws(Failure)
}

extension BlobPartStore {
    /// Stores a part if it begins at the end of the stored ones; returns the number of bytes stored. The last
    /// part completes the blob if its bytes match the digest; otherwise all are discarded.
    mutating func put(_ part: BlobPart) throws(Failure) -> Int64 {
        let blob = part.reference
        guard var held = try begin(part) else { return blob.size }
        if part.offset == held, !part.bytes.isEmpty, part.end <= blob.size {
            try append(part)
            held = part.end
        }
        if held < blob.size { return held }
        guard try matches(blob) else {
            try discard(blob)
            return 0
        }
        try complete(blob)
        return blob.size
    }
}

/// Blobs that may be removed, unless a record references them.
struct UnreferencedBlobs {
    private(set) var references: Set<BlobReference>

    init(_ references: some Sequence<BlobReference>) { self.references = Set(references) }

    var isEmpty: Bool { references.isEmpty }

    /// Spares the blobs of a record. A record of a newer version may reference any of them.
    mutating func spare(_ version: Version) {
        if version.isOpaque { references = [] }
        for blob in version.blobs { references.remove(blob) }
    }
}
