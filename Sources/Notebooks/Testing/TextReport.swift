/// The text report of `rutter test`. Without durations, so that it is deterministic.
public enum TextReport {
    /// The report of one notebook.
    public static func text(_ report: NotebookReport) -> String {
        var lines = [headline(report)]
        if let error = report.error {
            lines.append(
                "  " + location(report.path, error.line) + "\(error.code.rawValue): \(error.description)")
        }
        lines += report.failures.map { self.text($0, path: report.path) }
        lines += report.notes.map { "  note: " + indented($0) }
        return lines.joined(separator: "\n")
    }

    /// One failed entry with its difference.
    public static func text(_ failure: EntryFailure, path: String) -> String {
        var lines = ["  " + location(path, failure.line) + "cell \(failure.cell): \(failure.message)"]
        lines.append("    " + input(failure.input))
        if let diff = failure.diff {
            lines.append(
                "    "
                    + diff.split(separator: "\n", omittingEmptySubsequences: false).joined(
                        separator: "\n    "))
        }
        return lines.joined(separator: "\n")
    }

    /// Notebooks with different outcomes in repeated runs, a line each.
    static func flaky(_ reports: [NotebookReport]) -> [String] {
        var paths: [String] = []
        var outcomes: [String: [NotebookReport.Outcome]] = [:]
        for report in reports where report.outcome != .skipped {
            if outcomes[report.path] == nil { paths.append(report.path) }
            outcomes[report.path, default: []].append(report.outcome)
        }
        return paths.compactMap { path in
            let all = outcomes[path] ?? []
            let failed = all.count { $0 == .failed }
            return failed == 0 || failed == all.count
                ? nil : "flaky    \(path): failed \(failed) of \(all.count) runs"
        }
    }

    /// The slowest cells, a line each.
    static func slowest(_ count: Int, of reports: [NotebookReport]) -> [String] {
        let cells = reports.flatMap { report in report.cells.map { (report.path, $0) } }
            .filter { $0.1.seconds != nil }
        let sorted = cells.sorted {
            ($0.1.seconds ?? 0, $1.0, $1.1.number) > ($1.1.seconds ?? 0, $0.0, $0.1.number)
        }
        return sorted.prefix(count).map { path, cell in
            let seconds = String(Int(((cell.seconds ?? 0) * 1000).rounded()))
            return "slow     \(path):\(cell.line): cell \(cell.number) took \(seconds)ms"
        }
    }

    /// The last line.
    static func summary(_ reports: [NotebookReport], updated: Int = 0) -> String {
        func count(_ outcome: NotebookReport.Outcome) -> Int { reports.count { $0.outcome == outcome } }
        let text = "\(count(.passed)) passed, \(count(.failed)) failed, \(count(.skipped)) skipped"
        return updated == 0 ? text : text + ", \(updated) updated"
    }

    private static func headline(_ report: NotebookReport) -> String {
        switch report.outcome {
        case .passed: "passed   \(report.path)"
        case .failed: "FAILED   \(report.path)" + (report.reason.map { ": \($0)" } ?? "")
        case .skipped: "skipped  \(report.path): \(report.reason ?? "")"
        }
    }

    private static func location(_ path: String, _ line: Int?) -> String {
        line.map { "\(path):\($0): " } ?? ""
    }

    private static func input(_ input: String) -> String {
        let lines = input.split(separator: "\n", omittingEmptySubsequences: false)
        let more = lines.dropFirst().map { "    " + NotebookLimits.continuation + $0 }
        return ([NotebookLimits.prompt + (lines.first ?? "")] + more).joined(separator: "\n")
    }

    private static func indented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n  ")
    }
}
