import Core
import Formats
import Foundation
import PluginKit

/// A plugin's answer to `initialize`.
struct PluginDeclaration: Sendable {
    /// The names of the parameters that the plugin completes.
    typealias Completing = Set<String>

    /// The declarations of its commands, each with the parameters that it completes.
    let commands: [(spec: CommandSpec, completes: Completing)]
    /// The kinds of error that it throws.
    let errors: [ErrorKind]
    /// The field that represents an object of each of its types in a table.
    let summaryFields: [String: String]

    /// Reads the answer to `initialize`. Throws a fault with a path relative to the answer.
    init(_ tree: JSONTree, of manifest: PluginManifest) throws(JSONFault) {
        try tree.checkKeys(["name", "version", "summary", "protocol", "commands", "values", "errors"])
        if let number: Int = try tree.readIfPresent("protocol"), number != ForeignSettings.protocolNumber {
            throw JSONFault("`protocol` is \(number), the host supports \(ForeignSettings.protocolNumber)")
        }
        let name: String = try tree.read("name")
        guard name == manifest.name else {
            throw JSONFault(
                "the plugin reports the name `\(name.prefix(40))`, not `\(manifest.name)` as in plugin.json")
        }
        let version: String = try tree.read("version")
        guard version == manifest.version else {
            throw JSONFault(
                "the plugin reports version \(version.prefix(20)), not \(manifest.version) as in plugin.json")
        }
        commands = try tree.list("commands") { (item) throws(JSONFault) in try Self.command(item) }
        guard !commands.isEmpty, commands.count <= ForeignSettings.mostCommands else {
            throw JSONFault(
                "`commands` has \(commands.count) items, not 1 to \(ForeignSettings.mostCommands)")
        }
        let names = commands.map(\.spec.name)
        guard Set(names).count == names.count else { throw JSONFault("two commands have the same name") }
        let prefix = Self.codePrefix(of: manifest.name)
        errors =
            tree["errors"] == nil
            ? []
            : try tree.list("errors") { (item) throws(JSONFault) in
                try item.checkKeys(["code", "title", "explanation"])
                let code: String = try item.read("code")
                guard Self.isCode(code, prefix: prefix) else {
                    throw JSONFault("the code `\(code.prefix(40))` does not begin with \(prefix)")
                }
                return ErrorKind(
                    code, try Self.line(item, "title"), explanation: try Self.text(item, "explanation") ?? "")
            }
        var fields: [String: String] = [:]
        if tree["values"] != nil {
            for (type, summary) in try tree.list(
                "values",
                { (item) throws(JSONFault) -> (String, String) in
                    try item.checkKeys(["type", "summary"])
                    return (try item.read("type"), try item.readIfPresent("summary") ?? "")
                })
            {
                fields[type] = summary
            }
        }
        summaryFields = fields
    }

    /// The prefix of a plugin's error codes.
    static func codePrefix(of name: String) -> String { "E-" + name.uppercased() + "-" }

    /// Whether a text is a code of the plugin with that prefix.
    static func isCode(_ text: String, prefix: String) -> Bool {
        text.count <= 60 && text.hasPrefix(prefix) && text.wholeMatch(of: /E(-[A-Z0-9]+)+/) != nil
    }
}

// MARK: - Commands

extension PluginDeclaration {
    private static func command(
        _ tree: JSONTree
    ) throws(JSONFault) -> (spec: CommandSpec, completes: Completing) {
        try tree.checkKeys([
            "name", "summary", "details", "terms", "parameters", "takes", "gives", "effect", "examples",
        ])
        let name: String = try tree.read("name")
        guard name.count <= 60, name.wholeMatch(of: /[a-z][a-z0-9-]*( [a-z][a-z0-9-]*)?/) != nil else {
            throw JSONFault("`\(name.prefix(60))` is not one or two lower-case words")
        }
        var specs: [ParameterSpec] = []
        var completes: Completing = []
        if tree["parameters"] != nil {
            _ = try tree.list("parameters") { (item) throws(JSONFault) in
                let spec = try parameter(item)
                guard !specs.contains(where: { $0.name == spec.name }) else {
                    throw JSONFault("duplicate parameter `\(spec.name)`")
                }
                if try item.readIfPresent("complete") ?? false { completes.insert(spec.name) }
                specs.append(spec)
            }
        }
        let positionals = specs.filter { $0.style == .positional }
        if let early = positionals.dropLast().first(where: \.repeats) {
            throw JSONFault("`\(early.name)` repeats and must therefore be the last positional parameter")
        }
        if let early = positionals.dropLast().first(where: {
            if case .words = $0.kind { true } else { false }
        }) {
            throw JSONFault(
                "`\(early.name)` takes all words and must therefore be the last positional parameter")
        }
        let optional = positionals.firstIndex { !$0.isRequired } ?? positionals.count
        if let late = positionals[optional...].first(where: \.isRequired) {
            throw JSONFault("`\(late.name)` is required but follows an optional parameter")
        }
        let examples = try tree.list("examples") { (item) throws(JSONFault) in try example(item, of: name) }
        guard !examples.isEmpty else { throw JSONFault("`\(name)` has no example") }
        let effect: String = try tree.readIfPresent("effect") ?? CommandSpec.Effect.changes.rawValue
        guard let known = CommandSpec.Effect(rawValue: effect) else {
            throw JSONFault("`effect` is pure, reads or changes, not `\(effect.prefix(20))`")
        }
        let summary = try line(tree, "summary")
        guard summary.count <= ForeignSettings.longestSummary else {
            throw JSONFault("`summary` has more than \(ForeignSettings.longestSummary) characters")
        }
        let spec = CommandSpec(
            name, summary, details: try text(tree, "details") ?? "", parameters: specs,
            input: try shape(tree["takes"] ?? .text("nothing"), isInput: true),
            output: try shape(tree["gives"] ?? .text("any"), isInput: false), effect: known,
            examples: examples, searchTerms: try tree.readIfPresent("terms") ?? [])
        return (spec, completes)
    }

