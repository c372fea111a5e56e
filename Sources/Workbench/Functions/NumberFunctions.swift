import Foundation
import PluginKit

/// Functions of numbers and quantities.
enum NumberFunctions {
    static let all = [
        Function(
            "round", "x, digits or step", "round to decimals, or to a multiple of a quantity", 1...2,
            ("round(3.14159, 2)", "3.14"), ("round(6123m, 100m)", "6100m"), ("round(2.5)", "3"),
            searchTerms: ["decimals", "rounding", "two decimals"]
        ) { values, context throws(RutterError) in
            try rounded("round", values, context, .plain) { $0.rounded(.toNearestOrAwayFromZero) }
        },
        Function(
            "floor", "x, digits or step", "round down", 1...2, ("floor(3.7)", "3"), ("floor(90min, 1h)", "1h")
        ) { values, context throws(RutterError) in
            try rounded("floor", values, context, .down) { $0.rounded(.down) }
        },
        Function(
            "ceil", "x, digits or step", "round up", 1...2, ("ceil(3.2)", "4"), ("ceil(61min, 1h)", "2h")
        ) { values, context throws(RutterError) in
            try rounded("ceil", values, context, .up) { $0.rounded(.up) }
        },
        Function(
            "abs", "x", "return the absolute value", 1...1, ("abs(-3km)", "3km"),
            searchTerms: ["absolute value", "without sign"]
        ) {
            values, _ throws(RutterError) in
            switch values[0] {
            case .integer(let number):
                guard number != .min else {
                    throw LanguageErrors.overflow("the result does not fit into 64 bits")
                }
                return .integer(abs(number))
            case .number(let number): return .number(abs(number))
            case .quantity(var quantity):
                quantity.value = abs(quantity.value)
                return .quantity(quantity)
            default: throw Argument.wrong(values[0], "abs", "a number or quantity")
            }
        },
        Function(
            "sqrt", "x", "return the square root of a number", 1...1, ("sqrt(16)", "4"),
            searchTerms: ["square root"]
        ) {
            values, _ throws(RutterError) in
            guard let number = values[0].asNumber else { throw Argument.wrong(values[0], "sqrt", "a number") }
            guard number >= 0 else {
                throw FunctionErrors.argument(
                    "`sqrt` takes a number of at least 0, not \(Literal.number(number))")
            }
            return Self.value(number.squareRoot())
        },
        Function(
            "min", "a, b, …", "return the smallest of several values, or of a list", 1...Int.max,
            ("min(3km, 2mi)", "3km"), ("min([3 1 2])", "1"),
            passesNothing: false
        ) { values, _ throws(RutterError) in try extreme("min", values, sign: -1) },
        Function(
            "max", "a, b, …", "return the greatest of several values, or of a list", 1...Int.max,
            ("max(3, 7, 5)", "7"),
            passesNothing: false
        ) { values, _ throws(RutterError) in try extreme("max", values, sign: 1) },
    ]

    /// The first of the greatest or smallest values; missing values are skipped.
    private static func extreme(_ name: String, _ values: [Value], sign: Int) throws(RutterError) -> Value {
        // One list stands for its items.
        var values = values
        if values.count == 1, case .list(let items) = values[0] { values = items }
        var best: Value?
        var texts = NumericTextCheck(command: name)
        for value in values {
            if case .nothing = value { continue }
            if case .text = value { texts.take(value) }
            // One word with a comma is a coordinate, such as `1,2` of `max(1,2)`.
            if case .coordinate = value {
                throw Argument.wrong(
                    value, name, "numbers, quantities, dates or texts", fix: FunctionLibrary.joinedFix)
            }
            guard let found = best else {
                best = value
                continue
            }
            let order =
                try ValueComparison.order(value, found, at: ComparisonSite(span: SourceSpan(0, 0))) ?? 0
            if order * sign > 0 { best = value }
        }
        if let refusal = texts.refusal {
            throw DataErrors.numericText(
                "`\(name)` would compare by letters: \(refusal.doubt)", fix: refusal.fix)
        }
        return best ?? .nothing
    }

