import PluginKit
import Synchronization

/// The output of an entry, in order: collected until it has run, or passed on at once.
final class EntryOutput: Sendable {
    /// Receives text with its line ends; `nil` collects it.
    private let sink: (@Sendable (String) -> Void)?
    /// Receives lines of live rows as they arrive; `nil` collects them.
    private let live: (@Sendable (String) -> Void)?
    /// Receives each displayed value, for a graphical front end.
    private let display: (@Sendable (DisplayedValue) -> Void)?
    /// Whether values are shown as JSON.
    private let showsJSON: Bool
    private let shown = Mutex<(parts: [String], plain: [String], notes: [String], piped: [Piped])>(
        ([], [], [], []))
    /// Characters per chunk.
    private static let chunk = 1 << 15
    /// Texts that were broken for the terminal, and how a notebook has them.
    private let broken = Mutex<[String: String]>([:])
    /// Maximum number of rows of piped output that are kept for a saved notebook.
    private static let keptRows = 1000

    /// A value written to a pipe, and its terminal form; `nil` if it is not kept.
    private typealias Piped = (value: Value, environment: Environment)?

    init(
        sink: (@Sendable (String) -> Void)? = nil, live: (@Sendable (String) -> Void)? = nil,
        display: (@Sendable (DisplayedValue) -> Void)? = nil, showsJSON: Bool = false
    ) {
        self.sink = sink
        self.live = live
        self.display = display
        self.showsJSON = showsJSON
    }

    /// Whether live rows are not printed here, because the receiver of the value displays them.
    @TaskLocal static var leavesLiveRows = false

    /// Shows a value; `plain` is how a notebook of the session prints it.
    func show(_ value: Value, _ environment: Environment, plain: Environment? = nil) throws {
        // Rows that are read only now make their texts now.
        try UnitSystem.$ofMessages.withValue(environment.units) {
            try showInUnits(value, environment, plain: plain)
        }
    }

    private func showInUnits(_ value: Value, _ environment: Environment, plain: Environment?) throws {
        let plain = plain ?? environment
        if Self.leavesLiveRows, case .rows(let rows) = value, rows.isLive { return }
        if showsJSON { return try showJSON(value, environment, plain) }
        guard environment.isPipe else {
            if let live, case .rows(let rows) = value, rows.isLive {
                shown.withLock { $0.piped.append(nil) }
                return try LiveTable(environment: environment, write: live).show(rows)
            }
            let renderer = ValueRenderer(environment: environment)
            guard let display else {
                if case .text(let text) = value, let recorded = broken.withLock({ $0[text] }) {
                    let lines = TerminalText.lines(text)
                    return add(lines, plain: TerminalText.lines(recorded))
                }
                if environment.printsLike(plain) {
                    let text = try renderer.text(value)
                    if !text.isEmpty { add(text, plain: text) }
                } else {
                    let (text, recorded) = try renderer.texts(value, and: plain)
                    if !text.isEmpty { add(text, plain: recorded) }
                }
                return
            }
            let displayed = try renderer.displayed(value)
            guard !displayed.text.isEmpty else { return }
            display(displayed)
            add(displayed.text, plain: displayed.text)
            return
        }
        keep(value, plain)
        var buffer = ""
        var chunk = Self.chunk
        if case .rows(let rows) = value, rows.isLive { chunk = 1 }
        defer { if !buffer.isEmpty { pass(buffer) } }
        try PipeRenderer(environment: environment) { piece in
            buffer += piece
            if buffer.utf8.count >= chunk {
                self.pass(buffer)
                buffer = ""
            }
        }.show(value)
        if let rows = value.asRows ?? value.object(as: (any SelfRendering).self)?.plainRows {
            for note in [rows.note, rows.remark, rows.cut?.summary].compactMap(\.self) {
                shown.withLock { $0.notes.append(TerminalText.lines(note)) }
            }
        }
    }

    private func showJSON(_ value: Value, _ environment: Environment, _ plain: Environment) throws {
        if case .nothing = value { return }
        let writer = JSONDataWriter(timeZone: environment.timeZone, compact: false)
        guard sink != nil else {
            let collected = TextSink()
            try writer.write(value.tabulated, to: collected)
            return add(collected.text, plain: collected.text)
        }
        keep(value, plain)
        let passed = TextSink { self.pass(String(decoding: $0, as: UTF8.self)) }
        try writer.write(value, to: passed)
        try passed.write("\n")
        try passed.flush()
    }

    /// Output for a command that writes as it goes; `nil` if output is collected. Such output is not kept for a notebook.
    var direct: DirectOutput? {
        guard sink != nil else { return nil }
        return DirectOutput { [self] text in
            shown.withLock { $0.piped.append(nil) }
            pass(text)
        }
    }

    /// Keeps a value that is written to a pipe, unless it is large or can be read only once.
    private func keep(_ value: Value, _ environment: Environment) {
        let isKept = !value.isLazy && (value.readyItems?.count ?? 0) <= Self.keptRows
        shown.withLock { $0.piped.append(isKept ? (value, environment) : nil) }
    }

    /// The terminal form of all output; `nil` if some was not kept.
    var record: @Sendable () -> String? {
        let (parts, piped) = shown.withLock { ($0.plain, $0.piped) }
        guard !piped.isEmpty else { return { parts.joined(separator: "\n") } }
        return {
            var texts: [String] = []
            for item in piped {
                // Output that cannot be rendered is unknown.
                guard let item,
                    let text = try? ValueRenderer(environment: item.environment).text(item.value)
                else { return nil }
                if !text.isEmpty { texts.append(text) }
            }
            return texts.joined(separator: "\n")
        }
    }

    /// How a notebook has a text that was broken for the terminal.
    func record(_ text: String, as plain: String) { broken.withLock { $0[text] = plain } }

    /// Adds a note beside the output.
    func note(_ text: String) { shown.withLock { $0.notes.append(TerminalText.lines(text)) } }

    private func add(_ text: String, plain: String) {
        shown.withLock {
            $0.parts.append(text)
            $0.plain.append(plain)
        }
    }

    private func pass(_ text: String) {
        if let sink { return sink(text) }
        let text = text.hasSuffix("\n") ? String(text.dropLast()) : text
        add(text, plain: text)
    }

    /// All collected output, as shown.
    var text: String { shown.withLock { $0.parts.joined(separator: "\n") } }

    /// Notes about piped rows, which must not be mixed with them.
    var notes: [String] { shown.withLock { $0.notes } }
}

extension Environment {
    /// Whether both lay out text the same way.
    fileprivate func printsLike(_ other: Environment) -> Bool {
        width == other.width && height == other.height && color == other.color
            && isInteractive == other.isInteractive && view == other.view
    }
}
