import Foundation
import PluginKit
import TrailStores

/// What happened to a store as a whole: another file, another schema, emptied.
extension AppRows {
    /// Whether a store is another than at the last sync, or has another schema.
    func mustExamineAll(_ states: StateCache) throws -> Bool {
        for type in RecordType.known { try examine(type, states) }
        return !events.isEmpty
    }

    /// The row of a record without what is no edit; `nil` if everything is.
    func kept(_ row: Row?, _ entry: RecordEntry, _ states: StateCache) throws -> KeptRow? {
        let type = entry.key.type
        try examine(type, states)
        guard questions[type] == nil, let state = entry.state else { return nil }
        // The user may have written the row since then.
        if case .schema(let added, let reset, let written?)? = events[type], !written.contains(entry.key.name)
        {
            events[type] = .schema(added: added, reset: reset, written: try table(type)?.writtenRecords())
        }
        let lost = LostContent.kept(row, state.local, damages: table(type)?.damages ?? [:])
        guard let event = events[type] else { return lost }
        let present = lost?.row ?? row
        var kept = event.kept(
            present, entry.key, state.local, wanted: self.row(of: state.local, type: type),
            time: { self.editTime(of: $0, type: type) }, isUnset: { self.isUnset($0, of: type) },
            holds: { self.holds($0, $1, of: type) })
        kept?.offers += lost?.offers ?? []
        return kept ?? lost
    }

    /// Finds out once what happened to a store since the last sync.
    func examine(_ type: RecordType, _ states: StateCache) throws {
        guard questions[type] == nil, examined.insert(type).inserted else { return }
        if type == .plannedRoute {
            do { return try examineRoutes(states) } catch { return try setAside(type, error) }
        }
        guard let table = table(type) else { return }
        do { try examine(table, states) } catch { try setAside(type, error) }
        table.isExamined = questions[type] == nil
    }

    func examine(_ table: AppTable, _ states: StateCache) throws {
        switch table.standing {
        case .new, .ahead: return
        case .other:
            if try !isEmptied(table.type, states, { try table.all($0) }) { events[table.type] = .replaced }
        case .same:
            guard try table.mayHaveNewSchema() || table.isLogBroken else { return }
            if table.isLogBroken, try isEmptied(table.type, states, { try table.all($0) }) { return }
            events[table.type] = try schemaEvent(table, states)
        }
    }

    private func examineRoutes(_ states: StateCache) throws {
        switch routeStanding {
        case .same, .ahead: break
        case .new:
            // A version before this one left no mark: a missing folder is all that shows.
            if !routes.isThere { _ = try isEmptied(.plannedRoute, states) { _ in } }
        case .other:
            let isEmpty = try isEmptied(.plannedRoute, states) { body in
                _ = try routes.all { key, _ in try body(key, nil) }
            }
            if !isEmpty { events[.plannedRoute] = .replaced }
        }
    }

    /// Whether none of a store's records is there, though some should be. Nobody deleted them one by one: it is a
    /// question, and nothing is sent.
    private func isEmptied(
        _ type: RecordType, _ states: StateCache, _ all: ((RecordKey, Row?) throws -> Void) throws -> Void
    ) throws -> Bool {
        try states.load(type)
        let live = Set(
            states.loaded.lazy.filter { $0.key.type == type && $0.state?.local.isDeleted == false }.map(\.key)
        )
        if live.isEmpty { return false }
        var isAnyThere = false
        try all { key, _ in if live.contains(key) { isAnyThere = true } }
        if isAnyThere { return false }
        let place = Self.place(type)
        let records = live.count == 1 ? "its record" : "none of its \(live.count) records"
        let evicted = EvictedFile.placeholder(of: place)
        let isEvicted = FileManager.default.fileExists(atPath: folder.appendingPathComponent(evicted).path)
        let what =
            live.count == 1
            ? "\(place) is missing or empty, without \(records)"
            : "\(place) is missing or empty: it has \(records)"
        let more = "; \(evicted) stands for one that only the system's cloud has: download it"
        questions[type] = StoreQuestion(why: what + (isEvicted ? more : ""), isOfDeletion: true)
        return true
    }

    /// Which columns have values that nobody wrote: those of rows that nobody wrote, and those without any value in
    /// all rows though records have some.
    private func schemaEvent(_ table: AppTable, _ states: StateCache) throws -> StoreEvent {
        let written = try table.writtenRecords()
        let known = table.lineage.map { Set($0.columns) } ?? Set(table.columnNames)
        var reset: Set<String> = []
        var valued: Set<String> = []
        var lacking: Set<String> = []
        try states.load(table.type)
        try table.all { key, row in
            guard let row, let state = try states.entry(key).state, !state.local.isDeleted else { return }
            for field in row {
                if !isUnset(field, of: table.type) { valued.insert(field.key) }
                let value = state.local.value(field.key)
                guard value != .absent, isUnset(field, of: table.type), !holds(field, value, of: table.type),
                    !isUnset(RowField(key: field.key, value: value), of: table.type)
                else { continue }
                lacking.insert(field.key)
                if written?.contains(key.name) == false { reset.insert(field.key) }
            }
        }
        return .schema(
            added: Set(table.columnNames).subtracting(known), reset: reset.union(lacking.subtracting(valued)),
            written: written)
    }

    /// Brings the records of a store back that it lacks, or confirms that they are deleted.
    func answer(_ type: RecordType, bringsBack: Bool) -> Bool {
        guard questions[type]?.isOfDeletion != false else { return false }
        questions[type] = nil
        examined.insert(type)
        events[type] = bringsBack ? .lacking : nil
        table(type)?.isExamined = true
        if type == .plannedRoute { hasNewRoutes = true }
        return true
    }
}
