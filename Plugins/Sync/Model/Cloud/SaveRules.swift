/// The rules of saving, the same for every cloud: here it is decided whether an edit is lost. The back ends
/// only look up and write.
extension ZoneWriting {
    /// Saves operations in their order.
    mutating func save(
        _ operations: [SaveOperation], at token: ChangeToken, _ witness: HistoryMark?
    ) throws(Failure) -> CloudReply {
        let position = try position(witness)
        if let refusal = position.refusal(of: token) { return refusal }
        let last = try lastMark()
        var mark = HistoryMark(number: position.head, hash: last?.hash ?? 0)
        var results: [SaveResult] = []
        results.reserveCapacity(operations.count)
        var encoded = ByteWriter()
        for run in SaveOperation.runs(operations) {
            try prepare(run)
            var decisions: [SaveDecision] = []
            decisions.reserveCapacity(run.count)
            for operation in run { decisions.append(try decide(operation, &mark, &encoded)) }
            try conclude(decisions, of: run, &results)
            try flush()
        }
        guard mark.number > position.head else { return .saved(results, last) }
        try append(mark)
        return .saved(results, mark)
    }

    /// Performs an operation, or says why not.
    private mutating func decide(
        _ operation: SaveOperation, _ mark: inout HistoryMark, _ encoded: inout ByteWriter
    ) throws(Failure) -> SaveDecision {
        let key = operation.key
        encoded.clear()
        VersionCoding.add(operation.version, to: &encoded)
        let size = encoded.count
        if size > SyncSettings.largestRecord {
            return .result(
                .rejected("the record has \(size) bytes; the maximum is \(SyncSettings.largestRecord)"))
        }
        let digest = encoded.withBytes { operation.digest(of: $0) }
        if let done = try done(operation.id) {
            if try !isSame(operation, digest, done) { return .result(.reused) }
            // Performed. If its record is missing, it was deleted and discarded since.
            return .result(try tag(of: key) == nil ? .refused(nil) : .duplicate(done.tag))
        }
        if try operation.id.number <= floor(of: operation.id.device) { return .result(.reused) }
        for blob in operation.version.blobs where try !has(blob) {
            return try tag(of: key) ?? 0 == operation.baseTag ? .result(.missingBlob) : .refused
        }
        let record = CloudRecord(key: key, version: operation.version, tag: mark.number + 1)
        guard try save(record, over: operation.baseTag, encoded, by: operation.id, digest: digest) else {
            return .refused
        }
        mark = HistoryMark(
            number: record.tag, hash: HistoryMark.hash(mark.hash, adding: operation.id, digest: digest))
        return .result(.saved(record.tag))
    }

    /// Whether a known operation is this one. An older version did not store the digest: the current record
    /// shows whether it is the same.
    private mutating func isSame(
        _ operation: SaveOperation, _ digest: UInt64, _ done: DoneOperation
    ) throws(Failure) -> Bool {
        if let known = done.digest { return known == digest }
        guard let held = try records([operation.key])[operation.key] else { return true }
        return held.tag == done.tag && held.version == operation.version
    }

    /// Adds the results, with the records of the refusals, which are looked up together.
    private mutating func conclude(
        _ decisions: [SaveDecision], of operations: ArraySlice<SaveOperation>, _ results: inout [SaveResult]
    ) throws(Failure) {
        var refused: [RecordKey] = []
        for (operation, decision) in zip(operations, decisions) {
            if case .refused = decision { refused.append(operation.key) }
        }
        let records = refused.isEmpty ? [:] : try records(refused)
        for (operation, decision) in zip(operations, decisions) {
            switch decision {
            case .result(let result): results.append(result)
            case .refused: results.append(.refused(records[operation.key]))
            }
        }
    }
}

/// A decision on an operation.
private enum SaveDecision {
    case result(SaveResult)
    /// The zone has another version, which is looked up with those of other refusals.
    case refused
}

extension SaveOperation {
    /// The operations in order, split where a record or an identifier repeats.
    static func runs(_ operations: [SaveOperation]) -> [ArraySlice<SaveOperation>] {
        if operations.count < 2 { return [operations[...]] }
        var runs: [ArraySlice<SaveOperation>] = []
        var start = 0
        var keys: Set<RecordKey> = []
        var ids: Set<OperationID> = []
        keys.reserveCapacity(operations.count)
        ids.reserveCapacity(operations.count)
        for (index, operation) in operations.enumerated() {
            let isNew = keys.insert(operation.key).inserted && ids.insert(operation.id).inserted
            if isNew { continue }
            runs.append(operations[start..<index])
            start = index
            keys = [operation.key]
            ids = [operation.id]
        }
        runs.append(operations[start...])
        return runs
    }
}
