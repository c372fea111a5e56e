import PluginKit

/// A problem in a line of a feed.
struct FeedProblem: Sendable, Hashable {
    /// Its outcome in a lenient import.
    enum Outcome: String, Sendable {
        /// The line was skipped.
        case dropped
        /// The line was kept without the invalid value.
        case repaired
    }

    var table: String
    /// 0 for the whole table.
    var line: Int
    var text: String
    var outcome: Outcome
}

/// The problems of an import: each one ends a strict import, a lenient one lists them.
struct FeedProblems {
    let isLenient: Bool
    private(set) var listed: [FeedProblem] = []
    private(set) var count = 0

    init(isLenient: Bool) { self.isLenient = isLenient }

    /// Adds a problem; throws in a strict import.
    mutating func add(
        _ table: FeedTable, line: Int, _ text: String, _ outcome: FeedProblem.Outcome = .dropped,
        kind: ErrorKind = TransitErrors.row
    ) throws {
        guard isLenient else {
            let place = line > 0 ? "\(table.rawValue), line \(line): " : ""
            let remedy =
                line == 0
                ? "which continues without it"
                : outcome == .dropped ? "which skips the line" : "which keeps the line"
            throw kind(
                place + text,
                at: .file(path: table.rawValue, line: line > 0 ? line : nil, column: nil),
                fix: "correct it, or import with --lenient, \(remedy)")
        }
        count += 1
        if listed.count < TransitSettings.listedProblems {
            listed.append(FeedProblem(table: table.rawValue, line: line, text: text, outcome: outcome))
        }
    }
}
