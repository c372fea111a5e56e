import Foundation
import Synchronization

/// The folder whose stores commands work on: the session's own workspace, or another folder that a plugin puts in its
/// place, such as that of a simulated device.
public final class ActiveWorkspace: Sendable {
    private struct State: Sendable {
        var folder: URL?
        var name: String?
        var turns = 0
    }

    /// A folder from the moment it came into use: what was open in it before may be another folder's by now, although
    /// it has the same path.
    public struct Turn: Hashable, Sendable {
        /// The folder.
        public let folder: URL
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

    /// The folder in use.
    public var folder: URL { state.withLock { $0.folder } ?? home }

    /// The folder in use since it was last chosen.
    public var turn: Turn { state.withLock { Turn(folder: $0.folder ?? home, number: $0.turns) } }

    /// What the folder in use is called; `nil` for the session's own.
    public var name: String? { state.withLock { $0.name } }

    /// Uses another folder by a name, or with `nil` the session's own.
    public func use(_ other: (name: String, folder: URL)?) {
        state.withLock {
            $0.folder = other?.folder
            $0.name = other?.name
            $0.turns += 1
        }
    }
}
