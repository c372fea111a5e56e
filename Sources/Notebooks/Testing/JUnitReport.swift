import Core
import Foundation

/// Writes reports as JUnit XML: a suite for each notebook, a case for each cell. The only report with
/// durations. It holds what Jenkins' schema (junit-10.xsd) allows: readers that validate refuse the rest.
enum JUnitReport {
    /// The document.
    static func text(_ reports: [NotebookReport]) -> String {
        let cases = reports.map(testCases)
        var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#]
        lines.append(
            "<testsuites name=\"rutter\" \(counts(cases.flatMap(\.self))) time=\"\(seconds(reports.reduce(0) { $0 + $1.seconds }))\">"
        )
        for (report, cases) in zip(reports, cases) {
            lines.append(
                "  <testsuite name=\"\(Markup.xml(report.path))\" \(counts(cases)) skipped=\"\(cases.count { $0.verdict == .skipped })\" time=\"\(seconds(report.seconds))\">"
            )
            lines += cases.flatMap { $0.lines }
            if !report.notes.isEmpty {
                lines.append(
                    "    <system-out>\(Markup.xml(report.notes.joined(separator: "\n")))</system-out>")
            }
            lines.append("  </testsuite>")
        }
        lines.append("</testsuites>\n")
        return lines.joined(separator: "\n")
    }

    /// Writes the document.
    static func write(_ reports: [NotebookReport], to file: URL) throws(NotebookError) {
        try NotebookWriter.write(text(reports), to: file)
    }

    private enum Verdict { case passed, failed, error, skipped }

    private struct TestCase {
        let verdict: Verdict
        let lines: [String]
    }

    private static func testCases(_ report: NotebookReport) -> [TestCase] {
        var cases: [TestCase] = []
        if let error = report.error {
            let location = error.line.map { "\(report.path):\($0): " } ?? ""
            cases.append(
                testCase("notebook", report, 0, .error, (error.code.rawValue, location + error.description)))
        } else if let reason = report.reason {
            let verdict = report.outcome == .skipped ? Verdict.skipped : .failed
            cases.append(testCase("notebook", report, 0, verdict, ("needs", reason)))
        }
        guard report.reason == nil else { return cases }
        return cases + report.cells.map { testCase($0, report) }
    }

    private static func testCase(_ cell: CellReport, _ report: NotebookReport) -> TestCase {
        let name = "cell \(cell.number), line \(cell.line)"
        let time = cell.seconds ?? 0
        switch cell.status {
        case .passed, .unchecked: return testCase(name, report, time, .passed, nil)
        case .shown: return testCase(name, report, time, .skipped, ("norun", "shown only"))
        case .notReached:
            return testCase(name, report, time, .skipped, ("notReached", "the run ended before it"))
        case .failed:
            let failures = report.failures.filter { $0.cell == cell.number }
            let isError = failures.contains { [.crash, .timeout, .interrupted].contains($0.kind) }
            let text = failures.map { TextReport.text($0, path: report.path) }.joined(separator: "\n")
            let kind = failures.last?.kind ?? .differs
            return testCase(name, report, time, isError ? .error : .failed, (kind.rawValue, text))
        }
    }

    private static func testCase(
        _ name: String, _ report: NotebookReport, _ time: Double, _ verdict: Verdict,
        _ problem: (type: String, text: String)?
    ) -> TestCase {
        let head =
            "    <testcase classname=\"\(Markup.xml(report.path))\" name=\"\(Markup.xml(name))\" time=\"\(seconds(time))\""
        guard let problem else { return TestCase(verdict: verdict, lines: [head + "/>"]) }
        let first = problem.text.split(separator: "\n").first.map(String.init) ?? ""
        let body =
            switch verdict {
            case .skipped: "<skipped message=\"\(Markup.xml(problem.text))\"/>"
            case .error: element("error", problem.type, first, problem.text)
            case .failed, .passed: element("failure", problem.type, first, problem.text)
            }
        return TestCase(verdict: verdict, lines: [head + ">", "      " + body, "    </testcase>"])
    }

    private static func element(_ name: String, _ type: String, _ message: String, _ text: String) -> String {
        let trimmed = message.trimmingCharacters(in: .whitespaces)
        return
            "<\(name) type=\"\(Markup.xml(type))\" message=\"\(Markup.xml(trimmed))\">\(Markup.xml(text))</\(name)>"
    }

    private static func counts(_ cases: [TestCase]) -> String {
        func count(_ verdict: Verdict) -> Int { cases.count { $0.verdict == verdict } }
        return "tests=\"\(cases.count)\" failures=\"\(count(.failed))\" errors=\"\(count(.error))\""
    }

    /// Seconds with three decimals, which is all that the schema takes.
    private static func seconds(_ seconds: Double) -> String {
        let milliseconds = Int((seconds * 1e3).rounded())
        let fraction = String(milliseconds % 1000)
        return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - fraction.utf8.count) + fraction
    }
}
