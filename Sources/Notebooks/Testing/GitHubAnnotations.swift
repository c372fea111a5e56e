/// Failures as workflow commands of GitHub Actions, which marks them on the lines of the notebook.
enum GitHubAnnotations {
    /// A line for each failure, a warning for a notebook that was skipped; `nil` for one that passed.
    static func text(_ report: NotebookReport) -> String? {
        var lines: [String] = []
        if let error = report.error {
            lines.append(
                line("error", report.path, error.line, title: error.code.rawValue, error.description))
        }
        lines += report.failures.map { failure in
            let message = [failure.message, failure.diff].compactMap(\.self).joined(separator: "\n")
            return line("error", report.path, failure.line, title: "cell \(failure.cell)", message)
        }
        if report.outcome == .skipped {
            lines.append(line("warning", report.path, nil, title: "skipped", report.reason ?? ""))
        }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }

    private static func line(
        _ level: String, _ path: String, _ number: Int?, title: String, _ message: String
    ) -> String {
        let place = number.map { ",line=\($0)" } ?? ""
        return "::\(level) file=\(property(path))\(place),title=\(property(title))::\(data(message))"
    }

    /// Text of a message: a line end would end the command.
    private static func data(_ text: String) -> String {
        text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    }

    private static func property(_ text: String) -> String {
        data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }
}
