import PluginKit

/// `sync conflicts`
struct SyncConflicts: CommandProvider {
    let service: SyncService
    static let columns = ["id", "record", "field", "lost", "stands", "why", "restored"]
    private static let asideColumns = ["record", "type", "fields", "why", "fix"]
    var name: String { "sync conflicts" }

    var command: Command {
        Command(
            name, "list values that lost a conflict on this device",
            details: """
                --aside lists the records that were set aside instead. Records of an unknown type, format or shape are kept and sent on \
                unchanged; they never stop a sync. A newer version that \
                can read them applies them. Records whose photo or track is missing or damaged in the cloud are listed \
                as well: every sync requests the photo or track again, and `sync compare --heal` on a device that \
                has it uploads it. So are rows and files of the device that cannot be read or have no identifier, and stores that \
                are missing or were emptied: nothing of them is sent, and the others go on.
                """,
            .flag("aside", "list records that were set aside instead"),
            output: .rows(Self.columns), effect: .reads,
            examples: [
                .init("none yet", "sync conflicts | count", after: ["device add phone anna"], gives: "0"),
                .init(
                    "nothing set aside", "sync conflicts --aside | count",
                    after: ["device add phone anna"], gives: "0"),
            ],
            searchTerms: [
                "duplicate records", "two of everything",
                "two devices changed the same", "which version won",
                "merge conflict", "edited on both", "same record twice", "lost", "unknown", "newer",
                "lost edit", "two devices edited", "overwritten", "changed on two devices", "same note",
                "lost value", "two phones", "edited twice", "same time",
            ]
        ) { context, showsAside in
            let store = try service.store(try service.device(context), context)
            return try showsAside ? Self.aside(store) : Self.conflicts(store)
        }
    }

    private static func conflicts(_ store: FolderStore) throws -> Value {
        .table(
            columns: columns,
            cells: try store.conflicts().map { conflict in
                [
                    .integer(conflict.id), .text(RecordText.short(conflict.key)),
                    .text(conflict.loser.field), RecordText.value(conflict.loser.value),
                    RecordText.value(conflict.loser.winner), .text(conflict.loser.reason.words),
                    .boolean(conflict.isRestored),
                ]
            })
    }

    private static func aside(_ store: FolderStore) throws -> Value {
        try store.findAside()
        let own = try store.setAside()
        let here = own.map { entry in
            [
                .text(entry.key.map { RecordText.short($0) } ?? entry.place), .text(entry.type.word),
                .nothing, .text(entry.why), Value.text(entry.fix),
            ]
        }
        let asideHere = Set(own.compactMap(\.key))
        let waiting = try store.heldBack.values.sorted { $0.key < $1.key }.filter { record in
            try !asideHere.contains(record.key) && store.obstacle(record.key) == nil
        }.map { record in
            let blob = record.version.blobs.map(SyncMachine.damaged).first ?? SyncErrors.photo.title
            return [
                Value.text(RecordText.short(record.key)), .text(record.key.type.word),
                .text(record.version.fields.map(\.key).joined(separator: " ")),
                .text("\(SyncErrors.photo.code): \(blob)"),
                .text("on a device that has it: sync compare --heal"),
            ]
        }
        return .table(
            columns: asideColumns,
            cells: here + waiting
                + (try store.unheld().compactMap { entry in
                    guard let key = entry.key, let local = try store.state(key)?.local else { return nil }
                    return [
                        .text(RecordText.short(key)), .text(key.type.word),
                        local.isOpaque ? .nothing : .text(local.fields.map(\.key).joined(separator: " ")),
                        .text(entry.why), .text(entry.fix),
                    ]
                }))
    }
}

/// `sync restore`
struct RestoreConflict: CommandProvider {
    let service: SyncService
    var name: String { "sync restore" }

