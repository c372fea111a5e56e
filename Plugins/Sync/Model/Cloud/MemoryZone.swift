import Core
import Foundation

/// A zone of the cloud in memory: the reference for all back ends, and the cloud of the simulator.
package struct MemoryZone: Sendable {
    /// The records in key order, including tombstones.
    package private(set) var records: [CloudRecord] = []
    package private(set) var operations: [OperationID: DoneOperation] = [:]
    private var blobs: Set<BlobReference> = []
    private var contents: [BlobReference: [UInt8]] = [:]
    /// The received bytes of incomplete large blobs.
    private var parts: [BlobReference: [UInt8]] = [:]
    /// The zone's head when a blob was last requested or sent.
    private var numbers: [BlobReference: Int64] = [:]
    /// The last reported positions of devices.
    private var devices: [UInt64: Watermark] = [:]
    /// The number up to which each replica's operations are discarded.
    private var floors: [UInt64: UInt64] = [:]
    /// The number of the last change.
    private var head: Int64 = 0
    /// Tombstones up to this number are discarded.
    package private(set) var floor: Int64 = 0
    package private(set) var lineage: Lineage
    /// The marks of its history.
    private var history = MarkHistory()

    package init(epoch: UInt64) {
        lineage = Lineage(starts: [EpochStart(epoch: epoch, number: 0)])
    }

    /// A zone restored from a copy.
    init(_ image: ZoneImage) {
        lineage = image.lineage
        restore(image, epoch: nil)
    }

    /// The record of a key.
    func record(_ key: RecordKey) -> CloudRecord? {
        let index = index(of: key)
        return index < records.count && records[index].key == key ? records[index] : nil
    }

    /// The index of the first record with a key or after it.
    private func index(of key: RecordKey) -> Int { records.partitionIndex { $0.key >= key } }
}

// MARK: Reading

extension MemoryZone: ZoneReading {
    typealias Failure = Never

    func position(_ witness: HistoryMark?) -> ZonePosition {
        ZonePosition(head: head, floor: floor, lineage: lineage, isWitnessKnown: history.knows(witness))
    }
    func lastMark() -> HistoryMark? { history.last }
    func common(_ marks: [HistoryMark]) -> HistoryMark? { history.common(marks) }
    func newestMarks(_ limit: Int) -> [HistoryMark] { history.marks.suffix(limit) }
    func marks(after start: Int64, upTo end: Int64) -> [HistoryMark] {
        history.passed(after: start, upTo: end)
    }

    func changes(after tag: Int64, limit: Int) -> RecordPage {
        RecordPage(records.filter { $0.tag > tag }.sorted { $0.tag < $1.tag }, limit: limit)
    }

    func records(after key: RecordKey?, limit: Int) -> RecordPage {
        let start = key.map { key in records.partitionIndex { $0.key > key } } ?? 0
        return RecordPage(Array(records[start...].prefix(limit + 1)), limit: limit)
    }

    func allRecords() -> [CloudRecord] { records }
    func knownOperations(upTo head: Int64) -> (done: [OperationID: DoneOperation], floors: [UInt64: UInt64]) {
        (operations, floors)
    }
    func blobs(withBytes: Bool) -> [Blob] {
        blobs.sorted().map { Blob(reference: $0, bytes: contents[$0] ?? []) }
    }
    func reports() -> [DeviceReport] {
        devices.values.map {
            DeviceReport(device: $0.device, number: $0.token.number, settled: $0.settled)
        }
    }
    func floor(of replica: UInt64) -> UInt64 { floors[replica] ?? 0 }
}

// MARK: Writing

extension MemoryZone: ZoneWriting {
    func prepare(_ operations: ArraySlice<SaveOperation>) {}
    func flush() {}
    func done(_ id: OperationID) -> DoneOperation? { operations[id] }
    func has(_ blob: BlobReference) -> Bool { blobs.contains(blob) }
    func tag(of key: RecordKey) -> Int64? { record(key)?.tag }

    func records(_ keys: [RecordKey]) -> [RecordKey: CloudRecord] {
        var found: [RecordKey: CloudRecord] = [:]
        for key in keys { found[key] = record(key) }
        return found
    }

    mutating func save(
        _ record: CloudRecord, over base: Int64, _ content: borrowing ByteWriter, by id: OperationID,
        digest: UInt64
    ) -> Bool {
        let index = index(of: record.key)
        let isThere = index < records.count && records[index].key == record.key
        guard base == (isThere ? records[index].tag : 0) else { return false }
        if isThere {
            records[index] = record
        } else {
            records.insert(record, at: index)
        }
        operations[id] = DoneOperation(tag: record.tag, digest: digest)
        return true
    }

    mutating func append(_ mark: HistoryMark) {
        head = mark.number
        history.append(mark)
    }

