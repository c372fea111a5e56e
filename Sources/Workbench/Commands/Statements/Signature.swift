import PluginKit

/// Declared parameters: `radius: length = 2km, --all`.
struct Signature: Sendable {
    /// The types that a definition can name.
    static let types: [(name: String, kind: ParameterKind)] =
        [
            ("any", .value), ("text", .text),
            ("number", .number(-Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude)),
            ("integer", .integer(Int.min...Int.max)), ("boolean", .boolean), ("coordinate", .coordinate),
            ("box", .box),
            ("date", .date), ("file", .inputFile), ("field", .field), ("list", .list),
        ]
        + PhysicalDimension.allCases.map {
            ($0.name, .quantity($0, -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude))
        }

    let parameters: [ParameterSpec]

    /// Parses the text between the brackets. Throws `E-DEF`.
    init(_ source: String) throws(RutterError) {
        var reader = Cursor(source)
        var found: [ParameterSpec] = []
        while true {
            reader.skipBlanks(lines: true)
            while reader.skip(",") { reader.skipBlanks(lines: true) }
            if reader.isAtEnd { break }
            let parameter = try Self.parameter(&reader)
            if found.contains(where: { $0.name == parameter.name }) {
                throw StatementErrors.definition("the parameter `\(parameter.name)` is declared twice")
            }
            if parameter.style == .positional, parameter.isRequired,
                let before = found.last(where: { $0.style == .positional }), !before.isRequired
            {
                throw StatementErrors.definition(
                    "`\(parameter.name)` has no default, but `\(before.name)` before it has one",
                    fix: "declare parameters with a default last")
            }
            found.append(parameter)
        }
        parameters = found
    }

    private static func parameter(_ reader: inout Cursor) throws(RutterError) -> ParameterSpec {
        let isOption = reader.starts(with: "--")
        if isOption { reader.position += 2 }
        guard let name = reader.name(), name != "_", name != "in" else {
            throw StatementErrors.definition(
                "expected a parameter's name", fix: "write [radius: length = 2km]")
        }
        reader.skipBlanks(lines: true)
        var kind: ParameterKind?
        if reader.skip(":") {
            reader.skipBlanks(lines: true)
            let word = reader.name() ?? ""
            guard let type = types.first(where: { $0.name == word }) else {
                throw StatementErrors.definition(
                    "`\(word)` is not a type", fix: "types: " + types.map(\.name).joined(separator: " "),
                    suggestion: Suggestion.nearest(to: word, in: types.map(\.name)))
            }
            kind = type.kind
            reader.skipBlanks(lines: true)
        }
        var text: String?
        if reader.skip("=") {
            reader.skipBlanks(lines: true)
            text = try defaultText(&reader, name)
        }
        let isFlag = isOption && kind == nil && text == nil
        return ParameterSpec(
            name: name, style: isFlag ? .flag : isOption ? .option : .positional,
            kind: isFlag ? .boolean : kind ?? .value, help: name,
            isRequired: !isOption && text == nil, defaultText: text)
    }

    /// A word as written, or what quoted text stands for.
    private static func defaultText(_ reader: inout Cursor, _ name: String) throws(RutterError) -> String {
        let start = reader.position
        if Cursor.isQuote(reader.peek()) { return try quotedText(&reader, name) }
        if reader.peek() == UInt8(ascii: "[") {
            throw StatementErrors.definition(
                "the default of `\(name)` cannot be a list", fix: "leave the default out, and pass the list")
        }
        // A coordinate has a comma within; one that ends the word separates parameters.
        while !reader.isAtEnd, !reader.isAtBlank {
            if reader.peek() == UInt8(ascii: ","),
                !NumberScanner.startsNumber(reader.bytes, at: reader.position + 1)
            {
                break
            }
            reader.position += 1
        }
        guard reader.position > start else {
            throw StatementErrors.definition(
                "the default of `\(name)` is missing", fix: "write \(name)=VALUE")
        }
        return reader.text(start, reader.position)
    }

    /// Text between quotes, with the escapes of the language between double ones.
    private static func quotedText(_ reader: inout Cursor, _ name: String) throws(RutterError) -> String {
        var parser = Parser(cursor: reader, lookUp: { _ in nil }, names: { [] })
        let text: String?
        do throws(RutterError) {
            text =
                reader.peek() == UInt8(ascii: "'")
                ? try parser.rawText() : parser.plainText(try parser.interpolatedText())
        } catch {
            throw StatementErrors.definition("the default of `\(name)`: \(error.message)", fix: error.fix)
        }
        reader.position = parser.cursor.position
        guard let text else {
            throw StatementErrors.definition(
                "the default of `\(name)` has a variable, which has no value yet",
                fix: "write \\$ for the sign, or use the variable in the body")
        }
        return text
    }
}
