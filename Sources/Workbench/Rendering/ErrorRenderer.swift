import PluginKit

/// Renders an error for a person. All errors are rendered here.
public struct ErrorRenderer: Sendable {
    private let color: Bool
    private let width: Int?

    /// A renderer, with colour or without. With a width in columns, messages and fixes are broken at blanks, as for a terminal.
    public init(color: Bool, width: Int? = nil) {
        self.color = color
        self.width = width
    }

    /// The error as shown: its code and message, the entry's line with the word underlined, and the fix.
    public func text(_ error: RutterError, entry: String, origin: EntryOrigin? = nil) -> String {
        var lines = [labelled("error \(error.code)", .red, readable(error.message))]
        if let origin { lines.append("  at " + readable(position(of: error, in: entry, origin))) }
        switch error.place {
        case .span(let span): lines += underlined(span, in: entry)
        case .file(let path, let line, let column):
            let numbers: [Int] = [line, column].compactMap(\.self)
            let position = numbers.map { ":\($0)" }.joined()
            lines.append("  at \(readable(path))\(position)")
        case .none, .parameter, .part: break
        }
        if let suggestion = error.suggestion { lines.append("did you mean `\(readable(suggestion))`?") }
        if let fix = error.fix { lines.append(labelled("fix", .cyan, readable(fix))) }
        return lines.joined(separator: "\n")
    }

    /// A label and a text, whose further lines are indented.
    private func labelled(_ label: String, _ color: Color, _ text: String) -> String {
        let text = label + ": " + text
        let lines = width.map { TextWrap.wrapped(text, to: $0, indentation: Self.indentation) } ?? text
        return lines.hasPrefix(label) ? paint(label, color) + lines.dropFirst(label.count) : lines
    }

    private static let indentation = "  "

    /// `FILE:LINE:COLUMN` of the underlined span, otherwise of the entry's first line.
    private func position(of error: RutterError, in entry: String, _ origin: EntryOrigin) -> String {
        guard case .span(let span) = error.place else { return "\(origin.file):\(origin.line)" }
        let before = Array(entry.utf8).prefix(span.start)
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let line = origin.line + before.count { $0 == UInt8(ascii: "\n") }
        let column = String(decoding: before[lineStart...], as: UTF8.self).count + 1
        return "\(origin.file):\(line):\(column)"
    }

    /// Messages may quote input: control characters are removed, and a message longer than the limit is cut
    /// in the middle.
    private func readable(_ text: String) -> String {
        let lines = TerminalText.lines(text)
        guard lines.utf8.count > Self.longestMessage, lines.count > Self.longestMessage else { return lines }
        return lines.prefix(Self.longestMessage / 2) + " … " + lines.suffix(Self.longestMessage / 2)
    }

    /// Maximum number of characters of a message; our own messages, including lists of choices, are shorter.
    private static let longestMessage = 2000

    private func underlined(_ span: SourceSpan, in entry: String) -> [String] {
        let bytes = Array(entry.utf8)
        guard span.start <= bytes.count else { return [] }
        let lineStart = bytes[..<span.start].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let lineEnd = bytes[span.start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        let before = String(decoding: bytes[lineStart..<span.start], as: UTF8.self)
        let end = max(span.start, min(span.end, lineEnd))
        let marked = String(decoding: bytes[span.start..<end], as: UTF8.self)
        var restEnd = lineEnd
        while restEnd > end, bytes[restEnd - 1] == UInt8(ascii: "\r") { restEnd -= 1 }
        let rest = String(decoding: bytes[end..<restEnd], as: UTF8.self)
        let window = LineWindow(before: before, marked: marked, after: rest)
        let marks = String(repeating: "^", count: max(1, DisplayWidth.of(window.marked)))
        let indent = String(repeating: " ", count: DisplayWidth.of(window.before))
        return ["  " + window.before + window.marked + window.after, "  " + indent + paint(marks, .red)]
    }

    private enum Color: String {
        case red = "31"
        case cyan = "36"
    }

    private func paint(_ text: String, _ color: Color) -> String {
        self.color ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
    }
}

/// A piece of a line that is too long to show whole, around the marked word. Control characters, which could
/// confuse a terminal, are shown as `·`.
private struct LineWindow {
    static let reach = 60

    let before: String
    let marked: String
    let after: String

    init(before: String, marked: String, after: String) {
        func clean(_ text: some StringProtocol) -> String { TerminalText.withoutControls(String(text)) }
        self.before = before.count > Self.reach ? "…" + clean(before.suffix(Self.reach)) : clean(before)
        self.marked = marked.count > Self.reach ? clean(marked.prefix(Self.reach)) + "…" : clean(marked)
        self.after = after.count > Self.reach ? clean(after.prefix(Self.reach)) + "…" : clean(after)
    }
}
