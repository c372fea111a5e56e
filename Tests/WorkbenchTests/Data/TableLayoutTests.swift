import Foundation
import Testing

@testable import Workbench

/// Tables in plain text that are not separated values: those of shells of databases, of Markdown, aligned columns, and logs that
/// name their fields.
struct TableLayoutTests {
    private static let bars =
        " id | name  | beds \n----+-------+------\n  1 | Illa  |   50\n  2 | Ull|x |     \n"

    @Test(arguments: [
        (bars + "(2 rows)\n", "id,name,beds\n1,Illa,50\n2,Ull|x,"),
        ("name | beds\n--- | ---:\nIlla | 50\na \\| b | 46\n", "name,beds\nIlla,50\na | b,46"),
        ("| name | beds |\n|:--|--:|\n| Illa | 50 |\n|  | 46 |\n", "name,beds\nIlla,50\n,46"),
        (
            "+----+------+\n| id | name |\n+----+------+\n|  1 | Illa |\n+----+------+\n1 row in set (0.00 sec)\n",
            "id,name\n1,Illa"
        ),
        (
            "┌────┬──────┐\n│ id │ name │\n├────┼──────┤\n│  1 │ Illa │\n└────┴──────┘\n",
            "id,name\n1,Illa"
        ),
        (
            "id  name     beds\n--  -------  ----\n1   Illa     50\n2   Ull de T\n",
            "id,name,beds\n1,Illa,50\n2,Ull de T,"
        ),
        (
            "NAME        READY  AGE\nweb server  1/1    5\ndb          0/1    12\n",
            "NAME,READY,AGE\nweb server,1/1,5\ndb,0/1,12"
        ),
        ("x y\n1 2\n10 20\n", "x,y\n1,2\n10,20"),
        (
            "#Version: 1.0\n#Fields: time uri status\n00:01:02 /a 200\n#Fields: time uri status\n00:02:00 - 404\n",
            "time,uri,status\n00:01:02,/a,200\n00:02:00,,404"
        ),
        (
            "#separator \\x09\n#unset_field\t-\n#fields\tts\tuid\n#types\ttime\tstring\n1.5\tC\n2.5\t-\n#close\tx\n",
            "ts,uid\n1.5,C\n2.5,"
        ),
        // Blanks separate the names and tabs the values.
        (
            "#Version: 1.0\n#Fields: date uri(x) agent\n2026\t/a b\t-\n2027\t/c\td\n",
            "date,uri(x),agent\n2026,/a b,\n2027,/c,d"
        ),
        // A row of missing values is no rule.
        ("a|b|c\n1|2|3\n-|-|-\n4|5|6\n", "a,b,c\n\"1\",\"2\",\"3\"\n-,-,-\n"),
    ])
    func isRead(text: String, csv: String) async throws {
        let data = try DataSession(files: ["t.dat": text])
        let shown = await data.run("from csv --file t.dat | to csv")
        #expect(shown.replacing("\r\n", with: "\n").hasPrefix(csv), "\(shown)")
    }

    /// A count of rows says nothing new; everything else that is left out is said.
    @Test func whatIsLeftOutIsSaid() async throws {
        let shell = Self.bars + "(2 rows)\n"
        let data = try DataSession(files: ["a.txt": shell, "b.txt": Self.bars + "and 40 more\n"])
        #expect(await data.run("open a.txt").contains("left out") == false)
        let shown = await data.run("open b.txt")
        #expect(shown.contains("line 5 is left out: `and 40 more`"), "\(shown)")
    }

    /// A text beyond the columns of the lines before it is no part of two cells.
    @Test func linesThatDoNotFitAreErrors() async throws {
        let text = "id  name\n--  ----\n1   Illa\n100000 Ull\n"
        let data = try DataSession(files: ["t.txt": text])
        #expect(await data.code("open t.txt | count") == "E-DATA-CSV")
    }

    /// The lines of one cell are no rows.
    @Test func cellsOfSeveralLinesAreErrors() async throws {
        let text = " id | note  | x \n----+-------+---\n  1 | one  +| 2 \n    | two   |   \n"
        let data = try DataSession(files: ["t.txt": text])
        #expect(await data.code("open t.txt | count") == "E-DATA-CSV")
    }

    @Test(arguments: [
        "A line.\nAnother, longer line.\n", "Title\n=====\n\nText with | a bar.\n", "a: 1\nb: 2\n",
    ])
    func textStaysText(text: String) async throws {
        let data = try DataSession(files: ["t.txt": text])
        let shown = await data.run("open t.txt")
        #expect(shown.trimmingCharacters(in: .newlines) == text.trimmingCharacters(in: .newlines))
    }
}

/// Comments, words for missing values, sums at the end, separators and quotes as other programs write them.
struct ForeignTableTests {
    @Test func commentsAboveTheNamesAreLeftOut() async throws {
        let data = try DataSession(files: [
            "c.csv": "# logger 1\n# station\ntime,temp\n2026-01-01,5\n", "h.csv": "#a,b\n1,2\n",
            "m.csv": "a,b\n1,2\n# said, too\n3,4\n",
        ])
        let shown = await data.run("open c.csv")
        #expect(shown.contains("lines 1 to 2 begin with # and are left out"), "\(shown)")
        #expect(await data.run("open c.csv | get temp").hasPrefix("5"))
        #expect(await data.run("open h.csv | get b") == "2")
        let fix = await data.session.run("open m.csv | count").failure?.fix ?? ""
        #expect(fix.contains("from csv --file 'm.csv' --comment '#'") || fix.isEmpty, "\(fix)")
        #expect(await data.run("from csv --file m.csv --comment '#' | sum a") == "4")
    }

