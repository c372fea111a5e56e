import SyncPlugin

/// A fault of the devices or the cloud, planted around the real ones to see that the simulator catches it.
package struct PlantedFault: Sendable {
    /// What is wrong.
    package let name: String
    /// Runs a schedule with the fault; returns the violation.
    package let run: @Sendable ([SimulatedAction], SimulationSetup) -> Violation?

    /// A fault of the rule or the messages, or none.
    private init(_ name: String, _ change: @escaping @Sendable (inout SimulationSetup) -> Void) {
        self.name = name
        run = { actions, setup in
            Self.play(actions, setup, Simulation.memory, { $0 }, change)
        }
    }

    /// A fault of the cloud.
    private init<C: CloudBackend & SendableMetatype>(
        _ name: String, cloud: @escaping @Sendable (MemoryZone) -> C
    ) {
        self.name = name
        run = { actions, setup in
            Self.play(actions, setup, cloud(Simulation.memory), { $0 }) { $0.looksAtEverySave = true }
        }
    }

    /// A fault of a device's store, or of what the engine does with it.
    private init<S: SimulatedDeviceStore & SendableMetatype>(
        _ name: String, store: @escaping @Sendable (SimulatedStore) -> S
    ) {
        self.name = name
        run = { actions, setup in Self.play(actions, setup, Simulation.memory, store) { _ in } }
    }

    /// A fault that needs both.
    private init<C: CloudBackend & SendableMetatype, S: SimulatedDeviceStore & SendableMetatype>(
        _ name: String, cloud: @escaping @Sendable (MemoryZone) -> C,
        store: @escaping @Sendable (SimulatedStore) -> S
    ) {
        self.name = name
        run = { actions, setup in Self.play(actions, setup, cloud(Simulation.memory), store) { _ in } }
    }

    private static func play<C: CloudBackend, S: SimulatedDeviceStore>(
        _ actions: [SimulatedAction], _ setup: SimulationSetup, _ cloud: C, _ store: (SimulatedStore) -> S,
        _ change: (inout SimulationSetup) -> Void
    ) -> Violation? {
        var setup = setup
        change(&setup)
        var world = SimulatedWorld(setup, cloud: cloud, store: store)
        return Simulation.violation { try world.run(actions) }
    }

    /// All of them.
    package static let all: [PlantedFault] = [
        PlantedFault("whole records, last writer wins") { $0.rule = .seed },
        PlantedFault("no tombstones", cloud: { ForgottenDeletions(base: $0) }),
        PlantedFault("no operation identifiers", cloud: { UnnumberedOperations(base: $0) }),
        PlantedFault("no check of what a save is based on", cloud: { UncheckedTags(base: $0) }),
        PlantedFault("token before apply", store: { TokenBeforeApply(base: $0) }),
        PlantedFault("numbers of a sequence", cloud: { SequenceNumbers(base: $0) }),
        PlantedFault("the head as token", cloud: { HeadAsToken(base: $0) }),
        PlantedFault("outbox cleared on send", store: { OutboxClearedOnSend(base: $0) }),
        PlantedFault(
            "an acknowledgement marks the present content", store: { PresentAcknowledged(base: $0) }),
        PlantedFault("an acknowledgement taken for any operation") { $0.mixesUpAnswers = true },
        PlantedFault(
            "sent again with other content, and taken for the same", cloud: { IdentifierAlone(base: $0) },
            store: { PresentResent(base: $0) }),
        PlantedFault("pull over edits", store: { PulledOverEdits(base: $0) }),
        PlantedFault("blob after record", cloud: { LateBlobs(base: $0) }),
        PlantedFault("made again as the same incarnation", store: { SameIncarnation(base: $0) }),
        PlantedFault("neither epoch nor history looked at", cloud: { EpochIgnored(base: $0) }),
        PlantedFault("floor not looked at", cloud: { FloorIgnored(base: $0) }),
        PlantedFault("what a full fetch lacks is kept", store: { MissingKept(base: $0) }),
        PlantedFault("intents forgotten", store: { IntentsForgotten(base: $0) }),
        PlantedFault("unknown fields dropped", store: { UnknownFieldsDropped(base: $0) }),
        PlantedFault("an operation known by its identifier alone", cloud: { IdentifierAlone(base: $0) }),
        PlantedFault("a copy keeps its identity", store: { IdentityKept(base: $0) }),
        PlantedFault("history not looked at", cloud: { HistoryIgnored(base: $0) }),
        PlantedFault(
            "what a cloud lacks that was put back is not sent again", store: { LostNotSent(base: $0) }),
        PlantedFault("marks of the history forgotten", store: { MarksForgotten(base: $0) }),
        PlantedFault("an installed app keeps the token") { $0.keepsToken = true },
        PlantedFault("another account taken for the same") { $0.forgetsAccount = true },
        PlantedFault("an unknown type ends the page", cloud: { UnknownEndsPage(base: $0) }),
        PlantedFault("what comes over the watch link is written over what is there") {
            $0.linkOverwrites = true
        },
        PlantedFault("a late item of the watch link makes a record again", cloud: { SinceIgnored(base: $0) }),
    ]
}
