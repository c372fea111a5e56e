import CivilTime
import Foundation
import PluginKit

/// What the cells of a column are. The whole column decides, not a cell, and quotes around a cell say nothing about it
/// (RFC 4180).
enum ColumnKind: String, CaseIterable, Sendable {
    case number, boolean, date, coordinate, quantity, text
    case commaNumber = "comma-number"

    /// Kinds that are found in a column, in the order in which they are tried.
    static let found: [ColumnKind] = [.number, .boolean, .date, .coordinate, .commaNumber, .quantity]

    var summary: String {
        switch self {
        case .number: "whole or decimal numbers"
        case .commaNumber: "numbers with a decimal comma, such as 1.234,50"
        case .boolean: "true or false"
        case .date: "days or times in ISO 8601"
        case .coordinate: "LAT,LON in one cell"
        case .quantity: "numbers with a unit, such as 5 km"
        case .text: "text as it is"
        }
    }

    /// The value of a cell that is not blank; `nil` if it is none of this kind.
    func value(_ cell: String, in time: CellTime) -> Value? {
        if self == .text { return .text(cell) }
        let text = Self.trimmed(cell)
        switch self {
        case .number: return Value(numberText: text) ?? Value(numberText: Self.completed(text))
        case .commaNumber: return NumberInText.value(text, point: ",")
        case .boolean:
            switch text.lowercased() {
            case "true": return .boolean(true)
            case "false": return .boolean(false)
            default: return nil
            }
        case .date: return time.moment(text).map { .date($0) }
        case .coordinate:
            guard text.contains(","),
                case .value(let value)? = try? LiteralParser.parse(text.filter { $0 != " " }),
                case .coordinate = value
            else { return nil }
            return value
        case .quantity:
            return QuantityText.read(text).map { .quantity($0) }
        case .text: return .text(cell)
        }
    }
}

extension ColumnKind {
    /// The text without white space around it. Most cells begin and end with a visible character of ASCII and are taken as they are.
    fileprivate static func trimmed(_ cell: String) -> String {
        let visible: ClosedRange<UInt8> = 0x21...0x7E
        if let first = cell.utf8.first, let last = cell.utf8.last, visible ~= first, visible ~= last {
            return cell
        }
        return cell.trimmingCharacters(in: .whitespaces)
    }

    /// A number without digits before or behind its point, as `.5` and `5.`, with a zero there; other texts as they are.
    fileprivate static func completed(_ text: String) -> String {
        let point = UInt8(ascii: ".")
        guard text.utf8.first == point || text.utf8.last == point || text.hasPrefix("-.") else { return text }
        let digits = text.utf8.filter { (48...57).contains($0) }.count
        let sign = text.hasPrefix("-") ? 1 : 0
        guard digits > 0, digits + sign + 1 == text.utf8.count else { return text }
        let parts = text.utf8.dropFirst(sign).split(separator: point, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return text }
        let (whole, fraction) = (String(parts[0]) ?? "", String(parts[1]) ?? "")
        return (sign == 1 ? "-" : "") + (whole.isEmpty ? "0" : whole)
            + (fraction.isEmpty ? "" : "." + fraction)
    }
}

/// Where times without an offset are.
struct CellTime: Sendable {
    /// The zone of the session.
    let zone: TimeZone

    /// The instant of a text in ISO 8601, if nanoseconds hold it.
    func moment(_ text: String) -> Timestamp? {
        guard text.utf8.count >= 10, let parts = ISO8601.parts(text), !Self.isFinerThanNanoseconds(text)
        else {
            return nil
        }
        return moment(parts)
    }

    /// The instant of what is written.
    func moment(_ parts: ISO8601.Parts) -> Timestamp {
        let (days, time) = (parts.date.daysSinceEpoch, parts.millisecondsOfDay ?? 0)
        guard let offset = parts.offsetSeconds else {
            var local = LocalTime.dateTime(days: days, milliseconds: time).moment(
                now: Timestamp(milliseconds: 0), in: zone)
            local.nanoseconds = parts.nanoseconds
            return local
        }
        var moment = Timestamp(milliseconds: (Int64(days) * 86_400 - Int64(offset)) * 1000 + Int64(time))
        moment.nanoseconds = parts.nanoseconds
        return moment
    }

    /// What a change of the clocks makes of a time without an offset.
    func change(_ parts: ISO8601.Parts) -> ClockChange? {
        if zone == .gmt { return nil }
        return LocalTime.dateTime(
            days: parts.date.daysSinceEpoch, milliseconds: parts.millisecondsOfDay ?? 0
        ).clockChange(now: Timestamp(milliseconds: 0), in: zone)
    }

