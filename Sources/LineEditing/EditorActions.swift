import Glibc

/// The actions of the bound keys.
extension EditorSession {
    func perform(_ action: EditorAction) -> ActionResult {
        switch action {
        case .complete: completeWord()
        case .list: showListing()
        case .interrupt: moveBelow(then: Key.leave)
        case .leave: leave()
        case .paste: paste()
        case .up: moveUp()
        case .down: moveDown()
        case .previous: showPrevious()
        case .next: showNext()
        case .suspend: suspend()
        case .right: moveRight()
        case .end: moveToEnd()
        case .delete: deleteNext()
        case .word: moveByWord()
        case .edit: editOutside()
        }
    }

    // MARK: Completion

    private func completeWord() -> ActionResult {
        let current = line.current
        let earlier = pending.map { $0.scalarValues + [Key.newline] } ?? []
        let request = CompletionRequest(
            text: String(scalars: earlier + current.text), cursor: earlier.count + current.cursor)
        let answer = complete(request).flatMap { answer -> CompletionAnswer? in
            guard answer.range.lowerBound >= earlier.count else { return nil }
            let lower = answer.range.lowerBound - earlier.count
            return CompletionAnswer(
                range: lower..<(answer.range.upperBound - earlier.count), candidates: answer.candidates)
        }
        switch CompletionStep.decide(text: current.text, answer: answer) {
        case .nothing:
            return .beep
        case .edit(let text, let cursor):
            line.replace(with: text, cursor: cursor)
            // A step back into the name of a folder: what is completed is what is in the folder.
            if text == current.text, cursor > current.cursor, text[cursor - 1] == Self.slash {
                return completeWord()
            }
            return .refresh
        case .list(let candidates):
            listing = (candidates, current.cursor)
            return moveBelow(then: Key.list)
        }
    }

    private static let slash: UInt32 = 0x2F

    private func showListing() -> ActionResult {
        guard let shown = listing else { return .beep }
        listing = nil
        let size = Terminal.size
        let current = line.current
        let last = ScreenLayout.cursorRow(
            prompt: plainPrompt, text: current.text, cursor: current.text.count, width: size.columns)
        let layout = CompletionListing(
            width: size.columns, rows: max(1, size.rows - 2 * (last + 1)),
            summaryStyle: usesColour ? configuration.summaryStyle : nil)
        let rows = layout.lines(for: shown.candidates).map { $0 + "\n" }
        Terminal.write("\n" + rows.joined())
        line.moveCursor(to: shown.cursor)
        line.redraw()
        return .nothing
    }

    /// Moves the cursor to the end of the line, so that libedit scrolls it to the last row of the screen, and
    /// queues a key that continues from there. libedit's own function for that is not public.
    private func moveBelow(then key: UInt32) -> ActionResult {
        line.moveCursor(to: line.current.text.count)
        line.push(key)
        return .refresh
    }

    // MARK: Leaving

    private func leave() -> ActionResult {
        Terminal.write("^C\n")
        wasInterrupted = true
        return .leave
    }

    private func suspend() -> ActionResult {
        setPasteMode(false)
        line.setEditingMode(false)
        Terminal.write("\n")
        kill(0, SIGTSTP)
        resume()
        line.redraw()
        return .nothing
    }

    /// Lets the host's editor of files change the entry; its earlier lines come back into the line.
    private func editOutside() -> ActionResult {
        guard let edit = configuration.editEntry else { return .beep }
        let text = String(scalars: line.current.text)
        setPasteMode(false)
        line.setEditingMode(false)
        Terminal.write("\n")
        let edited = edit(pending.map { $0 + "\n" + text } ?? text)
        if let edited {
            takeBackPending()
            line.replace(with: edited.scalarValues, cursor: edited.unicodeScalars.count)
        }
        resume()
        line.redraw()
        return .nothing
    }

    /// Restores editing mode after a stop, because a shell may have changed the terminal.
    func resume() {
        line.setEditingMode(false)
        line.setEditingMode(true)
        setPasteMode(true)
        line.resize()
    }

    // MARK: Text

    private func paste() -> ActionResult {
        guard let text = reader.takePaste() else { return .beep }
        line.insert(text)
        return .refresh
    }

    // libedit's own functions for these keys behave as in vi's command mode even in insert mode: they never
    // go past the last character, and Delete at the end deletes the character before.

    private func moveRight() -> ActionResult {
        let current = line.current
        guard current.cursor < current.text.count else { return accept(suggestion) }
        line.moveCursor(to: current.cursor + 1)
        return .refresh
    }

