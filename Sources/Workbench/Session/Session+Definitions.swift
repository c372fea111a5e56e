import Foundation
import PluginKit

/// Commands that the user defines.
extension Session {
    /// The origin of definitions in the registry.
    static let definitions = "definition"

    func define(
        _ name: String, parameters: [ParameterSpec], body: String, session: SessionHandle
    ) throws {
        try checkFree(name)
        let command = Command(
            definition: CommandSpec(
                name, "your definition", details: body.trimmingCharacters(in: .whitespacesAndNewlines),
                parameters: parameters, input: .optional(.any), output: .any, effect: .changes, examples: []),
            run: { values, input, _ in
                var all = values
                for parameter in parameters where all[parameter.name] == nil {
                    all[parameter.name] = parameter.style == .flag ? .boolean(false) : .nothing
                }
                return try await session.get().call(name, body: body, values: all, input: input)
            })
        // Errors in the body are reported now, not on first use; the body may call itself.
        let registry = registry
        let script = try located(name, body) {
            try Parser.parse(
                body, lookUp: { $0 == name ? command : registry.meant($0)?.command },
                names: { registry.names + [name] })
        }
        let changes = script.pipelines.contains(where: \.changesCommands)
        replaceDefinition(changes ? command.changingCommands : command)
    }

    /// Throws `E-DEF` for a default that its parameter does not take, of the kinds whose values do not depend on when it is called.
    func checkDefaults(of parameters: [ParameterSpec]) async throws {
        let context = context(tracing: nil)
        let time = TimeContext(clock: context.clock, timeZone: environment.timeZone)
        for parameter in parameters {
            guard let text = parameter.defaultText, parameter.kind.isFixed else { continue }
            do {
                // Without its default, which an error would propose.
                let bare = ParameterSpec(
                    name: parameter.name, style: parameter.style, kind: parameter.kind, help: parameter.help)
                _ = try await Coercion(context: context, time: time, parameter: bare).value(ofBare: text)
            } catch let error as RutterError {
                throw StatementErrors.definition("the default: \(error.message)", fix: error.fix)
            }
        }
    }

    func alias(_ name: String, to source: String, session: SessionHandle) throws {
        try checkFree(name)
        let registry = registry
        let script = try located(name, source) {
            try Parser.parse(source, lookUp: { registry.meant($0)?.command }, names: { registry.names })
        }
        guard script.pipelines.count == 1, script.pipelines[0].head == nil,
            let last = script.pipelines[0].calls.last
        else {
            throw StatementErrors.definition(
                "an alias stands for a command and its first words", at: .parameter("command"),
                fix: "use def NAME [] { … } for more")
        }
        let spec = last.command.spec
        let command = Command(
            definition: CommandSpec(
                name, "alias of `\(source)`", details: spec.details,
                parameters: [
                    ParameterSpec(
                        name: "arguments", style: .positional, kind: .source,
                        help: "further words of `\(spec.name)`")
                ], input: spec.input, output: spec.output, effect: spec.effect, examples: []),
            run: { values, input, _ in
                var line = source
                if case .text(let rest)? = values["arguments"] { line += " " + rest }
                return try await session.get().call(
                    name, body: line, values: [:], input: input, isScoped: false)
            })
        replaceDefinition(spec.changesCommands ? command.changingCommands : command)
    }

    private func checkFree(_ name: String) throws(RutterError) {
        guard CommandRegistry.isWellFormed(name), !name.contains(" ") else {
            throw StatementErrors.definition(
                "`\(name)` is not a command's name", at: .parameter("name"),
                fix: "letters, digits and dashes, a letter first")
        }
        if let known = registry[name], known.origin != Self.definitions {
            throw StatementErrors.taken(
                "`\(name)` is a command of \(known.origin == "host" ? "the workbench" : "the plugin `\(known.origin)`")",
                at: .parameter("name"), fix: "choose another name")
        }
        if !registry.secondWords(after: name).isEmpty {
            throw StatementErrors.taken(
                "`\(name)` begins the commands \(name) \(registry.secondWords(after: name).joined(separator: ", "))",
                at: .parameter("name"), fix: "choose another name")
        }
    }

    /// Runs the body of a definition.
    func call(
        _ name: String, body: String, values: [String: Value], input: Value, isScoped: Bool = true
    ) async throws -> Value {
        guard callDepth < SessionLimits.deepestCalls else {
            throw StatementErrors.recursion(
                "`\(name)` is called more than \(SessionLimits.deepestCalls) deep",
                fix: "end the recursion with `if`")
        }
        callDepth += 1
        let outer = variables
        defer {
            callDepth -= 1
            if isScoped { variables = outer }
        }
        for (name, value) in values { setVariable(name, to: value) }
        if isScoped { variables["in"] = input }
        do {
            var queue = PipelineQueue(try parse(body))
            var last = Value.nothing
            var input = input
            while let pipeline = try next(in: &queue, of: body) {
                try show(last)
                last = try await execute(pipeline, input: input, entry: body, tracing: nil)
                input = .nothing
            }
            return last.mappingStreamErrors { Self.within(name, body, $0) }
        } catch {
            throw Self.within(name, body, Self.asRutterError(error))
        }
    }

