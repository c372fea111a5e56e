/// Numbers in names of streets and kings, as figures and as Roman numerals: `Via XX Settembre`, `via 20 settembre`.
enum RomanNumerals {
    /// The numbers that names have.
    private static let numbers = 2...39
    private static let signs = [(10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")]

    private static let pairs: [[UInt8]: [UInt8]] = {
        var pairs: [[UInt8]: [UInt8]] = [:]
        for number in numbers {
            let (figures, numeral) = (Array("\(number)".utf8), Array(text(number).utf8))
            pairs[figures] = numeral
            // A letter alone is an abbreviation.
            if numeral.count > 1 { pairs[numeral] = figures }
        }
        return pairs
    }()

    /// The other way to write a folded word that is a number; `nil` for other words.
    static func others(of word: [UInt8]) -> [UInt8]? { pairs[word] }

    private static func text(_ number: Int) -> String {
        var (rest, text) = (number, "")
        for (value, sign) in signs {
            while rest >= value {
                text += sign
                rest -= value
            }
        }
        return text
    }
}
