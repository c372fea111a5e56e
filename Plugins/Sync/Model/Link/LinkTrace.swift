/// The writes of each field of a record that a device knows, stored beside its state: those in the causal
/// past of its values. A write is identified by its content, not by a time up to which all writes of its
/// device would be known: data restored from a backup, and copies of a device, write under one identity what
/// others of that identity have never seen.
package struct LinkTrace: Hashable, Sendable {
    /// The known writes of one field, or of the deletion of the record, whose key is empty.
    package struct Writes: Hashable, Sendable {
        package let key: String
        /// Hashes of the writes, the latest one last.
        package private(set) var known: [UInt64]

        package init(key: String, known: [UInt64]) {
            self.key = key
            self.known = Array(known.suffix(SyncSettings.writesRemembered))
        }

        fileprivate mutating func add(_ write: UInt64) {
            if known.contains(write) { return }
            if known.count >= SyncSettings.writesRemembered { known.removeFirst() }
            known.append(write)
        }
    }

    /// In the order of the keys.
    package private(set) var fields: [Writes] = []
    /// A mark of the cloud's history that contains the received base; `nil` if the sender knew none.
    package var mark: HistoryMark?

    package init(_ fields: [Writes] = [], mark: HistoryMark? = nil) {
        self.fields = fields.sorted { $0.key < $1.key }
        self.mark = mark
    }

    private static let deletion = ""

    /// Records the writes of a version.
    package mutating func see(_ version: Version) {
        if version.isDeleted {
            add([Self.write(ofDeletion: version)], of: Self.deletion)
        } else {
            for field in version.fields { see(field) }
        }
    }

    /// Records a write. Writes at an unknown time cannot be distinguished from others of the same value.
    package mutating func see(_ field: Field) {
        if !field.stamp.isUnknown { add([Self.write(field)], of: field.key) }
    }

    /// Adopts a sender's knowledge for the fields that the receiver has taken.
    package mutating func see(_ other: LinkTrace, where isTaken: (String) -> Bool) {
        for writes in other.fields where writes.key == Self.deletion || isTaken(writes.key) {
            add(writes.known, of: writes.key)
        }
    }

    package func knows(_ field: Field) -> Bool {
        !field.stamp.isUnknown && has(Self.write(field), of: field.key)
    }

    /// Whether a deletion is known.
    package func knows(deletion tombstone: Version) -> Bool {
        !tombstone.stamp.isUnknown && has(Self.write(ofDeletion: tombstone), of: Self.deletion)
    }

    // MARK: Parts

    private func has(_ write: UInt64, of key: String) -> Bool {
        fields.first { $0.key == key }?.known.contains(write) ?? false
    }

    private mutating func add(_ writes: [UInt64], of key: String) {
        let index = fields.firstIndex { $0.key >= key } ?? fields.endIndex
        if index == fields.endIndex || fields[index].key != key {
            fields.insert(Writes(key: key, known: []), at: index)
        }
        for write in writes { fields[index].add(write) }
    }

    private static func write(ofDeletion tombstone: Version) -> UInt64 {
        ContentHash.mix(hash(tombstone.stamp), UInt64(tombstone.incarnation))
    }

    private static func write(_ field: Field) -> UInt64 {
        let stamp = hash(field.stamp)
        switch field.value {
        case .absent: return ContentHash.mix(stamp, 0)
        case .integer(let number): return mix(stamp, 1, UInt64(bitPattern: number))
        case .number(let number): return mix(stamp, 2, number.bitPattern)
        case .text(let text): return hash(stamp, 3, Array(text.utf8))
        case .bytes(let bytes): return hash(stamp, 4, bytes)
        case .blob(let blob):
            return ContentHash.mix(mix(mix(stamp, 5, blob.high), 5, blob.low), UInt64(bitPattern: blob.size))
        }
    }

    private static func hash(_ stamp: Stamp) -> UInt64 { ContentHash.mix(stamp.device, stamp.time) }

    private static func mix(_ hash: UInt64, _ kind: UInt64, _ word: UInt64) -> UInt64 {
        ContentHash.mix(ContentHash.mix(hash, kind), word)
    }

    private static func hash(_ stamp: UInt64, _ kind: UInt64, _ bytes: [UInt8]) -> UInt64 {
        bytes.withUnsafeBytes { ContentHash.hash($0, seed: ContentHash.mix(stamp, kind)) }
    }
}

/// A record sent over the watch link: its values, when and where each was written, what its sender knew, and
/// what the cloud knew.
package struct LinkParcel: Hashable, Sendable {
    package let key: RecordKey
    /// The sender's version or its tombstone, without the fields that are not sent over the link.
    package let version: Version
    /// The sender's knowledge.
    package let trace: LinkTrace
    /// The cloud's version last seen by the sender; `nil` if the cloud was not known to have the record.
    package let base: Version?

    package init(key: RecordKey, version: Version, trace: LinkTrace, base: Version?) {
        self.key = key
        self.version = version
        self.trace = trace
        self.base = base
    }
}
