import Foundation

/// Numbers as printed: to 15 significant digits, beyond which binary fractions differ from the decimals they
/// represent (0.1 + 0.2).
enum DecimalNumber {
    /// Relative difference that is invisible in print: half a unit of the 15th digit is at most 5 parts in 10¹⁵.
    private static let closeness = 1e-14

    /// Whether two numbers print the same.
    static func areEqual(_ a: Double, _ b: Double) -> Bool {
        if a == b { return true }
        guard abs(a - b) <= closeness * max(abs(a), abs(b)), a.isFinite, b.isFinite else { return false }
        return rounded(a) == rounded(b)
    }

    /// The nearest decimal of 15 digits.
    static func rounded(_ number: Double) -> Double {
        guard number.isFinite, number != number.rounded() else { return number }
        // Most numbers have few decimals and need no conversion to text.
        let millionths = number * 1e6
        if abs(millionths) < 1e15, millionths == millionths.rounded() { return number }
        return Double(String(format: "%.15g", number)) ?? number
    }
}
