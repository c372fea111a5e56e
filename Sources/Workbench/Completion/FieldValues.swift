import PluginKit

/// The field on the left of a comparison whose right side is being typed: `category ==`.
struct ComparedField {
    let name: String

    init?(before text: String) {
        var rest = text[...]
        while rest.last == " " { rest.removeLast() }
        guard let sign = ["==", "!="].first(where: rest.hasSuffix) else { return nil }
        rest.removeLast(sign.count)
        while rest.last == " " { rest.removeLast() }
        let name = String(rest.reversed().prefix { $0.isLetter || $0.isNumber || $0 == "_" }.reversed())
        guard name.first?.isLetter == true else { return nil }
        self.name = name
    }
}

/// The values that a field can have, as far as known without running anything: those of rows in memory, and
/// the choices of an option of the same name of the command that returns the rows.
struct FieldValues {
    let engine: CompletionEngine
    let upstream: String?

    /// Maximum number of scanned rows, so that Tab responds at once.
    private static let mostRows = 5000

    func candidates(of field: String) -> [CompletionEngine.Candidate] {
        guard let upstream else { return [] }
        if let rows = engine.readyRows(of: upstream) {
            var seen: Set<String> = []
            for row in rows.prefix(Self.mostRows) {
                if case .text(let text)? = row.field(field) { seen.insert(text) }
                if seen.count >= CompletionSettings.limit { break }
            }
            return seen.sorted().map { CompletionEngine.Candidate(Literal.text($0)) }
        }
        for spec in engine.commands(of: upstream) {
            for parameter in spec.parameters where parameter.name == field {
                if case .choice(let choices) = parameter.kind {
                    return choices.map { CompletionEngine.Candidate($0.word, $0.summary) }
                }
                if case .known(let kind)? = parameter.completion {
                    return engine.context.all((any CompletionSource).self).filter { $0.kind == kind }
                        .flatMap { $0.words(context: engine.context) }
                        .map { CompletionEngine.Candidate($0.word, $0.summary) }
                }
            }
        }
        return []
    }
}