    private static func isFinerThanNanoseconds(_ text: String) -> Bool {
        guard let point = text.utf8.firstIndex(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") })
        else { return false }
        return text.utf8[point...].dropFirst().prefix { (48...57).contains($0) }.dropFirst(9).contains {
            $0 != 48
        }
    }
}

/// Finds the kind of a column from its cells.
struct ColumnEvidence {
    /// The kinds that all cells so far are of.
    private var possible = ColumnKind.found
    private var filled = 0
    private var numbers = 0
    private var dates = 0
    /// The first cell that is no number, and the first that is no date.
    private var other: (cell: String, line: Int)?
    private var undated: (cell: String, line: Int)?
    /// Whether all cells that are no numbers stand for a missing value.
    private var isPlaceheld = true
    /// The words for a missing value, in the order in which they are first met.
    private var placeholderWords: [String] = []
    private var dimension: PhysicalDimension?
    /// Whether a cell has a decimal point: `46.5,7.9` is a place, `46,5` may be a number.
    private var hasPoint = false
    /// Whether a cell can only be a number with a decimal comma, as `1,5` can and `1,250` cannot.
    private var hasDecimalComma = false
    private var doubt = NumberDoubt()
    private var sentinels = SentinelDoubt()
    /// Whether there are times with an offset, and the first without one.
    private var hasOffset = false
    private var withoutOffset: String?
    /// The first time without an offset that clocks skip, or show twice, in the session's zone.
    private var changed: (cell: String, change: ClockChange)?
    /// The first time in a leap second, which no count of seconds since 1970 has.
    private var leapSecond: String?
    /// The same doubt about the numbers of quantities.
    private var quantityDoubt = NumberDoubt()
    /// The currencies of amounts, in the order in which they are first met.
    private var currencies: [String] = []
    /// The first number in digits of another script, and how many there are.
    private var foreignDigits: String?
    private var foreignNumbers = 0

    /// Takes a cell that is not blank.
    mutating func take(_ cell: String, line: Int, in time: CellTime) {
        filled += 1
        if let number = ColumnKind.number.value(cell, in: time) {
            // A number is nothing else: most columns are decided here. Whole numbers stand among decimal commas, too.
            numbers += 1
            doubt.take(cell)
            if let number = number.asNumber { sentinels.take(cell, number) }
            if possible.count > 1 || possible.first != .number {
                let isWhole = !cell.utf8.contains {
                    $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e")
                }
                possible.removeAll { $0 != .number && !($0 == .commaNumber && isWhole) }
            }
            if undated == nil { undated = (cell, line) }
            return
        }
        if other == nil { other = (cell, line) }
        note(cell, line: line, in: time)
        if possible.isEmpty { return }
        possible.removeAll { kind in
            if kind == .number { return true }
            switch kind.value(cell, in: time) {
            case nil: return true
            // Lengths and durations in one column have no order: it is text.
            case .quantity(let quantity)?:
                defer { dimension = dimension ?? quantity.dimension }
                quantityDoubt.take(NumberDoubt.number(in: cell))
                return (dimension ?? quantity.dimension) != quantity.dimension
            default: return false
            }
        }
    }

    /// What a cell that is no number says.
    private mutating func note(_ cell: String, line: Int, in time: CellTime) {
        if isPlaceheld {
            isPlaceheld = NumberInText.isPlaceholder(cell)
            let word = cell.trimmingCharacters(in: .whitespaces)
            if isPlaceheld, !placeholderWords.contains(word) { placeholderWords.append(word) }
        }
        if cell.utf8.contains(UInt8(ascii: ",")) {
            hasPoint = hasPoint || cell.utf8.contains(UInt8(ascii: "."))
            hasDecimalComma = hasDecimalComma || NumberInText.hasDecimalComma(cell)
        }
        if NumberInText.hasForeignDigits(cell), NumberInText.value(cell) != nil {
            foreignDigits = foreignDigits ?? cell
            foreignNumbers += 1
        }
        // Amounts with decimal commas are numbers, those in several currencies are not.
        if possible.contains(.commaNumber), let currency = NumberInText.currency(of: cell),
            !currencies.contains(currency)
        {
            currencies.append(currency)
        }
        // In a column of dates the first cell that is none looks like one, or for a missing one.
        guard undated == nil || dates > 0 || isAlmostDated else { return }
        if ColumnKind.date.value(cell, in: time) != nil {
            dates += 1
            if let parts = ISO8601.parts(cell.trimmingCharacters(in: .whitespaces)),
                parts.millisecondsOfDay != nil
            {
                hasOffset = hasOffset || parts.offsetSeconds != nil
                if parts.offsetSeconds == nil {
                    withoutOffset = withoutOffset ?? cell
                    if changed == nil { changed = time.change(parts).map { (cell, $0) } }
                }
                if leapSecond == nil, cell.contains(":60") { leapSecond = cell }
            }
        } else if undated == nil {
            undated = (cell, line)
        }
    }

