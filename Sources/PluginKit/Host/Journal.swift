import Synchronization

/// The session's changes, for `undo`, newest first.
public final class Journal: Sendable {
    /// One reversible change.
    public struct Entry: Sendable {
        /// A summary, such as `added waypoint Hut`.
        public let summary: String
        /// Reverts the change; throws, and changes nothing, if the item has changed since.
        public let revert: @Sendable () async throws -> Void

        /// A change and its inverse.
        public init(_ summary: String, revert: @escaping @Sendable () async throws -> Void) {
            self.summary = summary
            self.revert = revert
        }
    }

    private let entries = Mutex<[Entry]>([])

    /// An empty journal.
    public init() {}

    /// Records a completed change.
    public func record(_ summary: String, revert: @escaping @Sendable () async throws -> Void) {
        entries.withLock { $0.append(Entry(summary, revert: revert)) }
    }

    /// The newest change, removed from the journal; `nil` when there is none.
    public func takeLast() -> Entry? { entries.withLock { $0.popLast() } }

    /// Makes the two newest changes one, so that one `undo` takes back what one command did: the newer first.
    public func joinLast() {
        entries.withLock { entries in
            guard let newer = entries.popLast() else { return }
            guard let older = entries.popLast() else {
                entries.append(newer)
                return
            }
            entries.append(
                Entry(older.summary) {
                    try await newer.revert()
                    try await older.revert()
                })
        }
    }

    /// Restores an entry that could not be reverted.
    public func putBack(_ entry: Entry) { entries.withLock { $0.append(entry) } }

    /// The reversible changes, oldest first.
    public var summaries: [String] { entries.withLock { $0.map(\.summary) } }
}
