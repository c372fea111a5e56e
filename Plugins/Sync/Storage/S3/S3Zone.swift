import PluginKit

/// A zone in an object store during a request.
protocol S3Zone: ZoneReporting {
    associatedtype State: Snapshot
    var state: State { get }
    var store: any ObjectStore { get }
    var objects: S3Blobs { get }
}

/// Number of records looked up at a time.
private let readTogether = 256
/// Bytes of records in a page of changes or of a fetch.
private let longestPage = 8 << 20

extension S3Zone {
    func position(_ witness: HistoryMark?) throws -> ZonePosition {
        let head = state.head
        return ZonePosition(
            head: head.head, floor: head.floor, lineage: head.lineage, isWitnessKnown: try knows(witness))
    }

    private func knows(_ witness: HistoryMark?) throws -> Bool {
        guard let witness, witness != state.head.mark else { return true }
        let value = try state.values(.history, [ZoneKeys.number(witness.number)])[0]
        return value.map { ZoneKeys.word($0) } == witness.hash
    }

    func lastMark() -> HistoryMark? { state.head.mark }
    func common(_ marks: [HistoryMark]) throws -> HistoryMark? { try marks.first { try knows($0) } }
    func newestMarks(_ limit: Int) throws -> [HistoryMark] {
        try state.last(limit, of: .history).map(ZoneKeys.mark)
    }

    func marks(after start: Int64, upTo end: Int64) throws -> [HistoryMark] {
        var marks: [HistoryMark] = []
        try state.scan(.history, from: ZoneKeys.number(start + 1)) { entry in
            marks.append(ZoneKeys.mark(entry))
            return marks.last.map { $0.number < end } ?? false
        }
        return marks
    }

    func changes(after tag: Int64, limit: Int) throws -> RecordPage {
        var keys: [[UInt8]] = []
        try state.scan(.changes, from: ZoneKeys.number(tag + 1)) { entry in
            keys.append(Array(entry.value.prefix(17)))
            return keys.count <= limit
        }
        let hasMore = keys.count > limit
        if hasMore { keys.removeLast() }
        var records: [CloudRecord] = []
        var size = 0
        for start in stride(from: 0, to: keys.count, by: readTogether) {
            if size > longestPage { return RecordPage(records: records, hasMore: true) }
            let part = keys[start..<min(start + readTogether, keys.count)].sorted {
                $0.lexicographicallyPrecedes($1)
            }
            var found: [CloudRecord] = []
            for (key, value) in zip(part, try state.values(.records, part)) {
                guard let value else { throw SyncErrors.schema("a record of the cloud is missing") }
                size += value.count
                found.append(try ZoneKeys.record(key, value))
            }
            records += found.sorted { $0.tag < $1.tag }
        }
        return RecordPage(records: records, hasMore: hasMore)
    }

    func records(after key: RecordKey?, limit: Int) throws -> RecordPage {
        var page = RecordPage(records: [], hasMore: false)
        var size = 0
        let start = key.map(ZoneKeys.record)
        try state.scan(.records, from: start ?? []) { entry in
            if entry.key == start { return true }
            page.hasMore = page.records.count == limit || size > longestPage
            if page.hasMore { return false }
            page.records.append(try ZoneKeys.record(entry.key, entry.value))
            size += entry.value.count
            return true
        }
        return page
    }

    func allRecords() throws -> [CloudRecord] {
        var records: [CloudRecord] = []
        try state.scan(.records) {
            records.append(try ZoneKeys.record($0.key, $0.value))
            return true
        }
        return records
    }

    func knownOperations(
        upTo head: Int64
    ) throws -> (done: [OperationID: DoneOperation], floors: [UInt64: UInt64]) {
        var found: (done: [OperationID: DoneOperation], floors: [UInt64: UInt64]) = ([:], [:])
        try state.scan(.operations) {
            if let replica = ZoneKeys.replica($0.key) {
                found.floors[replica] = ZoneKeys.word($0.value)
            } else {
                found.done[ZoneKeys.operationID($0.key)] = ZoneKeys.done($0.value)
            }
            return true
        }
        return found
    }

    func blobs(withBytes: Bool) throws -> [Blob] {
        try objects.references(state).compactMap { reference in
            withBytes ? try objects.whole(reference, state) : Blob(reference: reference, bytes: [])
        }.sorted { $0.reference.name < $1.reference.name }
    }

    // MARK: Reports

    func floor(of replica: UInt64) throws -> UInt64 {
        try state.values(.operations, [ZoneKeys.replica(replica)])[0].map { ZoneKeys.word($0) } ?? 0
    }

    private var folder: String { "\(ZoneHead.devicesFolder)/\(state.head.copy.text)" }

    /// Each device has its own object; outdated values only delay the discarding.
    func put(_ mark: Watermark) throws {
        let name = BatchName.digits(mark.device)
        let settled = max(mark.settled, try report(name)?.settled ?? 0)
        _ = try store.put(
            "\(folder)/\(name)", ZoneKeys.number(mark.token.number) + ZoneKeys.bytes(settled), .always)
    }

