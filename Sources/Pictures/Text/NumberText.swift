import Core

/// Numbers in pictures: halves are rounded away from zero, a number without value is `0`, a huge one has an exponent.
enum NumberText {
    /// At most `places` decimals, without trailing zeros.
    static func decimal(_ value: Double, places: Int) -> String {
        exception(value) ?? DecimalText.trimmed(value, decimals: places, halves: .away)
    }

    /// Exactly `places` decimals.
    static func fixed(_ value: Double, places: Int) -> String {
        exception(value) ?? DecimalText.fixed(value, decimals: places, halves: .away)
    }

    private static func exception(_ value: Double) -> String? {
        guard value.isFinite else { return "0" }
        return abs(value) < largest ? nil : "\(value)"
    }

    /// Numbers from here on are read by their exponent.
    private static let largest = 1e15
}
