import PluginKit

/// The checks after the steps.
extension SimulatedWorld {
    /// Invariant 5: within an epoch the token only grows, and everything before it is here.
    mutating func checkToken(_ index: Int, before: ChangeToken?) throws {
        let durable = try devices[index].store.simulated.durable
        guard let token = durable.header.token else { return }
        if let before, before.epoch == token.epoch, token.number < before.number {
            throw Violation(invariant: .tokensSkipNothing, detail: "the token of device \(index) went back")
        }
        let image = try cloud.state()
        if token.epoch != image.lineage.epoch { return }
        // Numbers of a history that the cloud has lost do not apply to the current one.
        if let witness = durable.header.witness, try isUnknown(witness) {
            return
        }
        for record in image.records where record.tag <= token.number {
            let state = durable.states[Int(record.key.name.low)]
            if let held = durable.held[record.key], held.tag >= record.tag { continue }
            // A version that a restored cloud lost counts as unsent: its push is compared with the cloud's.
            if let state, state.base == nil, state.isDirty { continue }
            // A tombstone that was discarded when the device read, and returned with the copy, is not new: a
            // device that recreated the record since then knows the deletion as well.
            let knows = state.map { $0.local.isDeleted || $0.base?.isDeleted ?? false } ?? true
            if wasPutBack, record.version.isDeleted, knows { continue }
            if state == nil || (state?.tag ?? 0) < record.tag {
                throw Violation(
                    invariant: .tokensSkipNothing,
                    detail:
                        "device \(index) has read up to \(token.number) and skipped r\(record.key.name.low)")
            }
        }
    }

    /// Whether the cloud does not know a mark. Real connections may be interrupted just now: a retry is
    /// answered.
    private mutating func isUnknown(_ mark: HistoryMark) throws -> Bool {
        for _ in 1..<SimulationSettings.retries {
            if let reply = try? cloud.answer(.common([mark])) { return reply == .common(nil) }
        }
        return try cloud.answer(.common([mark])) == .common(nil)
    }

    mutating func checkTokens() throws {
        for index in devices.indices { try checkToken(index, before: nil) }
    }

    /// Invariant 7: the cloud has everything that a device considers saved.
    mutating func checkOutbox(_ index: Int) throws {
        let image = try cloud.state()
        let durable = try devices[index].store.simulated.durable
        // A device that has not yet detected the restore still counts lost changes as saved.
        if let witness = durable.header.witness, try isUnknown(witness) {
            return
        }
        for (record, state) in durable.states.enumerated() {
            guard let state, let base = state.base, state.epoch == image.lineage.epoch || state.tag == 0
            else {
                continue
            }
            // Records received over the watch link with the sender's base are not yet compared with the
            // cloud.
            if state.tag == 0, state.link != nil { continue }
            let held = image.records.first { $0.key.name.low == UInt64(record) }
            let isAcknowledged =
                held?.tag == state.tag ? held?.version == base : state.tag > 0 || base.isDeleted
            if !isAcknowledged {
                throw Violation(
                    invariant: .outboxSurvives,
                    detail: "device \(index) does not send r\(record), which the cloud lacks")
            }
        }
    }

    /// Invariant 6.
    mutating func checkBlobs() throws {
        let image = try cloud.image()
        for record in image.records {
            for blob in record.version.blobs
            where !lostPhotos.contains(blob) && !image.blobs.contains(where: { $0.reference == blob }) {
                throw Violation(
                    invariant: .blobBeforeRecord,
                    detail: "r\(record.key.name.low) references a missing blob")
            }
        }
    }

    /// Invariant 2.
    mutating func checkWrites() throws {
        let image = try cloud.state()
        var current: [Int32] = []
        for record in image.records {
            for field in record.version.fields { current.append(number(field.value)) }
        }
        for device in devices {
            for kept in try device.store.simulated.durable.conflicts {
                current.append(number(kept.loser.value))
            }
        }
        // An edit of a record that waits for its photo waits with it: in the row, and in the device's version, where it stays if
        // the app drops its column meanwhile.
        let waiting = try waitingRecords()
        for device in devices {
            let states = try device.store.simulated.durable.states
            for record in waiting {
                for field in try device.store.simulated.rows[record] ?? [] {
                    current.append(number(field.value))
                }
                for field in states[record]?.local.fields ?? [] { current.append(number(field.value)) }
            }
        }
        for kept in lostLogs { current.append(number(kept.loser.value)) }
        let lost = ledger.lost(
            current: current,
            final: { record in
                // A deletion waits, too.
                if waiting.contains(record) { return (.max, true) }
                let held = image.records.first { $0.key.name.low == UInt64(record) }
                // A tombstone that the cloud has discarded is still a deletion.
                return held.map { ($0.version.incarnation, $0.version.isDeleted) } ?? (.max, true)
            }, countsAll: setup.rule == .editWins)
        if let lost { throw Violation(invariant: .nothingLost, detail: "write \(lost) was lost") }
    }

