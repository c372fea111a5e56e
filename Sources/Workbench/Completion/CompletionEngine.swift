import Foundation
import PluginKit

/// Finds the candidates at the end of an unfinished entry, from the commands' declarations and live data.
struct CompletionEngine {
    let registry: CommandRegistry
    let context: Context
    let variables: [String: Value]
    let settings: [SettingSpec]
    let errorKinds: [ErrorKind]

    typealias Candidate = CompletionResult.Candidate

    func candidates(at site: CompletionSite) async -> [Candidate] {
        if site.current.text.hasPrefix("$") { return variableCandidates(site.current.text) }
        // A reference is allowed wherever a value is; after `(` or `[` it begins a new word.
        if let opening = site.current.text.lastIndex(where: { "([=".contains($0) }),
            site.current.text[opening...].dropFirst().hasPrefix("@")
        {
            let end = site.current.text.index(after: opening)
            let before = String(site.current.text[..<end])
            return await references(String(site.current.text[end...]), kind: nil).map {
                Candidate(before + $0.replacement, $0.summary)
            }
        }
        if site.current.text.hasPrefix("@"), site.words.isEmpty || site.words.last?.text == "=" {
            return await references(site.current.text, kind: nil)
        }
        guard let first = site.words.first?.text else { return commandStarts(site.current.text) }
        if isExpressionStart(first) { return await expressionCandidates(site) }
        if site.words.count == 1, !registry.secondWords(after: first).isEmpty {
            let seconds = secondWordCandidates(after: first, begun: site.current.text)
            if !seconds.isEmpty || registry[first] == nil { return seconds }
        }
        guard let (command, length) = command(of: site.words.map(\.text)) else { return [] }
        return await arguments(of: command.spec, in: site, from: length)
    }

    private func command(of words: [String]) -> (Command, Int)? {
        if words.count >= 2, let entry = registry[words[0] + " " + words[1]] { return (entry.command, 2) }
        return registry.meant(words[0]).map { ($0.command, 1) }
    }

    private func isExpressionStart(_ word: String) -> Bool {
        word.utf8.first.map { NumberScanner.isDigit($0) || "+-'\"$([.@".utf8.contains($0) } ?? false
    }

    // MARK: Commands

    private func commandStarts(_ begun: String) -> [Candidate] {
        if begun.hasPrefix("@") { return [] }
        var seen: Set<String> = []
        var result: [Candidate] = []
        for entry in registry.entries {
            let name = entry.command.spec.name
            let first = String(name.prefix { $0 != " " })
            guard first.hasPrefix(begun), seen.insert(first).inserted else { continue }
            let seconds = registry.secondWords(after: first)
            let summary = registry[first]?.command.spec.summary ?? "\(seconds.count) commands"
            result.append(Candidate(first, summary))
        }
        return result
    }

    private func secondWordCandidates(after first: String, begun: String) -> [Candidate] {
        registry.secondWords(after: first).filter { $0.hasPrefix(begun) }.map {
            Candidate($0, registry["\(first) \($0)"]?.command.spec.summary ?? "")
        }
    }

    // MARK: Arguments

    private func arguments(of spec: CommandSpec, in site: CompletionSite, from index: Int) async
        -> [Candidate]
    {
        var positional = 0
        var waiting: ParameterSpec?
        var used: Set<String> = []
        for (offset, word) in site.words.enumerated().dropFirst(index) {
            if waiting != nil {
                waiting = nil
                continue
            }
            if word.text.hasPrefix("--") {
                let name = String(word.text.dropFirst(2).prefix { $0 != "=" })
                used.insert(name)
                let parameter = spec.options.first { $0.name == name }
                if parameter?.style == .option && !word.text.contains("=") { waiting = parameter }
                continue
            }
            if isPipeline(spec, at: positional) { return await candidates(at: site.nested(from: offset)) }
            positional += 1
        }
        let begun = site.current.text
        if let waiting { return await values(for: waiting, begun: begun, site: site) }
        if begun.hasPrefix("--") { return options(of: spec, begun: begun, used: used) }
        if isPipeline(spec, at: positional) {
            var nested = site
            nested.words = []
            return await candidates(at: nested)
        }
        guard let parameter = spec.positional(at: positional) else {
            return begun.isEmpty ? options(of: spec, begun: "--", used: used) : []
        }
        if case .words = parameter.kind, let completion = parameter.completion, completion != .settingValues {
            // One text of several words: `help waypoint ne`.
            let before = site.words.dropFirst(index + spec.positionals.count - 1).map { $0.text + " " }
                .joined()
            return hostWords(completion, begun: before + begun).map {
                Candidate(String($0.replacement.dropFirst(before.count)), $0.summary)
            }
        }
        let found = await values(for: parameter, begun: begun, site: site)
        return found.isEmpty && begun.isEmpty ? options(of: spec, begun: "--", used: used) : found
    }

