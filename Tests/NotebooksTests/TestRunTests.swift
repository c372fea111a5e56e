import FakeNotebookWorker
import Foundation
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
        try folder.write("b.md", cell("rutter> fail E-TWO x", "x"))
        let (status, text) = await run(in: folder) { $0.coverage = true }
        #expect(status == 0)
        #expect(text.contains("commands: 2 of 12 used, no notebook uses\n  count\n"), "\(text)")
        #expect(text.contains("flags: 0 of 1 used, no notebook uses\n  say --loud\n"))
        #expect(text.contains("error codes: 1 of 2 used, no notebook uses\n  E-ONE\n"))
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
