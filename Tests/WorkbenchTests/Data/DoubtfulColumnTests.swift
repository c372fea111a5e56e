import Foundation
import Testing

@testable import Workbench

/// Columns that can be read in two ways, and tables whose first lines mislead.
struct DoubtfulColumnTests {
    /// `1.234,50` and `2,5` are no coordinates.
    @Test(arguments: ["name;price\nA;1.234,50\nB;2,5\n", "name,price\nA,\"1.234,50\"\nB,\"2,5\"\n"])
    func pricesAreNoPlaces(text: String) async throws {
        let data = try DataSession(files: ["p.csv": text])
        let most = await data.run("open p.csv | max price")
        #expect(most.hasPrefix("1234.5"), "\(most)")
    }

    @Test func placesStayPlaces() async throws {
        let data = try DataSession(files: ["p.csv": "at\n\"46.5,7.9\"\n\"46.612,7.8\"\n"])
        let kind = await data.run("open p.csv | describe | get fields | get kind")
        #expect(kind == "coordinate")
    }

    /// Points that may separate thousands, and names that look like powers of ten, are said.
    @Test(arguments: [
        ("n;v\nA;1.234\nB;2.500\n", "`v` is read with decimal points, `1.234` is not 1234"),
        ("n,v\nA,1.234\nB,2.500\nC,7.081\nD,570\n", "`v` is read with decimal points"),
        ("n;v\nA;1.234 m\nB;980 m\n", "`v` is read with decimal points, `1.234` is not 1234"),
        ("v\n12E5\n34E6\n1234\n", "`v` is read as numbers, `12E5` as 1200000"),
    ])
    func numbersThatMayBeOthersAreSaid(text: String, note: String) async throws {
        let data = try DataSession(files: ["d.csv": text])
        let shown = await data.run("open d.csv")
        #expect(shown.contains(note), "\(shown)")
    }

    @Test(arguments: [
        "v\n1.5E-4\n12E5\n", "n;v\nA;1.234\nB;2.5\n", "n;v\nA;0.123\nB;0.456\n", "v\n1.234\n2.345\n3.456\n",
        "v\n1e+3\n", "n;v\nA;123.456\nB;1234\n", "n;v\nA;1.234 km\nB;2.5 km\n",
    ])
    func plainNumbersAreNot(text: String) async throws {
        let data = try DataSession(files: ["d.csv": text])
        let shown = await data.run("open d.csv")
        #expect(!shown.contains("note"), "\(shown)")
    }

    /// A row of another length does not make a table of semicolons one column.
    @Test func oneOddRowIsAnError() async throws {
        let data = try DataSession(files: ["r.csv": "name;beds\nIlla;50\nRuhle;58;x\nSorteny;46\n"])
        let code = await data.code("open r.csv | count")
        #expect(code == "E-DATA-CSV")
        let lenient = await data.run("from csv --file r.csv --lenient | sum beds")
        #expect(lenient.hasPrefix("154"), "\(lenient)")
    }

    /// A title above a table is said; a single column whose texts have signs is not.
    @Test func titlesAreSaid() async throws {
        let data = try DataSession(files: [
            "t.csv": "Huts of 2026\nname;beds\nIlla;50\nRuhle;58\n", "c.csv": "note\nv0\na;b\n",
        ])
        let shown = await data.run("open t.csv")
        #expect(shown.contains("from csv --file 't.csv' --skip 1"), "\(shown)")
        let fixed = await data.run("from csv --file 't.csv' --skip 1 | sum beds")
        #expect(fixed == "108")
        let single = await data.run("open c.csv")
        #expect(single == "note\nv0\na;b")
    }

    /// Signs of books: `(5.00)` and `5.00-` are below zero.
    @Test(arguments: ["(5.00)", "5.00-", "(5)", "5−"]) func signsOfBooks(cell: String) async throws {
        let data = try DataSession(files: ["b.csv": "v\n\(cell)\n12.00\n1.00\n"])
        let refused = await data.code("open b.csv | max v")
        #expect(refused == "E-DATA-TEXT")
        let least = await data.run("open b.csv | each number(v) | min")
        #expect(least == "-5")
    }

    /// Lines of values in a file called json; lines of objects alone are read as they are.
    @Test func linesOfValuesAreNamed() async throws {
        let data = try DataSession(files: ["l.json": "1\n2\n"])
        let refused = await data.run("open l.json")
        #expect(refused.contains("from jsonl --file 'l.json'"), "\(refused)")
        let sum = await data.run("from jsonl --file 'l.json' | sum")
        #expect(sum == "3")
    }
}
