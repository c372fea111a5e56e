import PluginKit

extension Session {
    /// What can stand at the end of an unfinished entry.
    public func completions(of textBeforeCursor: String) async -> CompletionResult {
        try? await open()
        let site = CompletionSite(textBeforeCursor)
        let engine = CompletionEngine(
            registry: registry, context: context(tracing: nil), variables: variables, settings: settingSpecs,
            errorKinds: errorKinds)
        return CompletionResult(wordStart: site.current.start, candidates: await engine.candidates(at: site))
    }
}
