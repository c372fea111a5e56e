import CivilTime
import Geodesy
import PluginKit

/// A function of expressions: its declaration, from which help and completion are generated, and its body.
struct Function: Sendable {
    /// What a function may use besides its arguments.
    struct Context: Sendable {
        let time: TimeContext
        let units: UnitSystem
        /// The field of the rows that is the first argument, as an expression names it; `nil` for other arguments.
        let field: String?

        /// The first argument as a fix writes it: the field rather than the value of one row.
        var argument: String { field ?? "text" }
    }

    /// A call that shows the function, and its result; runs as a test.
    struct Example: Sendable {
        let line: String
        let gives: String
    }

    /// Lower-case name.
    let name: String
    /// The parameters as help shows them: `x, digits`.
    let parameters: String
    /// An imperative phrase.
    let summary: String
    /// How many arguments it takes.
    let arity: ClosedRange<Int>
    let examples: [Example]
    /// Words and phrases that people use for it.
    var searchTerms: [String] = []
    /// Whether a missing argument makes the result nothing, without calling the body.
    var passesNothing = true
    let body: @Sendable ([Value], Context) throws(RutterError) -> Value

    init(
        _ name: String, _ parameters: String, _ summary: String, _ arity: ClosedRange<Int>,
        _ examples: (String, String)..., searchTerms: [String] = [], passesNothing: Bool = true,
        body: @escaping @Sendable ([Value], Context) throws(RutterError) -> Value
    ) {
        self.name = name
        self.parameters = parameters
        self.summary = summary
        self.arity = arity
        self.examples = examples.map { Example(line: $0.0, gives: $0.1) }
        self.searchTerms = searchTerms
        self.passesNothing = passesNothing
        self.body = body
    }

    /// `round(x, digits)`
    var usage: String { "\(name)(\(parameters))" }
}

/// The errors of functions.
enum FunctionErrors {
    static let unknown = ErrorKind(
        "E-FUNCTION-UNKNOWN", "unknown function",
        explanation: """
            A name directly before `(` is a function. `help functions` lists all of them; aggregates such as `mean` are for \
            `summarize`.
            """)
    static let arity = ErrorKind(
        "E-FUNCTION-ARGS", "wrong number of arguments",
        explanation: """
            `help functions` shows the arguments of each function. They are separated by a comma and a space: `1,2` without \
            a space is a coordinate.
            """)
    static let argument = ErrorKind(
        "E-FUNCTION-KIND", "wrong kind of argument",
        explanation:
            "The function is not defined for values of this kind; `help functions` lists the arguments of each function."
    )
    static let aggregate = ErrorKind(
        "E-AGGREGATE", "aggregates are for `summarize`",
        explanation: """
            `summarize` takes aggregates of the rows: count() sum(x) min(x) max(x) mean(x) median(x) p95(x) stddev(x) first(x) \
            last(x) list(x) unique(x). In `where`, `extend` and `each` an aggregate is that of all rows. Everything outside of an aggregate must be a key after `by`.
            """)

    static let all = [unknown, arity, argument, aggregate]
}

/// Checks of arguments.
enum Argument {
    static func wrong(_ value: Value, _ function: String, _ wanted: String, fix: String? = nil) -> RutterError
    {
        FunctionErrors.argument("`\(function)` takes \(wanted), not \(value.kindWithArticle)", fix: fix)
    }

    static func text(_ value: Value, _ function: String) throws(RutterError) -> String {
        guard case .text(let text) = value else { throw wrong(value, function, "text") }
        return text
    }

    static func integer(_ value: Value, _ function: String, _ wanted: String) throws(RutterError) -> Int {
        guard case .integer(let number) = value else { throw wrong(value, function, wanted) }
        return number
    }

    static func date(
        _ value: Value, _ function: String, _ context: Function.Context
    ) throws(RutterError) -> Timestamp {
        guard case .date(let date) = value else {
            if let number = value.asNumber {
                throw wrong(
                    value, function, "a date",
                    fix: "times since 1970 are added: \(unixTime(number, field: context.field))")
            }
            throw wrong(
                value, function, "a date", fix: "parse text as a date with parse(\(context.argument))")
        }
        return date
    }

    /// The entry that turns seconds since 1970 into a date, or thousandths, millionths or billionths of them where the longer unit
    /// would be past the year 5138.
    /// Of a field it is the same for all rows.
    static func unixTime(_ number: Double, field: String?) -> String {
        let size = abs(number)
        let text = field ?? Literal.exact(number)
        let unit = size < 1e11 ? "s" : "ms"
        let amount =
            size < 1e14
            ? (field == nil ? text + unit : "1\(unit) * \(text)")
            : "1ms * \(text) / \(size < 1e17 ? "1000" : "1000000")"
        return "1970-01-01T00:00Z + \(amount)"
    }

    static func coordinate(_ value: Value, _ function: String) throws(RutterError) -> Coordinate {
        guard let place = value.asCoordinate else {
            throw wrong(
                value, function, "coordinates", fix: "write LAT,LON in one word, or a field such as `at`")
        }
        return place
    }

    static func quantity(
        _ value: Value, _ dimension: PhysicalDimension, _ function: String
    ) throws(RutterError) -> Double {
        guard case .quantity(let quantity) = value, quantity.dimension == dimension else {
            throw wrong(value, function, dimension.withArticle, fix: "write \(dimension.example(50))")
        }
        return quantity.value
    }
}
