import PluginKit
import Synchronization

/// What an entry shows, in order: kept until it has run, or handed on at once.
final class EntryOutput: Sendable {
    /// Takes text with its line ends; `nil` keeps it.
    private let sink: (@Sendable (String) -> Void)?
    /// Takes each value that is shown, for a graphical front end.
    private let display: (@Sendable (DisplayedValue) -> Void)?
    private let shown = Mutex<(parts: [String], notes: [String])>(([], []))
    /// Characters that are handed on together.
    private static let chunk = 1 << 15

    init(
        sink: (@Sendable (String) -> Void)? = nil, display: (@Sendable (DisplayedValue) -> Void)? = nil
    ) {
        self.sink = sink
        self.display = display
    }

    /// Shows a value.
    func show(_ value: Value, _ environment: Environment) throws {
        guard environment.isPipe else {
            let renderer = ValueRenderer(environment: environment)
            guard let display else {
                let text = try renderer.text(value)
                if !text.isEmpty { add(text) }
                return
            }
            let displayed = try renderer.displayed(value)
            guard !displayed.text.isEmpty else { return }
            display(displayed)
            add(displayed.text)
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
