import Foundation
import Synchronization

/// The folder whose stores commands work on: the session's own workspace, or another folder that a plugin selects in its
/// place, such as that of a simulated device.
public final class ActiveWorkspace: Sendable {
    private struct State: Sendable {
        var folder: URL?
        var name: String?
        var activations = 0
    }

    /// One activation of a folder: stores opened before may belong to another folder by now, even with
    /// the same path.
    struct Activation: Hashable, Sendable {
        /// The folder.
        let folder: URL
        private let number: Int

        fileprivate init(folder: URL, number: Int) {
            self.folder = folder
            self.number = number
        }
    }

    /// The session's own folder.
    public let home: URL
    private let state = Mutex(State())

    /// A session's own folder.
    public init(home: URL) { self.home = home }

    /// The active folder.
    public var folder: URL { state.withLock { $0.folder } ?? home }

    /// The current activation of the active folder.
    var activation: Activation {
        state.withLock { Activation(folder: $0.folder ?? home, number: $0.activations) }
    }

    /// The name of the active folder; `nil` for the session's own.
    public var name: String? { state.withLock { $0.name } }

    /// Activates another folder with a name, or with `nil` the session's own.
    public func use(_ other: (name: String, folder: URL)?) {
        state.withLock {
            $0.folder = other?.folder
            $0.name = other?.name
            $0.activations += 1
        }
    }
}
