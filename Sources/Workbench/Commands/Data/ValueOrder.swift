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
        case (.text(let a), .text(let b)): order = sign(a, b)
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
        case .text, .missing, .date: .nan
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

/// Refuses to compare by letters what are numbers to a reader: `1,250` and `950`, `12 km` and `700 m`, `8:15` and `10:05`.
///
/// Texts of one shape, such as postcodes or times of two digits each, have the same order by letters and by size.
struct NumericTextCheck {
    let command: String
    /// The shape of the first text that looks like a number: its digits replaced.
    private var shape: String?
    private var example = ""
    private var differs: String?
    private var numeric = 0
    private var others = 0

    init(command: String) { self.command = command }

    mutating func take(_ value: Value) {
        guard case .text(let text) = value else { return }
        guard Self.looksNumeric(text) else {
            others += 1
            return
        }
        numeric += 1
        guard differs == nil else { return }
        let shape = String(text.map { $0.isWholeNumber ? "0" : $0 })
        guard let known = self.shape else {
            (self.shape, example) = (shape, text)
            return
        }
        if shape != known { differs = text }
    }

    /// Throws `E-DATA-TEXT` if most of the texts look like numbers, and are of different shapes or stand among other text.
    func require(field: String?) throws(RutterError) {
        guard numeric > others, differs != nil || others > 0 else { return }
        let name = field ?? "it"
        let what =
            differs.map { "`\(example.prefix(20))` and `\($0.prefix(20))` are text that looks like numbers" }
            ?? "`\(example.prefix(20))` is text that looks like a number, beside other text"
        throw DataErrors.numericText(
            "`\(command)` would compare by letters: \(what)",
            at: .parameter("field"),
            fix: others == 0
                ? "… | each number(\(name)) | \(command)   (or quantity(\(name)) for numbers with units)"
                : "leave out what is no number: … | where \(name) =~ '^[0-9.]+$' | each number(\(name)) | \(command)"
        )
    }

    /// Whether a text is a number with separators, perhaps with a unit or a currency.
    static func looksNumeric(_ text: String) -> Bool {
        var rest = text.trimmingCharacters(in: .whitespaces)[...]
        if let first = rest.first, "+-−$€£¥".contains(first) { rest = rest.dropFirst() }
        guard rest.first?.isWholeNumber == true else { return false }
        let number = rest.prefix { $0.isWholeNumber || ".,:'’_ \u{A0}\u{202F}".contains($0) }
        let unit = rest[number.endIndex...].trimmingCharacters(in: .whitespaces)
        return unit.count <= longestUnit && unit.allSatisfy { $0.isLetter || "%°$€£¥/²³".contains($0) }
    }

    private static let longestUnit = 5
}
