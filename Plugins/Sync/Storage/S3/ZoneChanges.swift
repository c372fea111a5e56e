/// The changes of some operations in a zone: looked up together, written together.
struct ZoneChanges {
    /// The zone's tags of the records.
    private(set) var tags: [RecordKey: Int64] = [:]
    private(set) var done: [OperationID: DoneOperation] = [:]
    /// The number up to which each replica's operations are discarded.
    private(set) var floors: [UInt64: UInt64] = [:]
    private var records: [(record: CloudRecord, bytes: [UInt8])] = []
    private var operations: [(id: OperationID, done: DoneOperation)] = []
    /// Tags replaced by newer ones.
    private var superseded: [Int64] = []

    init(_ zone: some Snapshot, _ operations: ArraySlice<SaveOperation>) throws {
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

    /// Adds a record that replaces the one with a tag, and the operation that does it.
    mutating func add(
        _ record: CloudRecord, over base: Int64, _ bytes: [UInt8], by id: OperationID, digest: UInt64
    ) {
        if base > 0 { superseded.append(base) }
        records.append((record, bytes))
        operations.append((id, DoneOperation(tag: record.tag, digest: digest)))
    }

    /// Writes what was added.
    func write(to draft: ZoneDraft) throws {
        if operations.isEmpty { return }
        let sorted = records.sorted { $0.record.key < $1.record.key }
        try draft.update(
            .records,
            sorted.map {
                (ZoneKeys.record($0.record.key), ZoneKeys.record(tag: $0.record.tag, $0.bytes))
            })
        var changes: [Int64: [UInt8]?] = [:]
        for tag in superseded { changes[tag] = .some(nil) }
        for (record, _) in sorted {
            changes[record.tag] = ZoneKeys.change(record.key, isDeleted: record.version.isDeleted)
        }
        try draft.update(
            .changes, changes.sorted { $0.key < $1.key }.map { (ZoneKeys.number($0.key), $0.value) })
        try Self.write(operations, to: draft)
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
