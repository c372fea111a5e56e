import Foundation

/// Formats values as literals of the command language, so that output can be used as input.
public enum Literal {
    /// Numbers with more digits than this come from binary fractions (0.1 + 0.2) and are rounded to it.
    static let meaningfulDigits = 15

    /// A number, shortest form, rounded to `digits` significant digits when given.
    public static func number(_ value: Double, digits: Int? = nil) -> String {
        guard value.isFinite else { return value.isNaN ? "nan" : (value < 0 ? "-inf" : "inf") }
        if digits == nil, value == value.rounded(), abs(value) < 1e15 { return String(Int(value)) }
        return trimmed(rounded(value, digits: digits ?? meaningfulDigits))
    }

    /// A number as the shortest decimal that reads back as the same one.
    public static func exact(_ value: Double) -> String {
        guard value.isFinite else { return number(value) }
        if value == value.rounded(), abs(value) < 1e15 { return String(Int(value)) }
        return trimmed(value.description)
    }

    /// A quantity in its own unit, or in a suitable one.
    public static func quantity(_ quantity: Quantity, system: UnitSystem = .metric) -> String {
        if let unit = quantity.unit, system == .metric || !unit.isMetric {
            return amount(quantity, in: unit)
        }
        // Quantities fixed to metres, such as altitudes, are converted to feet at any size.
        if quantity.unit == .metre { return amount(converted(quantity), in: .foot) }
        switch quantity.dimension {
        case .duration:
            return quantity.digits == nil ? duration(quantity.value) : roundedDuration(quantity.value)
        default:
            let unit = suitableUnit(for: quantity, system: system)
            return amount(system == .metric ? quantity : converted(quantity), in: unit)
        }
    }

    /// A quantity within a note, a warning or an error, in the session's units.
    public static func inMessage(_ quantity: Quantity) -> String {
        self.quantity(quantity, system: UnitSystem.ofMessages)
    }

    /// Significant digits after a unit conversion: 100m are 328.084ft.
    public static let convertedDigits = 6

    /// The unit that a quantity is shown in; for durations, which are shown in several units, seconds.
    public static func displayUnit(of quantity: Quantity, system: UnitSystem) -> MeasureUnit {
        if let unit = quantity.unit, system == .metric || !unit.isMetric { return unit }
        if quantity.unit == .metre { return .foot }
        return suitableUnit(for: quantity, system: system)
    }

    /// The quantity rounded to the digits of a conversion; angles and ratios are not converted.
    private static func converted(_ quantity: Quantity) -> Quantity {
        guard quantity.digits == nil, quantity.dimension == .length || quantity.dimension == .speed else {
            return quantity
        }
        var rounded = quantity
        rounded.digits = convertedDigits
        return rounded
    }

    /// Seconds from which a duration is written with days: 36 h is usual, 92,241 h is not readable.
    private static let fewDays = 3 * 86_400.0
    /// Seconds from which hours are omitted.
    private static let manyDays = 30 * 86_400.0

    /// A measured duration in whole seconds, from an hour on in whole minutes, from three days on in whole hours, from thirty
    /// days on in whole days.
    public static func roundedDuration(_ seconds: Double) -> String {
        let size = abs(seconds)
        let step = size < 3600 ? 1.0 : size < fewDays ? 60 : size < manyDays ? 3600 : 86_400
        return duration((seconds / step).rounded() * step)
    }

    /// A duration as `1h30min`, `2min5s`, `0.35s`, from three days on as `3d12h`.
    public static func duration(_ seconds: Double) -> String {
        guard seconds.isFinite, abs(seconds) >= 60, abs(seconds) < 1e12 else { return number(seconds) + "s" }
        let sign = seconds < 0 ? "-" : ""
        let total = (abs(seconds) * 1000).rounded() / 1000
        let minutes = Int(total / 60)
        let rest = ((total - Double(minutes) * 60) * 1000).rounded() / 1000
        let days = total < fewDays ? 0 : minutes / 1440
        let parts = [(days, "d"), (minutes / 60 - days * 24, "h"), (minutes % 60, "min")].filter { $0.0 != 0 }
            .map { "\($0.0)\($0.1)" }
        return sign + parts.joined() + (rest == 0 ? "" : number(rest) + "s")
    }

    /// Text between single quotes, or double quotes if it contains a single quote; bare if possible.
    public static func text(_ text: String) -> String {
        if isName(text) { return text }
        let needsEscapes = text.utf8.contains { $0 == UInt8(ascii: "'") || $0 < 32 }
        return needsEscapes ? quoted(text) : "'\(text)'"
    }

