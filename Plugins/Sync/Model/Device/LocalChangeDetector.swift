/// Detects the user's edits in the app's own store since the last read.
enum LocalChangeDetector {
    /// Completes all writes that a crash may have left undone. Required before a commit: a later commit would
    /// be taken as evidence that they happened.
    static func catchUp<S: DeviceStore>(in store: inout S, now: Int64, rule: SyncRule) throws {
        for key in try store.intentKeys() { try record(key, in: &store, now: now, rule: rule) }
    }

    /// Examines one record: completes a write that a crash may have left undone, then captures an edit in the
    /// state. Returns the row as it is or is about to be.
    @discardableResult
    static func record<S: DeviceStore>(
        _ key: RecordKey, in store: inout S, now: Int64, rule: SyncRule
    ) throws -> (row: Row?, state: SyncedRecordState?) {
        let state = try store.state(key)
        if !store.canHold(Version.tombstone(incarnation: 1, stamp: .none), type: key.type) {
            return (nil, state)
        }
        // Nothing is known of a row that cannot be read: it is neither edited nor deleted.
        if try store.obstacle(key) != nil {
            try examineIntent(of: key, in: &store)
            return (nil, state)
        }
        var row = try store.row(key)
        // A record that was set aside cannot have been edited by the app.
        if let state, !store.canHold(state.local, type: key.type),
            !isComplete(row, key, state.local, in: store)
        {
            return (row, state)
        }
        if let intent = try store.intent(key), let state {
            try store.settle(key)
            if try !store.isWritten(intent, key) {
                row = try recover(key, row: row, intent, state, rule, in: &store)
            }
        }
        // Its row is not the user's until the cloud's copy is in it.
        if state?.parked == .unplaced { return (row, state) }
        var known = state
        if let found = known, let kept = try store.kept(row, key, found) {
            guard let (placed, after) = try bringBack(key, row, kept, found, in: &store) else {
                return (row, try store.state(key))
            }
            (row, known) = (placed, after)
        }
        guard let edited = try edited(key, row, known, in: &store, now) else { return (row, known) }
        try store.set(edited, for: key)
        return (row, edited)
    }

    /// Whether a row has what its version lacks, because the app's store got a column that each row must have. A row that
    /// differs besides and is not newer is from before the version was set aside: it is no edit.
    private static func isComplete<S: DeviceStore>(
        _ row: Row?, _ key: RecordKey, _ version: Version, in store: S
    ) -> Bool {
        guard let row, !version.isOpaque, !version.isDeleted else { return false }
        var whole = version
        for field in row where version.value(field.key) == .absent {
            whole.set(Field(key: field.key, value: field.value, stamp: .none))
        }
        guard store.canHold(whole, type: key.type) else { return false }
        let isSame = row.allSatisfy { field in
            let value = version.value(field.key)
            return value == .absent || store.holds(field, value, of: key.type)
        }
        if isSame { return true }
        func time(_ row: Row?) -> Int64? { row.flatMap { store.editTime(of: $0, type: key.type, now: .max) } }
        guard let edited = time(row), let known = time(store.row(of: version, type: key.type)) else {
            return false
        }
        return edited > known
    }

    /// What is known of the write of a row that cannot be read is known before the next commit alone, which the store records in
    /// its place.
    private static func examineIntent<S: DeviceStore>(of key: RecordKey, in store: inout S) throws {
        guard let intent = try store.intent(key) else { return }
        if try store.isWritten(intent, key) { try store.settle(key) } else { try store.leaveOpen(key) }
    }

    /// Plans the row as it was before something else than an edit changed it. Returns the row and the state; `nil` if
    /// the record has to wait for its photo or track from the cloud.
    private static func bringBack<S: DeviceStore>(
        _ key: RecordKey, _ row: Row?, _ kept: KeptRow, _ known: SyncedRecordState, in store: inout S
    ) throws -> (Row?, SyncedRecordState)? {
        var state = known
        for offer in kept.offers {
            let reason: Loser.Reason = kept.row == nil ? .deleted : kept.reason
            try keep(offer.value, of: offer.key, .none, value(kept.row, offer.key), reason, key, in: &store)
        }
        var wanted = kept.row
        let own = Set((row ?? []).compactMap(\.value.blob))
        for index in wanted?.indices ?? 0..<0 {
            guard let field = wanted?[index], let blob = field.value.blob, !own.contains(blob),
                try !store.has(blob)
            else { continue }
            let old = state.base?[field.key]
            if let base = state.base, old?.value == field.value {
                state.parked = .unplaced
                try store.set(state, for: key)
                store.heldBack[key] = CloudRecord(key: key, version: base, tag: state.tag)
                try store.note(.broughtBack, key, kept.why + "; it waits for its photo or track")
                return nil
            }
            // A photo that was never sent and is gone from the store exists nowhere.
            wanted?[index].value = old?.value ?? .absent
            state.local.set(old ?? Field(key: field.key, value: .absent, stamp: .none))
        }
        if state != known { try store.set(state, for: key) }
        if wanted != row {
            try store.plan(key, before: row, after: wanted)
            try store.note(.broughtBack, key, kept.why)
        }
        return (wanted, state)
    }

