import PluginKit

/// The names of two streets that meet, as people write them: `A & B`, `A / B`, `corner of A and B`, `A at B`.
enum StreetPair {
    /// The kind of place that sources find by the words of two streets.
    static let kind = "intersection"

    private static let signs: Set<Character> = ["&", "/", "+", "@", "×"]
    /// Words between two streets in the shipped languages.
    private static let connectors: Set<String> = [
        "and", "at", "x", "und", "et", "e", "y", "i", "con", "amb", "corner", "ecke", "angle", "esquina",
        "cantonada", "angolo",
    ]
    /// Words before two streets; some stand with the words after them.
    private static let openings: Set<String> = [
        "corner", "intersection", "junction", "crossing", "crossroads", "ecke", "kreuzung", "angle",
        "croisement",
        "carrefour", "esquina", "cruce", "intersección", "incrocio", "angolo", "cantonada", "cruïlla",
    ]
    private static let links: Set<String> = [
        "of", "between", "von", "de", "des", "du", "entre", "di", "tra", "the",
    ]

    /// The words of both; `nil` unless something stands between two names.
    static func words(_ text: String) -> PlaceWords? {
        let spaced = apart(text)
        var words = spaced.split(whereSeparator: \.isWhitespace).map(String.init)
        func isOne(_ list: Set<String>, _ word: String) -> Bool { list.contains(word.lowercased()) }
        let isOpened = words.first.map { isOne(openings, $0) } ?? false
        if isOpened {
            words.removeFirst()
            while let first = words.first, isOne(links, first) { words.removeFirst() }
        }
        let inner = words.indices.dropFirst().dropLast()
        let split =
            inner.first { words[$0] == "&" } ?? inner.first { isOne(connectors, words[$0]) }
            ?? (isOpened ? inner.first { words[$0].hasSuffix(",") || words[$0 - 1].hasSuffix(",") } : nil)
        guard let split else { return nil }
        guard hasLetters(words[..<split]), hasLetters(words[split...]) else { return nil }
        if words[split] == "&" || isOne(connectors, words[split]) { words.remove(at: split) }
        let found = PlaceWords(words.joined(separator: " "))
        return found.count > 1 ? found : nil
    }

    /// The text with blanks beside its signs. Between figures a sign is part of a number, as in `90/3` and `(Unit 3)/30`.
    private static func apart(_ text: String) -> String {
        let characters = Array(text)
        func isFigure(_ part: ArraySlice<Character>, _ last: Bool) -> Bool {
            let inner = part.filter { !"() ".contains($0) }
            return (last ? inner.last : inner.first)?.isNumber ?? false
        }
        return characters.indices.map { index in
            let sign = characters[index]
            let isInNumber =
                isFigure(characters[..<index], true) && isFigure(characters[(index + 1)...], false)
            return signs.contains(sign) && !("/+".contains(sign) && isInNumber) ? " & " : String(sign)
        }.joined()
    }

    private static func hasLetters(_ words: ArraySlice<String>) -> Bool {
        words.contains { $0.contains(where: \.isLetter) }
    }
}
