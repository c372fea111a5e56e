import FakeNotebookWorker
import Foundation
import PluginTestKit
import Testing

@testable import Notebooks

/// Outputs and inputs that resemble a notebook's own syntax.
enum Mischief {
    static let pieces: [String] = [
        "a", "b", " ", "  ", "\n", "\n\n", "```", "````", "~~~", "   ```", "```rutter", "...", "\n...\n",
        "<<", "<", ">",
        ">>", "<<int>>", "<<re:a>>", "<<<", "rutter> ", "rutter>", "\nrutter> x", "   ...> ", "\n   ...>",
        "---", "\t",
        "\u{1B}[31m", "\0", "é", "e\u{301}", "\u{301}", "\u{FEFF}", "\u{2028}", "\r", "±", "42", "6.1km",
        "\\", "$x", "#", "|",
        "-->", "<!--",
    ]

    static func text(_ random: inout SplitMix, upTo count: Int) -> String {
        (0..<Int.random(in: 0...count, using: &random)).map { _ in random.pick(pieces) }.joined()
    }
}

@Suite struct WriterTests {
    private func transcript(_ random: inout SplitMix) -> [TranscriptEntry] {
        (0..<Int.random(in: 1...6, using: &random)).map { _ in
            let input =
                "x"
                + Mischief.text(&random, upTo: 6).replacingOccurrences(of: "\r", with: "", options: .literal)
            return TranscriptEntry(
                input: input, output: Mischief.text(&random, upTo: 12), failed: Bool.random(using: &random))
        }
    }

    @Test(arguments: 0..<60)
    func whatIsWrittenReadsBackAndMatches(_ seed: Int) throws {
        var random = SplitMix(seed: UInt64(seed))
        for _ in 0..<30 {
            let transcript = transcript(&random)
            let text = NotebookWriter.text(
                title: "T <!-- x", settings: NotebookSettings(), transcript: transcript)
            let notebook = try NotebookParser().parse(text)
            let runnable = notebook.runnable
            #expect(runnable.map { Array($0.entry.input.utf8) } == transcript.map { Array($0.input.utf8) })
            #expect(runnable.map { $0.cell.flags.contains(.fails) } == transcript.map(\.failed))
            for (place, entry) in zip(runnable, transcript) {
                #expect(
                    place.entry.expected.match(entry.output) != nil,
                    "\(entry.output.debugDescription)\n\(text)")
                // The output with a visible change must not match: what was written is exact.
                #expect(place.entry.expected.match(entry.output + "!") == nil, "\(text)")
                #expect(place.entry.expected.match("!" + entry.output) == nil, "\(text)")
            }
        }
    }

    @Test func theTextIsADocument() {
        var settings = NotebookSettings()
        settings.data = [
            .init(file: "a \"b\".gpx"), .init(file: "c", sha256: String(repeating: "0", count: 64)),
        ]
        settings.width = 100
        settings.timeout = .milliseconds(1500)
        let text = NotebookWriter.text(
            title: "A walk", settings: settings,
            transcript: [
                .init(input: "say a |\nfirst", output: "a\n```\n...\n<<int>>"),
                .init(input: " ", output: "dropped"),
                .init(input: "fail E-ONE no", output: "no", failed: true),
            ])
        #expect(
            text == """
                ---
                seed: 42
                clock: 2026-01-01T00:00:00Z
                width: 100
                data:
                  - "a \\"b\\".gpx"
                  - {file: "c", sha256: "\(String(repeating: "0", count: 64))"}
                timeout: 1.5s
                ---

                # A walk

                ````rutter
                rutter> say a |
                   ...> first
                a
                ```
                <<re:\\.\\.\\.>>
                <<re:<<>>int>>
                ````

                ```rutter fails
                rutter> fail E-ONE no
                no
                ```

                """)
    }

    @Test func settingsReadBack() throws {
        var settings = NotebookSettings()
        settings.seed = .max
        settings.clock = Date(timeIntervalSince1970: 1_770_364_800.125)
        settings.timezone = "America/New_York"
        settings.width = 132
        settings.units = .imperial
        settings.data = [
            .init(file: "ü: [x] #.pbf"), .init(file: "y", sha256: String(repeating: "ab", count: 32)),
        ]
        settings.requires = ["Routing"]
        settings.timeout = .milliseconds(250)
        settings.lesson = 7
        let text = NotebookWriter.text(title: "", settings: settings, transcript: [])
        let read = try NotebookParser().parse(text).settings
        #expect(read.data.map(\.file) == settings.data.map(\.file))
        #expect(read.data.map(\.sha256) == settings.data.map(\.sha256))
        var rest = read
        rest.data = settings.data
        #expect(rest == settings)
    }

    @Test func aSavedSessionPassesWhenItRuns() async throws {
        let folder = try TemporaryFolder()
        var random = SplitMix(seed: 9)
        var transcript: [TranscriptEntry] = []
        let session = FakeSession()
        for index in 0..<40 {
            let output = Mischief.text(&random, upTo: 10).replacingOccurrences(
                of: "\n", with: "\\n", options: .literal
            )
            .replacingOccurrences(of: "\r", with: "", options: .literal)
            let input = index.isMultiple(of: 5) ? "fail E-ONE \(output)" : "say \(output)"
            let shown = await session.run(input)
            transcript.append(.init(input: input, output: shown.text, failed: shown.failed))
        }
        let text = NotebookWriter.text(title: "All", settings: NotebookSettings(), transcript: transcript)
        let file = folder.url.appendingPathComponent("all.md")
        try NotebookWriter.write(text, to: file)
        let report = await NotebookRunner(factory: FakeFactory()).run(file)
        #expect(report.outcome == .passed, "\(TextReport.text(report))")
        #expect(report.cells.count == 40)
    }
}

@Suite struct ReplacedFileTests {
    @Test func keepsTheModeAndFollowsLinks() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("a.md", "old")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
        let link = folder.url.appendingPathComponent("link.md")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        try NotebookWriter.write("new", to: link)
        #expect(try folder.read("a.md") == "new")
        #expect(
            try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o640)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == file.path)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == [
                "a.md", "link.md",
            ])
    }

    @Test func leavesNothingBehindWhenItCannotWrite() throws {
        let folder = try TemporaryFolder()
        let target = folder.url.appendingPathComponent("sub")
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
        #expect(throws: NotebookError.self) { try NotebookWriter.write("1", to: target) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["sub"])
    }
}
