/// Numbers in names as figures and as words: `5th Avenue`, `Fifth Avenue`; `Twelve Apostles`; `Straße des 17. Juni`.
///
/// Words are folded, of the languages of the shipped names. Those that are articles, too (`un`, `una`), are none.
enum NumberWords {
    /// The cardinals from 1 on, by language.
    private static let cardinals = [
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
            + "nineteen twenty",
        "eins zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn siebzehn achtzehn "
            + "neunzehn zwanzig",
        "- deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize",
        "- due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette "
            + "diciotto diciannove venti",
        "- dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho "
            + "diecinueve veinte",
    ]
    /// The ordinals from 1 on.
    private static let ordinals = [
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
            + "sixteenth seventeenth eighteenth nineteenth twentieth",
        "ersten zweiten dritten vierten funften sechsten siebten achten neunten zehnten elften zwolften dreizehnten "
            + "vierzehnten funfzehnten sechzehnten siebzehnten achtzehnten neunzehnten zwanzigsten",
        "premier deuxieme troisieme quatrieme cinquieme sixieme septieme huitieme neuvieme dixieme onzieme douzieme",
        "primo secondo terzo quarto quinto sesto settimo ottavo nono decimo",
        "primero segundo tercero cuarto quinto sexto septimo octavo noveno decimo",
    ]
    private static let tens = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]

    private static let table:
        (others: [[UInt8]: [[UInt8]]], ordinals: [String: Int], cardinals: [String: Int]) = {
            var others: [[UInt8]: [[UInt8]]] = [:]
            var (ordinal, cardinal): ([String: Int], [String: Int]) = ([:], [:])
            func words(_ lists: [String]) -> [(number: Int, word: String)] {
                lists.flatMap { $0.split(separator: " ").enumerated().map { ($0 + 1, String($1)) } }
                    .filter { $0.1 != "-" }
            }
            func link(_ word: String, _ other: String) {
                guard word != other, !others[Array(word.utf8), default: []].contains(Array(other.utf8)) else {
                    return
                }
                others[Array(word.utf8), default: []].append(Array(other.utf8))
            }
            for (number, word) in words(cardinals) {
                cardinal[word] = number
                link(word, "\(number)")
                link("\(number)", word)
            }
            let tenths = tens.enumerated().map { (10 * $0 + 20, String($1.dropLast()) + "ieth") }
            for (number, word) in words(ordinals) + tenths {
                ordinal[word] = number
                for figures in figures(ofOrdinal: number) + ["\(number)"] {
                    link(word, figures)
                    link(figures, word)
                }
            }
            for (index, word) in tens.enumerated() {
                cardinal[word] = 10 * index + 20
                link(word, "\(10 * index + 20)")
                link("\(10 * index + 20)", word)
            }
            return (others, ordinal, cardinal)
        }()

    /// An ordinal in figures, English first: `23rd`, `23e`, `23eme`.
    private static func figures(ofOrdinal number: Int) -> [String] {
        let isTeen = (11...13).contains(number % 100)
        let ending = isTeen ? "th" : [1: "st", 2: "nd", 3: "rd"][number % 10] ?? "th"
        return [ending, "e", "eme"].map { "\(number)\($0)" }
    }

    /// The other ways to write a folded word that is a number.
    static func others(of word: [UInt8]) -> [[UInt8]] { table.others[word] ?? [] }

    /// Words of which two English number words are one in figures, or the other way: `twenty third`, `23rd`.
    static func readings(of words: [[UInt8]], isKnown: ([UInt8]) -> Bool) -> [[[UInt8]]] {
        var found: [[[UInt8]]] = []
        for (index, word) in words.enumerated() {
            if index + 1 < words.count, let number = number(word, words[index + 1]) {
                for figures in number.figures where isKnown(Array(figures.utf8)) {
                    var other = words
                    other.replaceSubrange(index...index + 1, with: [Array(figures.utf8)])
                    found.append(other)
                }
            }
            if let parts = parts(of: String(decoding: word, as: UTF8.self)), parts.allSatisfy(isKnown) {
                var other = words
                other.replaceSubrange(index...index, with: parts)
                found.append(other)
            }
        }
        return found
    }

    /// The figures of `twenty third` or `twenty three`.
    private static func number(_ first: [UInt8], _ second: [UInt8]) -> (value: Int, figures: [String])? {
        let (first, second) = (
            String(decoding: first, as: UTF8.self), String(decoding: second, as: UTF8.self)
        )
        guard let place = tens.firstIndex(of: first) else { return nil }
        if let unit = table.ordinals[second], unit < 10 {
            let number = 10 * place + 20 + unit
            return (number, [figures(ofOrdinal: number)[0], "\(number)"])
        }
        guard let unit = table.cardinals[second], unit < 10 else { return nil }
        return (10 * place + 20 + unit, ["\(10 * place + 20 + unit)"])
    }

    /// The two words of `23rd` or `23`.
    private static func parts(of word: String) -> [[UInt8]]? {
        let digits = word.prefix { $0.isASCII && $0.isNumber }
        guard digits.count == 2, let number = Int(digits), number > 20, number % 10 != 0 else { return nil }
        let isOrdinal = digits.count < word.count
        guard !isOrdinal || word == figures(ofOrdinal: number)[0] else { return nil }
        let units = (isOrdinal ? ordinals : cardinals)[0].split(separator: " ")
        return [Array(tens[number / 10 - 2].utf8), Array(units[number % 10 - 1].utf8)]
    }
}
