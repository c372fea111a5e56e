import Foundation
import PluginKit

/// Functions of text.
enum TextFunctions {
    static let all = [
        Function(
            "length", "x", "count the characters of text, or the items of a list", 1...1,
            ("length('Juclà')", "5"),
            ("length([1 2 3])", "3"),
            searchTerms: ["number of characters", "length of a text", "length of a string"]
        ) { values, _ throws(RutterError) in
            if case .text(let text) = values[0] { return .integer(text.count) }
            guard let items = values[0].readyItems else {
                throw Argument.wrong(
                    values[0], "length", "text or a list", fix: "`count` counts the rows of a stream")
            }
            return .integer(items.count)
        },
        Function(
            "lower", "text", "convert to lower case", 1...1, ("lower('Llac')", "llac"),
            searchTerms: ["lower case", "lowercase", "small letters"]
        ) {
            values, _ throws(RutterError) in .text(try Argument.text(values[0], "lower").lowercased())
        },
        Function(
            "upper", "text", "convert to upper case", 1...1, ("upper('llac')", "LLAC"),
            searchTerms: ["upper case", "uppercase", "capital letters"]
        ) {
            values, _ throws(RutterError) in .text(try Argument.text(values[0], "upper").uppercased())
        },
        Function(
            "trim", "text", "remove blanks and line ends at both ends", 1...1, ("trim('  a b ')", "a b"),
            searchTerms: ["remove spaces", "strip", "whitespace", "spaces around a text"]
        ) {
            values, _ throws(RutterError) in
            .text(try Argument.text(values[0], "trim").trimmingCharacters(in: .whitespacesAndNewlines))
        },
        Function(
            "split", "text, separator", "split text into a list", 2...2, ("split('a;b', ';')", "a\nb"),
            searchTerms: ["split text", "cut text", "split at a comma"]
        ) { values, _ throws(RutterError) in
            let text = try Argument.text(values[0], "split")
            let separator = try Argument.text(values[1], "split")
            guard !separator.isEmpty else { return .list(text.map { .text(String($0)) }) }
            return .list(text.components(separatedBy: separator).map { .text($0) })
        },
        Function(
            "replace", "text, old, new", "replace every occurrence of a text", 3...3,
            ("replace('2 km', ' ', '')", "2km"),
            searchTerms: ["substitute", "change part of a text", "replace characters"]
        ) { values, _ throws(RutterError) in
            let text = try Argument.text(values[0], "replace")
            let (old, new) = (
                try Argument.text(values[1], "replace"), try Argument.text(values[2], "replace")
            )
            guard !old.isEmpty else {
                throw FunctionErrors.argument("`replace` needs a text to replace, not an empty one")
            }
            let parts = text.components(separatedBy: old)
            let size = text.utf8.count + (parts.count - 1) * new.utf8.count
            guard size <= Arithmetic.longestText else {
                throw FunctionErrors.argument(
                    "the result would be longer than \(Arithmetic.longestText >> 20) MiB")
            }
            return .text(parts.joined(separator: new))
        },
        Function(
            "starts", "text, beginning", "test whether text starts with a prefix", 2...2,
            ("starts('Refugi Illa', 'Refugi')", "true"), searchTerms: ["begins with", "prefix"]
        ) { values, _ throws(RutterError) in
            .boolean(try Argument.text(values[0], "starts").hasPrefix(try Argument.text(values[1], "starts")))
        },
        Function(
            "ends", "text, end", "test whether text ends with a suffix", 2...2,
            ("ends('a.gpx', '.gpx')", "true"), searchTerms: ["suffix", "ends with"]
        ) { values, _ throws(RutterError) in
            .boolean(try Argument.text(values[0], "ends").hasSuffix(try Argument.text(values[1], "ends")))
        },
        Function(
            "contains", "text or list, part", "test whether text has a substring, or a list an item", 2...2,
            ("contains('Refugi Illa', 'Illa')", "true"), ("contains([1 2], 3)", "false"),
            searchTerms: ["substring", "includes", "string contains"]
        ) { values, _ throws(RutterError) in
            .boolean(
                try ValueComparison.apply(
                    .isIn, values[1], values[0], at: ComparisonSite(span: SourceSpan(0, 0))))
        },
        Function(
            "text", "x", "convert to text as printed", 1...1, ("text(2km) + '!'", "2km!"),
            searchTerms: ["to text", "number to text"]
        ) { values, context throws(RutterError) in
            .text(ValueText.inline(values[0], timeZone: context.time.timeZone, units: context.units))
        },
        Function(
            "quantity", "text, marks",
            "convert text to a number with its unit; marks: 'ft' or 'min', of 5'11\"", 1...2,
            ("quantity('5 km') + 700m", "5.7km"), ("quantity('1:30 h')", "1h30min"),
            ("quantity('00:55:12')", "55min12s"), ("quantity('5:30 /km')", "5:30/km"),
            ("quantity('5 ft 6 in')", "5.5ft"), ("quantity(\"5'30\\\"\", 'min')", "5min30s"),
            searchTerms: ["calculate with units", "text with a unit"]
        ) { values, context throws(RutterError) in
            switch values[0] {
            case .quantity: return values[0]
            case .text(let text):
                if text.allSatisfy(\.isWhitespace) { return .nothing }
                if values.count > 1 { return try marked(text, values[1]) }
                if let value = QuantityText.readTimer(text) { return .quantity(value) }
                let isClock = NumericTextRepair.pace.repairs(text)
                if QuantityText.isFeetOrMinutes(text) {
                    throw FunctionErrors.argument(
                        "`\(text)` is feet and inches, or minutes and seconds",
                        fix:
                            "say which: quantity(\(context.argument), 'ft') or quantity(\(context.argument), 'min')"
                    )
                }
                throw FunctionErrors.argument(
                    "`\(text.prefix(40))` is not a number with a unit",
                    fix: isClock
                        ? "add what it counts: quantity('\(text)h'), or quantity('\(text)/km') for a pace"
                        : QuantityText.hasDecimalComma(text)
                            ? "write a decimal point: quantity(replace(\(context.argument), ',', '.'))"
                            : "quantity('5 km'); number('5') for a bare number")
            default: throw Argument.wrong(values[0], "quantity", "text")
            }
        },
        Function(
            "number", "x, point",
            "convert text, with its decimal mark if in doubt, or a quantity to a number",
            1...2,
            ("number('12') + 1", "13"), ("number('1,250', '.')", "1250"), ("number('1.234,50')", "1234.5"),
            ("number(2km)", "2000"),
            searchTerms: ["text to number", "convert text to a number", "parse a number"]
        ) { values, context throws(RutterError) in
            switch values[0] {
            case .integer, .number, .object(is ExactNumber): return values[0]
            case .quantity(let quantity): return .number(quantity.value)
            case .text(let text):
                return try number(
                    text, point: values.count == 2 ? Argument.text(values[1], "number") : nil,
                    as: context.argument)
            default: throw Argument.wrong(values[0], "number", "text, a number or a quantity")
            }
        },
    ]

