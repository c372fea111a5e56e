/// Words that people type by habit from a shell, and what does the same here.
enum ShellHabits {
    /// Words that are commands as they stand.
    static let commands = ["exit": "quit"]

    /// Whole entries of other programs.
    private static let entries = [
        "?": "`help`", "\\?": "`help`", "\\h": "`help`", ".help": "`help`", "help()": "`help`",
        ":help": "`help`",
        "\\q": leaving, ":q": leaving, ":q!": leaving, ":wq": leaving, ".quit": leaving, ".exit": leaving,
        ".q": leaving,
        "quit()": leaving, "exit()": leaving, "q()": leaving,
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
            if !rest.isEmpty { return "leave the prompt out: " + rest.joined(separator: " ") }
        }
        guard words.count > 1 else { return nil }
        if words[0] == "rutter" {
            return "leave `rutter` out for commands of the language, "
                + "such as `help`; the others are for a shell"
        }
        if words[1] == "=", words[0].allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) {
            return "to set a variable: let \(entry)"
        }
        return nil
    }

    static let fixes = [
        "avg": "`mean`: … | mean FIELD",
        "cat": "`open FILE` reads a file",
        "cd": "start `rutter` in the folder: paths are relative to it",
        "clear": "Ctrl-L clears the screen",
        "columns": "`describe`: … | describe | get fields",
        "cls": "Ctrl-L clears the screen",
        "cp": "`store copy` copies a store; other files are copied in a shell",
        "const": "let x = 5",
        "dir": "each kind has its list: waypoint list, hike list, route list; Tab completes names of files",
        "drop": "`reject`: … | reject FIELD; rows: … | skip 2",
        "echo": "write the value itself: \"text\", or $name",
        "filter": "`where`: … | where distance > 2km",
        "grep": "`where` filters rows: … | where name =~ \"text\"",
        "group-by": "`group`: … | group FIELD",
        "head": "`first`: … | first 10",
        "hikes": "`hike list`",
        "insert": "`extend`: … | extend NAME=EXPRESSION",
        "length": "rows: … | count; of a text or list it is a function: length(x)",
        "learn": "in a shell: `rutter learn` lists the lessons",
        "kernel": "in a shell: `rutter kernel install`",
        "less": "long output opens in the pager by itself",
        "logout": "`quit`, or Ctrl-D",
        "limit": "`first`: … | first 10",
        "ls": "each kind has its list: waypoint list, hike list, route list; Tab completes names of files",
        "map-each": "`each`: … | each distance / 2",
        "math": "each has its command: … | sum FIELD, mean, min, max",
        "man": "`help COMMAND`, or `help WORDS` to search",
        "nano": "at the prompt: `!nano FILE`",
        "percentile": "`summarize`: … | summarize p95(FIELD)",
        "print": "write the value itself: \"text\", or $name",
        "pwd": "paths are relative to the folder in which `rutter` was started",
        "median": "`summarize`: … | summarize median(FIELD)",
        "order": "`sort`: … | sort FIELD --descending",
        "rm": "each kind has its command: waypoint delete, hike delete, route delete",
        "routes": "`route list`",
        "rutter": "this is its prompt: leave `rutter` out",
        "serve": "`web open` serves this session; in a shell: `rutter serve`",
        "split": "a function: split('a,b', ',')",
        "sort-by": "`sort`: … | sort FIELD --descending",
        "stops": "`stop list`",
        "str": "texts are joined by `concat`, and functions do the rest: `help functions`",
        "sudo": "leave `sudo` out: no other rights are needed",
        "tail": "`last`: … | last 10",
        "top": "sort first: … | sort FIELD --descending | first 10",
        "tour": "in a shell: `rutter tour`; `sample` gives data to play with here",
        "var": "let x = 5",
        "version": "in a shell: `rutter --version`",
        "vi": "at the prompt: `!vi FILE`",
        "vim": "at the prompt: `!vim FILE`",
        "update": "`extend` replaces a field: … | extend NAME=EXPRESSION",
        "waypoints": "`waypoint list`",
        "wc": "`count`: … | count",
    ]
}

/// Operators that people type by habit from other languages, and what does the same here.
enum OperatorHabits {
    /// The longest first.
    static let all: [(written: String, meant: String)] = [
        ("contains", "a function: contains(name, 'text')"), ("between", "write x >= 1 and x <= 5"),
        ("not in", "write not (x in [1 2])"), ("..", "write x >= 1 and x <= 5"),
        ("equals", "write =="), ("mod", "write % for the remainder"),
        ("^", "powers are products: x * x; sqrt(x) is the square root"),
        ("like", "=~ takes a regular expression: name =~ '^Ull'"), ("is", "write =="),
        ("&&", "write `and`"), ("||", "write `or`"), ("<>", "write !="),
        ("=", "`==` compares; to set a variable: let x = 5"),
    ]
}
