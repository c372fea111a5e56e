import Foundation

/// Formats that `export` can write; a plugin that is left out takes its formats with it.
public protocol ExportFormatSource: Capability {
    /// The formats, in the order in which `export` lists them.
    var exportFormats: [ExportFormat] { get }
}

/// A format that `export` writes: its word, the endings of its files, its own options, and its body.
///
/// The options are declared as for a command, without defaults: an option that is given with another format is an error.
public struct ExportFormat: Sendable {
    /// The word for `--as`.
    public let name: String
    /// A phrase of what it writes, for help and completion.
    public let summary: String
    /// Details for the help page of `export`; may be empty.
    public let details: String
    /// The endings of its files in lower case; the first is that of new files.
    public let endings: [String]
    /// Whether the result can be returned as text; otherwise a file is required.
    public let isText: Bool
    /// Whether it can write a file for each item.
    public let writesEach: Bool
    /// The kinds of objects that can be named.
    public let subjects: [String]
    /// Its own options.
    public let options: [ParameterSpec]
    /// Calls of `export` that show it, and run as tests.
    public let examples: [CommandSpec.Example]
    private let recognizes: @Sendable (Value, Context) -> Bool
    private let body: @Sendable (Arguments, ExportRequest, Context) async throws -> Value

    /// Declares a format. `recognizes` decides between formats with the same ending: the first that recognizes the
    /// value writes it.
    public init<each P: Sendable>(
        _ name: String, _ summary: String, details: String = "", endings: [String], isText: Bool,
        writesEach: Bool = false, subjects: [String] = [], _ options: repeat Parameter<each P>,
        examples: [CommandSpec.Example],
        recognizes: @escaping @Sendable (Value, Context) -> Bool = { _, _ in true },
        write: @escaping @Sendable (ExportRequest, Context, repeat each P) async throws -> Value
    ) {
        self.name = name
        self.summary = summary
        self.details = details
        self.endings = endings
        self.isText = isText
        self.writesEach = writesEach
        self.subjects = subjects
        var specs: [ParameterSpec] = []
        for option in repeat each options { specs += option.specs }
        self.options = specs
        self.examples = examples
        self.recognizes = recognizes
        body = { arguments, request, context in
            try await write(request, context, repeat try (each options).decode(arguments))
        }
    }

    /// Whether the piped value is of the kind that it writes.
    public func recognizes(_ input: Value, context: Context) -> Bool { recognizes(input, context) }

    /// Writes the request; `arguments` holds the given options of its own. Throws `RutterError`.
    public func write(_ request: ExportRequest, _ arguments: Arguments, context: Context) async throws
        -> Value
    {
        try await body(arguments, request, context)
    }
}

/// What is exported, and where to.
public struct ExportRequest: Sendable {
    /// The object that was named; `nil` for the piped value.
    public let subject: (any DomainObject)?
    /// The piped value.
    public let input: Value
    /// The file, or the folder if `each`; `nil` returns text. A format that is not text always has one.
    public let target: URL?
    /// Whether each item is written to a file of its own in the folder `target`.
    public let each: Bool
    /// Whether existing files are overwritten.
    public let force: Bool

    /// A request.
    public init(subject: (any DomainObject)?, input: Value, target: URL?, each: Bool, force: Bool) {
        self.subject = subject
        self.input = input
        self.target = target
        self.each = each
        self.force = force
    }
}
