import Foundation
import PluginKit

/// Texts that are different keys although a reader takes them for one: they differ by case, by blanks around or between words, or by
/// characters that are not seen, such as those of zero width.
struct LikeKeys {
    /// Keys that are looked at: those of identifiers by the million are not worth their memory.
    private static let most = 50_000
    private static let shownText = 30

    /// The first key of each form.
    private var known: [String: String] = [:]
    private var pairs = 0
    private var first: (String, String)?

    /// Takes a key that no other equals.
    mutating func take(_ key: Value) {
        guard case .text(let text) = key, known.count < Self.most else { return }
        let form = Self.form(of: text)
        guard let like = known[form] else {
            known[form] = text
            return
        }
        pairs += 1
        first = first ?? (like, text)
    }

    /// The key that differs from a text in these ways alone.
    func like(_ text: String) -> String? { known[Self.form(of: text)] }

    /// What is said of the keys of a column, which are the values of an expression; `nil` where none are alike.
    func note(_ name: String, of expression: String, _ advice: (_ expression: String) -> String) -> String? {
        guard let (one, other) = first else { return nil }
        let repair = Self.repair(one, other, expression)
        return "`\(name)` has keys that differ \(Self.difference(one, other)): \(Self.pair(one, other))"
            + (pairs > 1 ? " and \(pairs - 1) more" : "") + (repair.map { "; as one: " + advice($0) } ?? "")
    }

    /// Two keys as they are shown: with the numbers of what is not seen, or is no common blank.
    static func pair(_ one: String, _ other: String) -> String { "`\(shown(one))` and `\(shown(other))`" }

    private static func shown(_ text: String) -> String {
        var shown = ""
        for scalar in text.prefix(shownText).unicodeScalars {
            let isHidden = scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.isWhitespace
            if isHidden, scalar != " " {
                shown += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }

    /// In what two keys differ.
    static func difference(_ one: String, _ other: String) -> String {
        if one.lowercased() == other.lowercased() { return "only in case" }
        return trimmed(one).lowercased() == trimmed(other).lowercased()
            ? "only in case or in blanks around them" : "only in case, blanks or characters that are not seen"
    }

    /// The expression that makes two keys one; `nil` if no function does.
    private static func repair(_ one: String, _ other: String, _ name: String) -> String? {
        if trimmed(one) == trimmed(other) { return "trim(\(name))" }
        if one.lowercased() == other.lowercased() { return "lower(\(name))" }
        return trimmed(one).lowercased() == trimmed(other).lowercased() ? "lower(trim(\(name)))" : nil
    }

    private static func trimmed(_ text: String) -> String {
        text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The text in small letters of one width, with one blank between its words and nothing that is not seen.
    private static func form(of text: String) -> String {
        let isPlain = text.utf8.allSatisfy { $0 < 128 }
        var form = isPlain ? text : text.precomposedStringWithCompatibilityMapping
        if !isPlain { form.unicodeScalars.removeAll(where: \.properties.isDefaultIgnorableCodePoint) }
        return form.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
