/// What a row is once everything that was not the user's edit is undone: the fields that a schema change emptied have
/// their kept values again, the rows of a store that was replaced by an older one their last known content.
package struct KeptRow: Hashable, Sendable {
    /// The row as the device knows it, with the user's edits; `nil` if it was deleted.
    package let row: Row?
    /// Values of the row found that are not taken over and may be newer: they are kept as conflicts.
    package var offers: Row = []
    /// Why they were not taken over.
    package let reason: Loser.Reason
    /// What happened, for `sync explain`.
    package let why: String

    package init(row: Row?, offers: Row = [], reason: Loser.Reason = .putBack, why: String) {
        self.row = row
        self.offers = offers
        self.reason = reason
        self.why = why
    }
}

/// Defaults for stores that nobody but the engine and the user writes.
extension DeviceStore {
    package func obstacle(_ key: RecordKey) throws -> String? { nil }
    package var mustExamineAll: Bool { false }
    package func kept(_ row: Row?, _ key: RecordKey, _ state: SyncedRecordState) throws -> KeptRow? { nil }
    package func isUnset(_ field: RowField, of type: RecordType) -> Bool { false }
    package func holds(_ field: RowField, _ value: FieldValue, of type: RecordType) -> Bool {
        field.value == value
    }
}
