import CivilTime
import PluginKit
import Synchronization

/// Sees the merges of a sync that is traced.
final class MergeWatch: Sendable {
    /// Who watches the syncs of this task; `nil` while nobody records.
    @TaskLocal static var current: MergeWatch?

    private let log: Mutex<TraceLog>

    /// What the other side of each merge is called.
    let other: String

    init(limit: Int, other: String = "cloud") {
        log = Mutex(TraceLog(limit: limit))
        self.other = other
    }

    /// What was seen.
    var steps: TraceLog { log.withLock { $0 } }

    /// Records a step beside those of merges.
    func record(_ step: TraceStep) { log.withLock { $0.record(step) } }

    /// Records a merge: the record, then each field that a side changed.
    func see(
        _ key: RecordKey, base: Version?, local: Version, server: Version, _ outcome: MergeOutcome,
        _ rule: SyncRule
    ) {
        record(MergeSteps.record(key, base, local, server, outcome, rule, other))
        guard !local.isDeleted, !server.isDeleted else { return }
        let keys = Set((local.fields + server.fields).map(\.key)).sorted()
        for field in keys
        where base?.value(field) != local.value(field) || base?.value(field) != server.value(field) {
            record(MergeSteps.field(field, base, local, server, outcome, other))
        }
    }
}

/// The steps of a sync: which records met, and what became of each field.
enum MergeSteps {
    static func started(_ device: DeviceEntry, _ mode: SyncMachine.Mode) -> TraceStep {
        .start(
            [
                ("device", .text(device.name)), ("mode", .text(mode.rawValue)),
                ("rule", .text(device.rule.rawValue)),
            ],
            why: mode == .push
                ? "what was changed here is sent; a record that the cloud has newer is merged first"
                : "what is new in the cloud comes first; a record that was changed here too is merged by field"
        )
    }

    static func ended(_ counts: SyncCounts) -> TraceStep {
        .end(
            [
                ("pulled", .integer(counts.pulled)), ("pushed", .integer(counts.pushed)),
                ("deleted", .integer(counts.deleted)),
            ], why: "the cloud has nothing newer, and the outbox is sent or waits for the next sync")
    }

    /// A change that a sync would make.
    static func planned(_ change: DrySync.Change) -> TraceStep {
        TraceStep(
            "plan",
            [
                ("record", .text(RecordText.short(change.key))), ("type", .text(change.key.type.word)),
                ("direction", .text(change.direction)), ("action", .text(change.action)),
            ], why: change.why)
    }

    static func rehearsed(_ changes: [DrySync.Change]) -> TraceStep {
        .end(
            [
                ("pull", .integer(changes.count { $0.direction == "pull" })),
                ("push", .integer(changes.count { $0.direction == "push" })),
            ], why: "the sync ran on a copy of the device and of the cloud: nothing is changed")
    }

    static func delivered(_ items: Int) -> TraceStep {
        .end(
            [("items", .integer(items))],
            why: "nothing is left in the queue that can be delivered now")
    }

    /// An item of the watch link that was handed over.
    static func item(_ type: String, to receiver: String, channel: String, outcome: String) -> TraceStep {
        let why =
            switch outcome {
            case "applied": "the receiver took it over"
            case "duplicate": "the receiver had it before: nothing changes"
            case "stale": "the receiver has something newer: nothing changes"
            case "conflict": "both sides had changed a field: one value stands, the other is kept aside"
            case "unknown": "the receiver has no handler for this type, and keeps it"
            default: outcome
            }
        return TraceStep(
            "item",
            [
                ("type", .text(type)), ("to", .text(receiver)), ("channel", .text(channel)),
                ("outcome", .text(outcome)),
            ],
            why: why)
    }

    static func queued(_ count: Int) -> TraceStep {
        .start(
            [("items", .integer(count))],
            why:
                "each item goes to its receiver in the order of its channel; a record that was changed there, too, is merged"
        )
    }

    static func record(
        _ key: RecordKey, _ base: Version?, _ local: Version, _ server: Version, _ outcome: MergeOutcome,
        _ rule: SyncRule, _ other: String
    ) -> TraceStep {
        func state(_ version: Version?) -> Value {
            guard let version else { return .text("unknown") }
            return .text(version.isDeleted ? "deleted" : version == base ? "as before" : "changed")
        }
        return TraceStep(
            "merge",
            [
                ("record", .text(RecordText.short(key))), ("type", .text(key.type.word)),
                ("here", state(local)),
                (other, state(server)), ("conflicts", .integer(outcome.losers.count)),
            ], why: why(base, local, server, outcome, rule, other))
    }

    private static func why(
        _ base: Version?, _ local: Version, _ server: Version, _ outcome: MergeOutcome, _ rule: SyncRule,
        _ other: String
    ) -> String {
        if rule == .seed { return "by the seed's rule the newer record replaces the whole other" }
        if local == base || local == server {
            return "nothing was changed here: the \(other)'s version is taken"
        }
        if local.isDeleted || server.isDeleted {
            return outcome.version.isDeleted
                ? "one side deleted the record: the deletion stands, and what the other changed is kept aside"
                : "one side deleted the record, and by this rule the other's edit makes it again"
        }
        return base == nil
            ? "both sides have the record and no common version is known: each difference is a conflict"
            : "both sides changed the record since the version that they share: the fields decide one by one"
    }

    static func field(
        _ key: String, _ base: Version?, _ local: Version, _ server: Version, _ outcome: MergeOutcome,
        _ other: String
    ) -> TraceStep {
        func stamp(_ version: Version) -> Value {
            Value(version[key]?.stamp.milliseconds) { .date(Timestamp(milliseconds: $0)) }
        }
        let (mine, theirs, old) = (local.value(key), server.value(key), base?.value(key) ?? .absent)
        let result = outcome.version.value(key)
        let loser = outcome.losers.first { $0.field == key }
        let why =
            mine == theirs
            ? "both sides have the same value"
            : loser.map { "both sides changed it: \($0.reason.words)" }
                ?? (mine == old
                    ? "only the \(other)'s side changed it"
                    : theirs == old ? "only this side changed it" : "the newer moment stands")
        return TraceStep(
            "field",
            [
                ("field", .text(key)), ("before", RecordText.value(old)), ("here", RecordText.value(mine)),
                (other, RecordText.value(theirs)), ("hereAt", stamp(local)), ("\(other)At", stamp(server)),
                ("result", RecordText.value(result)),
                ("outcome", .text(loser != nil ? "conflict" : result == mine ? "here" : other)),
            ], why: why)
    }

    /// The fields of the record that is merged, the three versions side by side; without a merge what goes where.
    static func picture(_ other: String = "cloud") -> BoardPicturing {
        BoardPicturing { steps in
            guard let first = steps.lastIndex(where: { $0.kind == "merge" }),
                !steps[first...].contains(where: { ["item", "plan"].contains($0.kind) })
            else {
                return StepBoard(
                    "what goes where", listing: ["item", "plan", "merge"], of: steps,
                    columns: ["record", "type", "direction", "to", "action", "outcome"]
                ) { _ in .kept }
            }
            let record = steps[first].values["record"].map(StepBoard.text) ?? ""
            return StepBoard(
                "record \(record): before, here, in the \(other)", listing: ["field"], of: steps[first...],
                columns: ["field", "before", "here", other, "result", "hereAt", "\(other)At"]
            ) { step in step.values["outcome"].map(StepBoard.text) == "conflict" ? .refused : .kept }
        }
    }
}
