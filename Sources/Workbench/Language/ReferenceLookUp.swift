import PluginKit

/// Resolves names through the plugins.
enum ReferenceLookUp {
    /// Candidates listed in the error about an ambiguous name.
    private static let listedCandidates = 5
    /// Maximum number of names considered for a suggestion.
    private static let suggestionPool = 2000

    /// The object that a name refers to; throws `E-REFERENCE-UNKNOWN` or `E-REFERENCE-AMBIGUOUS`.
    static func one(_ name: String, kind: String?, context: Context) async throws -> Reference {
        let kinds = kind.map(ParameterKind.kinds(ofReference:))
        let resolvers = context.all((any ReferenceResolving).self).filter { kinds?.contains($0.kind) ?? true }
        var found: [Reference] = []
        for isFallback in [false, true] where found.isEmpty {
            for resolver in resolvers where resolver.isFallback == isFallback {
                found += try await resolver.resolve(name, context: context)
            }
        }
        if found.count == 1 { return found[0] }
        let known = kinds?.filter { kind in resolvers.contains { $0.kind == kind } }
        let what = (known?.isEmpty == false ? known : kinds)?.joined(separator: " or ") ?? "object"
        guard found.isEmpty else {
            let list = found.lazy.map { "@\(Literal.quotedName($0.name)) (\($0.detail))" }
            throw LanguageErrors.ambiguous(
                "`\(name)` matches \(found.count) \(what)s",
                fix: "one of: " + list.listed(first: listedCandidates))
        }
        var names: [String] = []
        var steps: [String] = []
        for resolver in resolvers {
            let own = try await resolver.complete("", limit: suggestionPool, context: context).map(\.name)
            names += own
            if own.isEmpty, let step = resolver.firstSteps, !steps.contains(step) { steps.append(step) }
        }
        let fix: String?
        if names.isEmpty {
            fix = steps.isEmpty ? "none exist yet" : "none exist yet: " + steps.joined(separator: "; ")
        } else {
            // Without a kind there are many lists, none of which is nearer than another.
            let listings = kinds == nil ? [] : resolvers.compactMap(\.listing).map { "`\($0)`" }
            fix =
                listings.isEmpty
                ? nil : "the names and ids are those of " + listings.joined(separator: " and ")
        }
        let meant = meant(by: name, among: names).map { "@\(Literal.quotedName($0))" }
        let others = meant.count > 1 ? "one of: " + meant.listed(first: listedCandidates) : nil
        throw LanguageErrors.reference(
            "unknown \(what) `\(name)`", fix: others ?? fix,
            suggestion: meant.count == 1 ? meant[0] : nil)
    }

    /// The name that is nearly the text, else the names with a word that is nearly the text, or begins with it.
    private static func meant(by text: String, among names: [String]) -> [String] {
        if let near = Suggestion.nearest(to: text, in: names) { return [near] }
        guard text.count >= leastWord else { return [] }
        var words: [String: Set<String>] = [:]
        for name in names {
            let parts = name.split { !$0.isLetter && !$0.isNumber }
            for part in parts where part.count >= leastWord {
                words[part.lowercased(), default: []].insert(name)
            }
        }
        guard let word = Suggestion.nearest(to: text, in: words.keys.sorted()) else { return [] }
        return (words[word] ?? []).sorted()
    }

    /// Shorter words are near too many.
    private static let leastWord = 4
}

extension Literal {
    /// A name as it is written after `@`.
    static func quotedName(_ name: String) -> String {
        let bytes = Array(name.utf8)
        if !bytes.isEmpty, NumberScanner.referenceEnd(bytes, from: 0) == bytes.count { return name }
        return quoted(name)
    }
}
