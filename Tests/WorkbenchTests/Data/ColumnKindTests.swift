import CivilTime
import Foundation
import PluginKit
import Testing

@testable import Workbench

/// Rows of files as people have them: what a column is, found from the column.
@Suite("CSV: kinds of columns, sources and encodings")
struct ColumnKindTests {
    private static let stops = """
        "id","lon","platforms"
        "LK","-122.265232","2"
        "FR","-122.224067","4"
        "OB","-122.468994","10"
        "NB","-120.5",""
        """

    @Test("numbers in quotes are numbers, an empty cell in quotes is missing")
    func quotedNumbers() async throws {
        let data = try DataSession(files: ["s.csv": Self.stops])
        #expect(await data.run("open s.csv | max lon") == "-120.5")
        #expect(await data.run("open s.csv | min lon") == "-122.468994")
        #expect(await data.run("open s.csv | sum platforms") == "16")
        #expect(await data.run("open s.csv | sort platforms | get id | concat ' '") == "LK FR OB NB")
        #expect(await data.run("open s.csv | default platforms 1 | sum platforms") == "17")
    }

    @Test("blanks around numbers are no text; a key in quotes meets one without")
    func paddedAndJoined() async throws {
        let data = try DataSession(files: [
            "p.csv": "id,lat\n00001, 35.2\n00002,  9.5 \n", "a.csv": "\"hut\"\n\"7\"\n\"10\"",
            "b.csv": "hut,beds\n7,20\n10,30\n",
        ])
        #expect(await data.run("open p.csv | max lat") == "35.2")
        #expect(await data.run("open p.csv | get id | first") == "00001")
        #expect(await data.run("open a.csv | join (open b.csv) --on hut | sum beds") == "50")
    }

