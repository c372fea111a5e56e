import CivilTime
import PluginKit

/// The errors of words that name no command.
extension Parser {
    /// Commands that an error names at most.
    private static let mostNamed = 8

    func unknownCommand(
        _ first: String, _ second: String?, _ firstSpan: SourceSpan, _ bothSpan: SourceSpan
    ) -> RutterError {
        let all = names()
        let group = all.filter { $0.hasPrefix(first + " ") }.map { String($0.dropFirst(first.count + 1)) }
        guard group.isEmpty else {
            let list = group.joined(separator: ", ")
            guard let second else {
                return LanguageErrors.unknownCommand(
                    "`\(first)` needs a second word", at: .span(firstSpan), fix: "one of: \(list)")
            }
            let meant = Habits.verb(second, among: group)
            let pipeline =
                meant == nil
                ? Habits.pipeline(
                    first, second, among: group, followedBy: cursor.text(bothSpan.end, cursor.bytes.count))
                : nil
            return LanguageErrors.unknownCommand(
                "unknown command `\(first) \(second)`", at: .span(bothSpan),
                fix: pipeline ?? "one of: \(list)",
                suggestion: pipeline == nil
                    ? (meant ?? Suggestion.nearest(to: second, in: group)).map { "\(first) \($0)" } : nil)
        }
        if let fix = Habits.statement(cursor.text(firstSpan.start, cursor.bytes.count)) {
            return LanguageErrors.unknownCommand(
                "unknown command `\(first)`", at: .span(firstSpan), fix: fix)
        }
        let following = cursor.text(firstSpan.end, cursor.bytes.count)
        if let (meant, length) = WordOrder(commands: all).command(first, followedBy: following) {
            let span = SourceSpan(firstSpan.start, firstSpan.end + length)
            return LanguageErrors.unknownCommand(
                "unknown command `\(cursor.text(span.start, span.end))`", at: .span(span), suggestion: meant)
        }
        let firstWords = Set(all.flatMap { [$0, String($0.prefix { $0 != " " })] }).sorted()
        let both = second.map { "\(first) \($0)" }
        let suggestion =
            both.flatMap { both in Suggestion.nearest(to: both, in: all.filter { $0.contains(" ") }) }
            ?? Suggestion.nearest(to: first, in: firstWords)
        if LocalTime(word: first) != nil
            || ["true", "false", "nothing", "null", "none", "not"].contains(first)
        {
            return LanguageErrors.unknownCommand(
                "unknown command `\(first)`", at: .span(firstSpan),
                fix: "put an expression that begins with a letter in brackets: (\(first)"
                    + (first == "not" ? " …)" : ")"))
        }
        if let habit = Habits.fix(for: first, followedBy: following) {
            return LanguageErrors.unknownCommand(
                "unknown command `\(first)`", at: .span(firstSpan), fix: habit)
        }
        // The second word of a command is a better guess than a word that looks alike.
        let seconds = all.filter { $0.hasSuffix(" " + first) }
        if !seconds.isEmpty {
            let more = seconds.count > Self.mostNamed ? ", …" : ""
            return LanguageErrors.unknownCommand(
                "unknown command `\(first)`", at: .span(firstSpan),
                fix: seconds.count == 1
                    ? nil : "one of: \(seconds.prefix(Self.mostNamed).joined(separator: ", "))\(more)",
                suggestion: seconds.count == 1 ? seconds[0] : nil)
        }
        return LanguageErrors.unknownCommand(
            "unknown command `\(first)`", at: .span(firstSpan),
            fix: suggestion == nil ? LanguageErrors.allCommands : nil, suggestion: suggestion)
    }
}

/// Commands whose two words stand in the order of a sentence, `list hikes`, or begin with a plural, `beacons`.
struct WordOrder {
    /// The second words of commands, by their first.
    private let verbs: [String: [String]]

    init(commands: [String]) {
        var verbs: [String: [String]] = [:]
        for words in commands.map({ $0.split(separator: " ").map(String.init) }) where words.count == 2 {
            verbs[words[0], default: []].append(words[1])
        }
        self.verbs = verbs
    }

    /// The command that is meant by a word and those behind it, and how many bytes of these belong to it; `nil` if none is.
    func command(_ first: String, followedBy rest: String) -> (meant: String, length: Int)? {
        let words = rest.prefix { !"|;\n".contains($0) }.split { $0 == " " || $0 == "\t" }
        let word = words.first { !Self.articles.contains($0.lowercased()) }
        let second = word?.lowercased()
        let length = word.map { rest.utf8.distance(from: rest.startIndex, to: $0.endIndex) } ?? 0
        if let noun = noun(of: first), let own = verbs[noun] {
            if let verb = second.flatMap({ own.contains($0) ? $0 : Habits.verb($0, among: own) }) {
                return ("\(noun) \(verb)", length)
            }
            return own.contains("list") ? ("\(noun) list", 0) : nil
        }
        guard let second, let noun = noun(of: second), let own = verbs[noun] else { return nil }
        // `show hikes` asks for several.
        if noun != second, own.contains("list"), first == "show" || Habits.verb(first, among: own) == "show" {
            return ("\(noun) list", length)
        }
        return (own.contains(first) ? first : Habits.verb(first, among: own)).map {
            ("\(noun) \($0)", length)
        }
    }

    /// The noun of commands that a word is, or is the plural of.
    private func noun(of word: String) -> String? {
        if verbs[word] != nil { return word }
        guard word.hasSuffix("s") else { return nil }
        let singulars = [
            String(word.dropLast()), String(word.dropLast(2)), String(word.dropLast(3)) + "y",
        ]
        return singulars.first { verbs[$0] != nil }
    }

    /// Words between a verb and its noun.
    private static let articles: Set = ["a", "all", "an", "me", "my", "new", "of", "the"]
}
