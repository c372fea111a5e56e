/// The line that opens a fenced block.
struct Fence: Sendable, Equatable {
    /// A backtick or a tilde.
    let mark: UInt8
    /// How many marks; the closing fence has at least as many.
    let length: Int
    /// Spaces before it, which are removed from each line of the block.
    let indentation: Int
    /// The info string, trimmed.
    let info: String

    /// The fence that a line opens, if it opens one.
    init?(opening line: String) {
        guard let (indentation, mark, length) = Self.marks(line), length >= 3 else { return nil }
        let rest = line.utf8.dropFirst(indentation + length)
        guard mark == UInt8(ascii: "~") || !rest.contains(mark) else { return nil }
        let trimmed = rest.drop(while: TextBytes.isBlank)
        self.mark = mark
        self.length = length
        self.indentation = indentation
        info = Substring(trimmed).trimmedAtEnd
    }

    /// Whether a line closes this fence.
    func isClosed(by line: String) -> Bool {
        guard let (indentation, mark, length) = Self.marks(line) else { return false }
        return mark == self.mark && length >= self.length
            && line.utf8.dropFirst(indentation + length).allSatisfy(TextBytes.isBlank)
    }

    /// A line of the block without the fence's indentation.
    func content(_ line: String) -> String {
        guard indentation > 0 else { return line }
        let blanks = min(indentation, line.utf8.prefix { $0 == 0x20 }.count)
        return String(Substring(line.utf8.dropFirst(blanks)))
    }

    /// The number of marks with which a line of output begins, if it reads as a fence; otherwise 0.
    static func run(of mark: UInt8, in line: String) -> Int {
        guard let found = marks(line), found.mark == mark else { return 0 }
        return found.length
    }

    /// Up to three spaces, then a run of one mark.
    private static func marks(_ line: String) -> (indentation: Int, mark: UInt8, length: Int)? {
        let indentation = line.utf8.prefix { $0 == 0x20 }.count
        let rest = line.utf8.dropFirst(indentation)
        guard indentation <= 3, let mark = rest.first, mark == UInt8(ascii: "`") || mark == UInt8(ascii: "~")
        else { return nil }
        return (indentation, mark, rest.prefix { $0 == mark }.count)
    }
}

/// A fenced block: its fence and the indexes of its lines.
struct FencedBlock: Sendable {
    let fence: Fence
    /// The index of the line that opens it.
    let opening: Int
    /// The lines between the fences.
    let content: Range<Int>
    /// Whether a line closes it; an unclosed block extends to the end.
    let isClosed: Bool

    /// The words of the info string.
    var words: [Substring] {
        fence.info.utf8.split(whereSeparator: TextBytes.isBlank).map { Substring($0) }
    }

    /// Whether it is a cell.
    var isCell: Bool { words.first.map { $0 == NotebookLimits.marker } ?? false }

    /// Whether its mark differs from a cell's only in case, punctuation or braces: `Rutter`, `rutter,norun`, `{.rutter}`.
    var resemblesCell: Bool {
        let word = fence.info.drop { !$0.isLetter }.prefix { $0.isLetter }
        return word.lowercased() == NotebookLimits.marker
    }
}

/// Finds the fenced blocks of a Markdown text by the rules of CommonMark.
enum FenceScanner {
    /// The blocks that begin at or after a line; the content of blocks and HTML comments is skipped.
    static func blocks(in lines: [SourceText.Line], from start: Int = 0) -> [FencedBlock] {
        var blocks: [FencedBlock] = []
        var index = start
        while index < lines.count {
            let line = lines[index].text
            if isCommentOpening(line) {
                index = (lines[index...].firstIndex { contains($0.text, "-->") } ?? lines.count) + 1
            } else if let fence = Fence(opening: line) {
                let closing = lines[(index + 1)...].firstIndex { fence.isClosed(by: $0.text) }
                let end = closing ?? lines.count
                blocks.append(
                    FencedBlock(
                        fence: fence, opening: index, content: (index + 1)..<end, isClosed: closing != nil))
                index = end + 1
            } else {
                index += 1
            }
        }
        return blocks
    }

    /// Warnings about blocks that look like cells but never run: with a misspelt mark, quoted, or indented
    /// too far to be a fence.
    static func warnings(_ lines: [SourceText.Line], _ blocks: [FencedBlock], from start: Int) -> [String] {
        let misspelt = blocks.filter { !$0.isCell && $0.resemblesCell }.map { block in
            "line \(block.opening + 1): ```\(block.fence.info) is not a cell and never runs; a cell is marked"
                + " ```\(NotebookLimits.marker), in lower case, its flags after a space"
        }
        return misspelt + hiddenCells(lines, blocks, from: start)
    }

    private static func hiddenCells(
        _ lines: [SourceText.Line], _ blocks: [FencedBlock], from start: Int
    ) -> [String] {
        var blocks = blocks[...]
        return lines.indices.dropFirst(start).compactMap { index in
            while let block = blocks.first, block.content.upperBound < index { blocks = blocks.dropFirst() }
            if let block = blocks.first, block.opening <= index { return nil }
            guard isHiddenCell(lines[index].text) else { return nil }
            return
                "line \(index + 1): this block is not a cell and never runs; remove the indentation or `>` before it"
        }
    }

    private static func isHiddenCell(_ line: String) -> Bool {
        let rest = line.utf8.drop { TextBytes.isBlank($0) || $0 == UInt8(ascii: ">") }
        guard rest.count < line.utf8.count, let fence = Fence(opening: String(Substring(rest))) else {
            return false
        }
        let words = fence.info.utf8.split(whereSeparator: TextBytes.isBlank).map { Substring($0) }
        return words.first.map { $0 == NotebookLimits.marker } ?? false
    }

    private static func isCommentOpening(_ line: String) -> Bool {
        let indentation = line.utf8.prefix { $0 == 0x20 }.count
        return indentation <= 3 && line.utf8.dropFirst(indentation).starts(with: "<!--".utf8)
    }

    private static func contains(_ line: String, _ word: String) -> Bool {
        var rest = line.utf8[...]
        while rest.count >= word.utf8.count {
            if rest.starts(with: word.utf8) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}
