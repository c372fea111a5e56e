import Foundation
import PluginKit
import Synchronization

/// A database that the commands of a plugin work on.
public protocol TrailStore: Sendable {
    /// What kind of store it is.
    static var kind: StoreKind { get }
    /// The connection to its file.
    var connection: StoreConnection { get }
    /// Opens a store; a writable one is made or migrated.
    init(_ url: URL, access: StoreAccess) throws(RutterError)
}

extension WaypointStore: TrailStore {
    /// Waypoints.
    public static let kind = StoreKind.waypoints
}

extension HikeStore: TrailStore {
    /// Recorded hikes.
    public static let kind = StoreKind.hikes
}

extension TrailStore {
    /// The own store of a workspace or device; made when it is first needed.
    public init(own folder: URL) throws(RutterError) {
        try self.init(Self.kind.url(in: folder), access: .own)
    }
}

/// Opens the store of a kind that a command works on (`Context.activeStore`). It is kept open until another one is asked for.
public final class ActiveStore<Store: TrailStore>: Sendable {
    private struct Opened: Sendable {
        let location: StoreLocation
        let store: Store
    }

    private let opened = Mutex<Opened?>(nil)

    /// Opens nothing yet.
    public init() {}

    /// The store, for reading. Throws `E-STORE-KIND` when the store in use is of another kind.
    public func store(_ context: Context) throws -> Store {
        try store(context.activeStore(Store.kind))
    }

    /// The store for what accompanies other things (maps, names, links); `nil` while a store of another kind is in use and
    /// none of this kind is open.
    public func storeIfFits(_ context: Context) throws -> Store? {
        try context.accompanyingStore(Store.kind).map(store)
    }

    /// The store for a change; throws when it is open for reading only, before anything is done.
    public func writableStore(_ context: Context) throws -> Store {
        try store(context.writableStore(Store.kind))
    }

    private func store(_ location: StoreLocation) throws -> Store {
        try opened.withLock { opened in
            // A store that was closed and opened again may hold something else by now: that is another location.
            // Nor is it kept when another program has written since.
            if let opened, opened.location == location, !opened.store.connection.isStale {
                return opened.store
            }
            let access: StoreAccess =
                location.entry.map { $0.isWritable ? .foreignWritable : .foreign } ?? .own
            let store = try Store(location.url, access: access)
            opened = Opened(location: location, store: store)
            return store
        }
    }

    /// Closes the store.
    public func close() { opened.withLock { $0 = nil } }
}
