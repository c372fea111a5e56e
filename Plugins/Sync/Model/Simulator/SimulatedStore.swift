/// A device's store in the simulator. Records are the numbers 0, 1, …; durable and volatile state are
/// separate, so that a crash can be simulated between any two writes.
package struct SimulatedStore: SimulatedDeviceStore, InspectableStore, Sendable {
    /// The state that survives the process, without the app's rows.
    package struct Durable: Sendable, Hashable {
        package var header: DeviceHeader
        package var states: [SyncedRecordState?]
        var intents: [Intent?]
        package var conflicts: [KeptLoser] = []
        var blobs: Set<BlobReference> = []
        /// Counts the commits.
        var commits: Int64 = 0
        var marks: [HistoryMark] = []
        var held: [RecordKey: CloudRecord] = [:]
        /// A bit for each record with a note, and for each whose row the engine has removed.
        var noted: UInt64 = 0
        var vanished: UInt64 = 0

        /// The durable state of another store.
        package init(
            header: DeviceHeader, states: [SyncedRecordState?], intents: [Intent?] = [],
            conflicts: [KeptLoser] = [], held: [RecordKey: CloudRecord] = [:]
        ) {
            self.held = held
            self.header = header
            self.states = states
            self.intents = intents
            self.conflicts = conflicts
        }
    }

    /// A copy of everything that a device has.
    package struct Backup: Sendable {
        let durable: Durable
        let rows: [Row?]
        let written: Int64
        let schema: [String]
        let fate: StoreFate
    }

    /// A value that lost, and its record.
    package struct KeptLoser: Sendable, Hashable {
        let key: RecordKey
        let loser: Loser

        package init(key: RecordKey, loser: Loser) {
            self.key = key
            self.loser = loser
        }
    }

    package private(set) var durable: Durable
    private var working: Durable
    /// The app's own rows: durable as soon as they are written.
    package private(set) var rows: [Row?]
    /// What happened to the app's store, durable with the rows.
    package private(set) var fate = StoreFate()
    /// A copy of the rows alone.
    private var rowCopy: [Row?]?
    /// The commit that the rows were last written by, durable with them.
    private var written: Int64 = 0
    /// The fields that this device's app knows.
    package private(set) var schema: [String]
    package func schema(of record: Int) -> [String] { schema }
    package func blobField(of record: Int) -> String? { SimulationSettings.blobField }
    /// How many more writes succeed; `nil` for all.
    package var writesLeft: Int?
    /// The notes, recorded while tracing.
    var notes: [String] = []
    var takesNotes = false
    private var plans: [(key: RecordKey, before: Row?, after: Row?)] = []
    /// How states changed since they became durable.
    private var changes: [SyncedRecordState.Change?]
    /// The device's number, which a backup does not change.
    private let number: UInt64
    /// Number of identities so far.
    private var identities: UInt64 = 0
    private let records: Int

    init(device: UInt64, records: Int, schema: [String]) {
        durable = Self.nothing(device, records)
        working = durable
        rows = Array(repeating: nil, count: records)
        changes = Array(repeating: nil, count: records + 1)
        number = device
        self.records = records
        self.schema = schema
    }

    /// Room for the records and for one of an unknown type.
    private static func nothing(_ device: UInt64, _ records: Int) -> Durable {
        Durable(
            header: DeviceHeader(device: device), states: Array(repeating: nil, count: records + 1),
            intents: Array(repeating: nil, count: records + 1))
    }

    // MARK: Backups

    /// A backup of the current state.
    package var backup: Backup {
        Backup(durable: durable, rows: rows, written: written, schema: schema, fate: fate)
    }

    /// Replaces everything with a copy: this device's own, or another's.
    package mutating func bringBack(_ backup: Backup) {
        durable = backup.durable
        rows = backup.rows
        fate = backup.fate
        rowCopy = nil
        schema = backup.schema
        written = backup.written
        crash()
    }

    /// Starts empty, as a new installation. `token` is kept by a faulty app.
    package mutating func reinstall(keeping token: ChangeToken?) {
        durable = Self.nothing(nextIdentity(), records)
        durable.header.token = token
        rows = Array(repeating: nil, count: records)
        fate = StoreFate()
        rowCopy = nil
        written = 0
        crash()
    }

    /// Drops the account of the records, as a faulty app does.
    package mutating func forgetAccount() {
        crash()
        durable.header.account = nil
        durable.header.token = nil
        durable.header.witness = nil
        working = durable
    }

    private mutating func nextIdentity() -> UInt64 {
        identities += 1
        return identities << 16 | number
    }

    package mutating func renew() {
        working.header.device = nextIdentity()
        working.header.nextOperation = 1
        for index in working.states.indices where working.states[index]?.pending != nil {
            working.states[index]?.pending = nil
            changes[index] = .whole
        }
    }

    package mutating func remember(_ marks: [HistoryMark]) { working.marks += marks }
    package func rememberedMarks(limit: Int) -> [HistoryMark] {
        Array(working.marks.reversed().prefix(limit))
    }
    package mutating func forgetMarks(after number: Int64) {
        working.marks.removeAll { $0.number > number }
    }
    package func canHold(_ version: Version, type: RecordType) -> Bool { type == .waypoint }

    package func isOfFault(_ error: any Error) -> Bool { error is SimulatedCrash }
    package var hasEnded: Bool { false }

    /// Ends the process: everything not durable is lost.
    package mutating func crash() {
        working = durable
        plans = []
        for index in changes.indices { changes[index] = nil }
        writesLeft = nil
    }

    /// Writes or deletes a row as the user.
    package mutating func userWrites(_ row: Row?, at index: Int, now: Int64) { rows[index] = row }

    /// A blob created by the user.
    package mutating func userMakes(_ write: Int32) -> BlobReference {
        let blob = BlobReference(high: 0, low: UInt64(write), size: 1)
        durable.blobs.insert(blob)
        working.blobs.insert(blob)
        return blob
    }

    private static func index(_ key: RecordKey) -> Int { Int(key.name.low) }

    /// A type that no device knows.
    package static let unknownType = RecordType(rawValue: 99)

    /// The key of a record; the one after the last is of an unknown type.
    private func key(_ index: Int) -> RecordKey {
        index < records
            ? Self.key(index)
            : RecordKey(type: Self.unknownType, name: RecordName(high: 0, low: UInt64(index)))
    }

    package static func key(_ index: Int) -> RecordKey {
        RecordKey(type: .waypoint, name: RecordName(high: 0, low: UInt64(index)))
    }

    // MARK: DeviceStore

    package var simulated: SimulatedStore {
        get { self }
        set { self = newValue }
    }

    package var header: DeviceHeader {
        get { working.header }
        set { working.header = newValue }
    }

    package var heldBack: [RecordKey: CloudRecord] {
        get { working.held }
        set { working.held = newValue }
    }

    package func prepare(_ keys: [RecordKey]) {}
    package func state(_ key: RecordKey) -> SyncedRecordState? { working.states[Self.index(key)] }
    package mutating func set(_ state: SyncedRecordState, for key: RecordKey) {
        let index = Self.index(key)
        if changes[index] != .whole,
            let change = SyncedRecordState.change(from: working.states[index], to: state)
        {
            changes[index] = change
        }
        working.states[index] = state
    }

    package mutating func keepEdits() {
        for index in changes.indices where changes[index] == .edit { changes[index] = .whole }
    }

    package func basedKeys(except seen: Set<RecordKey>) -> [RecordKey] {
        working.states.indices.filter { working.states[$0]?.base != nil }.map(key)
            .filter { !seen.contains($0) }
    }

    package func outbox(limit: Int) -> [RecordKey] {
        var keys: [RecordKey] = []
        for index in working.states.indices where keys.count < limit {
            if let state = working.states[index], state.parked == nil, state.isDirty {
                keys.append(key(index))
            }
        }
        return keys
    }

    package func oldestPending() -> UInt64? { working.states.compactMap { $0?.pending?.id.number }.min() }

    /// Also retries parked records.
    package func changedKeys() -> [RecordKey] {
        var keys: [RecordKey] = []
        for index in rows.indices {
            if working.intents[index] != nil {
                keys.append(Self.key(index))
                continue
            }
            if fate.obstacle(index) != nil { continue }
            guard let state = working.states[index] else {
                if rows[index] != nil { keys.append(Self.key(index)) }
                continue
            }
            if state.parked != nil || differs(rows[index], state.local) { keys.append(Self.key(index)) }
        }
        return keys
    }

    package func intentKeys() -> [RecordKey] {
        working.intents.indices.filter { working.intents[$0] != nil }.map(Self.key)
    }

    private func differs(_ row: Row?, _ version: Version) -> Bool {
        guard let row else { return !version.isDeleted }
        if version.isDeleted { return true }
        for field in row where version.value(field.key) != field.value { return true }
        return false
    }

    package func obstacle(_ key: RecordKey) -> String? { fate.obstacle(Self.index(key)) }
    package var mustExamineAll: Bool { fate.event != nil }
    package func isUnset(_ field: RowField, of type: RecordType) -> Bool { field.value == .absent }
    package func kept(_ row: Row?, _ key: RecordKey, _ state: SyncedRecordState) -> KeptRow? {
        fate.event?.kept(
            row, key, state.local, wanted: self.row(of: state.local, type: key.type), time: { _ in nil },
            isUnset: { $0.value == .absent }, holds: { $0.value == $1 })
    }

    package func row(_ key: RecordKey) -> Row? {
        for plan in plans.reversed() where plan.key == key { return plan.after }
        return rows[Self.index(key)]
    }

    package func row(of version: Version, type: RecordType) -> Row? {
        if version.isDeleted { return nil }
        return schema.map { RowField(key: $0, value: version.value($0)) }
    }

    package func editTime(of row: Row, type: RecordType, now: Int64) -> Int64? { now }

    package func isWritten(_ intent: Intent, _ key: RecordKey) -> Bool { intent.commit <= written }
    package func intent(_ key: RecordKey) -> Intent? { working.intents[Self.index(key)] }
    package mutating func settle(_ key: RecordKey) { working.intents[Self.index(key)] = nil }
    package mutating func leaveOpen(_ key: RecordKey) {
        working.intents[Self.index(key)] = working.intents[Self.index(key)]?.leftOpen
    }

    package mutating func plan(_ key: RecordKey, before: Row?, after: Row?) {
        if let index = plans.firstIndex(where: { $0.key == key }) {
            plans[index].after = after
        } else {
            plans.append((key, before, after))
        }
    }

    package mutating func keep(_ loser: Loser, of key: RecordKey) {
        working.conflicts.append(KeptLoser(key: key, loser: loser))
    }

    package mutating func note(_ kind: NoteKind, _ key: RecordKey, _ detail: @autoclosure () -> String) {
        working.noted |= 1 << UInt64(Self.index(key))
        if takesNotes { notes.append("\(kind.rawValue) r\(key.name.low): \(detail())") }
    }

    package func has(_ blob: BlobReference) -> Bool { working.blobs.contains(blob) }
    package func blob(_ reference: BlobReference, of key: RecordKey) -> Blob? {
        Blob(reference: reference, bytes: [])
    }
    package mutating func keep(_ blob: Blob) { working.blobs.insert(blob.reference) }
    /// Its blobs are small ones.
    package func part(of reference: BlobReference, in key: RecordKey, from offset: Int64) -> BlobPart? { nil }
    package func received(_ reference: BlobReference) -> Int64 { 0 }
    package mutating func keep(_ part: BlobPart) -> Int64 { 0 }

    package func liveCount() -> Int { rows.count { $0 != nil } }

    package mutating func commit() throws {
        // If the row is not written, it is rebuilt from the state later.
        for plan in plans where changes[Self.index(plan.key)] == .edit {
            changes[Self.index(plan.key)] = .whole
        }
        try write()
        working.commits += 1
        // After the write: before it an intent belongs to an earlier commit, which may be settled.
        for plan in plans {
            working.intents[Self.index(plan.key)] = Intent(before: plan.before, commit: working.commits)
        }
        makeDurable()
        defer { settleFate() }
        if plans.isEmpty { return }
        try write()
        for plan in plans {
            let index = Self.index(plan.key)
            if plan.after == nil, rows[index] != nil {
                working.vanished |= 1 << UInt64(index)
                durable.vanished |= 1 << UInt64(index)
            }
            rows[index] = plan.after
        }
        written = working.commits
        for plan in plans { working.intents[Self.index(plan.key)] = nil }
        plans.removeAll(keepingCapacity: true)
        // The removal of the intents becomes durable with the next commit.
    }

    /// What happened to the store is over when every row is as the device knows it.
    private mutating func settleFate() {
        guard fate.event != nil, plans.isEmpty else { return }
        let isSettled = rows.indices.allSatisfy { index in
            working.intents[index] == nil
                && (working.states[index].map { rows[index] == row(of: $0.local, type: .waypoint) }
                    ?? (rows[index] == nil))
        }
        guard isSettled else { return }
        fate.isOther = false
        fate.isLacking = false
        fate.added = []
    }

    /// Everything except unsent edits.
    private mutating func makeDurable() {
        let before = durable.states
        durable = working
        for index in changes.indices {
            if changes[index] == .edit {
                durable.states[index] = before[index]
            } else {
                changes[index] = nil
            }
        }
    }

    private mutating func write() throws {
        guard let left = writesLeft else { return }
        if left == 0 { throw SimulatedCrash() }
        writesLeft = left - 1
    }
}