    private static func example(_ tree: JSONTree, of name: String) throws(JSONFault) -> CommandSpec.Example {
        try tree.checkKeys(["title", "line", "after", "gives"])
        let call: String = try line(tree, "line")
        let setup: [String] = try tree.readIfPresent("after") ?? []
        guard call.contains(name) else { throw JSONFault("the example `\(call)` does not use `\(name)`") }
        return .init(try line(tree, "title"), call, after: setup, gives: try text(tree, "gives"))
    }

    /// A shape: a word or `rows: a b`, with the prefix `optional` for optional input.
    private static func shape(_ tree: JSONTree, isInput: Bool) throws(JSONFault) -> CommandSpec.Shape {
        let text = try String(json: tree)
        if text.hasPrefix("optional ") {
            return .optional(try shape(.text(String(text.dropFirst("optional ".count))), isInput: isInput))
        }
        if let right = misnamed[text] {
            throw JSONFault("`\(text)` is not a kind of value; write \(right)")
        }
        switch text {
        case "nothing": return .nothing
        case "any": return .any
        case "rows": return .rows([])
        case "same rows" where !isInput: return .sameRows
        default:
            if text.hasPrefix("rows: ") {
                return .rows(text.dropFirst("rows: ".count).split(separator: " ").map(String.init))
            }
            guard text.wholeMatch(of: /[a-z][A-Za-z0-9 -]{0,39}/) != nil else {
                throw JSONFault(
                    "`\(text.prefix(40))` is not a shape: nothing, any, rows, rows: a b, or a kind of value")
            }
            return .value(text)
        }
    }

    /// Names of kinds in other languages.
    private static let misnamed = [
        "integer": "number", "float": "number", "string": "text", "bool": "boolean", "array": "list",
        "object": "record", "table": "rows", "place": "coordinate", "datetime": "date",
        "quantity": "its dimension, such as length", "null": "nothing",
    ]

    private static func parameter(_ tree: JSONTree) throws(JSONFault) -> ParameterSpec {
        try tree.checkKeys([
            "name", "kind", "type", "summary", "default", "required", "repeats", "complete", "min", "max",
            "choices",
        ])
        let name: String = try tree.read("name")
        guard name.count <= 40, name.wholeMatch(of: /[a-z][a-z0-9-]*/) != nil else {
            throw JSONFault("`\(name.prefix(40))` is not a lower-case word of letters, digits and dashes")
        }
        let written: String = try tree.readIfPresent("kind") ?? "positional"
        let styles: [String: ParameterSpec.Style] = [
            "positional": .positional, "option": .option, "flag": .flag,
        ]
        guard let style = styles[written] else {
            throw JSONFault("`kind` is positional, option or flag, not `\(written.prefix(20))`")
        }
        let defaultText = try text(tree, "default")
        let repeats: Bool = try tree.readIfPresent("repeats") ?? false
        let required: Bool? = try tree.readIfPresent("required")
        if style == .flag, defaultText != nil || repeats || required == true {
            throw JSONFault("a flag has no `default`, does not repeat and is not required")
        }
        if required == true, defaultText != nil {
            throw JSONFault("`\(name)` is required and must not have a `default`")
        }
        if repeats, defaultText != nil { throw JSONFault("`\(name)` repeats and must not have a `default`") }
        let kind = style == .flag ? ParameterKind.boolean : try self.kind(tree)
        return ParameterSpec(
            name: name, style: style, kind: kind, help: try line(tree, "summary"),
            isRequired: required ?? (style == .positional && defaultText == nil && !repeats),
            repeats: repeats,
            defaultText: defaultText)
    }

