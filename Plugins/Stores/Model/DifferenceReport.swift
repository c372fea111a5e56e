import PluginKit
import TrailStores

/// Renders the differences between two stores as a table or as Markdown.
struct DifferenceReport {
    let difference: StoreDifference
    let first: String
    let second: String

    func table(_ columns: [String]) -> Value {
        let rows = difference.items.map { item in
            [
                .text(item.table), .text(item.key), .text(words(item.change)),
                Value(item.field) { .text($0) },
                Value(item.first) { value($0, beside: item.second) },
                Value(item.second) { value($0, beside: item.first) },
            ] as [Value]
        }
        var table = Rows(columns: columns, cells: rows, note: summary.joined(separator: "\n"))
        table.cut = cut
        return .rows(table)
    }

    /// Records the comparison: each table with its equal rows, and each difference.
    func trace(_ context: Context) {
        context.tracing?.keep(
            "rows of both stores",
            from: .start(
                [("first", .text(first)), ("second", .text(second))],
                why: "rows are matched by the table's key; then every field is compared"),
            candidates: difference.counts.lazy.map { count in
                .candidate(
                    [("table", .text(count.table)), ("rows", .integer(count.same))], .kept,
                    why: (["\(count.same) rows are the same"] + count.remarks).joined(separator: "; "))
            }
                + difference.items.map { item in
                    .candidate(
                        [
                            ("table", .text(item.table)), ("key", .text(item.key)),
                            ("field", Value(item.field, Value.text)),
                            ("first", Value(item.first) { value($0, beside: item.second) }),
                            ("second", Value(item.second) { value($0, beside: item.first) }),
                        ], .refused,
                        why: item.change == .different
                            ? "both have the row, with different values"
                            : "the row is in one store only: \(words(item.change))")
                },
            to: .end(
                [("differences", .integer(difference.items.count + difference.dropped))],
                why: difference.isNone ? "the stores are the same" : "every table of both stores is compared")
        )
    }

    private var cut: Cut? {
        Cut(missing: difference.dropped, "at most \(CompareSettings.mostItems) differences are listed")
    }

    private func words(_ change: StoreDifference.Change) -> String {
        switch change {
        case .onlyFirst: "only first"
        case .onlySecond: "only second"
        case .different: "different"
        }
    }

    /// A cell; with its storage class where the other one only differs in that, so that 1 and '1' look different.
    private func value(_ cell: StoredCell, beside other: StoredCell?) -> Value {
        if let other, cell != other, cell.shown == other.shown { return .text(cell.exact(beside: other)) }
        return switch cell {
        case .null: .nothing
        case .integer(let number): .integer(Int(number))
        case .real(let number): .number(number)
        default: .text(cell.shown)
        }
    }

    private func words(_ cell: StoredCell?, beside other: StoredCell?) -> String {
        guard let cell else { return "" }
        guard let other, cell != other, cell.shown == other.shown else { return cell.shown }
        return cell.exact(beside: other)
    }

    /// A line for each table that differs, or one line if none does.
    private var summary: [String] {
        var lines = difference.counts.compactMap { count -> String? in
            var parts: [String] = []
            if count.onlyFirst > 0 { parts.append("\(count.onlyFirst) only in \(first)") }
            if count.onlySecond > 0 { parts.append("\(count.onlySecond) only in \(second)") }
            if count.different > 0 { parts.append("\(count.different) different") }
            parts += count.remarks.map {
                $0.replacing("the first store", with: first).replacing("the second store", with: second)
            }
            return parts.isEmpty
                ? nil : "\(count.table): " + (parts + ["\(count.same) the same"]).joined(separator: ", ")
        }
        if lines.isEmpty {
            let rows = difference.counts.map(\.same).reduce(0, +)
            lines = ["\(first) and \(second) are the same: \(rows, of: "row")"]
        }
        return lines
    }

    /// Headings, counts and a table in Markdown, for a bug report.
    var markdown: String {
        var lines = ["### \(escaped(first)) and \(escaped(second))", ""]
        lines += (summary + [cut?.summary].compactMap(\.self)).map { "- \(escaped($0))" }
        if difference.items.isEmpty { return lines.joined(separator: "\n") }
        lines += [
            "", "| table | key | field | \(escaped(first)) | \(escaped(second)) |", "|---|---|---|---|---|",
        ]
        for item in difference.items {
            let cells =
                switch item.change {
                case .onlyFirst: ["", "there", "—"]
                case .onlySecond: ["", "—", "there"]
                case .different:
                    [
                        item.field ?? "", words(item.first, beside: item.second),
                        words(item.second, beside: item.first),
                    ]
                }
            lines.append(
                "| " + ([item.table, item.key] + cells).map(escaped).joined(separator: " | ") + " |")
        }
        return lines.joined(separator: "\n")
    }

    /// Escapes Markdown, so that the text stays literal and in one cell.
    private func escaped(_ text: String) -> String {
        var out = ""
        for character in text {
            switch character {
            case "|", "*", "_", "`", "<", "[", "\\": out += "\\\(character)"
            case _ where character.isNewline: out += " "
            default: out.append(character)
            }
        }
        return out
    }
}
