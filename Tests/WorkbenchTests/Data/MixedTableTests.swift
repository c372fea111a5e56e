import Foundation
import Testing

@testable import Workbench

/// Tables that mix what others keep apart: encodings, currencies, scripts of digits, comments and rows.
struct MixedTableTests {
    /// No name of an encoding reads a file in which UTF-8 and another one alternate.
    @Test func encodingsOfSeveralWriters() async throws {
        let data = try DataSession()
        let text = Data("name,v\nZürich,1\nGen".utf8) + Data([0xE8]) + Data("ve,2\n".utf8)
        try text.write(to: data.folder.appendingPathComponent("m.csv"))
        let fix = await data.session.run("open m.csv | count").failure?.fix ?? ""
        #expect(fix.hasPrefix("`from csv --file 'm.csv' --lenient`"), "\(fix)")
        let names = await data.run("from csv --file m.csv --lenient | get name")
        #expect(names.hasPrefix("Zürich\nGenève"), "\(names)")
        let shown = await data.run("from csv --file m.csv --lenient")
        #expect(shown.contains("1 line not UTF-8, read as Windows-1252, first line 3"), "\(shown)")
    }

    /// Euros and dollars have neither a sum nor an order.
    @Test func amountsInSeveralCurrencies() async throws {
        let data = try DataSession(files: [
            "c.csv": "what,price\na,$5.00\nb,€7.00\nc,$3.00\n",
            "d.csv": "what;price\na;5,50 €\nb;7,50 $\n",
            "e.csv": "what;price\na;5,50 €\nb;7,25 EUR\nc;1,25\n",
        ])
        let fix = await data.session.run("open c.csv | sum price").failure?.fix ?? ""
        #expect(fix.contains("the amounts are in USD, EUR"), "\(fix)")
        let dollars = await data.run(
            "open c.csv | where contains(price, '$') | each number(price) | sum")
        #expect(dollars == "8")
        #expect(await data.code("open d.csv | sum price") == "E-DATA-NUMBERS")
        #expect(await data.run("open d.csv").contains("`price` is text: its amounts are in EUR, USD"))
        #expect(await data.run("open e.csv | sum price").hasPrefix("14"))
    }

    /// Digits of other scripts are said to be text, and can be converted.
    @Test(arguments: ["١٢", "１２", "१२", "۱۲"]) func digitsOfOtherScripts(twelve: String) async throws {
        let data = try DataSession(files: ["n.csv": "what,n\na,\(twelve)\nb,3\n"])
        let shown = await data.run("open n.csv")
        #expect(shown.contains("`extend n=number(n)`"), "\(shown)")
        #expect(await data.run("open n.csv | extend n=number(n) | sum n").hasPrefix("15"))
    }

    @Test(arguments: [("١٬٢٥٠٫٥", "1250.5"), ("－３．５", "-3.5"), ("١٢٣", "123")])
    func numbersOfOtherScripts(text: String, number: String) async throws {
        #expect(try await DataSession().run("number('\(text)')") == number)
    }

