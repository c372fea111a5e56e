import Foundation

/// The order in which people look for texts: numbers in them by size, letters regardless of case and accents. `file9` comes
/// before `file10`, `Évian` between `Engadin` and `Flims`.
struct NaturalKey: Comparable, Sendable {
    private enum Part: Sendable, Equatable {
        /// The digits of a number without zeros before it.
        case number(String)
        case letters(String)
    }

    private let parts: [Part]
    /// Decides between texts that are the same in this order.
    private let text: String

    init(_ text: String) {
        self.text = text
        let folded = text.folding(
            options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
        var parts: [Part] = []
        var rest = folded[...]
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && $0.isWholeNumber }
            if digits.isEmpty {
                let letters = rest.prefix { !($0.isASCII && $0.isWholeNumber) }
                parts.append(.letters(String(letters)))
                rest = rest[letters.endIndex...]
            } else {
                parts.append(.number(String(digits.drop { $0 == "0" })))
                rest = rest[digits.endIndex...]
            }
        }
        self.parts = parts
    }

    static func < (left: NaturalKey, right: NaturalKey) -> Bool {
        for (a, b) in zip(left.parts, right.parts) where a != b {
            switch (a, b) {
            case (.number(let a), .number(let b)): return a.count == b.count ? a < b : a.count < b.count
            case (.letters(let a), .letters(let b)): return a < b
            // Digits come before letters.
            case (.number, .letters): return true
            case (.letters, .number): return false
            }
        }
        return left.parts.count == right.parts.count
            ? left.text < right.text : left.parts.count < right.parts.count
    }
}
