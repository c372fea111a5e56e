import Foundation
import PluginKit

/// `sync account`
struct SyncAccount: CommandProvider {
    /// What happens to the records on the device.
    enum Answer: String, CaseIterable, Sendable {
        case apart, merge, remove

        var words: String {
            switch self {
            case .apart: "store them separately until the device uses their account again"
            case .merge: "send them to the new account"
            case .remove: "remove them from this device"
            }
        }
    }

    let service: SyncService

    var name: String { "sync account" }

    var command: Command {
        Command(
            name, "show or set the account of a device's records",
            details: """
                A device's records belong to the account that it first synced with. With another cloud or account, sync fails until \
                this command decides: `merge` sends them to the cloud, as after the cloud was lost; `apart` puts them into a folder beside the \
                device's (`aside` lists the accounts), and takes them back when the device uses their account again; `remove` deletes \
                them on this device.
                """,
            .optional(
                "answer", .choice(of: Answer.self) { $0.words },
                "what to do with the records of the former account"),
            RunSync.cloud, .flag("discard", "also remove records that were never sent"),
            output: .value("record"), effect: .changes,
            examples: [
                .init(
                    "no account yet", "sync account | get same",
                    after: ["device add phone anna"], gives: "true")
            ], searchTerms: ["sign in", "user", "icloud", "sign out", "other user", "reset sync"]
        ) { context, answer, name, discards in
            let device = try service.device(context)
            var cloud = try service.cloud(name, device, context)
            let origin: UInt64
            do throws(CloudFailure) { origin = try cloud.lineage().origin } catch {
                throw SyncErrors.cloud("\(error)", at: .parameter("cloud"))
            }
            if answer == .remove, !discards { try requireRecords(&cloud, device, origin, context) }
            if let answer { try decide(answer, device, origin, discards, name, context) }
            let account = try service.store(device, context).header.account
            return .record(
                Record([
                    ("device", .text(device.name)), ("account", Value(account) { .text(Self.text($0)) }),
                    ("cloud", .text(Self.text(origin))),
                    ("same", .boolean(account == nil || account == origin)),
                    (
                        "aside",
                        Self.accountsAside(try service.folder(device, context), device, without: account)
                    ),
                ]))
        }
    }

