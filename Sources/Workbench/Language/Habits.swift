import PluginKit

/// Words that people type by habit from a shell, from SQL and from other tools for rows, and what does the same here: as a
/// command, behind a noun (`hike rm`), as an option (`--sort`) and in the place of a field.
enum Habits {
    /// Other names of commands that take the same arguments: they run as they stand, and `help` shows the command.
    static let commands = [
        "average": "mean", "avg": "mean", "distinct": "unique", "exit": "quit", "filter": "where",
        "group-by": "group", "head": "first", "length": "count", "limit": "first", "logout": "quit",
        "math avg": "mean", "math max": "max", "math min": "min", "math sum": "sum",
        "order-by": "sort", "sort-by": "sort", "str join": "concat", "summarise": "summarize",
        "tac": "reverse", "tail": "last",
        "take": "first", "uniq": "unique",
    ]

    /// Other words of choices, such as formats by the ending of their files and grades as maps tag them. They run as they
    /// stand, too.
    static let choices = [
        "feet": "imperial", "ft": "imperial", "mi": "imperial", "mile": "imperial", "miles": "imperial",
        "us": "imperial", "kilometers": "metric", "kilometres": "metric", "km": "metric", "meters": "metric",
        "metres": "metric", "si": "metric",
        "md": "markdown", "ndjson": "jsonl", "tsv": "csv", "txt": "text",
        "hiking": "T1", "mountain_hiking": "T2", "demanding_mountain_hiking": "T3", "alpine_hiking": "T4",
        "demanding_alpine_hiking": "T5", "difficult_alpine_hiking": "T6",
        "t1": "T1", "t2": "T2", "t3": "T3", "t4": "T4", "t5": "T5", "t6": "T6",
    ]

    /// Other names of flags, by command.
    static let flags = ["sort": ["-r": "descending", "--reverse": "descending"]]

    /// Whole entries of other programs.
    private static let entries = [
        "?": "`help`", "\\?": "`help`", "\\h": "`help`", ".help": "`help`",
        ":help": "`help`", "-?": "`help`", "/?": "`help`",
        "/help": "`help`",
        "help()": "`help`", "quit()": leaving, "exit()": leaving, "/quit": leaving, "/exit": leaving,
        "--version": "in a shell: `rutter --version`",
        "\\q": leaving, ":q": leaving, ":q!": leaving, ":wq": leaving, ".quit": leaving, ".exit": leaving,
        ".q": leaving,
        "!!": "the key ↑ shows the last entry, Ctrl-R finds earlier ones",
    ]
    private static let leaving = "`quit`, or Ctrl-D"

    /// What does the same as an entry that another program knows; `nil` for others.
    static func fix(ofEntry entry: String) -> String? {
        let words = entry.split(whereSeparator: \.isWhitespace)
        if words.count == 1, let fix = entries[words[0].lowercased()] { return fix }
        // Copied from a document with its prompt.
        for sign in ["$", "%", "rutter>"] where words.count > 1 && words[0] == sign {
            let rest = words[1] == "rutter" ? words.dropFirst(2) : words.dropFirst()
            if let first = rest.first { return "leave the prompt out: " + entry[first.startIndex...] }
        }
        guard words.count > 1 else { return nil }
        if words[words.count - 1] == "?" {
            return "help \(words.dropLast().joined(separator: " "))"
        }
        if words[0] == "rutter" {
            return "leave `rutter` out for commands of the language, "
                + "such as `help`; the others are for a shell"
        }
        if words[1] == "=", words[0].first?.isLetter == true,
            words[0].allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
        {
            return "to set a variable: let \(entry)"
        }
        return nil
    }

