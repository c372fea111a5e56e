import Foundation
import PluginTestKit
import Testing

@testable import Notebooks

@Suite struct PatternTests {
    @Test(
        arguments: [
            // (expected, actual, matches)
            ("6.1km", "6.1km", true), ("6.1km", "6.1km  \t", true), ("6.1km  ", "6.1km", true),
            ("6.1km", "6.2km", false),
            ("", "", true), ("", "\n \n", true), ("", "x", false), ("x", "", false),
            ("a\n\nb", "a\n\nb\n", true),
            ("a\nb", "a\n\nb", false), (" a", "a", false),
            // The same text in two normal forms is not the same bytes.
            ("\u{E9}", "e\u{301}", false),
            // Gaps.
            ("...", "", true), ("...", "a\nb", true), ("a\n...", "a", true),
            ("a\n...\nz", "a\nb\nc\nz", true),
            ("a\n...\nz", "a\nz", true), ("a\n...\nz", "a", false), ("a\n...\na", "a", false),
            ("...\nb\n...\nb", "a\nb", false), ("...\nb\n...\nb", "b\nb", true),
            ("...\na\nb\n...", "a\na\nb", true),
            ("...\na\n...\nb\n...\nc", "x\na\ny\nb\nc\nz\nc", true), ("...\n...", "a", true),
            ("....", "a", false),
            (" ...", "a", false),
            // Words. One line, even when it is empty, is more than none.
            ("<<*>>", "", false), ("<<*>><<re:\\Bb>>", "ab", true), ("a<<*>>b", "ab", true),
            ("a<<*>>b", "a x b", true),
            ("a<<*>>b", "a x c", false),
            ("<<int>>", "42", true), ("<<int>>", "-42", true), ("<<int>>", "1_200", true),
            ("<<int>>", "4.2", false),
            ("<<int>>", "", false), ("<<int>> of <<int>>", "3 of 4", true),
            ("v<<int>>.<<int>>", "v1.25", true),
            ("n<<int>>", "n12", true), ("<<int>>", "12a", false), ("<<int>>", "_1", false),
            ("<<number>>", "4.25", true), ("<<number>>", "-0.5e-3", true), ("<<number>>km", "6km", true),
            ("<<number>>", "6km", false), ("<<number>>", ".5", false), ("<<number>>", "NaN", false),
            ("<<uuid>>", "123E4567-e89b-12d3-a456-426614174000", true),
            ("<<uuid>>", "123e4567-e89b-12d3-a456-42661417400", false),
            ("<<uuid>>", "g23e4567-e89b-12d3-a456-426614174000", false),
            ("<<uuid>>", "123e4567-e89b-12d3-a456-4266141740000", false),
            ("<<time>>", "2026-02-06T08:15:00Z", true), ("<<time>>", "2026-02-06T08:15:00.125+01:00", true),
            ("<<time>>", "2026-02-06 08:15", true), ("<<time>>", "08:15", true),
            ("<<time>>", "25:10:00", true),
            ("<<time>>", "2026-02-06", true), ("<<time>>", "2026-13-06", false), ("<<time>>", "08:61", false),
            ("<<time>>", "8", false), ("at <<time>>.", "at 08:15.", true),
            ("<<path>>", "a/b.gpx", true), ("<<path>>", "a b", false), ("<<path>>", "", false),
            ("a<<path>>", "a", false),
            ("<<path>>:<<int>>", "a/b.swift:12", true),
            // Quantities. 1 mi is 1609.344 m, 1 ft is 0.3048 m by definition.
            ("<<6.1km ±2%>>", "6.2km", true), ("<<6.1km ±2%>>", "6.3km", false),
            ("<<6.1km ±2%>>", "6100m", true),
            ("<<6.1km ±5m>>", "6105m", true), ("<<6.1km ±5m>>", "6106m", false),
            ("<<1mi ±1m>>", "1609m", true),
            ("<<100ft ±1%>>", "30.5m", true), ("<<100ft ±1%>>", "30m", false),
            ("<<1h30min ±1min>>", "91min", true),
            ("<<1h30min ±1min>>", "1h32min", false), ("<<90min ±0s>>", "1h30min", true),
            ("<<6.1km ±2%>>", "6.1", false),
            ("<<6.1km ±2%>>", "6.1s", false), ("<<3 ±1>>", "4", true), ("<<3 ±1>>", "4.1", false),
            ("<<3 ±1>>", "4m", false),
            ("<<-3 ±1>>", "-2", true), ("<<-3 ±1>>", "2", false), ("<<4.5km/h ±1%>>", "1.25m/s", true),
            ("<<50% ±10%>>", "54%", true), ("<<50% ±10%>>", "56%", false), ("<<70bpm ±2bpm>>", "72bpm", true),
            ("<<70bpm ±2bpm>>", "72m", false), ("d=<<6km ±10%>>, <<*>>", "d=6.5km, up", true),
            ("<<0m ±0m>>", "0m", true),
            ("<<*>><<6km ±1m>>", "16km", false),
        ] as [(String, String, Bool)])
    func matches(_ expected: String, _ actual: String, _ isMatch: Bool) throws {
        #expect((try pattern(expected).match(actual) != nil) == isMatch)
    }

