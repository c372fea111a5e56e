import Foundation

/// The store that a command works on: where it lies, and whose it is.
public struct StoreLocation: Hashable, Sendable {
    /// The file or folder.
    public let url: URL
    /// The foreign store in use; `nil` for the workspace's own.
    public let entry: OpenStores.Entry?
    /// Since when the workspace has been in use; `nil` for a foreign store.
    private let turn: ActiveWorkspace.Turn?

    init(_ entry: OpenStores.Entry) {
        url = entry.url
        self.entry = entry
        turn = nil
    }

    init(own kind: StoreKind, in turn: ActiveWorkspace.Turn) {
        url = kind.url(in: turn.folder)
        entry = nil
        self.turn = turn
    }

    /// Whether it is the workspace's own.
    public var isOwn: Bool { entry == nil }
}

/// Which store a command works on. There is no other way to find one.
extension Context {
    /// The store of a kind: the one in use, or the workspace's own while none is in use.
    ///
    /// Throws `E-STORE-KIND` while a store of another kind is in use: a command that then read or changed the user's own
    /// would do so unawares.
    public func activeStore(_ kind: StoreKind) throws(RutterError) -> StoreLocation {
        guard let current = stores.current else { return own(kind) }
        if current.kind == kind { return StoreLocation(current) }
        if let sibling = stores.sibling(of: current, kind) { return StoreLocation(sibling) }
        let beside = stores.entries.last { $0.kind == kind }
        throw StoreUseErrors.kind(
            "\(current.name) is in use, which holds \(current.kind.name) and no \(kind.name)",
            fix: beside.map { "store use \(Literal.text($0.name))" } ?? Self.returning)
    }

    /// The store of a kind for a change. Throws also `E-STORE-READONLY`, before anything is done.
    public func writableStore(_ kind: StoreKind) throws(RutterError) -> StoreLocation {
        let location = try activeStore(kind)
        if let entry = location.entry, !entry.isWritable {
            throw StoreUseErrors.readOnly("\(entry.name) is open for reading only", fix: Self.returning)
        }
        return location
    }

    /// The store of a kind for what accompanies something else, such as a map below a track or names to complete.
    ///
    /// While a store of another kind is in use, this is the store of this kind that was opened last, and `nil` when none
    /// is open.
    public func accompanyingStore(_ kind: StoreKind) -> StoreLocation? {
        guard let current = stores.current else { return own(kind) }
        if current.kind == kind { return StoreLocation(current) }
        if let sibling = stores.sibling(of: current, kind) { return StoreLocation(sibling) }
        return stores.entries.last { $0.kind == kind }.map(StoreLocation.init)
    }

    /// The workspace's own store of a kind, for what no foreign store can hold. Throws `E-STORE-KIND` while a foreign
    /// store of any kind is in use.
    public func ownStore(_ kind: StoreKind) throws(RutterError) -> URL {
        if let current = stores.current {
            throw StoreUseErrors.kind(
                "\(current.name) is in use, and this command works on your own stores only",
                fix: Self.returning)
        }
        return own(kind).url
    }

    private static var returning: String { "`store use` without a name returns to your own stores" }

    private func own(_ kind: StoreKind) -> StoreLocation {
        StoreLocation(own: kind, in: activeWorkspace.turn)
    }
}