    private func isPipeline(_ spec: CommandSpec, at index: Int) -> Bool {
        if case .pipeline = spec.positional(at: index)?.kind { return true }
        return false
    }

    private func options(of spec: CommandSpec, begun: String, used: Set<String>) -> [Candidate] {
        spec.options.filter { "--\($0.name)".hasPrefix(begun) && ($0.repeats || !used.contains($0.name)) }
            .map { Candidate("--\($0.name)", $0.help) }
    }

    // MARK: Values

    private func values(for parameter: ParameterSpec, begun: String, site: CompletionSite) async
        -> [Candidate]
    {
        if parameter.completion == .settingValues,
            let setting = settings.first(where: { $0.name == site.words.last?.text })
        {
            if setting.name == "timezone" {
                return TimeZone.knownTimeZoneIdentifiers.filter {
                    $0.lowercased().hasPrefix(begun.lowercased())
                }
                .map { Candidate($0) }
            }
            return await values(of: setting.kind, begun: begun, site: site)
        }
        if case .referencesAndFiles(let kind)? = parameter.completion {
            let files = begun.hasPrefix("@") ? [] : FileCandidates(files: context.files).candidates(begun)
            return await references(begun, kind: kind) + files
        }
        if let completer = parameter.completer {
            return await completer(begun, context).map { Candidate($0.word, $0.summary) }
        }
        if let completion = parameter.completion { return hostWords(completion, begun: begun) }
        return await values(of: parameter.kind, begun: begun, site: site)
    }

    private func values(of kind: ParameterKind, begun: String, site: CompletionSite) async -> [Candidate] {
        switch kind {
        case .choice(let choices):
            return choices.filter { $0.word.hasPrefix(begun) }.map { Candidate($0.word, $0.summary) }
        case .boolean:
            return ["true", "false"].filter { $0.hasPrefix(begun) }.map { Candidate($0) }
        case .inputFile, .outputFile, .inputPath:
            return FileCandidates(files: context.files).candidates(begun)
        case .reference(let kind): return await references(begun, kind: kind)
        case .coordinate where !begun.hasPrefix("@"): return await placeNames(begun)
        case .coordinate, .value: return begun.hasPrefix("@") ? await references(begun, kind: nil) : []
        case .date, .localDate:
            return ["now", "today", "tomorrow", "yesterday"].filter { !begun.isEmpty && $0.hasPrefix(begun) }
                .map { Candidate($0) }
        case .expression where begun.hasPrefix("@"): return await references(begun, kind: nil)
        case .field: return fields(begun, site: site)
        case .expression, .assignments: return expressionWords(begun, site: site, withAggregates: false)
        case .summary: return expressionWords(begun, site: site, withAggregates: true)
        default: return begun.hasPrefix("@") ? await references(begun, kind: nil) : []
        }
    }

