import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import Workbench

@Suite("Commands that choose, order and combine rows")
struct RowCommandTests {
    @Test("every example prints what it says")
    func examples() async throws {
        let data = try DataSession()
        let failures = await ExampleRunner.failures(in: DataCommands.rows + DataCommands.files) {
            let folder = data.folder.appendingPathComponent(UUID().uuidString, isDirectory: true)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            return try DataSession.session(in: folder)
        }
        #expect(failures == [])
    }

    @Test("error codes of the data commands are distinct and explained")
    func errorKinds() {
        let codes = DataErrors.all.map(\.code)
        #expect(Set(codes).count == codes.count)
        #expect(DataErrors.all.allSatisfy { !$0.explanation.isEmpty })
    }

    @Test("a stream of a billion rows is not made", .timeLimit(.minutes(10)))
    func laziness() async throws {
        let data = try DataSession()
        #expect(await data.run("range 1 1000000000 | where it > 5 | first 3") == "6\n7\n8")
        #expect(await data.run("range 1 1000000000 | each it * 2 | skip 4 | first") == "10")
        #expect(await data.run("range 1 1000000000 | unique | first 2 | to json") == "[1, 2]")
        #expect(await data.run("range 1 1000000000 | get 3") == "4")
    }

    @Test("a stopped command ends with E-INTERRUPTED")
    func cancellation() async throws {
        let meter = RowMeter()
        let data = try DataSession(progress: ProgressReporter(rows: meter))
        let task = Task { await data.code("range 1 1000000000 | each it + 1 | count") }
        // On a thread of its own: the command holds one of the few that all tests share.
        Thread.detachNewThread {
            while meter.total == 0 { usleep(1000) }
            task.cancel()
        }
        #expect(await task.value == "E-INTERRUPTED")
    }

