/// The storage of a device: the app's own rows, and the records' sync states.
///
/// What the engine changes becomes durable with `commit` and not before, but for edits that were not sent yet: those are in
/// the app's own store, and become durable when they are sent or `keepEdits` asks for it. First the states with the token, in one
/// transaction; then the planned rows, in another; then the intents are taken away. Whatever moment the process ends at,
/// the next sync finds either the old state or intents that say how to go on.
package protocol DeviceStore {
    /// The sync state of the device.
    var header: DeviceHeader { get set }
    /// Whether the app's stores can hold a version. One of an unknown type, format or shape is set aside: kept, and sent on.
    func canHold(_ version: Version, type: RecordType) -> Bool
    /// Takes another replica identifier, because operations of this one were sent by a copy of this device. Everything that was
    /// sent and not acknowledged is to be sent again under the new one.
    mutating func renew() throws
    /// Remembers marks of the zone's history, higher than all before.
    mutating func remember(_ marks: [HistoryMark]) throws
    /// The newest marks that are remembered, newest first.
    func rememberedMarks(limit: Int) throws -> [HistoryMark]
    /// Forgets marks above a number.
    mutating func forgetMarks(after number: Int64) throws
    /// Records of the cloud that were read and not taken, because their blobs could not be had.
    var heldBack: [RecordKey: CloudRecord] { get set }
    /// Announces the records read next, so that they can be read together.
    mutating func prepare(_ keys: [RecordKey]) throws
    /// The state of a record.
    func state(_ key: RecordKey) throws -> SyncedRecordState?
    /// Keeps a state.
    mutating func set(_ state: SyncedRecordState, for key: RecordKey) throws
    /// Records that the cloud is known to have had, except those given.
    func basedKeys(except: Set<RecordKey>) throws -> [RecordKey]
    /// Records of the outbox that are not parked, at most `limit`.
    func outbox(limit: Int) throws -> [RecordKey]
    /// The lowest number of an operation that may have reached the cloud and whose answer is not known.
    func oldestPending() throws -> UInt64?
    /// Records whose row may differ from what the state says, those with an intent among them. Each must be looked at before the
    /// next commit, which notes that they were.
    func changedKeys() throws -> [RecordKey]
    /// Records with an intent.
    func intentKeys() throws -> [RecordKey]
    /// The row in the app's store.
    func row(_ key: RecordKey) throws -> Row?
    /// The row that a version makes: the fields that the app's store knows.
    func row(of version: Version, type: RecordType) -> Row?
    /// When a changed row was edited, in milliseconds since 1970; `nil` when the app does not say. `now` is the
    /// device's own clock.
    func editTime(of row: Row, type: RecordType, now: Int64) -> Int64?
    /// Whether the write of an intent has happened: the app's store remembers, in the transaction that writes the
    /// rows, which commit they were of.
    func isWritten(_ intent: Intent, _ key: RecordKey) throws -> Bool
    /// A write of an earlier commit that may not have happened.
    func intent(_ key: RecordKey) throws -> Intent?
    /// Removes an intent whose write has happened.
    mutating func settle(_ key: RecordKey) throws
    /// Writes a row with the next commit, if it is still as it was. Planned twice, the first `before` stands.
    mutating func plan(_ key: RecordKey, before: Row?, after: Row?) throws
    /// Keeps a value that lost.
    mutating func keep(_ loser: Loser, of key: RecordKey) throws
    /// Remembers a decision for `sync explain`.
    mutating func note(_ kind: NoteKind, _ key: RecordKey, _ detail: @autoclosure () -> String) throws
    /// Whether the bytes of a blob are here.
    func has(_ blob: BlobReference) throws -> Bool
    /// The bytes of a small blob, to send them.
    func blob(_ reference: BlobReference, of key: RecordKey) throws -> Blob?
    /// The bytes of a large blob from an offset, some at a time, to send them; `nil` when the record holds another by now.
    func part(of reference: BlobReference, in key: RecordKey, from offset: Int64) throws -> BlobPart?
    /// Keeps a blob that came in, if it is the one that it is named after.
    mutating func keep(_ blob: Blob) throws
    /// How many bytes of a large blob have come in, from its start.
    func received(_ reference: BlobReference) throws -> Int64
    /// Keeps the next part of a large blob and says how many bytes there are then: 0 when all have come and are not those that
    /// the blob is named after.
    mutating func keep(_ part: BlobPart) throws -> Int64
    /// How many records live here.
    func liveCount() throws -> Int
    /// Makes durable with the next commit what the user edited, although it was not sent.
    mutating func keepEdits() throws
    /// Makes everything else durable.
    mutating func commit() throws
}

/// Decisions worth remembering.
package enum NoteKind: String, Sendable {
    /// Two versions were brought together.
    case merged
    /// A record was deleted because the cloud's was.
    case deleted
    /// The cloud had forgotten the record.
    case gone
    /// A record was made again.
    case remade
    /// The cloud is to get a record again that a restored copy lacks.
    case sentAgain
    /// A save was refused.
    case refused
    /// A record waits.
    case parked
    /// The device's data is a copy: it got another identity.
    case renewed
    /// A record that this version cannot read was set aside.
    case setAside
    /// A record was not taken because its photo or track could not be had.
    case heldBack
    /// A record came over the watch link.
    case linked
    /// A write into the app's store was caught up with after a crash.
    case recovered
}
