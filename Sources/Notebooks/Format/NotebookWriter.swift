import Core
import Foundation

/// One input of a session and its output.
public struct TranscriptEntry: Sendable, Hashable {
    /// The input, without prompts.
    public var input: String
    /// The output.
    public var output: String
    /// Whether it failed.
    public var failed: Bool
    /// Whether a rerun compares its output; otherwise it only prepares later entries.
    public var isCompared: Bool

    /// Creates an entry.
    public init(input: String, output: String, failed: Bool = false, isCompared: Bool = true) {
        self.input = input
        self.output = output
        self.failed = failed
        self.isCompared = isCompared
    }
}

/// Writes a session as a notebook: for `notebook save FILE [--from N]`.
public enum NotebookWriter {
    /// The notebook's text. It reads back as the same entries, and matches the same outputs; entries without
    /// input are skipped.
    public static func text(
        title: String, settings: NotebookSettings, transcript: some Sequence<TranscriptEntry>
    ) -> String {
        let heading = title.split(whereSeparator: \.isNewline).joined(separator: " ")
        let cells = transcript.filter { !$0.input.isBlank }.map(cell)
        return ([frontMatter(settings), "# \(heading.isEmpty ? "Notebook" : heading)\n"] + cells)
            .joined(separator: "\n")
    }

    /// Writes a notebook atomically: a reader sees the old file or the new one. An existing file keeps its
    /// mode.
    public static func write(_ text: String, to file: URL) throws(NotebookError) {
        do {
            try OutputFile.write(Data(text.utf8), to: file, force: true, parameter: "file")
        } catch {
            throw NotebookError(.file, error.message)
        }
    }

    /// The front matter: seed and clock always, other settings if they differ from the defaults.
    static func frontMatter(_ settings: NotebookSettings) -> String {
        let usual = NotebookSettings()
        var lines = ["---", "seed: \(settings.seed)", "clock: \(ClockText.text(settings.clock))"]
        if settings.timezone != usual.timezone {
            lines.append("timezone: \(QuotedYAML.text(settings.timezone))")
        }
        if settings.width != usual.width { lines.append("width: \(settings.width)") }
        if settings.units != usual.units { lines.append("units: \(settings.units.rawValue)") }
        if !settings.data.isEmpty {
            lines.append("data:")
            lines += settings.data.map { file in
                guard let hash = file.sha256 else { return "  - \(QuotedYAML.text(file.file))" }
                return "  - {file: \(QuotedYAML.text(file.file)), sha256: \(QuotedYAML.text(hash))}"
            }
        }
        if !settings.pluginVersions.isEmpty {
            lines.append("# saved with \(settings.pluginVersions.joined(separator: ", "))")
        }
        if let plugins = settings.plugins {
            lines.append("plugins: [\(plugins.map(QuotedYAML.text).joined(separator: ", "))]")
        }
        if !settings.requires.isEmpty {
            lines.append("requires: [\(settings.requires.map(QuotedYAML.text).joined(separator: ", "))]")
        }
        if settings.usesNetwork { lines.append("network: true") }
        if settings.timeout != usual.timeout { lines.append("timeout: \(settings.timeout.literal)") }
        if let lesson = settings.lesson { lines.append("lesson: \(lesson)") }
        return (lines + ["---", ""]).joined(separator: "\n")
    }

    /// A fenced cell; its fence is longer than any fence within it.
    private static func cell(_ entry: TranscriptEntry) -> String {
        let input = entry.input.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
            .enumerated()
            .map {
                ($0.offset == 0 ? NotebookLimits.prompt : NotebookLimits.continuation)
                    + String(Substring($0.element))
            }
        let output = TextBytes.lines(of: entry.output).map(OutputEscaping.expected)
        let mark = UInt8(ascii: "`")
        let longest = output.map { Fence.run(of: mark, in: $0) }.max() ?? 0
        let fence = String(repeating: "`", count: max(3, longest + 1))
        let flags = (entry.isCompared ? "" : " nocheck") + (entry.failed ? " fails" : "")
        let opening = fence + NotebookLimits.marker + flags
        return ([opening] + input + output + [fence, ""]).joined(separator: "\n")
    }
}
