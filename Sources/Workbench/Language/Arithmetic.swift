import CivilTime
import PluginKit

/// `+ - * / %` on values, with checked dimensions.
enum Arithmetic {
    /// Limits the bytes of text and the items of lists that an expression produces: doubling a value forty
    /// times must be an error, not a crash.
    static let longestText = 1 << 26
    private static let longestList = 1 << 22

    static func apply(
        _ op: BinaryOperator, _ left: Value, _ right: Value, at span: SourceSpan
    ) throws(RutterError) -> Value {
        // The most frequent operations, without copies.
        if case .integer(let a) = left, case .integer(let b) = right { return try whole(op, a, b, span) }
        if let exact = ExactNumber.result(op, left, right) { return exact }
        if op == .remainder, ExactNumber.isExact(left) || ExactNumber.isExact(right),
            left.exactDecimal != nil,
            right.exactDecimal?.isZero == false
        {
            throw LanguageErrors.overflow(
                "the remainder takes a quotient of more than 38 digits", at: .span(span))
        }
        if let a = left.asNumber, let b = right.asNumber { return .number(try real(op, a, b, span)) }
        switch (left, right) {
        // A computation with an unknown value is unknown.
        case (.nothing, _), (_, .nothing): return .nothing
        case (.quantity(let a), .quantity(let b)): return try quantities(op, a, b, span)
        case (.quantity(let a), _):
            if let number = right.asNumber { return try scaled(op, a, by: number, span) }
        case (_, .quantity(let b)):
            if let number = left.asNumber { return try scale(op, number, b, span) }
            if case .date(let date) = left, b.dimension == .duration {
                return try shifted(op, date, by: b.value, left, right, span)
            }
        case (.text(let a), .text(let b)) where op == .plus:
            guard a.utf8.count + b.utf8.count <= longestText else { throw tooLarge(span) }
            return .text(a + b)
        case (.list(let a), .list(let b)) where op == .plus:
            guard a.count + b.count <= longestList else { throw tooLarge(span) }
            return .list(a + b)
        case (.date(let a), .date(let b)) where op == .minus:
            return .quantity(Quantity(a.seconds(since: b), .duration))
        default: break
        }
        throw mismatch(op, left, right, span)
    }

    static func negated(_ value: Value, at span: SourceSpan) throws(RutterError) -> Value {
        switch value {
        case .integer(let number): return try negated(number, at: span)
        case .number(let number): return .number(-number)
        case .quantity(var quantity):
            quantity.value = -quantity.value
            return .quantity(quantity)
        case .nothing: return .nothing
        default:
            throw LanguageErrors.type("\(value.kindWithArticle) cannot be negated", at: .span(span))
        }
    }

    private static func negated(_ number: Int, at span: SourceSpan) throws(RutterError) -> Value {
        guard number != .min else {
            throw LanguageErrors.overflow("the result does not fit into 64 bits", at: .span(span))
        }
        return .integer(-number)
    }

    // MARK: Numbers

    private static func whole(
        _ op: BinaryOperator, _ a: Int, _ b: Int, _ span: SourceSpan
    ) throws(RutterError) -> Value {
        let result: (partialValue: Int, overflow: Bool)
        switch op {
        case .plus: result = a.addingReportingOverflow(b)
        case .minus: result = a.subtractingReportingOverflow(b)
        case .times: result = a.multipliedReportingOverflow(by: b)
        case .remainder:
            if b == 0 { throw divisionByZero(span) }
            result = a.remainderReportingOverflow(dividingBy: b)
        default:
            if b == 0 { throw divisionByZero(span) }
            if b == -1 { return try negated(a, at: span) }
            if a % b == 0 { return .integer(a / b) }
            if let exact = ExactNumber.result(op, .integer(a), .integer(b)) { return exact }
            return try number(Double(a) / Double(b), span)
        }
        if !result.overflow { return .integer(result.partialValue) }
        throw LanguageErrors.overflow(
            "the result of `\(a) \(op.rawValue) \(b)` does not fit into 64 bits", at: .span(span),
            fix: "compute with decimal numbers, which have up to 38 digits: \(a).0 \(op.rawValue) \(b)")
    }

    private static func number(_ value: Double, _ span: SourceSpan) throws(RutterError) -> Value {
        if value == value.rounded(), let whole = Int(exactly: value) { return .integer(whole) }
        return .number(value)
    }

    private static func real(
        _ op: BinaryOperator, _ a: Double, _ b: Double, _ span: SourceSpan
    ) throws(RutterError) -> Double {
        let result: Double
        switch op {
        case .plus: result = DecimalNumber.sum(a, b)
        case .minus: result = DecimalNumber.sum(a, -b)
        case .times: result = DecimalNumber.product(a, b)
        default:
            if b == 0 { throw divisionByZero(span) }
            result = op == .divided ? DecimalNumber.quotient(a, b) : DecimalNumber.remainder(a, b)
        }
        guard result.isFinite else { throw tooLarge(span) }
        return result
    }

    private static func tooLarge(_ span: SourceSpan) -> RutterError {
        LanguageErrors.type("the result is too large", at: .span(span))
    }

