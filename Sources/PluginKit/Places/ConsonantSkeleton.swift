/// Names in scripts that write no vowels, Hebrew and Arabic, by their consonants: `חיים הזז` and `Haim Hazaz` are both `hm hzz`.
///
/// Transliterations differ in vowels, doubled letters and digraphs, so that letters which Latin texts confuse count as one,
/// and a Latin word has a skeleton for each of its readings. A skeleton begins with a mark: it equals no other word.
enum ConsonantSkeleton {
    /// The byte before each skeleton, which no folded word has.
    static let mark: UInt8 = 0x01
    /// The fewest consonants of a Latin text by which names are looked up: fewer fit too many.
    private static let least = 3
    /// The most skeletons of a Latin word.
    private static let mostReadings = 16

    /// The consonants of letters; those of vowels, and letters that may be vowels, have none.
    private static let letters: [Unicode.Scalar: String] = [
        "א": "", "ב": "b", "ג": "g", "ד": "d", "ה": "h", "ו": "", "ז": "z", "ח": "h", "ט": "t", "י": "",
        "כ": "k", "ך": "k", "ל": "l", "מ": "m", "ם": "m", "נ": "n", "ן": "n", "ס": "s", "ע": "", "פ": "p",
        "ף": "p", "צ": "z", "ץ": "z", "ק": "k", "ר": "r", "ש": "s", "ת": "t",
        "ا": "", "أ": "", "إ": "", "آ": "", "ٱ": "", "ء": "", "ؤ": "", "ئ": "", "ب": "b", "پ": "p", "ت": "t",
        "ث": "t", "ج": "g", "چ": "s", "ح": "h", "خ": "h", "د": "d", "ذ": "d", "ر": "r", "ز": "z", "ژ": "z",
        "س": "s", "ش": "s", "ص": "s", "ض": "d", "ط": "t", "ظ": "z", "ع": "", "غ": "g", "ف": "p", "ڤ": "b",
        "ق": "k", "ك": "k", "ک": "k", "گ": "g", "ل": "l", "م": "m", "ن": "n", "ه": "h", "ہ": "h", "ھ": "h",
        "ة": "", "و": "", "ي": "", "ی": "", "ى": "", "ے": "", "ٹ": "t", "ڈ": "d", "ڑ": "r",
    ]
    /// What Latin letters may stand for, the longest first.
    private static let latin: [(letters: [UInt8], readings: [String])] = [
        ("tch", ["s"]), ("sch", ["s"]), ("sh", ["s", "sh"]), ("ch", ["h", "k", "s"]), ("kh", ["h", "k"]),
        ("gh", ["g"]), ("dh", ["d", "z"]), ("th", ["t", "s", "th"]), ("zh", ["z"]), ("ph", ["p"]),
        ("ts", ["z", "ts"]), ("tz", ["z"]), ("dj", ["g"]), ("ck", ["k"]),
        ("b", ["b"]), ("c", ["k", "z"]), ("d", ["d"]), ("f", ["p"]), ("g", ["g", "k"]), ("h", ["h"]),
        ("j", ["g", ""]), ("k", ["k"]), ("l", ["l"]), ("m", ["m"]), ("n", ["n"]), ("p", ["p"]), ("q", ["k"]),
        ("r", ["r"]), ("s", ["s"]), ("t", ["t"]), ("v", ["b", ""]), ("w", [""]), ("x", ["ks"]), ("y", [""]),
        ("z", ["z"]), ("a", [""]), ("e", [""]), ("i", [""]), ("o", [""]), ("u", [""]),
    ].map { (Array($0.0.utf8), $0.1) }
    /// The Arabic article in Latin letters, also before letters that it takes the sound of.
    private static let articles = Set(
        ["al", "el", "an", "en", "as", "es", "ash", "esh", "ar", "er", "at", "et", "ad", "ed", "az", "ez"].map
        {
            Array($0.utf8)
        })

    /// The form of a name by its consonants; `nil` where it has none of these scripts.
    static func form(of name: String) -> [UInt8]? {
        guard name.unicodeScalars.contains(where: { letters[$0] != nil }) else { return nil }
        var words: [[UInt8]] = []
        for word in PlaceWords.fold(name).split(separator: PlaceWords.space) {
            let scalars = Array(String(decoding: word, as: UTF8.self).unicodeScalars)
            guard scalars.contains(where: { letters[$0] != nil }) else {
                words.append(Array(word))
                continue
            }
            let isDefinite = scalars.count > 3 && scalars[0] == "ا" && scalars[1] == "ل"
            var bytes: [UInt8] = []
            for scalar in scalars.dropFirst(isDefinite ? 2 : 0) { bytes += (letters[scalar] ?? "").utf8 }
            // At the end of a word it is most often not said.
            if scalars.last == "ה", bytes.count > 1 { bytes.removeLast() }
            if !bytes.isEmpty { words.append([mark] + bytes) }
        }
        return words.contains { $0.first == mark } ? Array(words.joined(separator: [PlaceWords.space])) : nil
    }

    /// The readings of Latin words by their consonants, each with a skeleton for every word but numbers; none where the words are
    /// not Latin, or have too few consonants.
    static func readings(of words: [[UInt8]]) -> [[[UInt8]]] {
        let spoken = words.filter { !articles.contains($0) }
        guard !spoken.isEmpty, spoken.allSatisfy({ $0.allSatisfy { $0 < 0x80 } }) else { return [] }
        var readings: [[[UInt8]]] = [[]]
        for word in spoken {
            let forms = word.contains(where: PlaceReading.isDigit) ? [word] : skeletons(of: word)
            readings = readings.flatMap { reading in forms.map { reading + [$0] } }
            if readings.count > mostReadings { readings = Array(readings.prefix(mostReadings)) }
        }
        return readings.map { $0.filter { $0 != [mark] } }.filter { reading in
            reading.reduce(0) { $0 + ($1.first == mark ? $1.count - 1 : 0) } >= least
        }
    }

    private static func skeletons(of word: [UInt8]) -> [[UInt8]] {
        var found: [[UInt8]] = [[mark]]
        var rest = word[...]
        var last: [UInt8] = []
        while let first = rest.first {
            let part = latin.first { rest.starts(with: $0.letters) } ?? ([first], [""])
            rest = rest.dropFirst(part.letters.count)
            // A doubled letter is one.
            if part.letters == last { continue }
            last = part.letters
            var choices = part.readings.map { Array($0.utf8) }
            if rest.isEmpty, part.letters == Array("h".utf8) { choices.append([]) }
            found = Array(found.flatMap { start in choices.map { start + $0 } }.prefix(mostReadings))
        }
        return found
    }
}
