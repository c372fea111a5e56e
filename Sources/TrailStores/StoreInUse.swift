import Foundation
import PluginKit
import Synchronization

/// A store that a plugin works on.
public protocol TrailStore: Sendable {
    /// The connection to its file.
    var connection: StoreConnection { get }
    /// Opens a store; a writable one is made or migrated.
    init(_ url: URL, access: StoreAccess) throws(RutterError)
}

extension WaypointStore: TrailStore {}
extension HikeStore: TrailStore {}

/// Gives the store of a kind that a command works on: the one that is in use in the session (`store open`), or the
/// workspace's own, which is made when it is first needed. It is kept open until another one is asked for.
public final class StoreInUse<Store: TrailStore>: Sendable {
    private struct Opened: Sendable {
        let entry: OpenStores.Entry?
        let url: URL
        let store: Store
    }

    private let kind: StoreKind
    private let fileName: String
    private let opened = Mutex<Opened?>(nil)

    /// The store of a kind, by the name of its file in the workspace.
    public init(_ kind: StoreKind, fileName: String) {
        self.kind = kind
        self.fileName = fileName
    }

    /// The store, for reading.
    public func store(_ context: Context) throws -> Store {
        let current = context.stores.current(kind: kind.name)
        return try opened.withLock { opened in
            // A store that was closed and opened again may hold something else by now: that is another entry.
            let url = current?.url ?? context.workspace.appendingPathComponent(fileName)
            if let opened, opened.entry == current, opened.url == url { return opened.store }
            let access: StoreAccess = current.map { $0.isWritable ? .foreignWritable : .foreign } ?? .own
            let store = try Store(url, access: access)
            opened = Opened(entry: current, url: url, store: store)
            return store
        }
    }

    /// The store for a change; throws when it is open for reading only, before anything is done.
    public func writableStore(_ context: Context) throws -> Store {
        let store = try store(context)
        if store.connection.access == .foreign {
            throw StoreErrors.readOnly(
                "\(store.connection.url.lastPathComponent) is open for reading only",
                fix: "`store use` without a name returns to your own store")
        }
        return store
    }

    /// Closes the store.
    public func close() { opened.withLock { $0 = nil } }
}