    /// The row after a write that may not have happened. Fields unchanged by the user take the value of that
    /// write; if the user edited the same field, it is a conflict like any other, and the value of the write
    /// is kept. Planned again if anything is missing.
    private static func recover<S: DeviceStore>(
        _ key: RecordKey, row: Row?, _ intent: Intent, _ state: SyncedRecordState, _ rule: SyncRule,
        in store: inout S
    ) throws -> Row? {
        let after = store.row(of: state.local, type: key.type)
        if row == after { return row }
        var wanted = row
        if row == intent.before {
            wanted = after
        } else if let after {
            wanted = try combine(key, row, intent.before, after, state.local, in: &store)
        } else if rule != .editWins, let row {
            // Deleted elsewhere, and edited here before the deletion was written.
            for field in row where field.value != value(intent.before, field.key) {
                try keep(field.value, of: field.key, Stamp.none, .absent, .deleted, key, in: &store)
            }
            wanted = nil
        }
        if wanted != row {
            try store.plan(key, before: row, after: wanted)
            try store.note(.recovered, key, "a write into the store was incomplete")
        }
        return wanted
    }

    private static func combine<S: DeviceStore>(
        _ key: RecordKey, _ row: Row?, _ before: Row?, _ after: Row, _ version: Version, in store: inout S
    ) throws -> Row? {
        guard var fields = row else {
            // Deleted here while a newer version was being written.
            for field in after where field.value != value(before, field.key) {
                let stamp = version[field.key]?.stamp ?? .none
                try keep(field.value, of: field.key, stamp, .absent, .deleted, key, in: &store)
            }
            return nil
        }
        // Not all files have the same fields.
        let known = Set(fields.map(\.key))
        fields += after.lazy.filter { !known.contains($0.key) }.map { RowField(key: $0.key, value: .absent) }
        fields.sort { $0.key < $1.key }
        for index in fields.indices {
            let name = fields[index].key
            let (old, new, present) = (value(before, name), value(after, name), fields[index].value)
            if present == new { continue }
            if present == old {
                fields[index].value = new
            } else if new != old {
                let stamp = version[fields[index].key]?.stamp ?? .none
                try keep(new, of: fields[index].key, stamp, present, .later, key, in: &store)
            }
        }
        return fields
    }

    private static func value(_ row: Row?, _ key: String) -> FieldValue {
        row?.first { $0.key == key }?.value ?? .absent
    }

    private static func keep<S: DeviceStore>(
        _ value: FieldValue, of field: String, _ stamp: Stamp, _ winner: FieldValue, _ reason: Loser.Reason,
        _ key: RecordKey, in store: inout S
    ) throws {
        if value == .absent { return }
        try store.keep(
            Loser(field: field, value: value, stamp: stamp, winner: winner, reason: reason), of: key)
    }

    /// The state with the user's edit; `nil` if there was none.
    private static func edited<S: DeviceStore>(
        _ key: RecordKey, _ row: Row?, _ state: SyncedRecordState?, in store: inout S, _ now: Int64
    ) throws -> SyncedRecordState? {
        guard let row else {
            guard var gone = state, !gone.local.isDeleted else { return nil }
            let stamp = stamp(now, in: &store)
            // The receiver of the deletion over the watch link learns which version was deleted.
            gone.link = gone.knowledge
            gone.local = .tombstone(incarnation: gone.local.incarnation, stamp: stamp)
            gone.link?.see(gone.local)
            gone.parked = nil
            return gone
        }
        guard var known = state else {
            return SyncedRecordState(
                local: fresh(row, incarnation: 1, time(row, key, now, store), in: &store))
        }
        if known.local.isDeleted {
            known.local = fresh(
                row, incarnation: known.local.incarnation &+ 1, time(row, key, now, store), in: &store)
            known.parked = nil
            try store.note(.remade, key, "recreated on this device")
            return known
        }
        guard let changed = changed(row, known.local, key.type, time(row, key, now, store), in: &store) else {
            return nil
        }
        known.local = changed
        known.parked = nil
        return known
    }

    private static func changed<S: DeviceStore>(
        _ row: Row, _ local: Version, _ type: RecordType, _ time: Int64?, in store: inout S
    ) -> Version? {
        var stamp: Stamp?
        var version = local
        for field in row where !store.holds(field, local.value(field.key), of: type) {
            // The default of a column that the record has no value for was written by nobody.
            if local.value(field.key) == .absent, store.isUnset(field, of: type) { continue }
            let mark = stamp ?? self.stamp(time, in: &store)
            stamp = mark
            version.set(Field(key: field.key, value: field.value, stamp: mark))
        }
        return stamp == nil ? nil : version
    }

    private static func fresh<S: DeviceStore>(
        _ row: Row, incarnation: UInt32, _ time: Int64?, in store: inout S
    ) -> Version {
        let mark = stamp(time, in: &store)
        var version = Version(incarnation: incarnation)
        version.fields.reserveCapacity(row.count)
        for field in row where field.value != .absent {
            version.fields.append(Field(key: field.key, value: field.value, stamp: mark))
        }
        return version
    }

    /// When the user edited: the time from the app, but never later than this device's clock.
    private static func time<S: DeviceStore>(_ row: Row, _ key: RecordKey, _ now: Int64, _ store: S) -> Int64?
    {
        store.editTime(of: row, type: key.type, now: now).map { min($0, now) }
    }

    private static func stamp<S: DeviceStore>(_ time: Int64?, in store: inout S) -> Stamp {
        guard let time else { return Stamp(time: 0, device: store.header.device) }
        return Stamp(time: store.header.clock.tick(time), device: store.header.device)
    }
}
