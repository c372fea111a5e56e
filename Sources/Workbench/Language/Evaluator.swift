import CivilTime
import PluginKit

/// Compiles expressions to closures. Pure: the same scope and row result in the same value.
///
/// An expression is compiled once, to a closure for each of its parts. Parts that do not depend on the row
/// (variables, functions, values of pipelines) are looked up then, so that the cost per row is only that of
/// the row's own fields.
final class Evaluator: Sendable {
    /// Evaluates an expression for a row; the second argument describes the row's sequence and is `nil` for a
    /// single row.
    typealias Computation = @Sendable (_ row: Value, _ watch: FieldWatch?) throws -> Value
    private typealias Condition = @Sendable (_ row: Value, _ watch: FieldWatch?) throws -> Bool
    /// Applies the operations to the right of a value.
    private typealias Operation =
        @Sendable (_ left: Value, _ row: Value, _ watch: FieldWatch?) throws -> Value

    let scope: Scope
    /// Whether there are rows; otherwise a bare name cannot be a field.
    private let hasRow: Bool

    init(scope: Scope, hasRow: Bool = false) {
        self.scope = scope
        self.hasRow = hasRow
    }

    /// The value of an expression that needs no row.
    func value(_ expression: Expression) throws -> Value {
        try ready(expression)(.nothing, nil)
    }

    /// The text of pieces that need no row.
    func text(_ pieces: [Word.Piece]) throws -> String { try ready(pieces)(.nothing, nil) }

    /// An expression to be computed for any number of rows.
    func ready(_ expression: Expression) -> Computation {
        let span = expression.span
        switch expression.content {
        case .literal(let value): return constant(value)
        case .localTime(let time): return { [self] _, _ in .date(scope.time.moment(time)) }
        case .interpolated(let pieces):
            let text = ready(pieces)
            return { row, watch in .text(try text(row, watch)) }
        case .variable(let name):
            if let value = scope.variables[name] { return constant(value) }
            return { [self] _, _ in throw unknownVariable(name, span) }
        case .name(let name): return field(name, span)
        case .reference(let name): return constant(scope.references[name] ?? .nothing)
        case .list(let items):
            let list = list(items, span)
            return { row, watch in try list(.nothing, row, watch) }
        case .record(let fields):
            let keys = fields.map(\.0)
            let values = fields.map { comparand($0.1) }
            return { row, watch in
                .record(
                    Record(keys: keys, values: try Self.values(values, .nothing, row, watch, span)))
            }
        case .call(let name, let arguments): return call(name, arguments, span)
        case .pipeline: return constant(scope.pipelines[span.start] ?? .nothing)
        case .period(let period):
            return { _, _ in
                throw LanguageErrors.type(
                    "`\(period.count) \(period.unit.rawValue)` is a calendar period", at: .span(span),
                    fix: "add it to a date: 2026-02-06 + \(period.count) \(period.unit.rawValue)")
            }
        case .path(let base, let steps): return path(base, steps, span)
        case .negate(let inner):
            let inner = ready(inner)
            return { row, watch in try Arithmetic.negated(try inner(row, watch), at: span)
            }
        case .not(let inner):
            let holds = truth(inner)
            return { row, watch in .boolean(!(try holds(row, watch))) }
        case .chain(let first, let links):
            if let op = links.first?.op, op == .and || op == .or {
                return decision([first] + links.map(\.operand), decisive: op == .or)
            }
            return chain(first, links)
        }
    }

    private func constant(_ value: Value) -> Computation { { _, _ in value } }

    /// The truth of an expression; `nothing` is not true, other kinds are an error.
    private func truth(_ expression: Expression) -> Condition {
        let value = ready(expression)
        let span = expression.span
        return { row, watch in
            switch try value(row, watch) {
            case .boolean(let flag): return flag
            case .nothing: return false
            case let other:
                throw LanguageErrors.type(
                    "a condition must be true or false, not \(other.kindWithArticle)", at: .span(span),
                    fix: "compare it with something: == != < <= > >= in =~")
            }
        }
    }