    private func report(_ name: String) throws -> DeviceReport? {
        guard let device = UInt64(name, radix: 16),
            let bytes = try store.get("\(folder)/\(name)", longest: 64)?.bytes
        else { return nil }
        // An older version did not store settled operations.
        return DeviceReport(
            device: device, number: Int64(bitPattern: ZoneKeys.word(bytes.prefix(8))),
            settled: ZoneKeys.word(bytes.dropFirst(8).prefix(8)))
    }

    func reports() throws -> [DeviceReport] {
        var names: [String] = []
        try store.list(folder) { names += $0.map(\.name) }
        return try names.sorted().compactMap(report)
    }
}

/// Reads a zone at one of its heads.
struct S3Reader: S3Zone {
    typealias Failure = any Error
    let state: StoredZone
    let store: any ObjectStore
    let objects: S3Blobs

    /// The same for few records: pages are read without the bytes around them.
    func alone(_ isAlone: Bool) -> S3Reader {
        var state = state
        state.readsAlone = isAlone
        return S3Reader(state: state, store: store, objects: objects)
    }
}

/// Prepares the next head of a zone.
struct S3Writer: S3Zone {
    typealias Failure = any Error
    let state: ZoneDraft
    let store: any ObjectStore
    let objects: S3Blobs
    private var changes: ZoneChanges?
    /// The blobs looked up for a save: each costs requests.
    private var known: [BlobReference: Bool] = [:]

    init(_ state: ZoneDraft, store: any ObjectStore, objects: S3Blobs) {
        (self.state, self.store, self.objects) = (state, store, objects)
    }
}

extension S3Writer: ZoneWriting {
    mutating func prepare(_ operations: ArraySlice<SaveOperation>) throws {
        changes = try ZoneChanges(state, operations)
    }
    func done(_ id: OperationID) -> DoneOperation? { changes?.done[id] }
    func tag(of key: RecordKey) -> Int64? { changes?.tags[key] }

    func floor(of replica: UInt64) throws -> UInt64 {
        guard let changes else {
            return try state.values(.operations, [ZoneKeys.replica(replica)])[0].map { ZoneKeys.word($0) }
                ?? 0
        }
        return changes.floors[replica] ?? 0
    }

    mutating func has(_ blob: BlobReference) throws -> Bool {
        if let known = known[blob] { return known }
        let isThere = try objects.has(blob, state)
        known[blob] = isThere
        return isThere
    }

    func records(_ keys: [RecordKey]) throws -> [RecordKey: CloudRecord] {
        let sorted = keys.sorted().map(ZoneKeys.record)
        var found: [RecordKey: CloudRecord] = [:]
        for (key, value) in zip(sorted, try state.values(.records, sorted)) {
            guard let value else { continue }
            let record = try ZoneKeys.record(key, value)
            found[record.key] = record
        }
        return found
    }

    mutating func save(
        _ record: CloudRecord, over base: Int64, _ content: borrowing ByteWriter, by id: OperationID,
        digest: UInt64
    ) -> Bool {
        guard changes?.tags[record.key] ?? 0 == base else { return false }
        changes?.add(record, over: base, content.bytes, by: id, digest: digest)
        return true
    }

    mutating func flush() throws {
        try changes?.write(to: state)
        changes = nil
    }

    func append(_ mark: HistoryMark) throws {
        state.set {
            $0.head = mark.number
            $0.mark = mark
        }
        try state.update(.history, [(ZoneKeys.number(mark.number), ZoneKeys.bytes(mark.hash))])
    }

    // MARK: Administration

    func set(_ lineage: Lineage) { state.set { $0.lineage = lineage } }

    func set(floor: Int64) throws {
        state.set { $0.floor = floor }
        var gone: [(tag: [UInt8], key: [UInt8])] = []
        try state.scan(.changes) { entry in
            guard Int64(bitPattern: ZoneKeys.word(entry.key)) <= floor else { return false }
            if entry.value.last == 1 { gone.append((entry.key, Array(entry.value.prefix(17)))) }
            return true
        }
        try state.update(.changes, gone.map { ($0.tag, nil) })
        try state.update(
            .records, gone.map { ($0.key, nil) }.sorted { $0.0.lexicographicallyPrecedes($1.0) })
    }

    func forgetOperations(of replica: UInt64, upTo number: UInt64) throws {
        try ZoneChanges.forget(replica, upTo: number, in: state)
    }

    /// Blobs go to a separate folder, so that the head alone decides which exist.
    func replace(by image: ZoneImage) throws {
        let folder = BatchName(number: state.head.revision, salt: state.salt())
        state.clear()
        state.set { head in
            (head.head, head.floor, head.lineage) = (image.head, image.floor, image.lineage)
            head.mark = image.history.last
            (head.copy, head.blobs, head.aging) = (folder, folder, nil)
        }
        for blob in image.blobs { try objects.put(blob, state) }
        try ZoneChanges.write(image, to: state)
    }
}
