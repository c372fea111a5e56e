import Foundation
import PluginKit

/// Numbers as people write them: with groups of thousands, a decimal comma, a currency.
enum NumberInText {
    /// The digits of a group of thousands.
    private static let group = 3
    private static let currencies: Set<Character> = ["$", "€", "£", "¥", "₹", "₽", "₩", "₺", "₴"]
    /// Codes (ISO 4217) and abbreviations of currencies, which stand before or behind an amount.
    private static let currencyWords: Set<String> = [
        "AED", "ARS", "AUD", "BGN", "BRL", "CAD", "CHF", "CLP", "CNY", "COP", "CZK", "DKK", "EUR", "GBP",
        "HKD",
        "HUF", "IDR", "ILS", "INR", "ISK", "JPY", "KRW", "MXN", "MYR", "NOK", "NZD", "PHP", "PLN", "RON",
        "RSD",
        "RUB", "SAR", "SEK", "SGD", "THB", "TRY", "TWD", "UAH", "USD", "VND", "ZAR", "kr", "zł", "Kč", "Fr.",
        "R$", "US$",
    ]
    /// Characters that stand between groups of thousands and are never a decimal mark.
    private static let spacers: Set<Character> = ["'", "’", " ", "\u{A0}", "\u{202F}", "_"]
    /// Words for a value that is missing.
    private static let placeholders: Set<String> = [
        "na", "n/a", "nan", "null", "nil", "none", "nothing", "missing", "unknown", "-", "--", "–", "—", "?",
        "n.a.", "n.a", "n.d.", "n/d", "nd", "k.a.", "k. a.", "s/o", "tbd", "(null)", "..", "#null!", "#name?",
        "#num!", "inf", "-inf", "+inf", "infinity", "-infinity", "#n/a", "<na>", "#value!", "#ref!",
        "#div/0!", "\\n",
    ]

    /// The number of a text whose decimal mark is known, `.` or `,`; the other one, blanks, apostrophes or underscores may
    /// separate groups of three digits. `nil` for anything else.
    static func value(_ text: String, point: Character) -> Value? {
        let parts = plain(western(text, point: point))
        let whole: Substring
        let fraction: Substring?
        if let mark = parts.digits.lastIndex(of: point) {
            (whole, fraction) = (parts.digits[..<mark], parts.digits[parts.digits.index(after: mark)...])
            guard let fraction, !fraction.isEmpty, fraction.utf8.allSatisfy(isDigit) else { return nil }
        } else {
            (whole, fraction) = (parts.digits, nil)
        }
        guard let joined = ungrouped(whole, point: point) else { return nil }
        return Value(numberText: parts.sign + joined + (fraction.map { "." + $0 } ?? ""))
    }

    /// The number of a text that can be read in one way only: `1,250` cannot.
    static func value(_ text: String) -> Value? {
        let text = western(text, point: ".")
        let parts = plain(text)
        if let value = Value(numberText: parts.sign + parts.digits) { return value }
        let (commas, points) = (count(",", in: parts.digits), count(".", in: parts.digits))
        if commas > 0, points > 0 {
            guard let last = parts.digits.last(where: { $0 == "," || $0 == "." }) else { return nil }
            return value(text, point: last)
        }
        if commas == 1 { return hasDecimalComma(text) ? value(text, point: ",") : nil }
        return value(text, point: points > 1 ? "," : ".")
    }

    /// The currency of an amount, by its code where a sign or an abbreviation stands for one alone; `nil` without one.
    static func currency(of text: String) -> String? {
        let text = text.trimmingCharacters(in: .whitespaces)
        guard text.utf8.contains(where: isDigit) else { return nil }
        let found = currencyWord(of: text[...]) ?? text.first(where: currencies.contains).map(String.init)
        return found.map { codes[$0] ?? $0 }
    }

    /// Signs and abbreviations that stand for one currency, or nearly always do.
    private static let codes = [
        "$": "USD", "US$": "USD", "€": "EUR", "£": "GBP", "₹": "INR", "₽": "RUB", "₩": "KRW", "₺": "TRY",
        "₴": "UAH", "R$": "BRL", "zł": "PLN", "Kč": "CZK", "Fr.": "CHF",
    ]

    /// Whether a text has digits of another script than those of ASCII, such as Arabic-Indic or full-width ones.
    static func hasForeignDigits(_ text: String) -> Bool {
        !text.utf8.allSatisfy { $0 < 128 }
            && text.unicodeScalars.contains { !$0.isASCII && $0.properties.numericType == .decimal }
    }

