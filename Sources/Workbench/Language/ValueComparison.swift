import CivilTime
import Foundation
import Geodesy
import PluginKit

/// Where a comparison stands, for its errors.
struct ComparisonSite: Sendable {
    let span: SourceSpan
    /// The field on its left, as it is written; `nil` for other expressions.
    var field: String?

    /// What is on its left, in a fix.
    fileprivate var left: String { field ?? "x" }
}

/// `== != < <= > >= in =~` on values. A comparison with `nothing` is false, except that `nothing == nothing`.
enum ValueComparison {
    static func apply(
        _ op: BinaryOperator, _ left: Value, _ right: Value, at site: ComparisonSite,
        patterns: PatternCache = PatternCache()
    ) throws(RutterError) -> Bool {
        // The most frequent comparison, without copies.
        if case .integer(let a) = left, case .integer(let b) = right, let holds = compare(op, a, b) {
            return holds
        }
        switch op {
        case .equal: return try equal(left, right, at: site)
        case .notEqual: return !(try equal(left, right, at: site))
        case .isIn: return try contains(left, in: right, at: site)
        case .matches: return try matches(left, right, at: site, patterns)
        default:
            if case .text(let a) = left, case .text(let b) = right, a != b,
                let found = NumericTextCheck.comparison(site.left, a, b)
            {
                throw DataErrors.numericText(
                    "they would be compared by letters: \(found.doubt)", at: .span(site.span), fix: found.fix)
            }
            guard let order = try order(left, right, at: site) else { return false }
            return compare(op, order, 0) ?? false
        }
    }

    /// Compares whole numbers; `nil` for other operators.
    static func compare(_ op: BinaryOperator, _ a: Int, _ b: Int) -> Bool? {
        switch op {
        case .equal: a == b
        case .notEqual: a != b
        case .less: a < b
        case .lessOrEqual: a <= b
        case .greater: a > b
        case .greaterOrEqual: a >= b
        default: nil
        }
    }

    /// −1, 0 or 1; `nil` when one of the two is nothing.
    static func order(_ left: Value, _ right: Value, at site: ComparisonSite) throws(RutterError) -> Int? {
        switch (left, right) {
        case (.nothing, _), (_, .nothing): return nil
        case (.integer(let a), .integer(let b)): return sign(a, b)
        case (.integer(let a), .number(let b)) where !b.isNaN: return DecimalNumber.order(a, b)
        case (.number(let a), .integer(let b)) where !a.isNaN: return -DecimalNumber.order(b, a)
        case (.text(let a), .text(let b)): return sign(a, b)
        case (.date(let a), .date(let b)): return sign(a, b)
        case (.boolean(let a), .boolean(let b)): return sign(a ? 1 : 0, b ? 1 : 0)
        case (.quantity(let a), .quantity(let b)) where a.dimension == b.dimension:
            return DecimalNumber.areEqual(a.value, b.value) ? 0 : sign(a.value, b.value)
        case (.object(is ExactNumber), _), (_, .object(is ExactNumber)):
            guard let a = left.exactDecimal, let b = right.exactDecimal else {
                throw mismatch(left, right, site)
            }
            return sign(a, b)
        default:
            if let a = left.asNumber, let b = right.asNumber {
                return sign(a, b)
            }
            throw mismatch(left, right, site)
        }
    }

    static func equal(_ left: Value, _ right: Value, at site: ComparisonSite) throws(RutterError) -> Bool {
        switch (left, right) {
        case (.nothing, .nothing): return true
        case (.nothing, _), (_, .nothing): return false
        case (.coordinate(let a), .coordinate(let b)): return a == b
        case (.box(let a), .box(let b)): return a == b
        case (.list(let a), .list(let b)):
            guard a.count == b.count else { return false }
            try Interruption.check()
            for (x, y) in zip(a, b) where !(try equal(x, y, at: site)) { return false }
            return true
        case (.object(is ExactNumber), _), (_, .object(is ExactNumber)):
            return try order(left, right, at: site) == 0
        case (.record, .record), (.object, .object), (.object, .record), (.record, .object):
            return try equalFields(left, right, site)
        case (.quantity(let a), .quantity(let b)) where a.dimension == b.dimension:
            return DecimalNumber.areEqual(a.value, b.value) || showsEqual(a, b)
        // Computed values of different dimensions, such as fields, compare unequal; a literal of another dimension
        // is an error.
        case (.quantity(let a), .quantity(let b)) where a.digits == nil && b.digits == nil: return false
        default:
            return try order(left, right, at: site) == 0
        }
    }

