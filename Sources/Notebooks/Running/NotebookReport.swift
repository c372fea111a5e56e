/// Why an entry failed.
public enum FailureKind: String, Sendable, Codable, CaseIterable {
    /// The output differs.
    case differs
    /// The cell is marked `fails`, and every entry succeeded.
    case didNotFail
    /// The command failed, and the cell is not marked `fails`.
    case failed
    /// The output of the solution cannot be compared with answers.
    case unanswerable
    /// The entry exceeded its timeout.
    case timeout
    /// The process ended while the entry ran.
    case crash
    /// The run was interrupted.
    case interrupted
}

/// An entry that failed.
public struct EntryFailure: Sendable, Hashable, Codable {
    /// The number of its cell, from 1.
    public let cell: Int
    /// Its index among all entries that are run.
    public let entry: Int
    /// The line of its prompt.
    public let line: Int
    /// Why.
    public let kind: FailureKind
    /// The input.
    public let input: String
    /// The message.
    public let message: String
    /// The diff, if any.
    public var diff: String?
    /// The output, if needed for an update.
    public var actual: String?
    /// The captures of earlier entries, if needed for an update.
    var bindings: [String: String]?
    /// Whether the command failed.
    var commandFailed = false
}

/// The report of a cell.
public struct CellReport: Sendable, Hashable, Codable {
    /// The outcome of a cell.
    public enum Status: String, Sendable, Codable {
        /// All its entries matched.
        case passed
        /// Some entry failed.
        case failed
        /// It ran and nothing was compared.
        case unchecked
        /// It is only shown.
        case shown
        /// The run ended before it.
        case notReached
    }

    /// Its number, from 1.
    public let number: Int
    /// The line of its fence.
    public let line: Int
    /// Its outcome.
    public var status: Status
    /// Its duration, if it ran.
    public var seconds: Double?
}

/// An input file whose content differs from the pinned hash.
struct ChangedData: Sendable, Hashable, Codable {
    /// Its name in the notebook.
    let name: String
    /// The SHA-256 in the notebook.
    let pinned: String
    /// The SHA-256 of the file; `nil` when it cannot be read.
    let actual: String?

    var sentence: String {
        "input data changed: `\(name)` has sha256 \(actual ?? "(unreadable)"), the notebook was written with \(pinned)"
    }
}

/// The report of a notebook.
public struct NotebookReport: Sendable, Hashable, Codable {
    /// The outcome of a notebook.
    public enum Outcome: String, Sendable, Codable {
        /// Every cell that checks something matched.
        case passed
        /// Something did not match, or the notebook cannot be run.
        case failed
        /// A requirement is missing.
        case skipped
    }

    /// The file, as named.
    public var path: String
    /// Its outcome.
    public var outcome: Outcome
    /// Why it was skipped.
    public var reason: String?
    /// Why it could not be run, or not to its end.
    public var error: NotebookError?
    /// The entries that failed.
    public var failures: [EntryFailure] = []
    /// Its cells.
    public var cells: [CellReport] = []
    /// Notes about input data, or a worker's last output.
    public var notes: [String] = []
    /// The changed input files.
    var changedData: [ChangedData] = []
    /// The SHA-256 of the text that was run.
    public var digest: String?
    /// The fingerprint of the run, to compare with a later one.
    var fingerprint: NotebookFingerprint?
    /// The coverage, if requested.
    public var coverage: CoverageReport?

    /// Creates an empty report.
    public init(path: String, outcome: Outcome) {
        self.path = path
        self.outcome = outcome
    }

    /// The report of a notebook that cannot be run.
    static func failed(_ path: String, _ error: NotebookError) -> NotebookReport {
        var report = NotebookReport(path: path, outcome: .failed)
        report.error = error
        return report
    }

    /// The total duration of its cells.
    public var seconds: Double { cells.reduce(0) { $0 + ($1.seconds ?? 0) } }
}
