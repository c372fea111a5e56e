import Foundation
import PluginKit
import PluginTestKit
import Testing

/// `notebook run|save|test` in a session: nested notebooks, the files that they may access, and the content
/// of saved ones.
struct NotebookCommandTests {
    private let test: TestSession

    init() throws { test = try TestSession() }

    private func write(_ name: String, _ cells: String...) throws {
        // Long enough for a machine that is busy with other tests.
        let blocks = cells.map { "```rutter\n\($0)\n```\n" }.joined(separator: "\n")
        let text = "---\ntimeout: 600s\n---\n# N\n\n" + blocks
        try Data(text.utf8).write(to: test.folder.url.appendingPathComponent(name))
    }

    private func read(_ name: String) throws -> String {
        try String(contentsOf: test.folder.url.appendingPathComponent(name), encoding: .utf8)
    }

    private func code(_ entry: String) async -> String? { await test.result(entry).failure?.code }

    // MARK: Settings

    @Test("a notebook that runs in a session has its own settings, and leaves the session's as they were")
    func ownSettings() async throws {
        let text = """
            ---
            timeout: 600s
            seed: 11
            clock: 2020-01-02T03:04:05Z
            timezone: Asia/Tokyo
            units: imperial
            ---
            # N

            ```rutter
            rutter> now
            2020-01-02T12:04:05+09:00
            rutter> (100m in m) + 0ft
            328.084ft
            rutter> set | where setting == color | get value
            false
            ```
            """.replacing("rutter> now", with: "rutter> (now)")
        try Data((text + "\n").utf8).write(to: test.folder.url.appendingPathComponent("own.md"))
        _ = await test.run("set color true; set timezone Europe/Zurich; seed 5")
        let before = await test.run("(now)")
        let shown = await test.run("notebook run own.md")
        #expect(shown.hasSuffix("1 cell ran, all as expected"), "\(shown)")
        #expect(await test.run("(now)") == before)
        #expect(await test.run("set | where setting == timezone | get value") == "Europe/Zurich")
        #expect(await test.run("set | where setting == color | get value") == "true")
    }

    // MARK: Nesting

    @Test func aNotebookDoesNotRunItself() async throws {
        try write("self.md", "rutter> notebook run self.md\n")
        let shown = await test.run("notebook run self.md")
        #expect(shown.contains("E-NOTEBOOK-RECURSION"))
        #expect(shown.contains("self.md is already running"))
        #expect(await test.run("1 + 1") == "2")
        try write("other.md", "rutter> notebook run ./first.md\n")
        try write("first.md", "rutter> notebook run other.md\n")
        #expect(await test.run("notebook run first.md").contains("first.md is already running"))
    }

    @Test func neitherByTestingItself() async throws {
        try write("self.md", "rutter> notebook test self.md | get reason\n")
        #expect(await test.run("notebook test self.md | get outcome").hasPrefix("failed"))
        try write("b.md", "rutter> notebook test a.md | get outcome\n")
        try write("a.md", "rutter> notebook test b.md | get reason\n")
        #expect(await test.run("notebook test a.md | get outcome").hasPrefix("failed"))
        // Through a link it is still the same.
        try FileManager.default.createSymbolicLink(
            atPath: test.folder.url.appendingPathComponent("link.md").path, withDestinationPath: "linked.md")
        try write("linked.md", "rutter> notebook run link.md\n")
        #expect(await test.run("notebook run linked.md").contains("E-NOTEBOOK-RECURSION"))
    }

    @Test func notebooksInsideOfOneAnotherHaveALimit() async throws {
        for depth in 0..<12 { try write("n\(depth).md", "rutter> notebook run n\(depth + 1).md\n") }
        try write("n12.md", "rutter> 1 + 1\n2")
        #expect(await test.run("notebook run n0.md").contains("exceeds 8 levels"))
        #expect(await test.run("notebook run n6.md").contains("rutter> 1 + 1\n2"))
    }

    // MARK: Confinement

    @Test func cellsKeepToTheNotebooksFiles() async throws {
        try FileManager.default.createDirectory(
            at: test.folder.url.appendingPathComponent("in"), withIntermediateDirectories: false)
        try Data("1\n".utf8).write(to: test.folder.url.appendingPathComponent("outside.txt"))
        try Data("[7]".utf8).write(to: test.folder.url.appendingPathComponent("in/beside.json"))
        let escape = FileManager.default.temporaryDirectory.appendingPathComponent("rutter-\(UUID()).txt")
        try write(
            "in/n.md",
            """
            rutter> open /etc/hostname
            rutter> open ../outside.txt
            rutter> 'x' | save \(escape.path)
            rutter> 'x' | save ../escape.txt
            rutter> open beside.json | get 0
            rutter> 'kept' | save kept.txt
            rutter> open kept.txt
            """)
        let shown = await test.run("notebook run in/n.md")
        #expect(shown.components(separatedBy: "\nerror E-FILE-CONFINED").count == 5, "\(shown)")
        #expect(!FileManager.default.fileExists(atPath: escape.path))
        #expect(!FileManager.default.fileExists(atPath: test.folder.url.path + "/escape.txt"))
        #expect(shown.contains("rutter> open kept.txt\nkept"))
        #expect(FileManager.default.fileExists(atPath: test.folder.url.path + "/workspace/files/kept.txt"))
        // Afterwards the session has its own files again.
        #expect(await test.run("open outside.txt").hasPrefix("1"))
        #expect(await code("open /etc/hostname") == nil)
    }

