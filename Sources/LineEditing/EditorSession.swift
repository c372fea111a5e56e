import Foundation

/// Reads entries with libedit. Confined to the editor's thread.
final class EditorSession {
    /// How a line ended.
    private enum Outcome {
        case text(String)
        case interrupted
        case ended
    }

    let configuration: LineEditorConfiguration
    let state: EditorState
    let line: EditLine
    let complete: @Sendable (CompletionRequest) -> CompletionAnswer?
    let highlight: @Sendable (String) -> [StyledRange]
    private let isIncomplete: @Sendable (String) -> Bool
    private let input: TerminalInput
    /// Whether the terminal understands escape sequences.
    let isCapable: Bool

    var reader: KeyReader
    private(set) var history: EntryHistory
    var browser = HistoryBrowser(entries: [])
    /// The previous lines of the entry being edited.
    private(set) var pending: String?
    /// Candidates to list once the cursor is below the line, and the offset to return to.
    var listing: (candidates: [Completion], cursor: Int)?
    var wasInterrupted = false
    /// The suggestion from the newest entry that begins like the line, and whether it is shown.
    var suggestion: Scalars = []
    var hasSuggestionOnScreen = false
    /// How many pending bytes were typed before editing mode; nil until the first wait.
    private var typedAhead: Int?
    /// A key that is given to libedit again, for each scalar of a character.
    private var repeatedKey: UInt32 = 0
    private var repetitions = 0
    private var isGone = false
    private var isTerminated = false

    init(
        configuration: LineEditorConfiguration, state: EditorState, pipe: WakePipe,
        isIncomplete: @escaping @Sendable (String) -> Bool,
        complete: @escaping @Sendable (CompletionRequest) -> CompletionAnswer?,
        highlight: @escaping @Sendable (String) -> [StyledRange]
    ) throws(LineEditorError) {
        self.configuration = configuration
        self.state = state
        self.isIncomplete = isIncomplete
        self.complete = complete
        self.highlight = highlight
        input = TerminalInput(pipe: pipe)
        line = try EditLine(program: configuration.programName, historyLimit: configuration.historyLimit)
        isCapable = line.movesCursor
        reader = KeyReader(
            prompt: configuration.prompt, continuationPrompt: configuration.continuationPrompt,
            escapeTimeout: configuration.escapeTimeout)
        history = EntryHistory(
            path: configuration.historyFile, limit: configuration.historyLimit,
            savedForm: configuration.savedForm)
        line.nextKey = { [unowned self] in nextKey() }
        line.perform = { [unowned self] action in perform(action) }
        bindKeys()
        history.entries.forEach(line.addHistory)
        publishHistory()
    }

    /// Reads a complete entry. The terminal is in its normal mode before and after.
    func readEntry() -> LineEvent {
        let signals = ForwardedSignals(TerminalInput.signals, to: input.pipe)
        setPasteMode(true)
        defer {
            setPasteMode(false)
            signals.restore()
            // The terminal is restored: now deliver the signal's default action.
            if isTerminated { kill(getpid(), SIGTERM) }
        }
        if state.takeDiscard() { reader.discardPaste() }
        defer { pending = nil }
        let notices = state.takeNotices()
        if !notices.isEmpty { Terminal.write(notices.map { $0 + "\n" }.joined()) }
        while true {
            showPrompt(pending == nil ? state.prompt : configuration.continuationPrompt)
            switch readLine() {
            case .text(let text):
                let entry = pending.map { $0 + "\n" + text } ?? text
                if isIncomplete(entry) {
                    pending = entry
                    continue
                }
                keep(entry)
                return .line(entry)
            case .interrupted:
                reader.discardPaste()
                return .interrupted
            case .ended:
                // Ctrl-D in a continuation ends the entry: the host reports what is missing.
                if let pending, !isGone { return .line(pending) }
                return .endOfInput
            }
        }
    }

