/// Why an entry failed.
public enum FailureKind: String, Sendable, Codable, CaseIterable {
    /// The output is not the one expected.
    case differs
    /// The cell is marked `fails`, and every entry succeeded.
    case didNotFail
    /// The command failed, and the cell is not marked `fails`.
    case failed
    /// No answer to the exercise can be compared with what its solution shows.
    case unanswerable
    /// The entry took longer than the timeout.
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
    /// What was typed.
    public let input: String
    /// What is to be read: a sentence.
    public let message: String
    /// The difference, where there is one.
    public var diff: String?
    /// What the entry showed, where it is needed for an update.
    public var actual: String?
    /// What earlier entries had captured, where it is needed for an update.
    var bindings: [String: String]?
    /// Whether the command failed.
    public var commandFailed = false
}

/// How a cell did.
public struct CellReport: Sendable, Hashable, Codable {
    /// What became of a cell.
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
    /// What became of it.
    public var status: Status
    /// How long it ran, where it did.
    public var seconds: Double?
}

/// An input file whose content is not the one a notebook is pinned to.
public struct ChangedData: Sendable, Hashable, Codable {
    /// Its name in the notebook.
    public let name: String
    /// The SHA-256 in the notebook.
    public let pinned: String
    /// The SHA-256 of the file; `nil` when it cannot be read.
    public let actual: String?

    var sentence: String {
        "input data changed: `\(name)` has sha256 \(actual ?? "(unreadable)"), the notebook was written with \(pinned)"
    }
}

/// How a notebook did.
public struct NotebookReport: Sendable, Hashable, Codable {
    /// What became of a notebook.
    public enum Outcome: String, Sendable, Codable {
        /// Every cell that checks something matched.
        case passed
        /// Something did not match, or the notebook cannot be run.
        case failed
        /// What it needs is missing.
        case skipped
    }

    /// The file, as it was named.
    public var path: String
    /// What became of it.
    public var outcome: Outcome
    /// Why it was skipped.
    public var reason: String?
    /// Why it could not be run, or not to its end.
    public var error: NotebookError?
    /// The entries that failed.
    public var failures: [EntryFailure] = []
    /// Its cells.
    public var cells: [CellReport] = []
    /// What else is to be said: about the input data, about a worker's last words.
    public var notes: [String] = []
    /// The input files that are not those it was written with.
    public var changedData: [ChangedData] = []
    /// The SHA-256 of the text that was run.
    public var digest: String?
    /// What the run was made of, to compare with a later one.
    var fingerprint: NotebookFingerprint?
    /// What it used, when that was asked for.
    public var coverage: CoverageReport?

    /// A report with nothing in it yet.
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

    /// How long its cells ran.
    public var seconds: Double { cells.reduce(0) { $0 + ($1.seconds ?? 0) } }
}
