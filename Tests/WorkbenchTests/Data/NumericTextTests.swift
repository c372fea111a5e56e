import Testing

@testable import Workbench

/// Columns of text that are numbers or dates to a reader: found where the file says how they are written, refused by `max` and
/// told by `sort` where it does not.
@Suite("Numbers and dates in text")
struct NumericTextTests {
    @Test("decimal commas are found where the separator of cells is another one")
    func decimalCommas() async throws {
        let data = try DataSession(files: [
            "p.csv": "n;p\nA;1,5\nB;1.022,25\nC;12\nD;\nE;-0,25\n", "a.csv": "n;p\nA;1,250\nB;950\n",
            "t.csv": "n\tp\nA\t0,125\nB\t7\n",
        ])
        #expect(await data.run("open p.csv | sum p") == "1035.5")
        #expect(await data.run("open p.csv | max p") == "1022.25")
        #expect(await data.run("open p.csv").contains("`p` has decimal commas"))
        #expect(await data.run("open t.csv | sum p") == "7.125")
        // Whether 1,250 is a thousand is not known: neither number is taken.
        #expect(await data.code("open a.csv | max p") == "E-DATA-TEXT")
        #expect(await data.code("open a.csv | sum p") == "E-DATA-NUMBERS")
        #expect(await data.run("open a.csv | each number(p, '.') | max") == "1250")
        #expect(await data.run("open a.csv | each number(p, ',') | max") == "950")
    }