    /// Text between double quotes, with escapes.
    public static func quoted(_ text: String) -> String {
        var out = String.UnicodeScalarView("\"".unicodeScalars)
        // Scalars, not characters: the parser treats a quote with a combining accent as a quote.
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\", "$": out += ["\\", scalar]
            case "\n": out += ["\\", "n"]
            case "\r": out += ["\\", "r"]
            case "\t": out += ["\\", "t"]
            default: out.append(scalar)
            }
        }
        return String(out) + "\""
    }

    /// Whether an unquoted text parses as itself, both as a word and as an item of a list.
    private static func isName(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, first.properties.isAlphabetic else { return false }
        return !reservedWords.contains(text)
            && text.unicodeScalars.allSatisfy {
                $0 == "_" || $0.properties.isAlphabetic || $0.properties.numericType == .decimal
            }
    }

    /// Words with a special meaning where a value is allowed.
    private static let reservedWords: Set<String> = [
        "true", "false", "nothing", "null", "none", "not", "and", "or", "in", "it", "now", "today",
        "tomorrow", "yesterday",
    ]

    /// Whether an unquoted text parses as itself.
    public static func isBareWord(_ text: String) -> Bool {
        guard let first = text.first, first.isLetter else { return false }
        return text.allSatisfy { $0.isLetter || $0.isNumber || "_-./:".contains($0) }
    }

    private static func amount(_ quantity: Quantity, in unit: MeasureUnit) -> String {
        if unit.isClock, let clock = pace(quantity, in: unit) { return clock }
        return number(quantity.value / unit.factor, digits: quantity.digits) + unit.symbol
    }

    /// Minutes from which a pace is not written as a clock: the digits of a number show its size.
    private static let mostPaceMinutes = 1e6

    /// Relative difference of one pace that is computed in two ways.
    private static let sameness = 1e-14

    /// A pace as `5:30/km`; a measured one to the second, others to the millisecond.
    private static func pace(_ quantity: Quantity, in unit: MeasureUnit) -> String? {
        let amount = quantity.value / unit.factor
        guard amount.isFinite, abs(amount) < mostPaceMinutes else { return nil }
        let step = quantity.digits == nil ? 1000.0 : 1
        let total = (abs(amount) * 60 * step).rounded() / step
        // What was typed reads back as the same value.
        if quantity.digits == nil, quantity.unit == unit,
            abs(total / 60 - abs(amount)) > sameness * abs(amount)
        {
            return nil
        }
        let minutes = (total / 60).rounded(.down)
        let seconds = number(((total - minutes * 60) * step).rounded() / step)
        return (amount < 0 && total > 0 ? "-" : "") + number(minutes) + ":"
            + (seconds.prefix { $0 != "." }.count < 2 ? "0" : "") + seconds
            + unit.symbol.dropFirst("min".count)
    }

    private static func suitableUnit(for quantity: Quantity, system: UnitSystem) -> MeasureUnit {
        let size = abs(quantity.value)
        return switch (quantity.dimension, system) {
        case (.length, .metric): size.roundedTo(quantity.digits) < 1000 ? .metre : .kilometre
        case (.length, .imperial): size < Self.shortestMiles ? .foot : .mile
        case (.speed, .metric): .kilometrePerHour
        case (.speed, .imperial): .milePerHour
        case (.angle, _): .degree
        case (.ratio, _): .percent
        case (.frequency, _): size < 1000 ? .hertz : .kilohertz
        case (.pace, .metric): .minutePerKilometre
        case (.pace, .imperial): .minutePerMile
        case (.duration, _): .second
        }
    }

    /// A tenth of a mile: shorter lengths are shown in feet.
    private static let shortestMiles = 160.9344

    private static func rounded(_ value: Double, digits: Int) -> String {
        let shortest = value.description
        if shortest.utf8.count <= digits { return shortest }
        // Whole numbers keep their digits before the point: 1234m to three digits is 1234m, not 1.23e+03m.
        let magnitude = value == 0 ? 1 : Int(log10(abs(value)).rounded(.down)) + 1
        if magnitude > digits {
            return magnitude <= meaningfulDigits
                ? number(value.rounded()) : String(format: "%.\(meaningfulDigits - 1)e", value)
        }
        if magnitude > -4 && magnitude <= 15 {
            return String(format: "%.\(max(0, digits - magnitude))f", value)
        }
        return String(format: "%.\(digits)g", value)
    }

    private static func trimmed(_ text: String) -> String {
        guard let exponent = text.firstIndex(of: "e") else {
            return text.contains(".") ? DecimalText.withoutTrailingZeros(text) : text
        }
        let mantissa = String(text[..<exponent])
        return (mantissa.contains(".") ? DecimalText.withoutTrailingZeros(mantissa) : mantissa)
            + text[exponent...]
    }
}

extension MeasureUnit {
    /// Whether the imperial system shows another unit.
    fileprivate var isMetric: Bool {
        switch dimension {
        case .length: !isChosen && ["m", "km", "cm", "mm"].contains(symbol)
        case .speed: !isChosen && ["m/s", "km/h"].contains(symbol)
        case .pace: !isChosen && ["s/m", "min/km"].contains(symbol)
        default: false
        }
    }
}

extension Double {
    /// The value rounded to significant digits, as it will be printed.
    fileprivate func roundedTo(_ digits: Int?) -> Double {
        guard let digits, self > 0, isFinite else { return self }
        let scale = pow(10, Double(digits) - 1 - log10(self).rounded(.down))
        return (self * scale).rounded() / scale
    }
}
