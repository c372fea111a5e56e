import CivilTime
import Foundation
import Geodesy
import PluginKit

/// What an expression can see besides the row.
struct Scope: Sendable {
    var variables: [String: Value]
    /// The references of the expression, resolved before it runs.
    var references: [String: Value]
    /// The values of pipelines in brackets, by where they begin; they ran before the expression.
    var pipelines: [Int: Value] = [:]
    /// The values of aggregates, by where they begin.
    var aggregates: [Int: Value]?
    var time: TimeContext
    /// The units that quantities inside of texts are shown in.
    var units = UnitSystem.metric
    /// Regular expressions that were compiled for an earlier row.
    let patterns = PatternCache()
}

/// Gives written times their moment.
struct TimeContext: Sendable {
    var clock: SessionClock
    var timeZone: TimeZone

    func moment(_ time: LocalTime) -> Timestamp { time.moment(now: clock.now, in: timeZone) }

    /// The day and time that the session's zone has at a moment.
    func civil(_ moment: Timestamp) -> CivilTimeOfDay {
        let local = moment.advanced(bySeconds: Double(offset(at: moment)))
        let days = (local.seconds / 86_400).rounded(.down)
        return CivilTimeOfDay(
            date: CivilDate(daysSinceEpoch: Int(days)),
            millisecondsOfDay: Int(local.milliseconds - Int64(days) * 86_400_000))
    }

    /// The moment a calendar period later, at the same time of day; `nil` outside of the calendar.
    func moment(_ moment: Timestamp, later period: CalendarPeriod) -> Timestamp? {
        let start = civil(moment)
        guard let date = start.date.advanced(by: period), (0...9999).contains(date.year) else { return nil }
        return local(days: date.daysSinceEpoch, milliseconds: start.millisecondsOfDay)
    }

    private func offset(at moment: Timestamp) -> Int {
        timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: moment.seconds))
    }

    /// The moment of a wall clock's reading in the session's zone.
    func local(days: Int, milliseconds: Int) -> Timestamp {
        LocalTime.dateTime(days: days, milliseconds: milliseconds).moment(now: clock.now, in: timeZone)
    }
}

/// Computes expressions. Pure: same scope and row, same value.
struct Evaluator {
    let scope: Scope
    /// What is known of the rows that the row is one of; `nil` for a row alone.
    var watch: FieldWatch?

    init(scope: Scope, watch: FieldWatch? = nil) {
        self.scope = scope
        self.watch = watch
    }

    func value(_ expression: Expression, row: Value? = nil) throws(RutterError) -> Value {
        switch expression.content {
        case .literal(let value): return value
        case .localTime(let time): return .date(scope.time.moment(time))
        case .interpolated(let pieces): return .text(try text(pieces, row: row))
        case .variable(let name): return try variable(name, expression.span)
        case .name(let name): return try field(name, of: row, expression.span)
        case .reference(let name): return scope.references[name] ?? .nothing
        case .list(let items):
            var values: [Value] = []
            for item in items { values.append(try comparand(item, to: .nothing, row: row)) }
            try ValueSize.check(values, at: expression.span)
            return .list(values)
        case .record(let fields):
            var values: [Value] = []
            for (_, field) in fields { values.append(try comparand(field, to: .nothing, row: row)) }
            try ValueSize.check(values, at: expression.span)
            return .record(Record(keys: fields.map(\.0), values: values))
        case .call(let name, let arguments): return try call(name, arguments, expression.span, row: row)
        case .pipeline: return scope.pipelines[expression.span.start] ?? .nothing
        case .period(let period):
            throw LanguageErrors.type(
                "`\(period.count) \(period.unit.rawValue)` is a period of the calendar",
                at: .span(expression.span),
                fix: "add it to a date: 2026-02-06 + \(period.count) \(period.unit.rawValue)")
        case .path(let base, let steps):
            var result = try value(base, row: row)
            for step in steps {
                let span = SourceSpan(expression.span.start, step.end)
                switch step.kind {
                case .field(let name): result = try FieldAccess.field(name, of: result, span)
                case .index(let index):
                    result = try FieldAccess.item(try value(index, row: row), of: result, span)
                }
            }
            return result
        case .negate(let inner):
            return try Arithmetic.negated(try value(inner, row: row), at: expression.span)
        case .not(let inner): return .boolean(!(try truth(inner, row: row)))
        case .chain(let first, let links): return try chain(first, links, row: row)
        }
    }