    /// What to type instead of a statement of SQL; `nil` for other entries.
    static func statement(_ entry: String) -> String? {
        let words = entry.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }
        let isStatement =
            switch words.first {
            case "select", "delete", "with": words.contains("from")
            case "insert": words.contains("into")
            case "update": words.contains("set")
            default: false
            }
        return isStatement ? "sql \(Literal.quoted(entry.trimmingCharacters(in: .whitespaces)))" : nil
    }

    /// The other names of a command, in alphabetical order.
    static func names(of command: String) -> [String] {
        commands.filter { $0.value == command }.map(\.key).sorted()
    }

    /// How many rows a fix takes where the line has no number.
    private static let usualCount = "10"

    /// What to type instead of a word, with what follows it in the line in the place of the names.
    static func fix(for word: String, followedBy rest: String) -> String? {
        guard var fix = fixes[word] else { return nil }
        let words = rest.prefix { $0 != "|" && $0 != ";" && $0 != "\n" }
            .split { $0 == " " || $0 == "," || $0 == "\t" }
        if let field = words.first(where: isField) { fix = fix.replacing("FIELD", with: field) }
        let count = words.first { $0.allSatisfy { $0.isASCII && $0.isNumber } }
        return fix.replacing("COUNT", with: count.map(String.init) ?? usualCount)
    }

    private static func isField(_ word: Substring) -> Bool {
        word.first?.isLetter == true && word.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
            && !["as", "asc", "by", "desc", "on", "to", "sum"].contains(word)
    }

    /// What to type instead of a word that stands where a field is expected; `nil` for a word that may be one.
    static func fix(forField word: String) -> String? {
        switch word.lowercased() {
        case "desc", "descending": "write --descending"
        case "asc", "ascending": "ascending is the order without an option: leave the word out"
        case "by": "the fields follow the command: leave the word out"
        case "as": "another name is given before: … | rename OLD NEW"
        case "*": "all fields are there without `select`"
        case let name where name.hasSuffix(",") && name.count > 1: "write blanks between fields, no commas"
        case let name where name.contains(","):
            "write blanks between fields, no commas: "
                + word.split(separator: ",").joined(separator: " ")
        default: nil
        }
    }

    /// What to type instead of further words behind a command, of which `last` is the last.
    static func fix(forExtraWordOf command: String, _ word: String, followedBy last: String? = nil) -> String?
    {
        if command == "count", word == "by", let field = last, field != word {
            return "of each value: … | summarize count() by \(field)"
        }
        if command == "where", word.hasPrefix(",") { return "join conditions by `and` or `or`" }
        if command == "where", word.hasPrefix("(") {
            return "a function takes the field: contains(name, 'text')"
        }
        guard isField(word[...]) else { return nil }
        return switch command {
        case "count": "of each value: … | summarize count() by \(word)"
        case "join": "the common field has a name: … | join RIGHT --on \(word)"
        case "describe": "of one field: … | select \(word) | describe"
        case "sum", "mean", "min", "max": "of several fields: … | summarize \(command)(\(word))"
        default: nil
        }
    }

    // MARK: Verbs and options

    /// The verb of a noun that is meant by a guessed one, if it has such a verb.
    static func verb(_ guessed: String, among verbs: [String]) -> String? {
        Self.verbs.lazy.filter { $0.guessed.contains(guessed) }.flatMap(\.meant).first(where: verbs.contains)
    }

    /// What the rows of `NOUN list` are piped to, if the noun lists any; of a noun that is named, what this one is piped to.
    static func pipeline(_ noun: String, _ guessed: String, among verbs: [String], followedBy rest: String)
        -> String?
    {
        guard verbs.contains("list") else { return nil }
        return (stepsOfNouns + steps).first { $0.guessed.contains(guessed) }.map { step in
            if !step.isOfRows, verbs.contains("show"), let name = firstWord(of: rest) {
                return "\(noun) show \(name) | \(step.step)"
            }
            return "\(noun) list | \(step.step)"
        }
    }

    /// The first word or quoted text, as it is written; `nil` where an option, a bar or nothing follows.
    private static func firstWord(of rest: String) -> Substring? {
        let rest = rest.drop { $0 == " " }
        guard let first = rest.first, !"-|;\n".contains(first) else { return nil }
        guard "'\"".contains(first) else { return rest.prefix { !" |;\n".contains($0) } }
        guard let end = rest.dropFirst().firstIndex(of: first) else { return nil }
        return rest[...end]
    }

    /// The option with the meaning of a guessed one, if a command has one and no argument of the guessed name.
    static func option(_ guessed: String, of spec: CommandSpec) -> String? {
        let names = spec.options.map(\.name)
        if let same = sameOption(guessed, among: names) { return same }
        return spec.positionals.contains { $0.name == guessed } ? nil : option(guessed, among: names)
    }

    /// The option that is suggested for one that a command does not have; an argument of that name stands without one.
    static func suggestion(forOption name: String, of spec: CommandSpec) -> String? {
        if let meant = option(name, of: spec) { return meant }
        return spec.positionals.contains { $0.name == name }
            ? nil : Suggestion.nearest(to: name, in: spec.options.map(\.name))
    }

    /// The option with the meaning of a guessed one, or that it may stand for.
    static func option(_ guessed: String, among names: [String]) -> String? {
        sameOption(guessed, among: names)
            ?? guesses.first { $0.guessed.contains(guessed) && names.contains($0.meant) }?.meant
    }

    private static func sameOption(_ guessed: String, among names: [String]) -> String? {
        let meant = meanings.filter { $0.contains(guessed) }
        return names.first { name in meant.contains { $0.contains(name) } }
    }

    /// Whether an option is named as a column, or as one value of a column with several: `--line` of `lines`.
    private static func isColumn(_ column: String, of name: String) -> Bool {
        column == name || column == name + "s"
    }

    /// The step that writes a file with the ending of its name; `nil` for other endings.
    private static func written(_ file: String) -> String? {
        let ending = String(file.reversed().prefix { $0 != "." }.reversed()).lowercased()
        return stepsByEnding.first { $0.endings.contains(ending) }.map { "\($0.step) \(file)" }
    }

    /// What to type in place of an option that a command does not have, with the value that follows it; `nil` where nothing is known.
    static func fix(forOption name: String, _ value: String?, of spec: CommandSpec) -> String? {
        if let present = spec.options.first(where: { $0.formerName == name }) {
            return "it is now --\(present.name)"
        }
        if option(name, of: spec) != nil { return nil }
        if let positional = spec.positionals.first(where: { $0.name == name }) {
            return "\(Usage.form(positional)) stands without a name: usage: \(Usage.line(of: spec))"
        }
        if spec.name == "departures", name == "to" {
            return "rides to a stop are planned: journey plan FROM TO"
        }
        if spec.name == "count", name == "by" {
            return "of each value: … | summarize count() by \(value ?? "FIELD")"
        }
        if namesOfWrittenFiles.contains(name), let file = spec.positionals.first(where: \.isWrittenFile) {
            return "\(Usage.form(file)) stands without a name: usage: \(Usage.line(of: spec))"
        }
        let rest = spec.positionals.isEmpty ? "" : " …"
        guard let step = steps.first(where: { $0.guessed.contains(name) }) else {
            guard case .rows(let columns) = spec.output,
                let column = columns.first(where: { isColumn($0, of: name) })
                    ?? fieldsByGuess[name].flatMap({ columns.contains($0) ? $0 : nil })
            else { return nil }
            // A column of several values is not compared as a whole.
            let condition = column == name + "s" ? nil : value.map { "== \($0)" }
            return "filter the result: \(spec.name)\(rest) | where \(column) \(condition ?? "…")"
        }
        switch spec.output {
        case .nothing: return nil
        case .rows, .sameRows: break
        case .any, .value, .optional: if step.isOfRows { return nil }
        }
        let file = step.step.hasSuffix(" FILE") ? value.flatMap(written) : nil
        return "pipe the result: \(spec.name)\(rest) | \(file ?? step.step)"
    }
}

extension ParameterSpec {
    /// Whether the parameter is a file that the command writes.
    fileprivate var isWrittenFile: Bool { if case .outputFile = kind { true } else { false } }
}
