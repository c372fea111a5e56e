import PluginKit

/// Devices, a cloud, and the messages between them, in virtual time. The devices run the engine that `sync` runs.
package struct SimulatedWorld<Cloud: CloudBackend, Store: SimulatedDeviceStore> {
    /// One device.
    package struct Device {
        package var store: Store
        var machine: SyncMachine
        /// The step until which it has no connection.
        var offlineUntil = 0
        /// The step until which messages from and to it are delayed.
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

    package private(set) var devices: [Device]
    package var cloud: Cloud
    private(set) var now: Int64 = SimulationSettings.start
    private(set) var ledger: Ledger
    private(set) var messages: [Message] = []
    /// Whether states are recorded for a trace.
    var isWatched = false
    /// Number of the current step.
    private(set) var present = 0
    /// The zone of another account, with a record of its own.
    private var other = SimulationSettings.otherZone
    /// Records in transit over the watch link.
    private var parcels: [(to: Int, parcel: LinkParcel)] = []
    /// The conflict logs of devices whose data is gone.
    var lostLogs: [SimulatedStore.KeptLoser] = []
    private var unknownSaves: UInt64 = 0
    /// The write that created each blob of real bytes.
    private var writesOfBlobs: [BlobReference: Int32] = [:]
    private var copies: [(zone: ZoneImage, deleted: Set<Int32>)] = []
    /// Values removed from the cloud by deletions, if watched.
    private var deletedValues: Set<Int32> = []
    private var saves: [CloudRequest] = []
    /// Photos that the cloud has lost or damaged.
    private(set) var lostPhotos: Set<BlobReference> = []
    private var restores: UInt64 = 0
    /// Whether the cloud was restored without a new epoch.
    private(set) var wasPutBack = false
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

    private static func machine(_ setup: SimulationSetup) -> SyncMachine {
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
    private mutating func step(_ action: SimulatedAction) throws -> StepResult {
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
        case .forget:
            try forget(action.choice)
            return "the cloud discards old tombstones and settled operations"
        }
    }

    /// By minutes, or by hours.
    private static func skew(_ choice: Int) -> Int64 {
        let (most, unit) =
            choice & 0x8000 == 0
            ? (SimulationSettings.secondsAhead, Int64(1000)) : (SimulationSettings.minutesAhead, 60_000)
        return Int64((choice & 0x7fff) % (2 * most + 1) - most) * unit
    }

    private func isOffline(_ index: Int) -> Bool { present < devices[index].offlineUntil }

    /// Starts a sync, or continues a running one for a few messages.
    private mutating func sync(_ index: Int, _ choice: Int) throws -> StepResult {
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
    private mutating func advance(_ index: Int) throws -> StepResult {
        devices[index].machine.isRunning ? try timeOut(index) : try begin(index, .now)
    }

    private mutating func restore(isAnnounced: Bool) throws -> StepResult {
        guard let copy = copies.last, restores < SimulationSettings.restores else { return "" }
        restores += 1
        deletedValues = copy.deleted
        try cloud.restore(copy.zone, epoch: isAnnounced ? SimulationSettings.firstEpoch + restores : nil)
        if !isAnnounced {
            wasPutBack = true
            // The simulator does not model that the newer app detects the restore and sends the loss again;
            // without that, its old requests are new to the zone.
            saves.removeAll {
                guard case .save(_, _, let operations) = $0 else { return false }
                return operations.contains { $0.id.device == SimulationSettings.newerDevice }
            }
        }
        return isAnnounced
            ? "the cloud is restored from the backup" : "the cloud is restored without a new epoch"
    }

    // MARK: Copies of devices

    private mutating func backUp(_ index: Int) throws -> StepResult {
        devices[index].backup = (try devices[index].store.simulated.backup, ledger.unseen(index))
        return "its data is backed up"
    }

    private mutating func bringBack(_ index: Int) throws -> StepResult {
        guard let backup = devices[index].backup else { return "" }
        try lose(index)
        try devices[index].store.simulated.bringBack(backup.data)
        ledger.setUnseen(index, backup.unseen)
        try settleForgottenDeletions()
        return "its data is restored from the backup"
    }

    private mutating func clone(_ index: Int, _ choice: Int) throws -> StepResult {
        let target = (index + 1 + choice % (devices.count - 1)) % devices.count
        // The older app cannot use copies of the newer app's data.
        guard devices[target].store.simulated.schema == devices[index].store.simulated.schema else {
            return ""
        }
        try lose(target)
        try devices[target].store.simulated.bringBack(try devices[index].store.simulated.backup)
        ledger.setUnseen(target, ledger.unseen(index))
        try settleForgottenDeletions()
        return "its data is copied to device \(target)"
    }

    private mutating func reinstall(_ index: Int) throws -> StepResult {
        try lose(index)
        let token = setup.keepsToken ? devices[index].store.simulated.header.token : nil
        try devices[index].store.simulated.reinstall(keeping: token)
        ledger.setUnseen(index, Array(repeating: 0, count: setup.records))
        try settleForgottenDeletions()
        return "is installed again"
    }

    /// A device's data is about to be lost. What the cloud does not have is lost with it; what the cloud has
    /// must not be lost again there.
    private mutating func lose(_ index: Int) throws {
        let held = try cloud.state().records
        var known: Set<Int32> = []
        for record in held { for field in record.version.fields { known.insert(number(field.value)) } }
        let store = devices[index].store.simulated
        var values: Set<Int32> = []
        for row in try store.rows { for field in row ?? [] { values.insert(number(field.value)) } }
        let durable = try store.durable
        for state in durable.states {
            for field in state?.local.fields ?? [] { values.insert(number(field.value)) }
            for field in state?.base?.fields ?? [] { values.insert(number(field.value)) }
        }
        ledger.withdraw(values.subtracting(known).sorted())
        let setup = setup
        ledger.withdrawDeletions(index) { record, incarnation in
            held.contains {
                $0.key == setup.key(record)
                    && ($0.version.incarnation > incarnation
                        || $0.version.incarnation == incarnation && $0.version.isDeleted)
            }
        }
        lostLogs += durable.conflicts
        copies = []
        deletedValues = []
        devices[index].machine.reset()
        devices[index].writesUntilCrash = nil
        devices[index].isElsewhere = false
    }

    /// A deletion that neither the cloud nor any device stores, because the cloud discarded it and the
    /// devices' data is gone, no longer counts: a record created now is a new one.
    private mutating func settleForgottenDeletions() throws {
        let held = try cloud.state().records
        let inside = try devices.map {
            (states: try $0.store.simulated.durable.states, rows: try $0.store.simulated.rows)
        }
        let setup = setup
        ledger.withdrawForgotten { record, incarnation in
            func knows(_ version: Version?) -> Bool {
                guard let version else { return false }
                return version.incarnation > incarnation
                    || version.incarnation == incarnation && version.isDeleted
            }
            if held.contains(where: { $0.key == setup.key(record) && knows($0.version) }) {
                return true
            }
            return inside.contains { store in
                guard let state = store.states[record] else { return false }
                return store.rows[record] == nil || knows(state.local) || knows(state.base)
                    || knows(state.pending?.version)
            }
        }
    }

    // MARK: Another account, another type

    private mutating func changeAccount(_ index: Int) throws -> StepResult {
        // A new device belongs to the account that it first syncs with.
        guard try devices[index].store.simulated.durable.header.account != nil else { return "" }
        try devices[index].store.simulated.crash()
        devices[index].machine.reset()
        devices[index].writesUntilCrash = nil
        devices[index].isElsewhere.toggle()
        if setup.forgetsAccount { try devices[index].store.simulated.forgetAccount() }
        return devices[index].isElsewhere ? "signs in to another account" : "signs in to its account again"
    }

    private mutating func saveUnknown() throws -> StepResult {
        let state = try cloud.state()
        let key = RecordKey(
            type: SimulatedStore.unknownType, name: RecordName(high: 0, low: UInt64(setup.records)))
        let held = state.records.first { $0.key == key }
        unknownSaves += 1
        let stamp = Stamp(time: UInt64(now) << 16, device: SimulationSettings.newerDevice)
        let version = Version(fields: [Field(key: "x", value: .text("\(unknownSaves)"), stamp: stamp)])
        let operation = SaveOperation(
            id: OperationID(device: SimulationSettings.newerDevice, number: unknownSaves), key: key,
            baseTag: held?.tag ?? 0, version: version)
        let token = ChangeToken(epoch: state.lineage.epoch, number: state.head)
        do { _ = try answer(.save(token: token, operations: [operation])) } catch is CloudFailure {
            return "a newer app cannot save a record of an unknown type"
        }
        return "a newer app saves a record of an unknown type"
    }

    // MARK: The watch link

    /// Runs an operation on a store outside a sync; the process may end during it.
    private mutating func work(_ index: Int, _ body: (inout Store, Int64) throws -> Void) throws {
        devices[index].store.simulated.writesLeft = devices[index].writesUntilCrash
        do {
            try devices[index].work(at: now) { _, store, now in
                try body(&store, now)
                try store.commit()
            }
            if devices[index].store.simulated.hasEnded { throw SimulatedCrash() }
            devices[index].writesUntilCrash = devices[index].store.simulated.writesLeft
            devices[index].store.simulated.writesLeft = nil
        } catch  where devices[index].store.simulated.isOfFault(error) {
            devices[index].writesUntilCrash = nil
            try crash(index)
        }
    }

    private mutating func sendOverLink(_ device: Int, _ record: Int) throws -> StepResult {
        let index = device % 2
        if devices[index].machine.isRunning || parcels.count > SimulationSettings.mostMessages { return "" }
        // Records of other types are sent as files.
        if setup.key(record).type != .waypoint { return "" }
        var sent: LinkParcel?
        let rule = setup.rule
        let key = setup.key(record)
        let blobField = devices[index].store.simulated.blobField(of: record)
        try work(index) { store, now in
            sent = nil
            let parcel = try LinkMerge.parcel(
                key, in: &store, now: now, rule: rule,
                carries: { $0 != blobField })
            sent = parcel
        }
        if let sent { parcels.append((1 - index, sent)) }
        return "sends r\(record) over the link"
    }

    private mutating func relay(_ choice: Int) throws -> StepResult {
        if parcels.isEmpty { return "" }
        let slot = (choice >> 4) % parcels.count
        let (index, parcel) = parcels[slot]
        if devices[index].machine.isRunning { return "" }
        // One in eight is lost, one in eight is duplicated.
        if choice & 7 != 1 { parcels.remove(at: slot) }
        if choice & 7 == 0 { return "an item of the link is lost" }
        if setup.linkOverwrites {
            let record = Int(parcel.key.name.low)
            let old = try devices[index].store.simulated.rows[record]
            let row = devices[index].store.simulated.row(of: parcel.version, type: parcel.key.type)?.map {
                field in
                parcel.version[field.key] == nil
                    ? RowField(key: field.key, value: old?.first { $0.key == field.key }?.value ?? .absent)
                    : field
            }
            if let row {
                try devices[index].store.simulated.userWrites(
                    row, at: record, now: now + devices[index].skew)
            }
            return StepResult("applies an item of the link", device: index)
        }
        let rule = setup.rule
        let takesAll = setup.linkTakesAll
        try work(index) { store, now in
            _ = try LinkMerge.merge(parcel, into: &store, now: now, rule: rule)
            if takesAll, var state = try store.state(parcel.key) {
                state.link?.see(parcel.trace) { _ in true }
                try store.set(state, for: parcel.key)
            }
        }
        return StepResult("receives an item of the link", device: index)
    }

    private mutating func forget(_ choice: Int) throws {
        let head = try cloud.state().head
        let number = head - Int64(choice % SimulationSettings.tombstoneAge)
        try cloud.forgetTombstones(upTo: number)
        if setup.collectsBlobs { try cloud.collectBlobs(below: number) }
        try cloud.collectOperations()
        try settleForgottenDeletions()
    }

    /// A disk of the cloud loses a photo, or some of its bytes.
    private mutating func losePhoto(_ choice: Int) throws -> StepResult {
        var image = try cloud.image()
        if image.blobs.isEmpty { return "" }
        image.blobs.sort { $0.reference < $1.reference }
        let index = (choice >> 1) % image.blobs.count
        let blob = image.blobs[index]
        var bytes = blob.bytes
        let isDamaged = choice & 1 == 1 && !bytes.isEmpty
        if isDamaged {
            bytes[bytes.count / 2] ^= 1
            image.blobs[index] = Blob(reference: blob.reference, bytes: bytes)
        } else {
            image.blobs.remove(at: index)
        }
        try cloud.restore(image, epoch: nil)
        lostPhotos.insert(blob.reference)
        return isDamaged ? "the cloud damages a photo" : "the cloud loses a photo"
    }

    // MARK: Users

    private mutating func edit(_ index: Int, _ record: Int, _ choice: Int) throws -> StepResult {
        let schema = devices[index].store.simulated.schema(of: record)
        let key = setup.key(record)
        guard var row = try devices[index].store.simulated.rows[record] else {
            let state = try devices[index].store.simulated.state(key)
            let parent = ledger.reopen(
                device: index, record: record, isSeen: state.map { $0.local.isDeleted } ?? false)
            let row = schema.map {
                RowField(key: $0, value: value($0, ledger.write(upon: parent), index, record))
            }
            try devices[index].store.simulated.userWrites(
                row, at: record, now: now + devices[index].skew)
            return "creates r\(record)"
        }
        let field = schema[choice % schema.count]
        guard let column = row.firstIndex(where: { $0.key == field }) else { return "" }
        let write = ledger.write(upon: number(row[column].value))
        row[column].value = value(field, write, index, record)
        try devices[index].store.simulated.userWrites(
            row, at: record, now: now + devices[index].skew)
        return "edits r\(record).\(field)"
    }

    private mutating func value(_ field: String, _ write: Int32, _ index: Int, _ record: Int) -> FieldValue {
        guard field == devices[index].store.simulated.blobField(of: record) else {
            return .integer(Int64(write))
        }
        let blob = devices[index].store.simulated.userMakes(write)
        // A digest does not identify its write.
        if blob.high != 0 { writesOfBlobs[blob] = write }
        return .blob(blob)
    }

    private mutating func delete(_ index: Int, _ record: Int) throws -> StepResult {
        guard let row = try devices[index].store.simulated.rows[record] else { return "" }
        // What the engine has seen but not stored may be lost or sent: this deletion need not be sent.
        let isKept = try devices[index].store.simulated.durable.states[record] != nil
        let state = isKept ? try devices[index].store.simulated.state(setup.key(record)) : nil
        // A record being received is not the one that the user created meanwhile.
        let intent = try devices[index].store.simulated.intent(setup.key(record))
        let isComing = try intent.map {
            try !devices[index].store.simulated.isWritten($0, setup.key(record)) && $0.before == nil
        }
        let isKnown = state.map { !$0.local.isDeleted && isComing != true } ?? false
        // The fields unknown to this app are deleted with the record.
        let hidden =
            isKnown ? state?.local.fields.filter { field in !row.contains { $0.key == field.key } } : nil
        ledger.delete(
            device: index, record: record,
            values: (row.map { number($0.value) } + (hidden ?? []).map { number($0.value) }).filter {
                $0 != 0
            },
            incarnation: isKnown ? state?.local.incarnation : nil)
        try devices[index].store.simulated.userWrites(
            nil, at: record, now: now + devices[index].skew)
        return "deletes r\(record)"
    }

    /// The number of a write; 0 for other values.
    func number(_ value: FieldValue) -> Int32 {
        switch value {
        case .integer(let number): Int32(truncatingIfNeeded: number)
        case .blob(let blob):
            blob.high == 0 ? Int32(truncatingIfNeeded: blob.low) : writesOfBlobs[blob] ?? 0
        // The value as stored in a file.
        case .bytes(let bytes): Int32(String(decoding: bytes.prefix(16), as: UTF8.self)) ?? 0
        default: 0
        }
    }

    // MARK: Messages

    private mutating func begin(_ index: Int, _ mode: SyncMachine.Mode) throws -> StepResult {
        if isOffline(index) { return "" }
        try transition(index) { machine, store, now in
            try machine.start(mode, in: &store, now: now)
        }
        return "starts a sync"
    }

    private mutating func timeOut(_ index: Int) throws -> StepResult {
        guard devices[index].machine.isRunning else { return "" }
        try transition(index) { machine, store, _ in
            try machine.failed(.transient("no answer"), in: &store)
        }
        return "gives up waiting"
    }

    private mutating func deliver(_ slot: Int) throws -> StepResult {
        let message = messages[slot]
        let index = message.device
        if present < devices[index].heldUntil { return "delayed" }
        messages.remove(at: slot)
        if isOffline(index) { return "lost, device \(index) is offline" }
        switch message.content {
        case .request(let request):
            let reply: CloudReply
            do {
                reply = message.isElsewhere ? other.answer(request) : try answer(request)
            } catch let failure as CloudFailure {
                return try fail(index, failure, of: message.number)
            }
            messages.append(
                Message(
                    device: index, number: message.number, isElsewhere: message.isElsewhere,
                    content: .reply(reply)))
            return "the cloud answers device \(index)"
        case .reply(let reply):
            let mixesUp = setup.mixesUpAnswers && reply.isOfSave
            try transition(index) { machine, store, now in
                let isMixedUp = mixesUp && machine.isPushing
                let number = isMixedUp ? machine.requestNumber : message.number
                return try machine.receive(reply, to: number, in: &store, now: now)
            }
            return StepResult("receives an answer", device: index)
        }
    }

    /// Reports to a device that the cloud could not answer.
    private mutating func fail(_ index: Int, _ failure: CloudFailure, of number: UInt64) throws -> StepResult
    {
        // A failure of a stale request is ignored.
        if devices[index].machine.requestNumber != number || !devices[index].machine.isRunning { return "" }
        try transition(index) { machine, store, _ in try machine.failed(failure, in: &store) }
        return StepResult("receives a failure of the cloud", device: index)
    }

    private mutating func answer(_ request: CloudRequest) throws -> CloudReply {
        guard case .save = request else { return try cloud.answer(request) }
        saves.append(request)
        let before = setup.watchesDeletions ? try cloud.state().records : []
        let reply = try cloud.answer(request)
        if setup.watchesDeletions { try checkNothingReturns(before) }
        if setup.looksAtEverySave {
            try checkTokens()
            if setup.checksBlobs { try checkBlobs() }
        }
        return reply
    }

    /// Invariant 4 at every step: no value removed from the cloud by a deletion returns, not even until a
    /// device that knows the deletion removes it again.
    private mutating func checkNothingReturns(_ before: [CloudRecord]) throws {
        let after = try cloud.state().records
        for record in after {
            let values = record.version.fields.map { number($0.value) }
            if values.contains(where: deletedValues.contains) {
                throw Violation(
                    invariant: .deletedStaysDeleted, detail: "r\(record.key.name.low) came back temporarily")
            }
            // Deletions in a restored cloud's lost history do not count.
            guard record.version.isDeleted, restores == 0 else { continue }
            let old = before.first { $0.key == record.key }?.version.fields ?? []
            deletedValues.formUnion(old.map { number($0.value) }.filter { $0 != 0 })
        }
    }

    /// Handles an event on a device; its process may end during it.
    private mutating func transition(
        _ index: Int,
        _ body: (inout SyncMachine, inout Store, Int64) throws -> SyncMachine.Output?
    ) throws {
        let before = try devices[index].store.simulated.durable.header
        let token = before.token
        devices[index].store.simulated.writesLeft = devices[index].writesUntilCrash
        do {
            var output = try devices[index].work(at: now, body)
            if devices[index].store.simulated.hasEnded { throw SimulatedCrash() }
            devices[index].writesUntilCrash = devices[index].store.simulated.writesLeft
            devices[index].store.simulated.writesLeft = nil
            if case .wait(let seconds)? = output {
                now += Int64(seconds * 1000)
                output = devices[index].machine.again().map { .send($0) }
            }
            if case .send(let request)? = output {
                messages.append(
                    Message(
                        device: index, number: devices[index].machine.requestNumber,
                        isElsewhere: devices[index].isElsewhere, content: .request(request)))
            }
        } catch  where devices[index].store.simulated.isOfFault(error) {
            devices[index].writesUntilCrash = nil
            try crash(index)
        }
        let after = try devices[index].store.simulated.durable.header
        if after.token != token {
            // The token decreases only together with the known history.
            let isRewound = (after.witness?.number ?? 0) < (before.witness?.number ?? 0)
            try checkToken(index, before: isRewound ? nil : token)
        }
    }

    private mutating func crash(_ index: Int) throws {
        try devices[index].store.simulated.crash()
        devices[index].machine.reset()
        try checkOutbox(index)
    }

    // MARK: Settling

    /// Ends all faults; all devices sync until they are equal.
    private mutating func settle<R: TraceRecorder>(trace: inout R) throws {
        try setup.willSettle?()
        messages = []
        parcels = []
        for index in devices.indices {
            devices[index].isElsewhere = false
            devices[index].offlineUntil = 0
            devices[index].heldUntil = 0
            devices[index].writesUntilCrash = nil
            devices[index].machine.reset()
            // The process restarts: everything not durable is lost.
            try devices[index].store.simulated.crash()
        }
        for round in 1...SyncSettings.settlingRounds {
            for index in devices.indices { try syncToTheEnd(index) }
            if isWatched { trace.record(snapshot("settle", "round \(round): every device has synced")) }
            if try difference() == nil { break }
        }
        if !lostPhotos.isEmpty { try heal(trace: &trace) }
        try checkAccounts()
        if let difference = try difference() { throw Violation(invariant: .converges, detail: difference) }
        for index in devices.indices { try checkToken(index, before: nil) }
        try checkWrites()
        try checkDeletions()
        try checkExplanations()
        if setup.checksBlobs { try checkBlobs() }
    }

    /// Only records with a lost photo wait; then a device that has the photo sends it, and they arrive.
    private mutating func heal<R: TraceRecorder>(trace: inout R) throws {
        if let difference = try difference() {
            throw Violation(invariant: .waitsAlone, detail: difference)
        }
        if try devices.allSatisfy({ try $0.store.simulated.durable.held.isEmpty }) { return }
        for _ in 1...2 {
            for index in devices.indices {
                let states = try devices[index].store.simulated.durable.states.enumerated().compactMap {
                    number, state in state.map { (key: setup.key(number), state: $0) }
                }
                let lacking = try BlobHealing.lacking(states, &cloud)
                try BlobHealing.send(
                    lacking, of: states.map(\.key), in: devices[index].store, to: &cloud)
            }
            for index in devices.indices { try syncToTheEnd(index) }
        }
        if isWatched { trace.record(snapshot("settle", "photos stored on a device were sent again")) }
        // Only records whose photo no device has still wait.
        for index in devices.indices {
            for record in try devices[index].store.simulated.durable.held.values {
                let number = Int(record.key.name.low)
                for device in devices {
                    for field in try device.store.simulated.rows[number] ?? [] {
                        guard let blob = field.value.blob, record.version.blobs.contains(blob) else {
                            continue
                        }
                        throw Violation(
                            invariant: .waitsAlone,
                            detail: "r\(number) still waits on device \(index) for a photo that another has")
                    }
                }
            }
        }
    }

    private mutating func syncToTheEnd(_ index: Int) throws {
        now += SimulationSettings.betweenSyncs
        var output: SyncMachine.Output? = try devices[index].work(at: now) { machine, store, now in
            try machine.start(.now, in: &store, now: now)
        }
        var steps = 0
        while case .send(let request)? = output {
            steps += 1
            if steps > SimulationSettings.mostExchanges {
                throw Violation(invariant: .converges, detail: "device \(index) does not finish its sync")
            }
            do {
                let reply = try answer(request)
                output = try devices[index].work(at: now) { machine, store, now in
                    try machine.receive(reply, to: machine.requestNumber, in: &store, now: now)
                }
            } catch let failure as CloudFailure {
                output = try devices[index].work(at: now) { machine, store, _ in
                    try machine.failed(failure, in: &store)
                }
                if case .wait? = output { output = devices[index].machine.again().map { .send($0) } }
            }
        }
    }

    /// Invariant 8.
    private func checkAccounts() throws {
        if other.state() != SimulationSettings.otherZone.state() || !other.image().blobs.isEmpty {
            throw Violation(invariant: .accountsStayApart, detail: "the other account received records")
        }
        for (index, device) in devices.enumerated() {
            for row in try device.store.simulated.rows {
                for field in row ?? [] where field.value == SimulationSettings.otherValue {
                    throw Violation(
                        invariant: .accountsStayApart,
                        detail: "device \(index) has the other account's record")
                }
            }
        }
    }

    /// Whether a device holds a record back and reports it, because the cloud lost its photo.
    private func isWaiting(_ record: CloudRecord, _ durable: SimulatedStore.Durable) -> Bool {
        durable.held[record.key] == record && record.version.blobs.contains(where: lostPhotos.contains)
    }

    /// A difference between a device and the cloud; `nil` if all are equal.
    private mutating func difference() throws -> String? {
        let image = try cloud.state()
        for index in devices.indices {
            let rows = try devices[index].store.simulated.rows
            let durable = try devices[index].store.simulated.durable
            for record in 0..<setup.records {
                let key = setup.key(record)
                let held = image.records.first { $0.key == key }
                let wanted = held.flatMap {
                    devices[index].store.simulated.row(of: $0.version, type: key.type)
                }
                if let held, isWaiting(held, durable) { continue }
                if rows[record] != wanted, Self.held(rows[record]) != Self.held(wanted) {
                    return "r\(record) differs between device \(index) and the cloud"
                }
            }
            let unknown = image.records.first { $0.key.type == SimulatedStore.unknownType }?.version
            if durable.states[setup.records]?.base != unknown {
                return "a record that device \(index) set aside differs from the cloud's"
            }
            if try !devices[index].store.simulated.outbox(limit: 1).isEmpty {
                return "the outbox of device \(index) is not empty"
            }
        }
        return nil
    }

    /// The values of a row, ignoring empty fields.
    private static func held(_ row: Row?) -> Row? { row?.filter { $0.value != .absent } }

    /// Delivers all requests a second time, to a cloud that has discarded its tombstones and operations.
    private mutating func redeliver() throws {
        try cloud.collectOperations()
        try cloud.forgetTombstones(upTo: try cloud.state().head)
        let before = try cloud.state().records
        let rows = try devices.map { try $0.store.simulated.rows }
        for request in saves { _ = try cloud.answer(request) }
        if try cloud.state().records != before {
            throw Violation(
                invariant: .deliveringAgainChangesNothing,
                detail: "the cloud changed when old requests were repeated")
        }
        for index in devices.indices {
            try syncToTheEnd(index)
            if try devices[index].store.simulated.rows != rows[index] {
                throw Violation(
                    invariant: .deliveringAgainChangesNothing,
                    detail: "device \(index) changed when everything was repeated")
            }
        }
    }
}

/// The setup of a simulation.
package struct SimulationSetup: Sendable {
    package let devices: Int
    package let records: Int
    package var rule: SyncRule
    package var faults: Faults
    /// Whether an answer to any save is mistaken for the current one: a fault of a device's process.
    package var mixesUpAnswers = false
    /// Whether a device treats another account as its own: the same kind of fault, as are those below.
    package var forgetsAccount = false
    /// Whether a reinstalled app keeps the old position.
    package var keepsToken = false
    /// Whether values from the watch link overwrite local ones.
    package var linkOverwrites = false
    /// Whether a receiver adopts the sender's knowledge of fields that are not sent.
    package var linkTakesAll = false
    /// Whether tokens and blobs are checked after every save instead of at the end only.
    package var looksAtEverySave = false
    /// Whether deleted values must not return even temporarily. This cannot be guaranteed while devices lose
    /// data or late items of the watch link arrive: the deletion may be unknown there.
    package var watchesDeletions = false
    /// Called after the last step, to end faults of real disks and networks.
    package var willSettle: (@Sendable () throws -> Void)?
    /// Whether everything is delivered a second time at the end.
    var checksRedelivery = true
    /// Whether the cloud removes blobs when it discards tombstones. Clouds may do so at different times.
    package var collectsBlobs = true
    /// Whether the cloud is checked for records without their blobs.
    var checksBlobs = true

    /// The types of records, in turn.
    package var types: [RecordType] = [.waypoint]

    /// The key of a record; the one after the last is of an unknown type.
    package func key(_ record: Int) -> RecordKey {
        RecordKey(
            type: record < records ? types[record % types.count] : SimulatedStore.unknownType,
            name: RecordName(high: 0, low: UInt64(record)))
    }

    /// One record more than there are devices.
    package init(devices: Int = 3, rule: SyncRule = .merge, faults: Faults = .all) {
        self.devices = devices
        records = devices + 1
        self.rule = rule
        self.faults = faults
    }
}

/// The settings of the simulator.
package enum SimulationSettings {
    /// 2026-02-06T08:00:00Z in milliseconds since 1970.
    package static let start: Int64 = 1_770_364_800_000
    /// Fields of a record, in key order.
    static let schema = ["a", "b", "p"]
    /// Fields known to a newer app.
    static let newerSchema = ["a", "b", "p", "z"]
    /// The field that is a blob.
    static let blobField = "p"
    /// Small requests and pages, so that schedules reach their limits.
    static let batch = 3
    static let page = 2
    package static let firstEpoch: UInt64 = 1
    static let restores: UInt64 = 2
    /// The device of a newer app.
    static let newerDevice: UInt64 = 0xf000
    static let otherEpoch: UInt64 = 1 << 40
    /// The value of the other account's record.
    static let otherValue = FieldValue.integer(-7)
    /// The zone of the other account.
    package static let otherZone: MemoryZone = {
        var zone = MemoryZone(epoch: otherEpoch)
        let field = Field(key: "a", value: otherValue, stamp: Stamp(time: 1, device: newerDevice))
        _ = zone.answer(
            .save(
                token: ChangeToken(epoch: otherEpoch, number: 0),
                operations: [
                    SaveOperation(
                        id: OperationID(device: newerDevice, number: 1), key: SimulatedStore.key(0),
                        baseTag: 0, version: Version(fields: [field]))
                ]))
        return zone
    }()
    static let mostMessages = 24
    /// How often a request of the checks is retried.
    static let retries = 20
    /// Maximum clock error: five minutes, or half a day.
    static let secondsAhead = 300
    static let minutesAhead = 720
    static let mostExchanges = 200
    static let writesToCrash = 6
    static let tombstoneAge = 6
    static let longestOutage = 10
    static let betweenSyncs: Int64 = 60_000
}
