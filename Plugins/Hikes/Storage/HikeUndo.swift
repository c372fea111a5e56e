import PluginKit
import TrailStores

/// Undoes changes of hikes. Each undo first checks that the hike is unchanged since.
enum HikeUndo {
    static func recordEditing(_ before: Hike, after: Hike, in store: HikeStore, _ journal: Journal) {
        journal.record("edited hike \(before.displayName)") {
            guard try store.update(after, to: before) else { throw changed(before) }
        }
    }

    static func recordDeleting(_ hike: Hike, _ rows: [StoredRow], from store: HikeStore, in journal: Journal)
    {
        journal.record("deleted hike \(hike.displayName)") {
            guard try store.restore(rows) else {
                throw HikeErrors.changedSince("hike \(hike.displayName) was already restored")
            }
        }
    }

    /// Undo of a changed recording: `rows` are the previous rows.
    static func recordReplacing(
        _ after: Hike, _ rows: [StoredRow], in store: HikeStore, _ what: String, _ journal: Journal
    ) {
        journal.record("\(what) hike \(after.displayName)") {
            guard case .removed = try store.remove([after], onlyUnchanged: true) else { throw changed(after) }
            guard try store.restore(rows) else { throw changed(after) }
        }
    }

    static func changed(_ hike: Hike) -> RutterError {
        HikeErrors.changedSince("hike \(hike.displayName) was changed by another session")
    }
}
