/// One way in which the word at the cursor may go on.
public struct Completion: Sendable, Equatable {
    /// The text that takes the place of the answer's range.
    public var replacement: String
    /// What a list shows; often shorter than the replacement.
    public var display: String
    /// One line that says what the candidate is. Shown where it fits; may be empty.
    public var summary: String
    /// Whether a space follows once this candidate is the only one.
    public var appendsSpace: Bool

    /// Makes a candidate. It is shown as its replacement unless `display` says otherwise.
    public init(
        replacement: String, display: String? = nil, summary: String = "", appendsSpace: Bool = true
    ) {
        self.replacement = replacement
        self.display = display ?? replacement
        self.summary = summary
        self.appendsSpace = appendsSpace
    }
}

/// What is to be completed. Offsets count Unicode scalars, the unit of libedit on Linux.
public struct CompletionRequest: Sendable, Equatable {
    /// The entire entry so far, with the lines before a continuation.
    public var text: String
    /// The cursor's offset in `text`, in Unicode scalars.
    public var cursor: Int

    /// Makes a request.
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
    /// What is replaced, in Unicode scalars of the request's text. It must lie within the last line.
    public var range: Range<Int>
    /// The candidates, in the order in which they are listed.
    public var candidates: [Completion]

    /// Makes an answer.
    public init(range: Range<Int>, candidates: [Completion]) {
        self.range = range
        self.candidates = candidates
    }
}
