import Foundation
import Testing

@testable import Workbench

/// Rows and joins whose result is right by the letter and not what a reader expects: said.
@Suite struct RowDoubtTests {
    @Test(arguments: [
        ("a,a,b\n1,2,3\n4,5,6\n", "the name `a` repeats: column 2 is `a2`"),
        ("name,beds\nIlla,50\n,\n,\nUll,12\n", "2 rows of empty cells alone, first line 3"),
        ("part,size\nbolt,\"5 inch\nnut,3\"\nend,1\n", "lines 2 to 3 are one row"),
        ("a,b\n1,\"\"\n2,\n", "--quoted-text` keeps them"),
        ("a,b\nx,\"\"\ny,word\n", "--quoted-text` keeps them"),
        ("a,b\n1,2\n3,4\u{1A}", "(0x1A)"),
    ])
    func doubtsOfRowsAreSaid(text: String, note: String) async throws {
        let data = try DataSession(files: ["d.csv": text])
        let shown = await data.run("open d.csv")
        #expect(shown.contains(note), "\(shown)")
    }

    @Test(arguments: [
        // Texts of several lines among others in quotes.
        "a,b\n\"x\",\"one\ntwo,3\"\n", "a,b\n\"x\",\"\"\n\"y\",\"z\"\n", "v\n\n5\n", "t\n0830\n1215\n1745\n",
    ])
    func othersAreNot(text: String) async throws {
        let data = try DataSession(files: ["d.csv": text])
        let shown = await data.run("open d.csv")
        #expect(!shown.contains("notice") && !shown.contains("note"), "\(shown)")
    }

    @Test func namesOfRowsShiftTheColumns() async throws {
        let data = try DataSession(files: ["r.csv": "name,beds\n1,Illa,50\n2,Ull,12\n"])
        let shown = await data.run("from csv --lenient --file r.csv")
        #expect(shown.contains("one to the right of their names"), "\(shown)")
    }

    private func notices(_ data: DataSession, _ entry: String) async -> String {
        let collector = NoticeCollector()
        _ = await NoticeCollector.$current.withValue(collector) { await data.run(entry) }
        return collector.all.joined(separator: "; ")
    }

    @Test func aLookUpIsNotSaid() async throws {
        let data = try DataSession()
        _ = await data.run("let s = [{k: 1, w: 5}]")
        let said = await notices(data, "[{k: 1, v: 1}, {k: 1, v: 2}] | join $s --on k | count")
        #expect(said.isEmpty, "\(said)")
    }

    @Test func aMissingKeyIsNothing() async throws {
        let data = try DataSession()
        #expect(await data.run("[{a: null, b: 1}, {b: 1}] | unique | count") == "1")
        #expect(await data.run("({a: null, b: 1} == {b: 1})") == "true")
        #expect(await data.run("({a: 2, b: 1} == {b: 1})") == "false")
    }

    /// Clocks of Zürich skip 02:30 in March and show it twice in October.
    @Test(arguments: [("2026-03-29 02:30", "which no clock"), ("2026-10-25 02:30", "show twice")])
    func changesOfTheClocksAreSaid(time: String, note: String) async throws {
        let data = try DataSession(files: ["t.csv": "t\n\(time)\n2026-05-01 12:00\n"])
        _ = await data.run("set timezone Europe/Zurich")
        let shown = await data.run("open t.csv")
        #expect(shown.contains(note), "\(shown)")
        _ = await data.run("set timezone UTC")
        let universal = await data.run("open t.csv")
        #expect(!universal.contains("clock"), "\(universal)")
    }

    /// The natural order of versions is not the one of the numbers they look like, and 59:30 is less than 1:02:03.
    @Test func fixesOfTheOrderOfTextsAreRight() async throws {
        let data = try DataSession(files: [
            "v.csv": "v\n1.10\n1.9\n1.2\nx\n", "d.csv": "d\n1:02:03\n59:30\n2:00:00\n",
            "w.csv": "w\n2026-W9\n2026-W10\n", "m.csv": "m\n2026-2\n2026-10\n",
            "ok.csv": "w\n2026-W09\n2026-W10\n",
        ])
        let versions = await notices(data, "['1.10' '1.9' '1.2'] | sort")
        #expect(versions.contains("of versions, sort --natural"), "\(versions)")
        let most = await data.run("['1.10' '1.9' '1.2'] | max")
        #expect(most.contains("of versions, … | sort --natural | last"), "\(most)")
        let durations = await data.run("open d.csv | max d")
        #expect(!durations.contains("--natural"), "\(durations)")
        for file in ["w.csv", "m.csv"] {
            let said = await notices(data, "open \(file) | sort \(file.prefix(1))")
            #expect(said.contains("--natural"), "\(said)")
            #expect(await data.code("open \(file) | max \(file.prefix(1))") == "E-DATA-TEXT")
        }
        #expect(await data.run("open ok.csv | max w") == "2026-W10")
        #expect(await data.code("('2026-W9' < '2026-W10')") == "E-DATA-TEXT")
    }

    @Test(arguments: ["max('10', '9')", "min('2026-01-05', '5 Jan 2026')", "max(['1,250' '950'])"])
    func functionsRefuseTextsThatLookLikeNumbers(entry: String) async throws {
        let data = try DataSession()
        #expect(await data.code(entry) == "E-DATA-TEXT")
    }

    @Test(arguments: [("max('b', 'a')", "b"), ("max('08:15', '10:05')", "10:05"), ("max(3, null, 7)", "7")])
    func othersAreCompared(entry: String, most: String) async throws {
        let data = try DataSession()
        #expect(await data.run(entry) == most)
    }

    /// By hand: 10°, 350° and 20° follow each other as 350°, 10°, 20°.
    @Test func theMedianOfAnglesGoesRound() async throws {
        let data = try DataSession()
        #expect(
            await data.run("[{x: 10deg}, {x: 350deg}, {x: 20deg}] | summarize m=median(x) | get m") == "10deg"
        )
        #expect(await data.run("[{x: 350deg}, {x: 20deg}] | summarize m=median(x) | get m") == "5deg")
        #expect(
            await data.run("[{x: -5deg}, {x: 3deg}, {x: 40deg}] | summarize m=median(x) | get m") == "3deg")
        #expect(
            await data.code("[{x: 0deg}, {x: 120deg}, {x: 240deg}] | summarize median(x)") == "E-DATA-NUMBERS"
        )
    }

    /// Characters that turn the direction of text stand in JSON by their numbers, and come back.
    @Test func directionMarksAreWrittenByTheirNumbers() async throws {
        let data = try DataSession()
        let entry = "[{a: \"x\\u{202E}y\\u{2066}\"}] | to json --compact"
        #expect(await data.run(entry) == #"[{"a":"x\u202ey\u2066"}]"#)
        #expect(await data.run(entry + " | from json | each length(a)") == "4")
    }
}
