import Foundation
import PluginKit

/// Refuses to compare by letters what are numbers or dates to a reader: `1,250` and `950`, `12 km` and `700 m`, `8:15` and
/// `10:05`, `25/04/2026` and `05/06/2026`.
///
/// Texts of one shape, such as postcodes or times of two digits each, have the same order by letters and by size.
struct NumericTextCheck {
    let command: String
    /// The shape of the first text that looks like a number: its digits replaced.
    private var shape: String?
    private var example = ""
    private var differs: String?
    private var numeric = 0
    private var words = 0
    /// Days and times whose letters have their order, as `2026-04-03 10:00`, and the first of them: dates beside `2026-04-03 9:00`, words beside
    /// numbers.
    private var orderedTimes = 0
    private var orderedTime: String?
    private var placeholders = 0
    /// The one placeholder, as it is written; empty when there are several.
    private var placeholder: String?
    /// Whether one has a digit, as `#DIV/0!` has.
    private var hasDigits = false
    private var repairs = NumericTextRepair.all
    private var areDates = false
    /// What follows the digits of the first text, and whether it is the same in all.
    private var unit = ""
    private var isOneUnit = true
    /// The currencies of amounts, in the order in which they are first met.
    private var currencyCodes: [String] = []
    /// The first amount.
    private var amount: String?
    private var calendar = CalendarWords()
    private var zones = ZonedTexts()

    /// Numbers that may be versions, whose order is another one: `1.10` beside `1.9`.
    private var versions = VersionDoubt()
    /// How many colons the texts have: 59:30 and 1:02:03 begin with other units.
    private var colons: Set<Int> = []

    /// Whether a value is one that no conversion of texts takes, such as true.
    private var hasForeign = false

    init(command: String) { self.command = command }

    mutating func take(_ value: Value) {
        guard case .text(let text) = value else {
            switch value {
            case .nothing, .integer, .number, .quantity, .text: break
            case .object(is ExactNumber): break
            case .boolean, .date, .coordinate, .box, .list, .rows, .record, .object: hasForeign = true
            }
            return
        }
        if NumberInText.isPlaceholder(text) {
            placeholders += 1
            hasDigits = hasDigits || text.utf8.contains { (48...57).contains($0) }
            placeholder = (placeholder ?? text) == text ? text : ""
            return
        }
        calendar.take(text)
        guard Self.looksNumeric(text), !Self.isDottedDate(text) else {
            if DateText.isDate(text) {
                takeDate(text)
            } else if NumberInText.hasDateShape(text) {
                orderedTimes += 1
                orderedTime = orderedTime ?? text
                if text.contains(":") { zones.take(text) }
                if areDates { repairs.removeAll { !$0.repairs(text) } }
            } else {
                words += 1
            }
            return
        }
        numeric += 1
        versions.take(text)
        if colons.count < 2 { colons.insert(text.utf8.count { $0 == UInt8(ascii: ":") }) }
        if let currency = NumberInText.currency(of: text), !currencyCodes.contains(currency) {
            currencyCodes.append(currency)
            amount = amount ?? text
        }
        let shape = String(text.map { $0.isWholeNumber ? "0" : $0 })
        guard let known = self.shape else {
            (self.shape, example, unit) = (shape, text, Self.parts(text)?.unit ?? "")
            repairs.removeAll { !$0.repairs(text) }
            return
        }
        if Self.parts(text)?.unit != unit { isOneUnit = false }
        if text == example || shape == known && !Self.runsBackwards(text) { return }
        if differs == nil { differs = text }
        repairs.removeAll { !$0.repairs(text) }
    }

    /// Dates of one shape, too, have another order by letters, unless the year comes first.
    private mutating func takeDate(_ text: String) {
        numeric += 1
        guard shape != nil else {
            (shape, example, areDates) = (text, text, true)
            repairs = DateText.patterns(of: text).map { .date($0) }
            if let orderedTime { repairs.removeAll { !$0.repairs(orderedTime) } }
            return
        }
        guard text != example else { return }
        if differs == nil { differs = text }
        repairs.removeAll { !$0.repairs(text) }
    }

