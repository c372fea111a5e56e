/// The rules of a zone, the same for every cloud: what a device is told, and what may be discarded.
extension ZonePosition {
    /// Why a request that depends on the history cannot be answered; `nil` if it can be.
    func refusal(of token: ChangeToken) -> CloudReply? {
        if !isWitnessKnown { return .diverged(lineage) }
        return token.epoch != lineage.epoch || token.number < floor ? .expired : nil
    }

    /// Whether a token is beyond the head of its epoch: the zone is an old copy.
    func isBehind(_ token: ChangeToken) -> Bool {
        token.epoch == lineage.epoch && token.number > head
    }

    /// A number that differs from all epochs of the zone and from the choice of other copies: derived from its
    /// history and head.
    var nextEpoch: UInt64 {
        var mixed = lineage.epoch ^ 0x9e37_79b9_7f4a_7c15
        mixed = (mixed ^ UInt64(bitPattern: head)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 29)) &* 0x94d0_49bb_1331_11eb
        return (mixed ^ (mixed >> 32)) | 1
    }
}

// MARK: Reading

extension ZoneReading {
    /// A page of the changes after a token; `nil` if the zone is an old copy, and a new epoch must begin.
    mutating func changes(
        since token: ChangeToken, _ witness: HistoryMark?, limit: Int
    ) throws(Failure) -> CloudReply? {
        let position = try position(witness)
        if position.isWitnessKnown, position.isBehind(token) { return nil }
        if let refusal = position.refusal(of: token) { return refusal }
        if token.number == position.head {
            return .page(CloudPage(records: [], token: token, hasMore: false, lineage: position.lineage))
        }
        let page = try changes(after: token.number, limit: limit)
        let read = ChangeToken(epoch: token.epoch, number: page.records.last?.tag ?? token.number)
        let start = max(token.number, witness?.number ?? 0)
        let end = page.hasMore ? position.head : read.number
        return .page(
            CloudPage(
                records: page.records, token: read, hasMore: page.hasMore, lineage: position.lineage,
                history: start < end ? try marks(after: start, upTo: end) : []))
    }

    /// A page of all records after a key.
    mutating func fetch(
        after key: RecordKey?, _ witness: HistoryMark?, limit: Int
    ) throws(Failure) -> CloudReply {
        let position = try position(witness)
        if !position.isWitnessKnown { return .diverged(position.lineage) }
        let page = try records(after: key, limit: limit)
        return .page(
            CloudPage(
                records: page.records,
                token: ChangeToken(epoch: position.lineage.epoch, number: position.head),
                hasMore: page.hasMore, lineage: position.lineage,
                history: try newestMarks(SyncSettings.marksOfFetch)))
    }

    /// The records and the position of the zone.
    mutating func wholeState() throws(Failure) -> ZoneState {
        let position = try position(nil)
        return ZoneState(
            records: try allRecords(), head: position.head, floor: position.floor,
            lineage: position.lineage, mark: try lastMark())
    }

    /// A copy, without the bytes of blobs unless asked for.
    mutating func image(withBytes: Bool) throws(Failure) -> ZoneImage {
        let position = try position(nil)
        let (operations, floors) = try knownOperations(upTo: position.head)
        return ZoneImage(
            records: try allRecords(), operations: operations, floors: floors,
            blobs: try blobs(withBytes: withBytes), head: position.head, floor: position.floor,
            lineage: position.lineage, history: MarkHistory(try newestMarks(.max)))
    }
}

// MARK: Discarding

/// What a zone may discard after a device's report.
struct Discardable {
    /// The number up to which the device's operations; 0 for none.
    var settled: UInt64 = 0
    /// The number up to which tombstones, and below which unreferenced blobs; `nil` for none.
    var floor: Int64?

    var isEmpty: Bool { settled == 0 && floor == nil }
}

extension ZoneReporting {
    /// Stores a device's report, and decides what may be discarded. A report about another history counts for
    /// nothing. The other devices' are read only if something could be discarded.
    mutating func note(_ mark: Watermark, at position: ZonePosition) throws(Failure) -> Discardable {
        var gone = Discardable()
        guard mark.token.epoch == position.lineage.epoch, mark.token.number <= position.head else {
            return gone
        }
        try put(mark)
        if Watermark.isWorthwhile(mark.settled, above: try floor(of: mark.device)) {
            gone.settled = mark.settled
        }
        if mark.token.number - position.floor >= SyncSettings.leastCollected {
            gone.floor = Watermark.floor(
                of: try reports().map(\.number), head: position.head, above: position.floor)
        }
        return gone
    }
}

extension ZoneWriting {
    /// Discards operations and tombstones. The floor never falls.
    mutating func discard(
        _ gone: Discardable, of device: UInt64, at position: ZonePosition
    ) throws(Failure) {
        if gone.settled > 0 { try forgetOperations(of: device, upTo: gone.settled) }
        if let floor = gone.floor { try discardTombstones(upTo: floor, at: position) }
    }

    /// Stores a device's report, and discards what no device needs. Returns the number below which
    /// unreferenced blobs may be removed.
    mutating func report(_ mark: Watermark) throws(Failure) -> Int64? {
        let position = try position(nil)
        let gone = try note(mark, at: position)
        try discard(gone, of: mark.device, at: position)
        return gone.floor
    }

    mutating func discardTombstones(upTo number: Int64) throws(Failure) {
        try discardTombstones(upTo: number, at: position(nil))
    }

    private mutating func discardTombstones(upTo number: Int64, at position: ZonePosition) throws(Failure) {
        try set(floor: max(position.floor, min(number, position.head)))
    }

    /// Discards the operations that their devices have settled.
    mutating func discardSettledOperations() throws(Failure) {
        for report in try reports() where report.settled > 0 {
            try forgetOperations(of: report.device, upTo: report.settled)
        }
    }

    // MARK: Epochs

    /// Begins the epoch of an old copy, unless another request was first.
    mutating func beginEpoch(after token: ChangeToken) throws(Failure) {
        let position = try position(nil)
        if position.isBehind(token) { try beginEpoch(position.nextEpoch, at: position) }
    }

    /// Begins an epoch. Does nothing if it is the current one: the request was repeated after a lost answer.
    mutating func beginEpoch(_ epoch: UInt64) throws(Failure) { try beginEpoch(epoch, at: position(nil)) }

    private mutating func beginEpoch(_ epoch: UInt64, at position: ZonePosition) throws(Failure) {
        if position.lineage.epoch != epoch { try set(position.lineage.beginning(epoch, at: position.head)) }
    }

    /// Replaces the content with a copy, and begins an epoch unless it is `nil`.
    mutating func adopt(_ image: ZoneImage, epoch: UInt64?) throws(Failure) {
        var image = image
        if let epoch { image.lineage = image.lineage.beginning(epoch, at: image.head) }
        try replace(by: image)
    }
}

extension Lineage {
    /// The history with a new epoch that begins at a number.
    fileprivate func beginning(_ epoch: UInt64, at number: Int64) -> Lineage {
        Lineage(starts: starts + [EpochStart(epoch: epoch, number: number)])
    }
}
