import Foundation
import PluginKit
import Synchronization
import TrailStores

/// Gives the hike store that a command works on: the one in use, or the workspace's own, opened when first needed.
final class HikeLibrary: Sendable {
    private static let fileName = "routes.db"

    private struct Opened: Sendable {
        let url: URL
        let isWritable: Bool
        let store: HikeStore
    }

    private let opened = Mutex<Opened?>(nil)

    /// The store; kept open until another one is asked for.
    func store(_ context: Context) throws -> HikeStore {
        let current = context.stores.current(kind: StoreKind.hikes.name)
        let url = current?.url ?? context.workspace.appendingPathComponent(Self.fileName)
        let isWritable = current?.isWritable ?? true
        return try opened.withLock { opened in
            if let opened, opened.url == url, opened.isWritable == isWritable { return opened.store }
            let access: StoreAccess = current == nil ? .own : (isWritable ? .foreignWritable : .foreign)
            let store = try HikeStore(url, access: access)
            opened = Opened(url: url, isWritable: isWritable, store: store)
            return store
        }
    }

    /// The store for a change; throws when it is open for reading only, before anything is done.
    func writableStore(_ context: Context) throws -> HikeStore {
        let store = try store(context)
        if store.connection.access == .foreign {
            throw StoreErrors.readOnly(
                "\(store.connection.url.lastPathComponent) is open for reading only",
                fix: "`store use` without a name returns to your own store")
        }
        return store
    }

    /// A hike as a value, its track read when it is needed.
    func object(_ hike: Hike, in store: HikeStore) -> HikeObject {
        HikeObject(hike: hike) { try store.track(of: hike) }
    }

    func close() { opened.withLock { $0 = nil } }
}

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
