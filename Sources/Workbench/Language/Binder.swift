import Foundation
import Geodesy
import PluginKit

/// Checks the words of a call against the command's declaration and makes its arguments.
struct Binder: Sendable {
    let context: Context
    let evaluator: Evaluator
    /// Makes a nested pipeline runnable.
    let deferred: @Sendable (Pipeline, String) -> DeferredPipeline

    func arguments(for call: Call) async throws -> Arguments {
        let spec = call.command.spec
        var values: [String: Value] = [:]
        try await bindPositionals(call, spec, &values)
        try await bindOptions(call, &values)
        for parameter in spec.parameters where values[parameter.name] == nil {
            guard let text = parameter.defaultText else { continue }
            let word = Word(content: .bare(text), span: call.nameSpan, source: text)
            values[parameter.name] = try await value(of: word, for: parameter)
        }
        return Arguments(values)
    }

    private func bindPositionals(_ call: Call, _ spec: CommandSpec, _ values: inout [String: Value])
        async throws
    {
        var words = call.positionals[...]
        for parameter in spec.positionals {
            if parameter.repeats {
                var items: [Value] = []
                for word in words { items.append(try await value(of: word, for: parameter)) }
                if items.isEmpty && parameter.isRequired { throw missing(parameter, call) }
                values[parameter.name] = .list(items)
                return
            }
            if let word = words.popFirst() {
                values[parameter.name] = try await value(of: word, for: parameter)
            } else if parameter.isRequired {
                throw missing(parameter, call)
            }
        }
        if let extra = words.first {
            // A word too many most often is the value of the option that names the thing.
            let named = spec.options.first {
                ["label", "name", "title"].contains($0.name) && $0.style == .option
            }
            throw LanguageErrors.extraArgument(
                "`\(spec.name)` takes no further argument", at: .span(extra.span),
                fix: named.map { "--\($0.name) \(extra.source)" } ?? "usage: \(Usage.line(of: spec))")
        }
    }

    private func bindOptions(_ call: Call, _ values: inout [String: Value]) async throws {
        for option in call.options {
            guard let parameter = call.command.spec.options.first(where: { $0.name == option.name }) else {
                continue
            }
            if parameter.style == .flag {
                values[option.name] = .boolean(true)
            } else if let word = option.value {
                let bound = try await value(of: word, for: parameter)
                if parameter.repeats {
                    if case .list(let before)? = values[option.name] {
                        values[option.name] = .list(before + [bound])
                    } else {
                        values[option.name] = .list([bound])
                    }
                } else if values[option.name] != nil {
                    throw LanguageErrors.repeated(
                        "`--\(option.name)` was given twice", at: .span(option.nameSpan))
                } else {
                    values[option.name] = bound
                }
            }
        }
    }

    private func missing(_ parameter: ParameterSpec, _ call: Call) -> RutterError {
        LanguageErrors.missingArgument(
            "`\(call.command.spec.name)` needs \(parameter.name): \(parameter.help)",
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

    private func converted(_ word: Word, to parameter: ParameterSpec) async throws -> Value {
        let coercion = Coercion(context: context, time: evaluator.scope.time, parameter: parameter)
        switch word.content {
        case .bare(let text): return try await coercion.value(ofBare: text)
        case .text(let text): return try await coercion.value(ofQuoted: text)
        case .interpolated(let pieces):
            return try await coercion.value(ofQuoted: try evaluator.text(pieces, row: nil))
        case .reference(let name): return try await coercion.value(ofReference: name)
        case .pipeline(let pipeline): return .object(deferred(pipeline, word.source))
        case .list(let words):
            var items: [Value] = []
            for item in words { items.append(try await anyValue(item)) }
            try ValueSize.check(items, at: word.span)
            return try await coercion.value(of: .list(items))
        case .expression(let expression):
            let resolved = try await resolvingReferences(in: expression)
            if case .expression = parameter.kind {
                let evaluator = resolved
                return .object(
                    RowExpression(text: word.source) { row in try evaluator.value(expression, row: row) })
            }
            return try await coercion.value(of: try resolved.value(expression))
        }
    }

    /// A word inside a list, where no parameter declares its kind.
    private func anyValue(_ word: Word) async throws -> Value {
        let any = ParameterSpec(
            name: "item", style: .positional, kind: .value, help: "", isRequired: true, repeats: false,
            defaultText: nil)
        return try await value(of: word, for: any)
    }

    /// The evaluator with the expression's references looked up, which expressions themselves cannot wait for.
    func resolvingReferences(in expression: Expression) async throws -> Evaluator {
        var names: [(String, SourceSpan)] = []
        expression.collectReferences(into: &names)
        if names.isEmpty { return evaluator }
        var scope = evaluator.scope
        for (name, span) in names {
            do {
                scope.references[name] = .object(
                    try await ReferenceLookUp.one(name, kind: nil, context: context).object)
            } catch let error as RutterError {
                throw error.located(at: .span(span))
            }
        }
        return Evaluator(scope: scope)
    }
}

extension Expression {
    fileprivate func collectReferences(into names: inout [(String, SourceSpan)]) {
        switch content {
        case .reference(let name): names.append((name, span))
        case .list(let items): for item in items { item.collectReferences(into: &names) }
        case .negate(let inner), .not(let inner): inner.collectReferences(into: &names)
        case .path(let base, let steps):
            base.collectReferences(into: &names)
            for case .index(let index) in steps.map(\.kind) { index.collectReferences(into: &names) }
        case .chain(let first, let links):
            first.collectReferences(into: &names)
            for link in links { link.operand.collectReferences(into: &names) }
        case .interpolated(let pieces):
            for case .value(let inner) in pieces { inner.collectReferences(into: &names) }
        case .literal, .localTime, .variable, .name: break
        }
    }
}
