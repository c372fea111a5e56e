/// Words that a parameter can take beside what its kind tells, such as the names of regions; for completion alone.
public protocol CompletionSource: Capability {
    /// The kind of words, as in `ParameterSpec.Completion.known`.
    var kind: String { get }
    /// All of them, each with what is shown beside it.
    func words(context: Context) -> [ParameterKind.Choice]
}
