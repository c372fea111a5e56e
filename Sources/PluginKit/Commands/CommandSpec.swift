/// The declaration of a command, as data, used by parser, help, completion, reference page and example tests.
public struct CommandSpec: Sendable {
    /// A command's effect on the workspace.
    public enum Effect: String, Sendable {
        /// Neither reads nor changes it.
        case pure
        /// Reads it.
        case reads
        /// Changes it.
        case changes
    }

    /// One or two words, such as `waypoint near`.
    public let name: String
    /// An imperative phrase under 60 characters, without a full stop.
    public let summary: String
    /// Details for its help page: methods, limits, sources. May be empty.
    public let details: String
    /// Its parameters; positional ones in their order.
    public let parameters: [ParameterSpec]
    /// Its input from the pipe.
    public let input: Shape
    /// Its output.
    public let output: Shape
    /// Its effect on the workspace.
    public let effect: Effect
    /// Calls that run as tests; at least one.
    public let examples: [Example]
    /// Additional words for the search of `help`.
    public let searchTerms: [String]
    /// Whether it changes the set of commands: the rest of the entry is parsed after it has run.
    public internal(set) var changesCommands = false
    /// The flag with which it only reads, though it can change the workspace; `nil` if it has none.
    public internal(set) var readingFlag: String?

    /// An example that shows its decisions; `nil` for a command that makes none.
    public internal(set) var decision: Example?

    /// Declares a command.
    public init(
        _ name: String, _ summary: String, details: String = "", parameters: [ParameterSpec] = [],
        input: Shape = .nothing, output: Shape, effect: Effect, examples: [Example],
        searchTerms: [String] = []
    ) {
        self.name = name
        self.summary = summary
        self.details = details
        self.parameters = parameters
        self.input = input
        self.output = output
        self.effect = effect
        self.examples = examples
        self.searchTerms = searchTerms
    }

    /// The positional parameters in order.
    public var positionals: [ParameterSpec] { parameters.filter { $0.style == .positional } }
    /// The options and flags in order.
    public var options: [ParameterSpec] { parameters.filter { $0.style != .positional } }
}

extension CommandSpec {
    /// The kind of value in a pipe, for help and for completion of field names.
    public indirect enum Shape: Sendable {
        /// Nothing.
        case nothing
        /// Any value.
        case any
        /// A single value of the named kind.
        case value(String)
        /// Rows with these columns; empty when they depend on the call.
        case rows([String])
        /// The input rows, possibly fewer or reordered.
        case sameRows
        /// Nothing or another kind: the command can be first in a pipeline or take input.
        case optional(Shape)

        /// The description in help.
        public var description: String {
            switch self {
            case .nothing: "nothing"
            case .any: "any value"
            case .value(let name): name
            case .rows(let columns): columns.isEmpty ? "rows" : "rows: " + columns.joined(separator: " ")
            case .sameRows: "the input rows"
            case .optional(let shape): "nothing, or \(shape.description)"
            }
        }
    }

    /// A call that shows the command, and runs as a test.
    public struct Example: Sendable {
        /// Its title.
        public let title: String
        /// Lines run before it, in a fresh session with seed 42 and a fixed clock.
        public let setup: [String]
        /// The line.
        public let line: String
        /// The expected output; `nil` checks only for success.
        public let output: String?

        /// Declares an example.
        public init(_ title: String, _ line: String, after setup: [String] = [], gives output: String? = nil)
        {
            self.title = title
            self.line = line
            self.setup = setup
            self.output = output
        }
    }
}
