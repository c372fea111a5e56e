// Pushing: operations, their blobs, and the answers of the cloud to each.

extension SyncMachine {
    mutating func push<S: DeviceStore>(_ store: inout S) throws -> Output {
        let keys = try store.outbox(limit: batch)
        if keys.isEmpty || idleBatches >= SyncSettings.settlingRounds { return try end(&store) }
        sent = []
        blobs = []
        for key in keys {
            guard var state = try store.state(key) else { continue }
            if let why = Self.excess(state.pending?.version ?? state.local) {
                try park(key, &state, why, &store)
                continue
            }
            let operation = prepare(key, &state, &store.header)
            for blob in operation.version.blobs {
                let isKnown = state.base?.blobs.contains(blob) ?? false
                if !isKnown || withoutBlob.contains(key), !blobs.contains(where: { $0.reference == blob }) {
                    blobs.append((blob, key))
                }
            }
            try store.set(state, for: key)
            sent.append(operation)
        }
        if sent.isEmpty { return try push(&store) }
        withoutBlob = []
        // Operations are durable before they are sent: sent again after a crash, they are identical.
        try commit(&store)
        token = store.header.token ?? ChangeToken(epoch: 0, number: 0)
        witness = store.header.witness
        return try sendNextBlobs(store)
    }

    /// Parks a record that the cloud rejects permanently; the others continue.
    mutating func park<S: DeviceStore>(
        _ key: RecordKey, _ state: inout SyncedRecordState, _ why: String, _ store: inout S
    ) throws {
        counts.parked += 1
        state.parked = .rejected(why)
        state.pending = nil
        try store.set(state, for: key)
        try store.note(.parked, key, why)
    }

    /// Why a version is too large for any cloud and is not sent.
    static func excess(_ version: Version) -> String? {
        let size = version.fields.reduce(0) { $0 + $1.key.utf8.count + $1.value.byteCount }
        if size > SyncSettings.largestRecord {
            return "the record has \(size) bytes; the maximum is \(SyncSettings.largestRecord)"
        }
        guard let blob = version.blobs.first(where: { $0.size > SyncSettings.largestBlob }) else {
            return nil
        }
        return "its photo or track has \(blob.size) bytes; the maximum is \(SyncSettings.largestBlob)"
    }

    func prepare(_ key: RecordKey, _ state: inout SyncedRecordState, _ header: inout DeviceHeader)
        -> SaveOperation
    {
        let pending =
            state.pending
            ?? Pending(
                id: OperationID(device: header.device, number: header.nextOperation), baseTag: state.tag,
                version: state.local)
        if state.pending == nil { header.nextOperation += 1 }
        state.pending = pending
        return SaveOperation(
            id: pending.id, key: key, baseTag: pending.baseTag, version: pending.version)
    }

    /// The next blobs; when all are sent, the records that reference them.
    mutating func sendNextBlobs<S: DeviceStore>(_ store: S) throws -> Output {
        while let next = blobs.first {
            if next.reference.isLarge {
                blobs.removeFirst()
                // Bytes already in the cloud are not sent: another device may have the same photo.
                progress = (held: -1, restarts: 0)
                phase = .puttingPart(next.reference, next.key)
                return send(.putPart(BlobPart(reference: next.reference, offset: 0, bytes: [])))
            }
            // Read late, so that only a few are in memory at a time.
            let group = try Self.nextGroup(&blobs) { $0.reference.size }
                .compactMap { try store.blob($0.reference, of: $0.key) }
            if group.isEmpty { continue }
            phase = .puttingBlobs
            return send(.putBlobs(group))
        }
        return sendOperations()
    }

    /// Sends the part after the bytes that the cloud has. A blob that was given up or that the record no
    /// longer contains is reported as missing when the record is saved, which triggers the handling.
    mutating func sendNextPart<S: DeviceStore>(
        _ blob: BlobReference, _ key: RecordKey, held: Int64, _ store: S
    ) throws -> Output {
        if held <= progress.held { progress.restarts += 1 }
        progress.held = held
        guard held < blob.size, progress.restarts <= SyncSettings.blobRestarts,
            let part = try store.part(of: blob, in: key, from: held)
        else { return try sendNextBlobs(store) }
        return send(.putPart(part))
    }

