import PluginKit
import Synchronization

/// What an entry shows, in order: kept until it has run, or handed on at once.
final class EntryOutput: Sendable {
    /// Takes text with its line ends; `nil` keeps it.
    private let sink: (@Sendable (String) -> Void)?
    private let shown = Mutex<(parts: [String], notes: [String])>(([], []))
    /// Characters that are handed on together.
    private static let chunk = 1 << 15

    init(sink: (@Sendable (String) -> Void)? = nil) { self.sink = sink }

    /// Shows a value.
    func show(_ value: Value, _ environment: Environment) throws {
        guard environment.isPipe else {
            let text = try ValueRenderer(environment: environment).text(value)
            if !text.isEmpty { add(text) }
            return
        }
        var buffer = ""
        defer { if !buffer.isEmpty { pass(buffer) } }
        try PipeRenderer(environment: environment) { piece in
            buffer += piece
            if buffer.utf8.count >= Self.chunk {
                self.pass(buffer)
                buffer = ""
            }
        }.show(value)
        if let rows = value.asRows {
            for note in [rows.note, rows.cut?.summary].compactMap(\.self) {
                shown.withLock { $0.notes.append(TerminalText.lines(note)) }
            }
        }
    }

    private func add(_ text: String) { shown.withLock { $0.parts.append(text) } }

    private func pass(_ text: String) {
        if let sink { return sink(text) }
        add(text.hasSuffix("\n") ? String(text.dropLast()) : text)
    }

    /// All that was kept.
    var text: String { shown.withLock { $0.parts.joined(separator: "\n") } }

    /// Remarks about rows in a pipe, which must not stand among them.
    var notes: [String] { shown.withLock { $0.notes } }
}
