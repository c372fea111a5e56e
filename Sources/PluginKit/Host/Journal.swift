import Synchronization

/// What the session changed, so that `undo` can take it back, newest first.
public final class Journal: Sendable {
    /// One change that can be taken back.
    public struct Entry: Sendable {
        /// What was done, such as `added waypoint Hut`.
        public let summary: String
        /// Takes the change back; throws, and changes nothing, when the thing was changed since.
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

    /// Remembers a change that has happened.
    public func record(_ summary: String, revert: @escaping @Sendable () async throws -> Void) {
        entries.withLock { $0.append(Entry(summary, revert: revert)) }
    }

    /// The newest change, taken out of the journal; `nil` when there is none.
    public func takeLast() -> Entry? { entries.withLock { $0.popLast() } }

    /// Puts back an entry whose reverting failed.
    public func putBack(_ entry: Entry) { entries.withLock { $0.append(entry) } }

    /// The changes that can be taken back, oldest first.
    public var summaries: [String] { entries.withLock { $0.map(\.summary) } }
}
