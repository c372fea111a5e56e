import Foundation
import Synchronization

/// The foreign stores open in the session. Commands get their store from `Context.activeStore`.
public final class OpenStores: Sendable {
    /// An open store.
    public struct Entry: Sendable, Hashable {
        /// Its name in the session.
        public let name: String
        /// The kind of store.
        public let kind: StoreKind
        /// The file or folder.
        public let url: URL
        /// Whether it was opened for writing.
        public let isWritable: Bool
        /// The container it belongs to, by name; its stores belong to the same app.
        public let container: String?
        /// The ordinal of the opening: a store that is closed and opened again gets a new one.
        public fileprivate(set) var number = 0

        /// An open store.
        public init(name: String, kind: StoreKind, url: URL, isWritable: Bool, container: String? = nil) {
            self.container = container
            self.name = name
            self.kind = kind
            self.url = url
            self.isWritable = isWritable
        }
    }

    private struct State: Sendable {
        var entries: [Entry] = []
        var inUse: String?
        var opened = 0
        var ownRequests = 0
    }

    private let state = Mutex(State())

    /// No stores open.
    public init() {}

    /// The open stores in the order they were opened.
    public var entries: [Entry] { state.withLock { $0.entries } }

    /// The active store.
    public var current: Entry? {
        state.withLock { state in state.entries.first { $0.name == state.inUse } }
    }

    /// How often commands have asked for a store of the workspace itself, for the coverage of tests.
    public var ownRequests: Int { state.withLock { $0.ownRequests } }

    func countOwnRequest() { state.withLock { $0.ownRequests += 1 } }

    /// Adds and activates a store; returns it with its ordinal. Its name must not be taken.
    @discardableResult
    public func add(_ entry: Entry) -> Entry {
        state.withLock {
            var numbered = entry
            $0.opened += 1
            numbered.number = $0.opened
            $0.entries.append(numbered)
            $0.inUse = entry.name
            return numbered
        }
    }

    /// The store of a kind in the container of another store; `nil` without a container or such a store.
    public func sibling(of entry: Entry, _ kind: StoreKind) -> Entry? {
        guard let container = entry.container else { return nil }
        return entries.first { $0.container == container && $0.kind == kind }
    }

    /// The name of a file without its extension, numbered if an open store already has that name.
    public func freeName(for url: URL) -> String {
        let taken = Set(entries.map(\.name))
        let stem = url.deletingPathExtension().lastPathComponent
        var name = stem
        var number = 2
        while taken.contains(name) {
            name = "\(stem)\(number)"
            number += 1
        }
        return name
    }

    /// Activates a store by name, or with `nil` the workspace's own; returns `false` for an unknown name.
    public func use(_ name: String?) -> Bool {
        state.withLock { state in
            if let name, !state.entries.contains(where: { $0.name == name }) { return false }
            state.inUse = name
            return true
        }
    }

    /// Removes and returns a store; `nil` for an unknown name.
    public func remove(_ name: String) -> Entry? {
        state.withLock { state in
            guard let index = state.entries.firstIndex(where: { $0.name == name }) else { return nil }
            if state.inUse == name { state.inUse = nil }
            return state.entries.remove(at: index)
        }
    }
}
