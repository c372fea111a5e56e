import Foundation
import PluginTestKit
import Testing

@testable import Notebooks

@Suite struct ParserTests {
    /// The example of the specification, word for word.
    static let example = """
        ---
        seed: 42
        clock: 2026-02-06T08:00:00Z
        data: [andorra.osm.pbf]
        ---
        # From the village to the lake

        ```rutter
        rutter> route plan 42.5063,1.5218 42.5449,1.5148 | get distance
        6.1km
        ```

        """

    @Test func readsTheExample() throws {
        let notebook = try NotebookParser().parse(Self.example)
        #expect(notebook.title == "From the village to the lake")
        #expect(notebook.settings.seed == 42)
        // 2026-02-06T08:00:00Z by `date -u -d 2026-02-06T08:00:00Z +%s`.
        #expect(notebook.settings.clock.timeIntervalSince1970 == 1_770_364_800)
        #expect(notebook.settings.data.map(\.file) == ["andorra.osm.pbf"])
        #expect(notebook.cells.count == 1)
        let entry = try #require(notebook.cells.first?.entries.first)
        #expect(entry.input == "route plan 42.5063,1.5218 42.5449,1.5148 | get distance")
        #expect(entry.line == 9)
        #expect(notebook.cells.first?.lines == 8...11)
        #expect(entry.expected.written == ["6.1km"])
        #expect(notebook.text == Self.example)
    }

    @Test func joinsContinuedInput() throws {
        let notebook = try NotebookParser().parse(
            "```rutter\nrutter> a |\n   ...> b\n   ...>\nout\nrutter>\nrutter> c\n```\n")
        #expect(notebook.cells.first?.entries.map(\.input) == ["a |\nb\n", "c"])
        #expect(notebook.cells.first?.entries.map(\.expected.written) == [["out"], []])
    }

    @Test func leavesAPromptThatFollowsOutputToTheOutput() throws {
        let notebook = try NotebookParser().parse("```rutter\nrutter> a\nout\n   ...> b\nrutter>x\n```\n")
        #expect(notebook.cells.first?.entries.map(\.expected.written) == [["out", "   ...> b", "rutter>x"]])
    }

    @Test(arguments: [
        // (the text around, number of cells)
        ("```rutter\nrutter> a\n```", 1),
        ("~~~~ rutter approx\nrutter> a\n~~~~\n", 1),
        ("  ```rutter\n  rutter> a\n  ```\n", 1),
        ("    ```rutter\n    rutter> a\n    ```\n", 0),
        ("\t```rutter\n\trutter> a\n\t```\n", 0),
        ("````text\n```rutter\nrutter> a\n```\n````\n", 0),
        ("```\n```rutter\nrutter> a\n```\n```rutter\nrutter> b\n```\n", 1),
        ("<!--\n```rutter\nrutter> a\n```\n-->\n", 0),
        ("```rutters\nrutter> a\n```\n", 0),
        ("```rutter`\nrutter> a\n```\n", 0),
        ("```text\nnever closed\n", 0),
        ("``rutter\nrutter> a\n``\n", 0),
    ])
    func findsCellsAsCommonMarkFindsFences(_ text: String, _ cells: Int) throws {
        #expect(try NotebookParser().parse(text).cells.count == cells)
        #expect(NotebookParser.hasCell(bytes: Array(text.utf8)) == (cells > 0))
    }

    @Test func takesTheFencesIndentationOff() throws {
        let notebook = try NotebookParser().parse(
            "  ```rutter\n  rutter> a\n     ...> b\n    out\n out2\n  ```\n")
        let entry = try #require(notebook.cells.first?.entries.first)
        #expect(entry.input == "a\nb")
        #expect(entry.expected.written == ["  out", "out2"])
    }

    @Test func keepsAByteOrderMarkAndLineEndings() throws {
        let text = "\u{FEFF}---\r\nseed: 7\r\n---\r\n```rutter\r\nrutter> a\r\nb\r\n```\n# t"
        let notebook = try NotebookParser().parse(text)
        #expect(notebook.settings.seed == 7)
        #expect(notebook.cells.first?.entries.first?.input == "a")
        #expect(notebook.cells.first?.entries.first?.expected.written == ["b"])
        #expect(Array(notebook.text.utf8) == Array(text.utf8))
    }

    @Test func readsLinesThatEndWithACarriageReturnAlone() throws {
        let text = "# t\r\r```rutter\rrutter> a\rb\r```\r"
        let notebook = try NotebookParser().parse(text)
        #expect(notebook.cells.first?.entries.first?.input == "a")
        #expect(notebook.cells.first?.entries.first?.expected.written == ["b"])
        #expect(Array(notebook.text.utf8) == Array(text.utf8))
        #expect(NotebookParser.hasCell(bytes: Array(text.utf8)))
    }

    @Test func readsFlags() throws {
        let notebook = try NotebookParser().parse(
            cell("rutter> a", flags: "approx unordered nocheck norun fails"))
        #expect(notebook.cells.first?.flags == [.approx, .unordered, .nocheck, .norun, .fails])
    }