    private static func text(_ account: UInt64) -> String {
        let digits = String(account, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// The accounts, other than the device's own, whose records are kept beside its folder.
    private static func accountsAside(_ folder: URL, _ device: DeviceEntry, without own: UInt64?) -> Value {
        let prefix = ".\(device.name)-account-"
        let parent = folder.deletingLastPathComponent().path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        let accounts = names.filter { $0.hasPrefix(prefix) && !$0.hasSuffix(".former") }
            .map { String($0.dropFirst(prefix.count)) }.filter { $0 != own.map(text) }
        return accounts.isEmpty ? .nothing : .text(accounts.sorted().joined(separator: " "))
    }

    /// Throws if the cloud has no records: then it is a new one, or lost them, and those of the device may be the only ones.
    private func requireRecords(
        _ cloud: inout any CloudBackend, _ device: DeviceEntry, _ origin: UInt64, _ context: Context
    ) throws {
        let contents = try contents(try service.folder(device, context), device, context)
        guard let account = contents.account, account != origin, !contents.isEmpty else { return }
        let zone: ZoneImage
        do throws(CloudFailure) { zone = try cloud.outline() } catch { throw SyncErrors.cloud("\(error)") }
        guard zone.records.isEmpty else { return }
        throw SyncErrors.unsent(
            "the cloud has no records: it is new, or lost them, and those of \(device.name) may be the only ones",
            fix: "sync account merge, which sends them, or --discard")
    }

    private func decide(
        _ answer: Answer, _ device: DeviceEntry, _ origin: UInt64, _ discards: Bool, _ cloud: String?,
        _ context: Context
    ) throws {
        let folder = try service.folder(device, context)
        let lock = try DeviceLock(folder)
        defer { lock.release() }
        let new = try aside(folder, device, origin)
        // Records of the cloud's account that were set aside: nothing may hide them until they are sent.
        let held = try contents(new, device, context).unsent
        let current = try contents(folder, device, context)
        guard let account = current.account else {
            return try decideWithoutAccount(
                current.isEmpty, held, folder, new, device, cloud, context)
        }
        if account == origin {
            if answer == .apart, held > 0 { try exchange(folder, new, device, context) }
            return
        }
        if answer == .merge {
            if held > 0 { throw Self.unsentAside(held, fix: "sync account apart\(Self.option(cloud))") }
            var store = try service.storeAsEdited(device, context)
            return try merge(&store)
        }
        // The folder is renamed as a whole, so that a crash leaves no partial folder.
        let old = try aside(folder, device, account)
        if !discards {
            let earlier = try contents(old, device, context).unsent
            if earlier > 0 {
                throw Self.unsentAside(
                    earlier,
                    fix:
                        "sync account apart --cloud NAME and sync --cloud NAME with the cloud that the device "
                        + "synced with last, or --discard")
            }
            if answer == .remove, current.unsent > 0 {
                throw SyncErrors.unsent(
                    "\(current.unsent) records were never sent and would be lost",
                    fix: "sync account apart, or --discard")
            }
        }
        let files = FileManager.default
        if files.fileExists(atPath: old.path) { try files.removeItem(at: old) }
        try files.moveItem(at: folder, to: old)
        if files.fileExists(atPath: new.path) { try files.moveItem(at: new, to: folder) }
        try reopen(device, context)
        if answer == .remove { try files.removeItem(at: old) }
    }

    /// The device never synced since it was added, set apart or merged. Without records it continues with those
    /// set aside for the cloud's account.
    private func decideWithoutAccount(
        _ isEmpty: Bool, _ held: Int, _ folder: URL, _ new: URL, _ device: DeviceEntry,
        _ cloud: String?, _ context: Context
    ) throws {
        if isEmpty, FileManager.default.fileExists(atPath: new.path) {
            return try exchange(folder, new, device, context)
        }
        if held == 0 { return }
        let option = Self.option(cloud)
        throw Self.unsentAside(held, fix: "sync\(option); sync account apart\(option)")
    }

    private static func unsentAside(_ count: Int, fix: String) -> RutterError {
        SyncErrors.unsent(
            "\(count) records of an account that were set aside earlier were never sent", fix: fix)
    }

    private static func option(_ cloud: String?) -> String {
        cloud.map { " --cloud \(Literal.isBareWord($0) ? $0 : Literal.quoted($0))" } ?? ""
    }

    /// What a folder of records holds.
    private struct Contents {
        var account: UInt64?
        var isEmpty = true
        var unsent = 0
    }

    /// The contents of a folder, with edits since its last sync. Its files are closed again, so that the folder
    /// can be renamed.
    private func contents(_ folder: URL, _ device: DeviceEntry, _ context: Context) throws -> Contents {
        guard FileManager.default.fileExists(atPath: folder.path) else { return Contents() }
        let store = try service.storeAsEdited(device, in: folder, context)
        let records = try store.states.list()
        return Contents(
            account: store.header.account, isEmpty: records.isEmpty,
            unsent: records.count { $0.state.isDirty })
    }

    /// Continues with the records set aside for the same account, and sets the current ones aside.
    private func exchange(_ folder: URL, _ aside: URL, _ device: DeviceEntry, _ context: Context) throws {
        let files = FileManager.default
        let spare = Self.spare(aside)
        try files.moveItem(at: folder, to: spare)
        try files.moveItem(at: aside, to: folder)
        try files.moveItem(at: spare, to: aside)
        try reopen(device, context)
    }

    private func reopen(_ device: DeviceEntry, _ context: Context) throws {
        _ = try service.folder(device, context)
        if context.activeWorkspace.name == device.name { try service.use(device, context) }
    }

    /// The folder where an account's records are kept aside. Completes an exchange that a crash interrupted.
    private func aside(_ folder: URL, _ device: DeviceEntry, _ account: UInt64) throws -> URL {
        let aside = folder.deletingLastPathComponent().appendingPathComponent(
            ".\(device.name)-account-\(Self.text(account))")
        let files = FileManager.default
        let spare = Self.spare(aside)
        if files.fileExists(atPath: spare.path), !files.fileExists(atPath: aside.path) {
            try files.moveItem(at: spare, to: aside)
        }
        return aside
    }

    /// The former folder during an exchange.
    private static func spare(_ aside: URL) -> URL { aside.appendingPathExtension("former") }

    /// Marks everything as unsent. Deletions belonged to the former account.
    private func merge(_ store: inout FolderStore) throws {
        var gone: [RecordKey] = []
        for (key, old) in try store.states.list() {
            if old.local.isDeleted {
                gone.append(key)
                continue
            }
            var state = old
            state.base = nil
            state.tag = 0
            state.epoch = 0
            state.pending = nil
            state.parked = nil
            try store.set(state, for: key)
        }
        store.header.token = nil
        store.header.witness = nil
        store.header.account = nil
        store.forgetMarks(after: 0)
        store.keepEdits()
        try store.commit()
        try store.forget(gone)
    }
}
