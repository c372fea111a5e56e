import CivilTime
import Foundation
import Geodesy
import PluginKit

/// What an expression can see besides the row.
struct Scope: Sendable {
    var variables: [String: Value]
    /// The references of the expression, resolved before it runs.
    var references: [String: Value]
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
}

/// Computes expressions. Pure: same scope and row, same value.
struct Evaluator: Sendable {
    let scope: Scope

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
            if link.op.isComparison {
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

    /// The right side of a comparison, where a bare word that is not a field of the row is text:
    /// `category == shelter`; beside a date it is a day's name: `time < tomorrow`. Items of lists, too.
    private func comparand(_ expression: Expression, to left: Value, row: Value?) throws(RutterError) -> Value
    {
        switch expression.content {
        case .name(let name) where row?.field(name) == nil:
            if case .date = left, let time = LocalTime(word: name) { return .date(scope.time.moment(time)) }
            return .text(name)
        case .list(let items):
            var values: [Value] = []
            for item in items { values.append(try comparand(item, to: left, row: row)) }
            try ValueSize.check(values, at: expression.span)
            return .list(values)
        default: return try value(expression, row: row)
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
        if let value = row?.field(name) { return value }
        if let time = LocalTime(word: name) { return .date(scope.time.moment(time)) }
        guard let names = row?.fieldNames else {
            let hint =
                row == nil ? "there are no rows here" : "the rows are \(row?.kindName ?? "")s without fields"
            throw LanguageErrors.unknownField(
                "`\(name)` is not a value: \(hint)", at: .span(span),
                fix: row == nil ? "quote text: '\(name)'" : "`it` is the row itself",
                suggestion: scope.variables[name] == nil ? nil : "$\(name)")
        }
        throw LanguageErrors.unknownField(
            "the rows have no field `\(name)`", at: .span(span),
            fix: "they have: \(names.joined(separator: ", "))",
            suggestion: Suggestion.nearest(to: name, in: names))
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
