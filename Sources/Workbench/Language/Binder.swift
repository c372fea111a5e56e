import CivilTime
import Foundation
import Geodesy
import PluginKit

/// Checks the words of a call against the command's declaration and makes its arguments.
struct Binder: Sendable {
    let context: Context
    let scope: Scope
    /// Makes a nested pipeline runnable.
    let deferred: @Sendable (Pipeline, String) -> DeferredPipeline
    /// Makes a block runnable.
    let block: @Sendable (Script, String) -> DeferredBlock

    private var evaluator: Evaluator { Evaluator(scope: scope) }

    func arguments(for call: Call) async throws -> Arguments {
        let spec = call.command.spec
        var values: [String: Value] = [:]
        try await bindPositionals(call, spec, &values)
        try await bindOptions(call, &values)
        for parameter in spec.parameters where values[parameter.name] == nil {
            guard let text = parameter.defaultText else {
                if parameter.isRequired { throw missing(parameter, call) }
                continue
            }
            let word = Word(content: .bare(text), span: call.nameSpan, source: text)
            values[parameter.name] = try await value(of: word, for: parameter)
        }
        return Arguments(values)
    }

    private func bindPositionals(_ call: Call, _ spec: CommandSpec, _ values: inout [String: Value])
        async throws
    {
        let habits = ArgumentHabits(call: call)
        if let extra = habits.extra { throw Self.unexpected(extra, call, habits) }
        var words = call.positionals[...]
        for (index, parameter) in spec.positionals.enumerated() {
            if parameter.repeats {
                var items: [Value] = []
                if case .list(let spread)? = values[parameter.name] { items = spread }
                for word in words {
                    do {
                        items += try await repeatedValues(of: word, for: parameter)
                    } catch let error as RutterError {
                        throw Self.refused(error, word, parameter, call, habits)
                    }
                }
                if items.isEmpty && parameter.isRequired { throw missing(parameter, call) }
                values[parameter.name] = .list(items)
                return
            }
            if let word = words.popFirst() {
                do {
                    if case .expression = word.content, let others = Self.others(after: index, spec) {
                        // Several rows are the first and those that follow it.
                        let items = try await repeatedValues(of: word, for: parameter)
                        values[parameter.name] = items.first
                        if items.count > 1 { values[others.name] = .list(Array(items.dropFirst())) }
                    }
                    if values[parameter.name] == nil {
                        values[parameter.name] = try await value(of: word, for: parameter)
                    }
                } catch let error as RutterError {
                    throw Self.refused(error, word, parameter, call, habits)
                }
            } else if parameter.isRequired {
                throw missing(parameter, call)
            }
        }
    }

    /// The parameter that takes further references after one at an index; `nil` if there is none.
    private static func others(after index: Int, _ spec: CommandSpec) -> ParameterSpec? {
        guard case .reference(let kind) = spec.positionals[index].kind, index + 1 < spec.positionals.count,
            case .reference(kind) = spec.positionals[index + 1].kind, spec.positionals[index + 1].repeats
        else { return nil }
        return spec.positionals[index + 1]
    }

    /// The error of an argument that its parameter refuses, with what to write where its kind or a name in it is unknown.
    private static func refused(
        _ error: RutterError, _ word: Word, _ parameter: ParameterSpec, _ call: Call, _ habits: ArgumentHabits
    ) -> RutterError {
        var error = error
        if error.kind == LanguageErrors.argumentKind, let fix = piped(word, call) {
            error.fix = fix
        } else if let fix = habits.fix(forRefused: word, of: parameter) {
            (error.fix, error.suggestion) = (fix, nil)
        }
        return error
    }

    /// The error of an argument for which a command has no place.
    private static func unexpected(_ extra: Word, _ call: Call, _ habits: ArgumentHabits) -> RutterError {
        let spec = call.command.spec
        let known =
            piped(extra, call) ?? quotedTime(extra, call) ?? blankField(extra, call)
            ?? Habits.fix(forExtraWordOf: spec.name, extra.source, followedBy: call.positionals.last?.source)
            ?? habits.fix(forExtra: extra)
        // An extra word is usually the value of the option that names the item.
        return LanguageErrors.extraArgument(
            "unexpected argument for `\(spec.name)`", at: .span(extra.span),
            fix: known ?? through(call, spec) ?? fromThePipe(spec, extra)
                ?? habits.namingOption.map { "--\($0.name) \(extra.source)" }
                ?? "usage: \(Usage.line(of: spec))")
    }