extension SimulatedStore: StoreWithFate {
    var isAtRest: Bool {
        !fate.isOpen && fate.unreadable == 0 && plans.isEmpty
            && rows.indices.allSatisfy { index in
                durable.intents[index] == nil && working.intents[index] == nil
                    && working.states[index] == durable.states[index]
                    && durable.states[index]?.parked == nil
                    && (durable.states[index].map { !differs(rows[index], $0.local) } ?? (rows[index] == nil))
            }
    }

    mutating func copyRows() { rowCopy = rows }

    mutating func bringRowsBack() -> Bool {
        guard isAtRest, let copy = rowCopy else { return false }
        // A file of another version of the app is another fault.
        let names = copy.compactMap { $0?.map(\.key) }
        guard names.allSatisfy({ $0 == schema }) else { return false }
        rows = copy
        fate.isOther = true
        return true
    }

    mutating func emptyRows() -> Bool {
        guard isAtRest, rows.contains(where: { $0 != nil }) else { return false }
        rows = Array(repeating: nil, count: rows.count)
        fate.isEmptied = true
        return true
    }

    package mutating func answer() -> Bool {
        guard fate.isEmptied else { return false }
        fate.isEmptied = false
        fate.isLacking = true
        return true
    }

    package mutating func spoil(_ record: Int, _ isUnreadable: Bool) -> Bool {
        let bit: UInt64 = 1 << UInt64(record)
        let isSpoiled = fate.unreadable & bit != 0
        guard isSpoiled != isUnreadable, !isUnreadable || rows[record] != nil && !fate.isOpen else {
            return false
        }
        fate.unreadable ^= bit
        return true
    }

    mutating func setColumn(_ name: String, _ isThere: Bool) -> Bool {
        guard isAtRest, schema.contains(name) != isThere else { return false }
        schema = isThere ? (schema + [name]).sorted() : schema.filter { $0 != name }
        for index in rows.indices {
            guard let row = rows[index] else { continue }
            rows[index] =
                isThere
                ? (row + [RowField(key: name, value: .absent)]).sorted { $0.key < $1.key }
                : row.filter { $0.key != name }
        }
        if isThere { fate.added = [name] }
        rowCopy = nil
        return true
    }
}