    @Test func missingDataIsTold() async throws {
        try Data("---\ndata: [none.gpx]\n---\n```rutter\nrutter> 1\n1\n```\n".utf8).write(
            to: test.folder.url.appendingPathComponent("n.md"))
        let result = await test.result("notebook run n.md")
        #expect(result.failure?.code == "E-NOTEBOOK-DATA")
        #expect(result.failure?.message == "the data file `none.gpx` is missing")
    }

    // MARK: Verdicts

    @Test func aNotebookThatDiffersFails() async throws {
        try write("n.md", "rutter> 1 + 1\n3", "rutter> 2 + 2\n4")
        let run = await test.result("notebook run n.md")
        #expect(run.failure?.code == "E-NOTEBOOK-DIFFERS")
        #expect(run.failure?.message == "1 of 2 cells of n.md differ")
        #expect(run.output.contains("-3\n+2"))
        #expect(run.output.hasSuffix("2 cells ran, 1 not as expected"))
        #expect(await code("notebook run n.md --to 1") == "E-NOTEBOOK-DIFFERS")
        let tested = await test.result("notebook test n.md | get outcome")
        #expect(tested.output == "failed")
        #expect(tested.failure?.code == "E-NOTEBOOK-DIFFERS")
        // The failure belongs to that entry alone, and ends it.
        #expect(await test.run("1 + 1") == "2")
        #expect(await test.result("notebook run n.md; 5").output.hasSuffix("not as expected"))
    }

    @Test func aRunStopsAtACell() async throws {
        try write("n.md", "rutter> let a = 1", "rutter> let a = 2", "rutter> let a = 3")
        #expect(await test.run("notebook run n.md --to 2").hasSuffix("2 cells ran, all as expected"))
        #expect(await test.run("$a") == "2")
        #expect(await code("notebook run n.md --to 4") == "E-NOTEBOOK-NOCELL")
    }

    // MARK: Saving

    @Test func whatComesBeforeThePartThatIsSavedIsKept() async throws {
        await test.run("let x = 5km")
        await test.run("2km > 3s")
        await test.run("$x * 2")
        #expect(
            await test.run("notebook save part.md --from 3")
                == "1 entry, after 2 that prepare them, written to part.md; `rutter test part.md` reruns them"
        )
        let text = try read("part.md")
        #expect(text.contains("```rutter nocheck\nrutter> let x = 5km\n```"))
        #expect(text.contains("```rutter nocheck fails\nrutter> 2km > 3s\n"))
        #expect(text.contains("```rutter\nrutter> $x * 2\n10km\n```"))
        #expect(await test.run("notebook test part.md | get outcome") == "passed")
    }

    @Test func thereMustBeSomethingToSave() async throws {
        #expect(await code("notebook save none.md") == "E-NOTEBOOK-NOENTRY")
        #expect(await code("notebook save none.md --from 7") == "E-NOTEBOOK-NOENTRY")
        #expect(!FileManager.default.fileExists(atPath: test.folder.url.path + "/none.md"))
    }

    /// What depends on the screen, the user's settings or the number of entries cannot fail a rerun.
    @Test func settingsOfTheScreenDoNotFailARerun() async throws {
        await test.run("set color true")
        await test.run("nosuch")
        #expect(await test.run("set color | get value") == "true")
        await test.run("help where")
        await test.run("config path")
        await test.run("history | count")
        await test.run("set timezone Europe/Rome")
        #expect(await test.run("notebook save c.md").contains("about your settings"))
        let text = try read("c.md")
        #expect(!text.contains("config path") && !text.contains("x{1b}") && !text.contains("\u{1B}"))
        #expect(await test.run("notebook test c.md | get outcome") == "passed")
    }

    @Test func dataIsPinnedWhenItIsSaved() async throws {
        try Data("[1]".utf8).write(to: test.folder.url.appendingPathComponent("data.json"))
        await test.run("open data.json | count")
        await test.run("notebook save n.md")
        // sha256sum of [1]
        let hash = "080a9ed428559ef602668b4c00f114f1a11c3f6b02a435f0bdc154578e4d7f22"
        #expect(try read("n.md").contains(hash))
        #expect(await test.run("notebook test n.md | get outcome") == "passed")
        try Data("[2]".utf8).write(to: test.folder.url.appendingPathComponent("data.json"))
        #expect(await test.run("notebook test n.md | get outcome") == "passed")
    }

    @Test func aWorkspaceThatWasNotEmptyIsToldOf() async throws {
        let folder = test.folder.url.appendingPathComponent("workspace")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data().write(to: folder.appendingPathComponent("waypoints.db"))
        await test.run("1 + 1")
        #expect(await test.run("notebook save n.md").contains("the workspace was not empty"))
    }
}
