import Foundation
import Synchronization

/// Work on a thread of its own, beside that of the caller, which needs nothing of it until later.
///
/// Nothing is left running: `end` asks the thread to stop and waits until it has.
package final class WorkBeside<Outcome: Sendable>: Sendable {
    private let isStopped = Atomic(false)
    private let outcome = Mutex<Result<Outcome, any Error>?>(nil)
    private let ended = DispatchSemaphore(value: 0)

    /// Begins the work, which is given what tells whether it is to stop.
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

    /// What came of it, as soon as it is there; handed over, so that it is asked for once. Throws `E-INTERRUPTED` where the
    /// caller's task is cancelled before that.
    package func result() throws -> Outcome {
        repeat { try Interruption.check() } while ended.wait(timeout: .now() + Self.interval) == .timedOut
        ended.signal()
        guard let found = outcome.withLock({ $0.take() }) else { throw Interruption.stopped }
        return try found.get()
    }

    /// Whether the work has ended, so that what came of it is there.
    package var hasEnded: Bool {
        guard ended.wait(timeout: .now()) == .success else { return false }
        ended.signal()
        return true
    }

    /// Waits for the end of the work, whatever comes of it, or until the caller is to stop.
    package func wait(unless isStopped: () -> Bool) {
        repeat { if isStopped() { return } } while ended.wait(timeout: .now() + Self.interval) == .timedOut
        ended.signal()
    }

    /// Ends the work, where it has not ended.
    package func end() {
        isStopped.store(true, ordering: .relaxed)
        ended.wait()
        ended.signal()
    }

    /// How often a caller that waits looks whether it is cancelled.
    private static var interval: DispatchTimeInterval { .milliseconds(20) }
    /// Bytes of the thread's stack: those of a program's first thread.
    private static var stack: Int { 8 << 20 }
}
