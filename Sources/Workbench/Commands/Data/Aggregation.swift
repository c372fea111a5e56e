import Foundation
import PluginKit

/// The input of `sum`, `mean`, `min` and `max`: the values of one field, or of a plain list.
struct Aggregation {
    static let field = Parameter<String?>.optional("field", .field, "field; not used for plain lists")

    let command: String
    let field: String?

    /// Calls `body` with each value; rows without a value are skipped. Returns the number of skipped rows.
    @discardableResult
    func forEach(_ input: Value, _ body: (Value) throws -> Void) throws -> Int {
        var missing = 0
        let rows = try Rows(input, for: command)
        let path = field.map { FieldPath($0, for: "field") }
        if let path { try rows.require([path]) }
        try rows.forEachWatched(path.map { [$0] } ?? []) { row, watch in
            let value: Value
            if let path {
                value = try path.value(in: row, watch)
            } else if let names = row.fieldNames {
                throw DataErrors.whichField(
                    "`\(command)` needs a field for rows",
                    fix: "`\(command) FIELD` with one of: \(names.joined(separator: ", "))")
            } else {
                value = row
            }
            if case .nothing = value {
                missing += 1
                return
            }
            try body(value)
        }
        return missing
    }

    /// The same for values that are added: the error of texts says how they become numbers.
    @discardableResult
    func forEachNumber(_ input: Value, _ body: (Value) throws -> Void) throws -> Int {
        do {
            return try forEach(input, body)
        } catch var error as RutterError where error.kind == DataErrors.notNumbers && error.fix == nil {
            var texts = NumericTextCheck(command: command)
            // The rows may not come again, as those of a pipe.
            if (try? forEach(input, { texts.take($0) })) != nil { error.fix = texts.conversion(field: field) }
            throw error
        }
    }

    /// The value that comes first, or last, in order; nothing when there are no values.
    func extreme(_ input: Value, sign: Int) throws -> Value {
        var check = KindCheck(command: command, parameter: "field")
        var texts = NumericTextCheck(command: command)
        var best: (value: Value, key: ValueOrder.Key)?
        try forEach(input) { value in
            try check.take(value)
            texts.take(value)
            let key = ValueOrder.key(of: value)
            if case .real(let number) = key, number.isNaN { return }
            guard let found = best, ValueOrder.compare(key, found.key) * sign <= 0 else {
                best = (value, key)
                return
            }
        }
        try texts.require(field: field)
        return best?.value ?? .nothing
    }
}

/// Adds numbers or quantities. Whole numbers stay whole; others are added with Neumaier's compensation (Z. angew.
/// Math. Mech. 54, 1974), so that the order of the rows hardly matters.
struct Total {
    let command: String
    private(set) var count = 0
    private var whole: Int? = 0
    /// The sum with all digits, once a number has more than 64 bits hold.
    private var exact: Decimal?
    private var sum = 0.0
    /// Whether all numbers are decimals of at most six places, so that their sum is one.
    private var isShort = true
    private var compensation = 0.0
    private var sample: Quantity?
    private var isPlain = false
    /// The directions of a mean, which is taken on the circle.
    private var angles: [Double] = []

    init(command: String) { self.command = command }

    mutating func add(_ value: Value) throws(RutterError) {
        count += 1
        switch value {
        case .integer(let number) where sample == nil:
            isPlain = true
            if let sum = whole {
                let (next, overflow) = sum.addingReportingOverflow(number)
                if overflow { exact = Decimal(sum) }
                whole = overflow ? nil : next
            } else if exact == nil, DecimalNumber.isBeyondExact(number) {
                exact = decimal
            }
            keep(value)
            add(Double(number))
        case .number(let number) where sample == nil:
            isPlain = true
            if let whole, DecimalNumber.isBeyondExact(whole) { exact = Decimal(whole) }
            whole = nil
            keep(value)
            add(number)
        case .object(let number as ExactNumber) where sample == nil:
            isPlain = true
            // All digits are kept from here on, as long as 38 hold the sum; numbers before it must be whole.
            if exact == nil, let whole { exact = Decimal(whole) }
            keep(value)
            whole = nil
            add(number.number)
        case .quantity(let quantity)
        where !isPlain && (sample?.dimension ?? quantity.dimension) == quantity.dimension:
            note(quantity)
            add(quantity.value)
        case .integer, .number, .quantity:
            throw DataErrors.mixed(
                "`\(command)` cannot add \(value.article) to \(sample.map { Value.quantity($0).article } ?? "a number")",
                at: .parameter("field"))
        default:
            throw DataErrors.notNumbers(
                "`\(command)` adds numbers and quantities, not \(value.kindName)", at: .parameter("field"))
        }
    }

