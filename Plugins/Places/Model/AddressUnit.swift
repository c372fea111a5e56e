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
    /// Words for storeys, behind their number: `3rd floor`, `4. OG`.
    private static let storeys: Set<String> = [
        "floor", "fl", "og", "obergeschoss", "stock", "étage", "etage", "piso", "planta", "piano", "pis",
    ]
    /// Words for the side of a Spanish staircase.
    private static let sides: Set<String> = ["izq", "izda", "dcha", "der", "ctro"]
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
            } else if isOrdinal(word), index + 1 < words.count, isStorey(words[index + 1]) {
                index += 2
            } else if !kept.isEmpty, let sign = word.last, "ºª".contains(sign), isOrdinal(word) {
                // `5, 2º B`: a storey and its door.
                index += index + 1 < words.count && isDoor(words[index + 1]) ? 2 : 1
            } else {
                kept.append(word)
                index += 1
            }
        }
        return kept.isEmpty || kept.count == words.count ? nil : kept.joined(separator: " ")
    }

    private static func isStorey(_ word: Substring) -> Bool {
        storeys.contains(word.lowercased().filter { $0 != "." })
    }

    private static func isDoor(_ word: Substring) -> Bool {
        word.count == 1 || sides.contains(word.lowercased().filter { $0 != "." })
    }

    /// Whether a word is a number of one or two figures and an ending: `3rd`, `4.`, `1er`, `2º`.
    private static func isOrdinal(_ word: Substring) -> Bool {
        let figures = word.prefix(while: \.isNumber)
        let ending = word.dropFirst(figures.count).lowercased()
        return (1...2).contains(figures.filter { !"ºª".contains($0) }.count)
            && ["st", "nd", "rd", "th", ".", "er", "e", "eme", "ème", "º", "ª", "°"].contains(ending)
    }

    private static func isNumber(_ word: Substring) -> Bool {
        !word.isEmpty && word.count <= longest && (word.contains(where: \.isNumber) || word.count == 1)
    }
}
