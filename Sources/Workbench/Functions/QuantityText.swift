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
        if let length = compoundLength(compact) { return length }
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
            symbols.append(symbol == "m" && symbols.last == "h" ? "min" : symbol)
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

    /// Units of a length that is written with two of them, greatest first, with their metres; inches are no unit of their own.
    private static let lengths: [(symbol: String, metres: Double)] = [
        ("mi", 1609.344), ("km", 1000), ("m", 1), ("yd", 0.9144), ("ft", 0.3048), ("in", 0.0254),
        ("cm", 0.01),
        ("mm", 0.001),
    ]

    /// A length in two units: `5 ft 11 in`, `1 km 300 m`.
    private static func compoundLength(_ text: String) -> Quantity? {
        let named = inSymbols(text.replacing(/inch(es)?/, with: "in"))
        guard let parts = named.wholeMatch(of: /(\d+)([a-z]+)(\d+(?:\.\d+)?)([a-z]+)/)?.output,
            let great = lengths.firstIndex(where: { $0.symbol == parts.2 }),
            let small = lengths.firstIndex(where: { $0.symbol == parts.4 }), great < small,
            let whole = Double(parts.1), let rest = Double(parts.3),
            // 5 ft 14 in is written by nobody who means it.
            rest * lengths[small].metres < lengths[great].metres,
            let unit = MeasureUnit.of(.length).first(where: { $0.symbol == lengths[great].symbol })
        else { return nil }
        return Quantity(whole + rest * lengths[small].metres / lengths[great].metres, unit: unit)
    }

    /// Whether a text such as `5'11"` is feet and inches or minutes and seconds: only its reader knows.
    static func isFeetOrMinutes(_ text: String) -> Bool { feetOrMinutes(text) != nil }

    /// The two numbers of `5'11"`.
    private static func feetOrMinutes(_ text: String) -> (great: Double, small: Double)? {
        guard text.utf8.count < longestMarked, text.utf8.first.map({ (48...57).contains($0) }) == true,
            let parts = text.filter({ !$0.isWhitespace }).wholeMatch(
                of: /(\d+)['′’](\d{1,2}(?:\.\d+)?)(?:"|″|”|''|′′)/)?.output,
            let great = Double(parts.1), let small = Double(parts.2)
        else { return nil }
        return (great, small)
    }

    private static let longestMarked = 24

    /// The quantity of `5'11"` in feet and inches, `ft`, or in minutes and seconds, `min`; `nil` for other texts, and for 12 inches and
    /// 60 seconds or more.
    static func read(_ text: String, marksOf unit: MeasureUnit) -> Quantity? {
        guard let (great, small) = feetOrMinutes(text) else { return nil }
        let parts = unit.dimension == .length ? 12.0 : 60
        guard small < parts else { return nil }
        return unit.dimension == .length
            ? Quantity(great + small / parts, unit: unit) : Quantity(great * parts + small, .duration)
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
