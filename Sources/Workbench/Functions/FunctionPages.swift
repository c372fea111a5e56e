import PluginKit

/// Help for functions, generated from their declarations.
enum FunctionPages {
    /// All functions and aggregates.
    static func list(width: Int) -> String {
        let widest = FunctionLibrary.all.map(\.usage.count).filter { $0 <= 30 }.max() ?? 0
        var parts = [
            """
            Functions of expressions: after `where`, `each`, `extend`, in brackets, or at the start of a line. A field of the row \
            is referred to by name; a missing argument makes the result nothing.
            """
        ].map { TextWrap.wrapped($0, to: width) }
        for group in FunctionLibrary.groups {
            let lines = group.functions.map { function in
                "  " + DisplayWidth.padded(function.usage, to: widest) + "  " + function.summary
            }
            parts.append(([group.title] + lines).joined(separator: "\n"))
        }
        let operators = operators.map { "  " + DisplayWidth.padded($0.usage, to: widest) + "  " + $0.summary }
        parts.append((["operators"] + operators).joined(separator: "\n"))
        let aggregates = AggregateFunction.names.map {
            "  " + DisplayWidth.padded($0 + "(x)", to: widest) + "  " + AggregateFunction.summary(of: $0)
        }
        parts.append(("aggregates of `summarize`\n") + aggregates.joined(separator: "\n"))
        return parts.joined(separator: "\n\n")
    }

    /// Operators that do what people look for among the functions.
    static let operators: [(usage: String, summary: String, terms: [String])] = [
        (
            "x in unit", "convert a quantity for display: distance in mi",
            [
                "convert units", "unit conversion", "miles to kilometres", "feet to metres", "metres to feet",
                "knots", "seconds to minutes", "minutes to hours",
            ]
        ),
        (
            "date + 1 month", "add days, weeks, months or years of the calendar",
            [
                "add days to a date", "add hours", "date arithmetic", "minutes to a time", "hours to a time",
                "days later", "weeks later", "in two weeks",
            ]
        ),
    ]

    /// The page of one function; `nil` for an unknown name.
    static func page(_ name: String) -> String? {
        guard let function = FunctionLibrary.named(name) else { return nil }
        let examples = function.examples.map {
            "  \($0.line)\n" + $0.gives.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n")
        }
        return "\(function.usage): \(function.summary)\n\nexamples\n" + examples.joined(separator: "\n")
    }
}
