import PluginKit

/// What became of the lines of the tables of a feed.
struct FeedRowCounts {
    private struct Counts {
        let table: FeedTable
        var seen = 0
        var entries: [SourceAccount.Entry] = []
        /// The line of the last problem, with the place of its entry: a line is counted once.
        var last: (line: Int, entry: Int)?
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
        guard line > 1 else { return }
        let table = place(of: table)
        let became: SourceAccount.Outcome = outcome == .dropped ? .setAside : .repaired
        if let last = tables[table].last, last.line == line {
            guard became == .setAside, tables[table].entries[last.entry].outcome == .repaired else { return }
            tables[table].entries[last.entry].count -= 1
        }
        let what =
            fault.rule?.rawValue.split(separator: " ").last.map { String($0).replacing("_", with: " ") }
            ?? "other problems"
        let entries = tables[table].entries
        let entry = entries.firstIndex { $0.outcome == became && $0.what == what } ?? entries.count
        if entry == entries.count { tables[table].entries.append(.init(became, what, count: 0)) }
        tables[table].entries[entry].count += 1
        if tables[table].entries[entry].first.count < Self.examples {
            tables[table].entries[entry].first.append("line \(line): \(fault.text)")
        }
        tables[table].last = (line, entry)
    }

    /// Lines of each kind that are said.
    private static let examples = 3

    /// The tables as parts of the account of a feed.
    var parts: [SourceAccount.Part] {
        tables.map { table in
            let others = table.entries.reduce(0) { $0 + $1.count }
            // What a table lacks as a whole, such as its lines that other tables need, is no line of it.
            return .init(
                item: "\(table.table.rawValue) line", seen: max(table.seen, others),
                used: max(0, table.seen - others),
                entries: table.entries)
        }
    }
}