    /// Texts that are neither numbers nor dates.
    private var others: Int { words + (areDates ? 0 : orderedTimes) }

    /// What the check would say; `nil` where the order by letters is the one that a reader expects.
    var doubt: String? {
        if let named = calendar.doubt ?? zones.doubt { return named }
        let alike = numeric + (areDates ? orderedTimes : 0)
        let differs = differs ?? (areDates ? orderedTime : nil)
        guard alike > others, differs != nil || others + placeholders > 0 else { return nil }
        let kind = areDates ? "date" : "number"
        if let differs {
            return "`\(example.prefix(20))` and `\(differs.prefix(20))` are text that looks like \(kind)s"
        }
        return "`\(example.prefix(20))` is text that looks like a \(kind), beside other text"
    }

    /// Throws `E-DATA-TEXT` if most of the texts look like numbers, and are of different shapes or stand among other text.
    func require(field: String?) throws(RutterError) {
        guard let doubt else { return }
        throw DataErrors.numericText(
            "`\(command)` would compare by letters: \(doubt)", at: .parameter("field"),
            fix: fix(field))
    }

    /// What is said of amounts in several currencies: they have neither a sum nor an order.
    private func exchange(_ field: String?) -> String? {
        guard currencyCodes.count > 1, let amount, let sign = Self.sign(of: amount) else { return nil }
        let name = Evaluator.reference(to: field)
        return
            "the amounts are in \(currencyCodes.prefix(4).joined(separator: ", ")); those of one alone: "
            + "… | where contains(\(name), \(Literal.quoted(sign)))"
    }

    /// The currency of an amount as it is written.
    private static func sign(of amount: String) -> String? {
        let sign = amount.filter { !$0.isNumber && !" \u{A0}\u{202F}.,'’+-−()".contains($0) }
        return sign.isEmpty ? nil : sign
    }

    /// What makes numbers of the texts, where all or most are numbers to a reader; `nil` for other texts.
    func conversion(field: String?) -> String? {
        numeric > others && !areDates && !hasForeign ? fix(field) : nil
    }

    /// What is said of two texts that look like numbers or dates and would be compared by their letters, with what compares their
    /// values; `nil` for others. `left` is an expression.
    static func comparison(_ left: String, _ a: String, _ b: String) -> (doubt: String, fix: String)? {
        guard startsAsNumber(a), startsAsNumber(b) else { return nil }
        var check = NumericTextCheck(command: "")
        check.take(.text(a))
        check.take(.text(b))
        if check.calendar.isCounted, let doubt = check.calendar.doubt {
            return (doubt, "write their numbers with two digits each, or compare for equality with == and !=")
        }
        guard check.others == 0, check.placeholders == 0, let doubt = check.doubt, check.differs != nil else {
            return nil
        }
        guard let first = check.repairs.first else {
            return (doubt, "convert both, or compare for equality with == and !=")
        }
        let all = [first] + check.repairs.filter { first.isAmbiguous(with: $0) }
        let ways = all.map { "\($0.expression(of: left)) beside \($0.expression(of: Literal.quoted(b)))" }
        return (doubt, ways.joined(separator: ", or ") + (ways.count > 1 ? ", as it is meant" : ""))
    }

    /// What is said where a function would compare texts that look like numbers or dates; `nil` where it may.
    var refusal: (doubt: String, fix: String)? {
        guard let doubt else { return nil }
        guard let first = repairs.first, others + placeholders == 0, calendar.doubt == nil, zones.doubt == nil
        else { return (doubt, "convert the texts, or leave out what has no order of size") }
        let ways = ([first] + repairs.filter { first.isAmbiguous(with: $0) }).map { $0.expression(of: "x") }
        return (
            doubt,
            "convert each text x: " + ways.joined(separator: ", or ")
                + (ways.count > 1 ? ", as it is meant" : "")
        )
    }

    /// Whether a text may be a number or a date, at first sight.
    private static func startsAsNumber(_ text: String) -> Bool {
        guard let first = text.utf8.first else { return false }
        return (48...57).contains(first) || first >= 0xC2 || " +-.($~<>".utf8.contains(first)
    }