    @Test("each kind is found, and identifiers keep their zeros")
    func kinds() async throws {
        let data = try DataSession(files: [
            "k.csv": """
            name,beds,price,opened,open,at,zip,length
            A,12,9.50,1999-05-01,true,"46.5,7.9",01234,5 km
            B,,12.00,2004-11-30,false,"46.6,7.8",99999,700 m
            """
        ])
        #expect(
            await data.run("open k.csv | describe | get fields | get kind | concat ' '")
                == "text number number date boolean coordinate text length")
        #expect(await data.run("open k.csv | where opened < 2000-01-01 | get name") == "A")
        #expect(await data.run("open k.csv | where open | get name") == "A")
        #expect(await data.run("open k.csv | max length") == "5km")
        #expect(await data.run("open k.csv | where zip == '01234' | count") == "1")
        #expect(
            await data.run("open k.csv | select opened zip | to csv")
                == "opened,zip\n1999-05-01,01234\n2004-11-30,\"99999\"")
    }

    @Test("one cell that is no number makes the column text, and the line is said")
    func oneException() async throws {
        let rows = (1...200).map { "\($0),\($0 == 150 ? "closed" : "\($0 % 7)")" }.joined(separator: "\n")
        let data = try DataSession(files: ["l.csv": "id,v\n" + rows])
        #expect(await data.run("open l.csv | describe").contains("text"))
        #expect(await data.run("open l.csv").contains("`v` is text because of `closed` in line 151"))
        #expect(await data.code("open l.csv | max v") == "E-DATA-TEXT")
        #expect(await data.code("open l.csv | where v > 3 | count") == "E-TYPE")
        #expect(await data.code("from csv --file l.csv --types v=number | sum v") == "E-DATA-MIXED")
    }

    @Test("a contradiction behind the sample is an error with its line")
    func lateContradiction() async throws {
        let line = String(repeating: "x", count: 100)
        let count = DataSettings.short / 100 + 10
        var rows = (1...count).map { "\($0),\(line)" }
        rows.append("none,\(line)")
        let data = try DataSession(files: ["big.csv": "id,t\n" + rows.joined(separator: "\n")])
        #expect(await data.run("open big.csv | first 2 | sum id") == "3")
        let failed = await data.run("open big.csv | sum id")
        #expect(failed.contains("E-DATA-MIXED"))
        #expect(failed.contains("big.csv:\(count + 2)"))
        #expect(await data.run("from csv --file big.csv --types id=text | count") == "\(count + 1)")
    }

    @Test("text that looks like numbers is not compared by letters")
    func thousands() async throws {
        let data = try DataSession(files: [
            "t.csv": "p,n\nA,\"1,250\"\nB,\"950\"\nC,\"12,000\"\n", "z.csv": "zip\n01234\n99999\n",
        ])
        #expect(await data.code("open t.csv | max n") == "E-DATA-TEXT")
        #expect(await data.run("open t.csv | each number(replace(n, ',', '')) | max") == "12000")
        #expect(await data.run("open z.csv | max zip") == "99999")
    }

    @Test("a variable over a file keeps its rows when the file changes")
    func snapshot() async throws {
        let data = try DataSession(files: ["f.csv": "a,b\n1,2\n3,4\n"])
        _ = try await data.value("let x = open f.csv; let y = open f.csv | where a > 1")
        try Data("b,a\n9,8\n".utf8).write(to: data.folder.appendingPathComponent("f.csv"))
        #expect(await data.run("$x | to json --compact") == #"[{"a":1,"b":2},{"a":3,"b":4}]"#)
        #expect(await data.run("$y | to json --compact") == #"[{"a":3,"b":4}]"#)
    }

    @Test("a long file that changed is an error, not other rows")
    func changedFile() async throws {
        let rows = String(
            repeating: "1,\(String(repeating: "x", count: 200))\n", count: DataSettings.short / 200 + 10)
        let data = try DataSession(files: ["f.csv": "a,b\n" + rows])
        _ = try await data.value("let x = open f.csv")
        try Data(("a,b\n" + rows + "2,y\n").utf8).write(to: data.folder.appendingPathComponent("f.csv"))
        #expect(await data.code("$x | count") == "E-FILE-CHANGED")
    }

    @Test("a field inside another, and a taken name, are no silent loss")
    func nothingIsDropped() async throws {
        let data = try DataSession(files: ["i.json": "[{\"index\": 7, \"at\": {\"x\": 1}}]"])
        #expect(await data.code("open i.json | reject at.x") == "E-ARG-RANGE")
        #expect(await data.code("open i.json | enumerate") == "E-DATA-DUPLICATE")
        #expect(await data.run("open i.json | rename index number | enumerate | get number") == "7")
    }

    @Test("a named pipe is read once, and counted more than once", arguments: ["p.csv", "p"])
    func pipe(name: String) async throws {
        let data = try DataSession()
        let path = data.folder.appendingPathComponent(name).path
        try #require(mkfifo(path, 0o600) == 0)
        // On a thread of its own: opening a pipe waits for its reader.
        Thread.detachNewThread {
            let handle = FileHandle(forWritingAtPath: path)
            try? handle?.write(contentsOf: Data("a\n1\n2\n".utf8))
            try? handle?.close()
        }
        _ = try await data.value("let x = open \(name)")
        // Without an extension it is text.
        let shown = await data.run(name == "p" ? "$x; $x" : "$x | count; $x | sum a")
        #expect(shown == (name == "p" ? "a\n1\n2\n\na\n1\n2\n" : "2\n3"))
    }

    @Test("separators and encodings are recognised, packed files read as what they hold")
    func forms() async throws {
        let data = try DataSession(files: [
            "semi.csv": "name;price\nA;1,5\nB;22,25\n", "rows.jsonl": "{\"a\":1}\n\n{\"a\":2,\"b\":null}\n",
        ])
        try Data([0x6E, 0x0A, 0x5A, 0xFC, 0x72, 0x69, 0x63, 0x68, 0x0A]).write(
            to: data.folder.appendingPathComponent("l1.csv"))
        try #require("n,v\né,1\n".data(using: .utf16)).write(to: data.folder.appendingPathComponent("u.csv"))
        #expect(await data.run("open semi.csv | get name | concat") == "A, B")
        #expect(await data.run("open semi.csv | sum price") == "23.75")
        #expect(await data.run("open rows.jsonl | sum a") == "3")
        #expect(await data.run("open l1.csv | first | get n") == "Zürich")
        #expect(await data.run("open l1.csv").contains("Windows-1252"))
        #expect(await data.run("open u.csv | get n") == "é")
    }

    @Test("rows of other lengths: an error, or with --lenient nothing lost and said")
    func ragged() async throws {
        let data = try DataSession(files: ["r.csv": "a,b,c\n1,2\n3,4,5,6\n7,8,9\n"])
        #expect(await data.run("open r.csv | count").contains("r.csv:2"))
        let shown = await data.run("from csv --file r.csv --lenient")
        #expect(shown.contains("2 rows not as long as the first line, first line 2"))
        #expect(await data.run("from csv --file r.csv --lenient | get column4 | sum") == "6")
    }

    @Test("latitude and longitude columns are a place")
    func places() async throws {
        let data = try DataSession(files: [
            "p.csv": "stop_name,stop_lat,stop_lon\nA,46.5,7.9\n",
            "bad.csv": "name,lat,lon\nA,46.5,7.9\nB,,\nC,91,0\n",
        ])
        #expect(await data.run("open p.csv | to geojson --compact").contains(#""coordinates":[7.9,46.5]"#))
        #expect(await data.run("open p.csv | to gpx").contains("<name>A</name>"))
        #expect(await data.code("open bad.csv | to geojson") == "E-DATA-PLACE")
        #expect(
            await data.run(
                "open bad.csv | where lat != nothing and lon != nothing | where abs(lat) <= 90 and abs(lon) <= 180 | to geojson | from geojson | count"
            ) == "1")
    }
}