    private func ready(
        _ pieces: [Word.Piece]
    ) -> @Sendable (_ row: Value, _ watch: FieldWatch?) throws -> String {
        let (timeZone, units) = (scope.time.timeZone, scope.units)
        let parts: [(plain: String, value: Computation?, span: SourceSpan)] = pieces.map { piece in
            switch piece {
            case .text(let text): (text, nil, SourceSpan(0, 0))
            case .value(let expression): ("", ready(expression), expression.span)
            }
        }
        return { row, watch in
            var out = ""
            for (plain, value, span) in parts {
                guard let value else {
                    out += plain
                    continue
                }
                out += ValueText.inline(try value(row, watch), timeZone: timeZone, units: units)
                guard out.utf8.count <= Arithmetic.longestText else {
                    throw LanguageErrors.type(
                        "the text is longer than \(Arithmetic.longestText >> 20) MiB", at: .span(span))
                }
            }
            return out
        }
    }

    private func path(_ base: Expression, _ steps: [Expression.Step], _ span: SourceSpan) -> Computation {
        if hasRow, let path = RowPath(base, steps) {
            let named = SourceSpan(span.start, steps.prefix(path.stepCount).last?.end ?? base.span.end)
            let rest = steps.dropFirst(path.stepCount).map { part($0, SourceSpan(span.start, $0.end)) }
            return { [self] row, watch in
                var value = try path.value(in: row, watch, named) { (name) throws(RutterError) in
                    try missing(name, row, watch, named)
                }
                for step in rest {
                    if case .nothing = value { return .nothing }
                    value = try step(value, row, watch)
                }
                return value
            }
        }
        let base = ready(base)
        let steps = steps.map { part($0, SourceSpan(span.start, $0.end)) }
        return { row, watch in
            var result = try base(row, watch)
            for step in steps { result = try step(result, row, watch) }
            return result
        }
    }

    /// Applies one step of a path to the preceding value.
    private func part(_ step: Expression.Step, _ span: SourceSpan) -> Operation {
        switch step.kind {
        case .field(let name):
            return { whole, row, watch in try FieldAccess.field(name, of: whole, span) }
        case .index(let index):
            let index = ready(index)
            return { whole, row, watch in
                try FieldAccess.item(try index(row, watch), of: whole, span)
            }
        }
    }

    // MARK: Operators

    /// `and` and `or`, which stop as soon as the result is known.
    private func decision(_ operands: [Expression], decisive: Bool) -> Computation {
        let operands = operands.map { truth($0) }
        return { row, watch in
            for holds in operands where try holds(row, watch) == decisive { return .boolean(decisive) }
            return .boolean(!decisive)
        }
    }

    /// Other operators of equal precedence, left-associative.
    private func chain(_ first: Expression, _ links: [Expression.Link]) -> Computation {
        let start = hasRow ? notField(first, links) ?? ready(first) : ready(first)
        var field: String?
        if case .name(let name) = first.content { field = name == "it" ? name : Self.reference(to: name) }
        let steps = links.enumerated().map { index, link in
            let span = SourceSpan(first.span.start, link.operand.span.end)
            return operation(link, ComparisonSite(span: span, field: index == 0 ? field : nil))
        }
        if steps.count == 1 {
            let step = steps[0]
            let computation: Computation = { row, watch in try step(try start(row, watch), row, watch) }
            return hasRow
                ? comparison(of: first, links[0], otherwise: computation) ?? computation : computation
        }
        return { row, watch in
            var result = try start(row, watch)
            for step in steps { result = try step(result, row, watch) }
            return result
        }
    }

    /// A field that is compared with a whole number, without copies where the row has a whole number there; `nil` for other
    /// expressions.
    private func comparison(
        of first: Expression, _ link: Expression.Link, otherwise: @escaping Computation
    ) -> Computation? {
        guard case .name(let name) = first.content, name != "it",
            case .literal(.integer(let number)) = link.operand.content,
            ValueComparison.compare(link.op, 0, 0) != nil
        else { return nil }
        let (site, op) = (CachedField(name), link.op)
        return { row, watch in
            guard let whole = site.whole(in: row), let holds = ValueComparison.compare(op, whole, number)
            else {
                return try otherwise(row, watch)
            }
            watch?.found(name)
            return .boolean(holds)
        }
    }

    /// A quoted text that is compared in rows which have a field of that name: an error, since the text is the same in all rows.
    private func notField(_ first: Expression, _ links: [Expression.Link]) -> Computation? {
        guard let name = first.plainText, let op = links.first?.op, op.isComparison,
            op != .isIn
        else { return nil }
        let span = first.span
        return { row, _ in
            guard row.field(name) == nil else {
                throw LanguageErrors.type(
                    "`\(name)` in quotes is text, not the field", at: .span(span),
                    fix: "write the field as \(Self.reference(to: name))")
            }
            return .text(name)
        }
    }

