import Core

/// An error in a notebook or in the request to run one; formatted in one place.
public struct NotebookError: Error, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The stable codes of this module's errors.
    public enum Code: String, Sendable, Codable, CaseIterable {
        /// The file cannot be read, or is too large.
        case file = "E-NOTEBOOK-FILE"
        /// The bytes are not UTF-8.
        case encoding = "E-NOTEBOOK-ENCODING"
        /// The front matter is invalid.
        case frontMatter = "E-NOTEBOOK-FRONTMATTER"
        /// A block flag is unknown.
        case flag = "E-NOTEBOOK-FLAG"
        /// A cell is not closed, has no input, or has output before its first prompt.
        case cell = "E-NOTEBOOK-CELL"
        /// The text of an exercise is invalid, or no answer can be checked.
        case exercise = "E-NOTEBOOK-EXERCISE"
        /// An output pattern is invalid.
        case pattern = "E-NOTEBOOK-PATTERN"
        /// The notebook has no cell, or its cells check nothing.
        case empty = "E-NOTEBOOK-EMPTY"
        /// Input data has an invalid name or is outside its folder.
        case data = "E-NOTEBOOK-DATA"
        /// The requested cell does not exist.
        case noSuchCell = "E-NOTEBOOK-NOCELL"
        /// The host could not create a session.
        case session = "E-NOTEBOOK-SESSION"
        /// A worker process cannot be started, or ended outside of an entry.
        case worker = "E-NOTEBOOK-WORKER"
        /// A notebook runs itself, or notebooks run one another too deeply.
        case recursion = "E-NOTEBOOK-RECURSION"
        /// The arguments are incompatible.
        case usage = "E-NOTEBOOK-USAGE"
    }

    /// The stable code.
    public let code: Code
    /// The line of the file, from 1, if known.
    public let line: Int?
    /// The message.
    public let message: String
    /// The fix.
    public let suggestion: String?

    /// An error with its facts.
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

extension NotebookError.Code {
    /// The kind of error with its explanation.
    public var kind: ErrorKind {
        let (title, explanation) =
            switch self {
            case .file:
                (
                    "the notebook cannot be read or written",
                    "The message names the reason. Nothing was changed."
                )
            case .encoding: ("the notebook is not UTF-8", "Notebooks are UTF-8 text; convert the file.")
            case .frontMatter:
                (
                    "invalid front matter",
                    "Keys are seed clock timezone width units data requires plugins network timeout lesson, as YAML between lines of ---."
                )
            case .flag:
                (
                    "unknown block flag",
                    "Flags after `rutter` are approx unordered nocheck norun fails exercise predict."
                )
            case .cell:
                (
                    "malformed cell",
                    "A cell is a fenced block marked `rutter`; its inputs follow the prompt `rutter> `."
                )
            case .exercise:
                (
                    "malformed exercise",
                    """
                    Before its prompt, a cell marked `exercise` or `predict` has lines `question:`, `choice:` or `item:`, \
                    `hint:`, `answer:` and `because:`; one entry follows, the solution. Its output must fit the answer: \
                    a value, one of the choices, or an order of all items.
                    """
                )
            case .pattern:
                (
                    "invalid output pattern",
                    """
                    Patterns are <<*>> <<int>> <<number>> <<uuid>> <<time>> <<path>> <<re:…>> <<6.1km ±2%>> <<name=int>>. \
                    Expressions after re: are ICU's, as those of `=~`.
                    """
                )
            case .empty:
                (
                    "the notebook has nothing to check",
                    "A notebook in which no cell can fail is an error, not a pass."
                )
            case .data:
                (
                    "the notebook's data cannot be used",
                    "Data files must be beside the notebook or below --data DIR."
                )
            case .noSuchCell: ("no such cell", "Cells are counted from 1.")
            case .session:
                (
                    "no session for the notebook",
                    """
                    Each notebook runs in its own session with an empty workspace. The message names what could not be \
                    set up: a plugin that the front matter requires, a folder for the workspace, or a setting.
                    """
                )
            case .worker:
                (
                    "a notebook worker failed",
                    """
                    `rutter test` runs notebooks in worker processes. One could not be started, or it ended between two \
                    entries. The message has the system's reason; check memory and process limits (`ulimit -a`), or \
                    use --jobs 1. A crash within an entry is reported at its cell instead.
                    """
                )
            case .recursion:
                (
                    "a notebook runs itself",
                    """
                    A cell of a notebook can run or test another notebook, but not one that is already running, and \
                    only to a limited depth.
                    """
                )
            case .usage: ("incompatible arguments", "`rutter test --help` lists the options.")
            }
        return ErrorKind(rawValue, title, explanation: explanation)
    }
}
