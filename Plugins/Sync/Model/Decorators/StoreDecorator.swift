/// A store that wraps another and forwards what it does not handle itself.
package protocol StoreDecorator: DeviceStore {
    associatedtype Base: DeviceStore
    /// The wrapped store.
    var base: Base { get set }
}

extension StoreDecorator {
    package var header: DeviceHeader {
        get { base.header }
        set { base.header = newValue }
    }
    package var heldBack: [RecordKey: CloudRecord] {
        get { base.heldBack }
        set { base.heldBack = newValue }
    }
    package func canHold(_ version: Version, type: RecordType) -> Bool {
        base.canHold(version, type: type)
    }
    package mutating func renew() throws { try base.renew() }
    package mutating func remember(_ marks: [HistoryMark]) throws { try base.remember(marks) }
    package func rememberedMarks(limit: Int) throws -> [HistoryMark] {
        try base.rememberedMarks(limit: limit)
    }
    package mutating func forgetMarks(after number: Int64) throws { try base.forgetMarks(after: number) }
    package mutating func prepare(_ keys: [RecordKey]) throws { try base.prepare(keys) }
    package func state(_ key: RecordKey) throws -> SyncedRecordState? { try base.state(key) }
    package mutating func set(_ state: SyncedRecordState, for key: RecordKey) throws {
        try base.set(state, for: key)
    }
    package func basedKeys(except seen: Set<RecordKey>) throws -> [RecordKey] {
        try base.basedKeys(except: seen)
    }
    package func outbox(limit: Int) throws -> [RecordKey] { try base.outbox(limit: limit) }
    package func oldestPending() throws -> UInt64? { try base.oldestPending() }
    package func changedKeys() throws -> [RecordKey] { try base.changedKeys() }
    package func intentKeys() throws -> [RecordKey] { try base.intentKeys() }
    package func obstacle(_ key: RecordKey) throws -> String? { try base.obstacle(key) }
    package var mustExamineAll: Bool { get throws { try base.mustExamineAll } }
    package func kept(_ row: Row?, _ key: RecordKey, _ state: SyncedRecordState) throws -> KeptRow? {
        try base.kept(row, key, state)
    }
    package func isUnset(_ field: RowField, of type: RecordType) -> Bool { base.isUnset(field, of: type) }
    package func holds(_ field: RowField, _ value: FieldValue, of type: RecordType) -> Bool {
        base.holds(field, value, of: type)
    }
    package func row(_ key: RecordKey) throws -> Row? { try base.row(key) }
    package func row(of version: Version, type: RecordType) -> Row? { base.row(of: version, type: type) }
    package func editTime(of row: Row, type: RecordType, now: Int64) -> Int64? {
        base.editTime(of: row, type: type, now: now)
    }
    package func isWritten(_ intent: Intent, _ key: RecordKey) throws -> Bool {
        try base.isWritten(intent, key)
    }
    package func intent(_ key: RecordKey) throws -> Intent? { try base.intent(key) }
    package mutating func settle(_ key: RecordKey) throws { try base.settle(key) }
    package mutating func leaveOpen(_ key: RecordKey) throws { try base.leaveOpen(key) }
    package mutating func plan(_ key: RecordKey, before: Row?, after: Row?) throws {
        try base.plan(key, before: before, after: after)
    }
    package mutating func keep(_ loser: Loser, of key: RecordKey) throws { try base.keep(loser, of: key) }
    package mutating func note(_ kind: NoteKind, _ key: RecordKey, _ detail: @autoclosure () -> String) throws
    {
        try base.note(kind, key, detail())
    }
    package func has(_ blob: BlobReference) throws -> Bool { try base.has(blob) }
    package func blob(_ reference: BlobReference, of key: RecordKey) throws -> Blob? {
        try base.blob(reference, of: key)
    }
    package func part(of reference: BlobReference, in key: RecordKey, from offset: Int64) throws -> BlobPart?
    {
        try base.part(of: reference, in: key, from: offset)
    }
    package mutating func keep(_ blob: Blob) throws { try base.keep(blob) }
    package func received(_ reference: BlobReference) throws -> Int64 { try base.received(reference) }
    package mutating func keep(_ part: BlobPart) throws -> Int64 { try base.keep(part) }
    package func liveCount() throws -> Int { try base.liveCount() }
    package mutating func keepEdits() throws { try base.keepEdits() }
    package mutating func commit() throws { try base.commit() }
}