    @Test func wordsForMissingValuesAreNamed() async throws {
        let data = try DataSession(files: ["n.csv": "a,b\n1,NA\nNA,2\n3,n.d.\n"])
        let shown = await data.run("open n.csv")
        #expect(shown.contains("from csv --file 'n.csv' --missing 'NA,n.d.'"), "\(shown)")
        #expect(await data.run("from csv --file n.csv --missing 'NA,n.d.' | sum a") == "4")
        #expect(
            await data.run("from csv --file n.csv --missing 'NA,n.d.' | where b == nothing | count") == "2")
    }

    @Test func aSumInTheLastRowIsSaid() async throws {
        let data = try DataSession(files: [
            "s.csv": "name,amount\nA,10\nB,20\nTotal,30\n", "t.csv": "name,amount\nTotal,10\nB,20\nC,30\n",
        ])
        let shown = await data.run("open s.csv")
        #expect(shown.contains("leave it out by `where name != \"Total\"`"), "\(shown)")
        #expect(await data.run("open s.csv | where name != 'Total' | sum amount").hasPrefix("30"))
        #expect(await data.run("open t.csv").contains("Total`") == false)
    }

    @Test func otherSeparatorsAreNamed() async throws {
        let data = try DataSession(files: [
            "c.csv": "a^b\n1^2\n3^4\n", "u.csv": "a\u{1}b\n1\u{1}2\n3\u{1}4\n",
        ])
        #expect(await data.run("open c.csv").contains("from csv --file 'c.csv' --separator '^'"))
        #expect(await data.run("from csv --file c.csv --separator '^' | sum b") == "6")
        #expect(await data.run("open u.csv").contains(#"--separator "\u{1}""#))
        #expect(await data.run(#"from csv --file u.csv --separator "\u{1}" | sum b"#) == "6")
    }

    /// A comment with as many cells as the names below it is a sentence.
    @Test func aCommentWithASeparatorIsNoHeader() async throws {
        let data = try DataSession(files: ["c.csv": "# by X, v2\ntime,temp\n2026-01-01,5\n"])
        #expect(await data.run("open c.csv | get temp").hasPrefix("5"))
    }

    /// Blanks that separate cells are not around them.
    @Test func blanksAsSeparators() async throws {
        let data = try DataSession(files: ["b.csv": "name beds\n\"Illa d\" 50\nUll \"46\"\n"])
        #expect(await data.run("from csv --file b.csv --separator ' ' | sum beds").hasPrefix("96"))
    }

    /// Blanks around quotes belong to neither cell.
    @Test func blanksAroundQuotes() async throws {
        let data = try DataSession(files: ["q.csv": "\"a\" , \"b, c\"\n\"x\" , 1\n\"y, z\" ,2\n"])
        #expect(await data.run("open q.csv | get a") == "x\ny, z")
        #expect(await data.run("open q.csv | get 'b, c' | sum") == "3")
    }

    /// The last line of a log whose writer was stopped.
    @Test func linesThatAreNoJSONAreCounted() async throws {
        let data = try DataSession(files: ["l.jsonl": "{\"a\":1}\n{\"a\":2}\n{\"a\":\n"])
        let fix = await data.session.run("open l.jsonl | sum a").failure?.fix ?? ""
        #expect(fix == "`from jsonl --file 'l.jsonl' --lenient` leaves such lines out")
        let sum = await data.run("from jsonl --file l.jsonl --lenient | sum a")
        #expect(sum.contains("3") && !sum.hasPrefix("error"), "\(sum)")
    }

    @Test(arguments: [
        ("CHF 12.50", "12.5"), ("1,23,456.50", "123456.5"), ("-5 EUR", "-5"), ("kr 1.234,50", "1234.5"),
        ("US$3", "3"),
    ])
    func amounts(text: String, number: String) async throws {
        #expect(try await DataSession().run("number('\(text)')") == number)
    }

    @Test(arguments: [
        ("5 miles", "5mi"), ("1h 30m", "1h30min"), ("2 hours 5 mins", "2h5min"), ("1,200 m", nil),
        ("30 m", "30m"),
        ("3 stone", nil),
    ])
    func namesOfUnits(text: String, quantity: String?) async throws {
        let shown = try await DataSession().run("quantity('\(text)')")
        #expect(quantity.map { shown == $0 } ?? shown.contains("error"), "\(shown)")
    }

    /// A number that a floating-point number does not hold is not zero.
    @Test func numbersThatAreTooSmall() async throws {
        let data = try DataSession(files: ["s.csv": "a\n1e-3\n2\n3\n4\n5\n6\n7\n8\n9\n1e-400\n"])
        #expect(await data.run("1e-400").contains("`1e-400` is too small"))
        #expect(await data.run("open s.csv").contains("`a` is text because of `1e-400` in line 11"))
        #expect(await data.run("'[1e-400]' | from json | first") == "1e-400")
        #expect(await data.run("0e-400") == "0")
    }
}
