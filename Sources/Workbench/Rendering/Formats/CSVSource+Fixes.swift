import Core
import Formats
import PluginKit

/// What to type where a text is to be read otherwise.
extension CSVSource {
    /// The command that reads the text after some lines.
    func skipping(_ lines: Int) -> String {
        reading("--skip \(lines)")
    }

    /// The command that reads the text with one more option. Those that say which lines and cells are read are repeated: a fix
    /// is typed as it stands.
    func reading(_ option: String) -> String {
        let separator = options.separator
        let given = [
            (options.skippedLines > 0, "--skip \(options.skippedLines)"), (options.hasUnits, "--units"),
            (options.lacksHeader, "--no-header"), (options.isLenient, "--lenient"),
            (options.keepsText, "--text"), (options.keepsQuotedText, "--quoted-text"),
            // Others are recognised again.
            (
                separator.map { !CSVSeparator.known.contains($0) && $0 != TableLayout.separator } ?? false,
                "--separator \(separator.map(CSVSeparator.literal) ?? "")"
            ),
            (
                !options.missing.isEmpty,
                "--missing " + Literal.text(options.missing.sorted().joined(separator: ","))
            ),
            (
                options.comment != nil,
                "--comment " + Literal.text(options.comment.map { String(UnicodeScalar($0)) } ?? "")
            ),
        ]
        let name = option.prefix { $0 != " " }
        let repeated = given.filter { $0.0 && !$0.1.hasPrefix(name) }.map(\.1)
        return ([origin.command("csv")] + repeated + [option]).joined(separator: " ")
    }

    /// The command that reads the text leniently.
    var lenient: String { reading("--lenient") }

    var commentFix: String {
        "if lines that begin with # are comments: `\(reading("--comment '#'"))`"
    }

    func fix(_ column: String) -> String {
        let word =
            column.contains { !$0.isLetter && !$0.isNumber && $0 != "_" }
            ? "'\(column)=text'" : "\(column)=text"
        return reading("--types \(word)")
    }
}
