/// The flat, floor or suite of an address, which maps of houses do not have: `100 Anchor Street, Unit 4`.
enum AddressUnit {
    /// Words before the number or the letter of a unit, in the shipped languages and those of addresses.
    private static let words: Set<String> = [
        "apt", "apartment", "unit", "suite", "ste", "flat", "floor", "fl", "room", "rm", "wohnung", "whg",
        "top",
        "stiege", "app", "appartement", "étage", "etage", "piso", "puerta", "pta", "esc", "bâtiment", "bât",
        "bat",
        "interno", "int", "кв", "квартира",
    ]
    /// Letters and figures of the longest number of a unit.
    private static let longest = 4

    /// The text without its units; `nil` if it has none, or nothing else.
    static func without(_ text: String) -> String? {
        let words = text.split { $0.isWhitespace || $0 == "," }
        var kept: [Substring] = []
        var index = 0
        while index < words.count {
            let word = words[index]
            if word.first == "#", isNumber(word.dropFirst()) {
                index += 1
            } else if Self.words.contains(word.lowercased().filter { $0 != "." }), index + 1 < words.count,
                isNumber(words[index + 1].drop { $0 == "#" })
            {
                index += 2
            } else {
                kept.append(word)
                index += 1
            }
        }
        return kept.isEmpty || kept.count == words.count ? nil : kept.joined(separator: " ")
    }

    private static func isNumber(_ word: Substring) -> Bool {
        !word.isEmpty && word.count <= longest && (word.contains(where: \.isNumber) || word.count == 1)
    }
}
