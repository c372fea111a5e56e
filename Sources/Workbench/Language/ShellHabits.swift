/// Words that people type by habit from a shell, from SQL and from other tools for rows, and what does the same here.
enum ShellHabits {
    /// Other names of commands that take the same arguments: they run as they stand, and `help` shows the command.
    static let commands = [
        "average": "mean", "avg": "mean", "distinct": "unique", "exit": "quit", "filter": "where",
        "group-by": "group", "head": "first", "length": "count", "limit": "first", "logout": "quit",
        "order-by": "sort", "sort-by": "sort", "summarise": "summarize", "tac": "reverse", "tail": "last",
        "take": "first", "uniq": "unique",
    ]

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

    /// What to type instead of a word that is no command. `FIELD` stands for the first word behind it that can be a
    /// field, `COUNT` for the first number.
    static let fixes = [
        "arrange": "`sort`: … | sort FIELD --descending",
        "awk": "`select` and `extend` work on columns: … | select FIELD",
        "cat": "`open FILE` reads a file",
        "cd": "start `rutter` in the folder: paths are relative to it",
        "clear": "Ctrl-L clears the screen",
        "cls": "Ctrl-L clears the screen",
        "colnames": "`describe`: … | describe | get fields",
        "columns": "`describe`: … | describe | get fields",
        "const": "let x = 5",
        "count-by": "`summarize`: … | summarize count() by FIELD",
        "cp": "`store copy` copies a store; other files are copied in a shell",
        "cut": "`select`: … | select FIELD",
        "dir": "each kind has its list: waypoint list, hike list, route list; Tab completes names of files",
        "drop": "`reject`: … | reject FIELD; rows: … | skip COUNT",
        "dropna": "`where`: … | where FIELD != nothing",
        "dtypes": "`describe`: … | describe",
        "echo": "write the value itself: \"text\", or $name",
        "fields": "`describe`: … | describe | get fields",
        "fillna": "`default`: … | default FIELD 0",
        "freq": "`summarize`: … | summarize count() by FIELD",
        "frequency": "`summarize`: … | summarize count() by FIELD",
        "grep": "`where` filters rows: … | where name =~ \"text\"",
        "hikes": "`hike list`",
        "hist": "count by steps: … | extend bin=floor(FIELD / 10) * 10 | summarize count() by bin",
        "histogram": "count by steps: … | extend bin=floor(FIELD / 10) * 10 | summarize count() by bin",
        "insert": "`extend`: … | extend NAME=EXPRESSION",
        "jq": "`get` returns a field: … | get FIELD",
        "kernel": "in a shell: `rutter kernel install`",
        "keys": "`describe`: … | describe | get fields",
        "learn": "in a shell: `rutter learn` lists the lessons",
        "less": "long output opens in the pager by itself",
        "lines": "the lines of a text: … | from lines",
        "ls": "each kind has its list: waypoint list, hike list, route list; Tab completes names of files",
        "man": "`help COMMAND`, or `help WORDS` to search",
        "map-each": "`each`: … | each distance / 2",
        "math": "each has its command: … | sum FIELD, mean, min, max",
        "median": "`summarize`: … | summarize median(FIELD)",
        "mutate": "`extend`: … | extend NAME=EXPRESSION",
        "nano": "at the prompt: `!nano FILE`",
        "nl": "`enumerate`: … | enumerate",
        "nth": "`get`, counted from 0: … | get COUNT",
        "order": "`sort`: … | sort FIELD --descending",
        "orderby": "`sort`: … | sort FIELD --descending",
        "p90": "`summarize`: … | summarize p90(FIELD)",
        "p95": "`summarize`: … | summarize p95(FIELD)",
        "percentile": "`summarize`: … | summarize p95(FIELD)",
        "print": "a value prints itself: leave the word out",
        "pwd": "paths are relative to the folder in which `rutter` was started",
        "query": "`sql`: … | sql 'select * from it'",
        "read": "`open FILE` reads a file",
        "rm": "each kind has its command: waypoint delete, hike delete, route delete",
        "routes": "`route list`",
        "row": "`get`, counted from 0: … | get COUNT",
        "rutter": "this is its prompt: leave `rutter` out",
        "schema": "`describe`: … | describe",
        "serve": "`web open` serves this session; in a shell: `rutter serve`",
        "slice": "… | skip COUNT | first COUNT",
        "split": "a function: split('a,b', ',')",
        "stats": "`describe`: … | describe",
        "stops": "`stop list`",
        "str": "texts are joined by `concat`, and functions do the rest: `help functions`",
        "sudo": "leave `sudo` out: no other rights are needed",
        "summary": "`describe`: … | describe",
        "tally": "`summarize`: … | summarize count() by FIELD",
        "tee": "give the value a name: let x = …; $x | save FILE",
        "top": "sort first: … | sort FIELD --descending | first COUNT",
        "tour": "in a shell: `rutter tour`; `sample` gives data to play with here",
        "types": "`describe`: … | describe",
        "update": "`extend` replaces a field: … | extend NAME=EXPRESSION",
        "value_counts": "`summarize`: … | summarize count() by FIELD",
        "var": "let x = 5",
        "version": "in a shell: `rutter --version`",
        "vi": "at the prompt: `!vi FILE`",
        "vim": "at the prompt: `!vim FILE`",
        "waypoints": "`waypoint list`",
        "wc": "`count`: … | count",
        "with": "`extend`: … | extend NAME=EXPRESSION",
    ]

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
        case "describe": "of one field: … | select \(word) | describe"
        case "sum", "mean", "min", "max": "of several fields: … | summarize \(command)(\(word))"
        default: nil
        }
    }
}

/// Operators that people type by habit from other languages, and what does the same here.
enum OperatorHabits {
    /// Those that others begin with come after them.
    static let all: [(written: String, meant: String)] = [
        ("starts-with", "a function: starts(name, 'text')"),
        ("starts_with", "a function: starts(name, 'text')"),
        ("ends-with", "a function: ends(name, 'text')"), ("ends_with", "a function: ends(name, 'text')"),
        ("contains", "a function: contains(name, 'text')"), ("between", "write x >= 1 and x <= 5"),
        ("is not", "write !="), ("not in", "write not (x in [1 2])"), ("..", "write x >= 1 and x <= 5"),
        ("equals", "write =="), ("mod", "write % for the remainder"),
        ("^", "powers are products: x * x; sqrt(x) is the square root"),
        ("like", "=~ takes a regular expression: name =~ '^Ull'"), ("is", "write =="),
        ("&&", "write `and`"), ("||", "write `or`"), ("<>", "write !="), ("&", "write `and`"),
        ("=", "`==` compares; to set a variable: let x = 5"),
    ]
}
