import PluginKit
import Synchronization

/// Lets one entry of a session run at a time, in the order in which they came, whichever way they came in. What an entry
/// runs itself, such as the cells of a notebook, belongs to it and does not wait.
final class EntryGate: Sendable {
    private struct State: Sendable {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    /// The gates that the present task has passed.
    @TaskLocal private static var passed: Set<ObjectIdentifier> = []
    private let state = Mutex(State())

    /// What lets another task pass the gates that the present one has passed.
    static var permit: EntryPermit { EntryPermit(sessions: passed) }

    /// Runs a body when all that came before have ended.
    func pass<T: Sendable>(_ permit: EntryPermit? = nil, _ body: @Sendable () async -> T) async -> T {
        let passed = permit?.sessions ?? Self.passed
        let isInside = passed.contains(ObjectIdentifier(self))
        if !isInside { await enter() }
        defer { if !isInside { leave() } }
        return await Self.$passed.withValue(passed.union([ObjectIdentifier(self)])) { await body() }
    }

    private func enter() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if !state.isTaken {
                    state.isTaken = true
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if state.waiting.isEmpty {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
