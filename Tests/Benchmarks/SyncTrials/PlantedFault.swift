import SyncPlugin

/// A fault of the devices or the cloud, planted around the real ones to check that the simulator catches it.
package struct PlantedFault: Sendable {
    /// The description of the fault.
    package let name: String
    /// The schedules that can reach it: with all environment faults, or with the required ones.
    package private(set) var setup = SimulationSetup()
    /// A schedule that reaches it, tried before random ones; empty if a few thousand of those suffice.
    private var written = ""
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

    /// A fault of a device's store, or of the engine's use of it.
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

    /// The same, searched for with only these environment faults.
    private func among(_ faults: Fault..., change: (inout SimulationSetup) -> Void = { _ in }) -> PlantedFault
    {
        var fault = self
        fault.setup.faults = Faults(faults)
        change(&fault.setup)
        return fault
    }

    /// The same, searched for with this many devices.
    private func with(devices: Int) -> PlantedFault {
        var fault = self
        fault.setup = SimulationSetup(devices: devices)
        return fault
    }

    /// The same, reached by a schedule written by hand.
    private func reached(by schedule: String) -> PlantedFault {
        var fault = self
        fault.written = schedule
        return fault
    }

    /// How a fault was caught.
    package struct Catch: Sendable {
        /// The number of schedules.
        package let schedules: Int
        /// The failing schedule.
        package let actions: [SimulatedAction]
        package let violation: Violation
    }

    /// Searches for it; `nil` if it was not caught.
    package func hunt(within limit: Int, steps: Int, seed: UInt64) -> Catch? {
        if case .success(let actions) = SimulatedAction.parse(written), let violation = run(actions, setup) {
            return Catch(schedules: 1, actions: actions, violation: violation)
        }
        let found = Simulation.hunt(
            setup, schedules: limit, steps: steps, seed: seed, stopsAtFirst: true, run: run)
        return found.first.map {
            Catch(
                schedules: found.schedules, actions: Simulation.schedule(setup, seed: $0.seed, steps: steps),
                violation: $0.violation)
        }
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

    /// All planted faults.
    package static let all: [PlantedFault] = [
        PlantedFault("whole records, last writer wins") { $0.rule = .seed },
        PlantedFault("no tombstones", cloud: { ForgottenDeletions(base: $0) }),
        PlantedFault("no operation identifiers", cloud: { UnnumberedOperations(base: $0) }),
        PlantedFault("no check of a save's base", cloud: { UncheckedTags(base: $0) }),
        PlantedFault("token before apply", store: { TokenBeforeApply(base: $0) }),
        PlantedFault("numbers from a sequence", cloud: { SequenceNumbers(base: $0) }),
        PlantedFault("the head as token", cloud: { HeadAsToken(base: $0) }),
        PlantedFault("outbox cleared on send", store: { OutboxClearedOnSend(base: $0) }),
        PlantedFault(
            "an acknowledgement marks the present content", store: { PresentAcknowledged(base: $0) }),
        PlantedFault("an acknowledgement matched to any operation") { $0.mixesUpAnswers = true }
            .among(.lostRequest, .lostReply, .duplicate, .reorder, .offline, .partition)
            .reached(
                by: """
                    edit 0 0 0; sync 0 0 28672; duplicate 0 0 0; deliver 0 0 0; deliver 0 0 1; deliver 0 0 1; edit 0 0 1; \
                    sync 0 0 0; deliver 0 0 1; deliver 0 0 1; deliver 0 0 0
                    """),
        PlantedFault(
            "sent again with other content under the same identifier", cloud: { IdentifierAlone(base: $0) },
            store: { PresentResent(base: $0) }),
        PlantedFault("pull over edits", store: { PulledOverEdits(base: $0) }),
        PlantedFault("blob after record", cloud: { LateBlobs(base: $0) }),
        PlantedFault("collects a blob in use", cloud: { BlobsInUseCollected(base: $0) }),
        PlantedFault("recreated as the same incarnation", store: { SameIncarnation(base: $0) }),
        PlantedFault("neither epoch nor history checked", cloud: { EpochIgnored(base: $0) }),
        PlantedFault("floor not checked", cloud: { FloorIgnored(base: $0) }),
        PlantedFault("records missing in a full fetch are kept", store: { MissingKept(base: $0) }),
        PlantedFault("intents forgotten", store: { IntentsForgotten(base: $0) }),
        PlantedFault("unknown fields dropped", store: { UnknownFieldsDropped(base: $0) }),
        PlantedFault("an operation known by its identifier alone", cloud: { IdentifierAlone(base: $0) }),
        PlantedFault("a copy keeps its identity", store: { IdentityKept(base: $0) }),
        PlantedFault("history not checked", cloud: { HistoryIgnored(base: $0) }),
        PlantedFault(
            "records missing in a restored cloud are not sent again", store: { LostNotSent(base: $0) }),
        PlantedFault("marks of the history forgotten", store: { MarksForgotten(base: $0) })
            .among(.putBack, .forget) { $0.watchesDeletions = true }
            .reached(
                by: """
                    edit 0 0 0; sync 0 0 61440; sync 1 0 61440; delete 1 0 0; sync 1 0 61440; copy 0 0 0; edit 0 1 0; \
                    sync 0 0 61443; putBack 0 0 0; forget 0 0 0; sync 0 0 61440
                    """),
        PlantedFault(
            "operations discarded, and performed again when they arrive late",
            cloud: { ForgottenDoneAgain(base: $0) }
        )
        .reached(
            by: """
                edit 0 0 0; sync 0 0 28672; lose 0 0 0; sync 1 0 61440; delete 1 0 0; sync 1 0 61440; forget 0 0 0; \
                sync 0 0 61440; sync 0 0 61440; forget 0 0 0
                """),
        PlantedFault(
            "operations discarded before they are answered", cloud: { UnansweredForgotten(base: $0) }
        )
        .among(.lostRequest, .lostReply, .forget) { $0.watchesDeletions = true }
        .reached(
            by: """
                edit 0 0 0; sync 0 0 28672; lose 0 0 0; sync 1 0 61440; delete 1 0 0; sync 1 0 61440; forget 0 0 0; \
                sync 0 0 61440; sync 0 0 61440
                """),
        PlantedFault("marks of the history discarded by the cloud", cloud: { MarksCollected(base: $0) })
            .among(.forget, .offline) { $0.watchesDeletions = true },
        PlantedFault(
            "records from the watch link treated as part of any history",
            store: { ForeignBasesKept(base: $0) }
        )
        .with(devices: 5)
        .reached(
            by: """
                edit 0 0 0; copy 3 5 0; sync 0 4 62014; link 2 0 0; putBack 2 3 0; relay 2 3 1; sync 1 0 58946; \
                sync 0 3 34543; link 3 0 0; sync 0 1 35624; relay 2 2 26812
                """),
        PlantedFault("an installed app keeps the token") { $0.keepsToken = true },
        PlantedFault("another account treated as the same") { $0.forgetsAccount = true },
        PlantedFault("an unknown type ends the page", cloud: { UnknownEndsPage(base: $0) }),
        PlantedFault("a photo lost by the cloud ends the sync", cloud: { LostPhotoEndsSync(base: $0) }),
        PlantedFault("photos of the same size treated as equal", store: { BlobsBySize(base: $0) }),
        PlantedFault("no note that explains a deletion", store: { NothingNoted(base: $0) }),
        PlantedFault("a replay empties a zone in use", cloud: { ReplayEmptiesZone(base: $0) }),
        PlantedFault("the first account to connect sees all others", cloud: { FirstSeesAll(base: $0) }),
        PlantedFault("a frozen client keeps the zone locked for ever", cloud: { LockHeldForEver(base: $0) }),
        PlantedFault("an older store counts as edits", store: { NothingUndone(base: $0) })
            .among(.olderStore)
            .reached(
                by: """
                    edit 1 0 0; sync 1 0 61440; copyStore 1 0 0; edit 1 0 0; sync 1 0 61440; olderStore 1 0 0
                    """),
        PlantedFault("a new column counts as an edit of every row", store: { NothingUndone(base: $0) })
            .among(.schema)
            .reached(
                by: """
                    edit 0 0 3; edit 0 0 3; sync 0 0 61440; sync 1 0 61440; grow 1 0 0
                    """),
        PlantedFault("an emptied store counts as deletions", store: { UnreadableDeleted(base: $0) })
            .among(.emptiedStore)
            .reached(by: "edit 1 0 0; sync 1 0 61440; emptyStore 1 0 0; sync 1 0 61440"),
        PlantedFault("an unreadable row counts as deleted", store: { UnreadableDeleted(base: $0) })
            .among(.unreadableRow)
            .reached(by: "edit 1 0 0; sync 1 0 61440; spoil 1 0 0; sync 1 0 61440"),
        PlantedFault("a clock that is years ahead is trusted") { $0.trustsFarClocks = true }
            .among(.farClock)
            .reached(by: "edit 1 0 0; farClock 1 0 0; sync 1 0 61440"),
        PlantedFault("records from the watch link overwrite local ones") {
            $0.linkOverwrites = true
        },
        PlantedFault("all of a link sender's knowledge is adopted") { $0.linkTakesAll = true }
            .reached(
                by: """
                    edit 1 3 0; link 1 3 0; edit 2 3 0; sync 2 3 61440; sync 0 3 61440; delete 0 3 0; relay 0 0 2; edit 0 3 0; \
                    link 0 3 0; relay 1 0 2
                    """),
    ]
}