    /// What `sort` says; `nil` where the order by letters is the one that a reader expects.
    func notice(field: String?) -> String? {
        guard let doubt else { return nil }
        if calendar.doubt == nil, zones.doubt != nil { return "sorted by letters: \(doubt)" }
        if calendar.doubt != nil {
            if calendar.isCounted {
                return "sorted by letters: \(doubt); by the numbers in it: \(Self.natural(field))"
            }
            let number = calendar.number(field)
            return "sorted by letters: \(doubt)"
                + (number.map { "; by the calendar: … | extend month=\($0) | sort month" } ?? "")
        }
        if let exchange = exchange(field) { return "sorted by letters: \(doubt); \(exchange)" }
        guard let repair = repairs.first, others + placeholders == 0 else {
            guard isCounted else { return "sorted by letters: \(doubt)" }
            return
                "sorted by letters: \(doubt); by the numbers in it: \(Self.natural(field))"
        }
        let values = ([repair] + repairs.filter { repair.isAmbiguous(with: $0) }).map { $0.expression(field) }
        let steps =
            field.map { "extend \(Literal.text($0))=\(values[0]) | sort \(Literal.text($0))" }
            ?? "each \(values[0]) | sort"
        var others = values.dropFirst().map { ", or \($0)" }
        if versions.found != nil { others.append(", or, of versions, \(Self.natural(field))") }
        return "sorted by letters: \(doubt); by value: … | \(steps)" + others.joined()
            + (others.isEmpty ? "" : ", as it is meant")
    }

    /// The command that sorts by the numbers in texts.
    private static func natural(_ field: String?) -> String {
        "sort\(field.map { " " + Literal.text($0) } ?? "") --natural"
    }

