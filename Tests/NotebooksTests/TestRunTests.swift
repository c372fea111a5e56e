import FakeNotebookWorker
import Foundation
import PluginTestKit
import Synchronization
import Testing

@testable import Notebooks

@Suite(.serialized, .timeLimit(.minutes(10))) struct TestRunTests {
    private func run(
        in folder: TemporaryFolder, environment: [String: String] = [:],
        confirm: (@Sendable (String) async -> Bool)? = nil, options change: (inout TestOptions) -> Void
    ) async -> (status: Int32, text: String) {
        var options = TestOptions()
        options.paths = [folder.url.path]
        options.jobs = 2
        change(&options)
        let sink = Sink()
        let status = await TestRun(
            options: options, worker: fakeWorker(),
            surroundings: .init(print: sink.print, confirm: confirm, environment: environment)
        ).run()
        return (status, sink.text.replacingOccurrences(of: folder.url.path + "/", with: ""))
    }

    @Test func updatesAndThenPasses() async throws {
        let folder = try TemporaryFolder()
        try folder.write("a.md", cell("rutter> say new", "old"))
        try folder.write("b.md", cell("rutter> say six", "<<int>>"))
        let first = await run(in: folder) { $0.update = true }
        #expect(first.status == 1)
        let reason =
            "the pattern `<<int>>` no longer matches; it is kept unchanged, because there is no terminal to confirm"
        #expect(
            first.text.hasSuffix(
                "updated  a.md\nkept     b.md:2: \(reason)\n1 passed, 1 failed, 0 skipped, 1 updated"))
        #expect(try folder.read("a.md") == cell("rutter> say new", "new"))
        let second = await run(in: folder, confirm: { _ in true }) { $0.update = true }
        #expect(second.status == 0)
        let third = await run(in: folder) { _ in }
        #expect(third.status == 0)
        #expect(third.text.hasSuffix("2 passed, 0 failed, 0 skipped"))
    }

    @Test func anUpdateCountsInTheReport() async throws {
        let folder = try TemporaryFolder()
        try folder.write("a.md", cell("rutter> say new", "old") + cell("rutter> x", flags: "norun"))
        let junit = folder.url.appendingPathComponent("junit.xml")
        let (status, _) = await run(in: folder) { ($0.update, $0.junit) = (true, junit) }
        #expect(status == 0)
        #expect(try folder.read("junit.xml").contains(#"tests="2" failures="0" errors="0" skipped="1""#))
    }

    @Test func whatPassedBeforeIsKnownLater() async throws {
        let folder = try TemporaryFolder()
        try folder.write("d.txt", "x")
        try folder.write("a.md", "---\ndata: d.txt\n---\n" + cell("rutter> read d.txt", "x"))
        try folder.write("b.md", cell("rutter> say a", "b"))
        let first = await run(in: folder) { $0.recordFolder = folder.url }
        #expect(first.text.contains("note: cell 1 has no recorded pass"))
        try folder.write("d.txt", "y")
        let second = await run(in: folder) { $0.recordFolder = folder.url }
        #expect(second.text.contains("note: cell 1 passed before; since then the data (d.txt) changed"))
        #expect(!second.text.contains("the program"))
        try folder.write("d.txt", "x")
        let third = await run(in: folder) { ($0.recordFolder, $0.failed) = (folder.url, true) }
        #expect(third.text.contains("passed   a.md") && third.text.contains("FAILED   b.md"))
        let fourth = await run(in: folder) { ($0.recordFolder, $0.failed) = (folder.url, true) }
        #expect(!fourth.text.contains("a.md") && fourth.text.contains("FAILED   b.md"))
    }

    @Test func failFastRunsNothingMore() async throws {
        let folder = try TemporaryFolder()
        for name in ["a", "b", "c"] {
            try folder.write("\(name).md", cell("rutter> say a", name == "a" ? "b" : "a"))
        }
        let (status, text) = await run(in: folder) { ($0.failFast, $0.jobs) = (true, 1) }
        #expect(status == 1)
        #expect(text.hasSuffix("skipped  c.md: not run after a failure\n0 passed, 1 failed, 2 skipped"))
    }

    @Test func shardsAreDisjointAndComplete() async throws {
        let folder = try TemporaryFolder()
        for index in 0..<7 { try folder.write("n\(index).md", cell("rutter> say a", "a")) }
        var seen: [String] = []
        for index in 1...3 {
            let (_, text) = await run(in: folder) { $0.shard = (index, 3) }
            seen += text.split(separator: "\n").filter { $0.hasPrefix("passed ") }.map(String.init)
        }
        #expect(seen.count == 7 && Set(seen).count == 7)
        #expect(await run(in: folder) { $0.shard = (4, 3) }.status == 2)
    }

    @Test func repetitionsAndTheSlowestCells() async throws {
        let folder = try TemporaryFolder()
        try folder.write("a.md", cell("rutter> say a", "a"))
        let (status, text) = await run(in: folder) { ($0.repetitions, $0.slowest) = (3, 2) }
        #expect(status == 0)
        #expect(text.hasSuffix("3 passed, 0 failed, 0 skipped"))
        #expect(
            text.split(separator: "\n").filter { $0.hasPrefix("slow     a.md:1: cell 1 took ") }.count == 2)
        var failed = NotebookReport(path: "x.md", outcome: .failed)
        failed.reason = nil
        #expect(
            TextReport.flaky([NotebookReport(path: "x.md", outcome: .passed), failed])
                == ["flaky    x.md: failed 1 of 2 runs"])
    }

    @Test func everyMarkdownFileIsAccountedFor() async throws {
        let folder = try TemporaryFolder()
        try folder.write("a.md", cell("rutter> say a", "a"))
        try folder.write("plain.md", "# Nothing to run\n")
        try folder.write("case.md", "```Rutter\nrutter> say a\na\n```\n")
        try folder.write("quote.md", "> ```rutter\n> rutter> say a\n> ```\n")
        let (status, text) = await run(in: folder) { _ in }
        #expect(status == 1)
        #expect(text.hasPrefix("no cells  plain.md\npassed   a.md\n"))
        #expect(
            text.contains(
                "FAILED   case.md\n  E-NOTEBOOK-EMPTY: the notebook has no cell; line 1: ```Rutter is not a cell"
            ))
        #expect(
            text.contains(
                "FAILED   quote.md\n  E-NOTEBOOK-EMPTY: the notebook has no cell; line 1: this block is not a cell"
            ))
    }

    @Test func refusesToUpdateInCI() async throws {
        let folder = try TemporaryFolder()
        try folder.write("a.md", cell("rutter> say new", "old"))
        let (status, text) = await run(in: folder, environment: ["CI": "true"]) { $0.update = true }
        #expect(status == 2)
        #expect(text.hasPrefix("E-NOTEBOOK-USAGE: `--update` is refused while `CI` is set"))
        #expect(try folder.read("a.md") == cell("rutter> say new", "old"))
    }

    @Test func findingNothingIsWrongUsage() async throws {
        let folder = try TemporaryFolder()
        try folder.write("a.md", "# no cell\n")
        #expect(await run(in: folder) { _ in }.status == 2)
        #expect(await run(in: folder) { $0.paths = [folder.path("none")] }.status == 2)
        #expect(await run(in: folder) { $0.jobs = 0 }.status == 2)
        #expect(
            await run(in: folder) { $0.dataFolder = URL(fileURLWithPath: folder.path("a.md")) }.status == 2)
        #expect(await run(in: folder) { ($0.watch, $0.tap) = (true, true) }.status == 2)
        // A file that is named is a notebook, and one without a cell is an error.
        let named = await run(in: folder) { $0.paths = [folder.path("a.md")] }
        #expect(named.status == 1)
        #expect(named.text.contains("E-NOTEBOOK-EMPTY: the notebook has no cell"))
    }

    @Test func filtersByPathAndTitle() async throws {
        let folder = try TemporaryFolder()
        try folder.write("lake.md", cell("rutter> say a", "a"))
        try folder.write("b.md", "# To the Lake\n" + cell("rutter> say a", "a"))
        try folder.write("c.md", "```text\n# lake\n```\n# Other\n" + cell("rutter> say lake", "lake"))
        let (status, text) = await run(in: folder) { $0.filter = "LAKE" }
        #expect(status == 0)
        #expect(text == "passed   b.md\npassed   lake.md\n2 passed, 0 failed, 0 skipped")
        #expect(await run(in: folder) { $0.filter = "sea" }.status == 2)
    }

    @Test func printsTAP() async throws {
        let folder = try TemporaryFolder()
        try folder.write("a.md", cell("rutter> say a", "a"))
        try folder.write("b.md", cell("rutter> say a", "b"))
        let (status, text) = await run(in: folder) { $0.tap = true }
        #expect(status == 1)
        let lines = text.split(separator: "\n")
        #expect(lines.last == "# 1 passed, 1 failed, 0 skipped")
        let points = try TAPReader.points(lines.dropLast().joined(separator: "\n"))
        #expect(points.map(\.isOK) == [true, false])
    }

    @Test func writesCoverage() async throws {
        let folder = try TemporaryFolder()
        try folder.write("a.md", cell("rutter> say a", "a"))
        try folder.write("b.md", cell("rutter> fail E-TWO x", "x", flags: "fails"))
        let (status, text) = await run(in: folder) { $0.coverage = true }
        #expect(status == 0)
        #expect(text.contains("commands: 2 of 12 used; unused:\n  count\n"), "\(text)")
        #expect(text.contains("flags: 0 of 1 used; unused:\n  say --loud\n"))
        #expect(text.contains("error codes: 1 of 2 used; unused:\n  E-ONE\n"))
    }

    @Test func watchesUntilItIsCancelled() async throws {
        let folder = try TemporaryFolder()
        try folder.write("a.md", cell("rutter> say a", "a"))
        try folder.write("b.md", cell("rutter> say b", "b"))
        var options = TestOptions()
        options.paths = [folder.url.path]
        options.watch = true
        let sink = Sink()
        let round = Mutex(0)
        let surroundings = TestRun.Surroundings(
            print: sink.print, environment: [:],
            sleep: { _ in
                switch round.withLock({ round -> Int in
                    round += 1; return round
                }) {
                case 1: break
                case 2: try folder.write("b.md", cell("rutter> say b", "changed"))
                case 3: try folder.write("c.md", cell("rutter> say c", "c"))
                default: throw CancellationError()
                }
            })
        let status = await TestRun(options: options, worker: fakeWorker(), surroundings: surroundings).run()
        #expect(status == 130)
        let heads = sink.text.split(separator: "\n").filter { $0.hasSuffix(".md") }
            .map { $0.replacingOccurrences(of: folder.url.path + "/", with: "") }
        #expect(heads == ["passed   a.md", "passed   b.md", "FAILED   b.md", "passed   c.md"])
    }
}
