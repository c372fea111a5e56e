import PluginKit
import Synchronization

/// Runs one entry of a session at a time, in order of arrival, from any source. Entries started by the
/// running entry, such as a notebook's cells, belong to it and do not wait.
final class EntryGate: Sendable {
    private struct State: Sendable {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    /// The gates that the current task has passed.
    @TaskLocal private static var passed: Set<ObjectIdentifier> = []
    private let state = Mutex(State())

    /// A token that lets another task pass the gates that the current task has passed.
    static var permit: EntryPermit { EntryPermit(sessions: passed) }

    /// Whether an entry is running.
    var isTaken: Bool { state.withLock { $0.isTaken } }

    /// Runs a body after all earlier entries have ended.
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