    @Test(
        arguments: [
            (cell("rutter> a", flags: "aprox"), "E-NOTEBOOK-FLAG", 1, "did you mean `approx`?"),
            ("```rutter\nrutter> a\n", "E-NOTEBOOK-CELL", 1, "end it with ```"),
            (cell(), "E-NOTEBOOK-CELL", 1, "write a command after `rutter> `"),
            (cell("rutter>"), "E-NOTEBOOK-CELL", 1, "write a command after `rutter> `"),
            (cell("out", "rutter> a"), "E-NOTEBOOK-CELL", 2, "write `rutter> ` before the command"),
            ("\n" + cell("rutter> a", "1", "<<itn>>"), "E-NOTEBOOK-PATTERN", 5, "did you mean `int`?"),
            (cell("rutter> a", "<<$x>>"), "E-NOTEBOOK-PATTERN", 3, "<<x=int>>"),
            ("---\nseeds: 1\n---\n", "E-NOTEBOOK-FRONTMATTER", 2, "did you mean `seed`?"),
            ("---\nwidth: 80\nseed: many\n---\n", "E-NOTEBOOK-FRONTMATTER", 3, "a whole number"),
            ("---\nseed: [1]\n---\n", "E-NOTEBOOK-FRONTMATTER", 2, "a whole number"),
            ("---\nwidth: 3\n---\n", "E-NOTEBOOK-FRONTMATTER", 2, "20 to 1000"),
            ("---\ntimezone: Mars/Base\n---\n", "E-NOTEBOOK-FRONTMATTER", 2, "Europe/Berlin"),
            ("---\nunits: metrics\n---\n", "E-NOTEBOOK-FRONTMATTER", 2, "did you mean `metric`?"),
            ("---\ntimeout: 30\n---\n", "E-NOTEBOOK-FRONTMATTER", 2, "30s"),
            ("---\ntimeout: 5km\n---\n", "E-NOTEBOOK-FRONTMATTER", 2, "30s"),
            ("---\nclock: noon\n---\n", "E-NOTEBOOK-FRONTMATTER", 2, "2026-02-06T08:00:00Z"),
            ("---\nseed: 1\nseed: 2\n---\n", "E-NOTEBOOK-FRONTMATTER", 3, "duplicate key `seed`"),
            ("---\nseed: 1\n", "E-NOTEBOOK-FRONTMATTER", 1, "not closed"),
            ("---\na\n---\n", "E-NOTEBOOK-FRONTMATTER", 2, "key: value"),
            ("---\nseed: \"1\nx: [\n---\n", "E-NOTEBOOK-FRONTMATTER", nil, "not YAML"),
            ("---\ndata:\n  - ../secret\n---\n", "E-NOTEBOOK-DATA", 3, "outside the notebook's folder"),
            ("---\ndata: /etc/passwd\n---\n", "E-NOTEBOOK-DATA", 2, "outside the notebook's folder"),
            (
                "---\ndata:\n- {file: a, sha256: 12}\n---\n", "E-NOTEBOOK-FRONTMATTER", 3,
                "64 hexadecimal digits"
            ),
            ("---\ndata:\n- {fil: a}\n---\n", "E-NOTEBOOK-FRONTMATTER", 3, "did you mean `file`?"),
        ] as [(String, String, Int?, String)])
    func namesTheLineAndTheRemedy(_ text: String, _ code: String, _ line: Int?, _ part: String) throws {
        let error = try #require(parseError(text))
        #expect(error.code.rawValue == code)
        if let line { #expect(error.line == line) }
        #expect(error.description.contains(part), "\(error.description)")
    }

    @Test func readsAllFrontMatter() throws {
        let hash = String(repeating: "0a", count: 32)
        let settings = try NotebookParser().parse(
            """
            ---
            clock: 2026-07-01 08:00
            timezone: Europe/Berlin
            width: 100
            units: imperial
            data:
              - a.gpx
              - {file: sub/b.zip, sha256: \(hash.uppercased())}
            requires: [Routing, Transit]
            timeout: 1min30s
            lesson: 3
            ...
            """
        ).settings
        // Berlin is at +02:00 in July.
        #expect(settings.clock.timeIntervalSince1970 == 1_782_885_600)
        #expect(settings.width == 100)
        #expect(settings.units == .imperial)
        #expect(settings.data.map(\.file) == ["a.gpx", "sub/b.zip"])
        #expect(settings.data.map(\.sha256) == [nil, hash])
        #expect(settings.requires == ["Routing", "Transit"])
        #expect(settings.timeout == .seconds(90))
        #expect(settings.lesson == 3)
    }

    @Test func tellsWhichLineIsNotUTF8() {
        #expect(
            throws: NotebookError(
                .encoding, line: 2, "the text is not UTF-8", suggestion: "save the file as UTF-8")
        ) {
            try NotebookParser().parse(bytes: Array("ok\n".utf8) + [0xC3, 0x28])
        }
    }

