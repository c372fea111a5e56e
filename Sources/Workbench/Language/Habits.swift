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
        ":help": "`help`",
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
        default: nil
        }
    }

    /// What to type instead of further words behind a command.
    static func fix(forExtraWordOf command: String, _ word: String) -> String? {
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

    /// What the rows of `NOUN list` are piped to, if the noun lists any.
    static func pipeline(_ noun: String, _ guessed: String, among verbs: [String]) -> String? {
        guard verbs.contains("list") else { return nil }
        return (stepsOfNouns + steps).first { $0.guessed.contains(guessed) }.map {
            "\(noun) list | \($0.step)"
        }
    }

    /// The option with the meaning of a guessed one, if a command has one.
    static func option(_ guessed: String, among names: [String]) -> String? {
        let meant = meanings.filter { $0.contains(guessed) }
        return names.first { name in meant.contains { $0.contains(name) } }
    }

    /// Whether an option is named as a column, or as one value of a column with several: `--line` of `lines`.
    private static func isColumn(_ column: String, of name: String) -> Bool {
        column == name || column == name + "s"
    }

    /// What to type in place of an option that a command does not have; `nil` where nothing is known.
    static func fix(forOption name: String, of spec: CommandSpec) -> String? {
        if let present = spec.options.first(where: { $0.formerName == name }) {
            return "it is now --\(present.name)"
        }
        if option(name, among: spec.options.map(\.name)) != nil { return nil }
        if spec.name == "departures", name == "to" {
            return "rides to a stop are planned: journey plan FROM TO"
        }
        if let positional = spec.positionals.first(where: { $0.name == name }) {
            return "\(Usage.form(positional)) stands without a name: usage: \(Usage.line(of: spec))"
        }
        if namesOfWrittenFiles.contains(name), let file = spec.positionals.first(where: \.isWrittenFile) {
            return "\(Usage.form(file)) stands without a name: usage: \(Usage.line(of: spec))"
        }
        let rest = spec.parameters.contains(where: \.isRequired) ? " …" : ""
        guard let step = steps.first(where: { $0.guessed.contains(name) }) else {
            guard case .rows(let columns) = spec.output,
                let column = columns.first(where: { isColumn($0, of: name) })
            else { return nil }
            return "filter the result: \(spec.name)\(rest) | where \(column) …"
        }
        switch spec.output {
        case .nothing: return nil
        case .rows, .sameRows: break
        case .any, .value, .optional: if step.isOfRows { return nil }
        }
        return "pipe the result: \(spec.name)\(rest) | \(step.step)"
    }
}

extension ParameterSpec {
    /// Whether the parameter is a file that the command writes.
    fileprivate var isWrittenFile: Bool { if case .outputFile = kind { true } else { false } }
}
