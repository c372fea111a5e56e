import Foundation

/// Numbers as the tags of OpenStreetMap hold them: with units, separators and signs of doubt. A text that is not read is unknown,
/// never its first digits.
///
/// Source: OpenStreetMap wiki, "Map features/Units", "Key:ele", "Key:width".
public enum TagNumber {
    /// Metres by unit; a number alone is in metres.
    private static let factors: [String: Double] = [
        "": 1, "m": 1, "metre": 1, "metres": 1, "meter": 1, "meters": 1, "cm": 0.01, "mm": 0.001, "km": 1000,
        "mi": 1609.344, "ft": foot, "feet": foot, "foot": foot, "'": foot, "in": inch, "inch": inch,
        "inches": inch,
        "\"": inch,
    ]
    private static let foot = 0.3048
    private static let inch = 0.0254
    /// Signs that a value is not exact.
    private static let doubts = ["~", "≈", "ca.", "ca", "c.", "approx.", "about", "circa"]

    /// Metres of `0.9`, `0,9 m`, `90 cm`, `4809 ft`, `3'`, `2'6"`, `~1.2`, `-12`; of `1,234` and `1'234` with `hasThousands`,
    /// which heights have and widths have not. `nil` for anything else.
    public static func metres(_ text: String, hasThousands: Bool = false) -> Double? {
        var rest = plain(text)[...]
        let isBelow = rest.first == "-"
        if isBelow { rest.removeFirst() }
        if hasThousands { rest = withoutThousands(rest)[...] }
        rest = rest.replacingOccurrences(of: ",", with: ".")[...]
        var sum = 0.0
        var parts = 0
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && $0.isNumber || $0 == "." }
            let unit = rest.dropFirst(digits.count).prefix { !($0.isASCII && $0.isNumber) && $0 != "." }
            guard let amount = Double(digits), let factor = factors[String(unit)] else { return nil }
            rest = rest.dropFirst(digits.count + unit.count)
            // Only feet are followed by inches.
            guard parts == 0 || parts == 1 && factor == inch else { return nil }
            sum += amount * factor
            parts += 1
        }
        return parts > 0 ? (isBelow ? -sum : sum) : nil
    }

    /// Words for the sea or a datum after the unit of a height, without points and blanks.
    private static let levels = [
        "asl", "amsl", "abovesealevel", "üm", "üa", "ünn", "ünhn", "nn", "nhn", "nap", "slm", "snm", "nm",
        "npm", "oh",
        "öh",
    ]

    /// The height in metres: of a list its first one, without the sea that it is above, as in `1200 m ü. M.`. `nil` where no
    /// ground is: `99999` and `-9999` are marks of programs for an unknown height; and for `1.234` and `1.234 m`, where the point
    /// may stand for thousands or for decimals.
    public static func height(_ text: String) -> Double? {
        let first = text.split(separator: ";").first.map(String.init) ?? text
        let known = withoutLevel(first)
        return mayHaveThousands(known)
            ? nil : metres(known, hasThousands: true).flatMap(GroundHeights.plausible)
    }

    /// Whether a height is a digit, a point and three digits: in metres or feet they may be thousands.
    private static func mayHaveThousands(_ text: String) -> Bool {
        let digits = text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
        guard digits.count == 5, digits.first != "0", digits.dropFirst().first == ".",
            digits.dropFirst(2).allSatisfy({ $0 != "." }),
            let factor = factors[String(text.dropFirst(digits.count))]
        else { return false }
        return factor == 1 || factor == foot
    }

    private static func withoutLevel(_ text: String) -> String {
        let text = plain(text)
        guard let last = text.lastIndex(where: \.isNumber) else { return text }
        let (number, words) = (text[...last], text[text.index(after: last)...].filter { $0 != "." })
        for unit in ["m", "ft"]
        where words.hasPrefix(unit) && levels.contains(String(words.dropFirst(unit.count))) {
            return number + unit
        }
        return text
    }

    /// A number without a unit, such as that of people.
    public static func count(_ text: String) -> Double? {
        let digits = withoutThousands(plain(text)[...])
        guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber || $0 == "." }) else {
            return nil
        }
        return Double(digits)
    }

    /// In small letters, without blanks and signs of doubt, and with one sign for minus.
    private static func plain(_ text: String) -> String {
        var text = text.lowercased().filter { !$0.isWhitespace }.replacingOccurrences(of: "−", with: "-")
        for mark in doubts where text.hasPrefix(mark) {
            text.removeFirst(mark.count)
            break
        }
        return text
    }

    /// The text without separators of thousands: a comma or apostrophe before every group of three digits.
    private static func withoutThousands(_ text: Substring) -> String {
        let number = text.prefix { $0.isASCII && $0.isNumber || ",'’".contains($0) }
        for separator in [",", "'", "’"] as [Character] {
            let groups = number.split(separator: separator, omittingEmptySubsequences: false)
            guard groups.count > 1, (1...3).contains(groups[0].count),
                groups.allSatisfy({ $0.allSatisfy(\.isNumber) }),
                groups.dropFirst().allSatisfy({ $0.count == 3 }), text.dropFirst(number.count).first != "\""
            else { continue }
            return groups.joined() + text.dropFirst(number.count)
        }
        return String(text)
    }
}
