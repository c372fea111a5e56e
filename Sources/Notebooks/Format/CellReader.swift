/// Parses the content of one cell.
struct CellReader {
    let block: FencedBlock
    let lines: [SourceText.Line]

    /// The cell. Names captured by its outputs are available to later cells.
    func cell(number: Int, _ captured: inout Set<String>) throws -> NotebookCell {
        let line = block.opening + 1
        let flags = try CellFlags(words: block.words.dropFirst(), line: line)
        guard block.isClosed else {
            throw NotebookError(
                .cell, line: line, "the cell is not closed",
                suggestion: "end it with \(String(repeating: mark, count: block.fence.length))")
        }
        var exercise: Exercise?
        var start = block.content.lowerBound
        if flags.hasQuestion {
            let end = block.content.first { PromptedLine.input(after: .first, in: content($0)) != nil }
            let text = start..<(end ?? block.content.upperBound)
            exercise = try ExerciseReader.read(text.map(content), flags: flags, firstLine: start + 1)
            start = text.upperBound
        }
        let entries = try self.entries(from: start, flags: flags, &captured)
        guard !entries.isEmpty else {
            throw NotebookError(
                .cell, line: line, "the cell has no input",
                suggestion: "write a command after `\(NotebookLimits.prompt)`")
        }
        guard exercise == nil || entries.count == 1 else {
            throw NotebookError(
                .exercise, line: entries[1].line, "an exercise has one entry, its solution",
                suggestion: "move the preparation to an earlier cell")
        }
        return NotebookCell(number: number, flags: flags, entries: entries, exercise: exercise, block: block)
    }

    private var mark: String { String(UnicodeScalar(block.fence.mark)) }

    private func entries(
        from start: Int, flags: CellFlags, _ captured: inout Set<String>
    ) throws -> [NotebookEntry] {
        var entries: [NotebookEntry] = []
        var index = start
        while index < block.content.upperBound {
            guard let first = PromptedLine.input(after: .first, in: content(index)) else {
                try refuseOutputBeforeInput(at: index)
                index += 1
                continue
            }
            let prompt = index
            var input = [first]
            index += 1
            while index < block.content.upperBound,
                let more = PromptedLine.input(after: .further, in: content(index))
            {
                input.append(more)
                index += 1
            }
            let output = index
            while index < block.content.upperBound,
                PromptedLine.input(after: .first, in: content(index)) == nil
            {
                index += 1
            }
            let entry = try self.entry(input, line: prompt + 1, output: output..<index, flags, captured)
            guard let entry else { continue }
            if !flags.contains(.norun) { captured.formUnion(entry.expected.captureNames) }
            entries.append(entry)
        }
        return entries
    }

    /// An entry, or nothing for an empty prompt, as at the end of text pasted from a terminal.
    private func entry(
        _ input: [String], line: Int, output: Range<Int>, _ flags: CellFlags, _ captured: Set<String>
    ) throws -> NotebookEntry? {
        let text = input.joined(separator: "\n")
        let expected = try OutputPattern(
            lines: output.map(content), flags: flags, firstLine: output.lowerBound + 1, captured: captured)
        if input.count == 1, text.isBlank {
            if expected.isEmpty { return nil }
            throw NotebookError(.cell, line: line, "output follows an empty prompt")
        }
        return NotebookEntry(input: text, expected: expected, line: line, expectedLines: output)
    }

    private func refuseOutputBeforeInput(at index: Int) throws {
        guard !content(index).isBlank else { return }
        throw NotebookError(
            .cell, line: index + 1, "output before any input",
            suggestion: "write `\(NotebookLimits.prompt)` before the command")
    }

    private func content(_ index: Int) -> String { block.fence.content(lines[index].text) }
}

/// Lines that begin with a prompt.
enum PromptedLine {
    /// The kind of prompt.
    enum Kind { case first, further }

    /// The text after the prompt; `nil` if the line does not begin with it. A bare prompt counts.
    static func input(after kind: Kind, in line: String) -> String? {
        let prompt = kind == .first ? NotebookLimits.prompt : NotebookLimits.continuation
        if line.startsBytewise(with: prompt) {
            return String(Substring(line.utf8.dropFirst(prompt.utf8.count)))
        }
        return TextBytes.equal(line.trimmedAtEnd, prompt.trimmedAtEnd) ? "" : nil
    }

    /// Whether a line of output would be read as input.
    static func isPrompted(_ line: String) -> Bool {
        input(after: .first, in: line) != nil || input(after: .further, in: line) != nil
    }
}
