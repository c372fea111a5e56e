import PluginKit

/// All functions of expressions, by name.
enum FunctionLibrary {
    static let all: [Function] =
        NumberFunctions.all + TextFunctions.all + DateFunctions.all + PlaceFunctions.all + ChoiceFunctions.all

    /// The groups as help lists them.
    static let groups: [(title: String, functions: [Function])] = [
        ("numbers and quantities", NumberFunctions.all), ("text", TextFunctions.all),
        ("dates, in the session's time zone", DateFunctions.all), ("coordinates", PlaceFunctions.all),
        ("choices", ChoiceFunctions.all),
    ]

    /// How to write two arguments that were read as one coordinate.
    static let joinedFix = "put a space after the comma: `1, 2`; `1,2` is a coordinate"

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    static func named(_ name: String) -> Function? { byName[name] }

    /// Whether a name is an aggregate of `summarize`.
    static func isAggregate(_ name: String) -> Bool { AggregateFunction(name: name) != nil }

    /// The function of a call. Throws for an unknown name or a wrong number of arguments.
    static func function(
        _ name: String, _ arguments: [Expression], at span: SourceSpan
    ) throws(RutterError) -> Function {
        guard let function = byName[name] else {
            if isAggregate(name) {
                throw FunctionErrors.aggregate(
                    "`\(name)` is an aggregate of rows", at: .span(span),
                    fix: "… | summarize \(name)(FIELD) by KEY, or … | \(name == "list" ? "get" : name) FIELD")
            }
            let habit = FunctionHabit.fix(for: name)
            throw FunctionErrors.unknown(
                "unknown function `\(name)`", at: .span(span),
                fix: habit ?? "`help functions` lists all functions",
                suggestion: habit == nil ? Suggestion.nearest(to: name, in: all.map(\.name).sorted()) : nil)
        }
        guard function.arity.contains(arguments.count) else {
            let low = function.arity.lowerBound
            let wanted =
                function.arity.count == 1
                ? "\(low)"
                : function.arity.upperBound == .max
                    ? "at least \(low)" : "\(low) to \(function.arity.upperBound)"
            // `1,2` is one word, a coordinate; the fix explains how to write two arguments.
            let isJoined = arguments.contains {
                if case .literal(.coordinate) = $0.content { true } else { false }
            }
            throw FunctionErrors.arity(
                "`\(name)` takes \(wanted) argument\(wanted == "1" ? "" : "s"), not \(arguments.count)",
                at: .span(span),
                fix: isJoined
                    ? joinedFix
                    : "usage: \(function.usage)")
        }
        return function
    }
}

/// Functions that choose between values. The evaluator evaluates their arguments only as needed.
enum ChoiceFunctions {
    static let all = [
        Function(
            "if", "condition, a, b", "return a if the condition is true, else b or nothing", 2...3,
            ("if(2 > 1, 'yes', 'no')", "yes"), searchTerms: ["if else", "conditional value"],
            passesNothing: false
        ) { values, _ throws(RutterError) in values.last ?? .nothing },
        Function(
            "coalesce", "a, b, …", "return the first value that is not nothing", 1...Int.max,
            ("coalesce(nothing, 3)", "3"), searchTerms: ["first value that is not empty", "fallback"],
            passesNothing: false
        ) { values, _ throws(RutterError) in values.last ?? .nothing },
    ]
}