    var command: Command {
        Command(
            name, "restore a value that lost a conflict, or what a store lacks",
            details: """
                The value is written to the device's store as an edit and is pushed by the next sync. A deleted record is \
                recreated from its last known fields as a new incarnation. With `waypoints`, `hikes` or `routes` the records are \
                brought back that the device's store lacks, because its file is missing, was emptied or is another; \
                --deleted confirms instead that they are deleted. With the first letters of a record's id its last known \
                version replaces a row or file that cannot be read. `memory` begins a new sync.db where the old one is damaged: the \
                device's rows stay and are compared with the cloud's.
                """,
            .positional(
                "id", .text, "number of the conflict; waypoints, hikes or routes; a record; or memory"),
            .flag("deleted", "confirm that the missing records of the store are deleted"),
            output: .value("text"), effect: .changes,
            examples: [
                .init(
                    "a missing one", "expect-error E-SYNC-NOCONFLICT sync restore 1",
                    after: ["device add phone anna"]),
                .init(
                    "nothing to bring back", "sync restore waypoints",
                    after: ["device add phone anna"], gives: "nothing is missing in waypoints.db"),
            ],
            searchTerms: [
                "restore from the cloud", "restore from icloud", "get my data back", "lost phone",
                "bring back a deleted record",
            ]
        ) { context, text, confirms in
            let device = try service.device(context)
            if text == Self.memory { return .text(try renewMemory(device, context)) }
            if let word = StoreWord(rawValue: text) {
                return .text(try answer(word, device, context, bringsBack: !confirms))
            }
            let store = try service.store(device, context)
            let all = try store.conflicts()
            guard let id = Int(text), let conflict = all.first(where: { $0.id == id }) else {
                if let taken = try takeBack(text, store) { return .text(taken) }
                throw SyncErrors.conflict("unknown conflict \(text)", at: .parameter("id"))
            }
            let row = try store.row(conflict.key)
            let together =
                row == nil
                ? all.filter { $0.key == conflict.key && $0.loser.reason == .deleted } : [conflict]
            let lost = together.map {
                Field(key: $0.loser.field, value: $0.loser.value, stamp: $0.loser.stamp)
            }
            try store.write(
                conflict.key, before: row,
                after: try row.map { Self.put(lost, into: $0) } ?? remade(lost, conflict.key, store))
            for one in together { try store.markRestored(one.id) }
            let fields = together.map(\.loser.field).joined(separator: " ")
            return .text("restored \(fields) of \(RecordText.short(conflict.key)); run `sync` to send it")
        }
    }

    /// The word for the device's `sync.db`.
    static let memory = "memory"

    private func answer(
        _ word: StoreWord, _ device: DeviceEntry, _ context: Context, bringsBack: Bool
    ) throws -> String {
        let lock = try DeviceLock(try service.folder(device, context))
        defer { lock.release() }
        try device.requireClock()
        let store = try service.store(device, context)
        let count = try store.answer(
            word.type, bringsBack: bringsBack, now: device.now(context), rule: device.rule)
        let place = AppRows.place(word.type)
        if count == 0 { return "nothing is missing in \(place)" }
        let many = count == 1 ? "1 record" : "\(count) records"
        return bringsBack
            ? "\(many) of \(place) brought back; photos and tracks follow with the next `sync`"
            : "\(many) of \(place) confirmed as deleted; run `sync` to send it"
    }

    /// Takes the last known version of a record whose row cannot be read; `nil` if no such record is named.
    private func takeBack(_ text: String, _ store: FolderStore) throws -> String? {
        try store.findAside()
        let keys = store.rows.unreadable.keys.sorted()
        guard let key = try? RecordText.key(text, in: keys), try store.takeBack(key) else { return nil }
        return "\(RecordText.short(key)) has its last known version again"
    }

    /// Begins a new `sync.db`, if the old one cannot be used; that one is kept.
    private func renewMemory(_ device: DeviceEntry, _ context: Context) throws -> String {
        let folder = try service.folder(device, context)
        let lock = try DeviceLock(folder)
        defer { lock.release() }
        if let store = try? service.store(device, context), store.isMemoryWhole {
            return "sync.db can be read; nothing was changed"
        }
        let kept = try SyncMemory.moveAside(in: folder)
        _ = try service.store(device, context)
        return "a new sync.db was begun, and the old one kept as \(kept); run `sync`"
    }

    /// The current row with the lost values restored: later edits of other fields are kept.
    private static func put(_ lost: [Field], into row: Row) -> Row {
        row.map { field in
            lost.first { $0.key == field.key }.map { RowField(key: $0.key, value: $0.value) } ?? field
        }
    }

    /// The row of a record that was deleted while one of its fields was edited; the other fields have their
    /// last values.
    private func remade(_ lost: [Field], _ key: RecordKey, _ store: FolderStore) throws -> Row? {
        var version = try store.state(key)?.local ?? Version()
        version.isDeleted = false
        for field in lost { version.set(field) }
        for field in try store.lastLive(key)?.fields ?? [] where version[field.key] == nil {
            version.set(field)
        }
        return store.row(of: version, type: key.type)
    }
}
