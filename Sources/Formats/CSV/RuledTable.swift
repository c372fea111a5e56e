import Core

/// A table with bars between its cells and a rule below its names, as Markdown and the shells of databases write it, with ASCII
/// or box-drawing characters.
struct RuledTable: TableForm {
    private static let bars: Set<Character> = ["│", "┃", "║"]
    private static let dashes: Set<Character> = ["-", "=", "─", "═", "━"]
    private static let junctions = Set("+|:┌┬┐├┼┤└┴┘╭╮╰╯╞╪╡┏┳┓┡╇┩┗┻┛╔╦╗╚╩╝╠╬╣╟╫╢╒╤╕╘╧╛┠┨┝┥├┤")
    /// Dashes of a rule, and those that stand beside each other: a row of missing values is `-|-|-`.
    private static let fewestDashes = 3
    private static let fewestTogether = 2

    private let split: BarSplit
    /// The index of the line of names, and of the first line below the rule behind it.
    private let names: Int
    private let body: Int
    private let rules: Set<String>
    private let columns: Int
    /// Where the bars of a rule stand, if it marks them.
    private let marks: [Int]
    /// Characters of the rule below the names.
    private let width: Int
    private var index = 0
    private var ending: Int?

    init?(_ lines: [String]) {
        guard let first = lines.firstIndex(where: Self.isRule) else { return nil }
        let above = lines[..<first].last { !$0.allSatisfy(\.isWhitespace) }
        var (names, rule) = (first - 1, first)
        if above == nil {
            names = first + 1
            guard names < lines.count, let next = lines[names...].firstIndex(where: Self.isRule), next > names
            else { return nil }
            rule = next
        }
        guard lines.indices.contains(names) else { return nil }
        let title = lines[names]
        let split = BarSplit(
            bars: title.contains(where: Self.bars.contains) ? Self.bars : ["|"],
            hasEdge: title.first { $0 != " " }.map { $0 == "|" || Self.bars.contains($0) } ?? false,
            escapes: lines[rule].contains("|"))
        columns = split.cells(title).count
        // A box around a text is no table.
        guard columns > 1 else { return nil }
        (self.split, self.names, body) = (split, names, rule + 1)
        rules = [lines[first], lines[rule]]
        width = lines[rule].count
        marks = lines[rule].enumerated().filter { $0.element == "+" }.map(\.offset)
    }

    mutating func cells(_ line: String, number: Int) throws(CSVFault) -> [String]? {
        defer { index += 1 }
        if index == names { return split.cells(line) }
        guard index >= body, !isRule(line) else { return nil }
        guard line.contains(where: split.bars.contains), Self.rowCount(split.cells(line)) == nil else {
            if ending == nil { ending = number }
            return nil
        }
        if let ending {
            throw CSVFault(message: "the table ends in line \(ending), another one begins here", line: number)
        }
        if isContinued(line) {
            throw CSVFault(message: "a cell goes on in the next line", line: number)
        }
        let cells = split.cells(line)
        return cells.count > columns ? aligned(line) ?? cells : cells
    }

    func notes(_ lines: [String], from number: Int) -> [String] {
        var notes: [String] = []
        var rows = 0
        for (index, line) in lines.enumerated() where index != names && !line.allSatisfy(\.isWhitespace) {
            let cells = split.cells(line)
            let isRow =
                index >= body && line.contains(where: split.bars.contains) && Self.rowCount(cells) == nil
            if isRow || isRule(line) || Self.isRule(line) {
                rows += isRow && !isRule(line) ? 1 : 0
            } else if Self.rowCount(cells) != rows {
                let text = cells.filter { !$0.isEmpty }.joined(separator: " ").prefix(60)
                notes.append("line \(number + index) is left out: `\(text)`")
            }
        }
        let more = notes.count - Self.mostNotes
        return Array(notes.prefix(Self.mostNotes))
            + (more > 0 ? ["\(more, of: "further line") left out"] : [])
    }

    /// Most lines that are named one by one.
    private static let mostNotes = 3

    /// The number of a line such as `(3 rows)`; the words are those of the shell's language.
    private static func rowCount(_ cells: [String]) -> Int? {
        guard cells.count == 1 else { return nil }
        let words = cells[0].trimmingPrefix("(").split { $0 == " " || $0 == ")" }
        guard (2...6).contains(words.count) else { return nil }
        // A part of the rows is no count of them.
        return words.count > 2 && cells[0].contains("(") && !cells[0].contains("sec") ? nil : Int(words[0])
    }

    private func isRule(_ line: String) -> Bool {
        rules.contains(line) || Self.isRule(line) && split.bars == Self.bars
    }

    private static func isRule(_ line: String) -> Bool {
        let marks = line.filter { $0 != " " }
        return marks.contains(where: junctions.contains)
            && (marks.first == "|"
                || marks.split(whereSeparator: junctions.contains).contains { $0.count >= fewestTogether })
            && marks.count(where: dashes.contains) >= fewestDashes
            && marks.allSatisfy { dashes.contains($0) || junctions.contains($0) }
    }

    /// Whether a cell goes on in the next line, which PostgreSQL's shell marks by a `+` in place of the blank behind the cell.
    private func isContinued(_ line: String) -> Bool {
        guard !split.hasEdge, !marks.isEmpty, line.contains("+") else { return false }
        let characters = Array(line)
        return (marks + [width]).contains { characters.indices.contains($0 - 1) && characters[$0 - 1] == "+" }
    }

    /// The cells at the places that the rule marks, if bars stand there.
    private func aligned(_ line: String) -> [String]? {
        let characters = Array(line)
        let places = split.hasEdge ? Array(marks.dropFirst().dropLast()) : marks
        guard places.count == columns - 1,
            places.allSatisfy({ characters.indices.contains($0) && split.bars.contains(characters[$0]) })
        else { return nil }
        let start = split.hasEdge ? marks[0] + 1 : 0
        let end = split.hasEdge ? min(marks[marks.count - 1], characters.count) : characters.count
        let edges = [start - 1] + places + [end]
        return zip(edges, edges.dropFirst()).map {
            BarSplit.trimmed(String(characters[($0 + 1)..<max($0 + 1, $1)]))
        }
    }
}

/// Divides lines at their bars.
private struct BarSplit {
    let bars: Set<Character>
    /// Whether lines begin with a bar.
    let hasEdge: Bool
    /// Whether a backslash keeps a bar in a cell.
    let escapes: Bool

    /// The cells between bars, without the blanks around them.
    func cells(_ line: String) -> [String] {
        var cells: [String] = []
        var cell = ""
        var isEscaped = false
        for character in line {
            let isBar = bars.contains(character)
            if isBar, !(isEscaped && escapes) {
                cells.append(Self.trimmed(cell))
                cell = ""
            } else {
                if isBar { cell.removeLast() }
                cell.append(character)
            }
            isEscaped = character == "\\" && !isEscaped
        }
        let rest = Self.trimmed(cell)
        guard hasEdge else { return cells + [rest] }
        if cells.first?.isEmpty == true { cells.removeFirst() }
        return rest.isEmpty ? cells : cells + [rest]
    }

    static func trimmed(_ text: String) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