    /// A value compares equal to its printed, rounded form: a distance printed as `6.12km`
    /// equals `6.12km`.
    private static func showsEqual(_ a: Quantity, _ b: Quantity) -> Bool {
        guard (a.digits == nil) != (b.digits == nil) else { return false }
        let (measured, written) = a.digits == nil ? (b, a) : (a, b)
        guard let unit = written.unit else { return Literal.quantity(measured) == Literal.quantity(written) }
        var shown = measured
        shown.unit = unit
        return Literal.quantity(shown) == Literal.quantity(written)
    }

    private static func equalFields(
        _ left: Value, _ right: Value, _ site: ComparisonSite
    ) throws(RutterError) -> Bool {
        // A missing field is nothing.
        var names = left.fieldNames ?? []
        let known = Set(names)
        names += (right.fieldNames ?? []).filter { !known.contains($0) }
        for name in names {
            guard try equal(left.field(name) ?? .nothing, right.field(name) ?? .nothing, at: site) else {
                return false
            }
        }
        return true
    }

    private static func contains(
        _ item: Value, in whole: Value, at site: ComparisonSite
    ) throws(RutterError) -> Bool {
        switch (item, whole) {
        case (_, .list(let items)):
            for other in items where try equal(item, other, at: site) { return true }
            return false
        case (_, .rows(let rows)):
            do {
                for other in try rows.collect() where try equal(item, other, at: site) { return true }
                return false
            } catch let error as RutterError {
                throw error
            } catch {
                throw LanguageErrors.type("the rows cannot be computed: \(error)", at: .span(site.span))
            }
        case (.coordinate(let place), .box(let box)): return box.contains(place)
        case (.text(let part), .text(let text)): return part.isEmpty || text.contains(part)
        case (.nothing, _): return false
        default:
            if let place = item.asCoordinate, case .box(let box) = whole { return box.contains(place) }
            if case .text(let word) = whole, let error = noConversion(item, to: word, site) { throw error }
            throw LanguageErrors.type(
                "`in` needs a list, a box or, for a text, a text on the right, not \(whole.kindWithArticle)",
                at: .span(site.span))
        }
    }

    /// The error of a quantity `in` what is no unit, and of a date `in` a zone.
    private static func noConversion(_ value: Value, to word: String, _ site: ComparisonSite) -> RutterError?
    {
        switch value {
        case .quantity(let quantity):
            let symbols = MeasureUnit.of(quantity.dimension).map(\.symbol)
            if symbols.contains(word) {
                return LanguageErrors.type(
                    "`in` takes a unit without quotes", at: .span(site.span), fix: "write: in \(word)")
            }
            return LanguageErrors.dimension(
                "`\(word)` is not a unit of \(quantity.dimension.withArticle)", at: .span(site.span),
                fix: "units: " + symbols.joined(separator: ", "),
                suggestion: Suggestion.nearest(to: word, in: symbols))
        case .date:
            return LanguageErrors.type(
                "times are shown in the zone of the session", at: .span(site.span),
                fix:
                    "`set timezone \(TimeZone(databaseName: word) == nil ? "Europe/Zurich" : word)` changes it"
            )
        default: return nil
        }
    }

    private static func matches(
        _ left: Value, _ right: Value, at site: ComparisonSite, _ patterns: PatternCache
    ) throws(RutterError) -> Bool {
        guard case .text(let pattern) = right else {
            throw LanguageErrors.type("`=~` needs a quoted pattern on the right", at: .span(site.span))
        }
        let compiled = try patterns.pattern(pattern, at: site.span)
        switch left {
        case .nothing: return false
        case .text(let text): return try compiled.matches(text, at: site.span)
        default: return try compiled.matches(ValueText.inline(left), at: site.span)
        }
    }

    private static func sign<T: Comparable>(_ a: T, _ b: T) -> Int { a < b ? -1 : (a > b ? 1 : 0) }

