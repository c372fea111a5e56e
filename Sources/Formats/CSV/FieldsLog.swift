/// A log that names its fields in a comment: the extended log format of web servers (`#Fields: date time …`, W3C 1996), or the
/// tables of a network monitor (`#fields⇥ts⇥uid …` with the separator in `#separator`).
struct FieldsLog: TableForm {
    private var separator: Character = " "
    /// Whether tabs separate values, and blanks the names, as in logs of CloudFront.
    private let hasTabs: Bool
    /// What stands for a value that is missing, and for an empty one.
    private var missing: Set<String> = ["-"]
    private var fields: [String]?

    private static let comment: Character = "#"

    init?(_ lines: [String]) {
        let comments = lines.prefix { $0.isEmpty || $0.first == Self.comment }
        guard let named = comments.lazy.compactMap(Self.fields(in:)).first else { return nil }
        // Logs of Exchange are separated by commas, below a comment with the names.
        guard named.split(whereSeparator: Self.isBlank).count > 1 || !named.contains(",") else { return nil }
        hasTabs = lines.dropFirst(comments.count).first?.contains("\t") ?? false
    }

    mutating func cells(_ line: String, number: Int) throws(CSVFault) -> [String]? {
        guard line.first == Self.comment else {
            return line.isEmpty ? nil : split(line).map { missing.contains($0) ? "" : $0 }
        }
        take(line)
        guard let named = Self.fields(in: line) else { return nil }
        let names = named.split { $0 == separator || Self.isBlank($0) }.map(String.init)
        guard let fields else {
            self.fields = names
            return names
        }
        guard names == fields else {
            throw CSVFault(
                message: "from here on the log has other fields: \(names.joined(separator: " "))",
                line: number)
        }
        return nil
    }

    func notes(_ lines: [String], from number: Int) -> [String] { [] }

    /// A comment that says how values are written.
    private mutating func take(_ line: String) {
        let words = line.split(separator: separator, maxSplits: 1).map(String.init)
        guard words.count == 2 else { return }
        switch words[0] {
        case "#separator":
            if let byte = Self.escaped(words[1]) { separator = byte }
        case "#unset_field", "#empty_field": missing.insert(words[1])
        default: break
        }
    }

    /// The character of `\x09`.
    private static func escaped(_ text: String) -> Character? {
        guard text.hasPrefix("\\x"), let code = UInt8(text.dropFirst(2), radix: 16) else { return text.first }
        return Character(UnicodeScalar(code))
    }

    private static func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }

    /// What follows the word for fields.
    private static func fields(in line: String) -> Substring? {
        for start in ["#Fields:", "#fields\t", "#fields "] where line.hasPrefix(start) {
            return line.dropFirst(start.count)
        }
        return nil
    }

    /// The values of a line; blanks in quotes separate nothing.
    private func split(_ line: String) -> [String] {
        if separator == " ", hasTabs {
            return line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
        guard separator == " ", line.contains("\"") else {
            return line.split(separator: separator, omittingEmptySubsequences: separator == " ").map(
                String.init)
        }
        var cells: [String] = []
        var cell = ""
        var (isQuoted, hasCell) = (false, false)
        for character in line {
            switch character {
            case "\"":
                isQuoted.toggle()
                hasCell = true
            case " " where !isQuoted:
                if hasCell { cells.append(cell) }
                (cell, hasCell) = ("", false)
            default:
                cell.append(character)
                hasCell = true
            }
        }
        return hasCell ? cells + [cell] : cells
    }
}
