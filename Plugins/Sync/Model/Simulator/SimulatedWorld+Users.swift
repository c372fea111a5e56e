import Foundation
import PluginKit

/// Users who edit and delete, and the watch link.
extension SimulatedWorld {
    /// Runs an operation on a store outside a sync; the process may end during it.
    mutating func work(_ index: Int, _ body: (inout Store, Int64) throws -> Void) throws {
        devices[index].store.simulated.writesLeft = devices[index].writesUntilCrash
        do {
            try devices[index].work(at: now) { _, store, now in
                try body(&store, now)
                try store.commit()
            }
            if devices[index].store.simulated.hasEnded { throw SimulatedCrash() }
            devices[index].writesUntilCrash = devices[index].store.simulated.writesLeft
            devices[index].store.simulated.writesLeft = nil
        } catch  where devices[index].store.simulated.isOfFault(error) {
            devices[index].writesUntilCrash = nil
            try crash(index)
        }
    }

    mutating func sendOverLink(_ device: Int, _ record: Int) throws -> StepResult {
        let index = device % 2
        if devices[index].machine.isRunning || parcels.count > SimulationSettings.mostMessages { return "" }
        if waitsForClock(index) { return "" }
        // Records of other types are sent as files.
        if setup.key(record).type != .waypoint { return "" }
        var sent: LinkParcel?
        let rule = setup.rule
        let key = setup.key(record)
        let blobField = devices[index].store.simulated.blobField(of: record)
        try work(index) { store, now in
            sent = nil
            let parcel = try LinkMerge.parcel(
                key, in: &store, now: now, rule: rule,
                carries: { $0 != blobField })
            sent = parcel
        }
        if let sent { parcels.append((1 - index, sent)) }
        return "sends r\(record) over the link"
    }

    mutating func relay(_ choice: Int) throws -> StepResult {
        if parcels.isEmpty { return "" }
        let slot = (choice >> 4) % parcels.count
        let (index, parcel) = parcels[slot]
        if devices[index].machine.isRunning || waitsForClock(index) { return "" }
        // One in eight is lost, one in eight is duplicated.
        if choice & 7 != 1 { parcels.remove(at: slot) }
        if choice & 7 == 0 { return "an item of the link is lost" }
        if setup.linkOverwrites {
            let record = Int(parcel.key.name.low)
            let old = try devices[index].store.simulated.rows[record]
            let row = devices[index].store.simulated.row(of: parcel.version, type: parcel.key.type)?.map {
                field in
                parcel.version[field.key] == nil
                    ? RowField(key: field.key, value: old?.first { $0.key == field.key }?.value ?? .absent)
                    : field
            }
            if let row {
                try devices[index].store.simulated.userWrites(
                    row, at: record, now: now + devices[index].skew)
            }
            return StepResult("applies an item of the link", device: index)
        }
        let rule = setup.rule
        let takesAll = setup.linkTakesAll
        var waits = false
        try work(index) { store, now in
            waits = try LinkMerge.merge(parcel, into: &store, now: now, rule: rule) == .waits
            if waits { return }
            if takesAll, var state = try store.state(parcel.key) {
                state.link?.see(parcel.trace) { _ in true }
                try store.set(state, for: parcel.key)
            }
        }
        if waits {
            if choice & 7 != 1 { parcels.insert((index, parcel), at: slot) }
            return StepResult("leaves an item of the link until its row can be read", device: index)
        }
        return StepResult("receives an item of the link", device: index)
    }

    mutating func forget(_ choice: Int) throws {
        let head = try cloud.state().head
        let number = head - Int64(choice % SimulationSettings.tombstoneAge)
        try cloud.forgetTombstones(upTo: number)
        if setup.collectsBlobs { try cloud.collectBlobs(below: number) }
        try cloud.collectOperations()
        try settleForgottenDeletions()
    }

