import Foundation
import PluginKit
import Synchronization
import TrailStores

/// The connections of the stores that are open in the session.
final class StoreRegistry: Sendable {
    /// SQLite's name of an empty store in memory.
    static let empty = ":memory:"

    private let connections = Mutex<[Int: StoreConnection]>([:])
    private let folders = Mutex<[Int: ScratchFolder]>([:])
    private let containers = Mutex<[String: AppContainer]>([:])

    func put(_ connection: StoreConnection, for entry: OpenStores.Entry) {
        connections.withLock { $0[entry.number] = connection }
    }

    /// The same for a store in a temporary folder, which is deleted when the store is closed.
    func put(_ connection: StoreConnection, for entry: OpenStores.Entry, keeping folder: ScratchFolder) {
        put(connection, for: entry)
        folders.withLock { $0[entry.number] = folder }
    }

    func remove(_ entry: OpenStores.Entry) {
        connections.withLock { $0[entry.number] = nil }
        folders.withLock { $0[entry.number] = nil }
    }

    /// Closes the connection of a store; the next command reopens it.
    func forget(_ entry: OpenStores.Entry) { connections.withLock { $0[entry.number] = nil } }

    func clear() {
        connections.withLock { $0 = [:] }
        containers.withLock { $0 = [:] }
        folders.withLock { $0 = [:] }
    }

    // MARK: Containers

    func put(_ container: AppContainer) { containers.withLock { $0[container.name] = container } }

    func removeContainer(_ name: String) -> AppContainer? {
        containers.withLock { $0.removeValue(forKey: name) }
    }

    /// The open container of a name, or that of the store in use; `nil` if there is none.
    func openContainer(_ name: String?, _ context: Context) -> AppContainer? {
        guard let name = name ?? context.stores.current?.container else { return nil }
        return containers.withLock { $0[name] }
    }

    /// The container that a command works on: an open one, or a folder or archive; `nil` if the name is a
    /// store's.
    func container(_ name: String?, parameter: String = "store", _ context: Context) throws -> AppContainer? {
        if name == nil, let current = context.stores.current, current.container == nil { return nil }
        if let open = openContainer(name, context) { return open }
        guard let name, name != Self.empty, !context.stores.entries.contains(where: { $0.name == name })
        else {
            return nil
        }
        let url = try file(name, parameter, context)
        return try Self.container(at: url, name: url.deletingPathExtension().lastPathComponent, context)
    }

    /// The container in a folder or archive; `nil` if it is a single store, or contains none.
    static func container(at url: URL, name: String, _ context: Context) throws -> AppContainer? {
        guard AppContainer.mayBe(url) else { return nil }
        // A folder of planned routes is a store by itself.
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
        if isFolder.boolValue, (try? DocumentFiles(url)) != nil { return nil }
        return try AppContainer(url, name: name) { try context.checkCancelled() }
    }

    // MARK: Choosing

    /// The store that a command works on: the named one, or else the one in use.
    func chosen(_ name: String?, parameter: String = "store", _ context: Context) throws -> ChosenStore {
        guard let name else {
            guard let entry = context.stores.current else {
                throw StoreSessionErrors.none(
                    "no store is in use", fix: "`store open FILE`, or name a file; `waypoints.db` is your own"
                )
            }
            return try opened(entry)
        }
        if name == Self.empty {
            return ChosenStore(name: name, connection: try StoreConnection(emptyNamed: name))
        }
        if let entry = context.stores.entries.first(where: { $0.name == name }) { return try opened(entry) }
        let url = try file(name, parameter, context)
        if let entry = Self.entry(of: url, context) { return try opened(entry) }
        let access: StoreAccess = Self.isOwn(url, context) ? .ownReading : .foreign
        return ChosenStore(
            name: url.lastPathComponent, connection: try StoreConnection.reading(url, access: access))
    }

    /// The store that a command changes: open for writing, or an own store.
    func writable(_ name: String?, parameter: String = "store", _ context: Context) throws -> ChosenStore {
        let store = try chosen(name, parameter: parameter, context)
        if store.connection.access.isWritable { return store }
        guard store.connection.access == .ownReading, store.connection.url.path.hasPrefix("/") else {
            throw StoreErrors.readOnly(
                "\(store.name) is open for reading only", at: .parameter(parameter),
                fix: "`store copy` it, and open the copy with `store open FILE --write`")
        }
        return ChosenStore(
            name: store.name, connection: try StoreConnection(store.connection.url, access: .own))
    }

    /// The file or folder of a store; it need not be readable as one.
    func location(_ name: String, parameter: String, _ context: Context) throws -> URL {
        if let entry = context.stores.entries.first(where: { $0.name == name }) { return entry.url }
        return try file(name, parameter, context)
    }

    /// The open store of a file, by any path.
    static func entry(of url: URL, _ context: Context) -> OpenStores.Entry? {
        context.stores.entries.first { FileIdentity($0.url) == FileIdentity(url) }
    }

    /// Whether a file is in the session's own folder of stores.
    static func isOwn(_ url: URL, _ context: Context) -> Bool {
        let folder = context.workspace.resolvingSymlinksInPath().path
        return url.resolvingSymlinksInPath().deletingLastPathComponent().path == folder
    }

    private func opened(_ entry: OpenStores.Entry) throws -> ChosenStore {
        let connection = try connections.withLock { connections in
            if let connection = connections[entry.number], !connection.isStale { return connection }
            let connection =
                entry.isWritable
                ? try StoreConnection(entry.url, access: .foreignWritable)
                : try StoreConnection.reading(entry.url)
            connections[entry.number] = connection
            return connection
        }
        return ChosenStore(name: entry.name, connection: connection)
    }

    private func file(_ name: String, _ parameter: String, _ context: Context) throws -> URL {
        // The workspace's own stores are found by name.
        let own = context.workspace.appendingPathComponent(name)
        let isPlain = !name.isEmpty && !name.contains("/") && !name.hasPrefix(".") && !name.utf8.contains(0)
        do {
            return try context.files.input(name)
        } catch  where isPlain && FileManager.default.fileExists(atPath: own.path) {
            return own
        } catch let error as RutterError where error.code == CommonErrors.fileMissing.code {
            throw StoreSessionErrors.unknown(
                "no open store or file `\(name)`", at: .parameter(parameter),
                suggestion: Suggestion.nearest(to: name, in: context.stores.entries.map(\.name)))
        }
    }
}

/// A store to work on.
struct ChosenStore {
    /// Its name in results.
    let name: String
    let connection: StoreConnection
}

/// The identity of a file, independent of its path.
private struct FileIdentity: Equatable {
    private let device: UInt64
    private let file: UInt64

    init?(_ url: URL) {
        var info = stat()
        guard stat(url.path, &info) == 0 else { return nil }
        device = UInt64(info.st_dev)
        file = UInt64(info.st_ino)
    }
}
