import Foundation
import PluginKit

/// The names of all stops in memory, for matches that full-text search cannot find: other scripts, letters
/// that it does not fold, and misspellings.
struct SimilarNames: Sendable {
    private let numbers: [Int64]
    private let vocabulary: PlaceVocabulary
    /// The concatenated words of all names, as indexes of the vocabulary, and the start of each name; one
    /// more than there are names.
    private let words: [UInt32]
    private let starts: [Int]
    /// The number of letters of each name.
    private let lengths: [Int]

    /// The names of stops in the order of importance.
    init(_ names: some Sequence<(number: Int64, name: String)>) {
        var numbers: [Int64] = []
        var folded: [[[UInt8]]] = []
        for (number, name) in names {
            numbers.append(number)
            folded.append(PlaceWords.fold(Self.latin(name)).split(separator: 0x20).map(Array.init))
        }
        let distinct = Set(folded.joined())
        vocabulary = PlaceVocabulary(distinct)
        let vocabulary = self.vocabulary
        let indexes = Dictionary(
            distinct.compactMap { word in vocabulary.index(of: word).map { (word, UInt32($0)) } },
            uniquingKeysWith: { first, _ in first })
        self.numbers = numbers
        words = folded.joined().compactMap { indexes[$0] }
        starts = folded.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.count) }
        lengths = folded.map { $0.reduce(0) { $0 + $1.count } }
    }

    /// A name in Latin letters, by the transliteration of ICU.
    private static func latin(_ name: String) -> String {
        guard name.unicodeScalars.contains(where: { $0.value > 0x24F && $0.properties.isAlphabetic }) else {
            return name
        }
        return name.applyingTransform(.toLatin, reverse: false) ?? name
    }

    /// The stops whose words have the query's words as prefixes, else those with few misspellings.
    func find(_ query: PlaceWords, limit: Int) -> (numbers: [Int64], areSimilar: Bool) {
        let query = PlaceWords(Self.latin(query.text))
        let words = query.texts.map { Array($0.utf8) }
        guard !words.isEmpty else { return ([], false) }
        let exact = best(limit, words.map(beginnings), Self.beginning)
        if !exact.isEmpty { return (exact, false) }
        let letters = words.reduce(0) { $0 + $1.count }
        return (
            best(limit, words.map(misspellings)) { costs, name, length in
                Self.cost(costs, name).map { $0 + 0.01 * Double(min(90, abs(length - letters))) }
            }, true
        )
    }

    /// The score of each word of the vocabulary for a word of a query; NaN for no match.
    private typealias Scores = [Float]

    /// The share of each word that the typed prefix covers.
    private func beginnings(_ word: [UInt8]) -> Scores {
        var scores = Scores(repeating: .nan, count: vocabulary.count)
        for index in vocabulary.range(beginning: word) {
            scores[index] = Float(word.count) / Float(vocabulary.length(index))
        }
        return scores
    }

    /// The number of misspellings of each word that resembles the typed one, or has a prefix that does: the
    /// word may be incomplete.
    private func misspellings(_ word: [UInt8]) -> Scores {
        var scores = Scores(repeating: .nan, count: vocabulary.count)
        let most = Self.allowed(word.count)
        for index in vocabulary.range(beginning: word) { scores[index] = 0 }
        guard most > 0 else { return scores }
        for similar in vocabulary.similar(to: word, mistakes: most, beginnings: true)
        where scores[similar.word].isNaN {
            scores[similar.word] = Float(similar.mistakes)
        }
        return scores
    }

    private func best(
        _ limit: Int, _ scores: [Scores], _ cost: ([Scores], ArraySlice<UInt32>, Int) -> Double?
    ) -> [Int64] {
        var found: [(cost: Double, index: Int)] = []
        for index in numbers.indices {
            let name = words[starts[index]..<starts[index + 1]]
            if let cost = cost(scores, name, lengths[index]) { found.append((cost, index)) }
        }
        found.sort { ($0.cost, $0.index) < ($1.cost, $1.index) }
        return found.prefix(limit).map { numbers[$0.index] }
    }

    /// The share of a name that is not covered by the query's words as prefixes, 0…1; `nil` unless each is
    /// a prefix of a word. A name that begins with the first word has a lower share.
    private static func beginning(_ scores: [Scores], _ name: ArraySlice<UInt32>, _ length: Int) -> Double? {
        var share = 0.0
        for word in scores {
            let best = name.lazy.map { word[Int($0)] }.filter { !$0.isNaN }.max()
            guard let best else { return nil }
            share += Double(best)
        }
        let startsName = name.first.map { !scores[0][Int($0)].isNaN } ?? false
        let coverage = min(1, Double(scores.count) / Double(name.count))
        return 1 - Weights.words * share / Double(scores.count) - Weights.coverage * coverage
            - (startsName ? Weights.start : 0)
    }

    /// The weights of a match; their sum is 1.
    private enum Weights {
        /// The share of the name's words that is covered.
        static let words = 0.6
        /// The share of the name's words that the query contains.
        static let coverage = 0.25
        /// Whether the name begins with the first word.
        static let start = 0.15
    }

    /// The number of misspellings; `nil` if a word has too many.
    private static func cost(_ scores: [Scores], _ name: ArraySlice<UInt32>) -> Double? {
        var total = 0.0
        for word in scores {
            let best = name.lazy.map { word[Int($0)] }.filter { !$0.isNaN }.min()
            guard let best else { return nil }
            total += Double(best)
        }
        return total
    }

    /// The maximum number of misspellings of a word by its length.
    private static func allowed(_ length: Int) -> Int { length < 4 ? 0 : length < 8 ? 1 : 2 }
}
