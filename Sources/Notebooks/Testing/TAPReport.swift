/// Writes reports as TAP version 14: a point for each notebook, with a subtest of its cells.
enum TAPReport {
    /// The lines before the first notebook.
    static func head(count: Int) -> String { "TAP version 14\n1..\(count)" }

    /// The lines of one notebook, numbered from 1.
    static func text(_ report: NotebookReport, number: Int) -> String {
        var lines: [String] = []
        if !report.cells.isEmpty, report.outcome != .skipped {
            lines.append("# Subtest: \(escaped(report.path))")
            lines.append("    1..\(report.cells.count)")
            for (index, cell) in report.cells.enumerated() {
                lines += point(cell, number: index + 1, report).map { "    " + $0 }
            }
        }
        lines.append(headline(report, number))
        lines += diagnostics(report)
        return lines.joined(separator: "\n")
    }

    private static func headline(_ report: NotebookReport, _ number: Int) -> String {
        let verdict = report.outcome == .failed ? "not ok" : "ok"
        let reason = report.outcome == .skipped ? " # SKIP \(escaped(report.reason ?? ""))" : ""
        return "\(verdict) \(number) - \(escaped(report.path))\(reason)"
    }

    private static func point(_ cell: CellReport, number: Int, _ report: NotebookReport) -> [String] {
        let name = "cell \(cell.number), line \(cell.line)"
        switch cell.status {
        case .passed, .unchecked: return ["ok \(number) - \(name)"]
        case .shown: return ["ok \(number) - \(name) # SKIP shown only"]
        case .notReached: return ["not ok \(number) - \(name), not reached"]
        case .failed:
            let failures = report.failures.filter { $0.cell == cell.number }
            let text = failures.map { TextReport.text($0, path: report.path) }.joined(separator: "\n")
            return ["not ok \(number) - \(name)"] + block([("message", text)])
        }
    }

    private static func diagnostics(_ report: NotebookReport) -> [String] {
        var values: [(String, String)] = []
        if let error = report.error {
            values.append(("code", error.code.rawValue))
            values.append(("message", error.description))
            if let line = error.line { values.append(("line", "\(line)")) }
        } else if report.outcome == .failed, let reason = report.reason {
            values.append(("message", reason))
        }
        if !report.notes.isEmpty { values.append(("notes", report.notes.joined(separator: "\n"))) }
        return values.isEmpty ? [] : block(values)
    }

    /// A YAML block with double-quoted texts.
    private static func block(_ values: [(String, String)]) -> [String] {
        ["  ---"] + values.map { "  \($0.0): \(QuotedYAML.text($0.1))" } + ["  ..."]
    }

    /// A description in which nothing is a directive.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            if scalar == "\\" || scalar == "#" { escaped += "\\" }
            escaped.unicodeScalars.append(scalar.properties.generalCategory == .control ? " " : scalar)
        }
        return escaped
    }
}
