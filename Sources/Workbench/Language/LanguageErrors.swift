import PluginKit

/// The kinds of error of the command language.
enum LanguageErrors {
    static let syntax = ErrorKind(
        "E-SYNTAX", "the line is not well formed",
        explanation: """
            A line is pipelines separated by `;`, a pipeline is commands joined by `|`, a command is its name \
            and words. Text with blanks or signs goes into quotes: 'raw' or "with $x and \\n".
            """)
    static let unfinished = ErrorKind(
        "E-SYNTAX-UNFINISHED", "the line ends too early",
        explanation: "A quote, a bracket or a `|` was opened and nothing follows that closes it.")
    static let depth = ErrorKind(
        "E-SYNTAX-DEPTH", "the line is nested too deeply",
        explanation: "Brackets and signs may be nested 100 deep. Give parts names with `let` instead.")
    static let literal = ErrorKind(
        "E-LITERAL", "the word begins like a number but is none",
        explanation: """
            Words that start with a digit or a sign are numbers, quantities (50m, 2.5km, 1h30min, 90deg, 4.5km/h, \
            2%), coordinates (46.5012,7.9876), boxes (south,west,north,east) or times (2026-02-06T08:15, \
            08:15). Text that starts with a digit goes into quotes. Items of a list are separated by blanks.
            """)
    static let unknownUnit = ErrorKind(
        "E-UNIT-UNKNOWN", "there is no such unit",
        explanation: """
            Lengths: m km cm mm mi ft yd nmi. Durations: ms s min h d. Angles: deg rad. Speeds: m/s km/h mi/h kn. \
            Ratios: %. Frequencies: Hz kHz. `m` is always metres; minutes are `min`.
            """)
    static let dimension = ErrorKind(
        "E-UNIT-DIMENSION", "the units do not fit together",
        explanation: """
            Quantities can be added and compared only with quantities of the same dimension, and a parameter \
            takes only quantities of its own: a radius is a length such as 2km, never a bare number.
            """)
    static let coordinate = ErrorKind(
        "E-COORDINATE", "this is no place on Earth",
        explanation: """
            A coordinate is latitude, then longitude, in degrees: 46.5012,7.9876 or 46.5N,7.98E. Latitudes lie \
            between -90 and 90, longitudes between -180 and 180; nothing is wrapped around.
            """)
    static let unknownCommand = ErrorKind(
        "E-COMMAND-UNKNOWN", "there is no such command",
        explanation: "`commands` lists all commands, `help WORD` finds those that have to do with a word.")
    static let unknownOption = ErrorKind(
        "E-OPTION-UNKNOWN", "the command has no such option",
        explanation: "`help COMMAND` lists the options. Options begin with two dashes: --radius 2km.")
    static let missingArgument = ErrorKind(
        "E-ARG-MISSING", "something is missing",
        explanation: "A parameter that must be given was left out. `help COMMAND` shows all of them.")
    static let extraArgument = ErrorKind(
        "E-ARG-EXTRA", "there is a word too many",
        explanation: """
            The command takes fewer words. Text of several words goes into quotes; options begin with two \
            dashes.
            """)
    static let repeated = ErrorKind(
        "E-ARG-REPEATED", "the option was given twice",
        explanation: "This option takes one value only. Leave one of the two out.")
    static let argumentKind = ErrorKind(
        "E-ARG-KIND", "the word is of the wrong kind",
        explanation: "Each parameter takes one kind of value; `help COMMAND` names it.")
    static let choice = ErrorKind(
        "E-ARG-CHOICE", "the word is not one of the choices",
        explanation: "The parameter takes one of a few words; the message lists them.")
    static let unknownVariable = ErrorKind(
        "E-VARIABLE-UNKNOWN", "there is no such variable",
        explanation: "Variables are made by `let NAME = …`. `$_` is the last value shown.")
    static let unknownField = ErrorKind(
        "E-FIELD-UNKNOWN", "there is no such field",
        explanation: """
            A bare name in an expression is a field of the row. `describe` lists the fields of what comes \
            through the pipe. Text goes into quotes.
            """)
    static let index = ErrorKind(
        "E-INDEX", "there is no item at this place",
        explanation: "Items are counted from 0; -1 is the last one.")
    static let type = ErrorKind(
        "E-TYPE", "the operation cannot be done with these values",
        explanation: """
            Numbers go with numbers, text with text, dates with dates and durations. Nothing is converted \
            silently.
            """)
    static let division = ErrorKind(
        "E-DIVISION-ZERO", "division by zero",
        explanation: "The divisor is zero. Leave such rows out with `where` first.")
    static let pattern = ErrorKind(
        "E-PATTERN", "the regular expression cannot be used",
        explanation: """
            The right side of `=~` is a regular expression in the syntax of ICU, such as '^Refugi' or '(?i)lac'; it \
            matches anywhere in the text. One that repeats what is itself repeated, such as '(a+)+$', can take \
            ages: the search is given up after a fixed amount of work.
            """)
    static let reference = ErrorKind(
        "E-REFERENCE-UNKNOWN", "nothing has this name",
        explanation: """
            `@name` is a waypoint, hike or other thing by its label or the first letters of its id. Names are \
            completed with Tab.
            """)
    static let ambiguous = ErrorKind(
        "E-REFERENCE-AMBIGUOUS", "the name means several things",
        explanation: "The message lists what the name can mean. Use the id of the one you want.")
    static let assertion = ErrorKind(
        "E-ASSERT", "the assertion does not hold",
        explanation: "The expression after `assert` was false. The message shows the values in it.")
    static let expected = ErrorKind(
        "E-EXPECTED", "the expected error did not come",
        explanation: """
            `expect-error CODE COMMAND` passes when the command fails with that code. It succeeded, or failed \
            with another.
            """)

    static let all = [
        syntax, unfinished, depth, literal, unknownUnit, dimension, coordinate, unknownCommand, unknownOption,
        missingArgument, extraArgument, repeated, argumentKind, choice, unknownVariable, unknownField, index,
        type, division, pattern, reference, ambiguous, assertion, expected,
    ]
}
