/// Takes what came from the cloud into the device.
enum Application {
    /// Takes in a record of the cloud. Gives whether anything here changed.
    @discardableResult
    static func take<S: DeviceStore>(
        _ record: CloudRecord, lineage: Lineage, into store: inout S, now: Int64, rules: SyncRules
    ) throws -> Bool {
        if rules.pullsOverEdits { return try overwrite(record, lineage, in: &store) }
        let (row, known) = try Capture.record(record.key, in: &store, now: now, rules: rules)
        guard var shadow = known else {
            store.header.clock.see(record.version)
            try place(record.version, over: nil, at: record.key, in: &store)
            try store.set(
                Shadow(base: record.version, tag: record.tag, epoch: lineage.epoch, local: record.version),
                for: record.key)
            return !record.version.isDeleted
        }
        let isOtherEpoch = shadow.epoch != lineage.epoch && shadow.tag > 0 && !rules.ignoresEpoch
        if !isOtherEpoch, record.tag <= shadow.tag { return false }
        store.header.clock.see(record.version)
        // A version that the restored cloud never had is no ancestor of what it holds now.
        let isLost = isOtherEpoch && shadow.tag > lineage.shared(with: shadow.epoch)
        let outcome = try merge(
            record.key, isLost ? nil : shadow.base, shadow.local, record.version, &store, rules)
        shadow.base = record.version
        shadow.tag = record.tag
        shadow.epoch = lineage.epoch
        shadow.pending = nil
        shadow.parked = nil
        let changes = outcome != shadow.local
        shadow.local = outcome
        try store.set(shadow, for: record.key)
        try place(outcome, over: row, at: record.key, in: &store)
        return changes
    }

    /// The cloud does not have a record any more that it had: it was deleted, and the tombstone forgotten.
    static func forget<S: DeviceStore>(
        _ key: RecordKey, in store: inout S, now: Int64, rules: SyncRules
    ) throws {
        let (row, known) = try Capture.record(key, in: &store, now: now, rules: rules)
        guard var shadow = known else { return }
        // One that was made again since stays: the cloud knows nothing of it yet.
        let incarnation = shadow.base?.incarnation ?? shadow.local.incarnation
        let tombstone = Version.tombstone(incarnation: incarnation, stamp: .none)
        let outcome = try merge(key, shadow.base, shadow.local, tombstone, &store, rules)
        try store.note(.gone, key, "the cloud has forgotten the record: it was deleted long ago")
        shadow.base = tombstone
        shadow.tag = 0
        shadow.pending = nil
        shadow.parked = nil
        shadow.local = outcome
        // What both sides know to be deleted need not be sent.
        if outcome.isDeleted { shadow.base = outcome }
        try store.set(shadow, for: key)
        try place(outcome, over: row, at: key, in: &store)
    }

    private static func merge<S: DeviceStore>(
        _ key: RecordKey, _ base: Version?, _ local: Version, _ server: Version, _ store: inout S,
        _ rules: SyncRules
    ) throws -> Version {
        if rules.wholeRecords {
            let moment = key.type == .plannedRoute ? "modifiedAt" : "modified_at"
            let hasMoment = local[moment] != nil || server[moment] != nil || !isPlain(local, server)
            return Merge.lastWriter(local: local, server: server, key: hasMoment ? moment : "").version
        }
        let outcome = Merge.threeWay(base: base, local: local, server: server, rules: rules)
        for loser in outcome.losers { try store.keep(loser, of: key) }
        if outcome.version.isDeleted, !local.isDeleted {
            try store.note(.deleted, key, "another device deleted it")
        } else if outcome.version != server, outcome.version != local || !outcome.losers.isEmpty {
            let fields = outcome.losers.map(\.field).joined(separator: " ")
            try store.note(
                .merged, key,
                fields.isEmpty ? "the two sides changed other fields" : "both sides changed: \(fields)")
        }
        return outcome.version
    }

    /// Records of the simulator have no moment field; their stamps stand for it.
    private static func isPlain(_ local: Version, _ server: Version) -> Bool {
        !local.fields.contains { if case .text = $0.value { true } else { false } }
            && !server.fields.contains { if case .text = $0.value { true } else { false } }
    }

    /// Plans the row of a version where it differs from what is there.
    private static func place<S: DeviceStore>(
        _ version: Version, over row: Row?, at key: RecordKey, in store: inout S
    ) throws {
        let wanted = store.row(of: version, type: key.type)
        if wanted != row { try store.plan(key, before: row, after: wanted) }
    }

    /// The fault of `pullsOverEdits`: neither looks nor merges.
    private static func overwrite<S: DeviceStore>(
        _ record: CloudRecord, _ lineage: Lineage, in store: inout S
    ) throws -> Bool {
        if let shadow = try store.shadow(record.key), shadow.epoch == lineage.epoch, record.tag <= shadow.tag
        {
            return false
        }
        store.header.clock.see(record.version)
        try store.set(
            Shadow(base: record.version, tag: record.tag, epoch: lineage.epoch, local: record.version),
            for: record.key)
        try place(record.version, over: try store.row(record.key), at: record.key, in: &store)
        return true
    }
}