    @Test func warnsOfCellsThatNeverRun() throws {
        let text =
            "- list\n\n    ```rutter\n    rutter> a\n    ```\n> ```rutter\n> rutter> b\n> ```\n"
            + "````text\n    ```rutter\n````\n" + cell("rutter> a", "    ```rutter") + "    ```text\n"
        let warnings = try NotebookParser().parse(text).warnings
        #expect(warnings.map { $0.prefix(7) } == ["line 3:", "line 6:"])
    }

    @Test func findsANotebookThatIsNotUTF8() {
        #expect(NotebookParser.hasCell(bytes: [0xFF, 0x0A] + Array(cell("rutter> a").utf8)))
    }

    @Test func refusesWhatCannotFail() throws {
        for text in [
            "# nothing\n", cell("rutter> a", flags: "norun"), cell("rutter> a", "b", flags: "nocheck"),
            cell("rutter> a", "..."),
        ] {
            #expect(try NotebookParser().parse(text).emptiness?.code == .empty, "\(text)")
        }
        for text in [
            cell("rutter> a"), cell("rutter> a", flags: "nocheck fails"), cell("rutter> a", "...", "b"),
        ] {
            #expect(try NotebookParser().parse(text).emptiness == nil, "\(text)")
        }
    }
}

@Suite struct ParserFuzzTests {
    private static let pieces: [String] = [
        "---\n", "```rutter\n", "```", "~~~rutter approx\n", "rutter> ", "   ...> ", "...\n", "<<", ">>",
        "<<re:",
        "<<re:(a|b)*>>", "<<int>>", "<<x=int>>", "<<$x>>", "<<6.1km ±2%>>", "±", "\r\n", "\n", "\u{FEFF}",
        "é", "e\u{301}",
        "data: ", "- ", "[", "{", ": ", "seed: 1\n", "\"", "&a ", "*a ", "<!--", "-->", " ", "\t", "\0", "42",
        "{1000}",
        "((((", "1.5", "rutter>\n", "#", "? ", "| ", "> ", "!!binary ",
    ]

    @Test(arguments: 0..<40)
    func neverCrashesOnPieces(_ seed: Int) {
        var random = SplitMix(seed: UInt64(seed))
        var notebooks = 0
        for _ in 0..<100 {
            let text = (0..<Int.random(in: 1...60, using: &random)).map { _ in random.pick(Self.pieces) }
                .joined()
            // A parsed notebook returns its text byte for byte.
            if let notebook = try? NotebookParser().parse(text) {
                notebooks += 1
                #expect(Array(notebook.text.utf8) == Array(text.utf8))
            }
        }
        #expect(notebooks > 0)
    }

    @Test(arguments: 0..<20)
    func neverCrashesOnBytes(_ seed: Int) throws {
        var random = SplitMix(seed: UInt64(seed))
        let whole = Array(ParserTests.example.utf8)
        for _ in 0..<100 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let place = Int.random(in: bytes.indices, using: &random)
                bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
            let isUTF8 = String(validating: bytes, as: UTF8.self) != nil
            do throws(NotebookError) {
                let notebook = try NotebookParser().parse(bytes: bytes)
                #expect(Array(notebook.text.utf8) == bytes)
                #expect(isUTF8)
            } catch {
                #expect(isUTF8 || error.code == .encoding || error.code == .frontMatter)
            }
        }
    }

    @Test(arguments: ["[", "{", "- ", "? ", "{a: ", "[[", "-\t", ": "])
    func survivesDeepNesting(_ unit: String) {
        for count in [50, 1000, 100_000] {
            let error = parseError("---\n" + String(repeating: unit, count: count) + "\n---\n")
            #expect(error?.code == .frontMatter)
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func survivesAliasesOfAliases() {
        let levels = (1...12).map { level in
            let aliases = Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ",")
            return "a\(level): &a\(level) [\(aliases)]"
        }
        let text = ["---", "a0: &a0 [x,x]"] + levels + ["? *a12", ": 1", "---", ""]
        #expect(parseError(text.joined(separator: "\n"))?.code == .frontMatter)
    }

    @Test func survivesDeepIndentation() {
        let lines = (0..<150).map { String(repeating: " ", count: $0) + "a:" }
        #expect(parseError("---\n" + lines.joined(separator: "\n") + "\n---\n")?.code == .frontMatter)
    }

    @Test(arguments: ["Rutter", "rutter,norun", "RUTTER", "{.rutter}", "{rutter}"])
    func aBlockThatIsMarkedAlmostLikeACellIsWarnedOf(info: String) throws {
        let notebook = try NotebookParser().parse(
            cell("rutter> say a", "a") + "\n```\(info)\nrutter> say b\n```\n")
        #expect(notebook.cells.count == 1)
        #expect(notebook.warnings.count == 1)
        #expect(notebook.warnings.first?.hasPrefix("line 6: ```\(info) is not a cell and never runs") == true)
    }

    @Test(arguments: ["rutterless", "sh", "", "swift rutter"])
    func otherBlocksAreNot(info: String) throws {
        let notebook = try NotebookParser().parse(cell("rutter> say a", "a") + "\n```\(info)\nx\n```\n")
        #expect(notebook.warnings.isEmpty)
    }
}
