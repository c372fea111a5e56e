/// Finds the word that was probably meant.
public enum Suggestion {
    /// The nearest candidate within a third of the word's length in edits, the first of equals; `nil` if none.
    ///
    /// Distance: optimal string alignment (insertion, deletion, replacement, swap of neighbours), case folded.
    public static func nearest(to word: String, in candidates: some Sequence<String>) -> String? {
        let folded = Array(word.lowercased().unicodeScalars)
        guard !folded.isEmpty, folded.count <= longestWord else { return nil }
        // Ignore the common prefix of error codes: E-NOPE is not a misspelling of E-TYPE.
        let shared = sharedStart(folded)
        let limit = max(1, (folded.count - shared + 1) / 3)
        var best: (word: String, distance: Int)?
        for candidate in candidates {
            let other = Array(candidate.lowercased().unicodeScalars)
            guard abs(other.count - folded.count) <= limit else { continue }
            let distance = distance(folded, other)
            // A word that shares no letters is not a suggestion.
            if distance <= limit, distance < folded.count, distance < best?.distance ?? .max {
                best = (candidate, distance)
            }
        }
        if let best { return best.word }
        let prefix = candidates.first { $0.lowercased().hasPrefix(word.lowercased()) }
        return prefix
    }

    /// "did you mean `x`?" for the nearest candidate, or the list of all when none is near.
    public static func sentence(for word: String, among candidates: [String]) -> String {
        if let near = nearest(to: word, in: candidates) { return "did you mean `\(near)`?" }
        return "expected one of " + candidates.map { "`\($0)`" }.joined(separator: ", ")
    }

    /// The length of the common prefix of error codes.
    private static func sharedStart(_ word: [Unicode.Scalar]) -> Int {
        word.count > 2 && word[0] == "e" && word[1] == "-" ? 2 : 0
    }

    /// Longest word for which suggestions are computed.
    private static let longestWord = 60

    private static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
        var beforeLast = [Int](repeating: 0, count: b.count + 1)
        var last = Array(0...b.count)
        for i in 0..<a.count {
            var row = [Int](repeating: i + 1, count: b.count + 1)
            for j in 0..<b.count {
                let cost = a[i] == b[j] ? 0 : 1
                row[j + 1] = min(row[j] + 1, last[j + 1] + 1, last[j] + cost)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                    row[j + 1] = min(row[j + 1], beforeLast[j - 1] + 1)
                }
            }
            beforeLast = last
            last = row
        }
        return last[b.count]
    }
}
