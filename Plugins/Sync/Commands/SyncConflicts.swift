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
                has it uploads it.
                """,
            .flag("aside", "list records that were set aside instead"),
            output: .rows(Self.columns), effect: .reads,
            examples: [
                .init("none yet", "sync conflicts | count", after: ["device add phone anna"], gives: "0"),
                .init(
                    "nothing set aside", "sync conflicts --aside | count",
                    after: ["device add phone anna"], gives: "0"),
            ], searchTerms: ["lost", "unknown", "newer", "lost edit", "two devices edited", "overwritten"]
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
        let waiting = store.heldBack.values.sorted { $0.key < $1.key }.map { record in
            let blob = record.version.blobs.map(SyncMachine.damaged).first ?? SyncErrors.photo.title
            return [
                Value.text(RecordText.short(record.key)), .text(record.key.type.word),
                .text(record.version.fields.map(\.key).joined(separator: " ")),
                .text("\(SyncErrors.photo.code): \(blob)"),
                .text("on a device that has it: sync compare --heal"),
            ]
        }
        let notes = try store.log().filter { $0.kind == NoteKind.setAside.rawValue }
        return .table(
            columns: asideColumns,
            cells: waiting
                + (try store.states.list().filter { !store.canHold($0.state.local, type: $0.key.type) }
                    .map {
                        key, state in
                        [
                            .text(RecordText.short(key)), .text(key.type.word),
                            state.local.isOpaque
                                ? .nothing : .text(state.local.fields.map(\.key).joined(separator: " ")),
                            .text(notes.last { $0.key == key }?.detail ?? "unknown"),
                            .text("a newer version reads it"),
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
            name, "restore a value that lost a conflict",
            details: """
                The value is written to the device's store as an edit and is pushed by the next sync. A deleted record is \
                recreated from its last known fields as a new incarnation.
                """,
            .positional("id", .integer(1...Int.max), "number of the conflict"),
            output: .value("text"), effect: .changes,
            examples: [
                .init(
                    "a missing one", "expect-error E-SYNC-NOCONFLICT sync restore 1",
                    after: ["device add phone anna"])
            ]
        ) { context, id in
            let device = try service.device(context)
            let store = try service.store(device, context)
            let all = try store.conflicts()
            guard let conflict = all.first(where: { $0.id == id }) else {
                throw SyncErrors.conflict("unknown conflict \(id)", at: .parameter("id"))
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