    mutating func set(_ lineage: Lineage) { self.lineage = lineage }

    mutating func set(floor number: Int64) {
        floor = number
        records.removeAll { $0.version.isDeleted && $0.tag <= number }
    }

    mutating func put(_ mark: Watermark) {
        let settled = max(mark.settled, devices[mark.device]?.settled ?? 0)
        devices[mark.device] = Watermark(device: mark.device, token: mark.token, settled: settled)
    }

    mutating func forgetOperations(of replica: UInt64, upTo number: UInt64) {
        if number <= floors[replica] ?? 0 { return }
        floors[replica] = number
        operations = operations.filter { $0.key.device != replica || $0.key.number > number }
    }

    mutating func replace(by image: ZoneImage) {
        self = MemoryZone(epoch: 0)
        records = image.records
        operations = image.operations
        floors = image.floors
        blobs = Set(image.blobs.map(\.reference))
        numbers = Dictionary(image.blobs.map { ($0.reference, image.head) }, uniquingKeysWith: { $1 })
        for blob in image.blobs where !blob.bytes.isEmpty { contents[blob.reference] = blob.bytes }
        head = image.head
        floor = image.floor
        lineage = image.lineage
        history = image.history
    }
}

// MARK: Blobs

extension MemoryZone: BlobPartStore {
    mutating func begin(_ part: BlobPart) -> Int64? {
        numbers[part.reference] = head
        return blobs.contains(part.reference) ? nil : Int64(parts[part.reference]?.count ?? 0)
    }
    mutating func append(_ part: BlobPart) { parts[part.reference, default: []] += part.bytes }
    func matches(_ blob: BlobReference) -> Bool { BlobReference(Data(parts[blob] ?? [])) == blob }
    mutating func discard(_ blob: BlobReference) { parts[blob] = nil }
    mutating func complete(_ blob: BlobReference) {
        blobs.insert(blob)
        contents[blob] = parts.removeValue(forKey: blob)
    }
}

extension MemoryZone: ZoneCloud {
    mutating func put(_ blobs: [Blob]) {
        for blob in blobs {
            self.blobs.insert(blob.reference)
            numbers[blob.reference] = head
            if !blob.bytes.isEmpty { contents[blob.reference] = blob.bytes }
        }
    }

    func blobs(_ references: [BlobReference]) -> [Blob] {
        references.filter(blobs.contains).map { Blob(reference: $0, bytes: contents[$0] ?? []) }
    }

    mutating func receive(_ part: BlobPart) -> Int64 { put(part) }

    func part(of blob: BlobReference, from offset: Int64) -> BlobPart? {
        guard blobs.contains(blob), let bytes = contents[blob], offset >= 0 else { return nil }
        let rest = bytes.dropFirst(Int(offset)).prefix(SyncSettings.blobPart)
        return BlobPart(reference: blob, offset: offset, bytes: Array(rest))
    }

    mutating func lacking(_ references: [BlobReference], looksInside: Bool) -> [BlobReference] {
        for reference in references where looksInside {
            guard let bytes = contents[reference], BlobReference(Data(bytes)) != reference else { continue }
            blobs.remove(reference)
            contents[reference] = nil
        }
        return references.filter { !blobs.contains($0) }
    }

    package mutating func collectBlobs(below number: Int64) {
        var unused = UnreferencedBlobs(blobs.union(parts.keys).filter { numbers[$0, default: 0] < number })
        for record in records { unused.spare(record.version) }
        for blob in unused.references {
            blobs.remove(blob)
            contents[blob] = nil
            parts[blob] = nil
            numbers[blob] = nil
        }
    }
}

extension MemoryZone: CloudBackend {
    package mutating func answer(_ request: CloudRequest) -> CloudReply { reply(to: request) }
    package func latest() -> Int64 { head }
    package func digests(of ranges: [KeyRange]) -> [RangeDigest]? {
        ranges.map { range in
            var digest = RangeDigest()
            for record in records where !record.version.isDeleted && range.has(record.key) {
                digest.add(RangeDigest.digest(record.key, VersionCoding.bytes(record.version)))
            }
            return digest
        }
    }
    package func state() -> ZoneState {
        var zone = self
        return zone.wholeState()
    }
    package func outline() -> ZoneImage { image() }
    package func image() -> ZoneImage {
        var zone = self
        return zone.image(withBytes: true)
    }
    package mutating func restore(_ image: ZoneImage, epoch: UInt64?) { adopt(image, epoch: epoch) }
    package mutating func begin(epoch: UInt64) { beginEpoch(epoch) }
    package mutating func forgetTombstones(upTo number: Int64) { discardTombstones(upTo: number) }
    package mutating func collectOperations() { discardSettledOperations() }
}