    /// The quantity of a text such as `5'11"` whose marks are feet and inches, or minutes and seconds.
    private static func marked(_ text: String, _ marks: Value) throws(RutterError) -> Value {
        let unit = try Argument.text(marks, "quantity")
        guard ["ft", "min"].contains(unit), let known = MeasureUnit.all.first(where: { $0.symbol == unit })
        else {
            throw FunctionErrors.argument(
                "`\(unit)` is not what marks count",
                fix: "'ft' for feet and inches, 'min' for minutes and seconds")
        }
        guard let quantity = QuantityText.read(text, marksOf: known) ?? QuantityText.readTimer(text) else {
            throw FunctionErrors.argument(
                "`\(text.prefix(40))` is not \(unit == "ft" ? "feet and inches" : "minutes and seconds")")
        }
        return .quantity(quantity)
    }

    /// The number of a text, which fixes write as `argument`.
    private static func number(
        _ text: String, point: String?, as argument: String
    ) throws(RutterError) -> Value {
        let trimmed = text.trimmingCharacters(in: .whitespaces)
        if trimmed.isEmpty { return .nothing }
        if let point {
            guard point == "." || point == "," else {
                throw FunctionErrors.argument(
                    "the decimal mark is '.' or ','", fix: "number(\(argument), ',')")
            }
            if let value = NumberInText.value(trimmed, point: point == "," ? "," : ".") { return value }
            throw FunctionErrors.argument(
                "`\(text.prefix(40))` is not a number with the decimal mark `\(point)`")
        }
        if let value = NumberInText.value(trimmed) { return value }
        if let number = Double(trimmed), number.isFinite { return .number(number) }
        let isDoubtful = NumberInText.value(trimmed, point: ",") != nil
        throw FunctionErrors.argument(
            "`\(text.prefix(40))` is not a number" + (isDoubtful ? " that can be read in one way only" : ""),
            fix: isDoubtful
                ? "number(\(argument), '.') if the comma separates thousands, "
                    + "number(\(argument), ',') if it is the decimal mark"
                : QuantityText.read(text) == nil ? nil : "with its unit: quantity(\(argument))")
    }
}