    @Test("two whole numbers with a comma are no place; degrees with a point are")
    func pairs() async throws {
        let data = try DataSession(files: ["c.csv": "a,b\n\"46,7\",\"46.5,7\"\n\"47,8\",\"47,8\"\n"])
        #expect(
            await data.run("open c.csv | describe | get fields | get kind | concat ' '") == "text coordinate")
        #expect(await data.run("from csv --file c.csv --types a=coordinate | first | get a") == "46,7")
    }

    @Test(
        "text of numbers or dates is not compared by letters",
        arguments: [
            "1e400\n2", "NaN\n1", "NA\n10\n9", "950\n1 000", "1'000\n950", "(5)\n10",
            "-5 x\n-3 x",
            "25/04/2026\n05/06/2026", "25.4.2026\n5.6.2026", "Apr 5 2026\nMar 6 2026", "0x9\n0x10",
            "9:15\n10:05",
            "EUR 5\nEUR 12", "P2D\nP10D", "<5\n12", "~5\n12", "10K\n9M", "10 KB\n9 MB",
            "1.9.0\n1.10.0", "2026-3-1\n2026-10-1", "$9.00\n$10.50",
            "Jan\nFeb", "March\nApril", "Mon\nTue\nWed", "sunday\nmonday", "Q4 2025\nQ1 2026", "1Q26\n4Q25",
            "12 lb 3 oz\n12 lb 11 oz", "2026-03-01 10:00 EST\n2026-03-01 09:30 PST",
        ])
    func letters(_ cells: String) async throws {
        let data = try DataSession(files: ["x.csv": "x\n\(cells)\n"])
        #expect(await data.code("open x.csv | max x") == "E-DATA-TEXT")
        #expect(await data.code("open x.csv | summarize max(x)") == "E-DATA-TEXT")
    }

    @Test(
        "text whose letters have the order of its values is compared",
        arguments: [
            "10:15\n09:10", "2026/03/01\n2026/02/28", "05 x\n10 x", "Zug\nAarau", "A1\nB2",
            "May\nAnna", "Q1 2026\nQ2 2026", "2026 Q1\n2025 Q4", "May\nMay", "Mon\nJan",
            "2026-03-01 10:00 EST\n2026-03-01 09:30 EST",
            "2026-03-01 10:00 departure\n2026-03-01 11:00 arrival",
            "4f2a\n9c1b",
        ])
    func ordered(_ cells: String) async throws {
        let data = try DataSession(files: ["x.csv": "x\n\(cells)\n"])
        #expect(await data.code("open x.csv | max x") == nil)
    }

    @Test(
        "dates with points are dates, units that differ have no natural order, and both orders of day and month are named"
    )
    func fixesThatDoNotMislead() async throws {
        let data = try DataSession(files: [
            "d.csv": "d\n1.2.2026\n12.1.2026\n", "u.csv": "u\n10K\n9M\n800\n",
            "t.csv": "t\n45min\n1h30\n2h\n",
            "a.csv": "d\n01/02/2026\n03/02/2026\n1/5/2026\n",
        ])
        let dates = await data.session.run("open d.csv | max d").failure
        #expect(dates?.fix?.contains("date(d, 'd.M.yyyy')") == true, "\(dates?.fix ?? "")")
        for name in ["u", "t"] {
            let fix = await data.session.run("open \(name).csv | max \(name)").failure?.fix
            #expect(fix != nil && fix?.contains("--natural") == false, "\(fix ?? "")")
        }
        let collector = NoticeCollector()
        _ = await NoticeCollector.$current.withValue(collector) { await data.run("open a.csv | sort d") }
        #expect(
            collector.all.contains { $0.contains("'d/M/yyyy'") && $0.contains("'M/d/yyyy'") },
            "\(collector.all)")
    }

    @Test("lines before the names of the columns are left out, and the error says how")
    func preamble() async throws {
        let data = try DataSession(files: [
            "p.csv": "Report of today\n\nname,beds\na,1\nb,2\n", "s.csv": "sep=;\nTitle\n\na;b\n1;2\n",
        ])
        let failure = await data.session.run("open p.csv | count").failure
        #expect(failure?.fix?.contains("from csv --file 'p.csv' --skip 2") == true, "\(failure?.fix ?? "")")
        #expect(failure?.fix?.contains("quote a cell") == true)
        #expect(await data.run("from csv --file p.csv --skip 2 | sum beds") == "3")
        let beyond = try await data.value("'x' | from csv --skip 3").asRows
        #expect(beyond?.note == "nothing follows the 3 lines of --skip")
        let marked = await data.session.run("open s.csv | count").failure
        #expect(marked?.fix?.contains("from csv --file 's.csv' --skip 2") == true, "\(marked?.fix ?? "")")
        #expect(await data.run("\"# a\\nx;y\\n1;2\" | from csv --skip 1 | get y") == "2")
    }

    @Test("plain values are written as they come")
    func plainValuesStream() async throws {
        let data = try DataSession()
        #expect(await data.run("range 1 3000000 | to csv | from lines | first 2") == "value\n1")
        #expect(await data.code("[1 {a: 2}] | to csv") == "E-DATA-ROWS")
        #expect(await data.run("[{a: 1} {b: 2}] | to csv").hasPrefix("a,b"))
    }

    @Test(
        "the fix of a refusal works",
        arguments: [
            ("9:15\n10:05", "10h5min"), ("$9.00\n$10.50", "10.5"), ("950\n1 000", "1000"),
            ("NA\n10\n9", "10"),
            ("25/04/2026\n05/06/2026", "2026-06-05"), ("5 Apr 2026\n6 Mar 2026", "2026-04-05"),
        ])
    func fixes(_ cells: String, _ most: String) async throws {
        let data = try DataSession(files: ["x.csv": "x\n\(cells)\n"])
        let shown = await data.run("open x.csv | max x")
        let fix = try #require(shown.split(separator: "\n").first { $0.hasPrefix("fix: … | ") })
        let steps = fix.dropFirst("fix: … | ".count).components(separatedBy: ", or ")[0]
        #expect(await data.run("open x.csv | \(steps)") == most)
    }

    @Test("no order of numbers is offered for dates of several patterns")
    func mixedDates() async throws {
        let data = try DataSession(files: ["d.csv": "d\n1/02/2003\n07-22-2011\n"])
        #expect(await data.code("open d.csv | max d") == "E-DATA-TEXT")
        #expect(await !data.run("open d.csv | max d").contains("--natural"))
    }

    @Test("sort tells that text of numbers is by letters, and knows the natural order")
    func natural() async throws {
        let data = try DataSession(files: [
            "x.csv": "x,y\n\"1,250\",v1.10\n950,v1.9\n",
            "n.csv": "n\nÉvian\nZug\nfile10\nfile9\nengadin\nFlims\n",
        ])
        let notices = NoticeCollector()
        _ = await NoticeCollector.$current.withValue(notices) {
            await data.run("open x.csv | sort x | first")
        }
        #expect(notices.all.contains { $0.contains("sorted by letters") && $0.contains("number(x, '.')") })
        #expect(
            await data.run("open x.csv | extend x=number(x, '.') | sort x | get x | concat ' '") == "950 1250"
        )
        #expect(await data.run("open x.csv | sort y --natural | get y | concat ' '") == "v1.9 v1.10")
        #expect(
            await data.run("open n.csv | sort n --natural | get n | concat ' '")
                == "engadin Évian file9 file10 Flims Zug")
        #expect(
            await data.run("open n.csv | sort n --natural --descending | get n | first 2 | concat ' '")
                == "Zug Flims")
    }

    @Test("what keeps a column from being of numbers or dates is said")
    func exceptions() async throws {
        let data = try DataSession(files: [
            "n.csv": "a,b\n1,2026-01-01\nNULL,2026-02-30\n3,2026-03-01\n", "t.csv": "a\nx\n1\n",
        ])
        let shown = await data.run("open n.csv | describe")
        #expect(await data.run("open n.csv").contains("because of `NULL`"))
        #expect(shown.contains("`a` is text because of `NULL` in line 3"))
        #expect(
            shown.contains("`b` is text because of `2026-02-30` in line 3, which is no day of the calendar"))
        #expect(await !data.run("open t.csv | describe").contains("because"))
    }

    @Test("a text is a number where it can be read in one way only")
    func numbers() async throws {
        let data = try DataSession()
        for (text, number) in [
            ("1,234.50", "1234.5"), ("1.234,50", "1234.5"), ("1,5", "1.5"), ("0,125", "0.125"),
            ("1 000", "1000"),
            ("1’000", "1000"), ("1,234,567", "1234567"), ("-$5", "-5"), ("12,50 €", "12.5"), ("−3", "-3"),
            ("(5)", "-5"), ("5.00-", "-5"), ("1,23,456", "123456"),
        ] {
            #expect(await data.run("number('\(text)')") == number, "\(text)")
        }
        for text in ["1,250", "1.23.4", "12:30", "(-5)", "1,2,3", "1 00", "abc", "1,250 km"] {
            #expect(await data.code("number('\(text)')") == "E-FUNCTION-KIND", "\(text)")
        }
    }

    @Test("a fix for rows of other lengths and stray quotes names the file, and works")
    func lenient() async throws {
        let data = try DataSession(files: ["q.csv": "a,b\n1,x \"q\" y\n", "u.csv": "a,b\n1,\"x\n2,z\n"])
        #expect(await data.run("open q.csv").contains("fix: `from csv --file 'q.csv' --lenient`"))
        #expect(await data.run("from csv --file 'q.csv' --lenient | get b") == "x \"q\" y")
        #expect(await data.run("open u.csv").contains("fix: `from csv --file 'u.csv' --lenient`"))
        #expect(await data.run("from csv --file 'u.csv' --lenient | get b").hasPrefix("\"x\nz"))
    }

    @Test("a path that goes on in a text is an error, not nothing")
    func paths() async throws {
        let data = try DataSession(files: ["x.csv": "a,b\nx,\ny,1\n"])
        for entry in ["get a.z", "sort a.z", "select a.z", "max a.z", "unique a.z"] {
            #expect(await data.code("open x.csv | \(entry)") == "E-FIELD-UNKNOWN", "\(entry)")
        }
    }

    @Test("names of months are sorted by letters with a way to the calendar's order")
    func months() async throws {
        let data = try DataSession(files: ["m.csv": "m,v\nJan,1\nApr,4\nFeb,2\n", "d.csv": "d\nTue\nMon\n"])
        let notices = NoticeCollector()
        await NoticeCollector.$current.withValue(notices) {
            _ = await data.run("open m.csv | sort m")
            _ = await data.run("open d.csv | sort d")
        }
        #expect(
            notices.all.contains(
                "sorted by letters: `Jan` and `Apr` are names of months; by the calendar: "
                    + "… | extend month=month(date(m + ' 2000', 'MMM yyyy')) | sort month"), "\(notices.all)")
        #expect(notices.all.contains { $0.contains("`Tue` and `Mon` are names of weekdays") })
        let steps = "extend month=month(date(m + ' 2000', 'MMM yyyy')) | sort month | get m | concat ' '"
        #expect(await data.run("open m.csv | \(steps)") == "Jan Feb Apr")
    }
}
