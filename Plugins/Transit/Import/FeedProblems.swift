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

/// The problems of an import: a strict import fails at the first, a lenient one lists them.
struct FeedProblems {
    let isLenient: Bool
    private(set) var listed: [FeedProblem] = []
    private(set) var count = 0
    /// The first words of the listed problems, by table; at least one of each kind is listed.
    private var kinds: Set<Kind> = []

    private struct Kind: Hashable {
        var table: FeedTable
        var words: Substring
    }

    init(isLenient: Bool) { self.isLenient = isLenient }

    /// Whether a problem is the first of its kind.
    private mutating func isFirst(_ table: FeedTable, _ text: String) -> Bool {
        guard kinds.count < TransitSettings.listedProblems else { return false }
        let first = text.firstIndex(of: " ") ?? text.endIndex
        let rest = text[first...].dropFirst()
        return kinds.insert(Kind(table: table, words: text[..<(rest.firstIndex(of: " ") ?? text.endIndex)]))
            .inserted
    }

    /// Adds a problem; throws in a strict import.
    mutating func add(
        _ table: FeedTable, line: Int, _ text: String, _ outcome: FeedProblem.Outcome = .dropped,
        kind: ErrorKind = TransitErrors.row
    ) throws {
        guard isLenient else {
            let location = line > 0 ? "\(table.rawValue), line \(line): " : ""
            let remedy =
                line == 0
                ? "which continues without it"
                : outcome == .dropped ? "which skips the line" : "which keeps the line"
            // A tab in a value is invisible otherwise; other control characters are removed when errors are
            // rendered.
            throw kind(
                location + text.replacing("\t", with: "\\t"),
                at: .file(path: table.rawValue, line: line > 0 ? line : nil, column: nil),
                fix: "correct it, or import with --lenient, \(remedy)")
        }
        count += 1
        let hasRoom = listed.count < TransitSettings.listedProblems
        if isFirst(table, text) || hasRoom {
            listed.append(FeedProblem(table: table.rawValue, line: line, text: text, outcome: outcome))
        }
    }
}
