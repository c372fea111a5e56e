import Formats
import Foundation
import PluginKit

/// Whether the last row of a table may be the sum of those before it, as spreadsheets and banks add one.
struct FooterDoubt {
    private static let words: Set<String> = [
        "total", "totals", "grand total", "subtotal", "sum", "sums", "summe", "gesamt", "gesamtsumme",
        "insgesamt",
        "total général", "totale", "totaal", "somme", "suma", "soma", "summa", "razem", "celkem", "итого",
        "合計", "总计",
    ]

    private var cells: [String] = []
    /// The line of the last row; `nil` where the lines before it were not counted.
    private var line: Int?
    private var rows = 0

    /// Takes a row; without `isCounted` the last one of a long file, without those before it.
    mutating func take(_ reader: CSVTokenizer, isCounted: Bool = true) {
        (cells, line, rows) = ([], isCounted ? reader.line : nil, isCounted ? rows + 1 : .max)
        // A row of other lengths is an error or said by itself.
        for index in 0..<reader.count { cells.append(String(decoding: reader[index], as: UTF8.self)) }
    }

    /// What is said of the last row.
    func note(_ columns: [String], _ kinds: [ColumnKind?]) -> String? {
        guard rows > 2 else { return nil }
        for (name, cell) in zip(columns, cells) {
            let text = cell.trimmingCharacters(in: .whitespaces)
            let word = text.lowercased().prefix { $0 != ":" }.trimmingCharacters(in: .whitespaces)
            guard Self.words.contains(word), kinds.contains(where: { $0 != .text }) else { continue }
            return
                "\(line.map { "line \($0)" } ?? "the last line") has `\(text)`: if it is the sum of the rows before it, leave it out by "
                + "`where \(Evaluator.reference(to: name)) != \(Literal.quoted(text))`"
        }
        return nil
    }
}