    private static func mismatch(_ left: Value, _ right: Value, _ site: ComparisonSite) -> RutterError {
        if case .quantity(let quantity) = left, let number = right.asNumber {
            return LanguageErrors.dimension(
                "\(left.kindWithArticle) cannot be compared with a bare number", at: .span(site.span),
                fix: "write the unit: \(quantity.dimension.example(number))")
        }
        if let number = left.asNumber, case .quantity(let quantity) = right {
            return LanguageErrors.dimension(
                "a bare number cannot be compared with \(right.kindWithArticle)", at: .span(site.span),
                fix: "write the unit: \(quantity.dimension.example(number))")
        }
        if case .quantity(let quantity) = left, case .quantity(let other) = right {
            let amount = other.value / (other.unit?.factor ?? 1)
            return LanguageErrors.dimension(
                "\(left.kindWithArticle) cannot be compared with \(right.kindWithArticle)",
                at: .span(site.span),
                fix: "write \(quantity.dimension.withArticle), such as \(quantity.dimension.example(amount))")
        }
        if case .date = right, let fix = moment(in: left, site) {
            return LanguageErrors.type(
                "\(left.kindWithArticle) cannot be compared with \(right.kindWithArticle)",
                at: .span(site.span),
                fix: fix)
        }
        return LanguageErrors.type(
            "\(left.kindWithArticle) cannot be compared with \(right.kindWithArticle)", at: .span(site.span),
            fix: converted(left, besides: right, site) ?? unquoted(left, right, isTextLeft: false, site)
                ?? unquoted(right, left, isTextLeft: true, site))
    }

    /// How a number on the left may be a time: a day in eight digits, seconds or milliseconds since 1970, days of a spreadsheet.
    private static func moment(in left: Value, _ site: ComparisonSite) -> String? {
        guard let number = left.asNumber else { return nil }
        let name = site.left
        if case .integer(let digits) = left, Timestamps.years.contains(digits / 10_000),
            CivilDate(year: digits / 10_000, month: digits / 100 % 100, day: digits % 100) != nil
        {
            return "a day in eight digits: date(text(\(name)), 'yyyyMMdd')"
        }
        let seconds = Timestamps.seconds
        if seconds.contains(number) { return "seconds since 1970: 1970-01-01T00:00Z + \(name) * 1s" }
        if seconds.contains(number / 1000) {
            return "milliseconds since 1970: 1970-01-01T00:00Z + \(name) * 1ms"
        }
        return Timestamps.spreadsheetDays.contains(number)
            ? "days of a spreadsheet: 1899-12-30 + \(name) * 1d" : nil
    }

    /// Numbers that may be times: years of days, seconds since 2001, and days from 1954 to 2119.
    private enum Timestamps {
        static let years = 1800...2199
        static let seconds = 1e9..<1e10
        static let spreadsheetDays = 20_000.0..<80_000
    }

    /// How a text on the left, which is mostly a field's, becomes a value that compares with a number or date.
    private static func converted(_ left: Value, besides right: Value, _ site: ComparisonSite) -> String? {
        guard case .text(let text) = left else { return nil }
        if right.asNumber != nil, NumberScanner.startsNumber(Array(text.utf8), at: 0) {
            return "a number in a text: number(\(site.left))"
        }
        guard case .date = right else { return nil }
        if WrittenMoment.read(text, in: .gmt) != nil { return "a date in a text: parse(\(site.left))" }
        return DateText.patterns(of: text).first.map { "a date in a text: date(\(site.left), '\($0)')" }
    }

    /// How a value is written that would compare with another one. A text on the left is mostly a field's.
    private static func unquoted(
        _ value: Value, _ other: Value, isTextLeft: Bool, _ site: ComparisonSite
    ) -> String? {
        func named(_ text: String) -> String {
            isTextLeft ? site.left : Literal.text(String(text.prefix(shownText)))
        }
        switch (value, other) {
        case (_, .text("")): return "a value that is missing: == nothing"
        case (.date, .text(let text)):
            return LocalTime(text: text) == nil ? "dates are written 2026-02-06" : "without quotes: \(text)"
        case (.date, .integer(let year)) where yearsOfHabit.contains(year):
            return
                "a day is written \(year)-01-01, the year of a date is year(\(isTextLeft ? "DATE" : site.left))"
        case (.quantity, .text(let text)) where NumberScanner.startsNumber(Array(text.utf8), at: 0):
            return "a quantity in a text: quantity(\(named(text)))"
        case (.boolean, .text(let text)):
            return "it is text, such as \(Literal.text(String(text.prefix(shownText))))"
        case (_, .text(let text)) where value.asNumber != nil:
            guard NumberScanner.startsNumber(Array(text.utf8), at: 0) else { return nil }
            return Double(text) != nil
                ? "without quotes \(text); of a field, number(FIELD)"
                : "a number in a text: number(\(named(text)))"
        default: return nil
        }
    }

    /// Characters of a text that are shown as an example.
    private static let shownText = 20
    /// Numbers beside a date that are meant as years.
    private static let yearsOfHabit = 1000...2999
}
