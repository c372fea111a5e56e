import PluginKit
import TrailStores

/// A kind of finding of `store check`: a stable code that never changes its meaning, what it means, how to mend it.
struct FindingKind: Sendable {
    /// How much a finding matters.
    enum Severity: String, Sendable, CaseIterable {
        /// Something cannot be read, or is wrong.
        case error
        /// Something is probably not as meant.
        case warning
        /// Worth knowing; nothing has to be done.
        case info
    }

    /// How much it matters.
    let severity: Severity
    /// What to do about it, in one sentence.
    let mend: String
    /// Code, meaning and longer text, for `explain`.
    let explained: ErrorKind

    /// Declares a kind of finding.
    init(_ severity: Severity, _ code: String, _ title: String, why: String, mend: String) {
        self.severity = severity
        self.mend = mend
        explained = ErrorKind(
            code, title,
            explanation: "\(why) A finding of `store check` (\(severity.rawValue)). To mend it: \(mend).")
    }

    /// The stable code.
    var code: String { explained.code }
}

/// One thing that a check found.
struct Finding: Sendable {
    /// What kind of thing.
    let kind: FindingKind
    /// The table it is in; `nil` for the file as a whole.
    let table: String?
    /// SQLite's number of the row; `nil` when it is about no single row.
    let row: Int64?
    /// The row's own identifier as it is stored.
    let id: String?
    /// What is wrong here.
    let what: String
}
