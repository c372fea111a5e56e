/// Every constant of the module: defaults of the front matter, and limits.
public struct NotebookLimits: Sendable {
    /// The prompt before the first line of an input.
    public static let prompt = "rutter> "
    /// The prompt before each further line of an input.
    public static let continuation = "   ...> "
    /// The word that marks a fenced block as a cell.
    public static let marker = "rutter"
    /// Default timeout of an entry.
    public static let timeout: Duration = .seconds(60)
    /// The environment variable whose presence forbids `--update`.
    static let continuousIntegrationVariable = "CI"

    /// Largest notebook, in bytes.
    public var fileBytes = 64 << 20
    /// Largest front matter, in bytes.
    var frontMatterBytes = 16 << 10
    /// Most asterisks in a front matter.
    var frontMatterAliases = 16
    /// Most pairs of expected and actual lines that are aligned; above it, the whole output is replaced.
    var alignmentCells = 4_000_000
    /// Lines of one diff that are shown.
    var diffLines = 200
    /// Lines of context around a change in a diff.
    var diffContext = 2
    /// Timeout for opening or closing a session in a worker.
    var setUpTimeout: Duration = .seconds(120)
    /// Grace period after a timeout in which a worker may report it itself, before it is killed.
    var killGrace: Duration = .seconds(2)
    /// The longest line of a worker.
    var workerLineBytes = 256 << 20
    /// How much of the end of a worker's standard error is kept.
    var standardErrorBytes = 8 << 10
    /// How often a silent worker is checked.
    var workerPoll: Duration = .milliseconds(25)
    /// Interval at which `--watch` checks the files.
    var watchInterval: Duration = .milliseconds(500)

    /// The default limits.
    public init() {}
}
