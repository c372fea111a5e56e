/// Finds out what the user did in the app's own store since the engine last looked.
enum Capture {
    /// Looks at one record: catches up with a write that a crash may have left undone, then takes an edit into the
    /// shadow. Gives the row as it is, or is going to be.
    @discardableResult
    static func record<S: DeviceStore>(
        _ key: RecordKey, in store: inout S, now: Int64, rules: SyncRules
    ) throws -> (row: Row?, shadow: Shadow?) {
        var row = try store.row(key)
        let shadow = try store.shadow(key)
        if let intent = try store.intent(key), let shadow {
            try store.settle(key)
            if !rules.forgetsIntents, try !store.isWritten(intent, key) {
                row = try recover(key, row: row, intent, shadow, rules, in: &store)
            }
        }
        guard let edited = try edited(key, row, shadow, in: &store, now, rules) else { return (row, shadow) }
        try store.set(edited, for: key)
        return (row, edited)
    }

    /// The row after a write that may not have happened. What the user did not touch since takes the value that was
    /// to be written; where the user edited the same field, that is a conflict like any other, and what was to be
    /// written is kept. Planned again if anything is missing.
    private static func recover<S: DeviceStore>(
        _ key: RecordKey, row: Row?, _ intent: Intent, _ shadow: Shadow, _ rules: SyncRules, in store: inout S
    ) throws -> Row? {
        let after = store.row(of: shadow.local, type: key.type)
        if row == after { return row }
        var wanted = row
        if row == intent.before {
            wanted = after
        } else if let after {
            wanted = try combine(key, row, intent.before, after, shadow.local, in: &store)
        } else if rules.deletion == .deleteWins, let row {
            // Deleted elsewhere, edited here while that was being written.
            for (index, field) in row.enumerated() where field.value != value(intent.before, index) {
                try keep(field.value, of: field.key, Stamp.none, .absent, .deleted, key, in: &store)
            }
            wanted = nil
        }
        if wanted != row {
            try store.plan(key, before: row, after: wanted)
            try store.note(.recovered, key, "the write into the store had not happened")
        }
        return wanted
    }

    private static func combine<S: DeviceStore>(
        _ key: RecordKey, _ row: Row?, _ before: Row?, _ after: Row, _ version: Version, in store: inout S
    ) throws -> Row? {
        guard var fields = row else {
            // Deleted here while something newer was being written.
            for (index, field) in after.enumerated() where field.value != value(before, index) {
                let stamp = version[field.key]?.stamp ?? .none
                try keep(field.value, of: field.key, stamp, .absent, .deleted, key, in: &store)
            }
            return nil
        }
        for index in fields.indices where index < after.count {
            let (old, new, present) = (value(before, index), after[index].value, fields[index].value)
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

    private static func value(_ row: Row?, _ index: Int) -> FieldValue {
        guard let row, row.indices.contains(index) else { return .absent }
        return row[index].value
    }

    private static func keep<S: DeviceStore>(
        _ value: FieldValue, of field: String, _ stamp: Stamp, _ winner: FieldValue, _ reason: Loser.Reason,
        _ key: RecordKey, in store: inout S
    ) throws {
        if value == .absent { return }
        try store.keep(
            Loser(field: field, value: value, stamp: stamp, winner: winner, reason: reason), of: key)
    }

    /// The shadow with the user's edit; `nil` when there was none.
    private static func edited<S: DeviceStore>(
        _ key: RecordKey, _ row: Row?, _ shadow: Shadow?, in store: inout S, _ now: Int64, _ rules: SyncRules
    ) throws -> Shadow? {
        guard let row else {
            guard var gone = shadow, !gone.local.isDeleted else { return nil }
            let stamp = stamp(now, in: &store)
            gone.local = .tombstone(incarnation: gone.local.incarnation, stamp: stamp)
            gone.parked = nil
            return gone
        }
        guard var known = shadow else {
            return Shadow(local: fresh(row, incarnation: 1, time(row, key, now, store), in: &store))
        }
        if known.local.isDeleted {
            let next = rules.sameIncarnation ? 0 : 1 as UInt32
            known.local = fresh(
                row, incarnation: known.local.incarnation &+ next, time(row, key, now, store), in: &store)
            known.parked = nil
            try store.note(.remade, key, "made again on this device")
            return known
        }
        guard let changed = changed(row, known.local, time(row, key, now, store), in: &store) else {
            return nil
        }
        known.local = changed
        if rules.dropsUnknownFields {
            known.local.fields.removeAll { field in !row.contains { $0.key == field.key } }
        }
        known.parked = nil
        return known
    }

    private static func changed<S: DeviceStore>(
        _ row: Row, _ local: Version, _ time: Int64?, in store: inout S
    ) -> Version? {
        var stamp: Stamp?
        var version = local
        for field in row where local.value(field.key) != field.value {
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

    /// When the user edited: what the app says, but never later than this device's clock.
    private static func time<S: DeviceStore>(_ row: Row, _ key: RecordKey, _ now: Int64, _ store: S) -> Int64?
    {
        store.editTime(of: row, type: key.type, now: now).map { min($0, now) }
    }

    private static func stamp<S: DeviceStore>(_ time: Int64?, in store: inout S) -> Stamp {
        guard let time else { return Stamp(time: 0, device: store.header.device) }
        return Stamp(time: store.header.clock.tick(time), device: store.header.device)
    }
}
