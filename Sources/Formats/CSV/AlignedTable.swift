import Core

/// Columns that are aligned by blanks, at the places that a rule of dashes marks or where no line has a letter.
///
/// Places are counted in characters or, where these do not align, in cells of a terminal: a wide character takes two.
struct AlignedTable: TableForm {
    /// Where columns begin.
    private let starts: [Int]
    /// Whether places are cells of a terminal rather than characters.
    private let isByWidth: Bool
    /// The index of the line of names.
    private let first: Int
    /// Lines of dashes, which are no rows.
    private let rules: Set<String>
    private var index = 0

    private static let dashes: Set<Character> = ["-", "=", "─", "═"]
    /// Blanks that separate columns; one alone may stand within a cell.
    private static let wide = 2
    /// Fewest lines that show where columns are.
    private static let fewestLines = 3

    /// Columns below a rule such as `--  ------`, with the names above it.
    init?(ruled lines: [String]) {
        guard let rule = lines.firstIndex(where: { Self.groups($0).count > 1 }) else { return nil }
        var names = rule - 1
        // Some tables have a rule above the names, too.
        if names < 0 || lines[names].allSatisfy(\.isWhitespace) {
            names = rule + 1
            guard names + 1 < lines.count, lines[names + 1] == lines[rule] else { return nil }
        }
        let starts = Self.groups(lines[rule])
        self.starts = starts
        first = names
        rules = [lines[rule]]
        let rows = lines[names...]
        // Shells of databases align by width: the other way must fit better.
        isByWidth =
            rows.count { Self.cells(Self.spread($0), starts) == nil }
            <= rows.count { Self.cells(Array($0), starts) == nil }
        guard lines[names].contains(where: { !$0.isWhitespace }), !lines[names].contains("\t"),
            Self.cells(places(lines[names]), starts) != nil
        else { return nil }
    }

    /// Columns that are aligned in all lines.
    init?(_ lines: [String], hasHeader: Bool) {
        let rows = lines.filter { !$0.allSatisfy(\.isWhitespace) }
        guard rows.count >= Self.fewestLines,
            !rows.contains(where: { $0.contains("\t") || $0.contains("\"") })
        else { return nil }
        let plain = Self.starts(rows.map(Array.init), hasHeader: hasHeader)
        let wide = Self.starts(rows.map(Self.spread), hasHeader: hasHeader)
        isByWidth = wide.count > plain.count
        starts = isByWidth ? wide : plain
        guard starts.count > 1 else { return nil }
        (first, rules) = (0, [])
    }

    mutating func cells(_ line: String, number: Int) throws(CSVFault) -> [String]? {
        defer { index += 1 }
        if index < first || line.allSatisfy(\.isWhitespace) || rules.contains(line) { return nil }
        guard let cells = Self.cells(places(line), starts) else {
            throw CSVFault(
                message: "the text does not keep to the columns of the lines before it", line: number)
        }
        return cells
    }

    func notes(_ lines: [String], from number: Int) -> [String] {
        let left = lines.prefix(first).contains { !$0.allSatisfy(\.isWhitespace) && !rules.contains($0) }
        return ["the columns are aligned by blanks"]
            + (left ? ["\(first, of: "line") above the names left out"] : [])
    }

    /// What stands at each place of a line.
    private func places(_ line: String) -> [Character] { isByWidth ? Self.spread(line) : Array(line) }

    /// The characters of a line in the cells of a terminal: behind a wide one, its second cell is filled, too, and those of no width
    /// are left to the character before them.
    private static func spread(_ line: String) -> [Character] {
        if line.utf8.allSatisfy({ $0 < 128 }) { return Array(line) }
        return line.flatMap { DisplayWidth.of($0) == 2 ? [$0, filler] : [$0] }
    }

    /// Stands for the second cell of a wide character; no text has this noncharacter.
    private static let filler: Character = "\u{FFFF}"

    /// The places where groups of dashes begin; none for another line.
    private static func groups(_ line: String) -> [Int] {
        var starts: [Int] = []
        var longest = 0
        var length = 0
        for (index, character) in line.enumerated() {
            if character == " " {
                length = 0
                continue
            }
            guard dashes.contains(character) else { return [] }
            if length == 0 { starts.append(index) }
            length += 1
            longest = max(longest, length)
        }
        return longest > 1 ? starts : []
    }

    /// The cells that begin at places; `nil` if a letter stands before one of them.
    private static func cells(_ characters: [Character], _ starts: [Int]) -> [String]? {
        var cells: [String] = []
        for (index, start) in starts.enumerated() {
            if start > 0, characters.indices.contains(start - 1), characters[start - 1] != " " { return nil }
            let from = index == 0 ? 0 : min(start, characters.count)
            let to = index + 1 < starts.count ? min(starts[index + 1], characters.count) : characters.count
            cells.append(trimmed(characters[from..<to]))
        }
        return cells
    }

    private static func trimmed(_ characters: ArraySlice<Character>) -> String {
        String(characters.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed().filter { $0 != filler })
    }

    /// Where columns begin in lines that are aligned.
    private static func starts(_ lines: [[Character]], hasHeader: Bool) -> [Int] {
        let width = lines.map(\.count).max() ?? 0
        var isBlank = [Bool](repeating: true, count: width)
        for line in lines {
            for (place, character) in line.enumerated() where character != " " { isBlank[place] = false }
        }
        var starts: [Int] = []
        var gap = wide
        for place in 0..<width {
            if isBlank[place] {
                gap += 1
                continue
            }
            if gap > 0, starts.isEmpty || gap >= wide || isBetweenNumbers(place, lines, hasHeader: hasHeader)
            {
                starts.append(place)
            }
            gap = 0
        }
        return starts
    }

    /// Whether one blank before a place separates columns: names stand on both sides, and the words before or behind it are
    /// numbers in all rows.
    private static func isBetweenNumbers(_ place: Int, _ lines: [[Character]], hasHeader: Bool) -> Bool {
        func word(_ line: [Character], _ isBehind: Bool) -> String {
            let part =
                isBehind
                ? line.dropFirst(place).prefix { $0 != " " }
                : ArraySlice(line.prefix(place - 1).reversed().prefix { $0 != " " }.reversed())
            return String(part)
        }
        let rows = hasHeader ? lines.dropFirst() : lines[...]
        if hasHeader, word(lines[0], true).isEmpty || word(lines[0], false).isEmpty { return false }
        return [true, false].contains { side in
            rows.allSatisfy { row in
                let text = word(row, side)
                return text.isEmpty || Double(text) != nil
            }
        }
    }
}

/// Words that are separated by blanks, as many in each line. One of them is a number below the first line: names and sentences may
/// have as many words, too.
struct BlankTable: TableForm {
    private static let fewestLines = 3

    init?(_ lines: [String]) {
        let rows = lines.map(Self.words).filter { !$0.isEmpty }
        guard rows.count >= Self.fewestLines, let first = rows.first, first.count > 1,
            rows.allSatisfy({ $0.count == first.count }), !lines.contains(where: { $0.contains("\"") }),
            first.indices.contains(where: { column in
                rows.dropFirst().allSatisfy { Double($0[column]) != nil }
            })
        else { return nil }
    }

    mutating func cells(_ line: String, number: Int) throws(CSVFault) -> [String]? {
        let words = Self.words(line)
        return words.isEmpty ? nil : words
    }

    func notes(_ lines: [String], from number: Int) -> [String] { ["the columns are separated by blanks"] }

    private static func words(_ line: String) -> [String] {
        line.split { $0 == " " || $0 == "\t" }.map(String.init)
    }
}
