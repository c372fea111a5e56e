import Foundation

/// Numbers as text, the same on every machine and in every locale.
enum NumberText {
    /// At most `places` decimals, without trailing zeros; `0` for a non-finite number.
    static func decimal(_ value: Double, places: Int) -> String {
        let text = fixed(value, places: places)
        guard text.contains(".") else { return text }
        var kept = Substring(text)
        while kept.last == "0" { kept.removeLast() }
        if kept.last == "." { kept.removeLast() }
        return kept == "-0" ? "0" : String(kept)
    }

    /// Exactly `places` decimals, half away from zero; `0` for a non-finite number.
    static func fixed(_ value: Double, places: Int) -> String {
        let unit = pow(10, Double(places))
        let scaled = (abs(value) * unit).rounded(.toNearestOrAwayFromZero)
        guard scaled.isFinite, scaled < 9e15 else { return value.isFinite ? "\(value)" : "0" }
        let digits = String(Int64(scaled))
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        let sign = value < 0 && scaled > 0 ? "-" : ""
        guard places > 0 else { return sign + padded }
        return sign + padded.dropLast(places) + "." + padded.suffix(places)
    }
}
