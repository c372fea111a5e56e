import CivilTime
import Foundation
import PluginKit

/// How records and fields are shown.
enum RecordText {
    /// The first eight digits of a record's name.
    static func short(_ key: RecordKey) -> String { String(key.name.text.prefix(8)).lowercased() }

    static func value(_ value: FieldValue) -> Value {
        switch value {
        case .absent: .nothing
        case .integer(let number): Int(exactly: number).map { .integer($0) } ?? .number(Double(number))
        case .number(let number): .number(number)
        case .text(let text): .text(text)
        case .bytes(let bytes): .text(String(decoding: bytes.prefix(200), as: UTF8.self))
        case .blob(let blob): .text("\(blob.size) bytes")
        }
    }

    /// The record whose name begins with a text; throws `E-SYNC-RECORD` if there is none or several.
    static func key(_ text: String, in keys: [RecordKey]) throws -> RecordKey {
        let found = keys.filter { $0.name.text.lowercased().hasPrefix(text.lowercased()) }
        guard !text.isEmpty, let first = found.first else {
            throw SyncErrors.record("no record begins with \(text)", at: .parameter("record"))
        }
        if found.count > 1 {
            throw SyncErrors.record("\(found.count) records begin with \(text)", at: .parameter("record"))
        }
        return first
    }
}

/// `sync status`
struct SyncStatus: CommandProvider {
    let service: SyncService
    var name: String { "sync status" }

    var command: Command {
        Command(
            name, "show the outbox and how far the cloud was read",
            output: .value("record"), effect: .reads,
            examples: [
                .init(
                    "one edit waits", "sync status | get outbox",
                    after: ["device add phone anna", "waypoint add 46.5,7.9 --label Hut | get label"],
                    gives: "1")
            ],
            searchTerms: [
                "how big is the outbox", "length of the queue",
                "is everything uploaded", "waiting changes",
                "is everything synced", "not syncing", "what is waiting", "stuck", "pending changes",
                "not uploaded yet", "unsent", "what is left to send", "is everything saved", "latest data",
                "up to date", "old name on a device", "out of date device",
            ]
        ) { context in
            let device = try service.device(context)
            let store = try service.storeAsEdited(device, context)
            let states = try store.states.list()
            let aside = try store.setAside()
            return .record(
                Record(
                    [
                        ("device", .text(device.name)), ("rule", .text(device.rule.rawValue)),
                        ("records", .integer(states.count { !$0.state.local.isDeleted })),
                        ("outbox", .integer(states.count { $0.state.isDirty })),
                        ("parked", .integer(try store.parkedCount())),
                        (
                            "aside",
                            .integer(
                                states.count { !store.canHold($0.state.local, type: $0.key.type) }
                                    + store.heldBack.count { waiting in
                                        !aside.contains { $0.key == waiting.key }
                                    }
                                    + aside.count)
                        ),
                        ("conflicts", .integer(try store.conflicts().count { !$0.isRestored })),
                        ("read", store.header.token.map { .integer(Int($0.number)) } ?? .nothing),
                    ] + RunSync.remarks(ofAside: aside).asField))
        }
    }
}

/// `sync plan`
struct SyncPlan: CommandProvider {
    let service: SyncService
    var name: String { "sync plan" }

    var command: Command {
        Command(
            name, "show what a sync would push and pull",
            RunSync.cloud,
            output: .rows(["record", "type", "direction", "action", "why"]), effect: .reads,
            examples: [
                .init(
                    "a new waypoint", "sync plan | get action",
                    after: ["device add phone anna", "waypoint add 46.5,7.9 --label Hut | get label"],
                    gives: "create")
            ],
            searchTerms: [
                "what will happen", "what would sync do",
                "what will be uploaded", "before a sync", "not yet uploaded", "preview", "what would be sent",
                "dry run", "before syncing", "next sync",
            ]
        ) { context, cloud in
            let device = try service.device(context)
            let store = try service.store(device, context)
            var cloud = try service.cloud(cloud, device, context)
            let zone: ZoneImage
            do throws(CloudFailure) { zone = try cloud.outline() } catch {
                throw SyncErrors.cloud("\(error)")
            }
            let watch = context.tracing.map { MergeRecorder(limit: $0.limit) }
            watch?.record(MergeSteps.started(device, .now))
            let changes = try MergeRecorder.$current.withValue(watch) {
                try SyncDryRun(rule: device.rule, now: device.now(context)).run(store, zone)
            }
            if let watch {
                for change in changes { watch.record(MergeSteps.planned(change)) }
                watch.record(MergeSteps.dryRunEnded(changes))
                context.tracing?.keep(watch.steps, picture: MergeSteps.picture())
            }
            return .table(
                columns: ["record", "type", "direction", "action", "why"],
                cells: changes.map { cells($0.key, $0.direction, $0.action, $0.why) })
        }.deciding("sync plan", after: SyncExample.conflict)
    }

