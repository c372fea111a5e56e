/// The diff of an output: `-` expected, `+` actual, with the lines of the file.
struct OutputDiff {
    /// One shown line.
    private struct Row {
        let mark: Character
        let text: String
        /// The index of the expected line of the row, or of the line before it.
        let expected: Int
        let actual: Int
    }

    let limits: NotebookLimits

    /// The diff of an output that did not match; the first expected line is at a line of the file.
    func text(
        _ pattern: OutputPattern, _ output: String, flags: CellFlags, bindings: [String: String],
        firstLine: Int,
        file: String
    ) -> String {
        let actual = TextBytes.lines(of: output)
        let rows =
            flags.contains(.unordered)
            ? unordered(pattern, actual, bindings)
            : ordered(
                LineAlignment(pattern, actual, bindings, largest: limits.alignmentCells), pattern, actual)
        var lines = ["--- \(file):\(firstLine) expected", "+++ actual"]
        for hunk in hunks(rows) {
            guard lines.count < limits.diffLines else {
                lines.append("\\ the rest of the diff is omitted")
                break
            }
            lines.append(header(hunk, firstLine))
            let room = max(limits.diffLines - lines.count, 1)
            lines += hunk.prefix(room).map { "\($0.mark)\($0.text)" }
            if hunk.count > room { lines.append("\\ \(hunk.count - room) more lines are omitted") }
        }
        return lines.joined(separator: "\n")
    }

    private func ordered(_ alignment: LineAlignment, _ pattern: OutputPattern, _ actual: [String]) -> [Row] {
        var rows: [Row] = []
        var added: [Row] = []
        var expectedIndex = 0
        var actualIndex = 0
        func add(_ mark: Character, _ text: String) {
            rows.append(Row(mark: mark, text: text, expected: expectedIndex, actual: actualIndex))
        }
        func addActual(_ index: Int) {
            added.append(Row(mark: "+", text: actual[index], expected: expectedIndex, actual: index))
            actualIndex = index + 1
        }
        for step in alignment.steps {
            // In a run of changes, removed lines precede added lines.
            switch step {
            case .replace, .missing, .surplus: break
            default:
                rows += added
                added = []
            }
            switch step {
            case .match(let e, let a):
                add(" ", pattern.written[e])
                (expectedIndex, actualIndex) = (e + 1, a + 1)
            case .replace(let e, let a):
                add("-", pattern.written[e])
                expectedIndex = e + 1
                addActual(a)
            case .missing(let e):
                add("-", pattern.written[e])
                expectedIndex = e + 1
            case .surplus(let a): addActual(a)
            case .absorbed(_, let a): actualIndex = a + 1
            case .gapEnd(let e):
                add(" ", pattern.written[e])
                expectedIndex = e + 1
            }
        }
        return rows + added
    }

    private func unordered(_ pattern: OutputPattern, _ actual: [String], _ bindings: [String: String])
        -> [Row]
    {
        let found = OutputMatcher(expected: pattern.lines, actual: actual, bindings: bindings).assignment()
        let missing = Set(found.missing)
        let rows = pattern.written.indices.map {
            Row(mark: missing.contains($0) ? "-" : " ", text: pattern.written[$0], expected: $0, actual: 0)
        }
        let hasGap = pattern.lines.contains(where: \.isGap)
        guard !hasGap else { return rows }
        return rows
            + found.left.map { Row(mark: "+", text: actual[$0], expected: pattern.written.count, actual: $0) }
    }

    /// The runs of changes with their context.
    private func hunks(_ rows: [Row]) -> [ArraySlice<Row>] {
        var hunks: [Range<Int>] = []
        for (index, row) in rows.enumerated() where row.mark != " " {
            let from = max(index - limits.diffContext, 0)
            let to = min(index + limits.diffContext + 1, rows.count)
            if let last = hunks.last, last.upperBound >= from {
                hunks[hunks.count - 1] = last.lowerBound..<to
            } else {
                hunks.append(from..<to)
            }
        }
        return hunks.map { rows[$0] }
    }

    private func header(_ hunk: ArraySlice<Row>, _ firstLine: Int) -> String {
        let expected = hunk.filter { $0.mark != "+" }
        let actual = hunk.filter { $0.mark != "-" }
        let from = firstLine + (expected.first ?? hunk.first).map(\.expected).unwrapped
        return "@@ -\(from),\(expected.count) +\((actual.first?.actual ?? 0) + 1),\(actual.count) @@"
    }
}

extension Int? {
    fileprivate var unwrapped: Int { self ?? 0 }
}