    private static func rounded(
        _ name: String, _ values: [Value], _ context: Function.Context, _ mode: NSDecimalNumber.RoundingMode,
        _ rule: (Double) -> Double
    ) throws(RutterError) -> Value {
        let second = values.count > 1 ? values[1] : .nothing
        switch (values[0], second) {
        case (.integer, .nothing): return values[0]
        case (.integer(let whole), .integer(let digits)) where digits >= 0:
            guard digits <= 15 else { throw tooManyDigits(name) }
            return .integer(whole)
        case (_, .nothing), (_, .integer):
            let digits = try decimals(second, name)
            if needsAllDigits(values[0], digits), let decimal = values[0].exactDecimal,
                let exact = ExactNumber.rounded(decimal, digits: digits, mode)
            {
                return exact
            }
            if let number = values[0].asNumber { return value(atDecimals(number, digits, rule)) }
            guard case .quantity(let quantity) = values[0] else {
                throw Argument.wrong(values[0], name, "a number or quantity")
            }
            let unit = Literal.displayUnit(of: quantity, system: context.units)
            let amount = atDecimals(quantity.value / unit.factor, digits, rule)
            return .quantity(Quantity(amount, unit: unit))
        case (.quantity(let quantity), .quantity(let step)) where quantity.dimension == step.dimension:
            guard step.value > 0 else {
                throw FunctionErrors.argument("the step of `\(name)` must be greater than 0")
            }
            let steps = rule(snapped(quantity.value / step.value))
            // Durations print in several units: 6h45min rather than 405min.
            let unit = step.dimension == .duration ? nil : step.unit
            return .quantity(Quantity(steps * step.value, step.dimension, unit: unit))
        case (_, .number(let step)) where step > 0:
            guard let number = values[0].asNumber else {
                throw Argument.wrong(values[0], name, "a number with this step")
            }
            return value(DecimalNumber.product(rule(snapped(number / step)), step))
        default:
            throw Argument.wrong(
                second, name, "a number of decimals, or a step of the same kind as the value",
                fix: "round(x, 2) or round(6123m, 100m)")
        }
    }

    /// Whether a floating-point number cannot be scaled without losing digits that the number has.
    private static func needsAllDigits(_ value: Value, _ digits: Int) -> Bool {
        switch value {
        case .object(let object): object is ExactNumber
        case .number(let number): number.isFinite && abs(number) * pow(10, Double(digits)) >= 1e15
        default: false
        }
    }

    private static func decimals(_ value: Value, _ name: String) throws(RutterError) -> Int {
        guard case .integer(let digits) = value else { return 0 }
        guard abs(digits) <= 15 else { throw tooManyDigits(name) }
        return digits
    }

    private static func tooManyDigits(_ name: String) -> RutterError {
        FunctionErrors.argument("`\(name)` takes -15 to 15 decimals")
    }

    /// Rounds by decimal digits as they are printed: 2.675 to two digits is 2.68, although its binary value is less.
    private static func atDecimals(_ number: Double, _ digits: Int, _ rule: (Double) -> Double) -> Double {
        let power = pow(10, Double(abs(digits)))
        let scaled = digits >= 0 ? number * power : number / power
        guard scaled.isFinite, abs(scaled) < 1e15 else { return number }
        let whole = rule(snapped(scaled))
        return digits >= 0 ? whole / power : whole * power
    }

    /// Rounds a number to a shorter decimal if it differs from it only by arithmetic error.
    private static func snapped(_ number: Double) -> Double { DecimalNumber.rounded(number) }

    private static func value(_ number: Double) -> Value {
        if number == number.rounded(), let whole = Int(exactly: number) { return .integer(whole) }
        return .number(number)
    }
}
