import Foundation
import PluginKit
import Synchronization

/// A database that the commands of a plugin work on.
public protocol TrailStore: Sendable {
    /// What kind of store it is.
    static var kind: StoreKind { get }
    /// The connection to its file.
    var connection: StoreConnection { get }
    /// What becomes of rows that cannot be read; `nil` where none is listed.
    var unreadable: UnreadablePolicy? { get }
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
    /// Nothing.
    public var unreadable: UnreadablePolicy? { nil }

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
        try store(context.activeStore(Store.kind), forWriting: false, context)
    }

    /// The store for what accompanies other things (maps, names, links); `nil` while a store of another kind is in use and
    /// none of this kind is open.
    public func storeIfFits(_ context: Context) throws -> Store? {
        try context.accompanyingStore(Store.kind).map { try store($0, forWriting: false, context) }
    }

    /// The store for a change; throws when it is open for reading only, before anything is done.
    public func writableStore(_ context: Context) throws -> Store {
        try store(context.writableStore(Store.kind), forWriting: true, context)
    }

    private func store(_ location: StoreLocation, forWriting: Bool, _ context: Context) throws -> Store {
        let store = try opened(location, forWriting: forWriting)
        // One bad row never hides the others from a command.
        store.unreadable?.skip(reportingTo: context.log)
        return store
    }

    private func opened(_ location: StoreLocation, forWriting: Bool) throws -> Store {
        // A workspace on a medium that cannot be written is read like a foreign store, which leaves it as it is.
        let folder = location.url.deletingLastPathComponent().path
        let isReadOnly = location.entry == nil && access(folder, F_OK) == 0 && access(folder, W_OK) != 0
        let isMissing = access(location.url.path, R_OK) != 0
        if isReadOnly, forWriting || isMissing {
            throw CommonErrors.workspace(
                "the workspace \(folder) is read-only" + (isMissing ? " and has no \(Store.kind.name)" : ""),
                fix: "choose another one with --workspace DIR")
        }
        return try opened.withLock { opened in
            // A store that was closed and opened again may hold something else by now: that is another location.
            // Nor is it kept when another program has written since.
            if let opened, opened.location == location, !opened.store.connection.isStale {
                return opened.store
            }
            let access: StoreAccess =
                location.entry.map { $0.isWritable ? .foreignWritable : .foreign }
                ?? (isReadOnly ? .foreign : .own)
            let store = try Store(location.url, access: access)
            opened = Opened(location: location, store: store)
            return store
        }
    }

    /// Closes the store.
    public func close() { opened.withLock { $0 = nil } }
}
