import Foundation

/// What a session has run so far, and how it can be run again, for commands that hand it on.
public protocol SessionRecord: Sendable {
    /// The entries so far, with what sets the clock before those that asked a running one.
    func entries() async throws -> [SessionEntry]
    /// A notebook of entries under the session's settings, which names its data files.
    func notebook(title: String, entries: [SessionEntry], data: [String]) async throws -> String
    /// What the workspace held when the session began.
    func firstStores() async throws -> [FirstStore]
    /// Runs a notebook in a fresh session and workspace; data files lie beside it. It may run plugins of others only where
    /// `allowsPlugins` and this session itself may: one that somebody else wrote must not decide that.
    func rerun(_ notebook: URL, allowsPlugins: Bool) async throws -> NotebookRerun
}

/// An entry and what it showed.
public struct SessionEntry: Sendable, Hashable {
    /// What was typed.
    public var input: String
    /// What was shown.
    public var output: String
    /// Whether it failed.
    public var failed: Bool

    /// An entry.
    public init(input: String, output: String, failed: Bool) {
        self.input = input
        self.output = output
        self.failed = failed
    }
}

/// A store, or another file or folder, that the workspace held when the session began.
public struct FirstStore: Sendable, Hashable {
    /// Its name in the workspace.
    public let name: String
    /// Whether it is still as it was then.
    public let isUnchanged: Bool

    /// A file or folder of the workspace.
    public init(name: String, isUnchanged: Bool) {
        self.name = name
        self.isUnchanged = isUnchanged
    }
}

/// What running a notebook again came to.
public struct NotebookRerun: Sendable {
    /// `passed`, `failed` or `skipped`.
    public let outcome: String
    /// Why it was skipped or could not run.
    public let reason: String?
    /// Cells it has.
    public let cells: Int
    /// Cells that showed something else than the notebook says.
    public let failed: Int
    /// What its entries showed this time.
    public let entries: [SessionEntry]

    /// What it came to.
    public init(outcome: String, reason: String?, cells: Int, failed: Int, entries: [SessionEntry]) {
        self.outcome = outcome
        self.reason = reason
        self.cells = cells
        self.failed = failed
        self.entries = entries
    }
}
