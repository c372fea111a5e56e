/// Applies changes from the cloud to the device.
enum IncomingChange {
    /// Applies a record of the cloud. Returns whether anything changed locally.
    @discardableResult
    static func apply<S: DeviceStore>(
        _ record: CloudRecord, lineage: Lineage, isLegacy: Bool = false, into store: inout S, now: Int64,
        rule: SyncRule
    ) throws -> Bool {
        let (row, known) = try LocalChangeDetector.record(record.key, in: &store, now: now, rule: rule)
        guard var state = known else {
            store.header.clock.see(record.version)
            let isHeld = store.canHold(record.version, type: record.key.type)
            if isHeld {
                try planRow(record.version, over: row, at: record.key, in: &store)
            } else {
                try store.note(.setAside, record.key, aside(record))
            }
            try store.set(
                SyncedRecordState(
                    base: record.version, tag: record.tag, epoch: lineage.epoch, local: record.version),
                for: record.key)
            return isHeld && !record.version.isDeleted
        }
        // If the histories are known to be equal, tags of all epochs share one count.
        let isOtherEpoch = isLegacy && state.epoch != lineage.epoch && state.tag > 0
        if !isOtherEpoch, record.tag <= state.tag, state.parked != .unplaced { return false }
        store.header.clock.see(record.version)
        if !store.canHold(record.version, type: record.key.type), !isCompleted(record, state, store, rule) {
            return try setAside(record, lineage, state, &store)
        }
        if !store.canHold(state.local, type: record.key.type) {
            return try readable(record, lineage, state, row, &store)
        }
        // A version that the restored cloud never had is not an ancestor of its current version.
        let isLost = isOtherEpoch && state.tag > lineage.shared(with: state.epoch)
        let outcome = try merge(
            record.key,
            isLost || state.base.map { !store.canHold($0, type: record.key.type) } ?? false
                ? nil : state.base, state.local, record.version, &store, rule)
        state.remember()
        state.base = record.version
        state.tag = record.tag
        state.epoch = lineage.epoch
        state.pending = nil
        state.parked = nil
        let changes = outcome != state.local
        state.local = outcome
        try store.set(state, for: record.key)
        try planRow(outcome, over: row, at: record.key, in: &store)
        return changes
    }

    /// Whether the local version has what the cloud's lacks: a column that each row of this app's store must have, and that
    /// the other apps do not know yet.
    private static func isCompleted<S: DeviceStore>(
        _ record: CloudRecord, _ state: SyncedRecordState, _ store: S, _ rule: SyncRule
    ) -> Bool {
        guard rule != .seed, !record.version.isOpaque, store.canHold(state.local, type: record.key.type)
        else {
            return false
        }
        let merged = Merge.threeWay(
            base: state.base, local: state.local, server: record.version, rule: rule)
        return store.canHold(merged.version, type: record.key.type)
    }

    private static func aside(_ record: CloudRecord) -> String {
        if record.version.isOpaque {
            return "unknown format of a newer version; set aside"
        }
        if !RecordType.known.contains(record.key.type) {
            return "unknown record type of a newer version; set aside"
        }
        return "a required field of a \(record.key.type.word) is missing; set aside"
    }

    /// The cloud's version cannot be read: it is stored, and the row stays unchanged until a readable version
    /// arrives.
    private static func setAside<S: DeviceStore>(
        _ record: CloudRecord, _ lineage: Lineage, _ old: SyncedRecordState, _ store: inout S
    ) throws -> Bool {
        var state = old
        // An unsent edit waits, because it cannot be merged here.
        if state.isDirty { state.parked = .rejected(aside(record)) } else { state.local = record.version }
        state.base = record.version
        state.tag = record.tag
        state.epoch = lineage.epoch
        state.pending = nil
        try store.set(state, for: record.key)
        try store.note(.setAside, record.key, aside(record))
        return false
    }

    /// A readable version follows an unreadable one. Values of the row that the version lacks are kept.
    private static func readable<S: DeviceStore>(
        _ record: CloudRecord, _ lineage: Lineage, _ old: SyncedRecordState, _ row: Row?, _ store: inout S
    ) throws -> Bool {
        var state = old
        for field in row ?? [] where field.value != .absent {
            let now = record.version.value(field.key)
            if now == field.value { continue }
            try store.keep(
                Loser(field: field.key, value: field.value, stamp: .none, winner: now, reason: .replaced),
                of: record.key)
        }
        state.base = record.version
        state.local = record.version
        state.tag = record.tag
        state.epoch = lineage.epoch
        state.pending = nil
        state.parked = nil
        try store.set(state, for: record.key)
        try planRow(record.version, over: row, at: record.key, in: &store)
        return true
    }

