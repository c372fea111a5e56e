import PluginKit
import Testing

@testable import Workbench

/// Errors as they are shown, with the location underlined.
@Suite struct ErrorRenderingTests {
    static let kind = ErrorKind("E-TEST", "a test", explanation: "")

    private func shown(_ entry: String, _ start: Int, _ end: Int) -> String {
        let text = ErrorRenderer(color: false).text(
            Self.kind("here", at: .span(SourceSpan(start, end))), entry: entry)
        return "\n" + text.split(separator: "\n").dropFirst().map { "|" + $0 }.joined(separator: "\n") + "\n"
    }

    @Test("wide characters take two cells, accents none")
    func wide() {
        #expect(
            shown("let 東京 = x", 13, 14) == """

                |  let 東京 = x
                |             ^

                """)
        #expect(
            shown("'東京' e\u{301} x", 0, 8) == """

                |  '東京' e\u{301} x
                |  ^^^^^^

                """)
    }

    @Test("tabs and control characters are shown as dots, one cell each")
    func controls() {
        #expect(
            shown("\t\u{1B}[31m x", 7, 8) == """

                |  ··[31m x
                |         ^

                """)
    }

    @Test("only the line of the error is shown, without its carriage return")
    func lines() {
        #expect(
            shown("first\r\nsecond x\r\nthird", 14, 15) == """

                |  second x
                |         ^

                """)
        #expect(
            shown("a\nb", 0, 3) == """

                |  a
                |  ^

                """)
    }

    @Test("of a long line the part around the error is shown")
    func long() {
        let text = shown(
            String(repeating: "a", count: 500) + " x " + String(repeating: "b", count: 500), 501, 502)
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.count == 2 && lines[0].count < 140)
        #expect(lines[0].hasPrefix("|  …a") && lines[0].hasSuffix("b…"))
        let mark = lines[1].firstIndex(of: "^").map { lines[1].distance(from: lines[1].startIndex, to: $0) }
        #expect(mark.map { Array(lines[0])[$0] } == "x")
    }

    @Test("a place at or beyond the end is marked behind the last character")
    func end() {
        #expect(
            shown("1 +", 3, 3) == """

                |  1 +
                |     ^

                """)
        #expect(shown("", 0, 0) == "\n|  \n|  ^\n")
        #expect(!shown("1", 50, 60).contains("^"))
    }

    @Test("messages show no control characters, are cut when too long, and name files")
    func messages() {
        let renderer = ErrorRenderer(color: false)
        let text = renderer.text(Self.kind("a\u{1B}[31mb", fix: "c\u{7}", suggestion: "d\u{0}"), entry: "")
        #expect(text == "error E-TEST: a·[31mb\ndid you mean `d·`?\nfix: c·")
        let long = renderer.text(Self.kind(String(repeating: "a", count: 100_000)), entry: "")
        #expect(long.count < 2100)
        let file = renderer.text(
            Self.kind("bad", at: .file(path: "a.gpx", line: 3, column: 4)), entry: "open a.gpx")
        #expect(file == "error E-TEST: bad\n  at a.gpx:3:4")
        let narrow = ErrorRenderer(color: true, width: 30).text(
            Self.kind("a message of some words that is long", fix: "write one that is much shorter"),
            entry: "")
        let lines = narrow.replacing("\u{1B}[31m", with: "").replacing("\u{1B}[36m", with: "")
            .replacing("\u{1B}[0m", with: "").split(separator: "\n")
        #expect(lines.count == 4 && lines.allSatisfy { $0.count <= 30 }, "\(lines)")
        #expect(lines[1].hasPrefix("  ") && lines[3].hasPrefix("  "))
        let colored = ErrorRenderer(color: true).text(Self.kind("bad"), entry: "")
        #expect(colored == "\u{1B}[31merror E-TEST\u{1B}[0m: bad")
    }
}
