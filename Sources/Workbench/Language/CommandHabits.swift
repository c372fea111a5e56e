import PluginKit

/// Second words of commands that people guess, and what does the same here.
enum VerbHabits {
    /// What a verb may be called, the likeliest first.
    private static let names: [(guessed: Set<String>, meant: [String])] = [
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

    /// What rows are piped to.
    private static let stages: [(guessed: Set<String>, stage: String)] = [
        (["find", "search", "filter", "query", "grep", "where"], "where FIELD =~ 'TEXT'"),
        (["export", "gpx", "download"], "export FILE"), (["save", "write"], "save FILE"),
        (["count", "total"], "count"), (["sort", "order"], "sort FIELD"),
        (["map", "draw", "plot"], "map"), (["first", "last", "latest"], "first"),
        (["csv"], "to csv"), (["json"], "to json"),
    ]

    /// The verb of a noun that is meant by a guessed one, if it has such a verb.
    static func meant(_ guessed: String, among verbs: [String]) -> String? {
        names.lazy.filter { $0.guessed.contains(guessed) }.flatMap(\.meant).first(where: verbs.contains)
    }

    /// What the rows of `NOUN list` are piped to, if the noun lists any.
    static func pipeline(_ noun: String, _ guessed: String, among verbs: [String]) -> String? {
        guard verbs.contains("list") else { return nil }
        return stages.first { $0.guessed.contains(guessed) }.map { "\(noun) list | \($0.stage)" }
    }
}

/// Options that people guess, and what does the same here: rows are sorted, filtered and written by the commands behind a bar.
enum OptionHabits {
    private static let stages: [(guessed: Set<String>, stage: String, isOfRows: Bool)] = [
        (["sort", "sort-by", "order", "order-by", "orderby"], "sort FIELD", true),
        (["reverse", "desc", "descending"], "sort FIELD --descending", true),
        (["limit", "max", "top", "head", "first", "max-results", "num"], "first 10", true),
        (["last", "tail"], "last 10", true), (["offset", "skip"], "skip 10", true),
        (["filter", "where", "query", "search", "match", "name", "grep"], "where FIELD =~ 'TEXT'", true),
        (["from", "since", "after"], "where FIELD >= 2026-01-01", true),
        (["to", "until", "before"], "where FIELD < 2026-01-01", true),
        (["columns", "fields", "select", "cols"], "select FIELD", true),
        (["count"], "count", true), (["unique", "distinct"], "unique", true),
        (["group", "group-by"], "group FIELD", true),
        (["json", "as-json"], "to json", false), (["csv", "as-csv"], "to csv", false),
        (["markdown", "md"], "to markdown", false), (["format", "output-format"], "to csv", false),
        (["out", "output", "save", "file", "write"], "save FILE", false),
    ]

    /// Options of earlier versions, each with its name now.
    private static let former = ["mode": "profile", "within": "radius"]

    /// What to type in place of an option that a command does not have; `nil` where nothing is known.
    static func fix(_ name: String, of spec: CommandSpec) -> String? {
        if let present = former[name], spec.options.contains(where: { $0.name == present }) {
            return "it is now --\(present)"
        }
        if let positional = spec.positionals.first(where: { $0.name == name }) {
            return "\(Usage.form(positional)) stands without a name: usage: \(Usage.line(of: spec))"
        }
        guard let stage = stages.first(where: { $0.guessed.contains(name) }) else { return nil }
        switch spec.output {
        case .nothing: return nil
        case .rows, .sameRows: break
        case .any, .value, .optional: if stage.isOfRows { return nil }
        }
        let rest = spec.parameters.contains(where: \.isRequired) ? " …" : ""
        return "pipe the result: \(spec.name)\(rest) | \(stage.stage)"
    }
}