    mutating func sendOperations() -> Output {
        phase = .pushing
        return send(.save(token: token, witness: witness, operations: sent))
    }

    mutating func saved<S: DeviceStore>(
        _ results: [SaveResult], _ mark: HistoryMark?, _ store: inout S, _ now: Int64
    ) throws -> Output {
        var isProgress = false
        var isReused = false
        if let mark { try note([mark], &store) }
        for (operation, result) in zip(sent, results) {
            guard var state = try store.state(operation.key) else { continue }
            let isAwaited = state.pending?.id == operation.id
            switch result {
            case .saved(let tag), .duplicate(let tag):
                // An answer to an abandoned operation does not concern the current one.
                guard isAwaited else { continue }
                isProgress = true
                counts.pushed += 1
                try acknowledge(operation, tag, &state, &store)
            case .refused(let record):
                guard isAwaited else { continue }
                counts.refused += 1
                try store.note(.refused, operation.key, "the cloud has another version")
                try refused(operation, record, &store, now)
            case .reused:
                if !isReused { try store.note(.renewed, operation.key, Self.copied) }
                isReused = true
            case .missingBlob:
                withoutBlob.insert(operation.key)
                guard isAwaited else { continue }
                // Certainly not performed. The blob may have been removed here as well: then the current
                // content is sent.
                state.pending = nil
                try store.set(state, for: operation.key)
            case .rejected(let why):
                try park(operation.key, &state, why, &store)
            }
        }
        if isReused {
            counts.renewals += 1
            try store.renew()
        }
        idleBatches = isProgress ? 0 : idleBatches + 1
        if needsPull, idleBatches < SyncSettings.settlingRounds {
            needsPull = false
            try commit(&store)
            return pull(&store)
        }
        // Durable together with what is sent next: if a crash loses the answer, it is sent again.
        return try push(&store)
    }

    static let copied =
        "the cloud has other data for operations of this device: its data is a copy; it got a new identity"

    func acknowledge<S: DeviceStore>(
        _ operation: SaveOperation, _ tag: Int64, _ state: inout SyncedRecordState, _ store: inout S
    ) throws {
        // The sent version is saved. Later edits differ from it and remain to be sent.
        if state.base != nil { state.remember() }
        state.base = state.pending?.version
        state.pending = nil
        state.tag = tag
        state.epoch = store.header.token?.epoch ?? 0
        try store.set(state, for: operation.key)
        // A late answer is about an older version than the one that waits for its photo.
        if let held = store.heldBack[operation.key], held.tag <= tag { store.heldBack[operation.key] = nil }
        // If the change directly follows the position, nothing between the two was skipped.
        if let token = store.header.token, tag == token.number + 1 {
            store.header.token = ChangeToken(epoch: token.epoch, number: tag)
        }
    }

    mutating func refused<S: DeviceStore>(
        _ operation: SaveOperation, _ record: CloudRecord?, _ store: inout S, _ now: Int64
    ) throws {
        guard let record else {
            if try IncomingChange.forget(operation.key, in: &store, now: now, rule: rule) { return }
            guard var state = try store.state(operation.key) else { return }
            state.pending = nil
            state.parked = .exhausted
            return try store.set(state, for: operation.key)
        }
        if let why = try store.obstacle(operation.key), var state = try store.state(operation.key) {
            _ = try holdsBack(record, &store)
            state.pending = nil
            state.parked = .exhausted
            try store.set(state, for: operation.key)
            return try store.note(.parked, operation.key, "cannot be merged yet: \(why)")
        }
        // Blobs that the record references must be here first: they are downloaded by the next pull.
        for blob in record.version.blobs where try !store.has(blob) {
            guard var state = try store.state(operation.key) else { return }
            state.pending = nil
            if let held = store.heldBack[operation.key], held.tag >= record.tag {
                counts.parked += 1
                state.parked = .exhausted
                try store.note(.parked, operation.key, "cannot be merged yet: \(Self.damaged(blob))")
            } else {
                needsPull = true
            }
            try store.set(state, for: operation.key)
            return
        }
        let epoch = store.header.token?.epoch ?? 0
        let lineage = Lineage(starts: [EpochStart(epoch: epoch, number: 0)])
        _ = try applyRecord(record, lineage, &store, now)
    }
}
