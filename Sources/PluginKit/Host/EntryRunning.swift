import Foundation

/// Another way into the session than its prompt, such as a web page: runs entries as if they were typed there. Entries of
/// all ways in run one after the other.
public protocol EntryRunning: Sendable {
    /// Runs an entry to its end. Never throws: what went wrong is in the outcome.
    func run(_ entry: String, _ manner: EntryManner) async -> EntryOutcome
    /// What lets another task run entries within the one that the present task runs.
    var permit: EntryPermit { get }
    /// A value as `to json` writes it. Throws `E-DATA-DEPTH`, and what making its rows throws.
    func json(_ value: Value) async throws -> String
    /// Values as the cells of tables show them, under the session's units and time zone.
    func cells(_ values: [Value]) async -> [String]
    /// The steps of a trace, or of two in a list, as the data of the player of `player --out FILE.html`; `nil` for other values.
    /// Throws what drawing them throws.
    func playerData(_ value: Value) async throws -> String?
    /// The picture of a value that is one, such as of `plot`, as the text of an SVG file; `nil` for other values. Throws what drawing
    /// throws.
    func picture(_ value: Value) async throws -> String?
    /// A notebook of `notebook show` as JSON: its parts with their source and with the HTML of `notebook render`; `nil` for other values.
    /// Throws `E-LIBRARY-MISSING` without cmark-gfm.
    func notebook(_ value: Value) async throws -> String?
    /// What a plugin gets of the session at present.
    func context() async throws -> Context
    /// Calls back after each entry that ran, whoever ran it, until the observation is dropped.
    func observe(_ report: @escaping @Sendable (EntryEvent) -> Void) async -> EntryObservation
}

/// How an entry of another way in is run.
public struct EntryManner: Sendable, Hashable {
    /// Columns of its text.
    public var width: Int
    /// Whether it belongs to the session's record, as what a person does and what is only looked at does not.
    public var isRecorded: Bool
    /// Whether it may change nothing: neither a store nor a file nor the session. It then reads files of the workspace alone.
    public var isReadOnly: Bool
    /// Whether rows that arrive over time are left to whoever gets the value: they have no text then, and hold up no other entry.
    public var leavesLiveRows = false
    /// The only folder that the files of the entry go to, for whoever hands them on; `nil` where they go to the session's own.
    public var outputFolder: URL?
    /// The entry within which it runs; `nil` where it waits for its turn.
    public var permit: EntryPermit?

    /// A manner.
    public init(width: Int = 80, isRecorded: Bool, isReadOnly: Bool, permit: EntryPermit? = nil) {
        (self.width, self.isRecorded, self.isReadOnly) = (width, isRecorded, isReadOnly)
        self.permit = permit
    }
}

/// Names the entries that wait for what is run with it, so that it does not wait for them.
public struct EntryPermit: Sendable, Hashable {
    /// Their sessions.
    public let sessions: Set<ObjectIdentifier>

    /// The host makes it.
    public init(sessions: Set<ObjectIdentifier>) { self.sessions = sessions }
}

/// What came of an entry.
public struct EntryOutcome: Sendable {
    /// The values shown, without colour and without a line end.
    public var text: String
    /// The error in words, with the word underlined.
    public var errorText: String?
    /// The value of the last pipeline.
    public var value: Value
    /// The error that stopped the entry.
    public var failure: RutterError?
    /// Whether a command ran that changes the workspace or the session.
    public var hasChanged: Bool

    /// What came of an entry.
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

/// Ends a call back when it is dropped.
public final class EntryObservation: Sendable {
    private let end: @Sendable () -> Void

    /// An observation and what ends it.
    public init(end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
}
