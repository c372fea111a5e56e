/// What happened to an app's store since the last sync, other than edits: it decides which differences of a row are the
/// user's.
enum StoreEvent {
    /// The columns changed, or may have. `added` are new since the last scan; `reset` have values that nobody wrote;
    /// `written` are the records whose rows somebody wrote, `nil` if that is not known.
    case schema(added: Set<String>, reset: Set<String>, written: Set<RecordName>?)
    /// The store is another file.
    case replaced
    /// The store lacks rows, and the user wants them back.
    case lacking

    /// The row without what is no edit; `nil` if everything is. `wanted` is the row of the device's version, `unset`
    /// whether a field only has its column's default, `holds` whether it holds a value as its column stores it.
    func kept(
        _ row: Row?, _ key: RecordKey, _ local: Version, wanted: Row?, time: (Row) -> Int64?,
        isUnset: (RowField) -> Bool, holds: (RowField, FieldValue) -> Bool
    ) -> KeptRow? {
        switch self {
        case .replaced:
            return Self.known(row, local, wanted: wanted, time: time, isUnset: isUnset, holds: holds)
        case .lacking:
            guard row == nil, wanted != nil else { return nil }
            return KeptRow(row: wanted, why: "brought back by sync restore")
        case .schema(let added, let reset, let written):
            guard let row else {
                // A deletion that nobody performed.
                guard let wanted, written?.contains(key.name) != true else { return nil }
                return KeptRow(row: wanted, why: "its row was missing after a change of the store's tables")
            }
            if local.isDeleted { return nil }
            return Self.filled(
                row, local, isWritten: written?.contains(key.name), added, reset,
                isNewer: Self.isNewer(row, than: wanted, time), isUnset: isUnset, holds: holds)
        }
    }

    /// In another file nothing is an edit. Newer values are offered.
    private static func known(
        _ row: Row?, _ local: Version, wanted: Row?, time: (Row) -> Int64?, isUnset: (RowField) -> Bool,
        holds: (RowField, FieldValue) -> Bool
    ) -> KeptRow? {
        if row == wanted { return nil }
        let why = "the app's store was replaced by another file"
        guard let row else { return KeptRow(row: wanted, why: why) }
        let known = local.isDeleted ? local.stamp.milliseconds : wanted.flatMap(time)
        // With the same time it cannot be known which of two contents is the older one.
        let isOlder = time(row).flatMap { mine in known.map { mine < $0 } } ?? false
        let offers = isOlder ? [] : row.filter { !holds($0, local.value($0.key)) && !isUnset($0) }
        return KeptRow(row: wanted, offers: offers, why: why)
    }

    /// Whether a row was edited later than the version; unknown times say nothing.
    private static func isNewer(_ row: Row, than wanted: Row?, _ time: (Row) -> Int64?) -> Bool {
        guard let mine = time(row) else { return false }
        return wanted.flatMap(time).map { mine > $0 } ?? true
    }

    private static func filled(
        _ row: Row, _ local: Version, isWritten: Bool?, _ added: Set<String>, _ reset: Set<String>,
        isNewer: Bool, isUnset: (RowField) -> Bool, holds: (RowField, FieldValue) -> Bool
    ) -> KeptRow? {
        var kept = row
        var offers: Row = []
        for (index, field) in row.enumerated() {
            let value = local.value(field.key)
            if holds(field, value) || value == .absent && (isUnset(field) || isWritten != false) { continue }
            if isWritten == false {
                kept[index].value = value
            } else if added.contains(field.key) {
                if isUnset(field) {
                    kept[index].value = value
                } else if !isNewer {
                    kept[index].value = value
                    offers.append(field)
                }
            } else if reset.contains(field.key), isUnset(field) {
                kept[index].value = value
            }
        }
        return kept == row ? nil : KeptRow(row: kept, offers: offers, why: "the columns of the store changed")
    }
}
