import Foundation
import Synchronization

/// Background work on its own thread, whose result the caller needs later.
///
/// `end` requests a stop and waits for the thread, so that nothing keeps running.
package final class BackgroundWork<Outcome: Sendable>: Sendable {
    private let isStopped = Atomic(false)
    private let outcome = Mutex<Result<Outcome, any Error>?>(nil)
    private let ended = DispatchSemaphore(value: 0)

    /// Starts the work, which receives a check for whether to stop.
    package init(_ work: @escaping @Sendable (_ isStopped: @escaping @Sendable () -> Bool) throws -> Outcome)
    {
        let thread = Thread { [self] in
            let found = Result { try work { [self] in isStopped.load(ordering: .relaxed) } }
            outcome.withLock { $0 = found }
            ended.signal()
        }
        thread.stackSize = Self.stack
        thread.start()
    }

    /// The result, as soon as it is available; consumed, so call it once. Throws `E-INTERRUPTED` if the
    /// caller's task is cancelled first.
    package func result() throws -> Outcome {
        repeat { try Interruption.check() } while ended.wait(timeout: .now() + Self.interval) == .timedOut
        ended.signal()
        guard let found = outcome.withLock({ $0.take() }) else { throw Interruption.stopped }
        return try found.get()
    }

    /// Whether the work has ended, so that `result` returns at once.
    package var hasEnded: Bool {
        guard ended.wait(timeout: .now()) == .success else { return false }
        ended.signal()
        return true
    }

    /// Waits for the end of the work, or until the caller is cancelled.
    package func wait(unless isStopped: () -> Bool) {
        repeat { if isStopped() { return } } while ended.wait(timeout: .now() + Self.interval) == .timedOut
        ended.signal()
    }

    /// Requests a stop without waiting for it.
    package func stop() { isStopped.store(true, ordering: .relaxed) }

    /// Stops the work, if it is running.
    package func end() {
        stop()
        ended.wait()
        ended.signal()
    }

    /// Interval at which a waiting caller checks for cancellation: a fraction of the 50 ms in which a command stops.
    private static var interval: DispatchTimeInterval { .milliseconds(5) }
    /// Stack size of the thread in bytes: that of a main thread.
    private static var stack: Int { 8 << 20 }
}

/// Background work with different results that ends together: all of it receives the stop request before any is joined.
package final class BackgroundWorkGroup: Sendable {
    private let members = Mutex<[(stop: @Sendable () -> Void, end: @Sendable () -> Void)]>([])

    package init() {}

    /// Starts work in the group.
    package func start<Outcome>(
        _ work: @escaping @Sendable (_ isStopped: @escaping @Sendable () -> Bool) throws -> Outcome
    ) -> BackgroundWork<Outcome> {
        let work = BackgroundWork(work)
        members.withLock { $0.append((work.stop, work.end)) }
        return work
    }

    /// Stops the running work.
    package func end() {
        let all = members.withLock { $0 }
        for member in all { member.stop() }
        for member in all { member.end() }
    }
}
