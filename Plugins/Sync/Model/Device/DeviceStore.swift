/// The storage of a device: the app's own rows, and the records' sync states.
///
/// Engine changes become durable with `commit` and not before, except unsent edits: those are in the app's
/// own store, and become durable when they are sent or when `keepEdits` requests it. `commit` writes the
/// states with the token in one transaction, then the planned rows in another, then removes the intents. If
/// the process ends at any point, the next sync finds either the old state or intents that describe how to
/// continue.
package protocol DeviceStore {
    /// The sync state of the device.
    var header: DeviceHeader { get set }
    /// Whether the app's stores can hold a version. One of an unknown type, format or shape is set aside:
    /// kept, and sent on unchanged.
    func canHold(_ version: Version, type: RecordType) -> Bool
    /// Draws a new replica identifier, because a copy of this device has used the current one. Everything
    /// sent and not acknowledged must be sent again under the new one.
    mutating func renew() throws
    /// Stores marks of the zone's history, higher than all before.
    mutating func remember(_ marks: [HistoryMark]) throws
    /// The newest stored marks, newest first.
    func rememberedMarks(limit: Int) throws -> [HistoryMark]
    /// Discards marks above a number.
    mutating func forgetMarks(after number: Int64) throws
    /// Records of the cloud that were read and not applied, because their blobs are unavailable.
    var heldBack: [RecordKey: CloudRecord] { get set }
    /// Announces the records read next, so that they can be read together.
    mutating func prepare(_ keys: [RecordKey]) throws
    /// The state of a record.
    func state(_ key: RecordKey) throws -> SyncedRecordState?
    /// Stores a state.
    mutating func set(_ state: SyncedRecordState, for key: RecordKey) throws
    /// Records that the cloud is known to have had, except the given ones.
    func basedKeys(except: Set<RecordKey>) throws -> [RecordKey]
    /// Records of the outbox that are not parked, at most `limit`.
    func outbox(limit: Int) throws -> [RecordKey]
    /// The lowest number of an operation that may have reached the cloud and has no known answer.
    func oldestPending() throws -> UInt64?
    /// Records whose row may differ from the state, including those with an intent. Each must be examined
    /// before the next commit, which marks them as examined.
    func changedKeys() throws -> [RecordKey]
    /// Records with an intent.
    func intentKeys() throws -> [RecordKey]
    /// Why the row of a record cannot be read or its store not be written: nothing is known of the row then, and the
    /// record waits. `nil` if there is no obstacle.
    func obstacle(_ key: RecordKey) throws -> String?
    /// Whether all changed records must be examined first, even by a sync that only pulls: an app's store is another
    /// than at the last sync, or its schema is.
    var mustExamineAll: Bool { get throws }
    /// The row without the changes that are no edit of the user's; `nil` if all changes are. The store is another than
    /// at the last sync, or its schema is.
    func kept(_ row: Row?, _ key: RecordKey, _ state: SyncedRecordState) throws -> KeptRow?
    /// Whether a field only has its column's default value.
    func isUnset(_ field: RowField, of type: RecordType) -> Bool
    /// Whether a field holds a value, in the form in which the app's store keeps it.
    func holds(_ field: RowField, _ value: FieldValue, of type: RecordType) -> Bool
    /// The row in the app's store.
    func row(_ key: RecordKey) throws -> Row?
    /// The row built from a version: the fields that the app's store knows.
    func row(of version: Version, type: RecordType) -> Row?
    /// When a changed row was edited, in milliseconds since 1970; `nil` if the app does not record it. `now`
    /// is the device's own clock.
    func editTime(of row: Row, type: RecordType, now: Int64) -> Int64?
    /// Whether the write of an intent has happened: the transaction that writes the rows also stores the
    /// number of their commit in the app's store.
    func isWritten(_ intent: Intent, _ key: RecordKey) throws -> Bool
    /// A write of an earlier commit that may not have happened.
    func intent(_ key: RecordKey) throws -> Intent?
    /// Removes an intent whose write has happened.
    mutating func settle(_ key: RecordKey) throws
    /// Keeps an intent whose write has not happened: no later commit is evidence of it.
    mutating func leaveOpen(_ key: RecordKey) throws
    /// Writes a row with the next commit if it is unchanged until then. If planned twice, the first `before`
    /// is used.
    mutating func plan(_ key: RecordKey, before: Row?, after: Row?) throws
    /// Stores a value that lost.
    mutating func keep(_ loser: Loser, of key: RecordKey) throws
    /// Stores a decision for `sync explain`.
    mutating func note(_ kind: NoteKind, _ key: RecordKey, _ detail: @autoclosure () -> String) throws
    /// Whether the bytes of a blob are available locally.
    func has(_ blob: BlobReference) throws -> Bool
    /// The bytes of a small blob, to send them.
    func blob(_ reference: BlobReference, of key: RecordKey) throws -> Blob?
    /// Bytes of a large blob from an offset, for sending; `nil` if the record contains another blob by now.
    func part(of reference: BlobReference, in key: RecordKey, from offset: Int64) throws -> BlobPart?
    /// Stores a received blob if it matches its digest.
    mutating func keep(_ blob: Blob) throws
    /// The number of received bytes of a large blob, from its start.
    func received(_ reference: BlobReference) throws -> Int64
    /// Stores the next part of a large blob and returns the number of bytes received: 0 if all were received
    /// and do not match the digest.
    mutating func keep(_ part: BlobPart) throws -> Int64
    /// The number of records that are not deleted.
    func liveCount() throws -> Int
    /// Makes unsent edits durable with the next commit.
    mutating func keepEdits() throws
    /// Makes everything else durable.
    mutating func commit() throws
}

/// Kinds of decision stored for `sync explain`.
package enum NoteKind: String, Sendable {
    /// Two versions were merged.
    case merged
    /// A record was deleted because the cloud's was.
    case deleted
    /// The cloud had discarded the record.
    case gone
    /// A record was recreated.
    case remade
    /// A record missing in a restored cloud is sent again.
    case sentAgain
    /// A save was refused.
    case refused
    /// A record waits.
    case parked
    /// The device's data is a copy: it has a new identity.
    case renewed
    /// A record that this version cannot read was set aside.
    case setAside
    /// A record was not applied because its photo or track is unavailable.
    case heldBack
    /// A record was received over the watch link.
    case linked
    /// A write into the app's store was completed after a crash.
    case recovered
    /// A row was brought back: its store had lost it, or has an older one.
    case broughtBack
}