    /// Makes the earlier lines of the entry part of the line that is edited.
    func takeBackPending() {
        pending = nil
        showPrompt(state.prompt)
    }

    /// The current prompt, without its style.
    var plainPrompt: String { pending == nil ? state.prompt : configuration.continuationPrompt }

    var usesColour: Bool { isCapable && (state.look?.hasColour ?? configuration.wantsColour) }

    func setPasteMode(_ isOn: Bool) {
        guard isCapable, line.isEditing, !isGone || !isOn else { return }
        Terminal.write(isOn ? Terminal.pasteOn : Terminal.pasteOff)
    }

    private func readLine() -> Outcome {
        browser = HistoryBrowser(entries: history.entries)
        reader.forgetSearch()
        wasInterrupted = false
        listing = nil
        typedAhead = nil
        // libedit sets the terminal up only after showing the prompt: input typed in between would be echoed twice.
        if line.isEditing { line.setEditingMode(true) }
        let scalars = line.readLine()
        if wasInterrupted { return .interrupted }
        guard let scalars else {
            if !isTerminated { Terminal.write("\n") }
            return .ended
        }
        return .text(String(scalars: scalars.filter { $0 != 0 && !Key.isPrivate($0) }))
    }

    private func showPrompt(_ prompt: String) {
        line.setPrompt(
            StyledPrompt.make(
                prompt, style: usesColour ? state.look?.promptStyle ?? configuration.promptStyle : nil))
    }

    private func keep(_ entry: String) {
        guard history.add(entry) else { return }
        line.addHistory(entry)
        publishHistory()
    }

    private func publishHistory() {
        state.history = history.entries
        state.historyProblem = history.problem
    }

    private func nextKey() -> UInt32? {
        if repetitions > 0 {
            repetitions -= 1
            return repeatedKey
        }
        paint()
        defer { eraseSuggestion() }
        guard let key = typedKey() else { return nil }
        let current = line.current
        repeatedKey = key
        repetitions = CharacterSpan.count(of: key, in: current.text, at: current.cursor) - 1
        return key
    }

    private func typedKey() -> UInt32? {
        reader.nextKey { timeout in
            var ahead = typedAhead ?? Terminal.waitingBytes
            defer { typedAhead = ahead }
            let event = input.readByte(timeout: timeout, onEvent: handle)
            if event == .end { isGone = true }
            guard case .byte(let byte) = event, ahead > 0 else { return event }
            ahead -= 1
            // In normal mode the terminal stores Ctrl-D as a marker, which reads as zero in editing mode.
            return byte == 0 ? .byte(UInt8(KeyBindings.control("D"))) : event
        }
    }

    /// Handles an event while the editor waits; returns whether to continue waiting.
    private func handle(_ event: TerminalEvent) -> Bool {
        switch event {
        case .resized:
            line.resize()
            redrawInPlace()
            paint()
        case .continued:
            resume()
            redrawInPlace()
            paint()
        case .noticed:
            showAbove(state.takeNotices())
            paint()
        case .terminate:
            isTerminated = true
            return false
        case .hangUp, .closed:
            return false
        }
        return true
    }
}

extension EditorSession {
    /// Binds the keys: our defaults, then the user's bindings, then the keys that the editor requires.
    private func bindKeys() {
        line.bind(KeyBindings.emacs)
        line.parse(KeyBindings.outside)
        for entry in editrc() {
            line.parse(entry.text)
            if entry.resetsBindings {
                line.bind(line.usesViKeys ? KeyBindings.vi : KeyBindings.emacs)
            }
            reader.userSequences.formUnion(entry.boundKeys)
        }
        line.bind(KeyBindings.essential)
    }

    private func editrc() -> [EditRCLine] {
        guard let path = configuration.editrcPath, let data = FileManager.default.contents(atPath: path)
        else {
            return []
        }
        return EditRCLine.lines(
            of: String(decoding: data, as: UTF8.self), programName: configuration.programName)
    }
}
