import Foundation
import PluginKit
import PluginTestKit
import Testing

/// `notebook list`, `notebook show`, `notebook edit`, and cells that run one by one.
struct NotebookPartTests {
    private let test: TestSession
    private static let text = """
        ---
        timeout: 600s
        ---
        # Sums

        ```rutter
        rutter> let n = 2
        ```

        Then more.

        ```rutter
        rutter> $n + 1
        3
        ```

        """

    init() throws {
        test = try TestSession()
        try write("sums.md", Self.text)
    }

    private func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: test.folder.url.appendingPathComponent(name))
    }

    private var text: String {
        get throws {
            try String(contentsOf: test.folder.url.appendingPathComponent("sums.md"), encoding: .utf8)
        }
    }

    private func code(_ entry: String) async -> String? { await test.result(entry).failure?.code }

    @Test func partsAreNumbered() async throws {
        #expect(
            await test.run("notebook show sums.md | select part kind line cell") == """
                part  kind          line  cell
                   1  front matter     1
                   2  prose            4
                   3  cell             6     1
                   4  prose            9
                   5  cell            12     2
                """)
    }

    @Test func theListNamesWhatCannotBeRead() async throws {
        try write("plain.md", "# No cells\n")
        try write("broken.md", "---\nseed: [\n---\n```rutter\nrutter> 1\n1\n```\n")
        #expect(await test.run("notebook list | get file") == "broken.md\nsums.md")
        #expect(
            await test.run("notebook list | where file == 'broken.md' | where problem == nothing | count")
                == "0")
        #expect(await test.run("notebook list | where file == 'sums.md' | get cells") == "2")
    }

    @Test func cellsRunOneByOne() async throws {
        #expect(await test.result("notebook run sums.md --from 2 --to 2").failure != nil)
        #expect(await test.run("notebook run sums.md --to 1").hasSuffix("1 cell ran, all as expected"))
        #expect(await test.run("notebook run sums.md --from 2").contains("rutter> $n + 1\n3"))
        #expect(await code("notebook run sums.md --from 2 --to 1") == "E-ARG-RANGE")
        #expect(await code("notebook run sums.md --from 3") == "E-NOTEBOOK-NOCELL")
    }

    @Test func aPartIsReplacedAndUndone() async throws {
        let entry = "notebook edit sums.md 4 'Then ''less''.'".replacing("''", with: "\"")
        #expect(await test.run(entry) == "replaced part 4 of sums.md: prose")
        #expect(try text == Self.text.replacing("\nThen more.\n\n", with: "Then \"less\".\n"))
        #expect(await test.run("undo") == "undone: edited sums.md")
        #expect(try text == Self.text)
        #expect(await test.run("notebook edit sums.md 5 ''") == "deleted part 5 of sums.md: cell")
        // Later changes by others are not undone.
        try write("sums.md", "# Theirs\n")
        #expect(await code("undo") == "E-NOTEBOOK-CHANGED")
        #expect(try text == "# Theirs\n")
    }

    @Test func nothingIsWrittenOfWhatIsWrong() async throws {
        #expect(await code("notebook edit sums.md 6 'x'") == "E-ARG-RANGE")
        #expect(await code("notebook edit sums.md 1 \"---\\nseed: [\\n---\"") == "E-NOTEBOOK-FRONTMATTER")
        #expect(await code("notebook edit sums.md 4 'x' --revision old") == "E-NOTEBOOK-CHANGED")
        #expect(try text == Self.text)
    }
}
