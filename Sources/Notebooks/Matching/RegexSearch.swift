import Core

/// Finds where the matches of an expression can end in a line.
///
/// ICU returns one match for each start; all ends are found by testing for each range whether the expression matches
/// all of it. The number of tests is limited: a line that exceeds it does not match.
struct RegexSearch {
    private static let mostTests = 50_000

    private let regex: BoundedRegex
    private let text: String
    /// The UTF-16 offset of each scalar, and of the end.
    private let offsets: [Int]

    init(_ regex: BoundedRegex, _ line: [Unicode.Scalar]) {
        self.regex = regex
        text = String(String.UnicodeScalarView(line))
        offsets = line.reduce(into: [0]) { $0.append($0[$0.count - 1] + UTF16.width($1)) }
    }

    func ends(from starts: [Bool], wanted: (Int) -> Bool) -> [Bool] {
        var ends = Array(repeating: false, count: starts.count)
        var left = Self.mostTests
        for start in starts.indices where starts[start] {
            for end in start..<starts.count where !ends[end] && wanted(end) {
                left -= 1
                guard left >= 0 else { return ends }
                switch regex.search(text, in: offsets[start]..<offsets[end]) {
                case .found: ends[end] = true
                case .notFound: continue
                case .tooSlow, .cancelled: return ends
                }
            }
        }
        return ends
    }
}