    @Test(arguments: [
        ("<<itn>>", "did you mean `int`?"), ("<<6.1km +-2%>>", "<<re:<<>>"),
        ("<<6.1km ±5s>>", "the same kind of unit"),
        ("<<km ±5m>>", "before `±`"), ("<<6km ±>>", "after `±`"), ("<<1x=int>>", "not a valid variable name"),
        ("<<re:(>>", "`(` is not a regular expression"), ("<<re:a**b\\q>>", "not a regular expression"),
        ("<<re:)>>", "not a regular"), ("<<re:*>>", "not a regular"), ("<<re:a)(b>>", "not a regular"),
        ("<<re:[b-a]>>", "not a regular"),
        ("<<re:((){1000}){1000}a{6,2}>>", "not a regular"), ("<<re:a*****>>", "not a regular"),
    ])
    func refuses(_ expected: String, _ part: String) {
        do {
            _ = try pattern(expected)
            Issue.record("`\(expected)` was read")
        } catch let error as NotebookError {
            #expect(error.code == .pattern)
            #expect(error.line == 1)
            #expect(error.description.contains(part), "\(error.description)")
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test func leavesHalfMarksAlone() throws {
        #expect(try pattern("a << b").match("a << b") != nil)
        #expect(try pattern("a >> b").match("a >> b") != nil)
        #expect(try pattern("a << b").match("a < b") == nil)
    }

    @Test func captures() throws {
        let expected =
            "id <<id=uuid>> in <<d=6km ±10%>> of <<n=int>> at <<t=time>>: <<name=*>> <<p=re:[a-z]+\\d>>"
        let actual = "id 123e4567-e89b-12d3-a456-426614174000 in 6.2km of +4 at 08:15: l'été $1 b7"
        let captures = try #require(try pattern(expected).match(actual))
        #expect(captures.map(\.name) == ["id", "d", "n", "t", "name", "p"])
        #expect(
            captures.map(\.literal) == [
                "'123e4567-e89b-12d3-a456-426614174000'", "6.2km", "4", "08:15", "\"l'été \\$1\"", "'b7'",
            ])
        #expect(captures[2].text == "+4")
    }

    @Test func comparesWithWhatWasCaptured() throws {
        let expected = try pattern("again <<$id>>!", captured: ["id"])
        #expect(expected.match("again <7>!", bindings: ["id": "<7>"]) != nil)
        #expect(expected.match("again 7!", bindings: ["id": "<7>"]) == nil)
    }

    @Test(
        arguments: [
            ("6.1km", "6.2km", true), ("6.1km", "6.0km", true), ("6.1km", "6.3km", false),
            ("6.10km", "6.2km", false),
            ("42", "43", true), ("42", "44", false), ("9.9  a", "10.0 a", true), (" 9 a", "10 a", true),
            ("a 9", "a10", false),
            ("-3", "-4", true), ("-3", "4", false), ("2026-02-06", "2026-02-07", false),
            ("08:15", "08:16", false),
            ("A12", "A13", false), ("E-ROUTE-1", "E-ROUTE-2", false), ("1.2.3", "1.3.3", true),
            ("1.2.3", "1.2.4", false),
            ("6.1km", "6.1m", false), ("1e3", "2e3", true), ("1e3", "2001", false),
            ("x=5 <<int>>", "x=6 999", true),
            ("123e4567-e89b-12d3-a456-426614174000", "123e4567-e89b-12d3-a456-426614174001", false),
            ("0.0", "-0.1", true),
        ] as [(String, String, Bool)])
    func matchesApproximately(_ expected: String, _ actual: String, _ isMatch: Bool) throws {
        #expect((try pattern(expected, .approx).match(actual) != nil) == isMatch)
    }

    @Test(
        arguments: [
            ("a\nb", "b\na", true), ("a\na\nb", "a\nb\nb", false), ("a\nb", "a\nb\nc", false),
            ("a\n...", "c\na\nb", true),
            ("<<int>>\n1", "1\n2", true), ("<<int>>\n1", "2\n3", false),
            ("<<*>>\n<<int>>\n<<re:1.>>", "12\nx\n3", true),
            ("<<*>>\n<<int>>\n<<re:1.>>", "12\nx\ny", false), ("<<int>>\n<<number>>", "1\n2.5", true),
            ("<<number>>\n<<int>>", "1\n2.5", true), ("", "", true), ("", "a", false),
        ] as [(String, String, Bool)])
    func matchesInAnyOrder(_ expected: String, _ actual: String, _ isMatch: Bool) throws {
        #expect((try pattern(expected, .unordered).match(actual) != nil) == isMatch)
    }

    /// Trying every order is the oracle for small outputs.
    @Test(arguments: 0..<20)
    func agreesWithAllPermutations(_ seed: Int) throws {
        var random = SplitMix(seed: UInt64(seed))
        let forms = ["<<int>>", "<<number>>", "<<*>>", "<<re:[ab]>>", "a", "1", "<<2 ±1>>"]
        let values = ["a", "b", "1", "2", "2.5", "7", "c"]
        var counts = [false: 0, true: 0]
        for _ in 0..<60 {
            let count = Int.random(in: 1...5, using: &random)
            let expected = (0..<count).map { _ in random.pick(forms) }
            let actual = (0..<count).map { _ in random.pick(values) }
            let lines = try pattern(expected.joined(separator: "\n")).lines
            let isMatch = Self.permutations(actual).contains { order in
                zip(lines, order).allSatisfy { $0.matches($1, [:]) }
            }
            counts[isMatch, default: 0] += 1
            let found = try pattern(expected.joined(separator: "\n"), .unordered).match(
                actual.joined(separator: "\n"))
            #expect((found != nil) == isMatch, "\(expected) \(actual)")
        }
        #expect(counts.values.allSatisfy { $0 > 0 })
    }

    private static func permutations(_ values: [String]) -> [[String]] {
        guard !values.isEmpty else { return [[]] }
        return values.indices.flatMap { index -> [[String]] in
            var rest = values
            let first = rest.remove(at: index)
            return permutations(rest).map { [first] + $0 }
        }
    }

    /// Trying every division is the oracle for gaps.
    @Test(arguments: 0..<20)
    func agreesWithAllDivisions(_ seed: Int) throws {
        var random = SplitMix(seed: UInt64(seed))
        var counts = [false: 0, true: 0]
        for _ in 0..<200 {
            let expected = (0..<Int.random(in: 1...6, using: &random)).map { _ in
                random.pick(["a", "b", "...", "<<*>>"])
            }
            let actual = (0..<Int.random(in: 0...7, using: &random)).map { _ in random.pick(["a", "b", "c"]) }
            let isMatch = Self.divides(expected[...], actual[...])
            counts[isMatch, default: 0] += 1
            let found = try pattern(expected.joined(separator: "\n")).match(actual.joined(separator: "\n"))
            #expect((found != nil) == isMatch, "\(expected) \(actual)")
        }
        #expect(counts.values.allSatisfy { $0 > 0 })
    }

    private static func divides(_ expected: ArraySlice<String>, _ actual: ArraySlice<String>) -> Bool {
        guard let first = expected.first else { return actual.isEmpty }
        if first == "..." {
            return (0...actual.count).contains { divides(expected.dropFirst(), actual.dropFirst($0)) }
        }
        guard let line = actual.first, first == line || first == "<<*>>" else { return false }
        return divides(expected.dropFirst(), actual.dropFirst())
    }

    @Test(.timeLimit(.minutes(10)))
    func takesNoExponentialTime() throws {
        let manyGaps = Array(repeating: "...\na", count: 200).joined(separator: "\n") + "\n...\nz"
        let manyLines = Array(repeating: "a", count: 4000).joined(separator: "\n")
        #expect(try pattern(manyGaps).match(manyLines) == nil)
        let manyStars = String(repeating: "<<*>>a", count: 60) + "b"
        #expect(try pattern(manyStars).match(String(repeating: "a", count: 5000)) == nil)
        #expect(try pattern("<<re:(a+)+(a*)*$b>>").match(String(repeating: "a", count: 20_000)) == nil)
        #expect(try pattern("<<re:(a|a|aa)*b>>").match(String(repeating: "a", count: 2000) + "b") != nil)
        #expect(try pattern("<<*>><<re:(a+)+c>><<*>>b").match(String(repeating: "a", count: 2000)) == nil)
    }
}

@Suite struct RegexTests {
    /// Trying every division of the line with NSRegularExpression is the oracle.
    @Test(arguments: [
        "abc", "a|b|", "(ab)*c", "a+b?", "[a-c]+", "[^a]*", "a{2,}b", "(a|bc){1,3}", ".*b", "\\d+\\.\\d",
        "\\w+\\s\\w+", "(?:a(b|c)*)+", "x*?y", "()*a", "(a|ab)(c|bcd)", "(?=.b)..", "\\p{L}+", "(?i)AB",
        "(a)\\1",
    ])
    func findsEveryDivisionOfALine(_ expression: String) throws {
        let oracle = try NSRegularExpression(pattern: "(?:\(expression))\\z")
        let line = try pattern("<<*>>-<<re:\(expression)>>=<<*>>")
        var random = SplitMix(seed: 5)
        var counts = [true: 0, false: 0]
        for _ in 0..<200 {
            let text = (0..<Int.random(in: 0...9, using: &random)).map { _ in
                random.pick([
                    "a", "b", "c", "=", ".", " ", "-", "y", "-a", "-ab=", "-aa=", "-1.2=", "-cy=", "-abc=",
                    "-ab c=",
                    "-aab=", "-y=", "-xxy=",
                ])
            }.joined()
            let isMatch = Self.divisions(of: text).contains { part, rest in
                let range = NSRange(part, in: text)
                let options: NSRegularExpression.MatchingOptions = [.anchored, .withTransparentBounds]
                return oracle.firstMatch(in: text, options: options, range: range) != nil
                    && rest.first == "="
            }
            let found = line.match(text) != nil
            #expect(found == isMatch, "`\(expression)` on `\(text)`")
            counts[found, default: 0] += 1
        }
        #expect(counts.values.allSatisfy { $0 > 0 })
    }

