import Foundation

/// The words of a name or of what someone types, folded: lower case, without accents, only letters and digits.
///
/// Whatever is typed becomes words, so that nothing in it can be mistaken for a query's syntax.
public struct PlaceWords: Sendable, Hashable {
    /// The folded words as UTF-8, with single spaces between.
    public let folded: [UInt8]
    /// Where each word begins and ends.
    private let ranges: [Range<Int>]

    /// Longer text is cut: nobody types it, and no place is called so.
    private static let longest = 400

    /// The words of a text.
    public init(_ text: String) {
        folded = Self.fold(text)
        ranges = Self.ranges(in: folded)
    }

    /// Whether there is no word at all.
    public var isEmpty: Bool { ranges.isEmpty }
    /// How many words there are.
    public var count: Int { ranges.count }
    /// The words as text.
    public var texts: [String] { ranges.map { String(decoding: folded[$0], as: UTF8.self) } }
    /// All of them with single spaces between.
    public var text: String { String(decoding: folded, as: UTF8.self) }

    /// The folded form of a text: what is stored beside a name.
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
        for scalar in text.decomposedStringWithCompatibilityMapping.unicodeScalars.prefix(longest) {
            if (0x300...0x36F).contains(scalar.value) { continue }
            if scalar == "'" || scalar == "’" {
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

    /// Letters that no decomposition takes apart, as people without them on their keyboard type them.
    private static let letters: [Unicode.Scalar: String] = [
        "ß": "ss", "ẞ": "ss", "ø": "o", "Ø": "o", "ł": "l", "Ł": "l", "đ": "d", "Đ": "d", "æ": "ae",
        "Æ": "ae",
        "œ": "oe", "Œ": "oe", "ı": "i", "þ": "th", "Þ": "th", "ð": "d", "Ð": "d",
    ]

    /// What stands before an apostrophe in Catalan, French and Italian, and is no part of the word behind it.
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

    // MARK: Matching

    private enum Weights {
        /// How much the words themselves count, …
        static let words = 0.6
        /// … how much of the name they cover, …
        static let coverage = 0.25
        /// … and that the name begins with them.
        static let start = 0.15
        /// A word that only begins so is worth at most this.
        static let prefix = 0.95
    }

    /// How well a folded name matches, 0…1, 1 being the whole name; `nil` unless each word begins one of the name's.
    public func score(of name: some Collection<UInt8>) -> Double? {
        if ranges.isEmpty { return nil }
        if name.elementsEqual(folded) { return 1 }
        let result = name.withContiguousStorageIfAvailable { score(in: $0) }
        return result ?? Array(name).withUnsafeBufferPointer { score(in: $0) }
    }

    private func score(in name: UnsafeBufferPointer<UInt8>) -> Double? {
        folded.withUnsafeBufferPointer { query in
            var quality = 0.0
            var startsName = false
            for (number, word) in ranges.enumerated() {
                guard let found = best(query, word, in: name) else { return nil }
                quality += found.quality
                if number == 0 { startsName = found.isFirst }
            }
            var nameWords = 1
            for byte in name where byte == Self.space { nameWords += 1 }
            let coverage = min(1, Double(ranges.count) / Double(nameWords))
            return Weights.words * quality / Double(ranges.count) + Weights.coverage * coverage
                + (startsName ? Weights.start : 0) - 1e-6
        }
    }

    /// The best of the name's words that begin with a word.
    private func best(
        _ query: UnsafeBufferPointer<UInt8>, _ word: Range<Int>, in name: UnsafeBufferPointer<UInt8>
    ) -> (quality: Double, isFirst: Bool)? {
        var best: (quality: Double, isFirst: Bool)?
        var start = 0
        while start < name.count {
            var end = start
            while end < name.count, name[end] != Self.space { end += 1 }
            if end - start >= word.count {
                var index = 0
                while index < word.count, name[start + index] == query[word.lowerBound + index] { index += 1 }
                if index == word.count {
                    let isWhole = end - start == word.count
                    let share = Double(word.count) / Double(end - start)
                    let quality = isWhole ? 1 : Weights.prefix * (0.5 + 0.5 * share)
                    if quality > best?.quality ?? -1 { best = (quality, start == 0) }
                }
            }
            start = end + 1
        }
        return best
    }
}

extension PlaceQuery {
    /// The matches among places that are all at hand: for plugins with few names.
    public func matches(among places: some Sequence<NamedPlace>) -> [NamedPlace] {
        best(places.compactMap { match($0, folded: PlaceWords.fold($0.name)) }).map(\.place)
    }
}
