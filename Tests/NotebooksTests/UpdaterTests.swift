import FakeNotebookWorker
import Foundation
import PluginTestKit
import Synchronization
import Testing

@testable import Notebooks

@Suite struct UpdaterTests {
    /// Runs a notebook, updates it, and returns its new text.
    private func update(
        _ text: String, confirm: (@Sendable (String) async -> Bool)? = nil
    ) async throws -> (text: String, NotebookUpdater.Result) {
        let folder = try TemporaryFolder()
        let file = try folder.write("a.md", text)
        var options = NotebookRunner.Options()
        options.keepsActual = true
        let report = await NotebookRunner(factory: FakeFactory(), options: options).run(file, named: "a.md")
        let result = await NotebookUpdater(limits: NotebookLimits(), confirm: confirm).update(file, report)
        return (try folder.read("a.md"), result)
    }

    @Test func rewritesOnlyWhatDiffers() async throws {
        let before =
            "# T\r\n\r\n```rutter\r\nrutter> say a\\n5\\nnew\r\na\r\n<<int>>\r\nold\r\n\r\nrutter> say same  \r\nsame  \r\n```\r\nend"
        let (after, result) = try await update(before)
        #expect(after == before.replacingOccurrences(of: "old\r\n", with: "new\r\n"))
        #expect(result.updated == [0])
        #expect(result.kept.isEmpty)
    }

