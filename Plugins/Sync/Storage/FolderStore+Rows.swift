import Foundation
import TrailStores

/// The rows of the apps' own stores.
extension FolderStore {
    func table(_ type: RecordType) -> AppTable? {
        switch type {
        case .waypoint: waypoints
        case .savedRoute: hikes
        case .plannedRoute: nil
        }
    }

    func prepare(_ keys: [RecordKey]) throws {
        try load(keys)
        forgetPrepared()
        for table in [waypoints, hikes] {
            let own = keys.filter { $0.type == table.type && intents[$0] == nil }
            if own.isEmpty { continue }
            try table.rows(own) { key, row in
                let entry = try entry(key)
                entry.row = .some(row)
                prepared.append(entry)
            }
        }
    }

    func forgetPrepared() {
        for entry in prepared { entry.row = nil }
        prepared = []
    }

    /// Looks at all rows.
    func changedKeys() throws -> [RecordKey] {
        try loadAll()
        forgetPrepared()
        looks += 1
        var found: [RecordKey] = []
        func look(_ key: RecordKey, _ row: Row) throws {
            let entry = try entry(key)
            if entry.look == looks { return }
            entry.look = looks
            let isIntended = intents[key] != nil
            if !isIntended, let shadow = entry.shadow, shadow.parked != .exhausted,
                !Self.differs(row, shadow.local)
            {
                return
            }
            found.append(key)
            // What may have been written meanwhile is read again.
            if !isIntended, row.allSatisfy({ $0.value.blob == nil }) {
                entry.row = .some(row)
                prepared.append(entry)
            }
        }
        entries.reserveCapacity(try waypoints.count() + hikes.count())
        try waypoints.all(look)
        try hikes.all(look)
        try routes.all(look)
        for entry in entries.values where entry.look != looks {
            guard let shadow = entry.shadow else { continue }
            if !shadow.local.isDeleted || shadow.parked == .exhausted || intents[entry.key] != nil {
                found.append(entry.key)
            }
        }
        return found.sorted()
    }

    func intentKeys() -> [RecordKey] { intents.keys.sorted() }

    /// Blobs are compared by their size here: they are read when anything else says that the row was changed.
    private static func differs(_ row: Row, _ version: Version) -> Bool {
        if version.isDeleted { return true }
        for field in row {
            let held = version.value(field.key)
            if case .blob(let mine) = field.value, case .blob(let theirs) = held {
                if mine.size != theirs.size { return true }
            } else if held != field.value {
                return true
            }
        }
        return false
    }

    func row(_ key: RecordKey) throws -> Row? {
        let entry = try entry(key)
        if let plan = entry.plan { return plan.after }
        if let row = entry.row {
            entry.row = nil
            return row
        }
        return try table(key.type).map { try $0.row(key) } ?? routes.row(key)
    }

    func row(of version: Version, type: RecordType) -> Row? {
        guard let table = table(type) else { return AppRoutes.row(of: version) }
        if version.isDeleted { return nil }
        var next = 0
        return table.columns.map { column in
            // Both are in the order of their keys.
            while next < version.fields.count, version.fields[next].key < column.name { next += 1 }
            let isThere = next < version.fields.count && version.fields[next].key == column.name
            return RowField(key: column.name, value: isThere ? version.fields[next].value : .absent)
        }
    }

    func editTime(of row: Row, type: RecordType, now: Int64) -> Int64? {
        let key = type == .plannedRoute ? "modifiedAt" : "modified_at"
        // In a table's rows each column has its place.
        let place = table(type)?.momentIndex ?? row.firstIndex { $0.key == key }
        guard let place, row.indices.contains(place), row[place].key == key,
            case .text(let text) = row[place].value
        else { return nil }
        return SyncTime.milliseconds(text)
    }

    func isWritten(_ intent: Intent, _ key: RecordKey) throws -> Bool {
        guard let table = table(key.type) else { return false }
        return try table.isWritten(key, commit: intent.commit)
    }

    func plan(_ key: RecordKey, before: Row?, after: Row?) throws {
        let entry = try entry(key)
        if entry.plan == nil { planned.append(entry) }
        entry.plan = AppTable.Plan(key: key, before: entry.plan.map(\.before) ?? before, after: after)
    }

    /// Writes a row at once, as the user would.
    func write(_ key: RecordKey, before: Row?, after: Row?) throws {
        guard let table = table(key.type) else { return try routes.write(key, before: before, after: after) }
        try table.userWrites(AppTable.Plan(key: key, before: before, after: after)) { try kept($0) }
    }
}