    /// The truth of an expression; `nothing` is not true, other kinds are an error.
    func truth(_ expression: Expression, row: Value?) throws(RutterError) -> Bool {
        switch try value(expression, row: row) {
        case .boolean(let flag): return flag
        case .nothing: return false
        case let other:
            throw LanguageErrors.type(
                "a condition must be true or false, not \(other.kindWithArticle)", at: .span(expression.span),
                fix: "compare it with something: == != < <= > >= in =~")
        }
    }

    func text(_ pieces: [Word.Piece], row: Value?) throws(RutterError) -> String {
        var out = ""
        for piece in pieces {
            switch piece {
            case .text(let text): out += text
            case .value(let expression):
                out += ValueText.inline(
                    try value(expression, row: row), timeZone: scope.time.timeZone, units: scope.units)
                guard out.utf8.count <= Arithmetic.longestText else {
                    throw LanguageErrors.type("the text is too long", at: .span(expression.span))
                }
            }
        }
        return out
    }

    /// Operators of one strength, from the left; `and` and `or` stop as soon as the result is known.
    private func chain(
        _ first: Expression, _ links: [Expression.Link], row: Value?
    ) throws(RutterError) -> Value {
        if let op = links.first?.op, op == .and || op == .or {
            let decisive = op == .or
            if try truth(first, row: row) == decisive { return .boolean(decisive) }
            for link in links where try truth(link.operand, row: row) == decisive {
                return .boolean(decisive)
            }
            return .boolean(!decisive)
        }
        var result = try value(first, row: row)
        for link in links {
            let span = SourceSpan(first.span.start, link.operand.span.end)
            if case .period(let period) = link.operand.content {
                result = try shifted(result, link.op, by: period, at: span)
            } else if link.op == .isIn, let unit = unit(link.operand, for: result, row: row) {
                result = try converted(result, to: unit, at: span)
            } else if link.op.isComparison {
                let right = try comparand(link.operand, to: result, row: row)
                result = .boolean(
                    try Comparison.apply(link.op, result, right, at: span, patterns: scope.patterns))
            } else {
                result = try Arithmetic.apply(
                    link.op, result, try value(link.operand, row: row), at: span)
            }
        }
        return result
    }

    // MARK: Functions

    private func call(
        _ name: String, _ arguments: [Expression], _ span: SourceSpan, row: Value?
    ) throws(RutterError) -> Value {
        if let value = scope.aggregates?[span.start] { return value }
        let function = try FunctionLibrary.function(name, arguments, at: span)
        // These two evaluate no more than they need.
        if name == "if" {
            if try truth(arguments[0], row: row) { return try argument(arguments[1], row) }
            return arguments.count > 2 ? try argument(arguments[2], row) : .nothing
        }
        if name == "coalesce" {
            for item in arguments {
                let value = try argument(item, row)
                if case .nothing = value { continue }
                return value
            }
            return .nothing
        }
        var values: [Value] = []
        for item in arguments { values.append(try argument(item, row)) }
        if function.passesNothing, values.contains(where: { if case .nothing = $0 { true } else { false } }) {
            return .nothing
        }
        do throws(RutterError) {
            return try function.body(values, Function.Context(time: scope.time, units: scope.units))
        } catch {
            var located = error
            located.place = .span(span)
            throw located
        }
    }

    /// An argument of a function: as in a comparison a bare word that is no field is text.
    private func argument(_ expression: Expression, _ row: Value?) throws(RutterError) -> Value {
        if case .name = expression.content { return try value(expression, row: row) }
        return try comparand(expression, to: .nothing, row: row)
    }

    // MARK: Units and periods

    /// The unit on the right of `in`: `distance in mi`, `speed in km/h`. A field of that name comes first.
    private func unit(_ expression: Expression, for left: Value, row: Value?) -> MeasureUnit? {
        switch left {
        case .quantity, .nothing: break
        default: return nil
        }
        switch expression.content {
        case .name(let name) where row?.field(name) == nil: return MeasureUnit.named(name)
        case .chain(let first, let links) where links.count == 1 && links[0].op == .divided:
            guard case .name(let above) = first.content, case .name(let below) = links[0].operand.content
            else {
                return nil
            }
            return MeasureUnit.named("\(above)/\(below)")
        default: return nil
        }
    }

