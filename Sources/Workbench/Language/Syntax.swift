import CivilTime
import PluginKit

/// The syntax tree of an entry. Every node has its span, for underlining.
struct Script: Sendable {
    var pipelines: [Pipeline]
    /// Whether it is enclosed in `{` and `}`.
    var isBlock = false

    /// Whether it neither reads nor changes the workspace.
    var isPure: Bool { pipelines.allSatisfy { $0.calls.allSatisfy { $0.effect == .pure } } }
}

/// Commands joined by `|`; begins with an expression or with a command.
struct Pipeline: Sendable {
    var head: Expression?
    var calls: [Call]
    var span: SourceSpan
    /// Whether a command in it, or in one of its blocks, changes the set of commands.
    var changesCommands = false
}

/// The pipelines of a script in order. The text after one that changes the set of commands is parsed again
/// after it has run.
struct PipelineQueue {
    private var pipelines: ArraySlice<Pipeline>
    private var last: Pipeline?
    /// Whether the script is enclosed in `{` and `}`.
    let isBlock: Bool

    init(_ script: Script) {
        pipelines = script.pipelines[...]
        isBlock = script.isBlock
    }

    /// The next pipeline; `parse` parses the script from a position in its entry on.
    mutating func next(
        parse: (_ position: Int) throws(RutterError) -> Script
    ) throws(RutterError) -> Pipeline? {
        if let last, last.changesCommands, !pipelines.isEmpty {
            pipelines = try parse(last.span.end).pipelines[...]
        }
        last = pipelines.popFirst()
        return last
    }
}

/// A command with its words, not yet checked against its declaration.
struct Call: Sendable {
    var command: Command
    var nameSpan: SourceSpan
    var positionals: [Word]
    var options: [Option]
    var span: SourceSpan

    /// Its effect on the workspace, with the options given.
    var effect: CommandSpec.Effect {
        let reads = options.contains { $0.name == command.spec.readingFlag && $0.value == nil }
        return reads ? .reads : command.spec.effect
    }

    struct Option: Sendable {
        var name: String
        var nameSpan: SourceSpan
        var value: Word?
    }
}

/// One word of a command.
struct Word: Sendable {
    indirect enum Content: Sendable {
        /// As written; the parameter determines its meaning.
        case bare(String)
        /// Between quotes.
        case text(String)
        /// Between double quotes, with values in it.
        case interpolated([Piece])
        /// `$x`, `$x.name`, `(…)`, or what follows `where`.
        case expression(Expression)
        /// `@name`.
        case reference(String)
        /// `[a b c]`
        case list([Word])
        /// The rest of the line, to be run later.
        case pipeline(Pipeline)
        /// `{ … }`: pipelines to be run later.
        case block(Script)
        /// `name=EXPRESSION …`
        case assignments([Assignment])
        /// `AGGREGATE(…) … by KEY …`
        case summary(Summary)
    }

    /// A name and its expression.
    struct Assignment: Sendable {
        var name: String
        var expression: Expression
        var span: SourceSpan
        /// As written in the entry, from the name on.
        var source: String
    }

    /// Aggregates, and the keys that rows are grouped by.
    struct Summary: Sendable {
        var columns: [Assignment]
        var keys: [Assignment]
    }

    enum Piece: Sendable {
        case text(String)
        case value(Expression)
    }

    var content: Content
    var span: SourceSpan
    /// As written in the entry.
    var source: String
}

/// An expression.
struct Expression: Sendable {
    indirect enum Content: Sendable {
        case literal(Value)
        /// A time that needs the session's zone or day.
        case localTime(LocalTime)
        case interpolated([Word.Piece])
        case variable(String)
        case name(String)
        case reference(String)
        case list([Expression])
        /// `{name: "Hut", beds: 50}`
        case record([(String, Expression)])
        /// `round(x, 2)`
        case call(String, [Expression])
        /// `(hike list | get id)`: run once, before the expression.
        case pipeline(Pipeline)
        /// `1 month`, added to a date by the calendar.
        case period(CalendarPeriod)
        /// A value and the fields and items taken from it, one after the other.
        case path(Expression, [Step])
        case negate(Expression)
        case not(Expression)
        /// Operands joined by operators that bind equally, left-associative. Flat, so that a sum of a hundred
        /// thousand terms needs no deeper stack than a sum of two.
        case chain(Expression, [Link])
    }

    struct Step: Sendable {
        enum Kind: Sendable {
            case field(String)
            case index(Expression)
        }

        var kind: Kind
        /// The end of the step; with the start of the path, the span for errors.
        var end: Int
    }

    struct Link: Sendable {
        var op: BinaryOperator
        var operand: Expression
    }

    var content: Content
    var span: SourceSpan
}

/// The operators between two operands.
enum BinaryOperator: String, Sendable, CaseIterable {
    case or, and
    case equal = "=="
    case notEqual = "!="
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
    case less = "<"
    case greater = ">"
    case matches = "=~"
    case isIn = "in"
    case plus = "+"
    case minus = "-"
    case times = "*"
    case divided = "/"
    case remainder = "%"

    /// Precedence; a greater value binds more tightly.
    var precedence: Int {
        switch self {
        case .or: 1
        case .and: 2
        case .equal, .notEqual, .lessOrEqual, .greaterOrEqual, .less, .greater, .matches, .isIn: 4
        case .plus, .minus: 5
        case .times, .divided, .remainder: 6
        }
    }

    var isComparison: Bool { precedence == 4 }
}
