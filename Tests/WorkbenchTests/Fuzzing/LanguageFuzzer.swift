import PluginKit

/// Generates unlikely entries: random bytes, words of the language in random order, and lines that were
/// changed in places. The same seed makes the same entries.
struct LanguageFuzzer {
    private var random: Xoshiro256

    init(seed: UInt64) { random = Xoshiro256(seed: seed) }

    static let tokens = [
        "1", "2.5km", "1h30min", "90deg", "2%", "7%2", "46.5,7.9", "46,7,47,8", "2026-02-06T08:15", "08:15",
        "1e308",
        "-", "+", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "=~", "=", "in", "and", "or", "not", "(",
        ")", "[",
        "]", "{", "}", "|", ";", "\n", "\\", "\\\n", "\"", "'", "\"a\"", "'a b'", "$", "$x", "$_", "${",
        "${x}",
        "\"${x}\"", "\"${x[\"a\"]}\"", "@", "@Hut", "@\"Refugi de Juclà\"", "#", " # c\n", ".", ".at", "[0]",
        "[-1]",
        ",", "--", "--radius", "--limit", "--quiet", "--radius=2km", "let", "let x =", "where", "first",
        "count",
        "hut", "hut list", "hut near", "hut add", "help", "set", "clock", "seed", "undo", "assert", "trace",
        "expect-error", "E-TYPE", "explain", "help", "it", "true", "nothing", "tomorrow", "label",
        "capacity",
        "é", "東京", "🏔", "\u{301}", "\u{0}", "\u{1B}[31m", "\t", "\r\n", " ", " ", " ", "9223372036854775807",
        "99999999999999999999", "1_000", "'(a+)+$'", "0", "-0", "-.5", "...", "~", "nmi",
        // Statements and definitions.
        "if", "else", "for", "for x in", "def", "def f [n: number] {", "def f [] { f }", "alias", "alias n =",
        "source",
        "args", "f", "f 2", "n", "$in", "$n", "} else {", "} else if",
        // Rows with computed columns.
        "extend", "extend km=", "summarize", "summarize count() by", "default", "group", "sort", "select",
        "each", "by",
        "{a: 1}", "{a: 1, b:", "[{a: 1} {b: 2}]", "a:", "a=", "it.a", "sql", "'select * from it'", "describe",
        // Functions and periods.
        "round(", "if(", "coalesce(", "split(", "distance(", "p95(", "mean(", "format(", "now", "month",
        "+ 1 month",
        "to json", "to csv", "map", "set view record", "range 1 5", "unique", "join", "rename",
    ]

    static let lines = [
        "let x = [1 2 3] | where it > 1", "hut near 42.5,1.5 --radius 2km --tag 'a b' --mode cycling",
        "hut list | where category == shelter and capacity > 10 | first 2", "\"a ${x[0]} b $_ \\n\" + 'c'",
        "(tomorrow - today) / 2 > 3h # comment", "@Hut.at in 42,1,43,2", "expect-error E-TYPE 1 + 'a'",
        "[1 [2 [3 4]] 'a' 2km]", "2026-02-06T08:15+01:00 - 90min", "trace --limit 3 hut token | count",
        "set units imperial; 2km; set units metric", "$x[-1] * (2 + 3) % 4 - -5",
        "def near [r: length = 2km] { where it > $r | count }; [1km 3km] | near 2km",
        "def down [n: number] { if $n > 0 { down ($n - 1) } else { 'done' } }; down 3",
        "for x in [1 2 {a: 3}] { if $x == 1 { 'one' } else if $x == 2 { $x * 2 } else { $x.a } }",
        "if ([1 2] | count) > 1 { 'many' } else { 'few' }", "alias n = first 2; [1 2 3] | n",
        "[{a: 1, b: 2km} {b: 3km} {a: 'x'}] | default a 0 | extend c='b * 2' d=if(b > 2km, 'far', a)",
        "[{k: 1, v: 350deg} {k: 1, v: 10deg}] | summarize count() mean(v) p95(v) unique(k) by k even=(k % 2)",
        "[{a: 1} {a: 2}] | where a in ([{a: 2}] | get a) | sort a --descending | group a",
        "[{a: 1}] | sql \"select a + 1 as b from it\"",
        "round(3.14159, 2) + abs(-2) in km; 2026-01-31 + 1 month",
        "hut list | each {name: label, far: distance(at, 46.5,7.9) in mi} | to json",
        "split('a,b', ',') | extend n=length(it)", "[3 1 2] | sort | first 2 | describe",
    ]

    mutating func entry() -> String {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: bytes()
        case 1..<6: sentence()
        default: mutation()
        }
    }

    private mutating func bytes() -> String {
        let count = Int.random(in: 0..<40, using: &random)
        return String(
            decoding: (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }, as: UTF8.self)
    }

    private mutating func sentence() -> String {
        var out = ""
        for _ in 0..<Int.random(in: 1..<14, using: &random) {
            out += Self.tokens.randomElement(using: &random) ?? ""
            if Bool.random(using: &random) { out += " " }
        }
        return out
    }

    private mutating func mutation() -> String {
        var bytes = Array((Self.lines.randomElement(using: &random) ?? "").utf8)
        for _ in 0..<Int.random(in: 1..<4, using: &random) {
            let at = Int.random(in: 0...bytes.count, using: &random)
            let until = min(bytes.count, at + Int.random(in: 0..<6, using: &random))
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes.removeSubrange(at..<until)
            case 1: bytes.insert(contentsOf: Array(bytes[at..<until]), at: at)
            case 2: bytes.insert(UInt8.random(in: 9..<127, using: &random), at: at)
            default:
                bytes.replaceSubrange(
                    at..<until, with: (Self.tokens.randomElement(using: &random) ?? "").utf8)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
