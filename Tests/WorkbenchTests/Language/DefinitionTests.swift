import Foundation
import PluginKit
import Testing

@testable import Workbench

/// `def`, `alias`, `if`, `for`, `source`, `args`, and pipelines in brackets.
@Suite struct DefinitionTests {
    @Test func definitionsHaveTypedParameters() async throws {
        let data = try DataSession()
        #expect(
            await data.run("def far [radius: length = 2km, --twice] { $radius * if($twice == true, 2, 1) }")
                == "")
        #expect(await data.run("far") == "2km")
        #expect(await data.run("far 3km") == "3km")
        #expect(await data.run("far 3km --twice") == "6km")
        #expect(await data.code("far 3s") == "E-UNIT-DIMENSION")
        #expect(await data.code("far 3") == "E-UNIT-DIMENSION")
        #expect(await data.code("far 1km 2km") == "E-ARG-EXTRA")
        #expect(await data.run("help far").contains("far [RADIUS] [--twice]"))
        #expect(await data.run("far --help").contains("far [RADIUS] [--twice]"))
        #expect(await data.session.completions(of: "fa").candidates.map(\.replacement) == ["far"])
        #expect(await data.session.completions(of: "far --t").candidates.map(\.replacement) == ["--twice"])
    }

    /// Text that begins with a command and has a pipe or a path is a command, not a division of
    /// fields.
    @Test func pipelinesInBracketsReadFiles() async throws {
        let data = try DataSession(files: ["a.json": #"[{"n":1},{"n":2}]"#])
        let path = data.folder.appendingPathComponent("a.json").path
        #expect(await data.run("[1 2 3] | where it in (open \(path) | get n) | count") == "2")
        #expect(await data.run("[1 2 3] | where it in (open \(path)).n | count") == "2")
        #expect(await data.run("[{count: 6, first: 2}] | where (count / first) > 2 | count") == "1")
        #expect(await data.run("[{count: 6, first: 2}] | where (count /first) > 2 | count") != "")
        #expect(await data.run("([3 1] | sort) | first") == "1")
    }

    @Test func aDefinitionThatCallsItselfNamesItsPlaceOnce() async throws {
        let data = try DataSession()
        let text = await data.run("def g [] { g }; g")
        #expect(
            text.hasPrefix("error E-DEF-DEPTH: `g` is called more than 64 deep (in `g`, at `g`)\n"), "\(text)"
        )
    }

    @Test func definitionsTakeThePipeAndKeepVariablesToThemselves() async throws {
        let data = try DataSession()
        _ = await data.run("let x = 5\ndef top [n: integer = 1] { let x = 9; sort --descending | first $n }")
        #expect(await data.code("[3 1 2] | top 2") != nil)
        _ = await data.run("def top [n: integer = 1] { sort --descending | first $n }")
        #expect(await data.run("[3 1 2] | top 2") == "3\n2")
        _ = await data.run("def shadow [] { let x = 9; $x }")
        #expect(await data.run("shadow; $x") == "9\n5")
        #expect(await data.run("def both [] { $in | count }; [1 2] | both") == "2")
    }

    /// A declared type that anything passes would be no declaration.
    @Test func aListIsNoNumber() async throws {
        let data = try DataSession()
        _ = await data.run("def howmany [items: list] { $items | count }")
        #expect(await data.run("howmany [1 2 3]") == "3")
        #expect(await data.run("howmany ([{a: 1} {a: 2}] | where a > 1)") == "1")
        #expect(await data.code("howmany 3") == "E-ARG-KIND")
        #expect(await data.code("howmany word") == "E-ARG-KIND")
    }

    /// The default is checked where it is written, and the fix does not repeat it.
    @Test(arguments: ["length = banana", "integer = 1.5", "boolean = yes", "list = 3", "list = [1 2]"])
    func aDefaultOfAnotherKindIsRefused(declared: String) async throws {
        let data = try DataSession()
        #expect(await data.code("def f [x: \(declared)] { $x }") == "E-DEF")
        #expect(await data.run("def f [x: length = banana] { $x }").contains("write banana") == false)
        #expect(await data.code("f") == "E-COMMAND-UNKNOWN")
    }

    @Test func quotedDefaultsAreReadAsOtherText() async throws {
        let data = try DataSession()
        _ = await data.run(#"def f [a: text = "x \"y\"", b: text = 'p\q'] { "$a $b" }"#)
        #expect(await data.run("f") == #"x "y" p\q"#)
        #expect(await data.code(#"def g [a: text = "$x"] { $a }"#) == "E-DEF")
    }

    @Test func recursionEndsWithAnError() async throws {
        let data = try DataSession()
        #expect(await data.code("def f [] { f }; f") == "E-DEF-DEPTH")
        #expect(
            await data.run("def down [n: integer] { if $n > 0 { down ($n - 1) } else { 'done' } }; down 20")
                == "done")
        #expect(await data.code("def g [] { h }") == "E-COMMAND-UNKNOWN")
    }

    @Test(arguments: [
        ("def count [] { 1 }", "E-DEF-TAKEN"), ("def notebook [] { 1 }", "E-DEF-TAKEN"),
        ("alias sort = first", "E-DEF-TAKEN"),
        ("def f [a: nosuch] { 1 }", "E-DEF"), ("def f [a a] { 1 }", "E-DEF"),
        ("def f [a = 1, b] { 1 }", "E-DEF"),
        ("def f [] { 1 +", "E-SYNTAX-UNFINISHED"), ("def f [] { nosuch }", "E-COMMAND-UNKNOWN"),
        ("def 3f [] { 1 }", "E-DEF"),
        ("alias x = 1 + 1", "E-DEF"), ("if 3 { 1 }", "E-TYPE"), ("if true 1", "E-SYNTAX"),
        ("for x in 3 { $x }", "E-DATA-ROWS"),
        ("if true { 1 } else", "E-ARG-MISSING"), ("args [n: integer]", "E-SCRIPT-ARGS"),
    ])
    func errors(line: String, code: String) async throws {
        #expect(await (try DataSession()).code(line) == code, "\(line)")
    }

    @Test func anErrorInABodyNamesTheDefinition() async throws {
        let data = try DataSession()
        _ = await data.run("def bad [] { 1 + 2km }")
        #expect(
            await data.run("bad").hasPrefix(
                "error E-UNIT-DIMENSION: a bare number and a length cannot be combined with `+` (in `bad`, at `1 + 2km`)\n  bad\n  ^^^"
            ))
    }

    @Test func aliasesTakeFurtherWords() async throws {
        let data = try DataSession()
        #expect(await data.run("alias big = where it > 2; [1 3 5] | big and it < 5") == "3")
        #expect(await data.run("alias n = count; [1 2] | n") == "2")
        #expect(await data.run("[1 3 5] | big and \\\n it < 5") == "3")
        #expect(await data.run("[1 3 5] | big and \\\r\n it < 5; 7") == "3\n7")
    }

    @Test func whatAnAliasLeavesOpenIsNotTheEntrysEnd() async throws {
        let data = try DataSession()
        #expect(await data.run("alias two = first 2; [1 2 3] | two \\\n\n") == "1\n2")
        #expect(await data.code("[1 2 3] | two\\ ") == "E-SYNTAX")
    }

    @Test func statements() async throws {
        let data = try DataSession()
        #expect(await data.run("for x in [1 2] { $x; $x * 10 }") == "1\n10\n2\n20")
        #expect(await data.run("let t = 0; for x in (range 1 4) { let t = $t + $x }; $t") == "10")
        #expect(await data.run("if 1 > 2 { 'a' } else if 2 > 1 { 'b' } else { 'c' }") == "b")
        #expect(await data.run("if false { 'a' }") == "")
        #expect(await data.run("let y = if true { 3 }; $y") == "3")
        #expect(await data.code("for x in [1 2] { $x }; $x") == "E-VARIABLE-UNKNOWN")
        #expect(await data.code("for x in (range 1 9) { if $x == 3 { nosuch } }") == "E-COMMAND-UNKNOWN")
    }

    @Test func pipelinesInBracketsAreValues() async throws {
        let data = try await DataSession.withHuts()
        #expect(await data.run("(range 1 3 | sum) + 1") == "7")
        #expect(await data.run("$huts | where beds == ($huts | max beds) | get name") == "Illa")
        #expect(await data.run("$huts | where name in ($huts | where beds > 40 | get name) | count") == "2")
        #expect(await data.run("[1 2] | first (range 1 1 | count)") == "1")
        #expect(await data.run("(($huts | count) * 2)") == "6")
        #expect(await data.code("(nosuch list)") == "E-SYNTAX")
    }

    @Test("nested brackets do not double the work", .timeLimit(.minutes(10)))
    func hostileBrackets() async throws {
        let data = try DataSession()
        for piece in ["(", "(first ", "(first - (", "round(", "{a: ", "(1 | first ("] {
            #expect(await data.code(String(repeating: piece, count: 99)) != nil)
        }
    }

    @Test func recordsAreValues() async throws {
        let data = try DataSession()
        #expect(await data.run("{name: 'Hut', at: 46.5,7.9, 'two words': 3}.at") == "46.5,7.9")
        #expect(
            await data.run("[1 2] | each {n: it, twice: it * 2} | to json --compact")
                == #"[{"n":1,"twice":2},{"n":2,"twice":4}]"#)
        #expect(await data.code("{a: 1, a: 2}") == "E-SYNTAX")
        #expect(await data.code("{a 1}") == "E-SYNTAX")
        #expect(await data.code("{a: 1") == "E-SYNTAX-UNFINISHED")
    }

    @Test func sourcedFilesNameTheirPlace() async throws {
        let data = try DataSession(files: [
            "ok.rut": "args [n: integer = 2]\nlet m = $n * 10\n", "bad.rut": "let a = 1\n\n$a |\n  frist\n",
            "loop.rut": "source loop.rut\n",
        ])
        #expect(await data.run("source ok.rut; $m") == "20")
        #expect(await data.run("source ok.rut 7; $m") == "70")
        #expect(await data.code("source ok.rut x") == "E-SCRIPT-ARGS")
        #expect(await data.run("source bad.rut").contains("  at bad.rut:4:3\n"))
        #expect(await data.code("source loop.rut") == "E-DEF-DEPTH")
    }

    @Test func scriptsAreSplitWhereEntriesAreComplete() {
        let text = "# first\nlet x = [1\n2]\ndef f [] {\n  1\n}\n\nf |\ncount\n"
        #expect(ScriptText.entries(of: text).map(\.line) == [1, 2, 4, 8])
    }
}
