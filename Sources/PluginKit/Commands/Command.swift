/// A command: its declaration and its body, which receives typed arguments.
///
/// Parameters are declared once, in the order in which the body receives them. Using an undeclared parameter,
/// or declaring one that the body does not receive, does not compile.
///
///     Command(
///         "waypoint near", "find waypoints around a coordinate, nearest first",
///         .positional("place", .coordinate, "centre of the search"),
///         .option("radius", .quantity(.length), default: "1km", "search radius"),
///         output: .rows(["label", "distance"]), effect: .reads,
///         examples: [.init("within two kilometres", "waypoint near 46.5,7.9 --radius 2km")]
///     ) { context, place, radius in
///         …
///     }
///
/// The body parses nothing and prints nothing: it returns a value. It is atomic: a body that throws must not
/// have changed anything. It calls `context.checkCancelled()` at least every 50 ms of work, and may block:
/// commands do not run on the threads of the concurrency runtime's pool.
public struct Command: Sendable {
    /// The declaration as data.
    public private(set) var spec: CommandSpec
    private let body: @Sendable (Arguments, Value, Context) async throws -> Value

    /// A command that takes nothing from the pipe.
    public init<each P: Sendable>(
        _ name: String, _ summary: String, details: String = "", _ parameters: repeat Parameter<each P>,
        output: CommandSpec.Shape, effect: CommandSpec.Effect, examples: [CommandSpec.Example],
        searchTerms: [String] = [],
        run: @escaping @Sendable (Context, repeat each P) async throws -> Value
    ) {
        self.init(
            name, summary, details: details, repeat each parameters, input: .nothing, output: output,
            effect: effect, examples: examples, searchTerms: searchTerms
        ) { (_: Value, context: Context, arguments: repeat each P) in
            try await run(context, repeat each arguments)
        }
    }

    /// A command that takes a value from the pipe; its body receives it first.
    public init<each P: Sendable>(
        _ name: String, _ summary: String, details: String = "", _ parameters: repeat Parameter<each P>,
        input: CommandSpec.Shape, output: CommandSpec.Shape, effect: CommandSpec.Effect,
        examples: [CommandSpec.Example], searchTerms: [String] = [],
        run: @escaping @Sendable (Value, Context, repeat each P) async throws -> Value
    ) {
        var specs: [ParameterSpec] = []
        for parameter in repeat each parameters { specs += parameter.specs }
        spec = CommandSpec(
            name, summary, details: details, parameters: specs, input: input, output: output, effect: effect,
            examples: examples, searchTerms: searchTerms)
        body = { arguments, input, context in
            try await run(input, context, repeat try (each parameters).decode(arguments))
        }
    }

    /// A command that is declared at run time; its body receives the arguments by name.
    public init(
        definition spec: CommandSpec,
        run: @escaping @Sendable ([String: Value], Value, Context) async throws -> Value
    ) {
        self.spec = spec
        body = { arguments, input, context in try await run(arguments.values, input, context) }
    }

    /// The same command, declared as one that changes the set of commands.
    public var changingCommands: Command {
        var copy = self
        copy.spec.changesCommands = true
        return copy
    }

    /// The same command, declared as one that only reads when it is called with a flag: read-only clients may call it so.
    public func reading(with flag: String) -> Command {
        var copy = self
        copy.spec.readingFlag = flag
        return copy
    }

    /// The same command, declared as one whose algorithm makes decisions: `trace` and `step` record it, from a first step of kind `start`
    /// to a last one of kind `end`, with a picture of each. The line is a call that shows it, and runs as a test.
    public func deciding(_ line: String, after setup: [String] = []) -> Command {
        var copy = self
        copy.spec.decision = CommandSpec.Example("its decisions", line, after: setup)
        return copy
    }

    /// Runs it. Throws `RutterError`.
    public func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        try await body(arguments, input, context)
    }
}

/// A value that defines a command: a plugin lists one for each of its commands.
public protocol CommandProvider: Sendable {
    /// The command's full name: a session registers all names at start, and builds a command on first use.
    var name: String { get }
    /// The command.
    var command: Command { get }
    /// What it is for, if that differs from the rest of its plugin.
    var group: CommandGroup? { get }
}

extension Command: CommandProvider {
    /// Itself.
    public var command: Command { self }
}

extension CommandProvider {
    /// That of its plugin.
    public var group: CommandGroup? { nil }
    /// The name that the command declares.
    public var name: String { command.spec.name }
    /// The command's declaration.
    public var spec: CommandSpec { command.spec }
}
