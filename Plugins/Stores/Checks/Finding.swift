import PluginKit
import TrailStores

/// A kind of finding of `store check`: a stable code that never changes its meaning, the meaning, and the fix.
struct FindingKind: Sendable {
    /// How much a finding matters.
    enum Severity: String, Sendable, CaseIterable {
        /// Something cannot be read, or is wrong.
        case error
        /// Something is probably unintended.
        case warning
        /// For information; no action required.
        case info
    }

    /// How much it matters.
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
    /// The row's own identifier as it is stored.
    let id: String?
    /// What is wrong here.
    let what: String
    /// The statement that mends it without losing anything; `nil` where only a person can decide.
    var repair: String?
}
