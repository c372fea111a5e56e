import Foundation

/// Whether numbers may be versions or the numbers of chapters, such as `1.10` beside `1.1` or `1.9`.
///
/// Programs that drop zeros at the end drop all. Prices are written either way by hand.
struct VersionDoubt {
    /// The first numbers with a zero behind other decimals, those with one decimal, and the most decimals of all.
    private var padded: [String] = []
    private var tenths: Set<String> = []
    private var mostPlaces = 0
    /// Numbers of each of these that are kept.
    private static let mostKept = 1000
    /// Most decimals that a version or the number of a chapter has.
    private static let longestMinor = 2

    /// Takes a text of digits with one point; other texts say nothing.
    mutating func take(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2,
            parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } })
        else { return }
        take(text, places: parts[1].utf8.count)
    }

    /// Takes a number with so many decimals, as it is written.
    mutating func take(_ cell: String, places: Int) {
        mostPlaces = max(mostPlaces, places)
        let number = cell.trimmingCharacters(in: .whitespaces)
        if places == 1, tenths.count < Self.mostKept { tenths.insert(number) }
        guard places > 1, number.utf8.last == UInt8(ascii: "0"), padded.count < Self.mostKept else { return }
        padded.append(number)
    }

    /// The first number that is equal to one that is written without its zero, or would follow one as versions do.
    var found: String? {
        guard mostPlaces <= Self.longestMinor else { return nil }
        return padded.first { number in
            tenths.contains(String(number.dropLast()))
                || number.hasSuffix(".10") && tenths.contains(number.dropLast(2) + "9")
        }
    }
}