    /// What to do instead.
    private func fix(_ field: String?) -> String {
        let name = Evaluator.reference(to: field)
        if calendar.doubt == nil, zones.doubt != nil {
            return
                "leave those of other zones out with `where`, or give times an offset: 2026-02-06 08:15-05:00"
        }
        if calendar.doubt != nil {
            let end = command == "min" ? "first" : "last"
            if calendar.isCounted {
                return "by the numbers in the text: … | \(Self.natural(field)) | \(end)"
            }
            return calendar.number(field).map { "… | extend month=\($0) | sort month | \(end)" }
                ?? "no function reads them: leave their order out, or number them in a field of their own"
        }
        if let exchange = exchange(field) {
            return exchange + (repairs.first.map { " | each \($0.expression(field)) | \(command)" } ?? "")
        }
        var steps: [String] = []
        if placeholders > 0 {
            steps.append(
                placeholder.flatMap { $0.isEmpty ? nil : "where \(name) != \(Literal.quoted($0))" }
                    ?? "where \(name) =~ '\(hasDigits ? "^[^#]*[0-9]" : "[0-9]")'")
        }
        if others > 0, repairs.contains(where: \.isPlain) {
            steps.append("where \(name) =~ '^[-+]?[0-9.]+$'")
        }
        guard let first = repairs.first, others == 0 || first.isPlain else {
            guard isCounted, command != "sum", command != "mean" else {
                return "convert the field, or leave out with `where` what has no order of size"
            }
            let end = command == "min" ? "first" : "last"
            return "by the numbers in the text: … | \(Self.natural(field)) | \(end)"
        }
        var others = repairs.filter { first.isAmbiguous(with: $0) }.map { ", or \($0.expression(field))" }
        if versions.found != nil, command == "min" || command == "max" {
            others.append(
                ", or, of versions, … | \(Self.natural(field)) | \(command == "min" ? "first" : "last")")
        }
        return (["…"] + steps + ["each \(first.expression(field))", command]).joined(separator: " | ")
            + others.joined() + (others.isEmpty ? "" : ", as it is meant")
    }

    /// Whether the natural order is the one of size, as it is of versions and times; a sign, a fraction or an exponent has
    /// another one.
    private var isCounted: Bool {
        // Dates of several patterns have no order that their numbers show, and 9 M is more than 10 K.
        !areDates && isOneUnit && colons.count < 2
            && [example, differs].compactMap(\.self).allSatisfy { text in
                guard let (number, unit) = Self.parts(text) else { return false }
                return text.first?.isWholeNumber == true && number.filter { $0 == "." }.count != 1
                    && !number.contains(",") && !Self.isExponent(unit) && !Self.isHexadecimal(unit)
                    && !Self.isTrailingMinus(unit)
            }
    }

    /// Whether a text is a number with separators, perhaps with a unit or a currency.
    static func looksNumeric(_ text: String) -> Bool {
        if isQualified(text) || QuantityText.isFeetOrMinutes(text) { return true }
        guard let (number, unit) = parts(text) else { return false }
        if unit.isEmpty || isExponent(unit) || number == "0" && isHexadecimal(unit) { return true }
        if isTrailingMinus(unit) || isCompound(unit) { return true }
        return unit.count <= longestUnit && unit.allSatisfy { $0.isLetter || "%°$€£¥/²³".contains($0) }
    }

    /// Whether further numbers with their units follow the first unit, as in `5 ft 11 in`, `1h 5m` and `12 lb, 3 oz`.
    private static func isCompound(_ unit: String) -> Bool {
        let words = unit.split { !$0.isLetter }
        let marks = unit.filter { !$0.isLetter && !$0.isWholeNumber }
        return (2...mostParts).contains(words.count)
            && words.allSatisfy { compoundUnits.contains($0.lowercased()) }
            && unit.contains(where: \.isWholeNumber) && unit.last?.isLetter == true
            && marks.allSatisfy { " ,.".contains($0) }
            && unit.split { !$0.isWholeNumber && $0 != "." }.filter { $0 != "." }.count == words.count - 1
    }

    /// Units of quantities that are written with several.
    private static let compoundUnits: Set<String> = [
        "d", "day", "days", "h", "hr", "hrs", "m", "min", "mins", "s", "sec", "secs", "ft", "in", "yd", "mi",
        "km", "cm",
        "mm", "lb", "lbs", "oz", "st", "kg", "g",
    ]

    /// Most numbers of a compound quantity.
    private static let mostParts = 4

    /// A bound or an estimate (`<5`, `~12`), a price with its currency's code first, a fraction, a duration of ISO 8601: numbers to a
    /// reader, that are read by hand.
    private static func isQualified(_ text: String) -> Bool {
        let text = text.trimmingCharacters(in: .whitespaces)
        if let first = text.first, "<>≤≥~≈".contains(first) {
            return text.dropFirst().drop { $0 == "=" || $0 == " " }.first?.isWholeNumber == true
        }
        let bytes = Array(text.utf8.prefix(longestQualified))
        if bytes.count > 4, bytes[3] == 32, currencies.contains(String(text.prefix(3))) {
            return (48...57).contains(bytes[4])
        }
        if bytes.starts(with: "P".utf8), bytes.count > 2 {
            let rest = bytes.dropFirst()
            return rest.contains { (48...57).contains($0) }
                && rest.allSatisfy { (48...57).contains($0) || "TYMWDHS.,".utf8.contains($0) }
                && !(48...57).contains(rest[rest.endIndex - 1])
        }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 2
            && parts.allSatisfy {
                !$0.isEmpty && $0.utf8.count < 4 && $0.utf8.allSatisfy { (48...57).contains($0) }
            }
    }

    private static let longestQualified = 40
    private static let currencies: Set<String> = [
        "AUD", "CAD", "CHF", "CNY", "CZK", "DKK", "EUR", "GBP", "HUF", "INR", "JPY", "NOK", "NZD", "PLN",
        "SEK", "USD",
    ]

    /// A date such as `1.2.2026`, which looks like a number with points between its groups.
    private static func isDottedDate(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 3 && parts[2].count >= 4 && DateText.isDate(text)
    }

    /// Whether texts of this shape have another order by letters than by size: negative numbers and those with an exponent.
    private static func runsBackwards(_ text: String) -> Bool {
        guard let first = text.first(where: { $0 != " " }), let (_, unit) = parts(text) else { return false }
        return "-−($€£¥".contains(first) && text.contains { "-−(".contains($0) } || isExponent(unit)
            || isTrailingMinus(unit)
    }

    /// The digits of a number with their separators, and what follows.
    private static func parts(_ text: String) -> (number: Substring, unit: String)? {
        var rest = text.trimmingCharacters(in: .whitespaces)[...]
        if rest.first == "(", rest.last == ")" { rest = rest.dropFirst().dropLast() }
        // A sign and a currency, in either order.
        for _ in 0..<2 { if let first = rest.first, "+-−$€£¥".contains(first) { rest = rest.dropFirst() } }
        if rest.first == "." { rest = rest.dropFirst() }
        guard rest.first?.isWholeNumber == true else { return nil }
        let number = rest.prefix { $0.isWholeNumber || ".,:'’_ \u{A0}\u{202F}".contains($0) }
        return (number, rest[number.endIndex...].trimmingCharacters(in: .whitespaces))
    }

    /// Whether the sign stands behind the number: `5.00-`.
    private static func isTrailingMinus(_ unit: String) -> Bool { unit == "-" || unit == "−" }

    private static func isExponent(_ text: String) -> Bool {
        guard text.first == "e" || text.first == "E" else { return false }
        let digits = text.dropFirst().drop { $0 == "+" || $0 == "-" }
        return !digits.isEmpty && digits.allSatisfy(\.isWholeNumber)
    }

    private static func isHexadecimal(_ text: String) -> Bool {
        guard text.first == "x" || text.first == "X", text.count > 1 else { return false }
        return text.dropFirst().allSatisfy(\.isHexDigit)
    }

    private static let longestUnit = 5
}

/// A way in which texts become values with an order.
enum NumericTextRepair: Hashable {
    /// Numbers that can be read in one way.
    case number
    /// Numbers with a decimal point and commas between thousands, or the reverse.
    case point, comma
    /// Numbers with a unit.
    case quantity
    /// Hours and minutes.
    case clock
    /// Minutes and seconds of a kilometre.
    case pace
    /// Feet and inches, or minutes and seconds: `5'11"`.
    case feet, minutes
    case date(String)

    static let all: [NumericTextRepair] = [
        .number, .point, .comma, .quantity, .clock, .pace, .feet, .minutes,
    ]

    /// Whether it is for numbers as computers write them.
    var isPlain: Bool { self == .number }

    func repairs(_ text: String) -> Bool {
        switch self {
        case .number: NumberInText.value(text) != nil
        case .point: NumberInText.value(text, point: ".") != nil
        case .comma: NumberInText.value(text, point: ",") != nil
        case .quantity: QuantityText.readTimer(text) != nil
        case .clock: QuantityText.read(text + "h") != nil && text.contains(":")
        case .pace: text.contains(":") && QuantityText.read(text + "/km") != nil
        case .feet, .minutes: QuantityText.isFeetOrMinutes(text)
        case .date(let pattern): DatePattern.reads(text.trimmingCharacters(in: .whitespaces), pattern)
        }
    }

    /// The expression that converts a field.
    func expression(_ field: String?) -> String { expression(of: Evaluator.reference(to: field)) }

    /// The expression that converts the value of another one.
    func expression(of name: String) -> String {
        switch self {
        case .number: "number(\(name))"
        case .point: "number(\(name), '.')"
        case .comma: "number(\(name), ',')"
        case .quantity: "quantity(\(name))"
        case .clock: "quantity(\(name) + 'h')"
        case .pace: "quantity(\(name) + '/km')"
        case .feet: "quantity(\(name), 'ft')"
        case .minutes: "quantity(\(name), 'min')"
        case .date(let pattern): "date(\(name), '\(pattern)')"
        }
    }

    /// A pattern without what says how long months and hours are written: `May` is short and long.
    private static func plain(_ pattern: String) -> String {
        pattern.replacing("HH", with: "H").replacing("MMMM", with: "MMM")
    }

    /// Whether both read the same texts, as different values.
    func isAmbiguous(with other: NumericTextRepair) -> Bool {
        switch (self, other) {
        case (.point, .comma), (.clock, .pace), (.feet, .minutes): true
        case (.date(let a), .date(let b)): Self.plain(a) != Self.plain(b)
        default: false
        }
    }
}
