import CivilTime
import PluginKit
import Synchronization

/// Records the merges of a traced sync.
final class MergeRecorder: Sendable {
    /// The recorder of the current task; `nil` if nothing is recorded.
    @TaskLocal static var current: MergeRecorder?

    private let log: Mutex<TraceLog>

    /// The name of the other side of each merge.
    let other: String

    init(limit: Int, other: String = "cloud") {
        log = Mutex(TraceLog(limit: limit))
        self.other = other
    }

    /// The recorded steps.
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

/// The steps of a sync: the merged records, and the result of each field.
enum MergeSteps {
    static func started(_ device: DeviceEntry, _ mode: SyncMachine.Mode) -> TraceStep {
        .start(
            [
                ("device", .text(device.name)), ("mode", .text(mode.rawValue)),
                ("rule", .text(device.rule.rawValue)),
            ],
            why: mode == .push
                ? "local changes are sent; a record that is newer in the cloud is merged first"
                : "new changes of the cloud come first; a record that was also changed here is merged by field"
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
    static func planned(_ change: SyncDryRun.Change) -> TraceStep {
        TraceStep(
            "plan",
            [
                ("record", .text(RecordText.short(change.key))), ("type", .text(change.key.type.word)),
                ("direction", .text(change.direction)), ("action", .text(change.action)),
            ], why: change.why)
    }

    static func dryRunEnded(_ changes: [SyncDryRun.Change]) -> TraceStep {
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
            case "applied": "the receiver applied it"
            case "duplicate": "the receiver already had it: nothing changes"
            case "stale": "the receiver has something newer: nothing changes"
            case "conflict": "both sides changed a field: one value wins, the other is kept"
            case "waits": "the receiver's row or its store cannot be read: the item stays in the queue"
            case "unknown": "the receiver has no handler for this type, and stores it"
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
        if rule == .seed { return "by the seed's rule the newer record replaces the other completely" }
        if local == base || local == server {
            return "nothing was changed here: the \(other)'s version is taken"
        }
        if local.isDeleted || server.isDeleted {
            return outcome.version.isDeleted
                ? "one side deleted the record: the deletion wins, and the other side's changes are kept"
                : "one side deleted the record, and by this rule the other side's edit recreates it"
        }
        return base == nil
            ? "both sides have the record without a known common version: each difference is a conflict"
            : "both sides changed the record since their common version: it is merged field by field"
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
                    : theirs == old ? "only this side changed it" : "the newer time wins")
        return TraceStep(
            "field",
            [
                ("field", .text(key)), ("before", RecordText.value(old)), ("here", RecordText.value(mine)),
                (other, RecordText.value(theirs)), ("hereAt", stamp(local)), ("\(other)At", stamp(server)),
                ("result", RecordText.value(result)),
                ("outcome", .text(loser != nil ? "conflict" : result == mine ? "here" : other)),
            ], why: why)
    }

    /// The fields of the merged record, the three versions side by side; without a merge, the planned
    /// changes.
    static func picture(_ other: String = "cloud") -> BoardPicturing {
        BoardPicturing { steps in
            guard let first = steps.lastIndex(where: { $0.kind == "merge" }),
                !steps[first...].contains(where: { ["item", "plan"].contains($0.kind) })
            else {
                return StepBoard(
                    "planned changes", listing: ["item", "plan", "merge"], of: steps,
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