    /// A number in digits of other scripts (Unicode, general category Nd) in those of ASCII, with its marks; other texts as they are.
    private static func western(_ text: String, point: Character) -> String {
        guard hasForeignDigits(text) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if scalar.properties.numericType == .decimal, let digit = scalar.properties.numericValue {
                result.append(String(Int(digit)))
                continue
            }
            switch scalar {
            case "\u{66B}": result.append(point)
            case "\u{66C}": result.append("'")
            case "\u{FF0E}": result.append(".")
            case "\u{FF0C}": result.append(",")
            case "\u{FF0D}": result.append("-")
            case "\u{FF0B}": result.append("+")
            // Marks of the direction of writing.
            case "\u{200E}", "\u{200F}", "\u{61C}": break
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Whether a comma in a number can only be a decimal comma: in `1,5` and `0,125`, not in `1,250`.
    static func hasDecimalComma(_ text: String) -> Bool {
        let digits = plain(text).digits
        guard let mark = digits.lastIndex(of: ","), count(",", in: digits) == 1,
            value(text, point: ",") != nil
        else { return false }
        let whole = digits[..<mark]
        return digits[mark...].count - 1 != group || whole.first == "0" || whole.contains(".")
            || whole.count > group
    }

    /// Whether a text stands for a value that is missing, or for no finite number.
    static func isPlaceholder(_ text: String) -> Bool {
        guard text.utf8.count <= longestPlaceholder else { return false }
        return placeholders.contains(text.trimmingCharacters(in: .whitespaces).lowercased())
    }

    private static let longestPlaceholder = 12

    /// Whether a text has the digits and hyphens of a date in ISO 8601, such as `2026-02-30`.
    static func hasDateShape(_ text: String) -> Bool {
        let shape = text.trimmingCharacters(in: .whitespaces).utf8.prefix(10).map { isDigit($0) ? 48 : $0 }
        return shape.elementsEqual("0000-00-00".utf8)
    }

    // MARK: Parts

    /// The sign and the digits, without a currency.
    private static func plain(_ text: String) -> (sign: String, digits: Substring) {
        var rest = text.trimmingCharacters(in: .whitespaces)[...]
        var sign = ""
        func takeSign() {
            guard let first = rest.first, "+-−".contains(first), sign.isEmpty else { return }
            sign = first == "+" ? "+" : "-"
            rest = rest.dropFirst()
        }
        takeSign()
        if let word = currencyWord(of: rest) {
            rest = rest.hasPrefix(word) ? rest.dropFirst(word.count) : rest.dropLast(word.count)
            rest = rest.trimmingCharacters(in: .whitespaces)[...]
            takeSign()
        }
        // As in books: `(5.00)`, `$(5.00)` and `5.00-` are below zero.
        func takeBrackets() {
            guard sign.isEmpty, rest.first == "(", rest.last == ")" else { return }
            sign = "-"
            rest = rest.dropFirst().dropLast()
        }
        takeBrackets()
        if sign.isEmpty, let last = rest.last, "-−".contains(last),
            rest.dropLast().last?.isWholeNumber == true
        {
            sign = "-"
            rest = rest.dropLast()
        }
        if let first = rest.first, currencies.contains(first) {
            rest = rest.dropFirst().drop { $0 == " " }
            takeSign()
            takeBrackets()
        } else if let last = rest.last, currencies.contains(last) {
            rest = rest.dropLast()
            while let last = rest.last, spacers.contains(last) { rest = rest.dropLast() }
        }
        return (sign == "-" ? "-" : "", rest)
    }

    /// The currency with which an amount begins or ends, if digits stand beside it.
    private static func currencyWord(of text: Substring) -> String? {
        guard text.utf8.contains(where: isDigit), text.contains(where: { $0.isLetter || $0 == "$" }) else {
            return nil
        }
        let start = text.prefix { !$0.isNumber && !$0.isWhitespace && !"+-−(".contains($0) }
        let end = String(text.reversed().prefix { !$0.isNumber && !$0.isWhitespace && $0 != ")" }.reversed())
        return [String(start), end].first(where: currencyWords.contains)
    }

    /// The digits of a whole number whose groups may be separated; `nil` unless all groups are of three digits.
    private static func ungrouped(_ text: Substring, point: Character) -> String? {
        guard let first = text.utf8.first, isDigit(first) else { return nil }
        guard let separator = text.first(where: { !$0.isASCII || !$0.isWholeNumber }) else {
            return String(text)
        }
        guard spacers.contains(separator) || separator == (point == "," ? "." : ",") else { return nil }
        let groups = text.split(separator: separator, omittingEmptySubsequences: false)
        guard let start = groups.first, let last = groups.last, start.first != "0", last.count == group,
            (1...group).contains(start.count) && groups.dropFirst().allSatisfy({ $0.count == group })
                || separator == "," && isIndian(groups),
            groups.allSatisfy({ $0.utf8.allSatisfy(isDigit) })
        else { return nil }
        return groups.joined()
    }

    /// Whether the groups before the last are of two digits, as in 1,23,456.
    private static func isIndian(_ groups: [Substring]) -> Bool {
        guard groups.count > 2, let start = groups.first else { return false }
        return (1...2).contains(start.count) && groups.dropFirst().dropLast().allSatisfy { $0.count == 2 }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

    private static func count(_ character: Character, in text: Substring) -> Int {
        text.reduce(0) { $0 + ($1 == character ? 1 : 0) }
    }
}
