import CivilTime
import Foundation
import PluginKit

/// The natural order of each kind of value. Kinds are not compared with each other.
enum ValueOrder {
    /// A value in a form that is quick to compare.
    enum Key {
        case missing
        case whole(Int)
        case real(Double)
        case text(String)
        case natural(NaturalKey)
        case date(Timestamp)
        case exact(Decimal)
    }

    /// The kind of a column's values, as errors name it; `nil` for nothing. Throws for kinds without an
    /// order.
    static func kind(of value: Value, at parameter: String) throws(RutterError) -> String? {
        switch value {
        case .nothing: return nil
        case .integer, .number, .boolean, .text, .date, .quantity, .object(is ExactNumber):
            return value.kindName
        default:
            throw DataErrors.noOrder(
                "\(value.article) has no order", at: .parameter(parameter),
                fix: FieldAccess.names(of: value).first.map { "name one of its fields, such as `\($0)`" })
        }
    }

    /// The sort key of a value that has an order.
    static func key(of value: Value) -> Key {
        switch value {
        case .integer(let number): .whole(number)
        case .number(let number): .real(number)
        case .quantity(let quantity): .real(quantity.value)
        case .boolean(let flag): .whole(flag ? 1 : 0)
        case .date(let date): .date(date)
        case .text(let text): .text(text)
        case .object(let number as ExactNumber): .exact(number.decimal)
        default: .missing
        }
    }

    /// −1, 0 or 1 for two keys of one kind; NaN sorts after all numbers, missing values last.
    static func compare(_ left: Key, _ right: Key, descending: Bool = false) -> Int {
        let order: Int
        switch (left, right) {
        case (.missing, .missing): return 0
        case (.missing, _): return 1
        case (_, .missing): return -1
        case (.whole(let a), .whole(let b)): order = sign(a, b)
        case (.whole(let a), .real(let b)) where !b.isNaN: order = DecimalNumber.order(a, b)
        case (.real(let a), .whole(let b)) where !a.isNaN: order = -DecimalNumber.order(b, a)
        case (.text(let a), .text(let b)): order = sign(a, b)
        case (.natural(let a), .natural(let b)): order = sign(a, b)
        case (.date(let a), .date(let b)): order = sign(a, b)
        case (.exact, _), (_, .exact):
            guard let a = left.exact, let b = right.exact else { fallthrough }
            order = sign(a, b)
        default:
            let (a, b) = (left.real, right.real)
            if a.isNaN || b.isNaN { return (a.isNaN ? 1 : 0) - (b.isNaN ? 1 : 0) }
            order = sign(a, b)
        }
        return descending ? -order : order
    }

    private static func sign<T: Comparable>(_ a: T, _ b: T) -> Int { a < b ? -1 : (a > b ? 1 : 0) }
}

extension ValueOrder.Key {
    fileprivate var real: Double {
        switch self {
        case .whole(let number): Double(number)
        case .real(let number): number
        case .exact(let number): Double(truncating: number as NSDecimalNumber)
        case .text, .natural, .missing, .date: .nan
        }
    }

    fileprivate var exact: Decimal? {
        switch self {
        case .whole(let number): Decimal(number)
        case .real(let number): ExactNumber.decimal(number)
        case .exact(let number): number
        default: nil
        }
    }
}

/// Detects columns with values of two kinds.
struct KindCheck {
    let command: String
    let parameter: String
    private var kind: String?
    /// Whether all values so far are numbers: the fast path.
    private var isOfNumbers = false
    private var row = 0

    init(command: String, parameter: String) {
        self.command = command
        self.parameter = parameter
    }

    /// Takes the value of the next row; throws `E-DATA-MIXED` when its kind differs from the previous values.
    mutating func take(_ value: Value) throws(RutterError) {
        row += 1
        if isOfNumbers, (value.asNumber != nil) { return }
        guard let next = try ValueOrder.kind(of: value, at: parameter) else { return }
        guard let kind else {
            self.kind = next
            isOfNumbers = (value.asNumber != nil)
            return
        }
        guard kind != next else { return }
        throw DataErrors.mixed(
            "`\(command)` cannot compare \(kind) with \(next) (row \(row))", at: .parameter(parameter),
            fix: "keep the rows of one kind with `where`, or convert them with `each`")
    }
}