    /// Every part behind a hyphen, with what follows it.
    private static func divisions(of text: String) -> [(Range<String.Index>, Substring)] {
        text.indices.filter { text[$0] == "-" }.flatMap { hyphen -> [(Range<String.Index>, Substring)] in
            let start = text.index(after: hyphen)
            let ends = text[start...].indices + [text.endIndex]
            return ends.map { (start..<$0, text[$0...]) }
        }
    }

    /// The dialect is that of `=~`; units are those of the language.
    @Test(
        arguments: [
            ("<<re:\\p{L}+>>", "abc", true), ("<<re:\\p{L}+>>", "12", false), ("<<re:(?<!a)b>>", "b", true),
            ("<<1nmi ±1%>>", "1852m", true), ("<<440Hz ±1%>>", "0.44kHz", true),
            ("<<10kn ±1%>>", "18.52km/h", true),
            ("<<100yd ±1%>>", "91.44m", true), ("<<100yd ±1%>>", "95m", false),
            ("<<90deg ±1deg>>", "90.5°", true),
            ("<<1nmi ±1%>>", "1852s", false), ("<<5:30/km ±2%>>.", "5:32/km.", true),
            ("<<5:30/km ±2%>>.", "5:45/km.", false),
        ] as [(String, String, Bool)])
    func knowsWhatTheLanguageKnows(_ expected: String, _ actual: String, _ isMatch: Bool) throws {
        #expect((try pattern(expected).match(actual) != nil) == isMatch)
    }

