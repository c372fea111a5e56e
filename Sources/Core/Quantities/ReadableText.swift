import Foundation

/// Formats lengths, heights and durations for people: rounded, with blanks. `Literal` formats values for
/// input and computation.
public enum ReadableText {
    /// A distance to three digits: `853 m`, `15.4 km`, `9.57 mi`.
    public static func distance(_ metres: Double, units: UnitSystem) -> String {
        var quantity = Quantity.metres(metres)
        quantity.unit = nil
        return apart(Literal.quantity(quantity, system: units))
    }

    /// A height or climb in whole metres or feet: `1,655 m`.
    public static func height(_ metres: Double, units: UnitSystem) -> String {
        guard metres.isFinite, abs(metres) < 1e9 else { return apart(Literal.number(metres) + "m") }
        return units == .metric ? grouped(metres) + " m" : grouped(metres / feet) + " ft"
    }

    /// A duration: `45 s`, `14 min`, `6 h 45 min`, from three days on `3 d 12 h`.
    public static func duration(_ seconds: Double) -> String {
        guard seconds.isFinite, abs(seconds) < 1e12 else { return apart(Literal.number(seconds) + "s") }
        if abs(seconds) < 59.5 { return "\(Int(seconds.rounded())) s" }
        let sign = seconds < 0 ? "-" : ""
        let minutes = Int((abs(seconds) / 60).rounded())
        if minutes < 60 { return "\(sign)\(minutes) min" }
        let rest = minutes % 60
        let (days, hours) = ((minutes + 30) / 1440, (minutes + 30) / 60 % 24)
        if days >= 3 { return "\(sign)\(days) d" + (hours == 0 || days >= 30 ? "" : " \(hours) h") }
        return "\(sign)\(minutes / 60) h" + (rest == 0 ? "" : " \(rest) min")
    }

    private static let feet = 0.3048

    /// A whole number with commas between thousands.
    private static func grouped(_ value: Double) -> String {
        let digits = String(Int(abs(value).rounded()))
        var out = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { out.append(",") }
            out.append(digit)
        }
        return value.rounded() < 0 ? "-" + out : out
    }

    /// A literal with a blank before its unit.
    private static func apart(_ literal: String) -> String {
        guard let unit = literal.firstIndex(where: \.isLetter), unit != literal.startIndex else {
            return literal
        }
        return literal[..<unit] + " " + literal[unit...]
    }
}
