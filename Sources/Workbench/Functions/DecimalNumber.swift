import Foundation

/// Arithmetic on numbers as the decimals that they are written as: 0.1 + 0.2 is 0.3.
///
/// A number is the decimal that its shortest form shows, and two numbers are equal only if they are the same. What is computed
/// from short decimals is rounded to the decimal that it must be; everything else stays as the processor has it.
enum DecimalNumber {
    /// The powers of ten to which a sum is rounded.
    private static let scales = [1e6, 1e9, 1e12]
    /// Beyond this not every whole number has a binary form.
    private static let mostExact = 9_007_199_254_740_992.0
    /// Relative difference of quantities that comes from the conversion of units: half a unit of the 15th digit is at most 5
    /// parts in 10¹⁵.
    private static let closeness = 1e-14
    /// Relative error of a division.
    private static let divisionError = 4e-16

    /// `a + b` or `a - b`.
    static func sum(_ a: Double, _ b: Double) -> Double {
        let result = a + b
        guard result != result.rounded() || abs(result) >= mostExact else { return result }
        for scale in scales {
            guard abs(result) * scale < mostExact else { return result }
            if isWhole(a * scale), isWhole(b * scale) { return (result * scale).rounded() / scale }
        }
        return result
    }

    /// `a * b`.
    static func product(_ a: Double, _ b: Double) -> Double {
        let result = a * b
        let (thousandths, millionths) = (1e3, 1e6)
        guard result != result.rounded(), abs(result) * millionths < mostExact, isWhole(a * thousandths),
            isWhole(b * thousandths)
        else { return result }
        return (result * millionths).rounded() / millionths
    }

    /// `a / b`: a short decimal where that is the quotient.
    static func quotient(_ a: Double, _ b: Double) -> Double {
        let result = a / b
        let short = (result * 1e6).rounded() / 1e6
        guard short != result, abs(short - result) <= divisionError * abs(result), short.isFinite else {
            return result
        }
        return product(short, b) == a ? short : result
    }

    /// The remainder of `a / b`, with the sign of `a`.
    static func remainder(_ a: Double, _ b: Double) -> Double {
        let scale = scales[0]
        guard isWhole(a * scale), isWhole(b * scale), abs(a * scale) < mostExact, abs(b * scale) < mostExact
        else {
            return a.truncatingRemainder(dividingBy: b)
        }
        return (a * scale).rounded().truncatingRemainder(dividingBy: (b * scale).rounded()) / scale
    }

    /// Whether a scaled decimal was a whole number before the error of its scaling.
    private static func isWhole(_ scaled: Double) -> Bool {
        let whole = scaled.rounded()
        return scaled == whole || abs(scaled - whole) <= abs(whole) * divisionError
    }

    /// Whether two quantities print the same.
    static func areEqual(_ a: Double, _ b: Double) -> Bool {
        if a == b { return true }
        guard abs(a - b) <= closeness * max(abs(a), abs(b)), a.isFinite, b.isFinite else { return false }
        return rounded(a) == rounded(b)
    }

    /// Beyond this not every whole number has a floating-point number of its own.
    static func isBeyondExact(_ whole: Int) -> Bool { whole.magnitude > 1 << 53 }

    /// −1, 0 or 1 for a whole number and one that is not NaN, with all digits: 2⁵³ + 1 is greater than 2⁵³ as a floating-point number.
    static func order(_ whole: Int, _ real: Double) -> Int {
        if !isBeyondExact(whole) {
            let number = Double(whole)
            return number < real ? -1 : number > real ? 1 : 0
        }
        guard let part = Int(exactly: real.rounded(.towardZero)) else { return real > 0 ? -1 : 1 }
        if whole != part { return whole < part ? -1 : 1 }
        let rest = real - real.rounded(.towardZero)
        return rest > 0 ? -1 : rest < 0 ? 1 : 0
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
