/// The flat, floor or suite of an address, which maps of houses do not have, and words before the number of a house:
/// `100 Anchor Street, Unit 4`, `Buchengasse 90/3/13`, `ul. Długa 5 m. 3`, `Cadde No: 15`.
enum AddressUnit {
    /// Words before the number or the letter of a unit, in the shipped languages and those of addresses.
    private static let words: Set<String> = [
        "apt", "apartment", "unit", "suite", "ste", "flat", "floor", "fl", "room", "rm", "wohnung", "whg",
        "top",
        "stiege", "app", "appartement", "étage", "etage", "piso", "puerta", "pta", "esc", "bâtiment", "bât",
        "bat",
        "interno", "int", "кв", "квартира", "lokal", "mieszkanie", "byt", "daire", "kat",
    ]
    /// The same where they stand behind the number of a house only: `5 m. 3`.
    private static let wordsBehindNumber: Set<String> = ["m", "lok", "d", "k"]
    /// Words before the number of a house: `No. 15`, `д. 28`.
    private static let marks: Set<String> = [
        "no", "nr", "n°", "nº", "№", "num", "numero", "número", "numéro", "hausnummer", "д", "дом", "č", "čp",
        "буд",
    ]
    /// Words for storeys, behind their number: `3rd floor`, `4. OG`.
    private static let storeys: Set<String> = [
        "floor", "fl", "og", "obergeschoss", "stock", "étage", "etage", "piso", "planta", "piano", "pis",
        "sal",
        "tv", "th", "mf",
    ]
    /// Words for the side of a Spanish staircase.
    private static let sides: Set<String> = ["izq", "izda", "dcha", "der", "ctro"]
    /// Letters and figures of the longest number of a unit.
    private static let longest = 4

    /// The text without its units; `nil` if it has none, or nothing else.
    static func without(_ text: String) -> String? {
        let plain = text.map { "()".contains($0) ? " " : $0 } as [Character]
        // `(Unit 3)/30`
        let words = joinedSlashes(String(plain)).split { $0.isWhitespace || $0 == "," }
        var kept: [Substring] = []
        var index = 0
        while index < words.count {
            let word = words[index]
            let next = index + 1 < words.count ? words[index + 1] : nil
            if word.first == "#", isNumber(word.dropFirst()) {
                index += 1
            } else if isUnitWord(word, behind: kept.last), let next, isNumber(next.drop { $0 == "#" }) {
                index += 2
            } else if isUnitWord(word, behind: kept.last), let house = next.flatMap(lastNumber) {
                kept.append(house)
                index += 2
            } else if let house = unmarked(word), house.isEmpty ? startsWithDigit(next) : true {
                if !house.isEmpty { kept.append(house) }
                index += 1
            } else if let numbers = slashed(word) {
                // A unit stands before its house in front of the street, and behind it otherwise.
                kept.append(kept.isEmpty ? numbers.last : numbers.first)
                index += 1
            } else if isOrdinal(word), let next, isStorey(next) {
                index += 2
            } else if !kept.isEmpty, let sign = word.last, "ºª".contains(sign), isOrdinal(word) {
                // `5, 2º B`: a storey and its door.
                index += next.map(isDoor) ?? false ? 2 : 1
            } else {
                kept.append(word)
                index += 1
            }
        }
        return kept.isEmpty || kept == words ? nil : kept.joined(separator: " ")
    }

    /// The text without blanks beside a solidus between figures.
    private static func joinedSlashes(_ text: String) -> String {
        text.replacing(/([0-9]) *\/ *([0-9])/) { "\($0.output.1)/\($0.output.2)" }
    }

    private static func key(_ word: Substring) -> String { word.lowercased().filter { !".:".contains($0) } }

    private static func isUnitWord(_ word: Substring, behind last: Substring?) -> Bool {
        words.contains(key(word)) || startsWithDigit(last) && wordsBehindNumber.contains(key(word))
    }

    /// A number without the mark of a house before it, and nothing for the mark alone; `nil` for other words.
    private static func unmarked(_ word: Substring) -> Substring? {
        if marks.contains(key(word)) { return "" }
        let mark = word.prefix { !$0.isNumber }
        guard !mark.isEmpty, mark.count < word.count, marks.contains(key(mark)) else { return nil }
        return word.dropFirst(mark.count)
    }

    /// The first and the last of numbers with a solidus between them: `90/3/13`, `2+3/32`.
    private static func slashed(_ word: Substring) -> (first: Substring, last: Substring)? {
        let parts = word.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count > 1, let first = parts.first, let last = parts.last,
            parts.allSatisfy({ startsWithDigit($0) && $0.count <= 2 * longest })
        else { return nil }
        return (first, last)
    }

    /// The house of `3/30`.
    private static func lastNumber(_ word: Substring) -> Substring? { slashed(word)?.last }

    private static func startsWithDigit(_ word: Substring?) -> Bool { word?.first?.isNumber ?? false }

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
        !word.isEmpty && word.count <= longest && !word.contains("/")
            && (word.contains(where: \.isNumber) || word.count == 1)
    }
}
