import Foundation

/// Runs entries for clients other than the prompt, such as a web page, as if they were typed there. Entries
/// of all clients run one after the other, but for those that only read and are not recorded: they run beside them.
public protocol EntryRunning: Sendable {
    /// Runs an entry to its end. Never throws: the outcome holds the error.
    func run(_ entry: String, _ options: EntryRunOptions) async -> EntryOutcome
    /// A token that lets another task run entries within the current task's entry.
    var permit: EntryPermit { get }
    /// A value as `to json` writes it. Throws `E-DATA-DEPTH` and errors from computing its rows.
    func json(_ value: Value) async throws -> String
    /// Values as the cells of tables show them, under the session's units and time zone.
    func cells(_ values: [Value]) async -> [String]
    /// The steps of a trace, or of two in a list, as the data of the player of `export FILE.html`;
    /// `nil` for other values. Throws drawing errors.
    func playerData(_ value: Value) async throws -> String?
    /// The picture of a value, such as of `plot`, as an SVG file; `nil` for values without a picture. Throws
    /// drawing errors.
    func picture(_ value: Value) async throws -> String?
    /// A notebook of `notebook show` as JSON: its parts with their source and with the HTML of `notebook render`; `nil` for other values.
    /// Throws `E-LIBRARY-MISSING` without cmark-gfm.
    func notebook(_ value: Value) async throws -> String?
    /// The current context.
    func context() async throws -> Context
    /// Calls back after each entry from any client, until the observation is released.
    func observe(_ report: @escaping @Sendable (EntryEvent) -> Void) async -> EntryObservation
}

/// Options for running a client's entry.
public struct EntryRunOptions: Sendable, Hashable {
    /// Columns of its text.
    public var width: Int
    /// Whether it is recorded in the session: true for user actions, false for queries.
    public var isRecorded: Bool
    /// Whether it is read-only: it cannot change stores, files or the session, and reads only files of the workspace.
    public var isReadOnly: Bool
    /// Whether live rows are left to the receiver of the value: they then have no text and do not block other entries.
    public var leavesLiveRows = false
    /// The only folder for output files, if the client delivers them; `nil` for the session's own folder.
    public var outputFolder: URL?
    /// The enclosing entry; `nil` if it waits for its turn.
    public var permit: EntryPermit?

    /// Creates options.
    public init(width: Int = 80, isRecorded: Bool, isReadOnly: Bool, permit: EntryPermit? = nil) {
        (self.width, self.isRecorded, self.isReadOnly) = (width, isRecorded, isReadOnly)
        self.permit = permit
    }
}

/// Identifies the enclosing entries, so that a nested entry does not wait for them.
public struct EntryPermit: Sendable, Hashable {
    /// Their sessions.
    public let sessions: Set<ObjectIdentifier>

    /// Created by the host.
    public init(sessions: Set<ObjectIdentifier>) { self.sessions = sessions }
}

/// The outcome of an entry.
public struct EntryOutcome: Sendable {
    /// The values shown, without colour and without a line end.
    public var text: String
    /// The error in words, with the word underlined.
    public var errorText: String?
    /// The value of the last pipeline.
    public var value: Value
    /// The error that stopped the entry.
    public var failure: RutterError?
    /// What its commands reported beside their values, in order.
    public var notices: [String] = []
    /// Whether a command ran that changes the workspace or the session.
    public var hasChanged: Bool

    /// Creates an outcome.
    public init(text: String, errorText: String?, value: Value, failure: RutterError?, hasChanged: Bool) {
        self.text = text
        self.errorText = errorText
        self.value = value
        self.failure = failure
        self.hasChanged = hasChanged
    }
}

/// An entry that ran.
public struct EntryEvent: Sendable, Hashable {
    /// The entry, without passwords.
    public var entry: String
    /// Whether it failed.
    public var failed: Bool
    /// Whether a command ran that changes the workspace or the session.
    public var hasChanged: Bool

    /// An entry that ran.
    public init(entry: String, failed: Bool, hasChanged: Bool) {
        (self.entry, self.failed, self.hasChanged) = (entry, failed, hasChanged)
    }
}

/// Ends a callback when it is released.
public final class EntryObservation: Sendable {
    private let end: @Sendable () -> Void

    /// Creates an observation with the action that ends it.
    public init(end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
}
