import Foundation
import Synchronization

/// Polls a cloud's head on its own thread, so that no caller blocks. Notifications from the cloud only
/// trigger an early poll; the regular poll is the guarantee.
final class CloudWatcher: Sendable {
    private struct State {
        var head: Int64
        var isStopped = false
    }

    private enum Settings {
        /// Seconds to wait for a notification at a time.
        static let wait = 0.5
        /// Seconds between polls without a notification.
        static let poll = 20.0
        /// Seconds before reconnecting.
        static let pause = 2.0
    }

    private let state: Mutex<State>

    /// Watches a cloud from `head` on. `open` connects, on the watcher's thread, and again after the connection
    /// was lost.
    init(head: Int64, open: @escaping @Sendable () throws -> any CloudBackend) {
        state = Mutex(State(head: head))
        let thread = Thread { [weak self] in
            while let seen = self?.watch(open) {
                if seen { continue }
                Thread.sleep(forTimeInterval: Settings.pause)
            }
        }
        thread.name = "cloud watch"
        thread.start()
    }

    /// The newest head seen.
    var head: Int64 { state.withLock { $0.head } }

    /// Ends the watch.
    func stop() { state.withLock { $0.isStopped = true } }

    private var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Watches until the connection is lost; `nil` when the watch was stopped.
    private func watch(_ open: () throws -> any CloudBackend) -> Bool? {
        if isStopped { return nil }
        guard var cloud = try? open() else { return false }
        while !isStopped {
            // Also after a reconnection, since notifications in between were lost.
            guard let head = try? cloud.latest() else { return false }
            state.withLock { $0.head = head }
            var waited = 0.0
            var isHinted = false
            while !isHinted, waited < Settings.poll, !isStopped {
                do throws(CloudFailure) { isHinted = try cloud.awaitHint(seconds: Settings.wait) } catch {
                    return false
                }
                waited += Settings.wait
            }
        }
        return nil
    }
}
