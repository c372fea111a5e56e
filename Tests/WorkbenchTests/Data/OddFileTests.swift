import Foundation
import Testing

@testable import Workbench

/// Files as other programs and people write them: quotes, encodings, columns of places, files that a session made itself.
struct OddFileTests {
    /// The fix of the error leads to the cell.
    @Test(arguments: [("1,\"x\"y", "\"x\"y"), ("1,\"x\\\"y\"", "x\"y")])
    func quotesOfOtherProgramsAreReadLeniently(row: String, expected: String) async throws {
        let data = try DataSession(files: ["f.csv": "a,b\n\(row)\n"])
        let strict = await data.run("open f.csv | count")
        #expect(strict.contains("from csv --file 'f.csv' --lenient"), "\(strict)")
        let cell = await data.run("from csv --file f.csv --lenient | get b")
        #expect(cell == expected)
    }

    @Test func wideCharactersWithoutAMark() async throws {
        let data = try DataSession()
        let text = "name,beds\nSorteny,46\nIlla,50\n"
        let bytes = try #require(text.data(using: .utf16LittleEndian))
        try bytes.write(to: data.folder.appendingPathComponent("wide.csv"))
        let shown = await data.run("open wide.csv")
        #expect(shown.contains("Sorteny"), "\(shown)")
        #expect(shown.contains("read as UTF-16"), "\(shown)")
        let sum = await data.run("open wide.csv | sum beds")
        #expect(sum.hasPrefix("96"), "\(sum)")
    }

    /// A guess is said with what to do if it is wrong, and so is an encoding that cannot be guessed.
    @Test func encodingsThatAreGuessed() async throws {
        let data = try DataSession()
        // `Москва` in Windows-1251, and text of Shift_JIS.
        let cyrillic = Data("n\n".utf8) + Data([0xCC, 0xEE, 0xF1, 0xEA, 0xE2, 0xE0, 0x0A])
        try cyrillic.write(to: data.folder.appendingPathComponent("c.csv"))
        let japanese = Data("n\n".utf8) + Data([0x93, 0x8C, 0x8B, 0x9E, 0x81, 0x40, 0x0A])
        try japanese.write(to: data.folder.appendingPathComponent("j.csv"))
        let guessed = await data.run("open c.csv")
        #expect(guessed.contains("where letters are wrong"), "\(guessed)")
        #expect(guessed.contains("open 'c.csv' --encoding"), "\(guessed)")
        let named = await data.run("open c.csv --encoding windows-1251 | get n")
        #expect(named == "Москва")
        let refused = await data.run("open j.csv")
        #expect(refused.contains("E-DATA-UTF8"), "\(refused)")
        #expect(refused.contains("open 'j.csv' --encoding"), "\(refused)")
        let known = await data.run("from csv --file j.csv --encoding Shift_JIS | get n")
        #expect(known == "東京\u{3000}")
    }

