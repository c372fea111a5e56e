/// Completion candidates for a parameter beyond those of its kind, such as the names of regions.
public protocol CompletionSource: Capability {
    /// The kind of words, as in `ParameterSpec.Completion.known`.
    var kind: String { get }
    /// All candidates, each with its description.
    func words(context: Context) -> [ParameterKind.Choice]
}