    /// The numbers of records that wait for their photo on some device.
    private func waitingRecords() throws -> Set<Int> {
        Set(try devices.flatMap { try $0.store.simulated.durable.held.keys.map { Int($0.name.low) } })
    }

    /// Invariant 9.
    func checkExplanations() throws {
        for (index, device) in devices.enumerated() {
            let durable = try device.store.simulated.durable
            let silent = durable.vanished & ~durable.noted
            if silent != 0 {
                throw Violation(
                    invariant: .vanishedIsExplained,
                    detail: "r\(silent.trailingZeroBitCount) was removed from device \(index) without a note")
            }
        }
    }

    /// Invariant 11: neither a change nor a device's hybrid clock is ahead of the true time by more than clocks may be off.
    mutating func checkTimes() throws {
        let latest = now + SyncSettings.clockTolerance
        for record in try cloud.state().records {
            let stamps = record.version.fields.map(\.stamp) + [record.version.stamp]
            if stamps.contains(where: { $0.milliseconds ?? 0 > latest }) {
                throw Violation(
                    invariant: .timesAreNear,
                    detail: "a change of r\(record.key.name.low) is stamped by a clock that is far off")
            }
        }
        for (index, device) in devices.enumerated()
        where Int64(try device.store.simulated.durable.header.clock.last >> 16) > latest {
            throw Violation(
                invariant: .timesAreNear, detail: "the clock of device \(index) follows one that is far off")
        }
    }

    /// Invariant 4.
    mutating func checkDeletions() throws {
        if setup.rule == .editWins { return }
        let waiting = try waitingRecords()
        for record in try cloud.state().records where !record.version.isDeleted {
            let number = Int(record.key.name.low)
            if waiting.contains(number) { continue }
            if record.version.incarnation <= ledger.deletedIncarnation(number) {
                throw Violation(invariant: .deletedStaysDeleted, detail: "r\(number) came back")
            }
        }
    }

    // MARK: Description

    /// The states of all devices and the cloud side by side.
    mutating func snapshot(_ kind: String, _ did: String, device: Int? = nil) -> TraceStep {
        var values: [(String, Value)] = device.map { [("device", .integer($0))] } ?? []
        for (index, device) in devices.enumerated() {
            values.append(("device\(index)", .text(text(device))))
        }
        values.append(("messages", .integer(messages.count)))
        values.append(("cloud", .text(cloudText())))
        return TraceStep(kind, values, why: did)
    }

    private func text(_ device: Device) -> String {
        var parts: [String] = []
        guard let rows = try? device.store.simulated.rows, let durable = try? device.store.simulated.durable
        else {
            return "unknown"
        }
        for (record, row) in rows.enumerated() {
            let state = durable.states[record]
            if row == nil, state == nil { continue }
            let mark = (state?.isDirty ?? true) ? "*" : ""
            guard let row else {
                parts.append("r\(record)=deleted\(mark)")
                continue
            }
            parts.append("r\(record)=" + row.map { "\(number($0.value))" }.joined(separator: ",") + mark)
        }
        if present < device.offlineUntil { parts.append("offline") }
        return parts.joined(separator: " ")
    }

    private mutating func cloudText() -> String {
        guard let state = try? cloud.state() else { return "unknown" }
        return state.records.map { record in
            let name = record.key.name.low
            if record.version.isDeleted { return "r\(name)=deleted" }
            let values = SimulationSettings.newerSchema.map { "\(number(record.version.value($0)))" }
            return "r\(name)=" + values.joined(separator: ",")
        }.joined(separator: " ")
    }
}