    /// Whether a cell has the digits of a day that does not exist; the hour 24 is another matter.
    private func isNoDay(_ cell: String) -> Bool {
        let day = cell.trimmingCharacters(in: .whitespaces).prefix(10)
        return NumberInText.hasDateShape(cell) && ISO8601.parts(String(day)) == nil
    }

    /// Whether the first cell that is no date is in the place of one.
    private var isAlmostDated: Bool {
        undated.map { NumberInText.hasDateShape($0.cell) || NumberInText.isPlaceholder($0.cell) } ?? false
    }

    /// A cell that is to stay text.
    mutating func takeText() {
        filled += 1
        possible = []
    }

    /// The kind; `nil` when no cell is filled. In a table that is separated by commas, a comma in a number is no decimal
    /// comma.
    func kind(separator: UInt8) -> ColumnKind? {
        if filled == 0 { return nil }
        let first = possible.first { kind in
            switch kind {
            // `1.234,50` beside `2,5` is a price.
            case .coordinate: hasPoint && !(hasDecimalComma && possible.contains(.commaNumber))
            case .commaNumber:
                hasDecimalComma && currencies.count < 2 && (hasPoint || separator != CSVSeparator.standard)
            default: true
            }
        }
        return first ?? .text
    }

    /// The words for a missing value, if they alone make a column of numbers text, and a number that may be one; none that stands for
    /// an infinite number.
    var placeholders: [String] {
        let words = isPlaceheld && numbers > 0 ? placeholderWords : []
        return words.filter { !$0.lowercased().contains("inf") } + (sentinels.found.map { [$0] } ?? [])
    }

    /// Whether a cell is a number or a date.
    var hasValues: Bool { numbers > 0 || dates > 0 }

    /// The cell of the first row if it alone is no number, and none that stands for a missing one.
    func cellAboveNumbers(in line: Int) -> String? {
        guard let other, other.line == line, numbers > 1, numbers == filled - 1,
            !NumberInText.isPlaceholder(other.cell), !other.cell.allSatisfy(\.isWholeNumber)
        else { return nil }
        return other.cell.trimmingCharacters(in: .whitespaces)
    }

    /// Why a column is text although nearly all its cells are of one kind, or how its numbers are read.
    func exception(_ name: String, _ kind: ColumnKind?, separator: UInt8) -> String? {
        if kind == .commaNumber { return "`\(name)` has decimal commas" }
        if kind == .number {
            return sentinels.found.map { "`\(name)` has \($0), far below its other numbers" }
                ?? doubt.note(name, separator: separator)
        }
        if kind == .quantity, let grouped = quantityDoubt.grouped(separator: separator) {
            let (types, field) = (Literal.text("\(name)=text"), Evaluator.reference(to: name))
            return
                "`\(name)` is read with decimal points, `\(grouped)` is not \(grouped.filter { $0 != "." }); if they separate thousands: `from csv` with --types \(types), then quantity(replace(\(field), '.', ''))"
        }
        if kind == .date, hasOffset, let withoutOffset {
            return
                "`\(name)` has times with and without an offset: `\(withoutOffset.prefix(30))` is read in the session's time zone"
        }
        if kind == .date, let changed {
            let text = changed.cell.prefix(30)
            return switch changed.change {
            case .skipped:
                "`\(name)` has `\(text)`, which no clock of the session's time zone shows: it is read as the time by the offset before"
            case .repeated:
                "`\(name)` has `\(text)`, which clocks of the session's time zone show twice: it is read as the first"
            }
        }
        if kind == .date, let leapSecond {
            return "`\(name)` has a leap second: `\(leapSecond.prefix(30))` is read as the second behind it"
        }
        guard kind == .text else { return nil }
        if currencies.count > 1, possible.contains(.commaNumber) {
            return "`\(name)` is text: its amounts are in \(currencies.prefix(4).joined(separator: ", "))"
        }
        if let foreignDigits, numbers + foreignNumbers == filled {
            let field = Evaluator.reference(to: name)
            return
                "`\(name)` is text: `\(foreignDigits.prefix(20))` has digits of another script; as numbers: "
                + "`extend \(Literal.text(name))=number(\(field))`"
        }
        if possible == [.commaNumber], numbers < filled, let other, separator != CSVSeparator.standard {
            return
                "`\(name)` is text: `\(other.cell.prefix(20))` may have a decimal comma or separate thousands; if it is a decimal comma: `from csv` with --types \(Literal.text("\(name)=comma-number"))"
        }
        if let other, numbers > 0,
            isPlaceheld || numbers > 1 && Double(numbers) >= DataSettings.almostNumbers * Double(filled)
        {
            return "`\(name)` is text because of `\(other.cell.prefix(20))` in line \(other.line)"
        }
        guard let undated, dates > 0,
            isAlmostDated || dates > 1 && Double(dates) >= DataSettings.almostNumbers * Double(filled)
        else { return nil }
        let why = isNoDay(undated.cell) ? ", which is no day of the calendar" : ""
        return "`\(name)` is text because of `\(undated.cell.prefix(20))` in line \(undated.line)\(why)"
    }
}

/// What a column of numbers may be instead: identifiers such as `12E5`, or numbers whose points separate thousands.
private struct NumberDoubt {
    /// Fewest numbers with groups that are doubtful in a table with commas between its cells.
    private static let fewestGrouped = 3

