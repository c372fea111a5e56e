import GRDB

/// A row, file or store of the device that is neither sent nor written: the others go on without it.
struct AsideEntry: Sendable {
    /// The record; `nil` if it has none, or if it is a whole store.
    let key: RecordKey?
    let type: RecordType
    /// The store, row or file.
    let place: String
    let why: String
    let fix: String
}

extension FolderStore {
    /// Reads every row that changed, so that all of what is set aside is known.
    func findAside() throws { for key in try changedKeys() { _ = try obstacle(key) } }

    /// Everything of the apps' own stores that is set aside: whole stores, records whose row cannot be read, rows
    /// without a record, and records that wait.
    func setAside() throws -> [AsideEntry] {
        let stores = rows.questions.sorted { $0.key < $1.key }.map { type, question in
            let word = StoreWord(type).rawValue
            return AsideEntry(
                key: nil, type: type, place: AppRows.place(type), why: question.why,
                fix: question.isOfDeletion
                    ? "sync restore \(word); if the records are deleted, sync restore \(word) --deleted"
                    : "repair it, or remove it from the device's folder and bring its records back: sync restore \(word)"
            )
        }
        let unreadable = rows.unreadable.sorted { $0.key < $1.key }.map { key, why in
            AsideEntry(
                key: key, type: key.type, place: AppRows.place(key.type), why: why,
                fix: "mend it, or take the cloud's: sync restore \(RecordText.short(key))")
        }
        let refused = try refusals().map { key, why in
            AsideEntry(
                key: key, type: key.type, place: AppRows.place(key.type),
                why: "the app's store refuses its row: \(why)",
                fix: "change the row it collides with, here or on the other device; the next sync writes it")
        }
        let strays = try rows.strays().map { stray in
            AsideEntry(
                key: nil, type: stray.type, place: stray.place, why: stray.why,
                fix: "give it a UUID of its own in the app's store")
        }
        let rejected = try states.list().compactMap { key, state -> AsideEntry? in
            guard case .rejected(let why)? = state.parked, state.isDirty else { return nil }
            return AsideEntry(
                key: key, type: key.type, place: AppRows.place(key.type), why: why, fix: "change it here")
        }
        return stores + unreadable + refused + strays + rejected
    }

    /// The records whose planned row the app's store refuses, with its reasons, in key order: what was left at the last
    /// sync, and what the next one would write.
    private func refusals() throws -> [(key: RecordKey, why: String)] {
        var plans = try intentKeys().compactMap { key -> AppTable.Plan? in
            guard rows.table(key.type) != nil, let intent = intent(key), let state = try state(key),
                !state.local.isDeleted, try !isWritten(intent, key)
            else { return nil }
            return AppTable.Plan(
                key: key, before: try rows.saved(key), after: row(of: state.local, type: key.type))
        }
        let left = Set(plans.map(\.key))
        plans += rows.planned.compactMap(\.plan).filter { $0.after != nil && !left.contains($0.key) }
        return try plans.sorted { $0.key < $1.key }.compactMap { plan in
            try rows.table(plan.key.type)?.refusal(plan) { try kept($0) }.map { (plan.key, $0) }
        }
    }

    /// The records that the app's store cannot hold, in key order.
    func unheld() throws -> [AsideEntry] {
        let held = try states.list().filter { !canHold($0.state.local, type: $0.key.type) }
        if held.isEmpty { return [] }
        let notes = try log().filter { $0.kind == NoteKind.setAside.rawValue }
        return held.map { key, state in
            let missing = state.local.isOpaque ? [] : rows.missing(state.local, type: key.type)
            return AsideEntry(
                key: key, type: key.type, place: AppRows.place(key.type),
                why: missing.isEmpty
                    ? notes.last { $0.key == key }?.detail ?? "unknown"
                    : "the app's store requires \(missing.joined(separator: ", ")), which the record does not have",
                fix: missing.isEmpty
                    ? "a newer version reads it"
                    : "edit it where the app writes \(missing.joined(separator: ", "))")
        }
    }

    /// The records whose row is another than the one that was sent or written, although nobody edited it, in key order: a
    /// trigger of the app's store changes what a sync writes, or a program wrote without SQLite's triggers.
    func altered() throws -> [AsideEntry] {
        try states.list().compactMap { key, state in
            guard rows.table(key.type) != nil, !state.local.isDeleted, state.parked == nil,
                canHold(state.local, type: key.type), intent(key) == nil, heldBack[key] == nil,
                let row = try rows.saved(key), let wanted = rows.row(of: state.local, type: key.type)
            else { return nil }
            let names = zip(row, wanted).filter { $0.0 != $0.1 }.map { $0.0.key }
            if names.isEmpty { return converted(key, row, state.local) }
            return AsideEntry(
                key: key, type: key.type, place: AppRows.place(key.type),
                why:
                    "\(names.joined(separator: ", ")): a trigger of the app's store, or a program that bypasses SQLite, changed what was written",
                fix: "edit it here: the next sync sends it")
        }
    }

    /// The texts of a record that its row holds as numbers, because of the declared types of their columns; `nil` if there are
    /// none.
    private func converted(_ key: RecordKey, _ row: Row, _ version: Version) -> AsideEntry? {
        let words = row.compactMap { field -> String? in
            guard case .text(let text) = version.value(field.key), field.value.isNumber else { return nil }
            return "\(field.key): its column stores '\(text.prefix(40))' as a number"
        }
        if words.isEmpty { return nil }
        return AsideEntry(
            key: key, type: key.type, place: AppRows.place(key.type), why: words.joined(separator: "; "),
            fix:
                "none needed for the sync: the record keeps the text. To have it here, declare the column TEXT"
        )
    }

    /// Whether every page of `sync.db` and every state in it can be read.
    var isMemoryWhole: Bool {
        let check = try? database.read { db in try String.fetchOne(db, sql: "PRAGMA integrity_check") }
        return check == .some("ok") && (try? states.list()) != nil
    }

    /// The records that no sync sends until they change, for the count that all reports share.
    func parkedCount() throws -> Int { try states.list().count { $0.state.parked != nil } }
}

/// The stores of a device as `sync restore` names them.
enum StoreWord: String, CaseIterable, Sendable {
    case waypoints
    case hikes
    case routes

    init(_ type: RecordType) {
        switch type {
        case .waypoint: self = .waypoints
        case .savedRoute: self = .hikes
        default: self = .routes
        }
    }

    var type: RecordType {
        switch self {
        case .waypoints: .waypoint
        case .hikes: .savedRoute
        case .routes: .plannedRoute
        }
    }
}
