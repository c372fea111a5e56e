/// An error shown to a user. It holds the facts; one renderer formats them.
public struct RutterError: Error, Sendable {
    /// The location of the cause in the input or in a file.
    public enum Place: Sendable, Hashable {
        /// Not known.
        case none
        /// A range of the entry's UTF-8 bytes.
        case span(SourceSpan)
        /// The word for a parameter; the host resolves it to a span.
        case parameter(String)
        /// A part of it: the value with this index (from 0) if several were given, and the characters
        /// (Unicode scalars) in it; all of them without a range.
        case part(of: String, item: Int, characters: Range<Int>?)
        /// A position in a file; line and column count from 1.
        case file(path: String, line: Int?, column: Int?)
    }

    /// The kind of error.
    public var kind: ErrorKind
    /// The message, one sentence without a full stop.
    public var message: String
    /// The location of the cause.
    public var place: Place
    /// The fix: what to do or write instead.
    public var fix: String?
    /// The one nearest word that may have been meant.
    public var suggestion: String?

    /// An error of a kind.
    public init(
        kind: ErrorKind, message: String, place: Place = .none, fix: String? = nil, suggestion: String? = nil
    ) {
        self.kind = kind
        self.message = message
        self.place = place
        self.fix = fix
        self.suggestion = suggestion
    }

    /// The stable code.
    public var code: String { kind.code }

    /// The same error with this location, unless it already has one.
    public func located(at place: Place) -> RutterError {
        guard self.place == .none else { return self }
        var copy = self
        copy.place = place
        return copy
    }
}

/// A range of UTF-8 bytes in an entry.
public struct SourceSpan: Sendable, Hashable {
    /// The first byte.
    public var start: Int
    /// The byte after the last.
    public var end: Int

    /// A range of bytes, the end not included.
    public init(_ start: Int, _ end: Int) {
        self.start = start
        self.end = max(start, end)
    }

    /// The smallest range that holds both.
    public func union(_ other: SourceSpan) -> SourceSpan {
        SourceSpan(min(start, other.start), max(end, other.end))
    }
}
