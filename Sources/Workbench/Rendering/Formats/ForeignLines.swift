import Formats
import PluginKit

/// Lines that are not UTF-8 in a text of which others are, as files are that several programs have written to.
struct ForeignLines {
    private var count = 0
    /// The first, counted from 1.
    private var first = 0
    /// Lines of UTF-8 with characters beyond ASCII.
    private var others = 0

    /// How many lines of another encoding stand beside each of UTF-8 in a mixture, at most: a text that is in another encoding as a
    /// whole has lines that are UTF-8 by chance.
    private static let mostBeside = 4

    /// `nil` if the whole text is UTF-8.
    init?(in sample: [UInt8]) {
        guard UTF8Check.firstInvalid(sample) != nil else { return nil }
        var number = 0
        for line in sample.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number += 1
            if line.allSatisfy({ $0 < 128 }) { continue }
            if UTF8Check.firstInvalid(Array(line)) == nil {
                others += 1
            } else {
                count += 1
                if first == 0 { first = number }
            }
        }
    }

    /// Whether the text mixes UTF-8 and another encoding, so that no name of an encoding reads it.
    var isMixture: Bool { others > 0 && others * Self.mostBeside >= count }

    /// What is said where their cells are read as Windows-1252.
    func note(isWhole: Bool) -> String {
        (isWhole ? "" : "at least ")
            + "\(count, of: "line") not UTF-8, read as Windows-1252, first line \(first)"
    }
}