    /// Adds a number to the exact sum, if there is one.
    private mutating func keep(_ value: Value) {
        guard var sum = exact else { return }
        exact = nil
        guard var number = value.exactDecimal else { return }
        var result = Decimal()
        if NSDecimalAdd(&result, &sum, &number, .plain) == .noError { exact = result }
    }

    /// Six places, and the relative error of scaling to them.
    private static let scale = 1e6
    private static let scalingError = 4e-16

    /// The sum, rounded to the places of its numbers.
    private var rounded: Double {
        let sum = sum + compensation
        return isDecimal(sum) ? (sum * Self.scale).rounded() / Self.scale : sum
    }

    /// Whether a sum of the numbers is a decimal of at most six places that floating point tells from its neighbours.
    private func isDecimal(_ sum: Double) -> Bool { isShort && abs(sum) * Self.scale < 1e15 }

    /// The sum with all digits where it is a short decimal; `nil` for others.
    private var decimal: Decimal? {
        isDecimal(sum + compensation) ? Self.number(rounded).exactDecimal : nil
    }

    /// Adds a value to the mean; returns how many more values are kept in memory.
    mutating func addToMean(_ value: Value) throws(RutterError) -> Int {
        try add(value)
        guard case .quantity(let quantity) = value, quantity.dimension == .angle else { return 0 }
        angles.append(quantity.value)
        return 1
    }

    /// The sum; of whole numbers beyond 64 bits with all digits.
    var value: Value {
        if let sample { return .quantity(quantity(rounded, like: sample)) }
        if let exact, let sum = ExactNumber.value(exact) { return sum }
        return whole.map { .integer($0) } ?? Self.number(rounded)
    }

    /// The mean; nothing when there are no values or the mean direction is undefined.
    var mean: Value {
        guard count > 0 else { return .nothing }
        if let sample, sample.dimension == .angle {
            return Value(CircularMean.of(angles)) { .quantity(quantity($0, like: sample)) }
        }
        if sample == nil, let sum = value.exactDecimal, ExactNumber.isExact(value),
            let mean = ExactNumber.quotient(sum, Decimal(count))
        {
            return mean
        }
        let mean = DecimalNumber.quotient(rounded, Double(count))
        if let sample { return .quantity(quantity(mean, like: sample)) }
        return Self.number(mean)
    }

    /// A number in the unit of these values.
    func value(of number: Double) -> Value {
        if let sample { return .quantity(quantity(number, like: sample)) }
        return Self.number(number)
    }

    private mutating func add(_ number: Double) {
        let scaled = number * Self.scale
        if isShort, abs(scaled - scaled.rounded()) > abs(scaled) * Self.scalingError { isShort = false }
        let next = sum + number
        if next.isFinite {
            compensation += abs(sum) >= abs(number) ? (sum - next) + number : (number - next) + sum
        }
        sum = next
    }

    /// The unit is kept if all values share it; the most precise measured value sets the number of digits.
    private mutating func note(_ quantity: Quantity) {
        guard var known = sample else {
            sample = quantity
            return
        }
        if known.unit != quantity.unit { known.unit = nil }
        if let digits = quantity.digits { known.digits = max(digits, known.digits ?? 0) }
        sample = known
    }

    private func quantity(_ value: Double, like sample: Quantity) -> Quantity {
        Quantity(value, sample.dimension, unit: sample.unit, digits: sample.digits)
    }

    private static func number(_ value: Double) -> Value {
        Int(exactly: value).map { .integer($0) } ?? .number(value)
    }
}
