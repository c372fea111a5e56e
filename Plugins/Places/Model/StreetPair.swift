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
        let spaced = text.map { signs.contains($0) ? " & " : String($0) }.joined()
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
        if words[split] == "&" || isOne(connectors, words[split]) { words.remove(at: split) }
        let found = PlaceWords(words.joined(separator: " "))
        return found.count > 1 ? found : nil
    }
}