    /// The cloud no longer has the record: it was deleted, and its tombstone discarded. Returns whether that is done here.
    static func forget<S: DeviceStore>(
        _ key: RecordKey, in store: inout S, now: Int64, rule: SyncRule
    ) throws -> Bool {
        if let why = try store.obstacle(key) {
            try wait(key, why, &store)
            return false
        }
        let (row, known) = try LocalChangeDetector.record(key, in: &store, now: now, rule: rule)
        guard var state = known else { return false }
        // A record recreated since then is kept: the cloud does not have it yet.
        let incarnation = state.base?.incarnation ?? state.local.incarnation
        let tombstone = Version.tombstone(incarnation: incarnation, stamp: .none)
        let outcome = try merge(key, state.base, state.local, tombstone, &store, rule)
        try store.note(.gone, key, "the record was deleted, and the cloud has discarded its tombstone")
        state.remember()
        state.base = tombstone
        state.tag = 0
        state.pending = nil
        state.parked = nil
        state.local = outcome
        // A deletion known to both sides need not be sent.
        if outcome.isDeleted { state.base = outcome }
        try store.set(state, for: key)
        try planRow(outcome, over: row, at: key, in: &store)
        return true
    }

    /// A row that cannot be read is not deleted: the deletion waits, as a record of the cloud does, with a tag that its own tombstone
    /// had at least.
    private static func wait<S: DeviceStore>(_ key: RecordKey, _ why: String, _ store: inout S) throws {
        guard let state = try store.state(key), !state.local.isDeleted else { return }
        let incarnation = state.base?.incarnation ?? state.local.incarnation
        let gone = CloudRecord(
            key: key, version: .tombstone(incarnation: incarnation, stamp: .none), tag: state.tag + 1)
        if store.heldBack[key] == gone { return }
        store.heldBack[key] = gone
        try store.note(.heldBack, key, why)
    }

    private static func merge<S: DeviceStore>(
        _ key: RecordKey, _ base: Version?, _ local: Version, _ server: Version, _ store: inout S,
        _ rule: SyncRule
    ) throws -> Version {
        if rule == .seed {
            let moment = key.type == .plannedRoute ? "modifiedAt" : "modified_at"
            let hasMoment = local[moment] != nil || server[moment] != nil || !isPlain(local, server)
            let kept = Merge.lastWriter(local: local, server: server, key: hasMoment ? moment : "")
            MergeRecorder.current?.see(key, base: base, local: local, server: server, kept, rule)
            return kept.version
        }
        let server = known(server, over: local, base)
        let outcome = Merge.threeWay(base: base, local: local, server: server, rule: rule)
        MergeRecorder.current?.see(key, base: base, local: local, server: server, outcome, rule)
        for loser in outcome.losers { try store.keep(loser, of: key) }
        if outcome.version.isDeleted, !local.isDeleted {
            try store.note(.deleted, key, "another device deleted it")
        } else if outcome.version != server, outcome.version != local || !outcome.losers.isEmpty {
            let fields = outcome.losers.map(\.field).joined(separator: " ")
            try store.note(
                .merged, key,
                fields.isEmpty ? "the two sides changed different fields" : "both sides changed: \(fields)")
        }
        return outcome.version
    }

    /// The cloud's version as this device must see it. If the cloud had this incarnation once and now has an earlier one, this one
    /// was deleted, its tombstone discarded, and the record created by a device that knew of neither: it is the next incarnation.
    private static func known(_ server: Version, over local: Version, _ base: Version?) -> Version {
        guard let base, !base.isDeleted, !local.isDeleted, base.incarnation == local.incarnation,
            server.incarnation < base.incarnation
        else { return server }
        var version = server
        version.incarnation = server.isDeleted ? base.incarnation : base.incarnation &+ 1
        return version
    }

    /// Records of the simulator have no timestamp field; their stamps replace it.
    private static func isPlain(_ local: Version, _ server: Version) -> Bool {
        !local.fields.contains { if case .text = $0.value { true } else { false } }
            && !server.fields.contains { if case .text = $0.value { true } else { false } }
    }

    /// Plans writing the row of a version if it differs from the current row.
    private static func planRow<S: DeviceStore>(
        _ version: Version, over row: Row?, at key: RecordKey, in store: inout S
    ) throws {
        if !store.canHold(version, type: key.type) { return }
        let wanted = store.row(of: version, type: key.type)
        if wanted != row { try store.plan(key, before: row, after: wanted) }
    }
}
