import Foundation
import TrailStores

/// Making everything durable: first `sync.db` with the intents, then the apps' stores. That the intents are done is written
/// with the next commit; until then the apps' stores tell it.
extension FolderStore {
    func commit() throws {
        forgetPrepared()
        if !isChanged { return }
        commits += 1
        for key in settled { intents[key] = nil }
        for entry in planned { intents[entry.key] = Intent(before: entry.plan?.before, commit: commits) }
        if !settled.isEmpty || !planned.isEmpty { intentsChanged = true }
        // Should the row not be written, it is made of the shadow later.
        for entry in planned { keepEdit(entry) }
        changed.sort { $0.key < $1.key }
        let folds = acknowledgements.count > SyncSettings.mostAcknowledgements
        try database.write { db in
            try SyncSchema.save(db, header, commits: commits)
            try SyncSchema.saveLastContents(db, lastContents)
            try SyncSchema.save(db, changed)
            try SyncSchema.save(db, acknowledgements.new)
            if folds { try SyncSchema.fold(db) }
            if intentsChanged { try SyncSchema.save(db, intents) }
            try SyncSchema.save(db, losers, now: now)
            try SyncSchema.save(db, notes, now: now)
            try SyncSchema.save(db, blobs)
        }
        savedHeader = header
        for entry in changed { entry.change = nil }
        changed = []
        acknowledgements.commit()
        if folds { acknowledgements.fold() }
        intentsChanged = false
        settled = []
        lastContents = []
        losers = []
        notes = []
        blobs = [:]
        if !planned.isEmpty { try writeRows() }
    }

    private var isChanged: Bool {
        header != savedHeader || !changed.isEmpty || !acknowledgements.new.isEmpty || intentsChanged
            || !settled.isEmpty
            || !planned.isEmpty || !losers.isEmpty || !notes.isEmpty || !blobs.isEmpty
    }

    private func writeRows() throws {
        let plans = planned.compactMap(\.plan)
        var done: [RecordKey] = []
        for table in [waypoints, hikes] {
            let own = plans.filter { $0.key.type == table.type }
            if !own.isEmpty { done += try table.write(own, commit: commits) { try kept($0) } }
        }
        for plan in plans where plan.key.type == .plannedRoute {
            try routes.write(plan.key, before: plan.before, after: plan.after)
            if try routes.row(plan.key) == plan.after { done.append(plan.key) }
        }
        for entry in planned { entry.plan = nil }
        planned = []
        for key in done { intents[key] = nil }
        intentsChanged = true
    }
}
