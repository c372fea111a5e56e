import PluginKit

extension Session {
    /// The candidates at the end of an unfinished entry.
    public func completions(of textBeforeCursor: String) async -> CompletionResult {
        try? await open()
        let site = CompletionSite(textBeforeCursor)
        let engine = CompletionEngine(
            registry: registry, context: context(tracing: nil), variables: variables, settings: settingSpecs,
            errorKinds: errorKinds)
        let candidates = await engine.candidates(at: site)
        return Self.withoutShared(
            CompletionResult(wordStart: site.current.start, candidates: candidates), site)
    }

    /// Within quoted text, candidates complete its last word; the preceding words are not shown.
    private static func withoutShared(_ result: CompletionResult, _ site: CompletionSite) -> CompletionResult
    {
        let begun = site.current.text
        guard begun.hasPrefix("'") || begun.hasPrefix("\""),
            let last = begun.lastIndex(where: { !$0.isNamePart })
        else { return result }
        let shared = String(begun[...last])
        guard shared.count > 1, result.candidates.allSatisfy({ $0.replacement.hasPrefix(shared) }) else {
            return result
        }
        return CompletionResult(
            wordStart: result.wordStart + shared.utf8.count,
            candidates: result.candidates.map {
                .init(String($0.replacement.dropFirst(shared.count)), $0.summary, isComplete: $0.isComplete)
            })
    }
}

extension Character {
    fileprivate var isNamePart: Bool { isLetter || isNumber || self == "_" }
}
