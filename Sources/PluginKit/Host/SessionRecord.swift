import Foundation

/// The record of a session, for commands that export it.
public protocol SessionRecord: Sendable {
    /// The entries so far, with `clock` entries before those that read a running clock.
    func entries() async throws -> [SessionEntry]
    /// A notebook of entries under the session's settings, which names its data files.
    func notebook(title: String, entries: [SessionEntry], data: [String]) async throws -> String
    /// The content of the workspace when the session began.
    func firstStores() async throws -> [FirstStore]
    /// Runs a notebook in a fresh session and workspace; data files are beside it. External plugins are
    /// allowed only if `allowsPlugins` is set and this session allows them, so that a stranger's notebook
    /// cannot decide it.
    func rerun(_ notebook: URL, allowsPlugins: Bool) async throws -> NotebookRerun
}

/// An entry and its output.
public struct SessionEntry: Sendable, Hashable {
    /// The input.
    public var input: String
    /// The output.
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

/// A store, or another file or folder, in the workspace when the session began.
public struct FirstStore: Sendable, Hashable {
    /// Its name in the workspace.
    public let name: String
    /// Whether it is unchanged since.
    public let isUnchanged: Bool

    /// A file or folder of the workspace.
    public init(name: String, isUnchanged: Bool) {
        self.name = name
        self.isUnchanged = isUnchanged
    }
}

/// The result of rerunning a notebook.
public struct NotebookRerun: Sendable {
    /// `passed`, `failed` or `skipped`.
    public let outcome: String
    /// Why it was skipped or could not run.
    public let reason: String?
    /// Number of cells.
    public let cells: Int
    /// Number of cells whose output differs.
    public let failed: Int
    /// The output of its entries.
    public let entries: [SessionEntry]

    /// Creates a result.
    public init(outcome: String, reason: String?, cells: Int, failed: Int, entries: [SessionEntry]) {
        self.outcome = outcome
        self.reason = reason
        self.cells = cells
        self.failed = failed
        self.entries = entries
    }
}
