import Foundation
import PluginKit

/// Quantities as people and programs write them: `5 km`, `3 miles`, `1h 30m`, `4809ft`, `1:30 h`, `5:30 min/km`, `5'30"/km`, `PT1H30M`.
enum QuantityText {
    /// The quantity of a text; `nil` for anything else.
    static func read(_ text: String) -> Quantity? {
        var compact = text.filter { !$0.isWhitespace }
        if let pace = compact.wholeMatch(of: /(\d+)['′](\d\d)(?:"|″|'')(\/(?:km|mi|mile))/) {
            compact = "\(pace.output.1):\(pace.output.2)\(pace.output.3)"
        }
        if let clock = clock(compact) { return clock }
        compact = inSymbols(compact)
        // Without a time of day it may be a code, such as `P2D`.
        if compact.contains("T"), let duration = ISODuration.seconds(compact) {
            return Quantity(duration, .duration)
        }
        guard let first = compact.utf8.first, first <= 57, let last = compact.last, !last.isNumber,
            case .quantity(let quantity)? = try? LiteralParser.single(compact)
        else { return nil }
        return quantity
    }

    /// Names of units in English, and the symbol of each.
    private static let names: [String: String] = [
        "metre": "m", "metres": "m", "meter": "m", "meters": "m", "kilometre": "km", "kilometres": "km",
        "kilometer": "km", "kilometers": "km", "kms": "km", "mile": "mi", "miles": "mi", "foot": "ft",
        "feet": "ft", "hour": "h", "hours": "h", "hr": "h", "hrs": "h", "minute": "min", "minutes": "min",
        "mins": "min", "second": "s", "seconds": "s", "sec": "s", "secs": "s", "day": "d", "days": "d",
        "degrees": "deg", "percent": "%",
    ]

    /// The text with symbols for names of units; the m of `1h30m` is minutes.
    private static func inSymbols(_ text: String) -> String {
        var result = ""
        var word = ""
        var symbols: [String] = []
        func close() {
            guard !word.isEmpty else { return }
            let symbol = names[word.lowercased()] ?? word
            symbols.append(symbol == "m" && symbols == ["h"] ? "min" : symbol)
            result += symbols[symbols.count - 1]
            word = ""
        }
        for character in text {
            if character.isLetter {
                word.append(character)
            } else {
                close()
                result.append(character)
            }
        }
        close()
        return result
    }

    /// A text that says by the place of its use that it is a quantity: also hours, minutes and seconds without a unit,
    /// `00:55:12`, and days, `P2D`. In a column such texts may be times of day and codes.
    static func readTimer(_ text: String) -> Quantity? {
        if let quantity = read(text) { return quantity }
        if let days = ISODuration.seconds(text.trimmingCharacters(in: .whitespaces)) {
            return Quantity(days, .duration)
        }
        let parts = text.trimmingCharacters(in: .whitespaces).split(
            separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let hours = Int(parts[0]), hours >= 0, let minutes = Int(parts[1]),
            let seconds = Double(parts[2]), parts[1].count == 2,
            parts[2].prefix(while: \.isNumber).count == 2,
            (0..<60).contains(minutes), (0..<60).contains(seconds)
        else { return nil }
        return Quantity(Double(hours) * 3600 + Double(minutes) * 60 + seconds, .duration)
    }

    /// Whether a text such as `1,5 km` is a quantity with a comma that can only be a decimal one.
    static func hasDecimalComma(_ text: String) -> Bool {
        let number = text.trimmingCharacters(in: .whitespaces).prefix { $0.isNumber || ".,-+ ".contains($0) }
        return NumberInText.hasDecimalComma(number.trimmingCharacters(in: .whitespaces))
            && read(text.replacing(",", with: ".")) != nil
    }

    /// Hours and minutes of `1:30h`.
    private static func clock(_ text: String) -> Quantity? {
        guard text.hasSuffix("h") else { return nil }
        let parts = text.dropLast().split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].count == 2, let hours = Int(parts[0]), let minutes = Int(parts[1]),
            hours >= 0, (0..<60).contains(minutes)
        else { return nil }
        return Quantity(Double(hours * 3600 + minutes * 60), .duration)
    }
}
