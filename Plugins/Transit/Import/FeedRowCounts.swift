import PluginKit

/// What became of the lines of the tables of a feed.
struct FeedRowCounts {
    private struct Counts {
        let table: FeedTable
        var seen = 0
        var entries: [SourceAccount.Entry] = []
        /// The index of the entry of each line that is in one: a line is counted once.
        var entryOfLine: [Int: Int] = [:]
    }

    private var tables: [Counts] = []

    private mutating func place(of table: FeedTable) -> Int {
        if let known = tables.firstIndex(where: { $0.table == table }) { return known }
        tables.append(Counts(table: table))
        return tables.count - 1
    }

    /// Counts lines of a table.
    mutating func count(_ table: FeedTable, _ count: Int) { tables[place(of: table)].seen += count }

    /// Counts the line of a problem; of several problems of a line, one for which it is skipped counts before one that is repaired.
    mutating func note(_ table: FeedTable, line: Int, _ fault: FeedFault, _ outcome: FeedProblem.Outcome) {
        let what =
            fault.rule?.rawValue.split(separator: " ").last.map { String($0).replacing("_", with: " ") }
            ?? "other problems"
        add(place(of: table), line: line, outcome == .dropped ? .setAside : .repaired, what, fault.text)
    }

    /// Counts a line without a fault of its own, whose trip is skipped.
    mutating func skip(_ table: FeedTable, line: Int) {
        add(place(of: table), line: line, .setAside, "of skipped trips", nil)
    }

    private mutating func add(
        _ table: Int, line: Int, _ became: SourceAccount.Outcome, _ what: String, _ text: String?
    ) {
        guard line > 1 else { return }
        if let earlier = tables[table].entryOfLine[line] {
            guard became == .setAside, tables[table].entries[earlier].outcome == .repaired else { return }
            tables[table].entries[earlier].count -= 1
            tables[table].entries[earlier].first.removeAll { $0.hasPrefix("line \(line): ") }
        }
        let entries = tables[table].entries
        let entry = entries.firstIndex { $0.outcome == became && $0.what == what } ?? entries.count
        if entry == entries.count { tables[table].entries.append(.init(became, what, count: 0)) }
        tables[table].entries[entry].count += 1
        if let text, tables[table].entries[entry].first.count < Self.examples {
            tables[table].entries[entry].first.append("line \(line): \(text)")
        }
        tables[table].entryOfLine[line] = entry
    }

    /// Lines of each kind that are listed.
    private static let examples = 3

    /// The tables as parts of the account of a feed; of one of several feeds with its name.
    func parts(of feed: String?) -> [SourceAccount.Part] {
        tables.map { table in
            let others = table.entries.reduce(0) { $0 + $1.count }
            // What a table lacks as a whole, such as its lines that other tables need, is no line of it.
            return .init(
                item: "\(feed.map { "\($0)/" } ?? "")\(table.table.rawValue) line",
                seen: max(table.seen, others),
                used: max(0, table.seen - others),
                entries: table.entries)
        }
    }
}