    @Test(arguments: 0..<20)
    func neverCrashes(_ seed: Int) {
        var random = SplitMix(seed: UInt64(seed))
        let pieces = [
            "(", ")", "[", "]", "*", "+", "?", "{2}", "{", "}", "\\", "u{1F600}", "x4", "a", "|", "^", "$",
            "-", "é", ",", "9",
        ]
        var read = 0
        for _ in 0..<300 {
            let text = (0..<Int.random(in: 1...12, using: &random)).map { _ in random.pick(pieces) }.joined()
            guard let pattern = try? pattern("<<*>><<re:\(text)>><<*>>") else { continue }
            read += 1
            _ = pattern.match("aa9é{2}")
        }
        #expect(read > 0)
    }
}

@Suite struct DiffTests {
    private func diff(_ expected: String, _ actual: String, _ flags: CellFlags = []) throws -> [String] {
        try OutputDiff(limits: NotebookLimits()).text(
            pattern(expected, flags), actual, flags: flags, bindings: [:], firstLine: 10, file: "a.md"
        ).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test func showsLinesOfTheFile() throws {
        #expect(
            try diff("a\nb\nc\nd\ne\nf", "a\nb\nc\nX\ne\nf\ng") == [
                "--- a.md:10 expected", "+++ actual", "@@ -11,5 +2,6 @@", " b", " c", "-d", "+X", " e", " f",
                "+g",
            ])
    }

