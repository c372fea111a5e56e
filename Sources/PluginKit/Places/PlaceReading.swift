import Core

/// One interpretation of the typed text as words.
struct PlaceReading: Sendable, Hashable {
    var words: [[UInt8]]

    /// The interpretations of words: unchanged; with neighbours joined; with words split where both parts are
    /// words, or the second begins some.
    static func readings(of words: [[UInt8]], in vocabulary: PlaceVocabulary) -> [PlaceReading] {
        let plain = PlaceReading(words: words)
        var found = [plain]
        found += NumberWords.readings(of: words) { vocabulary.index(of: $0) != nil }.map(PlaceReading.init)
        var joined: [PlaceReading] = []
        for index in words.indices.dropLast() {
            var together = words
            together[index] += together.remove(at: index + 1)
            let reading = PlaceReading(words: together)
            joined.append(reading)
            if !vocabulary.range(beginning: together[index]).isEmpty { found.append(reading) }
        }
        for reading in [plain] + joined { found += reading.splits(in: vocabulary) }
        var seen: Set<PlaceReading> = []
        return Array(found.filter { seen.insert($0).inserted }.prefix(PlaceSearchSettings.readings))
    }

    /// The words without articles and the like, which many say and a sign may not have: `avenue du général de Gaulle`; `nil` if
    /// there are none, or nothing else.
    static func withoutFillers(_ words: [[UInt8]]) -> PlaceReading? {
        let rest = words.filter { !fillers.contains($0) }
        return rest.isEmpty || rest.count == words.count ? nil : PlaceReading(words: rest)
    }

    private static let fillers = Set(
        "de du des d la le les l el los las der die das den dem und and et y e of the von van zum zur am im"
            .split(
                separator: " "
            ).map { Array($0.utf8) })

    private func splits(in vocabulary: PlaceVocabulary) -> [PlaceReading] {
        words.indices.flatMap { index -> [PlaceReading] in
            let word = words[index]
            guard word.count >= 2, word.count <= PlaceSearchSettings.longestWord,
                vocabulary.index(of: word) == nil
            else { return [] }
            return (1..<word.count).flatMap { cut -> [PlaceReading] in
                let (first, second) = (Array(word[..<cut]), Array(word[cut...]))
                // `A12` is `A 12`; other words have parts of two letters at least.
                let isNumbered = Self.isDigit(word[cut - 1]) != Self.isDigit(word[cut])
                let isSplit =
                    word.count >= Self.shortestSplit && second.count > 1
                    && (cut > 1 || Self.articles.contains(word[0]))
                guard isNumbered || isSplit, vocabulary.index(of: first) != nil else { return [] }
                let rests =
                    vocabulary.range(beginning: second).isEmpty
                    ? Self.halves(of: second, in: vocabulary) : [[second]]
                return rests.map { rest in
                    var parted = words
                    parted.replaceSubrange(index...index, with: [first] + rest)
                    return PlaceReading(words: parted)
                }
            }
        }
    }

    /// The two words of which the rest of a long compound may consist: `marxallee` of `karlmarxallee`.
    private static func halves(of rest: [UInt8], in vocabulary: PlaceVocabulary) -> [[[UInt8]]] {
        guard rest.count >= 2 * shortestHalf else { return [] }
        return (shortestHalf...rest.count - shortestHalf).compactMap { cut in
            let (first, second) = (Array(rest[..<cut]), Array(rest[cut...]))
            let areWords =
                vocabulary.index(of: first) != nil && !vocabulary.range(beginning: second).isEmpty
            return areWords ? [first, second] : nil
        }
    }

    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static let shortestSplit = 4
    /// The fewest letters of the second and the third word of a compound.
    private static let shortestHalf = 3
    /// Single letters before an apostrophe, which is often omitted.
    private static let articles: Set<UInt8> = Set("ldsnmtcj".utf8)
}

/// The words of an index that a typed word can mean, and how well.
struct PlaceWordMatch: Sendable {
    /// Words in order; their scores and numbers of misspellings are in the arrays below.
    private let words: [Int]
    private let values: [Double]
    private let mistakes: [UInt8]
    /// The words that begin with the typed one.
    let beginnings: Range<Int>
    private let length: Int
    private let endsWithDigit: Bool

