import Synchronization

/// The session's changes, for `undo`, newest first.
public final class Journal: Sendable {
    /// Reverts a part of a change; throws, and changes nothing, if the item has changed since.
    public typealias Step = @Sendable () async throws -> Void

    /// One reversible change.
    private struct Entry: Sendable {
        /// A summary, such as `added waypoint Hut`.
        let summary: String
        /// What reverts it, in order.
        var steps: [Step]
    }

    private let entries = Mutex<[Entry]>([])

    /// An empty journal.
    public init() {}

    /// Records a completed change, by what reverts it.
    public func record(_ summary: String, revert: @escaping Step) {
        entries.withLock { $0.append(Entry(summary: summary, steps: [revert])) }
    }

    /// Adds to the newest change what the same command changed besides. It is reverted after the rest, so that nothing
    /// is if the rest has changed since.
    public func alsoRevert(_ step: @escaping Step) {
        entries.withLock { entries in
            guard let last = entries.indices.last else { return }
            entries[last].steps.append(step)
        }
    }

    /// Reverts the newest change and returns its summary; `nil` when there is none.
    ///
    /// If a step fails, the change stays the newest one, without the steps that are done: none is done twice.
    public func revertLast() async throws -> String? {
        guard var entry = entries.withLock({ $0.popLast() }) else { return nil }
        while let step = entry.steps.first {
            do { try await step() } catch {
                entries.withLock { [entry] in $0.append(entry) }
                throw error
            }
            entry.steps.removeFirst()
        }
        return entry.summary
    }

    /// The reversible changes, oldest first.
    public var summaries: [String] { entries.withLock { $0.map(\.summary) } }
}
