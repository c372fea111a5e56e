/// A fault of the devices or the cloud that can be switched on, to see that the simulator catches it.
struct PlantedFault: Sendable {
    /// What is wrong.
    let name: String
    private let plant: @Sendable (inout SyncRules) -> Void

    /// The right rules with this fault.
    var rules: SyncRules {
        var rules = SyncRules.merge
        plant(&rules)
        return rules
    }

    /// All of them.
    static let all: [PlantedFault] = [
        PlantedFault(name: "whole records, last writer wins") { $0.wholeRecords = true },
        PlantedFault(name: "no tombstones") { $0.forgetsDeletions = true },
        PlantedFault(name: "no operation identifiers") { $0.noOperationIdentifiers = true },
        PlantedFault(name: "no check of what a save is based on") { $0.noTagCheck = true },
        PlantedFault(name: "token before apply") { $0.tokenBeforeApply = true },
        PlantedFault(name: "numbers of a sequence") { $0.sequenceNumbers = true },
        PlantedFault(name: "the head as token") { $0.tokenIsHead = true },
        PlantedFault(name: "outbox cleared on send") { $0.outboxClearedOnSend = true },
        PlantedFault(name: "an acknowledgement marks the present content") { $0.acknowledgesPresent = true },
        PlantedFault(name: "an acknowledgement taken for any operation") {
            $0.acknowledgesAnyOperation = true
        },
        PlantedFault(name: "sent again with other content") { $0.resendsOtherContent = true },
        PlantedFault(name: "pull over edits") { $0.pullsOverEdits = true },
        PlantedFault(name: "blob after record") { $0.blobAfterRecord = true },
        PlantedFault(name: "made again as the same incarnation") { $0.sameIncarnation = true },
        PlantedFault(name: "epoch not looked at") { $0.ignoresEpoch = true },
        PlantedFault(name: "floor not looked at") { $0.ignoresFloor = true },
        PlantedFault(name: "what a full fetch lacks is kept") { $0.keepsMissing = true },
        PlantedFault(name: "intents forgotten") { $0.forgetsIntents = true },
        PlantedFault(name: "unknown fields dropped") { $0.dropsUnknownFields = true },
    ]
}