    private func hostWords(_ completion: ParameterSpec.Completion, begun: String) -> [Candidate] {
        if case .knownWithin(let kind) = completion { return wordsWithin(begun, kind: kind) }
        let all: [Candidate] =
            switch completion {
            case .commands: registry.entries.map { Candidate($0.command.spec.name, $0.command.spec.summary) }
            case .settings: settings.map { Candidate($0.name, $0.help) }
            case .settingValues: []
            case .errorCodes: errorKinds.map { Candidate($0.code, $0.title) }
            case .referencesAndFiles, .files: []
            case .openStores, .openStoresAndFiles:
                context.stores.entries.map { Candidate($0.name, $0.kind.name) }
            case .known(let kind):
                context.all((any CompletionSource).self).filter { $0.kind == kind }
                    .flatMap { $0.words(context: context) }.map { Candidate($0.word, $0.summary) }
            case .knownWithin: []
            }
        let files =
            [.openStoresAndFiles, .files].contains(completion)
            ? FileCandidates(files: context.files).candidates(begun) : []
        return files + all.filter { $0.replacement.lowercased().hasPrefix(begun.lowercased()) }
    }

    /// Completions of the last word of quoted text; each candidate is the whole text with that word completed.
    private func wordsWithin(_ begun: String, kind: String) -> [Candidate] {
        let word = begun.prefixedPart
        guard !word.partial.isEmpty, begun.hasPrefix("'") || begun.hasPrefix("\"") else { return [] }
        let partial = word.partial.lowercased()
        return context.all((any CompletionSource).self).filter { $0.kind == kind }
            .flatMap { $0.words(context: context) }.filter { $0.word.lowercased().hasPrefix(partial) }
            .map { Candidate(word.before + $0.word, $0.summary) }
    }

    private func variableCandidates(_ begun: String) -> [Candidate] {
        if let dot = begun.lastIndex(of: ".") {
            let base = String(begun[begun.index(after: begun.startIndex)..<dot])
            let partial = begun[begun.index(after: dot)...]
            guard let value = variables[base] else { return [] }
            return FieldAccess.names(of: value).filter { $0.hasPrefix(partial) }.map {
                Candidate("$\(base).\($0)")
            }
        }
        return variables.keys.sorted().map { "$\($0)" }.filter { $0.hasPrefix(begun) }.map {
            Candidate($0, variables[String($0.dropFirst())]?.kindName ?? "")
        }
    }

    private func expressionCandidates(_ site: CompletionSite) async -> [Candidate] {
        site.current.text.hasPrefix("@") ? await references(site.current.text, kind: nil) : []
    }

    private func references(_ begun: String, kind: String?) async -> [Candidate] {
        let hasSign = begun.hasPrefix("@")
        let partial = begun.drop { $0 == "@" }.drop { $0 == "\"" || $0 == "'" }
        var result: [Candidate] = []
        let kinds = kind.map(ParameterKind.kinds(ofReference:))
        for resolver in context.all((any ReferenceResolving).self)
        where kinds?.contains(resolver.kind) ?? true {
            // An unreadable store offers no candidates; the command reports the error.
            let found = try? await resolver.complete(
                String(partial), limit: CompletionSettings.limit, context: context)
            result += (found ?? []).map { reference in
                let name = Literal.quotedName(reference.name)
                return Candidate(hasSign || name.hasPrefix("\"") ? "@\(name)" : name, reference.detail)
            }
        }
        return result
    }

    /// Quoted place names that can be written in place of a coordinate.
    private func placeNames(_ begun: String) async -> [Candidate] {
        let quote = begun.first.flatMap { "\"'".contains($0) ? $0 : nil }
        let partial = String(quote == nil ? begun[...] : begun.dropFirst())
        guard partial.first?.isLetter ?? false, partial.count >= CompletionSettings.shortestPlace else {
            return []
        }
        for resolver in context.all((any ReferenceResolving).self) where resolver.kind == "place" {
            let found = try? await resolver.complete(
                partial, limit: CompletionSettings.limit, context: context)
            return (found ?? []).map { reference in
                let isPlain = quote == "'" && !reference.name.contains("'")
                let name = isPlain ? "'\(reference.name)'" : Literal.quoted(reference.name)
                return Candidate(name, reference.detail)
            }
        }
        return []
    }

    // MARK: Fields

