import PluginKit

/// Devices, a cloud, and the messages between them, in virtual time. The devices run the engine that `sync` runs.
package struct SimulatedWorld<Cloud: CloudBackend, Store: SimulatedDeviceStore> {
    /// One device.
    package struct Device {
        package var store: Store
        var machine: SyncMachine
        /// The step to which it has no connection.
        var offlineUntil = 0
        /// The step to which messages from and to it are delayed.
        var heldUntil = 0
        /// Whether it is signed in to the other account.
        var isElsewhere = false
        /// A copy of its data, with the user's unseen deletions.
        var backup: (data: Store.Inside.Backup, unseen: [Int32])?
        /// Offset of its clock in milliseconds; positive is ahead.
        var skew: Int64 = 0
        /// The number of writes of the next transition after which its process ends.
        var writesUntilCrash: Int?

        /// Runs the engine on the store.
        mutating func work<T>(
            at now: Int64, _ body: (inout SyncMachine, inout Store, Int64) throws -> T
        ) rethrows -> T {
            try body(&machine, &store, now + skew)
        }
    }

    /// A message in transit.
    struct Message {
        let device: Int
        let number: UInt64
        /// Whether it goes to the other account's zone.
        let isElsewhere: Bool
        let content: Content

        enum Content {
            case request(CloudRequest)
            case reply(CloudReply)
        }
    }

    package internal(set) var devices: [Device]
    package var cloud: Cloud
    var now: Int64 = SimulationSettings.start
    var ledger: Ledger
    var messages: [Message] = []
    /// Whether states are recorded for a trace.
    var isWatched = false
    /// Number of the current step.
    var present = 0
    /// The zone of another account, with a record of its own.
    var other = SimulationSettings.otherZone
    /// Records in transit over the watch link.
    var parcels: [(to: Int, parcel: LinkParcel)] = []
    /// The conflict logs of devices whose data is gone.
    var lostLogs: [SimulatedStore.KeptLoser] = []
    var unknownSaves: UInt64 = 0
    /// The write that created each blob of real bytes.
    var writesOfBlobs: [BlobReference: Int32] = [:]
    var copies: [(zone: ZoneImage, deleted: Set<Int32>)] = []
    /// Values removed from the cloud by deletions, if watched.
    var deletedValues: Set<Int32> = []
    var saves: [CloudRequest] = []
    /// Operations that the cloud lost when it was restored without a new epoch.
    var lostOperations: Set<OperationID> = []
    /// Photos that the cloud has lost or damaged.
    var lostPhotos: Set<BlobReference> = []
    var restores: UInt64 = 0
    /// Whether the cloud was restored without a new epoch.
    var wasPutBack = false
    let setup: SimulationSetup

    /// A world before the first step. `store` builds each device's store around the simulator's own.
    package init(_ setup: SimulationSetup, cloud: Cloud, store: (SimulatedStore) -> Store) {
        let stores = (0..<setup.devices).map { index in
            store(
                SimulatedStore(
                    device: UInt64(index + 1), records: setup.records,
                    // One device's app is newer than the others and has one more field.
                    schema: index == 0 ? SimulationSettings.newerSchema : SimulationSettings.schema))
        }
        self.init(setup, cloud: cloud, stores: stores)
    }

    /// A world of unused stores, one per device.
    package init(_ setup: SimulationSetup, cloud: Cloud, stores: [Store]) {
        self.setup = setup
        self.cloud = cloud
        ledger = Ledger(devices: setup.devices, records: setup.records)
        devices = stores.map { Device(store: $0, machine: Self.machine(setup)) }
    }

    static func machine(_ setup: SimulationSetup) -> SyncMachine {
        var machine = SyncMachine(
            rule: setup.rule, batch: SimulationSettings.batch, page: SimulationSettings.page)
        machine.mayDeleteMany = true
        machine.reports = true
        return machine
    }

    // MARK: Steps

    /// Runs a schedule without a trace.
    package mutating func run(_ actions: [SimulatedAction]) throws {
        var none = NoTrace()
        try run(actions, trace: &none)
    }

    /// Runs a schedule and lets all devices sync until they are equal. Throws the first violation.
    package mutating func run<R: TraceRecorder>(_ actions: [SimulatedAction], trace: inout R) throws {
        for action in actions {
            let did = try step(action)
            if isWatched {
                // A message may be for another device than that of the step.
                let device = did.device ?? action.device % devices.count
                trace.record(
                    snapshot(action.kind.rawValue, "device \(device) \(did.text)", device: device))
            }
        }
        try settle(trace: &trace)
        if setup.checksRedelivery { try redeliver() }
    }

    /// Performs one step; returns a description while tracing.
    mutating func step(_ action: SimulatedAction) throws -> StepResult {
        now += Int64(action.choice & 0x3fff) + 1
        present += 1
        let index = action.device % devices.count
        let record = action.record % setup.records
        switch action.kind {
        case .edit: return try edit(index, record, action.choice)
        case .delete: return try delete(index, record)
        case .sync: return try sync(index, action.choice)
        case .deliver:
            if messages.isEmpty { return try advance(index) }
            return try deliver(setup.faults.has(.reorder) ? action.choice % messages.count : 0)
        case .lose:
            if messages.isEmpty { return "" }
            messages.remove(at: action.choice % messages.count)
            return "a message is lost"
        case .duplicate:
            if messages.isEmpty || messages.count > SimulationSettings.mostMessages { return "" }
            messages.append(messages[action.choice % messages.count])
            return "a message is repeated"
        case .timeout: return try timeOut(index)
        case .crash:
            try crash(index)
            return "its process ends"
        case .crashMid:
            devices[index].writesUntilCrash = action.choice % SimulationSettings.writesToCrash
            return "its process will end soon"
        case .offline:
            devices[index].offlineUntil = present + 1 + action.choice % SimulationSettings.longestOutage
            return "goes offline for a while"
        case .hold:
            devices[index].heldUntil = present + 1 + action.choice % SimulationSettings.longestOutage
            return "its messages are delayed"
        case .skew:
            devices[index].skew = Self.skew(action.choice)
            return "its clock is wrong"
        case .copy:
            copies = [(try cloud.image(), deletedValues)]
            return "the cloud is backed up"
        case .restore: return try restore(isAnnounced: true)
        case .putBack: return try restore(isAnnounced: false)
        case .backup: return try backUp(index)
        case .bringBack: return try bringBack(index)
        case .clone: return try clone(index, action.choice)
        case .reinstall: return try reinstall(index)
        case .account: return try changeAccount(index)
        case .unknown: return try saveUnknown()
        case .link: return try sendOverLink(index, record)
        case .relay: return try relay(action.choice)
        case .losePhoto: return try losePhoto(action.choice)
        case .copyStore: return try copyStore(index)
        case .olderStore: return try bringStoreBack(index)
        case .emptyStore: return try emptyStore(index)
        case .answer: return try answerEmptied(index)
        case .spoil: return try spoil(index, record, true)
        case .mend: return try spoil(index, record, false)
        case .grow: return try setColumn(index, true)
        case .shrink: return try setColumn(index, false)
        case .farClock:
            // The clock is looked at before a sync.
            if devices[index].machine.isRunning { return "" }
            devices[index].skew = SimulationSettings.farAhead
            return "its clock is years ahead"
        case .forget:
            try forget(action.choice)
            return "the cloud discards old tombstones and settled operations"
        }
    }

    /// By minutes, or by hours.
    static func skew(_ choice: Int) -> Int64 {
        let (most, unit) =
            choice & 0x8000 == 0
            ? (SimulationSettings.secondsAhead, Int64(1000)) : (SimulationSettings.minutesAhead, 60_000)
        return Int64((choice & 0x7fff) % (2 * most + 1) - most) * unit
    }

    /// Whether a device neither syncs nor uses the watch link, because its clock is far off.
    func waitsForClock(_ index: Int) -> Bool {
        !setup.trustsFarClocks && SyncSettings.isFar(devices[index].skew)
    }

    func isOffline(_ index: Int) -> Bool { present < devices[index].offlineUntil }

    /// Starts a sync, or continues a running one for a few messages.
    mutating func sync(_ index: Int, _ choice: Int) throws -> StepResult {
        let exchanges = (choice >> 12) & 0xf
        var did: StepResult = ""
        if !devices[index].machine.isRunning {
            let isSending = choice & 3 == 3
            did = try begin(index, isSending ? .push : .now)
        } else if !messages.contains(where: { $0.device == index }) {
            did = try timeOut(index)
        }
        for _ in 0..<exchanges where devices[index].machine.isRunning {
            guard let first = messages.firstIndex(where: { $0.device == index }) else { break }
            did = try deliver(first)
        }
        return did
    }

    /// Without a message to deliver, times out a running sync of the device, or starts one.
    mutating func advance(_ index: Int) throws -> StepResult {
        devices[index].machine.isRunning ? try timeOut(index) : try begin(index, .now)
    }

    mutating func restore(isAnnounced: Bool) throws -> StepResult {
        guard let copy = copies.last, restores < SimulationSettings.restores else { return "" }
        restores += 1
        deletedValues = copy.deleted
        try cloud.restore(copy.zone, epoch: isAnnounced ? SimulationSettings.firstEpoch + restores : nil)
        if !isAnnounced {
            wasPutBack = true
            for request in saves {
                guard case .save(_, _, let operations) = request else { continue }
                for id in operations.map(\.id) where copy.zone.lacks(id) { lostOperations.insert(id) }
            }
        }
        return isAnnounced
            ? "the cloud is restored from the backup" : "the cloud is restored without a new epoch"
    }
}

extension ZoneImage {
    /// Whether an operation is unknown to the zone, and was not discarded there either.
    func lacks(_ id: OperationID) -> Bool {
        operations[id] == nil && id.number > floors[id.device] ?? 0
    }
}