    /// Yes and no stay text; what makes them true and false is said.
    @Test func yesAndNo() async throws {
        let data = try DataSession(files: ["y.csv": "name,open\nA,Yes\nB,No\nC,Yes\n"])
        let kinds = await data.run("open y.csv | describe")
        #expect(kinds.contains("`open` has only Yes and No, as text: where open == \"Yes\""), "\(kinds)")
        #expect(await data.run("open y.csv | where open == \"Yes\" | count") == "2")
        let refused = await data.session.run("open y.csv | where open | count").failure?.fix ?? ""
        #expect(refused == "compare it with a value: open == \"Yes\"")
        #expect(await data.run("from csv --file y.csv --types open=boolean | where open | count") == "2")
        #expect(
            await data.run("[{open: 'Y'} {open: 'E'}] | describe").contains("has only") == false)
    }

    /// A comment above the names has one cell; it is no title.
    @Test func commentsAreNoTitles() async throws {
        let data = try DataSession(files: [
            "c.csv": "# by a logger\nname,beds\nIlla,50\nRuhle,30\n",
            "t.csv": "# by a logger\nHuts\nname,beds\nIlla,50\nRuhle,30\n",
            "s.csv": "# a, b, c\nname;beds\nIlla;50\n# d, e\nRuhle;30\n",
        ])
        #expect(await data.run("from csv --file c.csv --comment '#'").contains("title") == false)
        let fix = await data.session.run("from csv --file t.csv --comment '#'").failure?.fix ?? ""
        #expect(fix.contains("from csv --file 't.csv' --comment '#' --skip 2"), "\(fix)")
        #expect(await data.run("from csv --file t.csv --comment '#' --skip 2 | sum beds") == "80")
        #expect(await data.run("from csv --file s.csv --comment '#' | sum beds") == "80")
    }

    /// A comment among rows that has as many cells as they have.
    @Test func commentsAmongRows() async throws {
        let data = try DataSession(files: ["c.csv": "n\n1\n# closed\n2\n"])
        let rows = (0..<30_000).map { "\($0),aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n" }.joined()
        try Data("n,a\n\(rows)# done,x\n".utf8).write(to: data.folder.appendingPathComponent("l.csv"))
        let fix = await data.session.run("open l.csv | sum n").failure?.fix ?? ""
        #expect(fix.contains("from csv --file 'l.csv' --comment '#'"), "\(fix)")
        #expect(await data.run("from csv --file l.csv --comment '#' | count") == "30000")
    }

    /// The sum at the end of a long table is said before it is counted as a row.
    @Test func aSumBehindTheSample() async throws {
        let data = try DataSession()
        let rows = (0..<30_000).map { "row \($0),aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa,1\n" }.joined()
        try Data("name,a,n\n\(rows)Total,,30000\n\n".utf8).write(
            to: data.folder.appendingPathComponent("l.csv"))
        let shown = await data.run("open l.csv | first 1")
        #expect(shown.contains("the last line has `Total`"), "\(shown)")
        #expect(await data.run("open l.csv | where name != \"Total\" | sum n").hasPrefix("30000"))
    }

    /// One column of two words is said to be divided.
    @Test func wordsOfOneColumn() async throws {
        let data = try DataSession(files: ["o.csv": "full name\nAnna 1\nBob 2\nCem 3\n"])
        let shown = await data.run("open o.csv")
        #expect(
            shown.contains("if each line is one cell: `from csv --file 'o.csv' --separator ','`"), "\(shown)")
        #expect(await data.run("from csv --file o.csv --separator ',' | get 'full name' | first") == "Anna 1")
    }

    /// Shells of databases align by the cells of a terminal, other programs by characters.
    @Test(arguments: [
        "名前    人口  県\n------  ----  --\n東京    100   A\n大阪府  20    B\n京都    3     C\n",
        "名前    人口    県\n----  ----  --\n東京    100   A\n大阪府   20    B\n京都    3     C\n",
    ])
    func wideCharacters(text: String) async throws {
        let data = try DataSession(files: ["w.txt": text])
        let shown = await data.run("open w.txt | to csv")
        #expect(shown.hasPrefix("名前,人口,県\n東京,100,A\n大阪府,20,B\n京都,3,C"), "\(shown)")
    }

    /// What a function says of a field is for all rows.
    @Test(arguments: [
        ("[{t: 1614434140}] | each date(t)", "1970-01-01T00:00Z + 1s * t"),
        ("[{t: 1614434140123}] | extend d=hour(t)", "1970-01-01T00:00Z + 1ms * t"),
        ("[{t: '1614434140'}] | each parse(t)", "1970-01-01T00:00Z + 1s * number(t)"),
        ("[{'the time': 1614434140}] | each date(it['the time'])", "1970-01-01T00:00Z + 1614434140s"),
        ("[1614434140] | each date(it)", "1970-01-01T00:00Z + 1s * it"),
    ])
    func fixesNameTheField(entry: String, fix: String) async throws {
        let said = try await DataSession().session.run(entry).failure?.fix ?? ""
        #expect(said.hasSuffix(fix), "\(said)")
    }

    /// Hours of one digit, and those of twelve, have another order by letters.
    @Test(arguments: [
        ("2026-04-03 10:00 AM", "2026-04-03 9:00 AM"), ("3/4/2026 10:00", "3/4/2026 9:00"),
        ("2026-04-03 10:00", "2026-04-03 9:00"),
    ])
    func hoursOfTables(later: String, earlier: String) async throws {
        let data = try DataSession(files: ["h.csv": "t\n\(later)\n\(earlier)\n"])
        #expect(await data.code("open h.csv | max t") == "E-DATA-TEXT")
        let fix = await data.session.run("open h.csv | max t").failure?.fix ?? ""
        #expect(fix.contains("each date(t, "), "\(fix)")
    }

    /// Numbers as statistics programs write them.
    @Test func numbersWithoutAZero() async throws {
        let data = try DataSession(files: ["n.csv": "a,b\n.5,5.\n-.25,-7.\n1,2\n"])
        #expect(await data.run("open n.csv | sum a") == "1.25")
        #expect(await data.run("open n.csv | sum b") == "0")
        let others = try DataSession(files: ["o.csv": "a,b\n.,1.2.\n..,.1.\n"])
        #expect(await others.run("open o.csv | describe | get fields | get kind") == "text\ntext")
    }

    /// The name of a column is not given to another one.
    @Test func repeatedNames() async throws {
        let data = try DataSession(files: ["d.csv": "a,a,a2,,column4\n1,2,3,4,5\n"])
        #expect(await data.run("open d.csv | get a2").hasPrefix("3"))
        #expect(await data.run("open d.csv | get a3").hasPrefix("2"))
        #expect(await data.run("open d.csv | get column4").hasPrefix("5"))
    }

    /// Numbers that stand for a missing value are said, with what leaves them out.
    @Test func numbersForNothing() async throws {
        let data = try DataSession(files: [
            "s.csv": "t,v\n1,21.5\n2,-999\n3,20\n", "n.csv": "t,v\n1,-150\n2,-999\n3,-200\n",
            "b.csv": "v\n-99\n-98\n-97\n", "c.csv": "v\n50\n20\n-99\n30\n",
        ])
        let shown = await data.run("open s.csv")
        #expect(shown.contains("`v` has -999, far below its other numbers"), "\(shown)")
        #expect(shown.contains("from csv --file 's.csv' --missing '-999'"), "\(shown)")
        #expect(await data.run("from csv --file s.csv --missing '-999' | min v") == "20")
        #expect(await !data.run("open n.csv").contains("far below"))
        #expect(await !data.run("open b.csv").contains("far below"))
        #expect(await !data.run("open c.csv").contains("far below"))
    }

    /// Seconds since 1970 have no leap seconds.
    @Test func timesInALeapSecond() async throws {
        let data = try DataSession(files: ["l.csv": "t\n2016-12-31T23:59:59Z\n2016-12-31T23:59:60Z\n"])
        let shown = await data.run("open l.csv")
        #expect(
            shown.contains("`t` has a leap second: `2016-12-31T23:59:60Z` is read as the second behind it"),
            "\(shown)")
    }

    /// Times of two clocks in one column.
    @Test func timesWithAndWithoutAnOffset() async throws {
        let data = try DataSession(files: [
            "o.csv": "t\n2026-01-01T10:00:00\n2026-01-01T10:00:00Z\n",
            "d.csv": "t\n2026-01-01\n2026-01-02\n", "z.csv": "t\n2026-01-01T10:00:00Z\n2026-01-01\n",
        ])
        let shown = await data.run("open o.csv")
        #expect(shown.contains("`t` has times with and without an offset"), "\(shown)")
        #expect(await !data.run("open d.csv").contains("offset"))
        #expect(await !data.run("open z.csv").contains("offset"))
    }

    /// Versions lose a zero when they are read as numbers; prices and measures do not.
    @Test func versionsAreNoNumbers() async throws {
        let data = try DataSession(files: [
            "v.csv": "v\n1.10\n1.9\n1.2\n", "p.csv": "v\n1.10\n1.90\n1.25\n", "f.csv": "v\n1.0\n2.5\n1.25\n",
            "l.csv": "v\n46.1230\n46.12\n", "h.csv": "v\n3.5\n12.50\n7.25\n",
        ])
        let shown = await data.run("open v.csv")
        #expect(shown.contains("`v` is read as numbers, `1.10` as 1.1"), "\(shown)")
        #expect(
            await data.run("from csv --file v.csv --types v=text | sort v --natural | last | get v") == "1.10"
        )
        for name in ["p", "f", "l", "h"] { #expect(await !data.run("open \(name).csv").contains("version")) }
    }

    /// Months have another order by letters.
    @Test(arguments: [("Jan-26", "Dec-25"), ("Jan 2026", "Dec 2025"), ("February 2026", "January 2026")])
    func months(later: String, earlier: String) async throws {
        let data = try DataSession(files: ["m.csv": "d\n\(later)\n\(earlier)\n"])
        #expect(await data.code("open m.csv | max d") == "E-DATA-TEXT")
        let fix = await data.session.run("open m.csv | max d").failure?.fix ?? ""
        #expect(fix.contains("each date(d, "), "\(fix)")
    }

    /// A name of a column that begins as a file of another kind does.
    @Test func aHeaderLikeAMagicNumber() async throws {
        let data = try DataSession(files: ["p.csv": "PAR1,PAR2\n1,2\n"])
        #expect(await data.run("open p.csv | get PAR2") == "2")
    }

    /// Lines of two encodings take time in proportion to their number.
    @Test(.timeLimit(.minutes(1))) func manyLinesOfTwoEncodings() async throws {
        let data = try DataSession(files: [:])
        var bytes = Array("name\n".utf8)
        for _ in 0..<6000 { bytes += Array("é\n".utf8) + [0xE9, 10] }
        try Data(bytes).write(to: data.folder.appendingPathComponent("m.csv"))
        #expect(await data.code("open m.csv") == "E-DATA-UTF8")
    }

    /// What a file is stands at its beginning, not in its name.
    @Test(arguments: [
        ("w.csv", "PK\u{3}\u{4}xl/workbook.xml", "a workbook of Excel"),
        ("p.csv", "<!DOCTYPE html>\n<title>Log in</title>", "a web page"),
        ("q.parquet", "PAR1\u{0}", "Parquet"),
        ("d.sqlite", "SQLite format 3\u{0}", "a SQLite database"), ("a.pdf", "%PDF-1.7\n", "a PDF document"),
        ("z.zip", "PK\u{3}\u{4}a.csv", "a ZIP archive"),
    ])
    func otherKindsOfFiles(name: String, content: String, kind: String) async throws {
        let data = try DataSession(files: [name: content])
        let failure = await data.session.run("open \(name)").failure
        #expect(failure?.code == "E-DATA-FORMAT")
        #expect(await data.code("from csv --file \(name)") == "E-DATA-FORMAT")
        #expect(failure?.message.contains(kind) == true && failure?.fix != nil, "\(failure?.message ?? "")")
    }
}
