/// One completion of the word at the cursor.
public struct Completion: Sendable, Equatable {
    /// The replacement for the answer's range.
    public var replacement: String
    /// The text in a list; often shorter than the replacement.
    public var display: String
    /// A one-line description, shown if it fits; may be empty.
    public var summary: String
    /// Whether to insert a space if this is the only candidate.
    public var appendsSpace: Bool

    /// Creates a candidate, displayed as its replacement unless `display` is given.
    public init(
        replacement: String, display: String? = nil, summary: String = "", appendsSpace: Bool = true
    ) {
        self.replacement = replacement
        self.display = display ?? replacement
        self.summary = summary
        self.appendsSpace = appendsSpace
    }
}

/// A request for completion. Offsets count Unicode scalars, the unit of libedit on Linux.
public struct CompletionRequest: Sendable, Equatable {
    /// The entire entry so far, with the lines before a continuation.
    public var text: String
    /// The cursor's offset in `text`, in Unicode scalars.
    public var cursor: Int

    /// Creates a request.
    public init(text: String, cursor: Int) {
        self.text = text
        self.cursor = cursor
    }

    /// The text before the cursor.
    public var textBeforeCursor: String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(cursor)))
    }
}

/// The candidates for a request, and the part of the text they replace.
public struct CompletionAnswer: Sendable, Equatable {
    /// The replaced range, in Unicode scalars of the request's text. It must be within the last line.
    public var range: Range<Int>
    /// The candidates, in the order in which they are listed.
    public var candidates: [Completion]

    /// Creates an answer.
    public init(range: Range<Int>, candidates: [Completion]) {
        self.range = range
        self.candidates = candidates
    }
}