    private func converted(_ value: Value, to unit: MeasureUnit, at span: SourceSpan) throws(RutterError)
        -> Value
    {
        guard case .quantity(var quantity) = value else { return .nothing }
        guard quantity.dimension == unit.dimension else {
            throw LanguageErrors.dimension(
                "\(value.kindWithArticle) cannot be shown in \(unit.symbol)", at: .span(span),
                fix: "units: " + MeasureUnit.of(quantity.dimension).map(\.symbol).joined(separator: ", "))
        }
        if quantity.unit != unit, quantity.digits == nil { quantity.digits = Literal.convertedDigits }
        quantity.unit = unit
        return .quantity(quantity)
    }

    private func shifted(
        _ value: Value, _ op: BinaryOperator, by period: CalendarPeriod, at span: SourceSpan
    ) throws(RutterError) -> Value {
        if case .nothing = value { return .nothing }
        guard case .date(let moment) = value, op == .plus || op == .minus else {
            throw LanguageErrors.type(
                "a period of the calendar can be added to or subtracted from a date, not \(value.kindWithArticle)",
                at: .span(span))
        }
        var period = period
        if op == .minus { period.count = -period.count }
        guard let result = scope.time.moment(moment, later: period) else {
            throw LanguageErrors.type("the date is outside the years 0…9999", at: .span(span))
        }
        return .date(result)
    }

    /// The right side of a comparison, where a bare word that is not a field of the row is text:
    /// `category == shelter`; beside a date it is a day's name: `time < tomorrow`. Items of lists, too.
    private func comparand(_ expression: Expression, to left: Value, row: Value?) throws(RutterError) -> Value
    {
        switch expression.content {
        case .name(let name):
            if name == "it", let row { return row }
            if let field = row?.field(name) {
                watch?.found(name)
                return field
            }
            // A field that other rows have is missing here; it does not become a word.
            if watch?.knows(name) == true { return .nothing }
            if case .date = left, let time = LocalTime(word: name) { return .date(scope.time.moment(time)) }
            return .text(name)
        case .list(let items):
            var values: [Value] = []
            for item in items { values.append(try comparand(item, to: left, row: row)) }
            try ValueSize.check(values, at: expression.span)
            return .list(values)
        default:
            do throws(RutterError) {
                return try value(expression, row: row)
            } catch {
                // `code != F-TRANSIT-SEARCH` subtracts three words; most likely they are one.
                guard error.code == LanguageErrors.unknownField.code, let word = expression.dashedWord else {
                    throw error
                }
                var hinted = error
                hinted.fix = "quote text that has signs: '\(word)'"
                hinted.suggestion = nil
                hinted.place = .span(expression.span)
                throw hinted
            }
        }
    }

    private func variable(_ name: String, _ span: SourceSpan) throws(RutterError) -> Value {
        if let value = scope.variables[name] { return value }
        let fix =
            switch name {
            case "_": "`$_` is the last value shown; there is none yet"
            case "it": "a row is `it`, without `$`, in an expression; in a text name a field: ${x.label}"
            default: "set it with: let \(name) = …"
            }
        throw LanguageErrors.unknownVariable(
            "unknown variable `$\(name)`", at: .span(span), fix: fix,
            suggestion: Suggestion.nearest(
                to: name, in: scope.variables.keys.filter { $0 != "_" }.sorted()
            ).map { "$\($0)" })
    }

    private func field(_ name: String, of row: Value?, _ span: SourceSpan) throws(RutterError) -> Value {
        if name == "it", let row { return row }
        if let value = row?.field(name) {
            watch?.found(name)
            return value
        }
        if let time = LocalTime(word: name), watch?.knows(name) != true {
            return .date(scope.time.moment(time))
        }
        guard let names = row?.fieldNames else {
            let hint =
                row == nil ? "there are no rows here" : "the rows are \(row?.kindName ?? "")s without fields"
            throw LanguageErrors.unknownField(
                "`\(name)` is not a value: \(hint)", at: .span(span),
                fix: row == nil ? "quote text: '\(name)'" : "`it` is the row itself",
                suggestion: scope.variables[name] == nil ? nil : "$\(name)")
        }
        let fault: FieldWatch.Fault = { names in
            LanguageErrors.unknownField(
                "the rows have no field `\(name)`", at: .span(span),
                fix: "they have: \(names.joined(separator: ", "))",
                suggestion: Suggestion.nearest(to: name, in: names))
        }
        guard let watch else { throw fault(names) }
        try watch.missed(name, in: names, fault)
        return .nothing
    }
}

