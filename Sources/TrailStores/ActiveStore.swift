import Foundation
import PluginKit
import Synchronization

/// A database used by the commands of a plugin.
public protocol TrailStore: Sendable {
    /// The kind of store.
    static var kind: StoreKind { get }
    /// The connection to its file.
    var connection: StoreConnection { get }
    /// How unreadable rows are handled; `nil` if none are listed.
    var unreadable: UnreadablePolicy? { get }
    /// Opens a store; a writable one is created or migrated.
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
    /// No policy.
    public var unreadable: UnreadablePolicy? { nil }

    /// The store of a workspace or device itself; created on first use.
    public init(own folder: URL) throws(RutterError) {
        try self.init(Self.kind.url(in: folder), access: .own)
    }
}

/// Opens the store of a kind that a command works on (`Context.activeStore`). Keeps it open until another one
/// is requested.
public final class ActiveStore<Store: TrailStore>: Sendable {
    private struct Opened: Sendable {
        let location: StoreLocation
        let store: Store
    }

    private let opened = Mutex<Opened?>(nil)

    /// A cache without an open store.
    public init() {}

    /// The store, for reading. Throws `E-STORE-KIND` if the store in use is of another kind.
    public func store(_ context: Context) throws -> Store {
        try store(context.activeStore(Store.kind), forWriting: false, context)
    }

    /// The store for accompanying data (maps, names, links); `nil` while a store of another kind is in use
    /// and none of this kind is open.
    public func storeIfFits(_ context: Context) throws -> Store? {
        try context.accompanyingStore(Store.kind).map { try store($0, forWriting: false, context) }
    }

    /// The store for a change; throws if it is open for reading only, before any work is done.
    public func writableStore(_ context: Context) throws -> Store {
        try store(context.writableStore(Store.kind), forWriting: true, context)
    }

    private func store(_ location: StoreLocation, forWriting: Bool, _ context: Context) throws -> Store {
        let store = try opened(location, forWriting: forWriting)
        // An unreadable row never hides the others from a command.
        store.unreadable?.skip(reportingTo: context.log)
        return store
    }

    private func opened(_ location: StoreLocation, forWriting: Bool) throws -> Store {
        // A workspace on a read-only medium is read like a foreign store, without changes.
        let folder = location.url.deletingLastPathComponent().path
        let isReadOnly = location.entry == nil && access(folder, F_OK) == 0 && access(folder, W_OK) != 0
        let isMissing = access(location.url.path, R_OK) != 0
        if isReadOnly, forWriting || isMissing {
            throw CommonErrors.workspace(
                "the workspace \(folder) is read-only" + (isMissing ? " and has no \(Store.kind.name)" : ""),
                fix: "choose another one with --workspace DIR")
        }
        return try opened.withLock { opened in
            // A store that was closed and reopened may have other content: that is another location. It is
            // also reopened after a write by another program.
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
