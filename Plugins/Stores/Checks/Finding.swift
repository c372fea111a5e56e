import PluginKit
import TrailStores

/// A kind of finding of `store check`: a stable code, its title, and the fix.
struct FindingKind: Sendable {
    /// The severity of a finding.
    enum Severity: String, Sendable, CaseIterable {
        /// Something cannot be read, or is wrong.
        case error
        /// Something is probably unintended.
        case warning
        /// For information; no action required.
        case info
    }

    /// The severity.
    let severity: Severity
    /// How to fix it, in one sentence.
    let fix: String
    /// Code, meaning and longer text, for `explain`.
    let explained: ErrorKind

    /// Declares a kind of finding.
    init(_ severity: Severity, _ code: String, _ title: String, why: String, fix: String) {
        self.severity = severity
        self.fix = fix
        explained = ErrorKind(
            code, title,
            explanation: "\(why) A finding of `store check` (\(severity.rawValue)). Fix: \(fix).")
    }

    /// The stable code.
    var code: String { explained.code }
}

/// One problem that a check found.
struct Finding: Sendable {
    /// Its kind.
    let kind: FindingKind
    /// The table it is in; `nil` for the file as a whole.
    let table: String?
    /// SQLite's row number; `nil` if the finding is not about a single row.
    let row: Int64?
    /// The stored identifier of the row.
    let id: String?
    /// The problem.
    let what: String
    /// The statement that fixes it without data loss; `nil` if that needs a decision.
    var repair: String?
}