    private static func kind(_ tree: JSONTree) throws(JSONFault) -> ParameterKind {
        let type: String = try tree.read("type")
        let low: Double? = try tree.readIfPresent("min")
        let high: Double? = try tree.readIfPresent("max")
        let least = low ?? -Double.greatestFiniteMagnitude
        let most = high ?? Double.greatestFiniteMagnitude
        guard least <= most else { throw JSONFault("`min` is larger than `max`") }
        if let dimension = PhysicalDimension(rawValue: type) { return .quantity(dimension, least...most) }
        if low != nil || high != nil, !["integer", "number"].contains(type) {
            throw JSONFault("`min` and `max` apply to numbers and quantities, not to \(type.prefix(40))")
        }
        if tree["choices"] != nil, type != "choice" {
            throw JSONFault("`choices` apply to the type choice, not to \(type.prefix(40))")
        }
        switch type {
        case "text": return .text
        case "integer":
            guard [low, high].allSatisfy({ $0.map { Int(exactly: $0) != nil } ?? true }) else {
                throw JSONFault("`min` and `max` of an integer are whole numbers")
            }
            return .integer(
                (low.flatMap(Int.init(exactly:)) ?? .min)...(high.flatMap(Int.init(exactly:)) ?? .max))
        case "number": return .number(least...most)
        case "boolean": return .boolean
        case "place": return .coordinate
        case "box": return .box
        case "date": return .date
        case "field": return .field
        case "value": return .value
        case "words": return .words
        case "input-file": return .inputFile
        case "output-file": return .outputFile
        case "input-path": return .inputPath
        case "choice":
            let choices = try tree.list("choices") { (item) throws(JSONFault) -> ParameterKind.Choice in
                if case .text(let word) = item { return .init(word) }
                try item.checkKeys(["word", "summary"])
                return .init(try line(item, "word"), try text(item, "summary") ?? "")
            }
            guard !choices.isEmpty, choices.allSatisfy({ $0.word.wholeMatch(of: /[A-Za-z0-9_.-]+/) != nil })
            else {
                throw JSONFault("`choices` are words of letters, digits, dashes, dots and underscores")
            }
            return .choice(choices)
        default: throw JSONFault("`\(type.prefix(40))` is not a type of a parameter")
        }
    }

    /// A required text of one line.
    private static func line(_ tree: JSONTree, _ key: String) throws(JSONFault) -> String {
        guard let text = try text(tree, key), !text.isEmpty, !text.contains("\n") else {
            throw JSONFault("`\(key)` must be a text of one line")
        }
        return text
    }

    /// A text without control characters except line ends; `nil` if missing.
    private static func text(_ tree: JSONTree, _ key: String) throws(JSONFault) -> String? {
        guard let text: String = try tree.readIfPresent(key) else { return nil }
        guard text.count <= ForeignSettings.longestMessage, TerminalText.lines(text) == text else {
            throw JSONFault("`\(key)` is too long or has control characters")
        }
        return text
    }
}

// MARK: - Defaults

extension PluginDeclaration {
    /// Prefixes of errors that make a default invalid: other errors depend on the state of the session.
    private static let literalCodes = ["E-ARG-", "E-LITERAL", "E-UNIT-", "E-COORDINATE"]

    /// Throws `E-PLUGIN-DECLARATION` for a default that does not have its parameter's type.
    func checkDefaults(of plugin: FoundPlugin, _ context: Context) async throws {
        for spec in commands.map(\.spec) {
            for parameter in spec.parameters {
                guard let text = parameter.defaultText else { continue }
                do {
                    _ = try await context.pipelines?.value(ofWord: text, for: parameter)
                } catch let error as RutterError
                    where Self.literalCodes.contains(where: { error.code.hasPrefix($0) })
                {
                    throw ForeignErrors.declaration(
                        "the plugin `\(plugin.name)`: the default `\(text.prefix(40))` of `\(parameter.name)` of "
                            + "`\(spec.name)` cannot be used: \(error.message)",
                        fix: "correct it, then: plugin trust \(Literal.text(plugin.folder.path))")
                }
            }
        }
    }
}

extension JSONTree {
    /// Throws for an unknown key in a declaration, which would otherwise be ignored silently.
    fileprivate func checkKeys(_ known: [String]) throws(JSONFault) {
        for member in members ?? [] where !known.contains(member.key) {
            let meant = Suggestion.nearest(to: member.key, in: known).map { "; did you mean `\($0)`?" } ?? ""
            throw JSONFault("`\(member.key.prefix(40))` is not a known key\(meant)")
        }
    }
}
