/// A zone during one request that reads it. Every call sees the same state.
protocol ZoneReading {
    /// What its calls throw; `Never` in memory.
    associatedtype Failure: Error = any Error
    /// The zone's counters, and whether it knows a witness; no witness is always known.
    mutating func position(_ witness: HistoryMark?) throws(Failure) -> ZonePosition
    /// The newest mark of its history.
    mutating func lastMark() throws(Failure) -> HistoryMark?
    /// The newest of the given marks (newest first) that the zone knows.
    mutating func common(_ marks: [HistoryMark]) throws(Failure) -> HistoryMark?
    /// The newest marks, lowest first.
    mutating func newestMarks(_ limit: Int) throws(Failure) -> [HistoryMark]
    /// The marks after a number, up to the one at another number or the first after it. `start` is less than
    /// `end`.
    mutating func marks(after start: Int64, upTo end: Int64) throws(Failure) -> [HistoryMark]
    /// The records with a tag above a number, in tag order: at most `limit`, of which there is at least one if
    /// more follow.
    mutating func changes(after tag: Int64, limit: Int) throws(Failure) -> RecordPage
    /// The records after a key, in key order: at most `limit`, of which there is at least one if more follow.
    mutating func records(after key: RecordKey?, limit: Int) throws(Failure) -> RecordPage
    /// All records, in key order.
    mutating func allRecords() throws(Failure) -> [CloudRecord]
    /// All operations whose answers are kept, none of which has a tag above the head, and the number up to which
    /// each replica's are discarded.
    mutating func knownOperations(upTo head: Int64) throws(Failure) -> (
        done: [OperationID: DoneOperation], floors: [UInt64: UInt64]
    )
    /// The complete blobs in the order of their names; without their bytes unless asked for.
    mutating func blobs(withBytes: Bool) throws(Failure) -> [Blob]
    /// The last reports of devices.
    mutating func reports() throws(Failure) -> [DeviceReport]
}

/// A zone that takes the reports of devices.
protocol ZoneReporting: ZoneReading {
    /// The number up to which a replica's operations are discarded.
    mutating func floor(of replica: UInt64) throws(Failure) -> UInt64
    /// Stores a device's position, and the number up to which its operations are settled, which never falls: a copy of its
    /// data reports under the same identity, and what was given up must stay so. Operations of the copy that have such a number
    /// are answered as reused, and get another identity.
    mutating func put(_ mark: Watermark) throws(Failure)
}

/// A zone during one request that changes it, completely or not at all.
protocol ZoneWriting: ZoneReporting {
    // MARK: Saving

    /// Called before the decisions on some operations, none of which has the record or the identifier of
    /// another: what the zone has of them may be looked up together.
    mutating func prepare(_ operations: ArraySlice<SaveOperation>) throws(Failure)
    /// The outcome of an operation; `nil` if the zone does not know it.
    mutating func done(_ id: OperationID) throws(Failure) -> DoneOperation?
    /// Whether the zone has a complete blob.
    mutating func has(_ blob: BlobReference) throws(Failure) -> Bool
    /// The tag of a record; `nil` if there is none.
    mutating func tag(of key: RecordKey) throws(Failure) -> Int64?
    /// The records of some keys, without those written since `prepare`.
    mutating func records(_ keys: [RecordKey]) throws(Failure) -> [RecordKey: CloudRecord]
    /// Writes a record over the one with a tag, or as a new one if the tag is 0, and stores the operation that
    /// did it. `content` is the encoded version. Does nothing and returns `false` if the zone has another version.
    mutating func save(
        _ record: CloudRecord, over base: Int64, _ content: borrowing ByteWriter, by id: OperationID,
        digest: UInt64
    ) throws(Failure) -> Bool
    /// Called after the decisions on the operations given to `prepare`: what was buffered is written.
    mutating func flush() throws(Failure)
    /// Appends a mark to the history; its number is the new head.
    mutating func append(_ mark: HistoryMark) throws(Failure)

    // MARK: Administration

    mutating func set(_ lineage: Lineage) throws(Failure)
    /// Sets the floor, and discards the tombstones up to it.
    mutating func set(floor: Int64) throws(Failure)
    /// Discards the operations of a replica up to a number above 0, and stores that number.
    mutating func forgetOperations(of replica: UInt64, upTo number: UInt64) throws(Failure)
    /// Replaces the whole content by a copy, whose lineage is the new one.
    mutating func replace(by image: ZoneImage) throws(Failure)
}

/// The counters of a zone.
struct ZonePosition {
    /// The number of the last change.
    var head: Int64
    /// Tombstones up to this number are discarded.
    var floor: Int64
    var lineage: Lineage
    /// Whether the zone knows the witness of a request.
    var isWitnessKnown = true
}

/// A device's report as its zone keeps it, without the epoch: a new epoch does not change what was read.
struct DeviceReport: Hashable {
    let device: UInt64
    /// Its position.
    let number: Int64
    /// The number up to which its operations are settled.
    let settled: UInt64
}

/// Some records of a zone, and whether more follow.
struct RecordPage {
    var records: [CloudRecord] = []
    var hasMore = false

    /// From one record more than the limit, if there are as many.
    init(_ records: [CloudRecord], limit: Int) {
        self.records = records
        hasMore = records.count > limit
        if hasMore { self.records.removeLast(records.count - limit) }
    }

    init(records: [CloudRecord], hasMore: Bool) {
        self.records = records
        self.hasMore = hasMore
    }
}
