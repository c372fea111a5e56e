import PluginTestKit
import Testing
import Workbench

/// The kinds of words that are shown in colour while they are typed.
@Suite struct HighlighterTests {
    private static let highlighter = Highlighter(commands: [
        "hut list", "hut near", "where", "first", "get", "let", "def", "if", "for", "alias", "count",
        "extend",
        "summarize",
    ])

    /// The ranges as `kind:text`.
    private static func words(_ entry: String) -> [String] {
        let scalars = Array(entry.unicodeScalars)
        return highlighter.stretches(of: entry).map {
            "\($0.kind):" + String(String.UnicodeScalarView(scalars[$0.range]))
        }
    }

    @Test(arguments: [
        ("hut list | where height > 2km", ["command:hut list", "command:where", "number:2km"]),
        ("let r = hut list --limit 5", ["keyword:let", "command:hut list", "option:--limit", "number:5"]),
        ("nosuch 1", ["unknownCommand:nosuch", "number:1"]),
        ("count | head 2", ["command:count", "command:head", "number:2"]),
        ("count | tail 2", ["command:count", "unknownCommand:tail", "number:2"]),
        ("hu", []), ("hut", ["command:hut"]), ("summ", []),
        ("46.5,-7.9 | count", ["number:46.5,-7.9", "command:count"]),
        (
            "'a b' + \"x ${y} $z\\\"!\" # end",
            [
                "text:'a b'", "text:\"x ", "variable:${y}", "text: ", "variable:$z", "text:\\\"!\"",
                "comment:# end",
            ]
        ),
        ("'open", ["text:'open"]), ("\"open ${", ["text:\"open ", "variable:${"]),
        (
            "where id in (hut list | get id)",
            ["command:where", "keyword:in", "command:hut list", "command:get"]
        ),
        ("where (first > 2)", ["command:where", "number:2"]),
        (
            "def near [r: length = 2km] { hut near $r | first }",
            ["keyword:def", "number:2km", "command:hut near", "variable:$r", "command:first"]
        ),
        (
            "if $n > 1 { count } else { nosuch }",
            [
                "keyword:if", "variable:$n", "number:1", "command:count", "keyword:else",
                "unknownCommand:nosuch",
            ]
        ),
        ("round(3.5, 1) + nosuch(2)", ["function:round", "number:3.5", "number:1", "number:2"]),
        ("'Zürich 東京' == $ö.at", ["text:'Zürich 東京'", "variable:$ö.at"]),
        (
            "hut near @\"Refugi de Juclà\" @Hut",
            ["command:hut near", "reference:@\"Refugi de Juclà\"", "reference:@Hut"]
        ),
        (
            "hut list | extend km=height / 2\ncount",
            ["command:hut list", "command:extend", "number:2", "command:count"]
        ),
    ])
    func kinds(entry: String, words: [String]) { #expect(Self.words(entry) == words) }

    /// For any text, ranges are in order, disjoint and within the entry.
    @Test func anythingIsAccepted() {
        var fuzzer = LanguageFuzzer(seed: 7)
        for _ in 0..<3000 {
            let entry = fuzzer.entry()
            var end = 0
            for stretch in Self.highlighter.stretches(of: entry) {
                #expect(
                    stretch.range.lowerBound >= end && !stretch.range.isEmpty, "\(entry.debugDescription)")
                end = stretch.range.upperBound
            }
            #expect(end <= entry.unicodeScalars.count, "\(entry.debugDescription)")
        }
    }
}
