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

    var fault: FeedFault
    var table: String
    /// 0 for the whole table.
    var line: Int
    var outcome: Outcome

    var text: String { fault.text }
}

/// The problems of an import: a strict import fails at the first, a lenient one lists them.
struct FeedProblems {
    let isLenient: Bool
    /// Whether a lenient import is refused without a required table or a time zone: what remains would not be
    /// a timetable, or one with wrong times.
    var needsTables = false
    private(set) var listed: [FeedProblem] = []
    private(set) var count = 0
    /// The problem of a table that cannot be read at all, which ends a lenient import too.
    private(set) var refused: FeedProblem?
    /// The kinds of the listed problems; at least one of each kind is listed.
    private var kinds: Set<Kind> = []
    /// What is counted beyond the listed problems, by kind, in the order of the first.
    private(set) var unlisted: [(problem: FeedProblem, count: Int)] = []
    private var unlistedIndex: [Kind: Int] = [:]

    private struct Kind: Hashable {
        var table: FeedTable
        var rule: FeedRule?
        var field: String?
    }

    /// What became of the lines of each table, in the order in which they were read.
    private(set) var rows = FeedRowCounts()

    init(isLenient: Bool) { self.isLenient = isLenient }

    /// Counts the lines of a table that was read to its end.
    mutating func countRows(_ table: FeedTable, _ count: Int) { rows.count(table, count) }

    /// Counts a line that is not used because its trip is skipped, whose problem is elsewhere.
    mutating func skipRow(_ table: FeedTable, line: Int) { rows.skip(table, line: line) }

    /// Adds a problem; throws in a strict import.
    mutating func add(
        _ table: FeedTable, line: Int, _ fault: FeedFault, _ outcome: FeedProblem.Outcome = .dropped,
        kind: ErrorKind = TransitErrors.row
    ) throws {
        let isVital =
            kind.code == TransitErrors.missing.code || kind.code == TransitErrors.zone.code && line == 0
        guard isLenient, !(needsTables && isVital) else {
            let location = line > 0 ? "\(table.rawValue), line \(line): " : ""
            let remedy =
                line == 0
                ? "which continues without it"
                : outcome == .dropped ? "which skips the line" : "which keeps the line"
            // A tab in a value is invisible otherwise; other control characters are removed when errors are
            // rendered.
            throw kind(
                location + fault.text.replacing("\t", with: "\\t"),
                at: .file(path: table.rawValue, line: line > 0 ? line : nil, column: nil),
                fix: isLenient || isVital
                    ? "correct it, or import with --lenient, \(remedy)"
                    : "correct it, or import without --strict, \(remedy)")
        }
        count += 1
        rows.note(table, line: line, fault, outcome)
        let hasRoom = listed.count < TransitSettings.listedProblems
        if isFirst(table, fault) || hasRoom {
            listed.append(FeedProblem(fault: fault, table: table.rawValue, line: line, outcome: outcome))
            return
        }
        let kind = Kind(table: table, rule: fault.rule, field: fault.field)
        if let index = unlistedIndex[kind] {
            unlisted[index].count += 1
        } else {
            unlistedIndex[kind] = unlisted.count
            unlisted.append(
                (FeedProblem(fault: fault, table: table.rawValue, line: line, outcome: outcome), 1))
        }
    }

    /// Drops the refusal of a table that need not be there.
    mutating func forgiveRefusal() { refused = nil }

    /// The error of a table that cannot be read, whether or not the import is lenient.
    mutating func refusal(
        _ table: FeedTable, line: Int = 1, _ fault: FeedFault, kind: ErrorKind = TransitErrors.header,
        fix: String? = nil
    ) -> RutterError {
        refused = FeedProblem(fault: fault, table: table.rawValue, line: line, outcome: .dropped)
        return kind(
            "\(table.rawValue), line \(line): \(fault.text)",
            at: .file(path: table.rawValue, line: line, column: nil), fix: fix)
    }

    /// Whether a problem is the first of its kind.
    private mutating func isFirst(_ table: FeedTable, _ fault: FeedFault) -> Bool {
        kinds.count < TransitSettings.listedProblems
            && kinds.insert(Kind(table: table, rule: fault.rule, field: fault.field)).inserted
    }
}
