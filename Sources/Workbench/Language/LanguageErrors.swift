import PluginKit

/// The kinds of error of the command language.
enum LanguageErrors {
    static let syntax = ErrorKind(
        "E-SYNTAX", "the line is not well formed",
        explanation: """
            A line is pipelines separated by `;`, a pipeline is commands joined by `|`, a command is its name \
            and words. Quote text that has spaces or signs: 'raw' or "with $x and \\n".
            """)
    static let unfinished = ErrorKind(
        "E-SYNTAX-UNFINISHED", "unexpected end of the line",
        explanation: "A quote or bracket is not closed, or nothing follows a `|`.")
    static let depth = ErrorKind(
        "E-SYNTAX-DEPTH", "the line is nested too deeply",
        explanation: "Brackets and signs may be nested 100 deep. Give parts names with `let` instead.")
    static let literal = ErrorKind(
        "E-LITERAL", "invalid literal",
        explanation: """
            Words that start with a digit or a sign are numbers, quantities (50m, 2.5km, 1h30min, 90deg, 4.5km/h, \
            2%), coordinates (46.5012,7.9876), boxes (south,west,north,east) or times (2026-02-06T08:15, \
            08:15). Quote text that starts with a digit. Separate the items of a list by spaces.
            """)
    static let unknownUnit = ErrorKind(
        "E-UNIT-UNKNOWN", "unknown unit",
        explanation: """
            Lengths: m km cm mm mi ft yd nmi. Durations: ms s min h d. Angles: deg rad. Speeds: m/s km/h mi/h kn. \
            Ratios: %. Frequencies: Hz kHz. `m` is always metres; minutes are `min`.
            """)
    static let dimension = ErrorKind(
        "E-UNIT-DIMENSION", "incompatible units",
        explanation: """
            Quantities can be added and compared only with quantities of the same dimension, and a parameter \
            takes only quantities of its own: a radius is a length such as 2km, never a bare number.
            """)
    static let coordinate = ErrorKind(
        "E-COORDINATE", "coordinate out of range",
        explanation: """
            A coordinate is latitude, then longitude, in degrees: 46.5012,7.9876 or 46.5N,7.98E. Latitudes are \
            between -90 and 90, longitudes between -180 and 180; values are not wrapped.
            """)
    /// The fix for a command that nothing resembles.
    static let allCommands = "`help commands` lists all of them"
    static let unknownCommand = ErrorKind(
        "E-COMMAND-UNKNOWN", "unknown command",
        explanation: "`help commands` lists all commands, `help WORD` searches them.")
    static let unknownOption = ErrorKind(
        "E-OPTION-UNKNOWN", "unknown option",
        explanation: "`help COMMAND` lists the options. Options begin with two dashes: --radius 2km.")
    static let missingArgument = ErrorKind(
        "E-ARG-MISSING", "missing argument",
        explanation: "A required parameter was not given. `help COMMAND` lists the parameters.")
    static let extraArgument = ErrorKind(
        "E-ARG-EXTRA", "unexpected argument",
        explanation: """
            The command takes fewer arguments. Quote text of several words; options begin with two dashes.
            """)
    static let repeated = ErrorKind(
        "E-ARG-REPEATED", "repeated option",
        explanation: "This option takes one value. Remove one of the two.")
    static let argumentKind = ErrorKind(
        "E-ARG-KIND", "wrong kind of argument",
        explanation: "Each parameter takes one kind of value; `help COMMAND` shows it.")
    static let choice = ErrorKind(
        "E-ARG-CHOICE", "invalid choice",
        explanation: "The parameter takes one of a fixed set of words; the message lists them.")
    static let unknownVariable = ErrorKind(
        "E-VARIABLE-UNKNOWN", "unknown variable",
        explanation: "`let NAME = …` sets a variable. `$_` is the last value shown.")
    static let unknownWord = ErrorKind(
        "E-WORD-UNKNOWN", "no row has this word",
        explanation: """
            A bare word on the right of a comparison is a field of the row, or else the text of the word. This one is neither a \
            field nor a value of any row, but nearly one. Quote it to search for it all the same.
            """)
    static let unknownField = ErrorKind(
        "E-FIELD-UNKNOWN", "unknown field",
        explanation: """
            A bare name in an expression is a field of the row. `describe` lists the fields of the value in \
            the pipe. Quote text.
            """)
    static let index = ErrorKind(
        "E-INDEX", "index out of range",
        explanation: "Items are counted from 0; -1 is the last one.")
    static let type = ErrorKind(
        "E-TYPE", "unsupported operation",
        explanation: """
            Numbers combine with numbers, text with text, dates with dates and durations. There are no implicit \
            conversions.
            """)
    static let overflow = ErrorKind(
        "E-OVERFLOW", "the result is too large",
        explanation: """
            Whole numbers are exact and have 64 bits, -9223372036854775808 to 9223372036854775807. Write one operand with a \
            decimal point: sums, differences and products then have up to 38 digits.
            """)
    static let division = ErrorKind(
        "E-DIVISION-ZERO", "division by zero",
        explanation: "The divisor is zero. Exclude such rows with `where`.")
    static let pattern = ErrorKind(
        "E-PATTERN", "invalid regular expression",
        explanation: """
            The right side of `=~` is a regular expression in the syntax of ICU, such as '^Refugi' or '(?i)lac'; it \
            matches anywhere in the text. Nested repetition, such as '(a+)+$', can take exponential time: the \
            search stops after a fixed amount of work.
            """)
    static let reference = ErrorKind(
        "E-REFERENCE-UNKNOWN", "unknown reference",
        explanation: """
            `@name` is a waypoint, hike or other object by its label or the first letters of its id. Tab \
            completes names.
            """)
    static let ambiguous = ErrorKind(
        "E-REFERENCE-AMBIGUOUS", "ambiguous reference",
        explanation: "The message lists the candidates. Use the id of one of them.")
    static let assertion = ErrorKind(
        "E-ASSERT", "assertion failed",
        explanation: "The expression after `assert` was false. The message shows the value in the pipe.")
    static let expected = ErrorKind(
        "E-EXPECTED", "the expected error did not occur",
        explanation: """
            `expect-error CODE COMMAND` passes when the command fails with that code. It succeeded, or failed \
            with another code.
            """)

    static let all = [
        syntax, unfinished, depth, literal, unknownUnit, dimension, coordinate, unknownCommand, unknownOption,
        missingArgument, extraArgument, repeated, argumentKind, choice, unknownVariable, unknownField,
        unknownWord, index,
        type, overflow, division, pattern, reference, ambiguous, assertion, expected,
    ]
}