    private func operation(_ link: Expression.Link, _ site: ComparisonSite) -> Operation {
        let (op, operand, span) = (link.op, link.operand, site.span)
        if case .period(let period) = operand.content {
            return { [self] left, _, _ in try shifted(left, op, by: period, at: span) }
        }
        if op != .isIn, case .literal(let right) = operand.content {
            return fixed(op, right, site)
        }
        guard op.isComparison else {
            let right = ready(operand)
            return { left, row, watch in
                try Arithmetic.apply(op, left, try right(row, watch), at: span)
            }
        }
        let right = comparand(operand, of: op)
        let patterns = scope.patterns
        guard op == .isIn else {
            return { left, row, watch in
                .boolean(
                    try ValueComparison.apply(
                        op, left, try right(left, row, watch), at: site, patterns: patterns))
            }
        }
        return { [self] left, row, watch in
            if let unit = unit(operand, for: left, row: row) {
                return try converted(left, to: unit, at: span)
            }
            return .boolean(
                try ValueComparison.apply(op, left, try right(left, row, watch), at: site, patterns: patterns)
            )
        }
    }

    /// An operator whose right side is constant.
    private func fixed(_ op: BinaryOperator, _ right: Value, _ site: ComparisonSite) -> Operation {
        if !op.isComparison {
            return { left, _, _ in try Arithmetic.apply(op, left, right, at: site.span) }
        }
        let patterns = scope.patterns
        return { left, _, _ in
            .boolean(try ValueComparison.apply(op, left, right, at: site, patterns: patterns))
        }
    }

