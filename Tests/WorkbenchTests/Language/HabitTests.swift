import PluginKit
import PluginTestKit
import Testing

@testable import Workbench

@Suite("Words of other tools")
struct HabitTests {
    private static let huts = "name,beds,owner\nIlla,50,COMU\nPerafita,6,\nRuhle,58,CAF\n"

    @Test("other names of commands run as the commands do, and help shows these")
    func otherNames() async throws {
        let data = try DataSession(files: ["h.csv": Self.huts])
        let same = [
            ("length", "count"), ("avg beds", "mean beds"), ("sort-by beds", "sort beds"),
            ("group-by owner", "group owner"), ("take 2", "first 2"), ("head 2", "first 2"),
            ("limit 2", "first 2"), ("tail 1", "last 1"), ("filter beds > 50", "where beds > 50"),
            ("uniq owner", "unique owner"), ("tac", "reverse"), ("get beds | math sum", "get beds | sum"),
            ("math max beds", "max beds"), ("get name | str join ', '", "get name | concat ', '"),
            ("to md", "to markdown"),
            ("sort-by beds -r", "sort beds --descending"), ("sort beds --reverse", "sort beds --descending"),
            ("to ndjson", "to jsonl"), ("to csv | from tsv", "to csv | from csv"),
        ]
        for (other, name) in same {
            let expected = await data.run("open h.csv | \(name)")
            #expect(await data.run("open h.csv | \(other)") == expected, "\(other)")
        }
        for (other, name) in Habits.commands where name != "quit" {
            #expect(await data.run("help \(other)").hasPrefix("\(name):"), "\(other)")
        }
    }

    @Test("a definition comes before another name, and can use other names")
    func definitions() async throws {
        let data = try DataSession()
        #expect(await data.run("def many [] { length }; [1 2] | many") == "2")
        _ = await data.run("def take [] { 'mine' }")
        #expect(await data.run("[1 2] | take") == "mine")
    }

    /// Every fix that names a command behind a bar runs with what was typed.
    @Test("the fix of every habit runs")
    func fixes() async throws {
        let data = try DataSession(files: ["h.csv": Self.huts])
        for word in Habits.fixes.keys.sorted() {
            guard let fix = Habits.fix(for: word, followedBy: " beds owner 2"),
                let bar = fix.range(of: "… | ")
            else { continue }
            let step = fix[bar.upperBound...].prefix { $0 != ";" && $0 != "," }
                .replacing("NAME=EXPRESSION", with: "twice=beds * 2").replacing(
                    "distance / 2", with: "beds / 2")
            if step.contains("from lines") || step.contains("sql ") { continue }
            let code = await data.code("open h.csv | \(step)")
            #expect(code == nil, "\(word): \(step)")
        }
    }

    @Test("help finds what was defined after its index was made")
    func definitionsAreFound() async throws {
        let data = try DataSession()
        #expect(await data.code("help frobnicate") == "E-HELP-NOTHING")
        #expect(await data.run("frobnicate 1").contains("`help commands`"))
        _ = await data.run("def frobnicate-huts [n: number] { $n }")
        let found = await data.run("help frobnicate these huts")
        #expect(found.contains("frobnicate-huts"), "\(found)")
    }

    @Test("notes and errors name lengths in the units of the session")
    func unitsOfMessages() async throws {
        let session = try TestSession(plugins: { [NotePlugin()] })
        #expect(await session.run("far") == "1km away")
        #expect(await session.run("set units imperial; far").hasSuffix("0.621mi away"))
        #expect(await session.run("set units metric; far").hasSuffix("1km away"))
    }

    private struct NotePlugin: Plugin {
        let name = "notes"
        let summary = "notes for tests"
        let version = "1.0"
        var commands: [any CommandProvider] { [FarCommand()] }
    }

    private struct FarCommand: CommandProvider {
        let name = "far"
        var command: Command {
            Command(
                name, "say how far", output: .value("text"), effect: .pure, examples: [.init("a note", "far")]
            ) { _ in
                .text("\(Literal.inMessage(.metres(1000))) away")
            }
        }
    }

    @Test("a value of the pipe is never left unused")
    func unused() async throws {
        let data = try DataSession(files: ["h.csv": Self.huts])
        for entry in ["[1 2] | range 1 3", "open h.csv | open h.csv", "5 | clock", "open h.csv | help"] {
            #expect(await data.code(entry) == "E-INPUT-KIND", "\(entry)")
        }
        #expect(await data.code("range 1 3 | count") == nil)
    }

    @Test("what replaces a function of other languages is named, and runs")
    func functions() async throws {
        let data = try DataSession()
        for habit in FunctionHabit.all {
            // `sql` is a plugin's: the tests of the whole program run those.
            if !habit.example.contains("| sql ") {
                #expect(await data.code(habit.example) == nil, "\(habit.example)")
            }
            for name in habit.names {
                let failure = await data.session.run("[{x: 1}] | each \(name)(x)").failure
                #expect(failure?.code == "E-FUNCTION-UNKNOWN", "\(name)")
                #expect(failure?.fix == habit.fix, "\(name)")
            }
        }
        #expect(await data.session.run("Len('a')").failure?.fix != nil)
    }

    @Test("the fix of a comparison names the field, and what reads its text")
    func comparisons() async throws {
        let data = try DataSession(files: [
            "a.json": "[{\"v\": \"10\", \"t\": \"2026-03-01T10:00:00Z\", \"d\": \"25/04/2026\"}]"
        ])
        func fix(_ condition: String) async -> String? {
            await data.session.run("open a.json | where \(condition)").failure?.fix
        }
        #expect(await fix("v > 9") == "a number in a text: number(v)")
        #expect(await fix("t > 2026-02-01") == "a date in a text: parse(t)")
        #expect(await fix("d > 2026-02-01") == "a date in a text: date(d, 'd/M/yyyy')")
        let conditions = ["number(v) > 9", "parse(t) > 2026-02-01", "date(d, 'd/M/yyyy') > 2026-02-01"]
        for condition in conditions {
            #expect(await data.run("open a.json | where \(condition) | count") == "1", "\(condition)")
        }
    }
}