    /// More places than the two ends: the last is where one goes, those between are passed.
    private static func through(_ call: Call, _ spec: CommandSpec) -> String? {
        guard spec.positionals.count == 2, spec.options.contains(where: { $0.name == "via" && $0.repeats }),
            let from = call.positionals.first, let to = call.positionals.last
        else { return nil }
        let passed = call.positionals.dropFirst().dropLast().map { " --via \($0.source)" }
        let line = "\(spec.name) \(from.source) \(to.source)" + passed.joined()
        // Words without quotes may be one name.
        let mayBeName = call.positionals.contains { $0.source.first?.isLetter ?? false }
        return mayBeName ? "\(line); a name of several words stands in quotes" : line
    }

    /// What a command without positional arguments works on; a word may be the name of it.
    private static func fromThePipe(_ spec: CommandSpec, _ word: Word) -> String? {
        if case .nothing = spec.input { return nil }
        guard spec.positionals.isEmpty else { return nil }
        let fix = "it works on what comes through the pipe: … | \(spec.name)"
        if case .rows = spec.input { return fix }
        switch word.content {
        case .bare(let name) where name.first?.isLetter == true, .text(let name):
            return "\(fix), such as @\(Literal.quotedName(name)) | \(spec.name)"
        default: return fix
        }
    }

    /// A variable or reference that is given as an argument to a command that takes it from the pipe: `map $way` is `$way | map`.
    private static func piped(_ word: Word, _ call: Call) -> String? {
        if case .nothing = call.command.spec.input { return nil }
        return word.source.hasPrefix("$") || word.source.hasPrefix("@")
            ? "\(word.source) | \(call.command.spec.name)" : nil
    }

    /// A quantity where another kind is expected, if other options take it: a length for a time.
    private static func otherOption(for word: Word, _ spec: CommandSpec) -> String? {
        guard case .bare(let text) = word.content,
            case .value(.quantity(let quantity))? = try? LiteralParser.parse(text)
        else { return nil }
        let names = spec.options.filter {
            if case .quantity(quantity.dimension, _) = $0.kind { true } else { false }
        }.map { "--\($0.name)" }
        guard let last = names.last else { return nil }
        let first = names.dropLast().joined(separator: ", ")
        return "\(quantity.dimension.withArticle) is given by \(first.isEmpty ? last : "\(first) or \(last)")"
    }

    /// A time of two words without quotes: `--at tomorrow 22:00` is `--at 'tomorrow 22:00'`.
    private static func quotedTime(_ word: Word, _ call: Call) -> String? {
        for option in call.options {
            guard let value = option.value, value.span.end < word.span.start,
                let parameter = call.command.spec.options.first(where: { $0.name == option.name })
            else { continue }
            switch parameter.kind {
            case .date, .localDate: break
            default: continue
            }
            let both = value.source + " " + word.source
            if LocalTime(text: both) != nil { return "--\(option.name) \(Literal.text(both))" }
        }
        return nil
    }

    /// A field with a blank in its name, in an expression: `where Avg Pace > 3` is `where it["Avg Pace"] > 3`.
    private static func blankField(_ word: Word, _ call: Call) -> String? {
        guard
            case .expression(let before)? = call.positionals.last(where: { $0.span.end <= word.span.start })?
                .content,
            case .name(let first) = before.content, let second = word.source.first, second.isLetter
        else { return nil }
        let rest = word.source.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        return "a field with a blank in its name is \(Evaluator.reference(to: first + " " + rest))"
    }