    /// Words, commas and numbers that other programs write into JSON are read, and said.
    @Test(arguments: [
        (#"[{"a": NaN, "b": 1}, {"a": -Infinity, "b": 2}]"#, "[{\"a\":null,\"b\":1},{\"a\":null,\"b\":2}]"),
        (#"[{"a": True}, {"a": None},]"#, #"[{"a":true},{"a":null}]"#),
        (#"[{"a": nan, "b": [1, 2,]}]"#, #"[{"a":null,"b":[1,2]}]"#),
        (#"[{"a": 1e400}, {"a": 2}]"#, #"[{"a":null},{"a":2}]"#),
        ("{\"a\": 1}{\"a\": 2}\n{\"a\": 3}", #"[{"a":1},{"a":2},{"a":3}]"#),
    ])
    func otherNotationsOfJSON(text: String, expected: String) async throws {
        let data = try DataSession(files: ["f.json": text])
        let shown = await data.run("open f.json | to json --compact")
        #expect(shown.hasPrefix(expected), "\(shown)")
        #expect(await notices(data, "open f.json").count == 1)
    }

    /// What follows a value and is none, and what is cut, is an error all the same.
    @Test(arguments: [#"{"a": 1} b"#, #"[{"a": 1}, {"a""#, #"{"a": 1}{"a""#, "{\"a\": 1}]"])
    func damagedJSONIsRefused(text: String) async throws {
        let data = try DataSession(files: ["f.json": text])
        #expect(await data.code("open f.json") == "E-DATA-JSON")
    }

    @Test func aPathThatIsTooDeepIsShortened() async throws {
        let data = try DataSession(files: ["f.json": String(repeating: "[", count: 600)])
        let shown = await data.run("open f.json")
        #expect(shown.contains("nested") && shown.utf8.count < 300, "\(shown)")
    }

    @Test(arguments: ["\n\n\n", "  \n\t\n", "\r\n"]) func blankLinesAreNoTable(text: String) async throws {
        let data = try DataSession(files: ["f.csv": text, "e.csv": ""])
        #expect(await data.run("open f.csv | count") == "0")
        let shown = await data.run("open f.csv")
        #expect(shown.contains("f.csv has only blank lines"), "\(shown)")
        #expect(await data.run("open e.csv").contains("e.csv is empty"))
    }

    /// Without names, a table of decimal commas has as many commas in each line as a table of commas.
    @Test func decimalCommasAreNoSeparators() async throws {
        let data = try DataSession(files: [
            "s.csv": "06-02-2026;13:00;1,5;0,25\n07-02-2026;13:05;2,5;0,75\n",
            "t.csv": "1,5\t2,5\n3,5\t4,5\n", "c.csv": "1,2;3,x\n5,6;7,y\n",
        ])
        #expect(await data.run("from csv --file s.csv --no-header | sum column4") == "1")
        #expect(await data.run("from csv --file t.csv --no-header | sum column1") == "5")
        #expect(await data.run("from csv --file c.csv --no-header | get column3 | last") == "y")
    }

    /// A line of units below the names is said, with what leaves it out.
    @Test func linesOfUnits() async throws {
        let data = try DataSession(files: [
            "u.csv": "time,temp,name\ns,°C,\n0,21.5,a\n1,21.7,b\n", "n.csv": "id,beds\n-,1\n2,3\n4,5\n",
        ])
        let shown = await data.run("open u.csv")
        #expect(shown.contains("line 2 has `s` above numbers"), "\(shown)")
        #expect(shown.contains("from csv --file 'u.csv' --units"), "\(shown)")
        #expect(!shown.contains("is text because"), "\(shown)")
        #expect(await data.run("from csv --file u.csv --units | max temp") == "21.7")
        #expect(await data.run("from csv --file u.csv --units | get name | first") == "a")
        #expect(await !data.run("open n.csv").contains("--units"))
        #expect(await data.code("from csv --file u.csv --units --no-header") == "E-ARG-RANGE")
    }

    /// A line that has a number is one of rows, and what was given is in the command that a note names.
    @Test func linesOfUnitsBesideOthers() async throws {
        let rows = (2...12).map { "\($0),\($0)\n" }.joined()
        let data = try DataSession(files: [
            "i.csv": "id,v\nx1,1\n" + rows, "t.csv": "title\nlat,lon\ndeg,deg\n46.5,7.9\n46.6,7.8\n",
        ])
        let ids = await data.run("open i.csv")
        #expect(ids.contains("`id` is text because of `x1` in line 2") && !ids.contains("--units"), "\(ids)")
        let titled = await data.run("from csv --file t.csv --skip 1")
        #expect(titled.contains("`from csv --file 't.csv' --skip 1 --units`"), "\(titled)")
        #expect(await data.run("from csv --file 't.csv' --skip 1 --units | max lat") == "46.6")
    }

    /// Durations of ISO 8601 have the order of their lengths; days alone may be codes.
    @Test func durationsOfPrograms() async throws {
        let data = try DataSession(files: ["d.csv": "d\nPT45M\nPT1H30M\nP1DT2H\n", "c.csv": "c\nP2D\nP3W\n"])
        #expect(await data.run("open d.csv | max d") == "26h")
        #expect(await data.run("open d.csv | sort d | get d | first") == "45min")
        #expect(await data.run("open c.csv | get c | first") == "P2D")
        for (text, shown) in [("P2D", "48h"), ("PT0.5S", "0.5s"), ("-PT90S", "-1min30s")] {
            #expect(await data.run("quantity('\(text)')") == shown)
        }
        let endless = "PT" + String(repeating: "9", count: 400) + "S"
        for text in ["P", "PT", "P1DT", "P1Y", "PT1M1H", "PT1,5H3M", "P1.5DT3H", "PTH", endless] {
            #expect(await data.code("quantity('\(text)')") == "E-FUNCTION-KIND", "\(text)")
        }
    }

    /// The hour 24 is no fault of the calendar, and the missing value of databases is one.
    @Test func whyAColumnIsText() async throws {
        let data = try DataSession(files: [
            "t.csv": "t\n2026-01-01T10:00:00Z\n2026-01-01T24:00:00Z\n", "n.csv": "n\n1\n\\N\n3\n",
            "d.csv": "t\n2026-01-01\n2026-02-30\n",
        ])
        let hour = await data.run("open t.csv")
        #expect(hour.contains("is text because of") && !hour.contains("no day"), "\(hour)")
        #expect(await data.run("open d.csv").contains("which is no day of the calendar"))
        #expect(await data.run("open n.csv").contains("is text because of"))
    }

    @Test func theFixesOfPlacesFit() async throws {
        let data = try DataSession()
        let texts = await data.run("[{lat: '46.5' lon: '7.9'}] | to geojson")
        #expect(texts.contains("extend at=coordinate(lat, lon)"), "\(texts)")
        let fixed = await data.run(
            "[{lat: '46.5' lon: '7.9'}] | extend at=coordinate(lat, lon) | to geojson --compact")
        #expect(fixed.contains("[7.9,46.5]"), "\(fixed)")
        let one = await data.run("[{at: 46.5,7.9} {a: 1}] | to geojson")
        #expect(one.contains("where at != nothing"), "\(one)")
    }

    private func notices(_ data: DataSession, _ entry: String) async -> [String] {
        let collector = NoticeCollector()
        _ = await NoticeCollector.$current.withValue(collector) { await data.run(entry) }
        return collector.all
    }

    /// A time that is a day and a height in words have elements in GPX, but no value for them.
    @Test func whatGPXCannotHoldIsSaid() async throws {
        let data = try DataSession()
        let day = await notices(data, "[{at: 46.5,7.9 time: '2026-01-01' ele: 'high'}] | to gpx")
        let said = day.joined(separator: " ")
        #expect(said.contains("`time` is left out of 1 point"), "\(said)")
        #expect(said.contains("`ele` is left out of 1 point"), "\(said)")
        let whole = await notices(data, "[{at: 46.5,7.9 time: 2026-01-01T10:00:00Z ele: 1200m}] | to gpx")
        #expect(whole.isEmpty, "\(whole)")
    }

    /// A file of settings is text; a list of one word is JSON.
    @Test func filesWithoutAnEnding() async throws {
        let data = try DataSession(files: ["conf": "[section]\nkey = 1\n", "list": "[true]\n"])
        let text = await data.run("open conf")
        #expect(text.contains("key = 1"), "\(text)")
        let list = await data.run("open list")
        #expect(list == "true")
    }

    @Test func notationsOfPrograms() async throws {
        let data = try DataSession()
        #expect(await data.run("coordinate('POINT(7.9 46.5)')") == "46.5,7.9")
        #expect(await data.run("coordinate('46.5,7.9,1250m')") == "46.5,7.9,1250m")
        #expect(await data.code("coordinate('-46.5S 7.9E')") == "E-FUNCTION-KIND")
    }

    /// What an entry wrote is made again by the notebook; what was there before is its data.
    @Test func aFileThatTheSessionWroteIsNoData() async throws {
        let data = try DataSession(files: ["given.csv": "a\n1\n"])
        for entry in ["'a,b' | save made.csv", "open made.csv | count", "open given.csv | count"] {
            #expect(await data.code(entry) == nil, "\(entry)")
        }
        #expect(await data.code("notebook save n.md") == nil)
        let parts = try data.file("n.md").components(separatedBy: "```")
        #expect(parts[0].contains("given.csv"), "\(parts[0])")
        #expect(!parts[0].contains("made.csv"), "\(parts[0])")
    }

    /// A file that could not be written is the one that was there.
    @Test func aFileThatWasNotWrittenIsData() async throws {
        let data = try DataSession(files: ["given.csv": "a\n1\n"])
        #expect(await data.code("'a,b' | save given.csv") != nil)
        #expect(await data.code("open given.csv | count") == nil)
        #expect(await data.code("notebook save n.md") == nil)
        let text = try data.file("n.md")
        #expect(text.contains("file: "), "\(text)")
    }
}
