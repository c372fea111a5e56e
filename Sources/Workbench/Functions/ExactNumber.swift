import Foundation
import PluginKit

/// A number that 64 bits do not hold: an integer beyond them, or a decimal of more digits than a floating-point number has. It
/// is compared, sorted, grouped and computed with all its digits, up to 38; a quotient that does not come out has 25, a result of more
/// digits about 16.
struct ExactNumber: SelfRendering, NumericObject, Hashable {
    let decimal: Decimal
    /// The digits as they were written.
    let digits: String

    /// The most digits that `Decimal` holds.
    private static let mostDigits = 38
    /// Decimals of at most this many digits are told apart by floating-point numbers.
    private static let shortDigits = 15

    /// A decimal number as JSON writes it; `nil` if an integer or floating-point number has the same value.
    init?(_ text: String) {
        // Most numbers have few characters: their digits need not be counted.
        guard text.utf8.count > Self.shortDigits else { return nil }
        let mantissa = text.prefix { $0 != "e" && $0 != "E" }
        let significant = mantissa.filter(\.isNumber).drop { $0 == "0" }.count
        guard significant > Self.shortDigits, significant <= Self.mostDigits, mantissa.count == text.count,
            let decimal = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
        else { return nil }
        if Int(text) != nil { return nil }
        if let number = Double(text), Self.decimal(number) == decimal { return nil }
        (self.decimal, digits) = (decimal, text)
    }

    /// Digits of a quotient that does not come out.
    private static let quotientDigits = 25

    /// The result of two numbers of which one is kept exactly, or has no floating-point number of its own; `nil` for other numbers,
    /// and where 38 digits do not hold the result.
    static func result(_ op: BinaryOperator, _ left: Value, _ right: Value) -> Value? {
        guard isExact(left) || isExact(right), var a = left.exactDecimal, var b = right.exactDecimal else {
            return nil
        }
        if op == .divided { return quotient(a, b) }
        if op == .remainder { return remainder(a, b) }
        var result = Decimal()
        let error =
            switch op {
            case .plus: NSDecimalAdd(&result, &a, &b, .plain)
            case .minus: NSDecimalSubtract(&result, &a, &b, .plain)
            case .times: NSDecimalMultiply(&result, &a, &b, .plain)
            default: NSDecimalNumber.CalculationError.lossOfPrecision
            }
        return error == .noError ? value(result) : nil
    }

    /// A quotient; `nil` of zero.
    static func quotient(_ dividend: Decimal, _ divisor: Decimal) -> Value? {
        var (a, b, result, product) = (dividend, divisor, Decimal(), Decimal())
        guard !b.isZero else { return nil }
        // The division does not say whether it came out.
        _ = NSDecimalDivide(&result, &a, &b, .plain)
        if NSDecimalMultiply(&product, &result, &b, .plain) == .noError, product == a { return value(result) }
        let whole = result.exponent + result.significandDigits
        return rounded(result, digits: max(quotientDigits - whole, 0), .plain)
    }

    /// What is left of a division with a whole quotient, with the sign of the dividend; `nil` of zero, and where the quotient has more
    /// than 38 digits.
    private static func remainder(_ dividend: Decimal, _ divisor: Decimal) -> Value? {
        var (a, b) = (dividend, divisor)
        var (quotient, whole, product, rest) = (Decimal(), Decimal(), Decimal(), Decimal())
        guard !b.isZero else { return nil }
        _ = NSDecimalDivide(&quotient, &a, &b, .plain)
        NSDecimalRound(&whole, &quotient, 0, quotient.isSignMinus ? .up : .down)
        guard NSDecimalMultiply(&product, &whole, &b, .plain) == .noError,
            NSDecimalSubtract(&rest, &a, &product, .plain) == .noError
        else { return nil }
        // A quotient of many digits may have been rounded up to the next whole number.
        if !rest.isZero, rest.isSignMinus != a.isSignMinus {
            var step = b.isSignMinus == a.isSignMinus ? b : -b
            var fitted = Decimal()
            guard NSDecimalAdd(&fitted, &rest, &step, .plain) == .noError else { return nil }
            rest = fitted
        }
        return rest.magnitude < b.magnitude ? value(rest) : nil
    }

    /// Whether floating-point numbers do not have all digits of a number.
    static func isExact(_ value: Value) -> Bool {
        switch value {
        case .object(let object): object is ExactNumber
        case .integer(let number): DecimalNumber.isBeyondExact(number)
        default: false
        }
    }

    /// A decimal as the plainest number that has its value; `nil` if there is none.
    static func value(_ decimal: Decimal) -> Value? {
        let text = decimal.description
        if let whole = Int(text) { return .integer(whole) }
        if let exact = ExactNumber(text) { return .object(exact) }
        return Double(text).map { .number($0) }
    }

    /// A decimal rounded to a number of digits after the point; `nil` if no number has that value.
    static func rounded(_ decimal: Decimal, digits: Int, _ mode: NSDecimalNumber.RoundingMode) -> Value? {
        var (source, result) = (decimal, Decimal())
        NSDecimalRound(&result, &source, digits, mode)
        return value(result)
    }

    /// Whether a text of digits is longer than any number that is kept.
    static func isTooLong(_ text: String) -> Bool {
        text.utf8.count > mostDigits && text.filter(\.isNumber).drop { $0 == "0" }.count > mostDigits
    }

    /// The decimal that a number is written as.
    static func decimal(_ number: Double) -> Decimal? {
        number.isFinite ? Decimal(string: number.description, locale: Locale(identifier: "en_US_POSIX")) : nil
    }

    /// The nearest floating-point number.
    var number: Double { Double(digits) ?? .nan }

    var typeName: String { "number" }
    var fieldNames: [String] { [] }
    func field(_ name: String) -> Value? { nil }
    var summary: String { digits }
    func rendered(in environment: Environment) -> String { digits }

    static func == (left: ExactNumber, right: ExactNumber) -> Bool { left.decimal == right.decimal }
    func hash(into hasher: inout Hasher) { hasher.combine(decimal) }
}

extension Decimal {
    /// Digits of the number without those of its exponent.
    fileprivate var significandDigits: Int { significand.description.count }
}

extension Value {
    /// The exact value of a number; `nil` for other values and for those that are not finite.
    var exactDecimal: Decimal? {
        switch self {
        case .integer(let number): Decimal(number)
        case .number(let number): ExactNumber.decimal(number)
        case .object(let exact as ExactNumber): exact.decimal
        default: nil
        }
    }
}