    private static func divisionByZero(_ span: SourceSpan) -> RutterError {
        LanguageErrors.division("division by zero", at: .span(span))
    }

    // MARK: Quantities

    private static func quantities(
        _ op: BinaryOperator, _ a: Quantity, _ b: Quantity, _ span: SourceSpan
    ) throws(RutterError) -> Value {
        switch op {
        case .times:
            guard let dimension = PhysicalDimension.product(a.dimension, b.dimension) else {
                throw noUnit("\(a.dimension.withArticle) times \(b.dimension.withArticle)", span)
            }
            let unit = a.dimension == dimension ? a.unit : (b.dimension == dimension ? b.unit : nil)
            return .quantity(Quantity(try real(op, a.value, b.value, span), dimension, unit: unit))
        case .divided where a.dimension != b.dimension:
            guard let dimension = PhysicalDimension.quotient(a.dimension, b.dimension) else {
                throw noUnit("\(a.dimension.withArticle) by \(b.dimension.withArticle)", span)
            }
            let unit = a.dimension == dimension ? a.unit : nil
            return .quantity(Quantity(try real(op, a.value, b.value, span), dimension, unit: unit))
        default:
            guard a.dimension == b.dimension else {
                throw mismatch(op, .quantity(a), .quantity(b), span)
            }
            let value = try real(op, a.value, b.value, span)
            if op == .divided { return .number(value) }
            return .quantity(Quantity(value, a.dimension, unit: a.unit == b.unit ? a.unit : nil))
        }
    }

    private static func scaled(
        _ op: BinaryOperator, _ quantity: Quantity, by number: Double, _ span: SourceSpan
    ) throws(RutterError) -> Value {
        guard op == .times || op == .divided else {
            throw mismatch(op, .quantity(quantity), .number(number), span)
        }
        var result = quantity
        result.value = try real(op, quantity.value, number, span)
        result.digits = nil
        return .quantity(result)
    }

    private static func scale(
        _ op: BinaryOperator, _ number: Double, _ quantity: Quantity, _ span: SourceSpan
    ) throws(RutterError) -> Value {
        if quantity.dimension == .ratio && op != .plus && op != .minus {
            return try self.number(try real(op, number, quantity.value, span), span)
        }
        if op == .times { return try scaled(op, quantity, by: number, span) }
        if op == .divided, let inverse = quantity.dimension.inverse {
            return .quantity(Quantity(try real(op, number, quantity.value, span), inverse))
        }
        throw mismatch(op, .number(number), .quantity(quantity), span)
    }

    private static func shifted(
        _ op: BinaryOperator, _ date: Timestamp, by seconds: Double, _ left: Value, _ right: Value,
        _ span: SourceSpan
    ) throws(RutterError) -> Value {
        switch op {
        case .plus: return try calendarDate(date.advanced(bySeconds: seconds), span)
        case .minus: return try calendarDate(date.advanced(bySeconds: -seconds), span)
        default: throw mismatch(op, left, right, span)
        }
    }

    /// A date whose year has four digits in any time zone.
    private static func calendarDate(_ date: Timestamp, _ span: SourceSpan) throws(RutterError) -> Value {
        let firstDay = -719_527.0
        let lastDay = 2_932_895.0
        guard (firstDay * 86_400...lastDay * 86_400).contains(date.seconds) else {
            throw LanguageErrors.type("the date is outside the years 0…9999", at: .span(span))
        }
        return .date(date)
    }

    // MARK: Errors

    private static func noUnit(_ what: String, _ span: SourceSpan) -> RutterError {
        LanguageErrors.dimension("there is no unit for \(what)", at: .span(span))
    }

    private static func mismatch(
        _ op: BinaryOperator, _ left: Value, _ right: Value, _ span: SourceSpan
    ) -> RutterError {
        if case .quantity(let a) = left, let number = right.asNumber {
            return LanguageErrors.dimension(
                "\(left.kindWithArticle) and a bare number cannot be combined with `\(op.rawValue)`",
                at: .span(span), fix: "write the unit: \(a.dimension.example(number))")
        }
        if let number = left.asNumber, case .quantity(let b) = right, op != .divided {
            return LanguageErrors.dimension(
                "a bare number and \(right.kindWithArticle) cannot be combined with `\(op.rawValue)`",
                at: .span(span), fix: "write the unit: \(b.dimension.example(number))")
        }
        if case .quantity = left, case .quantity = right {
            return LanguageErrors.dimension(
                "\(left.kindWithArticle) and \(right.kindWithArticle) cannot be combined with `\(op.rawValue)`",
                at: .span(span))
        }
        return LanguageErrors.type(
            "`\(op.rawValue)` is not defined for \(left.kindWithArticle) and \(right.kindWithArticle)",
            at: .span(span), fix: fix(op, left, right))
    }

    /// How texts are computed with.
    private static func fix(_ op: BinaryOperator, _ left: Value, _ right: Value) -> String? {
        switch (left, right) {
        case (.text, .text): "texts are made values by number(x), quantity(x) and date(x)"
        case (.text, _), (_, .text):
            op == .plus
                ? "join texts: text(x)" : "a text is made a value by number(x), quantity(x) or date(x)"
        default: nil
        }
    }
}
