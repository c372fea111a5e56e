/// A zone of the cloud in memory: the reference for all back ends, and the cloud of the simulator.
struct MemoryZone: Sendable {
    /// The records in the order of their keys, tombstones among them.
    private(set) var records: [CloudRecord] = []
    private(set) var operations: [OperationID: Int64] = [:]
    private(set) var blobs: Set<BlobReference> = []
    private var contents: [BlobReference: [UInt8]] = [:]
    /// The number of the last change.
    private(set) var head: Int64 = 0
    /// Tombstones up to this number are forgotten.
    private(set) var floor: Int64 = 0
    private(set) var lineage: Lineage
    private let rules: SyncRules
    /// With the fault `sequenceNumbers`: records that have a number and are not to be seen yet.
    private(set) var uncommitted: [CloudRecord] = []

    init(epoch: UInt64, rules: SyncRules = .merge) {
        lineage = Lineage(starts: [EpochStart(epoch: epoch, number: 0)])
        self.rules = rules
    }

    /// The record of a key.
    func record(_ key: RecordKey) -> CloudRecord? {
        for record in records where record.key == key { return record }
        return nil
    }

    /// Answers a request, whole or not at all. `defers` leaves the saves of this request for `commit`, as a
    /// transaction does that has its number and is not done.
    mutating func answer(_ request: CloudRequest, defers: Bool) -> CloudReply {
        switch request {
        case .save(let token, let operations):
            if token.epoch != lineage.epoch, !rules.ignoresEpoch { return .expired }
            if token.number < floor, !rules.noOperationIdentifiers { return .expired }
            return .saved(operations.map { save($0, defers: defers && rules.sequenceNumbers) })
        case .changes(let token, let limit): return changes(since: token, limit: limit)
        case .fetch(let key, let limit): return fetch(after: key, limit: limit)
        case .putBlobs(let blobs):
            for blob in blobs {
                self.blobs.insert(blob.reference)
                if !blob.bytes.isEmpty { contents[blob.reference] = blob.bytes }
            }
            return .stored
        case .getBlobs(let references):
            return .blobs(
                references.filter(blobs.contains).map { Blob(reference: $0, bytes: contents[$0] ?? []) })
        }
    }

    // MARK: Saving

    private mutating func save(_ operation: SaveOperation, defers: Bool) -> SaveResult {
        let index = records.firstIndex { $0.key >= operation.key } ?? records.endIndex
        let isThere = index < records.endIndex && records[index].key == operation.key
        if !rules.noOperationIdentifiers, let tag = operations[operation.id] {
            // Done, but deleted and forgotten since.
            return isThere ? .duplicate(tag) : .refused(nil)
        }
        let tag = isThere ? records[index].tag : 0
        if tag != operation.baseTag, !rules.noTagCheck { return .refused(isThere ? records[index] : nil) }
        if !rules.blobAfterRecord {
            for field in operation.version.fields {
                if let blob = field.value.blob, !blobs.contains(blob) { return .missingBlob }
            }
        }
        head += 1
        let record = CloudRecord(key: operation.key, version: operation.version, tag: head)
        if !rules.noOperationIdentifiers { operations[operation.id] = head }
        if defers {
            uncommitted.append(record)
        } else if rules.forgetsDeletions, operation.version.isDeleted {
            if isThere { records.remove(at: index) }
        } else if isThere {
            records[index] = record
        } else {
            records.insert(record, at: index)
        }
        return .saved(head)
    }

    /// Lets the transactions end that were left open.
    mutating func commit() {
        for record in uncommitted {
            let index = records.firstIndex { $0.key >= record.key } ?? records.endIndex
            if index < records.endIndex, records[index].key == record.key {
                if records[index].tag < record.tag { records[index] = record }
            } else {
                records.insert(record, at: index)
            }
        }
        uncommitted = []
    }

    // MARK: Reading

    private mutating func changes(since token: ChangeToken, limit: Int) -> CloudReply {
        if !rules.ignoresEpoch {
            if token.epoch == lineage.epoch, token.number > head {
                // A device has read further than this zone was ever written: it is an old copy.
                lineage.starts.append(EpochStart(epoch: nextEpoch, number: head))
            }
            if token.epoch != lineage.epoch { return .expired }
        }
        if token.number < floor, !rules.ignoresFloor { return .expired }
        var changed = records.filter { $0.tag > token.number }
        changed.sort { $0.tag < $1.tag }
        let hasMore = changed.count > limit
        if hasMore { changed.removeLast(changed.count - limit) }
        var number = changed.last?.tag ?? token.number
        if rules.tokenIsHead || (!hasMore && rules.sequenceNumbers) { number = max(number, head) }
        let page = CloudPage(
            records: changed, token: ChangeToken(epoch: lineage.epoch, number: number),
            hasMore: hasMore && !rules.tokenIsHead, lineage: lineage)
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
                lineage: lineage))
    }

    // MARK: What happens to a cloud

    /// Forgets tombstones up to a number of the zone.
    mutating func forgetTombstones(upTo number: Int64) {
        floor = max(floor, min(number, head))
        records.removeAll { $0.version.isDeleted && $0.tag <= floor }
    }

    func state() -> ZoneState { ZoneState(records: records, head: head, floor: floor, lineage: lineage) }

    func image() -> ZoneImage {
        ZoneImage(
            records: records, operations: operations,
            blobs: blobs.sorted().map { Blob(reference: $0, bytes: contents[$0] ?? []) }, head: head,
            floor: floor,
            lineage: lineage)
    }

    mutating func restore(_ image: ZoneImage, epoch: UInt64) {
        records = image.records
        operations = image.operations
        blobs = Set(image.blobs.map(\.reference))
        contents = [:]
        for blob in image.blobs where !blob.bytes.isEmpty { contents[blob.reference] = blob.bytes }
        head = image.head
        floor = image.floor
        lineage = image.lineage
        lineage.starts.append(EpochStart(epoch: epoch, number: head))
        uncommitted = []
    }

    /// Another number than any epoch of this zone had, and than another copy would take: of its history and head.
    private var nextEpoch: UInt64 {
        var mixed = lineage.epoch ^ 0x9e37_79b9_7f4a_7c15
        mixed = (mixed ^ UInt64(bitPattern: head)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 29)) &* 0x94d0_49bb_1331_11eb
        return (mixed ^ (mixed >> 32)) | 1
    }
}
