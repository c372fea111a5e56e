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
                this command decides.
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
            ], searchTerms: ["sign in", "user", "icloud"]
        ) { context, answer, name, discards in
            let device = try service.device(context)
            var cloud = try service.cloud(name, device, context)
            let origin: UInt64
            do throws(CloudFailure) { origin = try cloud.lineage().origin } catch {
                throw SyncErrors.cloud("\(error)", at: .parameter("cloud"))
            }
            if let answer { try decide(answer, device, origin, discards, context) }
            let account = try service.store(device, context).header.account
            return .record(
                Record([
                    ("device", .text(device.name)), ("account", Value(account) { .text(Self.text($0)) }),
                    ("cloud", .text(Self.text(origin))),
                    ("same", .boolean(account == nil || account == origin)),
                ]))
        }
    }

    private static func text(_ account: UInt64) -> String {
        let digits = String(account, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private func decide(
        _ answer: Answer, _ device: DeviceEntry, _ origin: UInt64, _ discards: Bool, _ context: Context
    ) throws {
        let folder = try service.folder(device, context)
        let lock = try DeviceLock(folder)
        defer { lock.release() }
        var store = try service.storeAsEdited(device, context)
        guard let account = store.header.account, account != origin else { return }
        if answer == .merge { return try merge(&store) }
        let waiting = try store.states.list().count { $0.state.isDirty }
        if answer == .remove, waiting > 0, !discards {
            throw SyncErrors.unsent(
                "\(waiting) records were never sent and would be lost",
                fix: "sync account apart, or --discard")
        }
        // The folder is renamed as a whole, so that a crash leaves no partial folder.
        let old = aside(folder, device, account)
        let new = aside(folder, device, origin)
        let files = FileManager.default
        if files.fileExists(atPath: old.path) { try files.removeItem(at: old) }
        try files.moveItem(at: folder, to: old)
        if files.fileExists(atPath: new.path) { try files.moveItem(at: new, to: folder) }
        _ = try service.folder(device, context)
        if context.activeWorkspace.name == device.name { try service.use(device, context) }
        if answer == .remove { try files.removeItem(at: old) }
    }

    /// The folder where an account's records are kept aside.
    private func aside(_ folder: URL, _ device: DeviceEntry, _ account: UInt64) -> URL {
        folder.deletingLastPathComponent().appendingPathComponent(
            ".\(device.name)-account-\(Self.text(account))")
    }

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