    /// A word to the right; at the end, the next one of the suggestion.
    private func moveByWord() -> ActionResult {
        guard !suggestion.isEmpty else {
            line.push(Key.nextWord)
            return .nothing
        }
        let blanks = suggestion.prefix { $0 == 0x20 }
        return accept(Array(blanks + suggestion.dropFirst(blanks.count).prefix { $0 != 0x20 }))
    }

    private func accept(_ text: Scalars) -> ActionResult {
        guard !text.isEmpty else { return .beep }
        line.insert(String(scalars: text))
        return .refresh
    }

    private func moveToEnd() -> ActionResult {
        if !suggestion.isEmpty { return accept(suggestion) }
        line.moveCursor(to: line.current.text.count)
        return .refresh
    }

    private func deleteNext() -> ActionResult {
        var current = line.current
        guard current.cursor < current.text.count else { return .beep }
        current.text.remove(at: current.cursor)
        line.replace(with: current.text, cursor: current.cursor)
        return .refresh
    }

    // MARK: History

    private func moveUp() -> ActionResult {
        let current = line.current
        guard let offset = LineMotion.up(in: current.text, from: current.cursor) else {
            return showPrevious()
        }
        line.moveCursor(to: offset)
        return .refresh
    }

    private func moveDown() -> ActionResult {
        let current = line.current
        guard let offset = LineMotion.down(in: current.text, from: current.cursor) else {
            return showNext()
        }
        line.moveCursor(to: offset)
        return .refresh
    }

    private func showPrevious() -> ActionResult { show { browser.previous(from: $0) } }
    private func showNext() -> ActionResult { show { browser.next(from: $0) } }

    private func show(_ entry: (String) -> String?) -> ActionResult {
        let text = String(scalars: line.current.text)
        if reader.hasSearched {
            browser.continueAfterSearch(at: text)
            reader.forgetSearch()
        }
        guard let scalars = entry(text)?.scalarValues else { return .beep }
        line.replace(with: scalars, cursor: scalars.count)
        return .refresh
    }

    // MARK: Drawing

    /// Shows the line in colour, with the rest of the newest entry that begins like it as a suggestion. Call
    /// it when libedit waits for a key and has drawn everything.
    func paint() {
        suggestion = []
        guard usesColour, line.isEditing, Terminal.waitingBytes == 0 else { return }
        let current = line.current
        guard current.text.count <= LinePainting.longest else { return }
        let earlier = pending.map { $0.unicodeScalars.count + 1 } ?? 0
        let text = String(scalars: current.text)
        let styles = highlight(pending.map { $0 + "\n" + text } ?? text).compactMap { styled in
            styled.range.upperBound <= earlier
                ? nil
                : StyledRange(
                    max(0, styled.range.lowerBound - earlier)..<styled.range.upperBound - earlier,
                    style: styled.style)
        }
        if pending == nil, current.cursor == current.text.count {
            suggestion = history.suggestion(for: text)?.scalarValues ?? []
        }
        let painting = LinePainting(
            prompt: plainPrompt, text: current.text, cursor: current.cursor, styles: styles,
            suggestion: suggestion, suggestionStyle: configuration.suggestionStyle, size: Terminal.size)
        guard let painting else {
            suggestion = []
            return
        }
        hasSuggestionOnScreen = painting.hasSuggestion
        if !painting.output.isEmpty { Terminal.write(painting.output) }
    }

    /// Erases the suggestion before libedit draws.
    func eraseSuggestion() {
        if hasSuggestionOnScreen { Terminal.write(LinePainting.erasure) }
        hasSuggestionOnScreen = false
    }

    /// Redraws prompt and line after the terminal has moved them.
    ///
    /// Most terminals rewrap long rows when their width changes, so the first row of the line is computed
    /// with the current width.
    func redrawInPlace() { redraw(below: "") }

    /// Shows lines above the one being edited.
    func showAbove(_ lines: [String]) {
        if !lines.isEmpty { redraw(below: lines.map { $0 + "\n" }.joined()) }
    }

    private func redraw(below text: String) {
        guard isCapable else {
            Terminal.write("\n" + text)
            line.redraw()
            return
        }
        let size = Terminal.size
        let current = line.current
        let row = ScreenLayout.cursorRow(
            prompt: plainPrompt, text: current.text, cursor: current.cursor, width: size.columns)
        Terminal.write(Terminal.clear(rowsAbove: min(row, size.rows - 1)) + text)
        line.redraw()
    }
}
