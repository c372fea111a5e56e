/// The kind of a parameter's value, from which the language converts words; help and completion use it, too.
public indirect enum ParameterKind: Sendable {
    /// Any text; a bare word is the text as written.
    case text
    /// A whole number within a range.
    case integer(ClosedRange<Int>)
    /// A number within a range.
    case number(ClosedRange<Double>)
    /// A quantity of a dimension within a range of base units.
    case quantity(PhysicalDimension, ClosedRange<Double>)
    /// `true` or `false`.
    case boolean
    /// A coordinate, or a reference or value that has one.
    case coordinate
    /// A box `south,west,north,east`.
    case box
    /// An instant.
    case date
    /// An instant, or a wall-clock time whose zone the command decides.
    case localDate
    /// One of a few words.
    case choice([Choice])
    /// A file that is read.
    case inputFile
    /// A file that is written.
    case outputFile
    /// A folder or a file that is read.
    case inputPath
    /// An object known by name or id, such as a waypoint; resolved by the plugin that owns the kind. Several
    /// kinds are separated by bars: `hike|route`.
    case reference(String)
    /// The name of a field of the rows in the pipe.
    case field
    /// An expression about each row; takes all words up to the end of the command.
    case expression
    /// A list, or rows.
    case list
    /// A value of any kind.
    case value
    /// All words up to the end of the command, as written.
    case words
    /// A pipeline that the command runs itself; takes the rest of the line.
    case pipeline
    /// Names and expressions, `name=EXPRESSION …`, up to the end of the command.
    case assignments
    /// Aggregates and keys, `mean(distance) … by category …`, up to the end of the command.
    case summary
    /// Pipelines between braces, which the command runs itself.
    case block
    /// Text that the command parses itself: between brackets or braces, or up to the end of the command.
    case source

    /// One of the words that a choice takes.
    public struct Choice: Sendable, Hashable {
        /// The word.
        public let word: String
        /// Its meaning, shown beside it in completion.
        public let summary: String

        /// Declares a word of a choice.
        public init(_ word: String, _ summary: String = "") {
            self.word = word
            self.summary = summary
        }
    }
}

extension ParameterKind {
    /// The kinds of objects that a reference parameter takes.
    public static func kinds(ofReference kind: String) -> [String] {
        kind.split(separator: "|").map(String.init)
    }

    /// The placeholder in help, such as `LAT,LON` or `LENGTH`.
    public var placeholder: String {
        switch self {
        case .text: "TEXT"
        case .integer: "N"
        case .number: "NUMBER"
        case .quantity(let dimension, _): dimension.name.uppercased()
        case .boolean: "true|false"
        case .coordinate: "PLACE"
        case .box: "S,W,N,E"
        case .date, .localDate: "TIME"
        case .choice(let choices) where choices.count <= 5: choices.map(\.word).joined(separator: "|")
        case .choice: "WORD"
        case .inputFile, .outputFile: "FILE"
        case .inputPath: "PATH"
        case .reference(let kind): kind.uppercased()
        case .field: "FIELD"
        case .expression: "EXPRESSION"
        case .list: "LIST"
        case .value: "VALUE"
        case .words: "WORDS"
        case .pipeline: "PIPELINE"
        case .assignments: "NAME=EXPRESSION…"
        case .summary: "AGGREGATE(FIELD)… [by KEY…]"
        case .block: "{ … }"
        case .source: "SOURCE"
        }
    }
}
