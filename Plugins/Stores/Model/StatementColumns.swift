/// Which columns of its tables a statement may read: the others need not be filled.
///
/// A column is read if its name occurs anywhere, in quotes or within another word, too, or if the statement takes all columns. Where
/// that is not sure, such as in a statement with comments, all are read.
struct StatementColumns {
    private let statement: String
    private let takesAll: Bool

    init(_ statement: String) {
        let text = statement.lowercased()
        self.statement = text
        takesAll =
            ["natural", "--"].contains(where: text.contains) || Self.hasWildcard(Array(text.utf8))
    }

    /// Whether a column of a table with that many may be read. The only column of a table also stands for it: `x IN it`.
    func reads(_ column: String, of count: Int) -> Bool {
        // A quotation mark in a name is doubled in the statement.
        takesAll || count == 1 || column.contains("\"") || statement.contains(column.lowercased())
    }

    /// Whether a `*` stands for all columns: behind `SELECT`, a comma or a point; behind a value it multiplies, and `count(*)` counts.
    private static func hasWildcard(_ text: [UInt8]) -> Bool {
        text.indices.contains { index in
            guard text[index] == UInt8(ascii: "*") else { return false }
            let before = text[..<index].reversed().drop { $0 <= 0x20 }
            guard let last = before.first else { return true }
            if last == UInt8(ascii: "(") {
                return !before.dropFirst().drop { $0 <= 0x20 }.starts(with: "count".utf8.reversed())
            }
            if last == UInt8(ascii: ",") || last == UInt8(ascii: ".") || last == UInt8(ascii: "/") {
                return true
            }
            let word = String(decoding: before.prefix { (97...122).contains($0) }.reversed(), as: UTF8.self)
            return ["select", "distinct", "all", "returning"].contains(word)
        }
    }
}
