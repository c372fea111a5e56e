import Foundation
import PluginKit
import Synchronization
import TrailStores

/// Gives the waypoint store that a command works on: the one in use, or the workspace's own, opened when first needed.
final class WaypointLibrary: Sendable {
    private static let fileName = "waypoints.db"

    private struct Opened: Sendable {
        let url: URL
        let isWritable: Bool
        let store: WaypointStore
    }

    private let opened = Mutex<Opened?>(nil)

    /// The store; kept open until another one is asked for.
    func store(_ context: Context) throws -> WaypointStore {
        let current = context.stores.current(kind: StoreKind.waypoints.name)
        let url = current?.url ?? context.workspace.appendingPathComponent(Self.fileName)
        let isWritable = current?.isWritable ?? true
        return try opened.withLock { opened in
            if let opened, opened.url == url, opened.isWritable == isWritable { return opened.store }
            let access: StoreAccess = current == nil ? .own : (isWritable ? .foreignWritable : .foreign)
            let store = try WaypointStore(url, access: access)
            opened = Opened(url: url, isWritable: isWritable, store: store)
            return store
        }
    }

    /// The store for a change; throws when it is open for reading only, before anything is done.
    func writableStore(_ context: Context) throws -> WaypointStore {
        let store = try store(context)
        if store.connection.access == .foreign {
            throw StoreErrors.readOnly(
                "\(store.connection.url.lastPathComponent) is open for reading only",
                fix: "`store use` without a name returns to your own store")
        }
        return store
    }

    func close() { opened.withLock { $0 = nil } }
}
