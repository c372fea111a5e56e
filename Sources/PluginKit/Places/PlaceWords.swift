import Foundation

/// The words of a name or of typed text, folded: lower case, without accents, only letters and digits.
///
/// Any input is reduced to words, so that it cannot be interpreted as query syntax.
public struct PlaceWords: Sendable, Hashable {
    /// The folded words as UTF-8, with single spaces between.
    public let folded: [UInt8]
    /// Where each word begins and ends.
    private let ranges: [Range<Int>]

    /// The words in Latin letters, where the text has others.
    let latin: [[UInt8]]?

    /// Longest text; no place name is longer.
    private static let longest = 400

    /// The words of a text.
    public init(_ text: String) {
        let text = text.utf8.count > Self.longest ? String(text.prefix(Self.longest)) : text
        folded = Self.fold(PlaceScript.unmixed(text) ?? text)
        ranges = Self.ranges(in: folded)
        let latin = PlaceScript.latin(text).map { Self.fold($0).split(separator: Self.space).map(Array.init) }
        self.latin = latin?.isEmpty ?? true ? nil : latin
    }

    /// The words as bytes.
    var words: [[UInt8]] { ranges.map { Array(folded[$0]) } }

    /// Whether there are no words.
    public var isEmpty: Bool { ranges.isEmpty }
    /// The number of words.
    public var count: Int { ranges.count }
    /// The words as text.
    public var texts: [String] { ranges.map { String(decoding: folded[$0], as: UTF8.self) } }
    /// All of them with single spaces between.
    public var text: String { String(decoding: folded, as: UTF8.self) }

    /// The folded form of a text, as stored beside a name.
    ///
    /// An apostrophe parts an article from its word, as in `L'Hospitalet`, unless `joinsArticles`; any other is left
    /// out, as in `King's Peak`.
    public static func fold(_ text: String, joinsArticles: Bool = false) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(text.utf8.count)
        var isPending = false
        func apostrophe() {
            guard !joinsArticles, !isPending else { return }
            let start = out.lastIndex(of: space).map { $0 + 1 } ?? 0
            if articles.contains(where: { out[start...].elementsEqual($0) }) { isPending = true }
        }
        func append(_ byte: UInt8) {
            if isPending, !out.isEmpty { out.append(space) }
            isPending = false
            out.append(byte)
        }
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            for byte in text.utf8.prefix(longest) {
                switch byte {
                case 0x61...0x7A, 0x30...0x39: append(byte)
                case 0x41...0x5A: append(byte | 0x20)
                case 0x27: apostrophe()
                default: isPending = true
                }
            }
            return out
        }
        for scalar in apart(text).decomposedStringWithCompatibilityMapping.unicodeScalars.prefix(longest) {
            if (0x300...0x36F).contains(scalar.value) { continue }
            if apostrophes.contains(scalar) {
                apostrophe()
            } else if let replacement = letters[scalar] {
                for byte in replacement.utf8 { append(byte) }
            } else if scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                || scalar.properties.generalCategory == .nonspacingMark
                || scalar.properties.generalCategory == .spacingMark
            {
                for byte in scalar.properties.lowercaseMapping.utf8 { append(byte) }
            } else {
                isPending = true
            }
        }
        return out
    }

    /// A text with a space before each sign of a fraction: `26½` is `26 1/2`, not `261/2`.
    private static func apart(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isFraction) else { return text }
        return text.unicodeScalars.map { isFraction($0) ? " \($0)" : String($0) }.joined()
    }

    private static func isFraction(_ scalar: Unicode.Scalar) -> Bool {
        (0xBC...0xBE).contains(scalar.value) || (0x2150...0x215E).contains(scalar.value)
    }

    /// Apostrophes, and the signs of other scripts that keyboards write as one, such as the ʻokina of Hawaiian.
    private static let apostrophes: Set<Unicode.Scalar> = [
        "'", "’", "‘", "\u{2B9}", "\u{2BB}", "\u{2BC}", "\u{2BD}", "\u{2BE}", "\u{2BF}", "\u{2C8}",
    ]

    /// Letters without a Unicode decomposition, as typed on keyboards without them.
    private static let letters: [Unicode.Scalar: String] = [
        "ß": "ss", "ẞ": "ss", "ø": "o", "Ø": "o", "ł": "l", "Ł": "l", "đ": "d", "Đ": "d", "æ": "ae",
        "Æ": "ae",
        "œ": "oe", "Œ": "oe", "ı": "i", "þ": "th", "Þ": "th", "ð": "d", "Ð": "d",
    ]

    /// The articles before an apostrophe in Catalan, French and Italian, which are not part of the word after it.
    private static let articles = [
        "l", "d", "s", "n", "m", "t", "c", "j", "qu", "all", "coll", "dall", "dell", "nell", "sull", "un",
        "sant",
        "quell",
    ].map { Array($0.utf8) }

    static let space: UInt8 = 0x20

    private static func ranges(in folded: [UInt8]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start = 0
        for index in 0...folded.count where index == folded.count || folded[index] == space {
            if index > start { ranges.append(start..<index) }
            start = index + 1
        }
        return ranges
    }
}

extension PlaceQuery {
    /// The matches among places in memory, for plugins with few names.
    public func matches(among places: some Sequence<NamedPlace>) -> [PlaceMatch] {
        PlaceList(Array(places)).matches(self)
    }
}