extension Expression {
    /// Words and numbers with signs between them, as one word: `F-TRANSIT-SEARCH`, `a/b`.
    fileprivate var dashedWord: String? {
        guard case .chain(let first, let links) = content, var word = first.plainWord else { return nil }
        for link in links {
            guard let part = link.operand.plainWord ?? link.operand.dashedWord else { return nil }
            word += link.op.rawValue + part
        }
        return word
    }

    private var plainWord: String? {
        switch content {
        case .name(let name): name
        case .literal(.integer(let number)): String(number)
        default: nil
        }
    }
}

/// `value.field` and `value[index]`.
enum FieldAccess {
    static func field(_ name: String, of value: Value, _ span: SourceSpan) throws(RutterError) -> Value {
        if let found = value.field(name) { return found }
        switch value {
        case .list, .rows:
            if let rows = value.asRows, rows.columns?.contains(name) == true {
                return .list(try made { try rows.collect() }.map { $0.field(name) ?? .nothing })
            }
        case .coordinate(let place):
            if let part = coordinatePart(name, place) { return part }
        case .box(let box):
            if let part = boxPart(name, box) { return part }
        default: break
        }
        let names = names(of: value)
        throw LanguageErrors.unknownField(
            "\(value.kindWithArticle) has no field `\(name)`", at: .span(span),
            fix: names.isEmpty ? nil : "it has: \(names.joined(separator: ", "))",
            suggestion: Suggestion.nearest(to: name, in: names))
    }

    /// The fields that can be asked of a value.
    static func names(of value: Value) -> [String] {
        switch value {
        case .list, .rows: value.asRows?.columns ?? []
        case .coordinate: ["latitude", "longitude", "altitude"]
        case .box: ["south", "west", "north", "east", "center"]
        default: value.fieldNames ?? []
        }
    }

    private static func coordinatePart(_ name: String, _ place: Coordinate) -> Value? {
        switch name {
        case "latitude": .quantity(Quantity(place.latitude, .angle))
        case "longitude": .quantity(Quantity(place.longitude, .angle))
        case "altitude": Value(place.altitude) { .quantity(.altitude($0)) }
        default: nil
        }
    }

    private static func boxPart(_ name: String, _ box: BoundingBox) -> Value? {
        switch name {
        case "south": .quantity(Quantity(box.south, .angle))
        case "west": .quantity(Quantity(box.west, .angle))
        case "north": .quantity(Quantity(box.north, .angle))
        case "east": .quantity(Quantity(box.east, .angle))
        case "center": .coordinate(box.center)
        default: nil
        }
    }

    static func item(_ index: Value, of value: Value, _ span: SourceSpan) throws(RutterError) -> Value {
        if case .text(let name) = index { return try field(name, of: value, span) }
        guard case .integer(let wanted) = index else {
            throw LanguageErrors.index(
                "an index is a whole number, not \(index.kindWithArticle)", at: .span(span))
        }
        guard let rows = value.readyItems.map({ Rows($0) }) ?? value.asRows else {
            throw LanguageErrors.index("\(value.kindWithArticle) has no items", at: .span(span))
        }
        if let item = try made({ try rows.row(at: wanted) }) { return item }
        let count = try made { try rows.count() }
        throw LanguageErrors.index(
            "there is no item \(wanted) among \(count)", at: .span(span), fix: "items are counted from 0")
    }

    /// The rows of a sequence, with typed errors.
    private static func made<T>(_ body: () throws -> T) throws(RutterError) -> T {
        do { return try body() } catch let error as RutterError {
            throw error
        } catch {
            throw LanguageErrors.type("the rows cannot be computed: \(error)")
        }
    }
}