    init(_ typed: [UInt8], in vocabulary: PlaceVocabulary, allowsMistakes: Bool) {
        length = typed.count
        guard typed.first != ConsonantSkeleton.mark else {
            // Consonants alone are a whole word, and a guess.
            (endsWithDigit, beginnings) = (false, 0..<0)
            let whole = vocabulary.index(of: typed)
            words = whole.map { [$0] } ?? []
            values = words.map { _ in PlaceSearchSettings.mistaken }
            mistakes = words.map { _ in 1 }
            return
        }
        endsWithDigit = typed.last.map(PlaceReading.isDigit) ?? false
        beginnings = vocabulary.range(beginning: typed)
        var found: [Int: (value: Double, mistakes: UInt8)] = [:]
        func add(_ word: Int, _ value: Double, _ mistakes: UInt8 = 0) {
            if value > found[word]?.value ?? 0 { found[word] = (value, mistakes) }
        }
        if let whole = vocabulary.index(of: typed) { add(whole, 1) }
        let others = PlaceAbbreviations.others(of: typed) + PlaceAbbreviations.withoutUmlautE(typed)
        for other in others {
            let range = vocabulary.range(beginning: other)
            // Abbreviations mean whole words; the other spelling of a word may be its beginning.
            let isWholeOnly = other.count <= 2
            for word in range.prefix(Self.mostBeginnings) {
                let share = Double(other.count) / Double(vocabulary.length(word))
                if share == 1 {
                    add(word, PlaceSearchSettings.otherSpelling)
                } else if !isWholeOnly {
                    add(word, PlaceSearchSettings.otherSpelling * Self.worth(ofBeginning: share))
                }
            }
        }
        let hasDigit = typed.contains(where: PlaceReading.isDigit)
        if allowsMistakes, !hasDigit, typed.count >= PlaceSearchSettings.shortestMistaken {
            let most = typed.count > PlaceSearchSettings.oneMistake ? 2 : 1
            let beginnings = typed.count >= PlaceSearchSettings.shortestMistakenStart
            for similar in vocabulary.similar(to: typed, mistakes: most, beginnings: beginnings)
            where similar.mistakes > 0 && vocabulary[similar.word].first != ConsonantSkeleton.mark {
                let share = Double(similar.mistakes) / Double(typed.count)
                var value = PlaceSearchSettings.mistaken - share
                if similar.isBeginning {
                    value *= Self.worth(
                        ofBeginning: min(1, Double(typed.count) / Double(vocabulary.length(similar.word))))
                }
                add(similar.word, value, UInt8(similar.mistakes))
            }
        }
        words = found.keys.sorted()
        values = words.map { found[$0]?.value ?? 0 }
        mistakes = words.map { found[$0]?.mistakes ?? 0 }
    }

    /// Maximum number of words examined that begin with another spelling.
    private static let mostBeginnings = 2000

    private static func worth(ofBeginning share: Double) -> Double {
        PlaceSearchSettings.prefix * (0.5 + 0.5 * share)
    }

    /// All words with a score of their own, in order.
    var listed: [Int] { words }

    /// The score of the best word.
    var most: Double { max(beginnings.isEmpty ? 0 : PlaceSearchSettings.prefix, values.max() ?? 0) }

    /// All matching words with their scores, the best first; some are repeated with a lower score.
    func byWorth(in vocabulary: PlaceVocabulary) -> [(word: Int, worth: Double)] {
        var all: [(word: Int, worth: Double)] = []
        all.reserveCapacity(words.count + beginnings.count)
        for (word, value) in zip(words, values) { all.append((word: word, worth: value)) }
        all.sort { $0.worth > $1.worth }
        // The score of a prefix match falls with the length of the word: a counting sort.
        var starts = [Int](repeating: 0, count: PlaceSearchSettings.longestWord + 1)
        func rest(_ word: Int) -> Int {
            min(vocabulary.length(word) - length, PlaceSearchSettings.longestWord - 1)
        }
        for word in beginnings { starts[rest(word) + 1] += 1 }
        for index in 1..<starts.count { starts[index] += starts[index - 1] }
        var begun = [(word: Int, worth: Double)](repeating: (word: 0, worth: 0), count: beginnings.count)
        for word in beginnings {
            let more = rest(word)
            begun[starts[more]] = (
                word: word, worth: Self.worth(ofBeginning: Double(length) / Double(length + more))
            )
            starts[more] += 1
        }
        all += begun
        // Two sorted runs.
        all.sort { $0.worth > $1.worth }
        return all
    }

    /// Whether a word that begins with a typed number is another number: 207 or 20a, not 20; but 11th is 11.
    private func isAnotherNumber(_ word: ArraySlice<UInt8>) -> Bool {
        guard endsWithDigit, word.count > length else { return false }
        return PlaceReading.isDigit(word[word.startIndex + length]) || word.count == length + 1
    }

    /// The score of a word, 0 for none, and its number of misspellings.
    func worth(
        of word: Int, in vocabulary: PlaceVocabulary
    ) -> (value: Double, mistakes: UInt8, isAnotherNumber: Bool) {
        var best = (value: 0.0, mistakes: UInt8(0), isAnotherNumber: false)
        if beginnings.contains(word) {
            best.value = Self.worth(ofBeginning: Double(length) / Double(vocabulary.length(word)))
            best.isAnotherNumber = isAnotherNumber(vocabulary[word])
        }
        let index = words.partitionIndex { $0 >= word }
        if index < words.count, words[index] == word, values[index] > best.value {
            best = (values[index], mistakes[index], false)
        }
        return best
    }
}
