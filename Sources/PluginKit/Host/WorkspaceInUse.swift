import Foundation
import Synchronization

/// The folder whose stores commands work on: the session's own workspace, or another folder that a plugin puts in its
/// place, such as that of a simulated device.
public final class WorkspaceInUse: Sendable {
    private struct State: Sendable {
        var folder: URL?
        var name: String?
    }

    /// The session's own folder.
    public let home: URL
    private let state = Mutex(State())

    /// A session's own folder.
    public init(home: URL) { self.home = home }

    /// The folder in use.
    public var folder: URL { state.withLock { $0.folder } ?? home }

    /// What the folder in use is called; `nil` for the session's own.
    public var name: String? { state.withLock { $0.name } }

    /// Uses another folder by a name, or with `nil` the session's own.
    public func use(_ other: (name: String, folder: URL)?) {
        state.withLock {
            $0.folder = other?.folder
            $0.name = other?.name
        }
    }
}