    /// The fields of the rows that come through the pipe, as far as known without running anything.
    private func fields(_ begun: String, site: CompletionSite) -> [Candidate] {
        guard let upstream = site.upstream else { return [] }
        let word = begun.prefixedPart
        return columns(of: upstream).filter { $0.hasPrefix(word.partial) }.map { Candidate(word.before + $0) }
    }

    /// Fields and functions; after a comparison with a field, the values that it can have.
    private func expressionWords(
        _ begun: String, site: CompletionSite, withAggregates: Bool
    ) -> [Candidate] {
        let word = begun.prefixedPart
        let before = (site.words.map(\.text) + [word.before]).joined(separator: " ")
        if let field = ComparedField(before: before)?.name {
            let values = FieldValues(engine: self, upstream: site.upstream).candidates(of: field)
                .filter { $0.replacement.hasPrefix(word.partial) }
            if !values.isEmpty { return values.map { Candidate(word.before + $0.replacement, $0.summary) } }
        }
        var functions: [Candidate] = []
        if withAggregates {
            functions = AggregateFunction.names.map {
                Candidate($0 + "(", AggregateFunction.summary(of: $0), isComplete: false)
            }
            if !begun.isEmpty || site.words.count > 1 {
                functions.append(Candidate("by", "keys to group by"))
            }
        }
        let known = Set(functions.map(\.replacement))
        functions += FunctionLibrary.all.filter { !known.contains($0.name + "(") }.map {
            Candidate($0.name + "(", $0.summary, isComplete: false)
        }
        // Without a letter the fields alone are offered: a list of all functions would hide them.
        let offered =
            word.partial.isEmpty && !withAggregates
            ? [] : functions.filter { $0.replacement.hasPrefix(word.partial) }
        return fields(begun, site: site)
            + offered.map { Candidate(word.before + $0.replacement, $0.summary, isComplete: $0.isComplete) }
    }

    /// The rows of a variable that begins the pipeline, if they are in memory.
    func readyRows(of upstream: String) -> [Value]? {
        let head = upstream.prefix { $0 != "|" }.trimmingCharacters(in: .whitespaces)
        guard head.hasPrefix("$") else { return nil }
        return variables[String(head.dropFirst())]?.readyItems
    }

    /// The commands of a pipeline, the last first.
    func commands(of upstream: String) -> [CommandSpec] {
        upstream.split(separator: "|").reversed().compactMap { part in
            let words = part.split(separator: " ").map(String.init)
            return words.isEmpty ? nil : command(of: words)?.0.spec
        }
    }

    private func columns(of upstream: String) -> [String] {
        let parts = upstream.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        for part in parts.reversed() {
            if part.hasPrefix("$") {
                let name = String(part.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" })
                return variables[name].map(rowFields) ?? []
            }
            let words = part.split(separator: " ").map(String.init)
            guard let (command, _) = command(of: words.isEmpty ? [""] : words) else { return [] }
            switch command.spec.output {
            case .rows(let columns): return columns
            case .sameRows: continue
            default: return []
            }
        }
        return []
    }

    private func rowFields(_ value: Value) -> [String] {
        switch value {
        case .rows(let rows): rows.columns ?? []
        case .list(let items): items.commonColumns ?? items.first?.fieldNames ?? []
        default: value.fieldNames ?? []
        }
    }
}

extension CommandSpec {
    /// The positional parameter for the word at an index; a repeating one takes all remaining words.
    fileprivate func positional(at index: Int) -> ParameterSpec? {
        let all = positionals
        if index < all.count { return all[index] }
        guard let last = all.last, last.repeats || last.kind.takesTheRest else { return nil }
        return last
    }
}

extension ParameterKind {
    fileprivate var takesTheRest: Bool {
        switch self {
        case .expression, .words, .pipeline, .assignments, .summary: true
        default: false
        }
    }
}

extension String {
    /// The name at the end, and the text before it in the same word: `distance>dist`.
    fileprivate var prefixedPart: (before: String, partial: String) {
        var start = endIndex
        while start > startIndex, Self.isNamePart(self[index(before: start)]) {
            start = index(before: start)
        }
        return (String(self[..<start]), String(self[start...]))
    }

    private static func isNamePart(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }
}
