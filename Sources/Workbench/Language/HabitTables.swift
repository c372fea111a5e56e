/// The tables of `Habits`.
extension Habits {
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
        "crosstab": "a row for each value: … | summarize count() by FIELD; a second field makes pairs",
        "cut": "`select`: … | select FIELD",
        "dir": "each kind has its list: waypoint list, hike list, route list; Tab completes names of files",
        "drop": "`reject`: … | reject FIELD; rows: … | skip COUNT",
        "dropna": "`where`: … | where FIELD != nothing",
        "dtypes": "`describe`: … | describe",
        "echo": "write the value itself: \"text\", or $name",
        "flatten":
            "a nested field is written with a dot, such as at.latitude; the values of a field: … | get FIELD",
        "explode":
            "a nested field is written with a dot, such as at.latitude; the values of a field: … | get FIELD",
        "fields": "`describe`: … | describe | get fields",
        "fillna": "`default`: … | default FIELD 0",
        "freq": "`summarize`: … | summarize count() by FIELD",
        "frequency": "`summarize`: … | summarize count() by FIELD",
        "grep": "`where` filters rows: … | where name =~ \"text\"",
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
        "pivot": "a row for each value: … | summarize count() by FIELD; a second field makes pairs",
        "print": "a value prints itself: leave the word out",
        "pwd": "paths are relative to the folder in which `rutter` was started",
        "query": "`sql`: … | sql 'select * from it'",
        "read": "`open FILE` reads a file",
        "rm": "each kind has its command: waypoint delete, hike delete, route delete",
        "row": "`get`, counted from 0: … | get COUNT",
        "rutter": "this is its prompt: leave `rutter` out",
        "schema": "`describe`: … | describe",
        "serve": "`web open` serves this session; in a shell: `rutter serve`",
        "slice": "… | skip COUNT | first COUNT",
        "split": "a function: split('a,b', ',')",
        "stats": "`describe`: … | describe",
        "std": "`summarize`: … | summarize stddev(FIELD)",
        "stddev": "`summarize`: … | summarize stddev(FIELD)",
        "stdev": "`summarize`: … | summarize stddev(FIELD)",
        "str": "texts are joined by `concat`, and functions do the rest: `help functions`",
        "sudo": "leave `sudo` out: no other rights are needed",
        "summary": "`describe`: … | describe",
        "tally": "`summarize`: … | summarize count() by FIELD",
        "tee": "give the value a name: let x = …; $x | save FILE",
        "top": "sort first: … | sort FIELD --descending | first COUNT",
        "tour": "in a shell: `rutter tour`; `sample` gives data to play with here",
        "types": "`describe`: … | describe",
        "unnest":
            "a nested field is written with a dot, such as at.latitude; the values of a field: … | get FIELD",
        "update": "`extend` replaces a field: … | extend NAME=EXPRESSION",
        "value-counts": "`summarize`: … | summarize count() by FIELD",
        "value_counts": "`summarize`: … | summarize count() by FIELD",
        "var": "let x = 5",
        "version": "in a shell: `rutter --version`",
        "vi": "at the prompt: `!vi FILE`",
        "vim": "at the prompt: `!vim FILE`",
        "wc": "`count`: … | count",
        "with": "`extend`: … | extend NAME=EXPRESSION",
    ]

    /// What a verb may be called, the likeliest first.
    static let verbs: [(guessed: Set<String>, meant: [String])] = [
        (["remove", "rm", "del", "erase", "drop", "clear"], ["delete", "stop", "close"]),
        (["ls", "all", "index"], ["list"]),
        (
            ["info", "view", "get", "describe", "print", "display", "details", "status", "cat"],
            ["show", "list"]
        ),
        (["new", "create", "insert", "make"], ["add", "plan", "save", "start"]),
        (["rename", "update", "set", "modify", "change", "move", "note"], ["edit", "set"]),
        (["search", "query", "lookup", "locate", "find"], ["find"]),
        (["load", "read", "fetch"], ["import", "open"]),
        (["stats", "summary", "statistics", "totals"], ["stats", "show"]),
        (["revert", "reset", "undo"], ["restore"]), (["trim", "cut", "clip"], ["crop"]),
        (["run", "begin", "go"], ["start", "play", "plan"]), (["end", "quit", "exit"], ["stop", "close"]),
    ]

    /// A step behind a bar, and what it may be called.
    struct Step {
        let guessed: Set<String>
        let step: String
        /// Whether it works on rows only; other steps take any value.
        var isOfRows = true
    }

    /// Names that options of one meaning have here and in other programs.
    static let meanings: [Set<String>] = [
        ["at", "on", "date", "day", "time", "when"], ["radius", "distance", "range", "around"],
        ["distance", "length"],
        ["duration", "seconds"],
        ["limit", "count", "max", "top", "number"], ["out", "output", "save"],
        ["place", "coordinate", "location", "position"], ["label", "name", "title"],
        ["note", "comment", "description"], ["force", "overwrite", "replace"], ["kind", "type", "category"],
        ["photo", "picture", "image"], ["profile", "vehicle", "transport"], ["timezone", "tz", "zone"],
    ]

    /// Names that options have in other programs, and those that they may stand for here, of which the names stand for more:
    /// `--at` is a place in one command and a time in another.
    static let guesses: [(guessed: Set<String>, meant: String)] = [
        (["at", "here", "near", "where"], "place"), (["by", "mode", "using"], "profile"),
        (["arrival", "arrive", "by", "until"], "arrive-by"),
        (["depart", "departure", "leave", "start"], "at"), (["before", "end", "until"], "to"),
        (["after", "since", "start"], "from"), (["colour"], "color"), (["speed"], "rate"),
    ]

    /// Fields that have another name in the minds of some: `--line` is the field `route` of departures.
    static let fieldsByGuess = [
        "destination": "headsign", "direction": "headsign", "elevation": "altitude", "height": "altitude",
        "length": "distance", "line": "route", "title": "name", "to": "headsign", "towards": "headsign",
        "type": "kind",
    ]

    /// Options by which a file that is written is named in other programs.
    static let namesOfWrittenFiles: Set = ["out", "output", "save", "file", "to", "write"]

    /// What rows are piped to instead of an option, or of a verb of the noun that lists them.
    static let steps = [
        Step(guessed: ["sort", "sort-by", "order", "order-by", "orderby"], step: "sort FIELD"),
        Step(guessed: ["reverse", "desc", "descending"], step: "sort FIELD --descending"),
        Step(guessed: ["limit", "max", "top", "head", "first", "max-results", "num"], step: "first 10"),
        Step(guessed: ["last", "tail"], step: "last 10"), Step(guessed: ["offset", "skip"], step: "skip 10"),
        Step(
            guessed: ["filter", "find", "grep", "match", "name", "query", "search", "where"],
            step: "where FIELD =~ 'TEXT'"),
        Step(guessed: ["from", "since", "after"], step: "where FIELD >= 2026-01-01"),
        Step(guessed: ["to", "until", "before"], step: "where FIELD < 2026-01-01"),
        Step(guessed: ["columns", "fields", "select", "cols"], step: "select FIELD"),
        Step(guessed: ["count", "total"], step: "count"),
        Step(guessed: ["unique", "distinct"], step: "unique"),
        Step(guessed: ["group", "group-by"], step: "group FIELD"),
        Step(guessed: ["map", "draw", "plot"], step: "map"),
        Step(guessed: ["json", "as-json"], step: "to json", isOfRows: false),
        Step(guessed: ["csv", "as-csv"], step: "to csv", isOfRows: false),
        Step(guessed: ["markdown", "md"], step: "to markdown", isOfRows: false),
        Step(guessed: ["format", "output-format"], step: "to csv", isOfRows: false),
        Step(guessed: ["export", "gpx", "download"], step: "export FILE", isOfRows: false),
        Step(guessed: ["out", "output", "save", "file", "write"], step: "save FILE", isOfRows: false),
    ]

    /// Units by their names.
    static let units = [
        "feet": "ft", "foot": "ft", "hour": "h", "hours": "h", "kilometer": "km", "kilometers": "km",
        "kilometre": "km", "kilometres": "km", "kms": "km", "meter": "m", "meters": "m", "metre": "m",
        "metres": "m", "mile": "mi", "miles": "mi", "minute": "min", "minutes": "min", "mins": "min",
        "second": "s", "seconds": "s", "secs": "s",
    ]

    /// Words between arguments that sentences have and commands do not.
    static let smallWords: Set = [
        "->", "→", "=>", "a", "an", "and", "as", "at", "by", "for", "from", "in", "into", "is", "of", "on",
        "the", "to", "towards",
        "via", "with",
    ]

    /// Signs by which shells redirect or join, with what does the same here; the longer first. `FILE` stands for the word
    /// behind the sign.
    static let shellSigns = [
        (sign: "2>", fix: "notes and warnings go to standard error; `rutter --quiet` leaves them out"),
        (sign: "&>", fix: "a file is written by a command behind a bar: … | save FILE"),
        (sign: ">>", fix: "a file is written by a command behind a bar: … | save FILE"),
        (sign: ">", fix: "a file is written by a command behind a bar: … | save FILE"),
        (sign: "<", fix: "a file is named, or read by `open`: open FILE | …"),
        (sign: ",", fix: "`;` separates commands, blanks separate arguments"),
        (sign: "&&", fix: "`;` separates commands; after an error, those that follow do not run"),
        (sign: "&", fix: "commands run one after the other: leave `&` out"),
    ]

    /// The steps that write files, by the endings of their names.
    static let stepsByEnding: [(endings: Set<String>, step: String)] = [
        (["svg", "png", "pdf"], "map --out"), (["gpx", "kml", "geojson", "fit", "tcx", "gpkg"], "export"),
        (["csv", "tsv", "json", "jsonl", "txt"], "save"),
    ]

    /// Lists begin with the newest: the last of a noun is the first row.
    static let stepsOfNouns = [Step(guessed: ["latest", "last", "first", "newest"], step: "first")]
}
