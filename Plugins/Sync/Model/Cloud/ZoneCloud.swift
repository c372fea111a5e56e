/// A cloud that applies the rules of a zone. Its one answer to a request follows from these, whatever the back
/// end.
protocol ZoneCloud {
    /// What its requests throw; `Never` in memory.
    associatedtype Failure: Error

    // MARK: Records

    mutating func save(
        _ operations: [SaveOperation], at token: ChangeToken, _ witness: HistoryMark?
    ) throws(Failure) -> CloudReply
    /// `nil` if the zone is an old copy, and a new epoch must begin.
    mutating func changes(
        since token: ChangeToken, _ witness: HistoryMark?, limit: Int
    ) throws(Failure) -> CloudReply?
    mutating func beginEpoch(after token: ChangeToken) throws(Failure)
    mutating func fetch(
        after key: RecordKey?, _ witness: HistoryMark?, limit: Int
    ) throws(Failure) -> CloudReply
    mutating func common(_ marks: [HistoryMark]) throws(Failure) -> HistoryMark?
    /// Stores a device's position, discards what no device needs, and returns the number below which
    /// unreferenced blobs may be removed.
    mutating func report(_ mark: Watermark) throws(Failure) -> Int64?
    /// Removes unreferenced blobs whose bytes all arrived before a number.
    mutating func collectBlobs(below number: Int64) throws(Failure)
    /// Called after a request that has saved something.
    mutating func didSave()

    // MARK: Blobs

    mutating func put(_ blobs: [Blob]) throws(Failure)
    /// The complete ones of some blobs.
    mutating func blobs(_ references: [BlobReference]) throws(Failure) -> [Blob]
    /// Adds a part; returns the number of bytes stored.
    mutating func receive(_ part: BlobPart) throws(Failure) -> Int64
    /// A part of a complete blob, from an offset.
    mutating func part(of blob: BlobReference, from offset: Int64) throws(Failure) -> BlobPart?
    /// Those of some blobs that are not complete. With `looksInside` damaged ones are removed first.
    mutating func lacking(_ references: [BlobReference], looksInside: Bool) throws(Failure) -> [BlobReference]
}

extension ZoneCloud {
    /// Answers a request completely or not at all.
    mutating func reply(to request: CloudRequest) throws(Failure) -> CloudReply {
        switch request {
        case .save(let token, let witness, let operations):
            let reply = try save(operations, at: token, witness)
            if case .saved(let results, _) = reply, results.contains(where: \.isSaved) { didSave() }
            return reply
        case .changes(let token, let witness, let limit):
            if let reply = try changes(since: token, witness, limit: limit) { return reply }
            try beginEpoch(after: token)
            return .expired
        case .fetch(let key, let witness, let limit):
            return try fetch(after: key, witness, limit: limit)
        case .common(let marks): return .common(try common(marks))
        case .putBlobs(let blobs):
            try put(blobs)
            return .stored
        case .getBlobs(let references): return .blobs(try blobs(references))
        case .putPart(let part): return .received(try receive(part))
        case .getPart(let reference, let offset): return .part(try part(of: reference, from: offset))
        case .lacks(let references, let looksInside):
            return .lacking(try lacking(references, looksInside: looksInside))
        case .report(let mark):
            if let floor = try report(mark) { try collectBlobs(below: floor) }
            return .noted
        }
    }

    mutating func didSave() {}
}

/// A cloud whose zone is read and written in transactions: the rules run inside them.
protocol ZoneTransactions: ZoneCloud where Failure == CloudFailure {
    associatedtype Reader: ZoneReading
    associatedtype Writer: ZoneWriting
    /// Reads one state of the zone.
    mutating func read<T>(_ body: (inout Reader) throws -> T) throws(CloudFailure) -> T
    /// Changes the zone completely or not at all; `body` may run several times.
    mutating func write<T>(_ body: (inout Writer) throws -> T) throws(CloudFailure) -> T
}

extension ZoneTransactions {
    mutating func save(
        _ operations: [SaveOperation], at token: ChangeToken, _ witness: HistoryMark?
    ) throws(CloudFailure) -> CloudReply {
        try write { try $0.save(operations, at: token, witness) }
    }

    mutating func changes(
        since token: ChangeToken, _ witness: HistoryMark?, limit: Int
    ) throws(CloudFailure) -> CloudReply? {
        try read { try $0.changes(since: token, witness, limit: limit) }
    }

    mutating func beginEpoch(after token: ChangeToken) throws(CloudFailure) {
        try write { try $0.beginEpoch(after: token) }
    }

    mutating func fetch(
        after key: RecordKey?, _ witness: HistoryMark?, limit: Int
    ) throws(CloudFailure) -> CloudReply {
        try read { try $0.fetch(after: key, witness, limit: limit) }
    }

    mutating func common(_ marks: [HistoryMark]) throws(CloudFailure) -> HistoryMark? {
        try read { try $0.common(marks) }
    }

    mutating func report(_ mark: Watermark) throws(CloudFailure) -> Int64? {
        try write { try $0.report(mark) }
    }
}

extension SaveResult {
    fileprivate var isSaved: Bool { if case .saved = self { true } else { false } }
}
