import Formats
import PluginKit

/// Lines before the names of columns that begin with `#`, as loggers write them.
struct CommentLines {
    /// How many there are.
    let count: Int

    /// The usual first byte of a comment.
    static let usual = UInt8(ascii: "#")

    /// The comments with which a text begins. A last one with as many cells as the line below it has the names of the columns,
    /// and those of a table of one column may have them: they are none. So are those of a log, which name its fields.
    init?(in sample: [UInt8]) {
        guard sample.first == Self.usual, TableLayout(markedIn: sample) == nil else { return nil }
        let lines = sample.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let comments = lines.prefix { $0.first == Self.usual }
        guard let last = comments.last, comments.count < lines.count else { return nil }
        let rest = Array(sample[lines[comments.count].startIndex...])
        let separator = CSVSeparator.recognised(in: rest)
        let cells = CSVSeparator.counts(in: rest, separator).first ?? 0
        let below = rest.split(separator: UInt8(ascii: "\n"), maxSplits: 2)
        // Above a line of names and one of values, a comment with as many cells is a sentence.
        let areNamesBelow = below.count > 1 && !Self.hasValues(below[0]) && Self.hasValues(below[1])
        let isHeader = !areNamesBelow && CSVSeparator.counts(in: Array(last), separator) == [cells]
        count = comments.count - (isHeader ? 1 : 0)
        guard cells > 1, count > 0 else { return nil }
    }

    /// The lines that are no comments, and how many comments stand before the first of them.
    static func removed(_ byte: UInt8?, from sample: [UInt8]) -> (rest: [UInt8], above: Int) {
        guard let byte else { return (sample, 0) }
        let lines = sample.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let rest = lines.filter { $0.first != byte }
        return (Array(rest.joined(separator: [UInt8(ascii: "\n")])), lines.prefix { $0.first == byte }.count)
    }

    /// Whether a digit is in a line.
    private static func hasValues(_ line: ArraySlice<UInt8>) -> Bool {
        line.contains { (48...57).contains($0) }
    }

    /// What is said of them, where lines before them are skipped.
    func note(after skipped: Int) -> String {
        let first = skipped + 1
        let lines = count == 1 ? "line \(first) begins" : "lines \(first) to \(skipped + count) begin"
        return "\(lines) with # and \(count == 1 ? "is" : "are") left out"
    }
}
