import Foundation
import PluginKit

/// The names of all stops in memory, for what full-text search cannot find: other scripts, letters that it does not fold,
/// and misspellings.
struct SimilarNames: Sendable {
    private let numbers: [Int64]
    /// The folded names behind each other, and where each begins; one more than there are names.
    private let folded: [UInt8]
    private let starts: [Int]

    /// The names of stops in the order of importance.
    init(_ names: some Sequence<(number: Int64, name: String)>) {
        var numbers: [Int64] = []
        var folded: [UInt8] = []
        var starts = [0]
        for (number, name) in names {
            numbers.append(number)
            folded += PlaceWords.fold(Self.latin(name))
            starts.append(folded.count)
        }
        (self.numbers, self.folded, self.starts) = (numbers, folded, starts)
    }

    /// A name in Latin letters, by the transliteration of ICU.
    private static func latin(_ name: String) -> String {
        guard name.unicodeScalars.contains(where: { $0.value > 0x24F && $0.properties.isAlphabetic }) else {
            return name
        }
        return name.applyingTransform(.toLatin, reverse: false) ?? name
    }

    /// The stops whose words begin with those of a query as they are, else those with few misspellings.
    func find(_ query: PlaceWords, limit: Int) -> (numbers: [Int64], areSimilar: Bool) {
        let query = PlaceWords(Self.latin(query.text))
        let words = query.texts.map { Array($0.utf8) }
        guard !words.isEmpty else { return ([], false) }
        let exact = best(limit) { Self.beginning(of: words, in: $0) }
        if !exact.isEmpty { return (exact, false) }
        return (best(limit) { Self.cost(of: words, in: $0) }, true)
    }

    private func best(_ limit: Int, _ cost: (UnsafeBufferPointer<UInt8>) -> Double?) -> [Int64] {
        var found: [(cost: Double, index: Int)] = []
        folded.withUnsafeBufferPointer { folded in
            for index in numbers.indices {
                let name = UnsafeBufferPointer(rebasing: folded[starts[index]..<starts[index + 1]])
                if let cost = cost(name) { found.append((cost, index)) }
            }
        }
        found.sort { ($0.cost, $0.index) < ($1.cost, $1.index) }
        return found.prefix(limit).map { numbers[$0.index] }
    }

    /// How much of a name its words that begin with those of a query leave out, 0…1; `nil` unless each is the beginning of
    /// one. A name that begins with the first word leaves out less.
    private static func beginning(of words: [[UInt8]], in name: UnsafeBufferPointer<UInt8>) -> Double? {
        let parts = name.split(separator: 0x20)
        var share = 0.0
        var startsName = false
        for (number, word) in words.enumerated() {
            var best = 0.0
            for (index, part) in parts.enumerated() where part.starts(with: word) {
                best = max(best, Double(word.count) / Double(part.count))
                if number == 0, index == 0 { startsName = true }
            }
            if best == 0 { return nil }
            share += best
        }
        let coverage = min(1, Double(words.count) / Double(parts.count))
        return 1 - Weights.words * share / Double(words.count) - Weights.coverage * coverage
            - (startsName ? Weights.start : 0)
    }

    /// What counts how much of a match; together 1.
    private enum Weights {
        /// How much of the name's words is there.
        static let words = 0.6
        /// How many of the name's words were asked for.
        static let coverage = 0.25
        /// That the name begins with the first word.
        static let start = 0.15
    }

    /// The number of misspellings, with a share for the rest of the name; `nil` if a word has too many.
    private static func cost(of words: [[UInt8]], in name: UnsafeBufferPointer<UInt8>) -> Double? {
        var total = 0.0
        for word in words {
            let most = allowed(word.count)
            var best: Int?
            for part in name.split(separator: 0x20) {
                guard let edits = EditDistance.prefix(word, of: part, most: best.map { $0 - 1 } ?? most)
                else {
                    continue
                }
                best = edits
                if edits == 0 { break }
            }
            guard let best else { return nil }
            total += Double(best)
        }
        let letters = words.reduce(0) { $0 + $1.count }
        return total + 0.01 * Double(min(90, abs(name.count - letters)))
    }

    /// Misspellings that a word of a length may have.
    private static func allowed(_ length: Int) -> Int { length < 4 ? 0 : length < 8 ? 1 : 2 }
}

/// The distance of words by inserted, omitted, replaced and swapped letters (optimal string alignment).
enum EditDistance {
    /// The distance of a word from the whole of another, or from a beginning of it as long as the word give or take the
    /// distance; `nil` if it is greater than `most`.
    static func prefix(_ word: [UInt8], of other: some Collection<UInt8>, most: Int) -> Int? {
        guard most >= 0, other.count + most >= word.count else { return nil }
        let text = Array(other.prefix(word.count + most))
        var before: [Int] = []
        var last = Array(0...text.count)
        for i in word.indices {
            var row = [i + 1]
            row.reserveCapacity(text.count + 1)
            var least = i + 1
            for j in text.indices {
                let isSame = word[i] == text[j]
                var cost = min(last[j] + (isSame ? 0 : 1), last[j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, word[i] == text[j - 1], word[i - 1] == text[j] {
                    cost = min(cost, before[j - 1] + 1)
                }
                row.append(cost)
                least = min(least, cost)
            }
            if least > most { return nil }
            (before, last) = (last, row)
        }
        // A beginning counts as well: one types on.
        guard let best = last.min(), best <= most else { return nil }
        return best
    }
}