    private func bindOptions(_ call: Call, _ values: inout [String: Value]) async throws {
        for option in call.options {
            guard let parameter = call.command.spec.options.first(where: { $0.name == option.name }) else {
                continue
            }
            if parameter.style == .flag {
                values[option.name] = .boolean(true)
            } else if let word = option.value {
                let bound: Value
                do {
                    bound = try await value(of: word, for: parameter)
                } catch var error as RutterError where error.kind == LanguageErrors.argumentKind {
                    if let fix = Self.otherOption(for: word, call.command.spec) { error.fix = fix }
                    throw error
                }
                if parameter.repeats {
                    if case .list(let before)? = values[option.name] {
                        values[option.name] = .list(before + [bound])
                    } else {
                        values[option.name] = .list([bound])
                    }
                } else if values[option.name] != nil {
                    throw LanguageErrors.repeated(
                        "repeated option `--\(option.name)`", at: .span(option.nameSpan))
                } else {
                    values[option.name] = bound
                }
            }
        }
    }

    private func missing(_ parameter: ParameterSpec, _ call: Call) -> RutterError {
        LanguageErrors.missingArgument(
            "`\(call.command.spec.name)` needs \(parameter.style == .option ? "--" : "")\(parameter.name): \(parameter.help)",
            at: .span(SourceSpan(call.nameSpan.start, call.span.end)),
            fix: "usage: \(Usage.line(of: call.command.spec))")
    }

    // MARK: One word

    private func value(of word: Word, for parameter: ParameterSpec) async throws -> Value {
        do {
            return try await converted(word, to: parameter)
        } catch let error as RutterError {
            throw error.located(at: .span(word.span))
        }
    }

    private func repeatedValues(of word: Word, for parameter: ParameterSpec) async throws -> [Value] {
        do {
            if case .reference = parameter.kind, case .expression(let expression) = word.content {
                // A pipeline between parentheses may return several: each is one of the values.
                let resolved = try await resolvingReferences(in: [expression])
                let value = try Evaluator(scope: resolved).value(expression)
                let coercion = Coercion(context: context, time: scope.time, parameter: parameter)
                var items: [Value] = []
                for item in try Self.items(of: value) { items.append(try await coercion.value(of: item)) }
                return items
            }
            guard case .bare(let text) = word.content else {
                return [try await converted(word, to: parameter)]
            }
            return try await Coercion(context: context, time: scope.time, parameter: parameter)
                .values(ofRepeated: text)
        } catch let error as RutterError {
            throw error.located(at: .span(word.span))
        }
    }

    /// The rows or items of a value; a single value is itself.
    private static func items(of value: Value) throws -> [Value] {
        switch value {
        case .rows(let rows): try rows.collect()
        case .list(let items): items
        default: [value]
        }
    }

    private func converted(_ word: Word, to parameter: ParameterSpec) async throws -> Value {
        let coercion = Coercion(context: context, time: scope.time, parameter: parameter)
        switch word.content {
        case .bare(let text): return try await coercion.value(ofBare: text)
        case .text(let text): return try await coercion.value(ofQuoted: text)
        case .interpolated(let pieces):
            return try await coercion.value(ofQuoted: try evaluator.text(pieces))
        case .reference(let name): return try await coercion.value(ofReference: name)
        case .pipeline(let pipeline): return .object(deferred(pipeline, word.source))
        case .block(let script): return .object(block(script, word.source))
        case .assignments(let columns): return .object(NamedExpressions(columns: try await named(columns)))
        case .summary(let summary):
            return .object(
                try await SummaryPlan(summary, scope: resolvingReferences(in: summary.expressions)))
        case .list(let words):
            var items: [Value] = []
            for item in words { items.append(try await anyValue(item)) }
            try ValueSize.check(items, at: word.span)
            return try await coercion.value(of: .list(items))
        case .expression(let expression):
            let resolved = try await resolvingReferences(in: [expression])
            if case .expression = parameter.kind {
                var row = RowExpression(text: word.source, expression, resolved)
                if case .record(let fields) = expression.content { row.recordKeys = fields.map { $0.0 } }
                row.operands = expression.operands(source: word.source, start: word.span.start, resolved)
                return .object(row)
            }
            return try await coercion.value(of: try Evaluator(scope: resolved).value(expression))
        }
    }

