import PluginKit

/// An aggregate that `summarize` computes from a group's rows.
enum AggregateFunction: Sendable, Hashable {
    case count, sum, min, max, mean, first, last, list, unique
    /// The standard deviation of a sample, by n − 1.
    case deviation
    /// A percentile, 0…100; the median is the 50th.
    case percentile(Int)

    /// Names for help and completion.
    static let names = [
        "count", "sum", "min", "max", "mean", "median", "p95", "stddev", "first", "last", "list", "unique",
    ]

    init?(name: String) {
        switch name {
        case "count": self = .count
        case "sum": self = .sum
        case "min": self = .min
        case "max": self = .max
        case "mean": self = .mean
        case "median": self = .percentile(50)
        case "first": self = .first
        case "last": self = .last
        case "list": self = .list
        case "stddev": self = .deviation
        case "unique": self = .unique
        default:
            guard name.hasPrefix("p"), (2...3).contains(name.count), let rank = Int(name.dropFirst()),
                (1...99).contains(rank)
            else { return nil }
            self = .percentile(rank)
        }
    }

    /// The function's summary, for help.
    static func summary(of name: String) -> String {
        switch name {
        case "count": "count the rows, or the rows that have the value"
        case "sum": "return the sum; missing values are skipped"
        case "min": "return the smallest value"
        case "max": "return the greatest value"
        case "mean": "return the mean; angles are averaged on the circle"
        case "median": "return the middle value; between two, their mean"
        case "p95": "return a percentile, p1 to p99, linearly interpolated"
        case "stddev": "return the standard deviation of a sample (n - 1)"
        case "first": "return the first value that is not missing"
        case "last": "return the last value that is not missing"
        case "list": "return all values that are not missing"
        default: "return the distinct values"
        }
    }
}

/// Accumulates the values of one aggregate in one group.
struct Accumulator {
    private let function: AggregateFunction
    private let name: String
    private var count = 0
    private var hasMissing = false
    private var total: Total
    private var spread = Spread()
    private var best: (value: Value, key: ValueOrder.Key)?
    private var check: KindCheck
    private var texts: NumericTextCheck
    private var values: [Value] = []
    private var seen: Set<ValueKey> = []
    private var single = Value.nothing

    init(_ function: AggregateFunction, name: String) {
        self.function = function
        self.name = name
        total = Total(command: name)
        check = KindCheck(command: name, parameter: "aggregates")
        texts = NumericTextCheck(command: name)
    }

    /// Adds the value of the next row; returns how many more values are kept in memory. Missing values are skipped.
    mutating func take(_ value: Value) throws -> Int {
        if case .nothing = value {
            hasMissing = true
            return 0
        }
        switch function {
        case .count: count += 1
        case .sum: try total.add(value)
        case .mean: return try total.addToMean(value)
        case .deviation:
            try total.add(value)
            try spread.take(value, name)
        case .min: try compare(value, sign: -1)
        case .max: try compare(value, sign: 1)
        case .first: if case .nothing = single { single = value }
        case .last: single = value
        case .list, .percentile:
            if case .percentile = function { try Percentile.check(value, name) }
            values.append(value)
            return 1
        case .unique:
            if try seen.insert(ValueKey(value)).inserted {
                values.append(value)
                return 1
            }
        }
        return 0
    }

    private mutating func compare(_ value: Value, sign: Int) throws(RutterError) {
        try check.take(value)
        // The most frequent comparison, without keys.
        if case .integer(let number) = value, case .integer(let known)? = best?.value {
            if sign < 0 ? number < known : number > known { best = (value, .whole(number)) }
            return
        }
        texts.take(value)
        let key = ValueOrder.key(of: value)
        if case .real(let number) = key, number.isNaN { return }
        if let known = best?.key, ValueOrder.compare(key, known) * sign <= 0 { return }
        best = (value, key)
    }

    /// The result.
    func result() throws -> Value {
        switch function {
        case .count: return .integer(count)
        // If all values are unknown, the sum is unknown, not zero.
        case .sum: return total.count == 0 && hasMissing ? .nothing : total.value
        case .mean: return total.mean
        case .deviation: return Value(spread.deviation) { total.value(of: $0) }
        case .min, .max:
            try texts.require(field: nil)
            return best?.value ?? .nothing
        case .first, .last: return single
        case .list, .unique: return .list(values)
        case .percentile(let rank): return try Percentile.value(of: values, rank: rank, name)
        }
    }
}

