/// What the next sync would do: the same engine on a store without durable writes and a copy of the cloud.
struct SyncDryRun {
    /// A change that the sync would make.
    struct Change: Hashable {
        let key: RecordKey
        let direction: String
        let action: String
        let why: String
    }

    let rule: SyncRule
    let now: Int64

    /// Runs a sync on a copy of the zone. Throws the error that the sync would end with.
    func run(_ store: FolderStore, _ zone: ZoneImage) throws -> [Change] {
        var machine = SyncMachine(rule: rule)
        machine.mayDeleteMany = true
        var device = DryRunStore(base: store)
        var cloud = RecordingCloud(base: MemoryZone(zone))
        var output = try machine.start(.now, in: &device, now: now)
        // The outbox before anything is pulled.
        let edited = Set(try store.outbox(limit: .max))
        while case .send(let request) = output {
            let reply = cloud.answer(request)
            output =
                try machine.receive(reply, to: machine.requestNumber, in: &device, now: now)
                ?? .finished(.done)
        }
        if case .finished(let ending) = output { try SyncDriver.check(ending) }
        let held = Dictionary(zone.records.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
        var changes = cloud.saved.map { operation in
            Change(
                key: operation.key, direction: "push",
                action: operation.version.isDeleted
                    ? "delete" : held[operation.key].map(\.version.isDeleted) ?? true ? "create" : "update",
                why: device.reasons[operation.key]
                    ?? (edited.contains(operation.key) ? "edited here" : "merged"))
        }
        for (key, state) in try store.states.list() where state.parked != nil && state.isDirty {
            let action = state.local.isDeleted ? "delete" : state.base == nil ? "create" : "update"
            changes.append(Change(key: key, direction: "push", action: action, why: "parked"))
        }
        for (key, plan) in device.plans.sorted(by: { $0.key < $1.key }) where plan.before != plan.after {
            let action =
                plan.after == nil
                ? "delete" : plan.before == nil ? "create" : edited.contains(key) ? "merge" : "update"
            let why = held[key].map { "the cloud has change \($0.tag)" } ?? "the cloud no longer has it"
            changes.append(Change(key: key, direction: "pull", action: action, why: why))
        }
        return changes
    }
}

/// A device's store for a dry run: nothing is written to its files.
private struct DryRunStore: StoreDecorator {
    var base: FolderStore
    var plans: [RecordKey: (before: Row?, after: Row?)] = [:]
    /// Why records are sent that were not edited.
    var reasons: [RecordKey: String] = [:]

    /// Records that wait for a photo keep waiting: a dry run does not check whether it is complete.
    var heldBack: [RecordKey: CloudRecord] = [:]

    init(base: FolderStore) { self.base = base }

    mutating func plan(_ key: RecordKey, before: Row?, after: Row?) throws {
        plans[key] = (plans[key].map(\.before) ?? before, after)
        try base.plan(key, before: before, after: after)
    }

    mutating func note(_ kind: NoteKind, _ key: RecordKey, _ detail: @autoclosure () -> String) {
        if kind == .sentAgain { reasons[key] = detail() }
    }

    mutating func renew() throws {
        header.device = ~header.device
        header.nextOperation = 1
        for (key, state) in try base.states.list() where state.pending != nil {
            var state = state
            state.pending = nil
            try base.set(state, for: key)
        }
    }

    func blob(_ reference: BlobReference, of key: RecordKey) -> Blob? {
        Blob(reference: reference, bytes: [])
    }

    /// A dry run must not transfer or store blobs: the copy of the zone has only their names.
    func has(_ blob: BlobReference) -> Bool { true }
    mutating func keep(_ blob: Blob) {}
    mutating func keep(_ loser: Loser, of key: RecordKey) {}
    mutating func keep(_ part: BlobPart) -> Int64 { part.reference.size }
    func received(_ reference: BlobReference) -> Int64 { reference.size }

    mutating func commit() {}
}

/// A cloud that records what was saved.
private struct RecordingCloud: CloudDecorator {
    var base: MemoryZone
    var saved: [SaveOperation] = []

    init(base: MemoryZone) { self.base = base }

    mutating func answer(_ request: CloudRequest) -> CloudReply {
        if case .putPart(let part) = request {
            _ = base.answer(.putBlobs([Blob(reference: part.reference, bytes: [])]))
            return .received(part.reference.size)
        }
        let reply = base.answer(request)
        if case .save(_, _, let operations) = request, case .saved(let results, _) = reply {
            for (operation, result) in zip(operations, results) {
                if case .saved = result { saved.append(operation) }
            }
        }
        return reply
    }
}
