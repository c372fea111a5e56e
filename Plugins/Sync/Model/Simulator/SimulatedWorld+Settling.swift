import Foundation
import PluginKit

/// The end of a schedule: all devices sync until they are equal, and are checked.
extension SimulatedWorld {
    /// Ends all faults; all devices sync until they are equal.
    mutating func settle<R: TraceRecorder>(trace: inout R) throws {
        try setup.willSettle?()
        messages = []
        parcels = []
        for index in devices.indices {
            devices[index].isElsewhere = false
            devices[index].offlineUntil = 0
            devices[index].heldUntil = 0
            devices[index].writesUntilCrash = nil
            if waitsForClock(index) { devices[index].skew = 0 }
            devices[index].machine.reset()
            // The process restarts: everything not durable is lost.
            try devices[index].store.simulated.crash()
        }
        try settleStores()
        for round in 1...SyncSettings.settlingRounds {
            for index in devices.indices { try syncToTheEnd(index) }
            if isWatched { trace.record(snapshot("settle", "round \(round): every device has synced")) }
            if try difference() == nil { break }
        }
        if !lostPhotos.isEmpty { try heal(trace: &trace) }
        try checkAccounts()
        if let difference = try difference() { throw Violation(invariant: .converges, detail: difference) }
        for index in devices.indices { try checkToken(index, before: nil) }
        try checkWrites()
        try checkDeletions()
        try checkExplanations()
        try checkTimes()
        if setup.checksBlobs { try checkBlobs() }
    }

    /// Only records with a lost photo wait; then a device that has the photo sends it, and they arrive.
    mutating func heal<R: TraceRecorder>(trace: inout R) throws {
        if let difference = try difference() {
            throw Violation(invariant: .waitsAlone, detail: difference)
        }
        if try devices.allSatisfy({ try $0.store.simulated.durable.held.isEmpty }) { return }
        for _ in 1...2 {
            for index in devices.indices {
                let states = try devices[index].store.simulated.durable.states.enumerated().compactMap {
                    number, state in state.map { (key: setup.key(number), state: $0) }
                }
                let lacking = try BlobHealing.lacking(states, &cloud)
                try BlobHealing.send(
                    lacking, of: states.map(\.key), in: devices[index].store, to: &cloud)
            }
            for index in devices.indices { try syncToTheEnd(index) }
        }
        if isWatched { trace.record(snapshot("settle", "photos stored on a device were sent again")) }
        // Only records whose photo no device has still wait.
        for index in devices.indices {
            for record in try devices[index].store.simulated.durable.held.values {
                let number = Int(record.key.name.low)
                for device in devices {
                    for field in try device.store.simulated.rows[number] ?? [] {
                        guard let blob = field.value.blob, record.version.blobs.contains(blob) else {
                            continue
                        }
                        throw Violation(
                            invariant: .waitsAlone,
                            detail: "r\(number) still waits on device \(index) for a photo that another has")
                    }
                }
            }
        }
    }

    mutating func syncToTheEnd(_ index: Int) throws {
        now += SimulationSettings.betweenSyncs
        var output: SyncMachine.Output? = try devices[index].work(at: now) { machine, store, now in
            try machine.start(.now, in: &store, now: now)
        }
        var steps = 0
        while case .send(let request)? = output {
            steps += 1
            if steps > SimulationSettings.mostExchanges {
                throw Violation(invariant: .converges, detail: "device \(index) does not finish its sync")
            }
            do {
                let reply = try answer(request)
                output = try devices[index].work(at: now) { machine, store, now in
                    try machine.receive(reply, to: machine.requestNumber, in: &store, now: now)
                }
            } catch let failure as CloudFailure {
                output = try devices[index].work(at: now) { machine, store, _ in
                    try machine.failed(failure, in: &store)
                }
                if case .wait? = output { output = devices[index].machine.again().map { .send($0) } }
            }
        }
    }

    /// Invariant 8.
    func checkAccounts() throws {
        if other.state() != SimulationSettings.otherZone.state() || !other.image().blobs.isEmpty {
            throw Violation(invariant: .accountsStayApart, detail: "the other account received records")
        }
        for (index, device) in devices.enumerated() {
            for row in try device.store.simulated.rows {
                for field in row ?? [] where field.value == SimulationSettings.otherValue {
                    throw Violation(
                        invariant: .accountsStayApart,
                        detail: "device \(index) has the other account's record")
                }
            }
        }
    }

    /// Whether a device holds a record back and reports it, because the cloud lost its photo.
    func isWaiting(_ record: CloudRecord, _ durable: SimulatedStore.Durable) -> Bool {
        durable.held[record.key] == record && record.version.blobs.contains(where: lostPhotos.contains)
    }

    /// A difference between a device and the cloud; `nil` if all are equal.
    mutating func difference() throws -> String? {
        let image = try cloud.state()
        for index in devices.indices {
            let rows = try devices[index].store.simulated.rows
            let durable = try devices[index].store.simulated.durable
            for record in 0..<setup.records {
                let key = setup.key(record)
                let held = image.records.first { $0.key == key }
                let wanted = held.flatMap {
                    devices[index].store.simulated.row(of: $0.version, type: key.type)
                }
                if let held, isWaiting(held, durable) { continue }
                if rows[record] != wanted, Self.held(rows[record]) != Self.held(wanted) {
                    return "r\(record) differs between device \(index) and the cloud"
                }
            }
            let unknown = image.records.first { $0.key.type == SimulatedStore.unknownType }?.version
            if durable.states[setup.records]?.base != unknown {
                return "a record that device \(index) set aside differs from the cloud's"
            }
            if try !devices[index].store.simulated.outbox(limit: 1).isEmpty {
                return "the outbox of device \(index) is not empty"
            }
        }
        return nil
    }

    /// The values of a row, ignoring empty fields.
    static func held(_ row: Row?) -> Row? { row?.filter { $0.value != .absent } }

    /// Whether a request is no repetition to the cloud: it lost the operation when it was restored, or refused it for a missing
    /// photo, and no device with that identity is left, which notices that and sends its own again. What arrives then is a write
    /// as any other, made upon the version that the cloud has; the history before it is the same.
    private func isNew(_ request: CloudRequest, _ replicas: Set<UInt64>, _ zone: ZoneImage) -> Bool {
        guard case .save(_, _, let operations) = request else { return false }
        return operations.contains {
            (lostOperations.contains($0.id) || zone.lacks($0.id)) && !replicas.contains($0.id.device)
        }
    }

    /// Delivers all requests a second time, to a cloud that has discarded its tombstones and operations.
    mutating func redeliver() throws {
        try cloud.collectOperations()
        try cloud.forgetTombstones(upTo: try cloud.state().head)
        let before = try cloud.state().records
        let zone = try cloud.outline()
        let rows = try devices.map { try $0.store.simulated.rows }
        let replicas = Set(try devices.map { try $0.store.simulated.durable.header.device })
        for request in saves where !isNew(request, replicas, zone) { _ = try cloud.answer(request) }
        if try cloud.state().records != before {
            throw Violation(
                invariant: .deliveringAgainChangesNothing,
                detail: "the cloud changed when old requests were repeated")
        }
        for index in devices.indices {
            try syncToTheEnd(index)
            if try devices[index].store.simulated.rows != rows[index] {
                throw Violation(
                    invariant: .deliveringAgainChangesNothing,
                    detail: "device \(index) changed when everything was repeated")
            }
        }
    }
}