    @Test("select keeps the order given, and knows fields of fields")
    func select() async throws {
        let data = try await DataSession.withHuts()
        #expect(
            await data.run("$huts | select beds name | first | to json") == #"{"beds": 50, "name": "Illa"}"#)
        #expect(
            await data.run("'[{\"at\":{\"lat\":1}}]' | from json | select at.lat | to json")
                == "[\n  {\"lat\": 1}\n]")
        #expect(await data.run("42.5,1.5 | get latitude") == "42.5deg")
    }

    @Test("a missing field is underlined, with the nearest name")
    func missingField() async throws {
        let data = try await DataSession.withHuts()
        #expect(
            await data.run("$huts | select nme") == """
                error E-FIELD-UNKNOWN: unknown field `nme`
                  $huts | select nme
                                 ^^^
                did you mean `name`?
                fix: known fields: name, beds, valley
                """)
        for command in ["get x", "sort x", "sum x", "group x", "unique x", "rename x y", "join $huts --on x"]
        {
            #expect(await data.code("$huts | \(command)") == "E-FIELD-UNKNOWN", "\(command)")
        }
        #expect(await data.code("$huts | select name name") == "E-DATA-DUPLICATE")
    }

    @Test("an error that shows while rows are made points to the command that makes them")
    func laterErrors() async throws {
        let data = try DataSession()
        #expect(
            await data.run("range 1 3 | select x | first").hasPrefix(
                """
                error E-FIELD-UNKNOWN: a number has no field `x`
                  range 1 3 | select x | first
                                     ^
                """))
        _ = await data.run("let s = range 1 3 | select x")
        #expect(await data.run("$s | first").contains("  $s | first\n       ^^^^^"))
    }

    @Test("rows that lack a field: an error, or nothing on request")
    func raggedRows() async throws {
        let data = try DataSession(files: ["r.json": #"[{"a":1},{"a":2,"b":3}]"#])
        #expect(await data.run("open r.json | select b | to json --compact") == #"[{"b":null},{"b":3}]"#)
        #expect(await data.code("open r.json | select c") == "E-FIELD-UNKNOWN")
        #expect(await data.run("open r.json | get b --optional | count") == "2")
        #expect(
            await data.run("open r.json | select a b --optional | to json --compact")
                == #"[{"a":1,"b":null},{"a":2,"b":3}]"#)
    }

    @Test("commands for rows refuse single values")
    func notRows() async throws {
        let data = try DataSession()
        for command in ["count", "sort", "reverse", "last", "sum", "group x", "unique", "skip 1", "each it"] {
            #expect(await data.code("5 | \(command)") == "E-DATA-ROWS", "\(command)")
        }
    }

    @Test("last, skip, reverse at the edges")
    func edges() async throws {
        let data = try DataSession()
        #expect(await data.run("[] | last") == "")
        #expect(await data.run("[1 2 3] | last 0 | count") == "0")
        #expect(await data.run("[1 2 3] | last 9 | count") == "3")
        #expect(await data.run("[1 2 3] | skip 9 | count") == "0")
        #expect(await data.run("[] | reverse") == "(empty list)")
        #expect(await data.code("[1 2 3] | get -4") == "E-INDEX")
        #expect(await data.code("[1 2 3] | get 3") == "E-INDEX")
    }

    @Test("sort: what is missing comes last in both directions, kinds are not mixed")
    func sort() async throws {
        let data = try DataSession(files: ["s.json": #"[{"v":2},{"v":null},{"v":1.5},{"v":3}]"#])
        #expect(await data.run("open s.json | sort v | get v | to json") == "[1.5, 2, 3, null]")
        #expect(await data.run("open s.json | sort v --descending | get v | to json") == "[3, 2, 1.5, null]")
        #expect(await data.code("[1 'a'] | sort") == "E-DATA-MIXED")
        #expect(await data.code("[1m 1s] | sort") == "E-DATA-MIXED")
        #expect(await data.code("[1.0,2 3.0,4] | sort") == "E-DATA-ORDER")
        #expect(await data.run("[3.0,4 1.0,2] | sort latitude | first") == "1,2")
        #expect(await data.run("[true false] | sort | first") == "false")
    }

    @Test("group, unique and join take equal values for the same whatever their form")
    func equality() async throws {
        let data = try await DataSession.withHuts()
        #expect(await data.run("[1 1.0 2km 2000m nothing nothing] | unique | count") == "3")
        #expect(await data.run("$huts | group valley | get count") == "2\n1")
        _ = try await data.value(
            "let v = '[{\"valley\":\"Madriu\",\"name\":\"x\"},{\"valley\":null,\"name\":\"y\"}]' | from json")
        #expect(
            await data.run("$huts | join $v --on valley | last | to json")
                == #"{"name": "Perafita", "beds": 6, "valley": "Madriu", "rightName": "x"}"#)
        #expect(
            await data.run("$huts | join $v --on valley --kind left | get rightName | to json")
                == #"["x", null, "x"]"#)
        #expect(await data.code("$huts | join $v") == "E-ARG-MISSING")
        #expect(await data.code("$huts | join 5 --on valley") == "E-DATA-ROWS")
    }

    @Test("sums keep units, whole numbers and precision")
    func aggregates() async throws {
        let data = try DataSession()
        #expect(await data.run("[1km 500m 250m] | sum") == "1.75km")
        #expect(await data.run("[9223372036854775807 1] | sum") == "9223372036854775808")
        // 1 + 1e100 + 1 − 1e100 is 2, and 0 without compensation (Neumaier's own example).
        #expect(await data.run("[1 1e100 1 -1e100] | sum") == "2")
        #expect(await data.run("range 1 10 | each it * 0.1 | sum") == "5.5")
        #expect(await data.run("[1h 30min] | mean") == "45min")
        #expect(await data.run("[] | sum") == "0")
        #expect(await data.run("[] | mean; [] | min; [] | max") == "")
        #expect(await data.run("[2026-02-06 2025-02-06] | min") == "2025-02-06")
        #expect(await data.run("['b' 'a'] | max") == "b")
        #expect(await data.code("['a'] | sum") == "E-DATA-NUMBERS")
        #expect(await data.code("[1m 1] | sum") == "E-DATA-MIXED")
        #expect(await data.code("[1m 1s] | max") == "E-DATA-MIXED")
        let huts = try await DataSession.withHuts()
        #expect(await huts.code("$huts | sum") == "E-DATA-FIELD")
        #expect(await huts.code("$huts | sort") == "E-DATA-FIELD")
    }

    @Test("range: ends, steps and what cannot be")
    func range() async throws {
        let data = try DataSession()
        #expect(await data.run("range 0 1 --step 0.1 | count") == "11")
        #expect(await data.run("range 5 5") == "5")
        #expect(
            await data.run("\"[9223372036854775806,9223372036854775807]\" | from json | sum")
                == "18446744073709551613")
        #expect(await data.run("range 1km 0km --step -500m | last") == "0m")
        for line in ["range 1 2 --step 0", "range 1 2 --step -1", "range 0m 1km", "range 0m 1km --step 1s"] {
            #expect(await data.code(line) == "E-DATA-STEP", "\(line)")
        }
        #expect(await data.code("range 0m 1s --step 1s") == "E-TYPE")
    }

    @Test("rename and each")
    func renameAndEach() async throws {
        let data = try await DataSession.withHuts()
        #expect(
            await data.run("$huts | rename beds places | describe | get fields | get field")
                == "name\nplaces\nvalley")
        #expect(await data.code("$huts | rename beds name") == "E-DATA-DUPLICATE")
        #expect(await data.run("$huts | each beds * 2 | max") == "100")
        #expect(await data.code("$huts | each bets") == "E-FIELD-UNKNOWN")
    }

    @Test("describe lists kinds, counts and examples")
    func describe() async throws {
        let data = try DataSession(files: ["m.json": #"[{"v":2,"w":null},{"v":"a","w":null}]"#])
        #expect(
            await data.run("open m.json | describe") == """
                table of 2 rows
                field  kind            filled  missing  min  max  example
                v      number or text       2        0                  2
                w      nothing              0        2
                """)
        #expect(await data.run("[1 2km] | describe") == "list of 2 items: number or length")
        #expect(await data.run("[] | describe | get kind") == "list")
        #expect(await data.run("42.5,1.5 | describe | get fields.0.value") == "42.5deg")
        #expect(await data.run("[nothing] | first | describe") == "nothing")
    }

    /// The columns that `describe` shows are those of the rows that it holds, and so are the rows of an answer in JSON.
    @Test(arguments: [
        ("open m.json | describe | select field kind", "get fields"),
        ("open m.json | describe | where kind == text", "get fields | where"),
        ("{data: [{a: 1} {a: 2}] total: 2} | where a > 1", "get data | where"),
        ("{data: [{a: 1} {a: 2}] total: 2} | get a", "get data"),
    ])
    func rowsWithinAValueAreNamed(entry: String, fix: String) async throws {
        let data = try DataSession(files: ["m.json": #"[{"v":2,"w":null},{"v":"a","w":null}]"#])
        let shown = await data.run(entry)
        #expect(shown.contains("fix: ") && shown.contains(fix), "\(shown)")
        #expect(await data.code("open m.json | describe | get fields | select field kind") == nil)
    }
}
