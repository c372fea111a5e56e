/// The changes of a request in a zone: looked up together, decided one by one, written together.
struct ZoneChanges {
    private let zone: ZoneDraft
    private var head: Int64
    private var hash: UInt64
    /// The zone's tags of the request's records.
    private var tags: [RecordKey: Int64] = [:]
    private var done: [OperationID: DoneOperation] = [:]
    /// The number up to which each replica's operations are discarded.
    private var floors: [UInt64: UInt64] = [:]
    private var records: [RecordKey: (tag: Int64, version: Version, bytes: [UInt8])] = [:]
    private var operations: [(id: OperationID, done: DoneOperation)] = []
    /// Tags replaced by newer ones.
    private var superseded: [Int64] = []

    init(_ zone: ZoneDraft, _ operations: [SaveOperation]) throws {
        self.zone = zone
        head = zone.head.head
        hash = zone.head.mark?.hash ?? 0
        let keys = Set(operations.map(\.key)).sorted()
        for (key, value) in zip(keys, try zone.values(.records, keys.map(ZoneKeys.record))) {
            guard let value else { continue }
            guard let tag = ZoneKeys.tag(value) else {
                throw SyncErrors.schema("a record of the cloud cannot be read")
            }
            tags[key] = tag
        }
        let ids = Set(operations.map(\.id)).sorted { ($0.device, $0.number) < ($1.device, $1.number) }
        for (id, value) in zip(ids, try zone.values(.operations, ids.map(ZoneKeys.operation))) {
            if let value { done[id] = ZoneKeys.done(value) }
        }
        let replicas = Set(ids.map(\.device)).sorted()
        for (replica, value) in zip(replicas, try zone.values(.operations, replicas.map(ZoneKeys.replica))) {
            if let value { floors[replica] = ZoneKeys.word(value) }
        }
    }

    /// Decides on one operation. `blobs` are the blobs in the zone among those that the request references.
    mutating func save(_ operation: SaveOperation, _ blobs: Set<BlobReference>) throws -> SaveResult {
        let key = operation.key
        let bytes = VersionCoding.bytes(operation.version)
        if bytes.count > SyncSettings.largestRecord {
            return .rejected(
                "the record has \(bytes.count) bytes; the maximum is \(SyncSettings.largestRecord)")
        }
        let digest = operation.digest(of: bytes)
        let tag = tags[key]
        if let done = done[operation.id] {
            if let known = done.digest, known != digest { return .reused }
            return tag == nil ? .refused(nil) : .duplicate(done.tag)
        }
        if operation.id.number <= floors[operation.id.device] ?? 0 { return .reused }
        if tag ?? 0 != operation.baseTag { return .refused(try record(key)) }
        if !operation.version.blobs.allSatisfy(blobs.contains) { return .missingBlob }
        head += 1
        if let tag { superseded.append(tag) }
        tags[key] = head
        records[key] = (head, operation.version, bytes)
        let new = DoneOperation(tag: head, digest: digest)
        done[operation.id] = new
        operations.append((operation.id, new))
        hash = HistoryMark.hash(hash, adding: operation.id, digest: digest)
        return .saved(head)
    }

    private func record(_ key: RecordKey) throws -> CloudRecord? {
        if let own = records[key] { return CloudRecord(key: key, version: own.version, tag: own.tag) }
        let bytes = ZoneKeys.record(key)
        return try zone.values(.records, [bytes])[0].map { try ZoneKeys.record(bytes, $0) }
    }

    /// Writes the decided changes.
    func write(to draft: ZoneDraft) throws {
        if operations.isEmpty { return }
        let mark = HistoryMark(number: head, hash: hash)
        draft.set {
            $0.head = head
            $0.mark = mark
        }
        let sorted = records.sorted { $0.key < $1.key }
        try draft.update(
            .records,
            sorted.map { (ZoneKeys.record($0.key), ZoneKeys.record(tag: $0.value.tag, $0.value.bytes)) })
        var changes: [Int64: [UInt8]?] = [:]
        for tag in superseded { changes[tag] = .some(nil) }
        for (key, saved) in sorted {
            changes[saved.tag] = ZoneKeys.change(key, isDeleted: saved.version.isDeleted)
        }
        try draft.update(
            .changes, changes.sorted { $0.key < $1.key }.map { (ZoneKeys.number($0.key), $0.value) })
        try Self.write(operations, to: draft)
        try draft.update(.history, [(ZoneKeys.number(mark.number), ZoneKeys.bytes(mark.hash))])
    }

    private static func write(_ operations: [(id: OperationID, done: DoneOperation)], to draft: ZoneDraft)
        throws
    {
        let sorted = operations.sorted { ($0.id.device, $0.id.number) < ($1.id.device, $1.id.number) }
        try draft.update(.operations, sorted.map { (ZoneKeys.operation($0.id), ZoneKeys.done($0.done)) })
    }

    /// Discards the operations of a replica up to a number, and stores that number.
    static func forget(_ replica: UInt64, upTo number: UInt64, in draft: ZoneDraft) throws {
        let key = ZoneKeys.replica(replica)
        let now = try draft.values(.operations, [key])[0].map { ZoneKeys.word($0) }
        if number <= now ?? 0 { return }
        var changes: [(key: [UInt8], value: [UInt8]?)] = [(key, ZoneKeys.bytes(number))]
        try draft.scan(.operations, from: ZoneKeys.operation(OperationID(device: replica, number: 0))) {
            let id = ZoneKeys.operationID($0.key)
            guard id.device == replica, id.number <= number else { return false }
            changes.append(($0.key, nil))
            return true
        }
        try draft.update(.operations, changes)
    }

    /// Writes a copy of a zone into an empty draft.
    static func write(_ image: ZoneImage, to draft: ZoneDraft) throws {
        let records = image.records.sorted { $0.key < $1.key }
        try draft.update(
            .records,
            records.map {
                (ZoneKeys.record($0.key), ZoneKeys.record(tag: $0.tag, VersionCoding.bytes($0.version)))
            })
        try draft.update(
            .changes,
            records.sorted { $0.tag < $1.tag }.map {
                (ZoneKeys.number($0.tag), ZoneKeys.change($0.key, isDeleted: $0.version.isDeleted))
            })
        try write(image.operations.map { ($0.key, $0.value) }, to: draft)
        for (replica, number) in image.floors.sorted(by: { $0.key < $1.key }) {
            try forget(replica, upTo: number, in: draft)
        }
        try draft.update(
            .history, image.history.marks.map { (ZoneKeys.number($0.number), ZoneKeys.bytes($0.hash)) })
    }
}
