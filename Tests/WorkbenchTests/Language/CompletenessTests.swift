import PluginTestKit
import Testing

@testable import Workbench

/// Completeness and the parser agree; the fuzz tests check it for generated entries.
@Suite struct CompletenessTests {
    @Test(
        "entries that go on",
        arguments: [
            "(", "[1 2", "'a", "\"a", "\"a\\", "\"a\\\"", "\"${x", "\"${x[\"a\"]", "[1] |", "[1] | # comment",
            "1 + \\",
            "[1] |\n", "[1] | \\\n ", "f(']'", "'\n\n", "[1 ( 2", "\"a\" + \"b",
            "def f [n: number] {count]", "def f [] { ) ", "alias n = first [1 }",
        ])
    func incomplete(entry: String) async throws {
        #expect(Completeness.isIncomplete(entry))
        #expect(try await TestSession().result(entry).failure != nil)
    }

    @Test(
        "entries that do not go on",
        arguments: [
            "", "1", "1 +", "(1)", "'a'", "\"a\\\"\"", "\"${x[\"a b\"]}\"", "help don't", "help 5\"", "# (",
            "1 # '",
            "'('", "\"[\"", ")", "a\\b", "'\\'", "1 + \\\n", "x'", "[1] | count # |", "a#(]",
            "[{k: 1}] | summarize count() mean'(k)", "[{k: 1}] | extend n=l'ength(k)",
            "[{k: 1}] | summarize count() by k\" true", "alias n = first 2\\; [1 2 3] | n",
            "hut add capacity${ ", "def f [] { hut add a${ }",
            "def f [r: any] { \"${r[\"a\"]}\" }",
        ])
    func complete(entry: String) async throws {
        #expect(!Completeness.isIncomplete(entry))
        #expect(try await TestSession().result(entry).failure?.code != "E-SYNTAX-UNFINISHED")
    }
}
