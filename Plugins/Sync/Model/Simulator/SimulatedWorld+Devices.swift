import Foundation
import PluginKit

/// Devices that are copied, reinstalled, or given to another account.
extension SimulatedWorld {
    mutating func backUp(_ index: Int) throws -> StepResult {
        devices[index].backup = (try devices[index].store.simulated.backup, ledger.unseen(index))
        return "its data is backed up"
    }

    mutating func bringBack(_ index: Int) throws -> StepResult {
        guard let backup = devices[index].backup else { return "" }
        try lose(index)
        try devices[index].store.simulated.bringBack(backup.data)
        ledger.setUnseen(index, backup.unseen)
        try settleForgottenDeletions()
        return "its data is restored from the backup"
    }

    mutating func clone(_ index: Int, _ choice: Int) throws -> StepResult {
        let target = (index + 1 + choice % (devices.count - 1)) % devices.count
        // The older app cannot use copies of the newer app's data.
        guard devices[target].store.simulated.schema == devices[index].store.simulated.schema else {
            return ""
        }
        try lose(target)
        try devices[target].store.simulated.bringBack(try devices[index].store.simulated.backup)
        ledger.setUnseen(target, ledger.unseen(index))
        try settleForgottenDeletions()
        return "its data is copied to device \(target)"
    }

    mutating func reinstall(_ index: Int) throws -> StepResult {
        try lose(index)
        let token = setup.keepsToken ? devices[index].store.simulated.header.token : nil
        try devices[index].store.simulated.reinstall(keeping: token)
        ledger.setUnseen(index, Array(repeating: 0, count: setup.records))
        try settleForgottenDeletions()
        return "is installed again"
    }

    /// A device's data is about to be lost. What the cloud does not have is lost with it; what the cloud has
    /// must not be lost again there.
    mutating func lose(_ index: Int) throws {
        let held = try cloud.state().records
        var known: Set<Int32> = []
        for record in held { for field in record.version.fields { known.insert(number(field.value)) } }
        let store = devices[index].store.simulated
        var values: Set<Int32> = []
        for row in try store.rows { for field in row ?? [] { values.insert(number(field.value)) } }
        let durable = try store.durable
        for state in durable.states {
            for field in state?.local.fields ?? [] { values.insert(number(field.value)) }
            for field in state?.base?.fields ?? [] { values.insert(number(field.value)) }
        }
        ledger.withdraw(values.subtracting(known).sorted())
        let setup = setup
        ledger.withdrawDeletions(index) { record, incarnation in
            held.contains {
                $0.key == setup.key(record)
                    && ($0.version.incarnation > incarnation
                        || $0.version.incarnation == incarnation && $0.version.isDeleted)
            }
        }
        lostLogs += durable.conflicts
        copies = []
        deletedValues = []
        devices[index].machine.reset()
        devices[index].writesUntilCrash = nil
        devices[index].isElsewhere = false
    }

    /// A deletion that neither the cloud nor any device stores, because the cloud discarded it and the
    /// devices' data is gone, no longer counts: a record created now is a new one.
    mutating func settleForgottenDeletions() throws {
        let held = try cloud.state().records
        let inside = try devices.map { device in
            let store = device.store.simulated
            // The rows of a store that was emptied or replaced are not missing because a user deleted them: users wait until
            // that is settled, and what they deleted before is in the states. Nor are those that are being received.
            let isOpen = (store as? any StoreWithFate)?.fate.isOpen ?? false
            let rows = try store.rows
            let deleted = try rows.indices.map { record in
                guard rows[record] == nil, !isOpen else { return false }
                let key = self.setup.key(record)
                return try store.intent(key).map { try store.isWritten($0, key) || $0.before != nil } ?? true
            }
            return (states: try store.durable.states, deleted: deleted, lives: rows.map { $0 != nil })
        }
        let setup = setup
        ledger.withdrawForgotten { record, incarnation in
            func knows(_ version: Version?) -> Bool {
                guard let version else { return false }
                return version.incarnation > incarnation
                    || version.incarnation == incarnation && version.isDeleted
            }
            if held.contains(where: { $0.key == setup.key(record) && knows($0.version) }) {
                return true
            }
            return inside.contains { store in
                guard let state = store.states[record] else { return false }
                // A row that its user deleted, which the engine has not seen: of the incarnation that it was.
                let isGone = store.deleted[record] && state.local.incarnation >= incarnation
                // A record that no cloud ever had is created again as what it was: its deletion is forgotten.
                if store.lives[record], state.base == nil { return knows(state.pending?.version) }
                return isGone || knows(state.local) || knows(state.base) || knows(state.pending?.version)
            }
        }
    }

    mutating func changeAccount(_ index: Int) throws -> StepResult {
        // A new device belongs to the account that it first syncs with.
        guard try devices[index].store.simulated.durable.header.account != nil else { return "" }
        try devices[index].store.simulated.crash()
        devices[index].machine.reset()
        devices[index].writesUntilCrash = nil
        devices[index].isElsewhere.toggle()
        if setup.forgetsAccount { try devices[index].store.simulated.forgetAccount() }
        return devices[index].isElsewhere ? "signs in to another account" : "signs in to its account again"
    }

    mutating func saveUnknown() throws -> StepResult {
        let state = try cloud.state()
        let key = RecordKey(
            type: SimulatedStore.unknownType, name: RecordName(high: 0, low: UInt64(setup.records)))
        let held = state.records.first { $0.key == key }
        unknownSaves += 1
        let stamp = Stamp(time: UInt64(now) << 16, device: SimulationSettings.newerDevice)
        let version = Version(fields: [Field(key: "x", value: .text("\(unknownSaves)"), stamp: stamp)])
        let operation = SaveOperation(
            id: OperationID(device: SimulationSettings.newerDevice, number: unknownSaves), key: key,
            baseTag: held?.tag ?? 0, version: version)
        let token = ChangeToken(epoch: state.lineage.epoch, number: state.head)
        do { _ = try answer(.save(token: token, operations: [operation])) } catch is CloudFailure {
            return "a newer app cannot save a record of an unknown type"
        }
        return "a newer app saves a record of an unknown type"
    }
}