    /// A disk of the cloud loses a photo, or some of its bytes.
    mutating func losePhoto(_ choice: Int) throws -> StepResult {
        var image = try cloud.image()
        if image.blobs.isEmpty { return "" }
        image.blobs.sort { $0.reference < $1.reference }
        let index = (choice >> 1) % image.blobs.count
        let blob = image.blobs[index]
        var bytes = blob.bytes
        let isDamaged = choice & 1 == 1 && !bytes.isEmpty
        if isDamaged {
            bytes[bytes.count / 2] ^= 1
            image.blobs[index] = Blob(reference: blob.reference, bytes: bytes)
        } else {
            image.blobs.remove(at: index)
        }
        try cloud.restore(image, epoch: nil)
        lostPhotos.insert(blob.reference)
        return isDamaged ? "the cloud damages a photo" : "the cloud loses a photo"
    }

    mutating func edit(_ index: Int, _ record: Int, _ choice: Int) throws -> StepResult {
        if isDisturbed(index, record) { return "" }
        let schema = devices[index].store.simulated.schema(of: record)
        let key = setup.key(record)
        guard var row = try devices[index].store.simulated.rows[record] else {
            let state = try devices[index].store.simulated.state(key)
            let parent = ledger.reopen(
                device: index, record: record, isSeen: state.map { $0.local.isDeleted } ?? false)
            let row = schema.map {
                RowField(key: $0, value: value($0, ledger.write(upon: parent), index, record))
            }
            try devices[index].store.simulated.userWrites(
                row, at: record, now: now + devices[index].skew)
            // Its own deletion may have been the last that stood for that of a device whose data is gone.
            if ledger.hasOrphan(of: record) { try settleForgottenDeletions() }
            return "creates r\(record)"
        }
        let field = schema[choice % schema.count]
        guard let column = row.firstIndex(where: { $0.key == field }) else { return "" }
        let write = ledger.write(upon: number(row[column].value))
        row[column].value = value(field, write, index, record)
        try devices[index].store.simulated.userWrites(
            row, at: record, now: now + devices[index].skew)
        return "edits r\(record).\(field)"
    }

    mutating func value(_ field: String, _ write: Int32, _ index: Int, _ record: Int) -> FieldValue {
        guard field == devices[index].store.simulated.blobField(of: record) else {
            return .integer(Int64(write))
        }
        let blob = devices[index].store.simulated.userMakes(write)
        // A digest does not identify its write.
        if blob.high != 0 { writesOfBlobs[blob] = write }
        return .blob(blob)
    }

    mutating func delete(_ index: Int, _ record: Int) throws -> StepResult {
        if isDisturbed(index, record) { return "" }
        guard let row = try devices[index].store.simulated.rows[record] else { return "" }
        // What the engine has seen but not stored may be lost or sent: this deletion need not be sent.
        let isKept = try devices[index].store.simulated.durable.states[record] != nil
        let state = isKept ? try devices[index].store.simulated.state(setup.key(record)) : nil
        // A record being received is not the one that the user created meanwhile.
        let intent = try devices[index].store.simulated.intent(setup.key(record))
        let isComing = try intent.map {
            try !devices[index].store.simulated.isWritten($0, setup.key(record)) && $0.before == nil
        }
        let isKnown = state.map { !$0.local.isDeleted && isComing != true } ?? false
        // The fields unknown to this app are deleted with the record.
        let hidden =
            isKnown ? state?.local.fields.filter { field in !row.contains { $0.key == field.key } } : nil
        ledger.delete(
            device: index, record: record,
            values: (row.map { number($0.value) } + (hidden ?? []).map { number($0.value) }).filter {
                $0 != 0
            },
            incarnation: isKnown ? state?.local.incarnation : nil)
        try devices[index].store.simulated.userWrites(
            nil, at: record, now: now + devices[index].skew)
        return "deletes r\(record)"
    }

    /// The number of a write; 0 for other values.
    func number(_ value: FieldValue) -> Int32 {
        switch value {
        case .integer(let number): Int32(truncatingIfNeeded: number)
        case .blob(let blob):
            blob.high == 0 ? Int32(truncatingIfNeeded: blob.low) : writesOfBlobs[blob] ?? 0
        // The value as stored in a file.
        case .bytes(let bytes): Int32(String(decoding: bytes.prefix(16), as: UTF8.self)) ?? 0
        default: 0
        }
    }
}