    /// The first number whose letter E need not be an exponent.
    private var identifier: String?
    private var isScientific = false
    /// The first number with one to three digits before its point and three behind it.
    private var grouped: String?
    private var groupedCount = 0
    private var hasShortWhole = false
    private var isUngrouped = false
    private var versions = VersionDoubt()

    /// The first number as spreadsheets write whole numbers of twelve digits and more, `8.91E+18`: the other digits are lost.
    private var shortened: String?
    /// Numbers of another form, which measured ones beside it have.
    private var isMeasured = false
    /// Exponents with which spreadsheets begin to shorten, and the most digits that they leave.
    private static let (leastShortened, mostLeft) = (11, 6)

    /// Whether a number is one that a spreadsheet has shortened.
    private static func isShortened(_ cell: String) -> Bool {
        let parts = cell.trimmingCharacters(in: .whitespaces).split(
            separator: "E", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].first == "+", let exponent = Int(parts[1].dropFirst()) else {
            return false
        }
        return exponent >= leastShortened && parts[0].utf8.count <= mostLeft + 1
            && parts[0].utf8.first.map { (49...57).contains($0) } == true
    }

    /// Takes a number as it is written.
    mutating func take(_ cell: String) {
        var point: Int?
        var hasExponent = false
        var isSigned = false
        var digits = 0
        for byte in cell.utf8 {
            switch byte {
            case UInt8(ascii: "."): point = digits
            case UInt8(ascii: "e"), UInt8(ascii: "E"): hasExponent = true
            case UInt8(ascii: "+"), UInt8(ascii: "-"): isSigned = isSigned || hasExponent
            case 48...57: digits += hasExponent ? 0 : 1
            default: break
            }
        }
        if hasExponent {
            if Self.isShortened(cell) { shortened = shortened ?? cell } else { isMeasured = true }
            if point == nil, !isSigned { identifier = identifier ?? cell } else { isScientific = true }
            isUngrouped = true
        } else if let point {
            isMeasured = true
            versions.take(cell, places: digits - point)
            let isGrouped = digits - point == 3 && (1...3).contains(point)
            if isGrouped, cell.drop(while: { !$0.isNumber }).first != "0" {
                grouped = grouped ?? cell
                groupedCount += 1
            } else {
                isUngrouped = true
            }
        } else if digits > 3 {
            isUngrouped = true
        } else {
            hasShortWhole = true
        }
    }

    /// The number of a quantity, as it is written.
    static func number(in cell: String) -> String {
        let sign = cell.trimmingCharacters(in: .whitespaces)
        return String(sign.prefix { $0.isASCII && ($0.isNumber || ".+-".contains($0)) })
    }

    /// The first number whose point may separate thousands; `nil` where the others show that it does not.
    func grouped(separator: UInt8) -> String? {
        guard let grouped, !isUngrouped, Double(grouped.trimmingCharacters(in: .whitespaces)) != nil,
            separator != CSVSeparator.standard || hasShortWhole && groupedCount >= Self.fewestGrouped
        else { return nil }
        return grouped.trimmingCharacters(in: .whitespaces)
    }

    /// What is said of the column `name`.
    func note(_ name: String, separator: UInt8) -> String? {
        let keep = "--types \(Literal.text("\(name)=text"))"
        if let shortened, !isMeasured {
            return
                "`\(name)` has `\(shortened.trimmingCharacters(in: .whitespaces))`, as spreadsheets write long whole numbers: its other digits are lost, and different ones may be equal here"
        }
        if let identifier, !isScientific,
            let value = Value(numberText: identifier.trimmingCharacters(in: .whitespaces))?.asNumber
        {
            return
                "`\(name)` is read as numbers, `\(identifier)` as \(Literal.number(value)); if it is a name: `from csv` with \(keep)"
        }
        if let version = versions.found, let value = Value(numberText: version)?.asNumber {
            return
                "`\(name)` is read as numbers, `\(version)` as \(Literal.number(value)); if it is a version: `from csv` with \(keep)"
        }
        guard let plain = grouped(separator: separator) else { return nil }
        let other = plain.filter { $0 != "." }
        let types = Literal.text("\(name)=comma-number")
        return
            "`\(name)` is read with decimal points, `\(plain)` is not \(other); if they separate thousands: `from csv` with --types \(types)"
    }
}
