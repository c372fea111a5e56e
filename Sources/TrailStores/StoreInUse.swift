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
        /// For the workspace's own store.
        let turn: WorkspaceInUse.Turn?
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

    /// The store, for reading. Throws `E-STORE-KIND` when the store in use is of another kind: a command that then worked
    /// on the workspace's own would do so without a word.
    public func store(_ context: Context) throws -> Store {
        let other = context.stores.current
        if other == nil || other?.kind == kind.name { return try store(other, context) }
        let same = context.stores.entries.last { $0.kind == kind.name }
        throw StoreErrors.kind(
            "\(other?.name ?? "the store") is in use, and holds no \(kind.name)",
            fix: same.map { "store use \(Literal.text($0.name))" }
                ?? "`store use` without a name returns to your own stores")
    }

    /// The store for what goes along with other things (maps, names, links). While one of another kind is in use that is
    /// the one opened last, and `nil` when none of this kind is open.
    public func storeIfFits(_ context: Context) throws -> Store? {
        guard let current = context.stores.current, current.kind != kind.name else {
            return try store(context)
        }
        guard let beside = context.stores.entries.last(where: { $0.kind == kind.name }) else { return nil }
        return try store(beside, context)
    }

    private func store(_ entry: OpenStores.Entry?, _ context: Context) throws -> Store {
        // One session may work on several workspaces in turn, and one may be made anew under its old path.
        let turn = entry == nil ? context.workspaceInUse.turn : nil
        return try opened.withLock { opened in
            // A store that was closed and opened again may hold something else by now: that is another entry.
            if let opened, opened.entry == entry, opened.turn == turn { return opened.store }
            let url = entry?.url ?? (turn?.folder ?? context.workspace).appendingPathComponent(fileName)
            let access: StoreAccess = entry.map { $0.isWritable ? .foreignWritable : .foreign } ?? .own
            let store = try Store(url, access: access)
            opened = Opened(entry: entry, turn: turn, store: store)
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
