import PluginTestKit
import Testing

@testable import Workbench

/// Signs that word processors and phones put in the place of the language's own: an error that says what to write, never a text that
/// nothing equals.
@Suite struct TypographicSignTests {
    /// An entry as it was pasted, and as it was meant.
    @Test(arguments: [
        ("[{a: 1}] | where a == “x”", "[{a: 1}] | where a == \"x\""), ("‘a’", "\"a\""), ("„a“", "\"a\""),
        ("«a»", "\"a\""), ("[1 2] | first —all", "[1 2] | first --all"), ("5 × 3", "5 * 3"),
        ("3 − 1", "3 - 1"),
        ("[−5 3]", "[-5 3]"), ("6 ÷ 2", "6 / 2"), ("1\u{A0}+\u{A0}1", "1 + 1"), ("1+1\u{200B}", "1+1"),
        ("[1 2] ｜ count", "[1 2] | count"), ("'A – “B”' == “A”", "'A – “B”' == \"A\""),
    ])
    func signsAreNamedAndMended(_ pasted: String, _ meant: String) async throws {
        let failure = try #require(try await TestSession().result(pasted).failure)
        #expect(failure.code == "E-SYNTAX")
        let fix = try #require(failure.fix)
        #expect(fix.hasSuffix(": " + meant))
        #expect(TypographicSigns.fault(in: meant) == nil)
    }

    /// In texts and comments, and within words, they are what they are.
    @Test(arguments: [
        "'“x” – y'", "\"a\\\\\" + \"“\"", "1 # – “x”", "'O’Brien' + '×'", "\"a \\\" “b”\"", "[\"—\"]",
        "{name: Fünf–Sechs}",
    ])
    func textsKeepThem(_ entry: String) async throws {
        #expect(TypographicSigns.fault(in: entry) == nil)
        #expect(try await TestSession().result(entry).failure == nil)
    }

    /// What people type in other programs, or copy with a prompt.
    @Test(arguments: [
        ("?", "`help`"), (":q", "`quit`, or Ctrl-D"),
        ("\\q", "`quit`, or Ctrl-D"),
        ("$ rutter first 2", "leave the prompt out: first 2"), ("x = 5", "to set a variable: let x = 5"),
        ("rutter> 1 + 1", "leave the prompt out: 1 + 1"), ("$ rutter 'a  b'", "leave the prompt out: 'a  b'"),
    ])
    func habitsOfOtherPrograms(_ entry: String, _ fix: String) async throws {
        #expect(try await TestSession().result(entry).failure?.fix == fix)
    }
}
