/// Every constant of the module: defaults of the front matter, and limits.
public struct NotebookLimits: Sendable {
    /// The prompt before the first line of an input.
    public static let prompt = "rutter> "
    /// The prompt before each further line of an input.
    public static let continuation = "   ...> "
    /// The word that marks a fenced block as a cell.
    public static let marker = "rutter"
    /// How long one entry may run when the front matter does not say.
    public static let timeout: Duration = .seconds(60)
    /// The environment variable whose presence forbids `--update`.
    public static let continuousIntegrationVariable = "CI"

    /// The largest notebook that is read.
    public var fileBytes = 64 << 20
    /// The largest front matter that is read.
    public var frontMatterBytes = 16 << 10
    /// How many asterisks front matter may have.
    public var frontMatterAliases = 16
    /// Expected lines times actual lines that are still aligned line by line; above it, all is replaced.
    public var alignmentCells = 4_000_000
    /// Lines of one diff that are shown.
    public var diffLines = 200
    /// Lines of context around a change in a diff.
    public var diffContext = 2
    /// How long a worker may take to open or close a session.
    public var setUpTimeout: Duration = .seconds(120)
    /// How long after a timeout a worker may still report it itself, before it is killed.
    public var killGrace: Duration = .seconds(2)
    /// The longest line of a worker.
    public var workerLineBytes = 256 << 20
    /// How much of the end of a worker's standard error is kept.
    public var standardErrorBytes = 8 << 10
    /// How often a silent worker is checked.
    public var workerPoll: Duration = .milliseconds(25)
    /// How often `--watch` looks at the files.
    public var watchInterval: Duration = .milliseconds(500)

    /// The limits as they are.
    public init() {}
}
