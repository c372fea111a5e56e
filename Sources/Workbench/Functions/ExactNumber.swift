import Foundation
import PluginKit

/// A number that 64 bits do not hold: an integer beyond them, or a decimal of more digits than a floating-point number has. It
/// is compared, sorted, grouped, added and multiplied with all its digits, up to 38; a quotient, and a result of more digits, has
/// about 16.
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

    /// The sum, difference or product of two numbers of which one is kept exactly, or has no floating-point number of its own;
    /// `nil` for other operators and numbers, and where 38 digits do not hold the result.
    static func result(_ op: BinaryOperator, _ left: Value, _ right: Value) -> Value? {
        guard isExact(left) || isExact(right), var a = left.exactDecimal, var b = right.exactDecimal else {
            return nil
        }
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

    private static func isExact(_ value: Value) -> Bool {
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