    private func cells(_ key: RecordKey, _ direction: String, _ action: String, _ why: String) -> [Value] {
        [.text(RecordText.short(key)), .text(key.type.word), .text(direction), .text(action), .text(why)]
    }
}

/// `sync log`
struct SyncLog: CommandProvider {
    let service: SyncService
    var name: String { "sync log" }

    var command: Command {
        Command(
            name, "list the decisions of this device's syncs",
            output: .rows(["time", "record", "kind", "detail"]), effect: .reads,
            examples: [.init("none yet", "sync log | count", after: ["device add phone anna"], gives: "0")],
            searchTerms: [
                "history of a record", "history of one record", "lost edit", "sync history", "what happened",
                "lost writes", "journal",
            ]
        ) { context in
            let store = try service.store(try service.device(context), context)
            return .table(
                columns: ["time", "record", "kind", "detail"],
                cells: try store.log().map {
                    [
                        .date($0.time), Value($0.key) { .text(RecordText.short($0)) }, .text($0.kind),
                        .text($0.detail),
                    ]
                })
        }
    }
}

/// `sync explain`
struct ExplainRecord: CommandProvider {
    let service: SyncService
    var name: String { "sync explain" }

    var command: Command {
        Command(
            name, "explain a record's values or its deletion",
            .positional("record", .text, "first letters of the record's id"),
            output: .rows(["what", "value", "why"]), effect: .reads,
            examples: [
                .init(
                    "a missing one", "expect-error E-SYNC-RECORD sync explain 0000",
                    after: ["device add phone anna"])
            ],
            searchTerms: [
                "come back after sync", "deleted record came back",
                "did not arrive", "missing on the other device", "why is it not there",
                "changes do not appear",
                "my change is gone", "why did my change disappear", "overwritten",
                "lost edit", "why was it overwritten", "what happened to my edit",
                "who deleted", "who changed", "who deleted my waypoint", "not on my phone",
                "edit disappeared", "where did my note go",
            ]
        ) { context, record in
            let device = try service.device(context)
            let register = try service.register(context)
            let store = try service.storeAsEdited(device, context)
            let states = try store.states.list()
            let key = try RecordText.key(record, in: states.map(\.key))
            guard let state = try store.state(key) else { return .nothing }
            let names = Dictionary(
                try register.all().map { ($0.identifier, $0.name) }, uniquingKeysWith: { first, _ in first })
            func who(_ stamp: Stamp) -> String {
                let name = names[stamp.device] ?? "an unknown device"
                guard let time = stamp.milliseconds else { return "\(name), at an unknown time" }
                return "\(name), \(ISO8601.text(Timestamp(milliseconds: time), fraction: .never))"
            }
            var rows: [[Value]] = []
            let word = state.local.isDeleted ? "deleted" : "incarnation \(state.local.incarnation)"
            let reason =
                state.local.isDeleted
                ? "by \(who(state.local.stamp))"
                : state.isDirty ? "not sent yet" : "saved as change \(state.tag)"
            rows.append([.text("record"), .text(word), .text(reason)])
            for field in state.local.fields where field.value != .absent {
                rows.append([
                    .text(field.key), RecordText.value(field.value), .text("written by \(who(field.stamp))"),
                ])
            }
            for conflict in try store.conflicts() where conflict.key == key {
                rows.append([
                    .text("lost: \(conflict.loser.field)"), RecordText.value(conflict.loser.value),
                    .text("\(conflict.loser.reason.words); was by \(who(conflict.loser.stamp))"),
                ])
            }
            for note in try store.log() where note.key == key {
                rows.append([.text(note.kind), .nothing, .text(note.detail)])
            }
            return .table(columns: ["what", "value", "why"], cells: rows)
        }
    }
}

/// `sync rule`
struct SyncRuleCommand: CommandProvider {
    let service: SyncService

    var name: String { "sync rule" }

    var command: Command {
        Command(
            name, "show or set the conflict rule",
            details: """
                Applies to the device in use. `seed` demonstrates the faults of last writer wins: whole records, \
                the newer modifiedAt wins, no tombstones, no check of the version a save was based on.
                """,
            .optional("rule", .choice(of: SyncRule.self) { $0.words }, "conflict rule to use"),
            output: .value("text"), effect: .changes,
            examples: [.init("the default", "sync rule", after: ["device add phone anna"], gives: "merge")],
            searchTerms: [
                "which edit wins", "who wins", "last write wins", "resolve conflicts", "last writer",
                "conflict strategy",
            ]
        ) { context, rule in
            var device = try service.device(context)
            if let rule {
                device.rule = rule
                try service.register(context).save(device)
            }
            return .text(device.rule.rawValue)
        }
    }
}