    private static func values(
        _ parts: [Operation], _ left: Value, _ row: Value, _ watch: FieldWatch?, _ span: SourceSpan
    ) throws -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(parts.count)
        for part in parts { values.append(try part(left, row, watch)) }
        try ValueSize.check(values, at: span)
        return values
    }

    private func list(_ items: [Expression], _ span: SourceSpan, of op: BinaryOperator? = nil) -> Operation {
        let items = items.map { comparand($0, of: op) }
        return { left, row, watch in .list(try Self.values(items, left, row, watch, span))
        }
    }

    // MARK: Functions

    private func call(_ name: String, _ arguments: [Expression], _ span: SourceSpan) -> Computation {
        if let value = scope.aggregates?[span.start] { return constant(value) }
        let function: Function
        do throws(RutterError) {
            function = try FunctionLibrary.function(name, arguments, at: span)
        } catch {
            return { _, _ in throw error }
        }
        // These two evaluate their arguments lazily.
        if name == "if" {
            let holds = truth(arguments[0])
            let (then, otherwise) = (
                argument(arguments[1]), arguments.dropFirst(2).first.map { argument($0) }
            )
            return { row, watch in
                if try holds(row, watch) { return try then(row, watch) }
                return try otherwise?(row, watch) ?? .nothing
            }
        }
        let values = arguments.map { argument($0) }
        if name == "coalesce" {
            return { row, watch in
                for part in values {
                    let value = try part(row, watch)
                    if case .nothing = value { continue }
                    return value
                }
                return .nothing
            }
        }
        var field: String?
        if case .name(let name)? = arguments.first?.content {
            field = name == "it" ? name : Self.reference(to: name)
        }
        let context = Function.Context(time: scope.time, units: scope.units, field: field)
        let (body, passesNothing) = (function.body, function.passesNothing)
        return { row, watch in
            var given: [Value] = []
            given.reserveCapacity(values.count)
            for part in values { given.append(try part(row, watch)) }
            if passesNothing, given.contains(where: { if case .nothing = $0 { true } else { false } }) {
                return .nothing
            }
            do throws(RutterError) {
                return try body(given, context)
            } catch {
                var located = error
                located.place = .span(span)
                throw located
            }
        }
    }

    /// An argument of a function: as in a comparison, a bare word that is not a field is text.
    private func argument(_ expression: Expression) -> Computation {
        if case .name = expression.content { return ready(expression) }
        let value = comparand(expression)
        return { row, watch in try value(.nothing, row, watch) }
    }

    // MARK: Names

    /// The right side of a comparison, where a bare word that is not a field of the row is text:
    /// `category == shelter`; beside a date it is a day's name: `time < tomorrow`. Items of lists, too.
    private func comparand(_ expression: Expression, of op: BinaryOperator? = nil) -> Operation {
        switch expression.content {
        case .name(let name):
            let span = expression.span
            if name == "it", hasRow { return { _, row, _ in row } }
            let site = CachedField(name)
            return { [self] left, row, watch in
                if let field = site.value(in: row) {
                    watch?.found(name)
                    return field
                }
                // A field that other rows have is missing here; it is not read as text.
                if watch?.knows(name) == true { return .nothing }
                if case .date = left, let time = LocalTime(word: name) {
                    return .date(scope.time.moment(time))
                }
                if op == .matches {
                    throw LanguageErrors.type(
                        "`=~` needs a quoted pattern on the right", at: .span(span),
                        fix: "=~ '\(name)', or a field's name",
                        suggestion: Suggestion.nearest(to: name, in: row.fieldNames ?? []))
                }
                if op != nil {
                    watch?.compared(name, with: left) { names in
                        LanguageErrors.unknownWord(
                            "no row has `\(name)` here, and no field is called so", at: .span(span),
                            fix: "quote the text to search for it all the same: '\(name)'",
                            suggestion: Suggestion.nearest(to: name, in: names))
                    }
                }
                return .text(name)
            }
        case .list(let items): return list(items, expression.span, of: op)
        default:
            let value = ready(expression)
            guard let word = expression.dashedWord else {
                return { _, row, watch in try value(row, watch) }
            }
            let span = expression.span
            return { _, row, watch in
                do {
                    return try value(row, watch)
                } catch let error as RutterError {
                    // `code != F-TRANSIT-SEARCH` parses as a subtraction of three words; they most likely are one.
                    guard error.code == LanguageErrors.unknownField.code else { throw error }
                    var hinted = error
                    hinted.fix = "quote text that has signs: '\(word)'"
                    hinted.suggestion = nil
                    hinted.place = .span(span)
                    throw hinted
                }
            }
        }
    }

    private func unknownVariable(_ name: String, _ span: SourceSpan) -> RutterError {
        let fix =
            switch name {
            case "_": "`$_` is the last value shown, and nothing has been shown yet"
            case "it": "a row is `it`, without `$`, in an expression; in text, name a field: ${x.label}"
            default: "set it with: let \(name) = …"
            }
        return LanguageErrors.unknownVariable(
            "unknown variable `$\(name)`", at: .span(span), fix: fix,
            suggestion: Suggestion.nearest(
                to: name, in: scope.variables.keys.filter { $0 != "_" }.sorted()
            ).map { "$\($0)" })
    }

    private func field(_ name: String, _ span: SourceSpan) -> Computation {
        if name == "it", hasRow { return { row, _ in row } }
        let site = CachedField(name)
        return { [self] row, watch in
            if let value = site.number(in: row) ?? site.value(in: row) {
                watch?.found(name)
                return value
            }
            return try missing(name, row, watch, span)
        }
    }

    /// How a field is written: `name`, `it['a b']` where the name has blanks or signs, and `it` for a value that is no field.
    static func reference(to name: String?) -> String {
        guard let name else { return "it" }
        let isWord =
            name.unicodeScalars.allSatisfy {
                $0.properties.isAlphabetic || $0 == "_" || ("0"..."9").contains($0)
            }
            && name.first?.isNumber == false
        return isWord ? name : "it[\(Literal.quoted(name))]"
    }

    /// The value of a name that is not a field of the row.
    private func missing(
        _ name: String, _ row: Value, _ watch: FieldWatch?, _ span: SourceSpan
    ) throws(RutterError) -> Value {
        if let time = LocalTime(word: name), watch?.knows(name) != true {
            return .date(scope.time.moment(time))
        }
        guard hasRow, let names = row.fieldNames else {
            let hint =
                hasRow ? "the rows are \(row.kindName)s without fields" : "there are no rows here"
            throw LanguageErrors.unknownField(
                "`\(name)` is not a value: \(hint)", at: .span(span),
                fix: hasRow ? "`it` is the row itself" : "quote text: '\(name)'",
                suggestion: scope.variables[name] == nil ? nil : "$\(name)")
        }
        let fault: FieldWatch.Fault = { names in
            LanguageErrors.unknownField(
                "the rows have no field `\(name)`", at: .span(span),
                fix: "known fields: \(names.map { Self.reference(to: $0) }.joined(separator: ", "))",
                suggestion: Suggestion.nearest(to: name, in: names).map { Self.reference(to: $0) })
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
