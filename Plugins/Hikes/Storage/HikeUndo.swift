import PluginKit
import TrailStores

/// How changes of hikes are taken back. Each checks first that the hike is still as the change left it.
enum HikeUndo {
    static func recordAdding(_ hikes: [Hike], to store: HikeStore, in journal: Journal) {
        let what = hikes.count == 1 ? "hike \(hikes[0].name)" : "\(hikes.count) hikes"
        journal.record("imported \(what)") {
            for hike in hikes { try requireUnchanged(hike, in: store) }
            for hike in hikes { try store.delete(hike.id) }
        }
    }

    static func recordEditing(_ before: Hike, after: Hike, in store: HikeStore, _ journal: Journal) {
        journal.record("edited hike \(before.name)") {
            try requireUnchanged(after, in: store)
            try store.update(before)
        }
    }

    static func recordDeleting(
        _ hike: Hike, _ track: [TrackPoint], from store: HikeStore, in journal: Journal
    ) {
        journal.record("deleted hike \(hike.name)") {
            guard try store.hike(hike.id) == nil else {
                throw HikeErrors.changedSince("hike \(hike.name) is there again")
            }
            try store.insert(hike, track: track)
        }
    }

    private static func requireUnchanged(_ hike: Hike, in store: HikeStore) throws {
        guard let present = try store.hike(hike.id), present.name == hike.name,
            present.comment == hike.comment,
            present.modifiedAt == hike.modifiedAt
        else { throw HikeErrors.changedSince("hike \(hike.name) was changed by another session") }
    }
}