    private func named(_ columns: [Word.Assignment]) async throws -> [NamedExpressions.Column] {
        let resolved = try await resolvingReferences(in: columns.map(\.expression))
        return columns.map {
            .init(name: $0.name, expression: RowExpression(text: $0.source, $0.expression, resolved))
        }
    }

    /// A word inside a list, where no parameter declares its kind.
    private func anyValue(_ word: Word) async throws -> Value {
        let any = ParameterSpec(
            name: "item", style: .positional, kind: .value, help: "", isRequired: true, repeats: false,
            defaultText: nil)
        return try await value(of: word, for: any)
    }

    /// The scope with the references of expressions resolved and their pipelines run; expressions are
    /// evaluated synchronously.
    func resolvingReferences(in expressions: [Expression]) async throws -> Scope {
        var needs = ExpressionNeeds()
        for expression in expressions { needs.collect(expression) }
        if needs.isEmpty { return scope }
        var scope = scope
        for (name, span) in needs.references {
            do {
                scope.references[name] = .object(
                    try await ReferenceLookUp.one(name, kind: nil, context: context).object)
            } catch let error as RutterError {
                throw error.located(at: .span(span))
            }
        }
        for (pipeline, start) in needs.pipelines {
            var value = try await deferred(pipeline, "").run()
            // It is used for every row; a stream would be recomputed each time.
            if case .rows(let rows) = value, rows.isLazy {
                value = .rows(Rows(try rows.collect(), columns: rows.columns, note: rows.note, cut: rows.cut))
            }
            scope.pipelines[start] = value
        }
        return scope
    }
}

extension RowExpression {
    /// An expression whose references are resolved.
    init(text: String, _ expression: Expression, _ scope: Scope) {
        self.init(text: text, body: Evaluator(scope: scope, hasRow: true).ready(expression))
        overRows = RowAggregates(expression, scope)?.over(text, expression, scope)
    }
}

extension Expression {
    /// The non-literal operands of an expression's comparisons, with their values.
    func operands(
        source: String, start: Int, _ scope: Scope
    ) -> (@Sendable (Value) throws -> [(text: String, value: Value)])? {
        let parts = comparedParts
        guard !parts.isEmpty else { return nil }
        let bytes = Array(source.utf8)
        let evaluator = Evaluator(scope: scope, hasRow: true)
        let computed = parts.map { part in
            let range = max(0, part.span.start - start)..<min(bytes.count, part.span.end - start)
            return (text: String(decoding: bytes[range], as: UTF8.self), value: evaluator.ready(part))
        }
        return { row in try computed.map { ($0.text, try $0.value(row, nil)) } }
    }

    private var comparedParts: [Expression] {
        switch content {
        case .not(let inner): return inner.comparedParts
        case .chain(let first, let links):
            let operands = [first] + links.map(\.operand)
            guard let op = links.first?.op else { return [] }
            if op == .and || op == .or { return operands.flatMap(\.comparedParts) }
            return op.isComparison ? operands.filter(\.isComputed) : []
        default: return []
        }
    }

    private var isComputed: Bool {
        switch content {
        case .literal, .localTime, .list, .record: false
        case .name(let name): name != "it"
        default: true
        }
    }
}

/// What expressions need before they can be evaluated.
private struct ExpressionNeeds {
    var references: [(String, SourceSpan)] = []
    var pipelines: [(Pipeline, Int)] = []

    var isEmpty: Bool { references.isEmpty && pipelines.isEmpty }

    mutating func collect(_ expression: Expression) {
        switch expression.content {
        case .reference(let name): references.append((name, expression.span))
        case .pipeline(let pipeline): pipelines.append((pipeline, expression.span.start))
        case .list(let items), .call(_, let items): for item in items { collect(item) }
        case .record(let fields): for (_, field) in fields { collect(field) }
        case .negate(let inner), .not(let inner): collect(inner)
        case .path(let base, let steps):
            collect(base)
            for case .index(let index) in steps.map(\.kind) { collect(index) }
        case .chain(let first, let links):
            collect(first)
            for link in links { collect(link.operand) }
        case .interpolated(let pieces):
            for case .value(let inner) in pieces { collect(inner) }
        case .literal, .localTime, .variable, .name, .period: break
        }
    }
}