    private func located<T>(_ name: String, _ body: String, _ work: () throws -> T) throws -> T {
        do { return try work() } catch {
            throw Self.within(name, body, Self.asRutterError(error))
        }
    }

    /// An error in a body: its location is the calling line; the message names the location in the body.
    private static func within(_ name: String, _ body: String, _ error: RutterError) -> RutterError {
        // No further line can complete it: the surrounding entry is complete.
        let error =
            error.code == LanguageErrors.unfinished.code
            ? LanguageErrors.syntax(error.message, at: error.place, fix: error.fix) : error
        guard case .span(let span) = error.place else { return error }
        let bytes = Array(body.utf8)
        let part = String(
            decoding: bytes[min(span.start, bytes.count)..<min(span.end, bytes.count)], as: UTF8.self)
        var copy = error
        copy.place = .none
        let shown = part.split(separator: "\n").first.map(String.init) ?? ""
        // Only the innermost location of each definition: recursion would repeat it 64 times.
        if error.message.contains(" (in `\(name)`") { return copy }
        copy.message += shown.isEmpty ? " (in `\(name)`)" : " (in `\(name)`, at `\(shown)`)"
        return copy
    }

    // MARK: Files

    /// Runs the entries of a file one after the other. Throws the first error, with its location in the
    /// file.
    func source(_ file: URL, arguments: [String]) async throws {
        guard callDepth < SessionLimits.deepestCalls else {
            throw StatementErrors.recursion(
                "files source each other more than \(SessionLimits.deepestCalls) deep")
        }
        callDepth += 1
        let outer = scriptArguments
        scriptArguments = arguments
        defer {
            callDepth -= 1
            scriptArguments = outer
        }
        let text = try TextOrigin(file: file.lastPathComponent).text(FileText.bytes(of: file))
        for entry in ScriptText.entries(of: text) {
            do {
                var queue = PipelineQueue(try parse(entry.text))
                while let pipeline = try next(in: &queue, of: entry.text) {
                    let value = try await execute(pipeline, entry: entry.text, tracing: nil)
                    try show(value)
                    if case .nothing = value {} else { setVariable("_", to: value) }
                    if let failure = takeFailure() { throw failure }
                    if isStopping { return }
                }
            } catch {
                throw entry.locating(Self.asRutterError(error), in: file.lastPathComponent)
            }
        }
    }

    /// The arguments that `args` declares, from those that came with the script.
    func bindScriptArguments(to parameters: [ParameterSpec]) async throws {
        var words = scriptArguments[...]
        var given: [String: String] = [:]
        var positionals = parameters.filter { $0.style == .positional }[...]
        while let word = words.popFirst() {
            if word.hasPrefix("--"), word.count > 2 {
                let parts = word.dropFirst(2).split(
                    separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                let name = String(parts[0])
                guard let parameter = parameters.first(where: { $0.name == name && $0.style != .positional })
                else {
                    throw StatementErrors.arguments(
                        "the script has no option `--\(name)`", fix: Self.usage(parameters),
                        suggestion: Suggestion.nearest(
                            to: name, in: parameters.filter { $0.style != .positional }.map(\.name)
                        ).map { "--\($0)" })
                }
                if parameter.style == .flag {
                    given[name] = "true"
                } else if parts.count > 1 {
                    given[name] = String(parts[1])
                } else if let value = words.popFirst() {
                    given[name] = value
                } else {
                    throw StatementErrors.arguments("`--\(name)` needs a value", fix: Self.usage(parameters))
                }
            } else if let parameter = positionals.popFirst() {
                given[parameter.name] = word
            } else {
                throw StatementErrors.arguments(
                    "unexpected script argument `\(word)`", fix: Self.usage(parameters))
            }
        }
        let context = context(tracing: nil)
        let time = TimeContext(clock: context.clock, timeZone: environment.timeZone)
        for parameter in parameters {
            let text = given[parameter.name] ?? parameter.defaultText
            guard let text else {
                if parameter.isRequired {
                    throw StatementErrors.arguments(
                        "the script needs `\(parameter.name)`", fix: Self.usage(parameters))
                }
                setVariable(parameter.name, to: parameter.style == .flag ? .boolean(false) : .nothing)
                continue
            }
            do {
                let value = try await Coercion(context: context, time: time, parameter: parameter).value(
                    ofBare: text)
                setVariable(parameter.name, to: value)
            } catch let error as RutterError {
                throw StatementErrors.arguments(
                    "`\(parameter.name)`: \(error.message)", fix: error.fix ?? Self.usage(parameters))
            }
        }
    }

    private static func usage(_ parameters: [ParameterSpec]) -> String {
        "usage: FILE " + parameters.map(Usage.form).joined(separator: " ")
    }
}

/// Limits of a session.
enum SessionLimits {
    /// How deep definitions, aliases and files may call each other.
    static let deepestCalls = 64
}

extension ParameterKind {
    /// Whether what a word stands for depends on the word alone, and not on time, files or stored objects.
    fileprivate var isFixed: Bool {
        switch self {
        case .integer, .number, .quantity, .boolean, .box, .list: true
        case .text, .coordinate, .date, .localDate, .choice, .inputFile, .outputFile, .inputPath, .reference,
            .field, .expression, .value, .words, .pipeline, .assignments, .summary, .block, .source:
            false
        }
    }
}
