import Foundation

/// The store that a command works on: its location and owner.
public struct StoreLocation: Hashable, Sendable {
    /// The file or folder.
    public let url: URL
    /// The active foreign store; `nil` for the workspace's own.
    public let entry: OpenStores.Entry?
    /// The activation of the workspace; `nil` for a foreign store.
    private let activation: ActiveWorkspace.Activation?

    init(_ entry: OpenStores.Entry) {
        url = entry.url
        self.entry = entry
        activation = nil
    }

    init(own kind: StoreKind, in activation: ActiveWorkspace.Activation) {
        url = kind.url(in: activation.folder)
        entry = nil
        self.activation = activation
    }

    /// Whether it is the workspace's own.
    public var isOwn: Bool { entry == nil }
}

/// Selects the store that a command works on. The only way to get one.
extension Context {
    /// The store of a kind: the active one, or the workspace's own if none is active.
    ///
    /// Throws `E-STORE-KIND` if the active store has another kind: the command must not read or change the
    /// user's own store by accident.
    public func activeStore(_ kind: StoreKind) throws(RutterError) -> StoreLocation {
        guard let current = stores.current else { return own(kind) }
        if current.kind == kind { return StoreLocation(current) }
        if let sibling = stores.sibling(of: current, kind) { return StoreLocation(sibling) }
        let beside = stores.entries.last { $0.kind == kind }
        throw StoreUseErrors.kind(
            "the active store \(current.name) holds \(current.kind.name), not \(kind.name)",
            fix: beside.map { "store use \(Literal.text($0.name))" } ?? Self.returning)
    }

    /// The store of a kind for writing. Also throws `E-STORE-READONLY`.
    public func writableStore(_ kind: StoreKind) throws(RutterError) -> StoreLocation {
        let location = try activeStore(kind)
        if let entry = location.entry, !entry.isWritable {
            throw StoreUseErrors.readOnly("\(entry.name) is open for reading only", fix: Self.returning)
        }
        return location
    }

    /// The store of a kind for secondary data, such as a map below a track or names to complete.
    ///
    /// If the active store has another kind, this is the store of this kind that was opened last, and `nil`
    /// if none is open.
    public func accompanyingStore(_ kind: StoreKind) -> StoreLocation? {
        guard let current = stores.current else { return own(kind) }
        if current.kind == kind { return StoreLocation(current) }
        if let sibling = stores.sibling(of: current, kind) { return StoreLocation(sibling) }
        return stores.entries.last { $0.kind == kind }.map(StoreLocation.init)
    }

    /// The workspace's own store of a kind that no foreign store can hold. Throws `E-STORE-KIND` while a
    /// foreign store of any kind is active.
    public func ownStore(_ kind: StoreKind) throws(RutterError) -> URL {
        if let current = stores.current {
            throw StoreUseErrors.kind(
                "this command works only on your own stores, and \(current.name) is active",
                fix: Self.returning)
        }
        return own(kind).url
    }

    private static var returning: String { "`store use` without a name returns to your own stores" }

    private func own(_ kind: StoreKind) -> StoreLocation {
        stores.countOwnRequest()
        return StoreLocation(own: kind, in: activeWorkspace.activation)
    }
}
