import Foundation

/// Numbers as they are printed: to 15 significant digits, beyond which binary fractions differ from the decimals they stand
/// for (0.1 + 0.2).
enum DecimalNumber {
    /// Differences that may vanish in print: half a unit of the 15th digit is at most 5 parts in 10¹⁵.
    private static let closeness = 1e-14

    /// Whether two numbers are printed alike.
    static func areEqual(_ a: Double, _ b: Double) -> Bool {
        if a == b { return true }
        guard abs(a - b) <= closeness * max(abs(a), abs(b)), a.isFinite, b.isFinite else { return false }
        return rounded(a) == rounded(b)
    }

    /// The nearest decimal of 15 digits.
    static func rounded(_ number: Double) -> Double {
        guard number.isFinite, number != number.rounded() else { return number }
        // Numbers of a few decimals, which most are, need no text.
        let millionths = number * 1e6
        if abs(millionths) < 1e15, millionths == millionths.rounded() { return number }
        return Double(String(format: "%.15g", number)) ?? number
    }
}
