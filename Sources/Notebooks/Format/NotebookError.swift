/// What is wrong with a notebook or with the request to run one: facts, worded in one place.
public struct NotebookError: Error, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The stable codes of this module's errors.
    public enum Code: String, Sendable, Codable, CaseIterable {
        /// The file cannot be read, or is too large.
        case file = "E-NOTEBOOK-FILE"
        /// The bytes are not UTF-8.
        case encoding = "E-NOTEBOOK-ENCODING"
        /// The front matter is not what it should be.
        case frontMatter = "E-NOTEBOOK-FRONTMATTER"
        /// A block flag is unknown.
        case flag = "E-NOTEBOOK-FLAG"
        /// A cell is not closed, has no input, or has output before its first prompt.
        case cell = "E-NOTEBOOK-CELL"
        /// An output pattern cannot be read.
        case pattern = "E-NOTEBOOK-PATTERN"
        /// The notebook has no cell, or its cells check nothing.
        case empty = "E-NOTEBOOK-EMPTY"
        /// Input data is named wrongly or leads out of its folder.
        case data = "E-NOTEBOOK-DATA"
        /// The cell asked for does not exist.
        case noSuchCell = "E-NOTEBOOK-NOCELL"
        /// The host could not make a session.
        case session = "E-NOTEBOOK-SESSION"
        /// A worker process cannot be started, or was lost outside of any entry.
        case worker = "E-NOTEBOOK-WORKER"
        /// A notebook runs itself, or notebooks run one another too deeply.
        case recursion = "E-NOTEBOOK-RECURSION"
        /// The arguments of the request do not fit together.
        case usage = "E-NOTEBOOK-USAGE"
    }

    /// The stable code.
    public let code: Code
    /// The line of the file, from 1, where one is to blame.
    public let line: Int?
    /// What is wrong.
    public let message: String
    /// What to write instead.
    public let suggestion: String?

    /// An error of its facts.
    public init(_ code: Code, line: Int? = nil, _ message: String, suggestion: String? = nil) {
        self.code = code
        self.line = line
        self.message = message
        self.suggestion = suggestion
    }

    /// The message with its suggestion.
    public var description: String {
        guard let suggestion else { return message }
        return "\(message); \(suggestion)"
    }
}