    @Test func keepsGapsAndPatternsThatMatch() async throws {
        let (after, _) = try await update(
            cell("rutter> say head 1\\nx\\ny\\nmid 2\\ntail", "head <<int>>", "...", "mid <<n=int>>", "old"))
        #expect(
            after
                == cell(
                    "rutter> say head 1\\nx\\ny\\nmid 2\\ntail", "head <<int>>", "...", "mid <<n=int>>",
                    "tail"))
    }

    @Test func addsOutputWhereThereWasNone() async throws {
        let (after, _) = try await update("  ```rutter\n  rutter> say a\\nb\n  ```\n")
        #expect(after == "  ```rutter\n  rutter> say a\\nb\n  a\n  b\n  ```\n")
    }

    @Test func asksBeforeItDropsAPattern() async throws {
        let text = cell("rutter> say six", "<<int>>")
        let (kept, result) = try await update(text)
        #expect(kept == text)
        #expect(result.kept.first?.contains("no terminal to confirm") == true)
        let questions = Mutex<[String]>([])
        let (refused, _) = try await update(text) { question in
            questions.withLock { $0.append(question) }
            return false
        }
        #expect(refused == text)
        #expect(questions.withLock { $0 } == ["a.md:2: drop the pattern `<<int>>`?"])
        let (dropped, _) = try await update(text) { _ in true }
        #expect(dropped == cell("rutter> say six", "six"))
    }

    @Test func asksBeforeItExpectsAnError() async throws {
        let text = cell("rutter> fail E-ONE broken", "fine")
        #expect(try await update(text).text == text)
        #expect(try await update(text) { _ in true }.text == cell("rutter> fail E-ONE broken", "broken"))
        let wanted = cell("rutter> fail E-ONE broken", "old words", flags: "fails")
        #expect(try await update(wanted).text == cell("rutter> fail E-ONE broken", "broken", flags: "fails"))
    }

    @Test func lengthensAFenceThatAnOutputWouldClose() async throws {
        let (after, _) = try await update(
            "~~~rutter\nrutter> say one\\ntwo\nzero\n~~~\n\n"
                + "```rutter\nrutter> say ````\\nx\nold\nrutter> say y\nz\n```\n")
        #expect(
            after == "~~~rutter\nrutter> say one\\ntwo\none\ntwo\n~~~\n\n"
                + "`````rutter\nrutter> say ````\\nx\n````\nx\nrutter> say y\ny\n`````\n")
    }

    @Test func updatesLinesInAnyOrder() async throws {
        let (after, _) = try await update(
            cell("rutter> say c\\n1\\na", "<<int>>", "a", "b", flags: "unordered"))
        #expect(after == cell("rutter> say c\\n1\\na", "<<int>>", "a", "c", flags: "unordered"))
    }

    @Test func keepsNumbersThatAreNearEnough() async throws {
        let (after, _) = try await update(cell("rutter> say 5 a\\nnew", "4 a", "old", flags: "approx"))
        #expect(after == cell("rutter> say 5 a\\nnew", "4 a", "new", flags: "approx"))
    }

    @Test func usesWhatWasCaptured() async throws {
        let text = cell("rutter> say 7", "<<n=int>>") + cell("rutter> say 7\\nb", "<<$n>>", "a")
        #expect(
            try await update(text).text == cell("rutter> say 7", "<<n=int>>")
                + cell("rutter> say 7\\nb", "<<$n>>", "b"))
    }

    @Test func leavesWhatDidNotFailAlone() async throws {
        let text = cell("rutter> say a", "a", flags: "fails")
        let (after, result) = try await update(text) { _ in true }
        #expect(after == text)
        #expect(result.kept.first?.contains("no command failed") == true)
    }

    @Test func leavesAFileThatChangedMeanwhile() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("a.md", cell("rutter> say a", "b"))
        var options = NotebookRunner.Options()
        options.keepsActual = true
        let report = await NotebookRunner(factory: FakeFactory(), options: options).run(file)
        try folder.write("a.md", cell("rutter> say a", "c"))
        let result = await NotebookUpdater(limits: NotebookLimits(), confirm: nil).update(file, report)
        #expect(try folder.read("a.md") == cell("rutter> say a", "c"))
        #expect(result.kept.first?.contains("changed since it was run") == true)
    }

    /// Whatever the outputs: after an update the notebook passes, its inputs and its prose are the same,
    /// and so is every pattern that still matched its line.
    @Test(arguments: 0..<30)
    func anUpdatedNotebookPasses(_ seed: Int) async throws {
        var random = SplitMix(seed: UInt64(seed))
        let indentation = random.pick(["", "  "])
        let ending = random.pick(["\n", "\r\n"])
        let mark = random.pick(["```", "~~~~"])
        var lines = ["Prose \(seed)", ""]
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            lines.append(indentation + mark + "rutter" + random.pick(["", " unordered", " approx"]))
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let output =
                    "k \(Int.random(in: 0...99, using: &random))\\n"
                    + Mischief.text(&random, upTo: 10).replacingOccurrences(
                        of: "\n", with: "\\n", options: .literal
                    )
                    .replacingOccurrences(of: "\r", with: "", options: .literal)
                lines.append(indentation + "rutter> say \(output)")
                lines.append(indentation + "k <<int>>")
                lines += (0..<Int.random(in: 0...3, using: &random)).map { _ in
                    indentation + random.pick(["x", "a", "", "y z"])
                }
            }
            lines += [indentation + mark, "More prose", ""]
        }
        let before = lines.joined(separator: ending)
        let (after, result) = try await update(before)
        #expect(result.kept.isEmpty, "\(result.kept)")
        let old = try NotebookParser().parse(before)
        let new = try NotebookParser().parse(after)
        #expect(new.runnable.map(\.entry.input) == old.runnable.map(\.entry.input))
        #expect(
            after.components(separatedBy: "k <<int>>").count
                == before.components(separatedBy: "k <<int>>").count)
        #expect(
            after.components(separatedBy: "More prose").count
                == before.components(separatedBy: "More prose").count)
        let folder = try TemporaryFolder()
        let report = await NotebookRunner(factory: FakeFactory()).run(try folder.write("b.md", after))
        #expect(report.outcome == .passed, "\(TextReport.text(report))")
    }

    /// End to end: a notebook whose data changed gets new hashes, whether its cells differ or not.
    @Test(arguments: [("old", 1), ("new", 0)])
    func pinsChangedDataAnew(shown: String, differing: Int) async throws {
        let folder = try TemporaryFolder()
        try folder.write("d.txt", "new")
        let stale = String(repeating: "AB", count: 32)
        let hash = try #require(InputData.sha256(of: URL(fileURLWithPath: folder.path("d.txt"))))
        let cells = cell("rutter> read d.txt", shown)
        try folder.write("a.md", "---\ndata:\n  - {file: d.txt, sha256: \(stale)}\n---\n" + cells)
        var options = TestOptions()
        options.paths = [folder.path("a.md")]
        options.update = true
        let sink = Sink()
        let status = await TestRun(
            options: options, worker: fakeWorker(), surroundings: .init(print: sink.print, environment: [:])
        ).run()
        #expect(status == 0, "\(sink.text)")
        #expect(sink.text.contains("pinned `d.txt` again"))
        let text = try folder.read("a.md")
        #expect(
            text == "---\ndata:\n  - {file: d.txt, sha256: \(hash)}\n---\n"
                + cell("rutter> read d.txt", "new"))
    }

    /// While a cell still differs, it is unknown whether the new data is right.
    @Test func doesNotPinDataOfANotebookThatStillDiffers() async throws {
        let folder = try TemporaryFolder()
        try folder.write("d.txt", "new")
        let text =
            "---\ndata:\n  - {file: d.txt, sha256: \(String(repeating: "ab", count: 32))}\n---\n"
            + cell("rutter> read d.txt", "<<int>>")
        let file = try folder.write("a.md", text)
        var options = NotebookRunner.Options()
        options.keepsActual = true
        let report = await NotebookRunner(factory: FakeFactory(), options: options).run(file, named: "a.md")
        #expect(report.changedData.map(\.name) == ["d.txt"])
        _ = await NotebookUpdater(limits: NotebookLimits(), confirm: nil).update(file, report)
        #expect(try folder.read("a.md") == text)
    }
}
