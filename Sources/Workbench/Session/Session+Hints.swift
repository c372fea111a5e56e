import PluginKit

/// What an unknown command is now called, or how to get it.
extension Session {
    /// The error of an unknown command, with its new name if it was renamed, or else with a fix if an unloaded plugin
    /// has a command of that name.
    func hinting(_ error: RutterError, _ entry: String) -> RutterError {
        guard case .span(let span) = error.place else { return error }
        let words = entry.utf8.dropFirst(span.start).split(separator: 0x20, maxSplits: 2).prefix(2)
            .map { String(Substring($0)) }
        var copy = error
        if let (old, new) = renaming(of: words) {
            copy.message = "unknown command `\(old)`"
            copy.suggestion = nil
            // `lines` is also what other tools call the lines of a text.
            let habit = Habits.fixes[old].flatMap { $0.contains("… | ") ? "; \($0)" : nil }
            copy.fix = "it is now `\(new)`" + (habit ?? "")
            return copy
        }
        guard error.suggestion == nil, let word = words.first else { return error }
        guard let hint = catalog.hint(forCommand: word) else {
            if error.fix == LanguageErrors.allCommands {
                let found = helpSearch.results(word).prefix(3).map(\.name)
                if !found.isEmpty { copy.fix = "`help \(word)` finds \(found.joined(separator: ", "))" }
            }
            return copy
        }
        copy.message += "; \(hint.message)"
        copy.fix = hint.fix
        return copy
    }

    /// The commands of earlier versions by name, each with what to type now.
    public var formerCommands: [String: String] {
        plugins.reduce(into: HostCommands.former) { all, plugin in
            all.merge(plugin.formerCommands) { first, _ in first }
        }
    }

    /// The former command that two words, or the first of them, name, and what to type now.
    private func renaming(of words: [String]) -> (old: String, new: String)? {
        let former = formerCommands
        return [words.joined(separator: " "), words.first ?? ""].lazy
            .compactMap { name in former[name].map { (name, $0) } }.first
    }
}
