import PluginKit

extension RutterError {
    /// Adds the location of the word or command that caused it.
    func located(in call: Call) -> RutterError {
        var copy = self
        switch place {
        case .parameter(let name): copy.place = .span(call.span(of: name) ?? call.nameSpan)
        case .part(let name, let item, let characters):
            copy.place = .span(call.span(of: name, item: item, characters) ?? call.nameSpan)
        default: return located(at: .span(call.nameSpan))
        }
        return copy
    }
}

extension Call {
    /// The span of the word for a parameter, or of characters in it; for a repeated parameter, of the word at an index.
    fileprivate func span(
        of parameter: String, item: Int = 0, _ characters: Range<Int>? = nil
    ) -> SourceSpan? {
        let given = options.filter { $0.name == parameter }
        if !given.isEmpty {
            let option = given.indices.contains(item) ? given[item] : given[0]
            return option.value?.span(of: characters) ?? option.nameSpan
        }
        guard let first = command.spec.positionals.firstIndex(where: { $0.name == parameter }) else {
            return nil
        }
        let index = command.spec.positionals[first].repeats ? first + max(0, item) : first
        return positionals.indices.contains(index) ? positionals[index].span(of: characters) : nil
    }
}

extension Word {
    /// The span of characters of its text; the whole word if it is written with escapes or is shorter.
    fileprivate func span(of characters: Range<Int>?) -> SourceSpan {
        let written: String
        switch content {
        case .bare(let text), .text(let text): written = text
        default: return span
        }
        let isQuoted = source != written
        let scalars = written.unicodeScalars
        guard let characters, characters.lowerBound >= 0, characters.upperBound <= scalars.count,
            !isQuoted || source.dropFirst().dropLast() == written
        else { return span }
        let before = scalars.prefix(characters.lowerBound).reduce(0) { $0 + UTF8.width($1) }
        let inside = scalars.dropFirst(characters.lowerBound).prefix(characters.count)
            .reduce(0) { $0 + UTF8.width($1) }
        let start = span.start + (isQuoted ? 1 : 0) + before
        return SourceSpan(start, start + inside)
    }
}