/// How far values lie apart, in one pass (Welford, Technometrics 4, 1962).
private struct Spread {
    private var count = 0.0
    private var mean = 0.0
    /// The sum of the squares of the distances from the mean.
    private var squares = 0.0

    mutating func take(_ value: Value, _ name: String) throws(RutterError) {
        let number: Double
        if case .quantity(let quantity) = value {
            guard quantity.dimension != .angle else {
                throw DataErrors.notNumbers(
                    "`\(name)` is not defined for angles, which go round", at: .parameter("aggregates"))
            }
            number = quantity.value
        } else {
            number = value.asNumber ?? .nan
        }
        count += 1
        let distance = number - mean
        mean += distance / count
        squares += distance * (number - mean)
    }

    /// The standard deviation of a sample; `nil` for fewer than two values, which have none.
    var deviation: Double? { count > 1 ? (squares / (count - 1)).squareRoot() : nil }
}

/// Percentiles by linear interpolation between the two nearest ranks (Hyndman and Fan, 1996, definition 7), as in
/// R, NumPy and DuckDB's `quantile_cont`.
enum Percentile {
    static func check(_ value: Value, _ name: String) throws(RutterError) {
        switch value {
        case .integer, .number, .quantity: return
        case .object(is ExactNumber): return
        default:
            throw DataErrors.notNumbers(
                "`\(name)` takes numbers and quantities, not \(value.kindName)", at: .parameter("aggregates"))
        }
    }

    static func value(of values: [Value], rank: Int, _ name: String) throws -> Value {
        guard let sample = values.first else { return .nothing }
        var kinds = KindCheck(command: name, parameter: "aggregates")
        for value in values { try kinds.take(value) }
        let amounts = try line(values, name)
        let order = zip(values, amounts).map { (value: $0, amount: $1) }.sorted {
            if $0.amount != $1.amount { return $0.amount < $1.amount }
            return ValueOrder.compare(ValueOrder.key(of: $0.value), ValueOrder.key(of: $1.value)) < 0
        }
        let position = Double(rank) / 100 * Double(order.count - 1)
        let low = Int(position)
        let high = Swift.min(low + 1, order.count - 1)
        let share = position - Double(low)
        if share == 0 { return order[low].value }
        if let exact = between(order[low].value, order[high].value, share) { return exact }
        if order[low].amount == order[high].amount { return order[low].value }
        let amount = DecimalNumber.rounded(
            order[low].amount + (order[high].amount - order[low].amount) * share)
        guard case .quantity(var quantity) = sample else {
            return Int(exactly: amount).map { .integer($0) } ?? .number(amount)
        }
        // Those around north may be counted on beyond 360°.
        quantity.value = quantity.dimension == .angle && amount >= 360 ? amount - 360 : amount
        return .quantity(quantity)
    }

    /// The sizes of values; angles around a common direction follow each other, so that 350° is before 10°.
    private static func line(_ values: [Value], _ name: String) throws(RutterError) -> [Double] {
        let sizes = values.map(size)
        guard case .quantity(let quantity)? = values.first, quantity.dimension == .angle else { return sizes }
        guard let line = CircularMean.line(of: sizes) else {
            throw DataErrors.notNumbers(
                "`\(name)` is not defined for angles all around, which have no first one",
                at: .parameter("aggregates"))
        }
        return line
    }

    /// The value at a share of the way between two numbers of which one is kept exactly.
    private static func between(_ low: Value, _ high: Value, _ share: Double) -> Value? {
        guard ExactNumber.isExact(low) || ExactNumber.isExact(high), let from = low.exactDecimal,
            let to = high.exactDecimal, let part = ExactNumber.decimal(DecimalNumber.rounded(share))
        else { return nil }
        return ExactNumber.value(from + (to - from) * part)
    }

    private static func size(_ value: Value) -> Double {
        if case .quantity(let quantity) = value { return quantity.value }
        return value.asNumber ?? .nan
    }
}
