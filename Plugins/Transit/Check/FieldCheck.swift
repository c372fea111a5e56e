import Foundation
import PluginKit

/// Checks the text of a field against its type.
enum FieldCheck {
    /// The rule that a value breaks; `nil` if it is valid. References are checked with the tables.
    static func fault(_ field: FieldBytes, _ kind: FieldKind) -> FeedRule? {
        switch kind {
        case .text, .imported, .reference, .zone, .network, .amount: return nil
        case .routeType:
            guard let number = signed(field) else { return .invalidInteger }
            return TransitMode.isBasic(number) ? nil : .unexpectedEnumValue
        case .date: return FieldParser.date(field) == nil ? .invalidDate : nil
        case .time: return FieldParser.time(field) == nil ? .invalidTime : nil
        case .number(let range):
            guard let number = FieldParser.number(field) else { return .invalidFloat }
            return range.contains(number) ? nil : .numberOutOfRange
        case .integer(let range):
            guard let number = signed(field) else { return .invalidInteger }
            return range.contains(number) ? nil : .numberOutOfRange
        case .choice(let range):
            guard let number = signed(field) else { return .invalidInteger }
            return range.contains(number) ? nil : .unexpectedEnumValue
        case .url: return isURL(text(field)) ? nil : .invalidUrl
        case .email: return isEmail(text(field)) ? nil : .invalidEmail
        case .language: return isLanguage(text(field)) ? nil : .invalidLanguageCode
        case .color: return field.count == 6 && field.allSatisfy(isHexadecimal) ? nil : .invalidColor
        case .currency: return isCurrency(text(field)) ? nil : .invalidCurrency
        case .timezone: return TimeZone(databaseName: text(field)) == nil ? .invalidTimezone : nil
        }
    }

    private static let currencies = Set(Locale.Currency.isoCurrencies.map { $0.identifier.uppercased() })

    /// Whether ISO 4217 has a currency.
    static func isCurrency(_ code: String) -> Bool { currencies.contains(code) }

    private static func text(_ field: FieldBytes) -> String { String(decoding: field, as: UTF8.self) }

    private static func signed(_ field: FieldBytes) -> Int? {
        guard field.first == UInt8(ascii: "-") else { return FieldParser.integer(field) }
        return FieldParser.integer(FieldBytes(rebasing: field.dropFirst())).map { -$0 }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
    }

    /// An absolute URL with a host.
    private static func isURL(_ text: String) -> Bool {
        guard !text.contains(" "), let parts = URLComponents(string: text), let host = parts.host else {
            return false
        }
        return ["http", "https"].contains(parts.scheme?.lowercased()) && !host.isEmpty
    }

    private static func isEmail(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !text.contains(" ") else { return false }
        return parts[1].split(separator: ".", omittingEmptySubsequences: false).count > 1
            && parts[1].split(separator: ".", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty }
    }

    /// The syntax of a BCP 47 tag: a language of letters, then subtags.
    private static func isLanguage(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard let first = parts.first, (2...8).contains(first.count),
            first.allSatisfy({ $0.isASCII && $0.isLetter })
        else { return false }
        return parts.dropFirst().allSatisfy { part in
            (1...8).contains(part.count) && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        }
    }
}
