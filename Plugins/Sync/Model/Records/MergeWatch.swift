import CivilTime
import PluginKit
import Synchronization

/// Sees the merges of a sync that is traced.
final class MergeWatch: Sendable {
    /// Who watches the syncs of this task; `nil` while nobody records.
    @TaskLocal static var current: MergeWatch?

    private let log: Mutex<TraceLog>

    init(limit: Int) { log = Mutex(TraceLog(limit: limit)) }

    /// What was seen.
    var steps: TraceLog { log.withLock { $0 } }

    /// Records a step beside those of merges.
    func record(_ step: TraceStep) { log.withLock { $0.record(step) } }

    /// Records a merge: the record, then each field that a side changed.
    func see(
        _ key: RecordKey, base: Version?, local: Version, server: Version, _ outcome: MergeOutcome,
        _ rule: SyncRule
    ) {
        record(MergeSteps.record(key, base, local, server, outcome, rule))
        guard !local.isDeleted, !server.isDeleted else { return }
        let keys = Set((local.fields + server.fields).map(\.key)).sorted()
        for field in keys
        where base?.value(field) != local.value(field) || base?.value(field) != server.value(field) {
            record(MergeSteps.field(field, base, local, server, outcome))
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

    static func record(
        _ key: RecordKey, _ base: Version?, _ local: Version, _ server: Version, _ outcome: MergeOutcome,
        _ rule: SyncRule
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
                ("cloud", state(server)), ("conflicts", .integer(outcome.losers.count)),
            ], why: why(base, local, server, outcome, rule))
    }

    private static func why(
        _ base: Version?, _ local: Version, _ server: Version, _ outcome: MergeOutcome, _ rule: SyncRule
    ) -> String {
        if rule == .seed { return "by the seed's rule the newer record replaces the whole other" }
        if local == base || local == server {
            return "nothing was changed here: the cloud's version is taken"
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
        _ key: String, _ base: Version?, _ local: Version, _ server: Version, _ outcome: MergeOutcome
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
                    ? "only the cloud's side changed it"
                    : theirs == old ? "only this side changed it" : "the newer moment stands")
        return TraceStep(
            "field",
            [
                ("field", .text(key)), ("before", RecordText.value(old)), ("here", RecordText.value(mine)),
                ("cloud", RecordText.value(theirs)), ("hereAt", stamp(local)), ("cloudAt", stamp(server)),
                ("result", RecordText.value(result)),
                ("outcome", .text(loser != nil ? "conflict" : result == mine ? "here" : "cloud")),
            ], why: why)
    }

    /// The fields of the record that is merged, the three versions side by side.
    static let picture = BoardPicturing { steps in
        let first = steps.lastIndex { $0.kind == "merge" } ?? steps.startIndex
        let record =
            steps.indices.contains(first) ? steps[first].values["record"].map(StepBoard.text) ?? "" : ""
        return StepBoard(
            record.isEmpty ? "sync" : "record \(record): before, here, in the cloud", listing: ["field"],
            of: steps[first...], columns: ["field", "before", "here", "cloud", "result", "hereAt", "cloudAt"]
        ) { step in step.values["outcome"].map(StepBoard.text) == "conflict" ? .refused : .kept }
    }
}