    @Test func keepsPatternsThatMatchAsContext() throws {
        #expect(
            try diff("n <<int>>\n...\nend", "n 5\nx\ny\nEND") == [
                "--- a.md:10 expected", "+++ actual", "@@ -10,3 +1,3 @@", " n <<int>>", " ...", "-end",
                "+END",
            ])
    }

    @Test func showsWhatIsMissingInAnyOrder() throws {
        #expect(
            try diff("a\nb", "c\na", .unordered) == [
                "--- a.md:10 expected", "+++ actual", "@@ -10,2 +1,2 @@", " a", "-b", "+c",
            ])
    }

    @Test func isBounded() throws {
        let expected = (0..<5000).map { "e\($0)" }.joined(separator: "\n")
        let actual = (0..<5000).map { "a\($0)" }.joined(separator: "\n")
        let lines = try diff(expected, actual)
        #expect(lines.count <= NotebookLimits().diffLines + 2)
        #expect(lines.last?.hasPrefix("\\ ") == true)
    }

    /// Lines that match anything take the lines that the others leave, in linear time.
    @Test func unorderedStars() throws {
        let count = 3000
        let stars = Array(repeating: "<<*>>", count: count).joined(separator: "\n")
        let actual = (0...count).map { "line \($0)" }.joined(separator: "\n")
        #expect(try pattern(stars + "\nline <<int>>", .unordered).match(actual) != nil)
        #expect(try pattern(stars + "\nother", .unordered).match(actual) == nil)
        #expect(try pattern("<<*>>\n<<int>>", .unordered).match("7\nx") != nil)
    }
}
