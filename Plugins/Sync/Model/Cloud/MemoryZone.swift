import Foundation

/// A zone of the cloud in memory: the reference for all back ends, and the cloud of the simulator.
package struct MemoryZone: Sendable {
    /// The records in key order, including tombstones.
    package private(set) var records: [CloudRecord] = []
    package private(set) var operations: [OperationID: DoneOperation] = [:]
    private(set) var blobs: Set<BlobReference> = []
    private var contents: [BlobReference: [UInt8]] = [:]
    /// The received bytes of incomplete large blobs.
    private var parts: [BlobReference: [UInt8]] = [:]
    /// The zone's head when a blob was last requested or sent.
    private var numbers: [BlobReference: Int64] = [:]
    /// The last reported positions of devices.
    private var devices: [UInt64: Watermark] = [:]
    /// The number up to which each replica's operations are discarded.
    private(set) var floors: [UInt64: UInt64] = [:]
    /// The number of the last change.
    private(set) var head: Int64 = 0
    /// Tombstones up to this number are discarded.
    package private(set) var floor: Int64 = 0
    package private(set) var lineage: Lineage
    /// The marks of its history.
    private(set) var history = History()

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
        for record in records where record.key == key { return record }
        return nil
    }

    /// Answers a request completely or not at all.
    package mutating func answer(_ request: CloudRequest) -> CloudReply {
        switch request {
        case .save(let token, let witness, let operations):
            if !history.knows(witness) { return .diverged(lineage) }
            if token.epoch != lineage.epoch || token.number < floor { return .expired }
            return .saved(save(operations), history.last)
        case .changes(let token, let witness, let limit):
            if !history.knows(witness) { return .diverged(lineage) }
            return changes(since: token, witness, limit: limit)
        case .fetch(let key, let witness, let limit):
            if !history.knows(witness) { return .diverged(lineage) }
            return fetch(after: key, limit: limit)
        case .common(let marks): return .common(history.common(marks))
        case .putBlobs(let blobs):
            for blob in blobs {
                self.blobs.insert(blob.reference)
                numbers[blob.reference] = head
                if !blob.bytes.isEmpty { contents[blob.reference] = blob.bytes }
            }
            return .stored
        case .getBlobs(let references):
            return .blobs(
                references.filter(blobs.contains).map { Blob(reference: $0, bytes: contents[$0] ?? []) })
        case .report(let mark):
            note(mark)
            return .noted
        case .putPart(let part): return .received(put(part))
        case .getPart(let reference, let offset):
            guard blobs.contains(reference), let bytes = contents[reference], offset >= 0 else {
                return .part(nil)
            }
            let rest = bytes.dropFirst(Int(offset)).prefix(SyncSettings.blobPart)
            return .part(BlobPart(reference: reference, offset: offset, bytes: Array(rest)))
        case .lacks(let references, let looksInside):
            for reference in references where looksInside {
                guard let bytes = contents[reference], BlobReference(Data(bytes)) != reference else {
                    continue
                }
                blobs.remove(reference)
                contents[reference] = nil
            }
            return .lacking(references.filter { !blobs.contains($0) })
        }
    }

    private mutating func put(_ part: BlobPart) -> Int64 {
        let reference = part.reference
        numbers[reference] = head
        if blobs.contains(reference) { return reference.size }
        var held = parts[reference] ?? []
        if part.offset == held.count, part.end <= reference.size { held += part.bytes }
        parts[reference] = held
        guard held.count == reference.size else { return Int64(held.count) }
        parts[reference] = nil
        guard BlobReference(Data(held)) == reference else { return 0 }
        blobs.insert(reference)
        contents[reference] = held
        return reference.size
    }

    // MARK: Saving

    private mutating func save(_ operations: [SaveOperation]) -> [SaveResult] {
        let before = head
        var hash = history.last?.hash ?? 0
        let results = operations.map { save($0, &hash) }
        if head > before { history.append(HistoryMark(number: head, hash: hash)) }
        return results
    }

    private mutating func save(_ operation: SaveOperation, _ hash: inout UInt64) -> SaveResult {
        let digest = operation.digest
        let index = records.firstIndex { $0.key >= operation.key } ?? records.endIndex
        let isThere = index < records.endIndex && records[index].key == operation.key
        if let done = operations[operation.id] {
            if done.digest != digest { return .reused }
            // Performed, but deleted and discarded since.
            return isThere ? .duplicate(done.tag) : .refused(nil)
        }
        if operation.id.number <= floors[operation.id.device] ?? 0 { return .reused }
        let tag = isThere ? records[index].tag : 0
        if tag != operation.baseTag { return .refused(isThere ? records[index] : nil) }
        for field in operation.version.fields {
            if let blob = field.value.blob, !blobs.contains(blob) { return .missingBlob }
        }
        head += 1
        let record = CloudRecord(key: operation.key, version: operation.version, tag: head)
        operations[operation.id] = DoneOperation(tag: head, digest: digest)
        hash = HistoryMark.hash(hash, adding: operation.id, digest: digest)
        if isThere {
            records[index] = record
        } else {
            records.insert(record, at: index)
        }
        return .saved(head)
    }

    // MARK: Reading

    private mutating func changes(since token: ChangeToken, _ witness: HistoryMark?, limit: Int) -> CloudReply
    {
        if token.epoch == lineage.epoch, token.number > head {
            // The device's token is beyond the head: this zone is an old copy.
            lineage.starts.append(EpochStart(epoch: nextEpoch, number: head))
        }
        if token.epoch != lineage.epoch || token.number < floor { return .expired }
        var changed = records.filter { $0.tag > token.number }
        changed.sort { $0.tag < $1.tag }
        let hasMore = changed.count > limit
        if hasMore { changed.removeLast(changed.count - limit) }
        let read = changed.last?.tag ?? token.number
        let page = CloudPage(
            records: changed, token: ChangeToken(epoch: lineage.epoch, number: read), hasMore: hasMore,
            lineage: lineage,
            history: history.passed(
                after: max(token.number, witness?.number ?? 0), upTo: hasMore ? head : read))
        return .page(page)
    }

    private func fetch(after key: RecordKey?, limit: Int) -> CloudReply {
        var found: [CloudRecord] = []
        var hasMore = false
        for record in records {
            if let key, record.key <= key { continue }
            if found.count == limit {
                hasMore = true
                break
            }
            found.append(record)
        }
        return .page(
            CloudPage(
                records: found, token: ChangeToken(epoch: lineage.epoch, number: head), hasMore: hasMore,
                lineage: lineage, history: history.marks.suffix(SyncSettings.marksOfFetch)))
    }

    // MARK: Faults

    /// Discards tombstones up to a number of the zone.
    package mutating func forgetTombstones(upTo number: Int64) {
        floor = max(floor, min(number, head))
        records.removeAll { $0.version.isDeleted && $0.tag <= floor }
    }

    private mutating func note(_ mark: Watermark) {
        guard mark.token.epoch == lineage.epoch, mark.token.number <= head else { return }
        devices[mark.device] = mark
        if Watermark.isWorthwhile(mark.settled, above: floors[mark.device] ?? 0) {
            forgetOperations(of: mark.device, upTo: mark.settled)
        }
        let numbers = devices.values.map(\.token.number)
        guard let lowest = Watermark.floor(of: numbers, head: head, above: floor) else { return }
        forgetTombstones(upTo: lowest)
        collectBlobs(below: floor)
    }

    package mutating func collectOperations() {
        for mark in devices.values { forgetOperations(of: mark.device, upTo: mark.settled) }
    }

    private mutating func forgetOperations(of device: UInt64, upTo number: UInt64) {
        if number <= floors[device] ?? 0 { return }
        floors[device] = number
        operations = operations.filter { $0.key.device != device || $0.key.number > number }
    }

    package mutating func collectBlobs(below number: Int64) {
        // A record of a newer version may reference any of them.
        if records.contains(where: \.version.isOpaque) { return }
        let named = Set(records.flatMap(\.version.blobs))
        for blob in blobs.union(parts.keys) where !named.contains(blob) && numbers[blob, default: 0] < number
        {
            blobs.remove(blob)
            contents[blob] = nil
            parts[blob] = nil
            numbers[blob] = nil
        }
    }

    package func state() -> ZoneState {
        ZoneState(records: records, head: head, floor: floor, lineage: lineage, mark: history.last)
    }

    package func image() -> ZoneImage {
        ZoneImage(
            records: records, operations: operations, floors: floors,
            blobs: blobs.sorted().map { Blob(reference: $0, bytes: contents[$0] ?? []) }, head: head,
            floor: floor,
            lineage: lineage, history: history)
    }

    package mutating func restore(_ image: ZoneImage, epoch: UInt64?) {
        records = image.records
        operations = image.operations
        floors = image.floors
        blobs = Set(image.blobs.map(\.reference))
        contents = [:]
        parts = [:]
        devices = [:]
        numbers = Dictionary(image.blobs.map { ($0.reference, image.head) }, uniquingKeysWith: { $1 })
        for blob in image.blobs where !blob.bytes.isEmpty { contents[blob.reference] = blob.bytes }
        head = image.head
        floor = image.floor
        lineage = image.lineage
        history = image.history
        if let epoch { begin(epoch: epoch) }
    }

    package mutating func begin(epoch: UInt64) {
        lineage.starts.append(EpochStart(epoch: epoch, number: head))
    }

    /// A number that differs from all epochs of this zone and from the choice of other copies: derived from
    /// its history and head.
    private var nextEpoch: UInt64 {
        var mixed = lineage.epoch ^ 0x9e37_79b9_7f4a_7c15
        mixed = (mixed ^ UInt64(bitPattern: head)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 29)) &* 0x94d0_49bb_1331_11eb
        return (mixed ^ (mixed >> 32)) | 1
    }
}
