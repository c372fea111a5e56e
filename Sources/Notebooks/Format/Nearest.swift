/// Finds the word that was probably meant.
enum Nearest {
    /// "did you mean `x`?" for the candidate nearest to a word, or the list of all when none is near.
    static func suggestion(for word: String, among candidates: [String]) -> String {
        if let near = candidate(for: word, among: candidates) { return "did you mean `\(near)`?" }
        return "known are " + candidates.map { "`\($0)`" }.joined(separator: ", ")
    }

    /// The candidate within a third of the word's length (at least two edits), the first of equals.
    static func candidate(for word: String, among candidates: [String]) -> String? {
        let typed = Array(word.lowercased().unicodeScalars.prefix(64))
        let limit = max(2, typed.count / 3)
        let ranked = candidates.map { ($0, distance(typed, Array($0.lowercased().unicodeScalars))) }
        guard let best = ranked.min(by: { $0.1 < $1.1 }), best.1 <= limit, best.1 < typed.count else {
            return nil
        }
        return best.0
    }

    /// Edit distance in which two neighbours swapped count once.
    private static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
        var rows = Array(repeating: Array(repeating: 0, count: b.count + 1), count: a.count + 1)
        for i in 0...a.count { rows[i][0] = i }
        for j in 0...b.count { rows[0][j] = j }
        for i in 0..<a.count {
            for j in 0..<b.count {
                let change = rows[i][j] + (a[i] == b[j] ? 0 : 1)
                var best = min(change, rows[i][j + 1] + 1, rows[i + 1][j] + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                    best = min(best, rows[i - 1][j - 1] + 1)
                }
                rows[i + 1][j + 1] = best
            }
        }
        return rows[a.count][b.count]
    }
}
