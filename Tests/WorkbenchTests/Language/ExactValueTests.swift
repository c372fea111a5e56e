import Foundation
import PluginKit
import Testing

@testable import Workbench

/// What a value has is what is compared, grouped, printed and written.
@Suite("Exact numbers, times and coordinates")
struct ExactValueTests {
    @Test(
        "decimals are what they are written as",
        arguments: [
            ("0.1 + 0.2", "0.3"), ("0.1 + 0.2 == 0.3", "true"), ("0.3 - 0.1", "0.2"), ("1.1 * 1.1", "1.21"),
            ("0.3 / 0.1", "3"),
            ("0.3 % 0.1", "0"), ("100 * 1.1", "110"), ("1 / 3 * 3 == 1", "true"), ("[0.1 0.2] | sum", "0.3"),
            ("1700000000.123456", "1700000000.123456"), ("1700000000.123456 == 1700000000.123457", "false"),
            ("9007199254740993.5 == 9007199254740993.25", "false"),
            ("12345678901234567891 > 12345678901234567890", "true"),
            ("[12345678901234567891 7] | max", "12345678901234567891"),
            ("[0.1234567890123456781 0.1234567890123456782] | unique | count", "2"),
            ("12345678901234567890 + 1", "12345678901234567891"),
            ("12345678901234567890 - 12345678901234567889", "1"),
            ("[12345678901234567890 1] | sum", "12345678901234567891"),
            ("[1 12345678901234567890] | summarize s=sum(it) | get s", "12345678901234567891"),
            ("12345678901234567890 % 10", "0"), ("-12345678901234567891 % 10", "-1"),
            ("12345678901234567890 / 10", "1234567890123456789"),
            ("9007199254740993 / 2", "4503599627370496.5"),
            ("18446744073709551617 / 3", "6148914691236517205.666667"),
            ("[9007199254740993 9007199254740993] | mean", "9007199254740993"),
            (
                "[9223372036854775807 9223372036854775805 9223372036854775804] | mean",
                "9223372036854775805.333333"
            ),
            ("[9007199254740993 9007199254740994] | summarize m=median(it) | get m", "9007199254740993.5"),
            ("floor(12345678901234567.8)", "12345678901234567"), ("floor(0.99999999999999999)", "0"),
            ("round(0.49999999999999999)", "0"), ("ceil(1.00000000000000001)", "2"),
            ("round(1700000000.1234567, 6)", "1700000000.123457"),
            ("2026-05-01T00:00:00.123456Z == 2026-05-01T00:00:00.123457Z", "false"),
            ("2026-05-01T00:00:00.123456Z", "2026-05-01T00:00:00.123456Z"),
            ("2026-05-01T00:00:00.000000001Z - 2026-05-01T00:00:00Z < 1ms", "true"),
        ])
    func decimals(_ entry: String, _ shown: String) async throws {
        #expect(await (try DataSession()).run(entry) == shown)
    }

    @Test("integers beyond 64 bits stay apart in JSON, and are written with all digits")
    func longIntegers() async throws {
        let data = try DataSession(files: [
            "i.json": "[{\"id\":12345678901234567890},{\"id\":12345678901234567891},{\"id\":7}]"
        ])
        #expect(await data.run("open i.json | unique id | count") == "3")
        #expect(await data.run("open i.json | sort id | get id | last") == "12345678901234567891")
        #expect(
            await data.run("open i.json | to json --compact")
                == #"[{"id":12345678901234567890},{"id":12345678901234567891},{"id":7}]"#)
    }

    @Test("a coordinate keeps nine decimals in every format, and is one again", arguments: ["csv", "json"])
    func coordinates(_ format: String) async throws {
        let data = try DataSession()
        let text = "[{at: 46.123456789,7.987654321}] | to \(format) | from \(format)"
        #expect(await data.run("\(text) | each distance(at, 46.123456789,7.987654321)") == "0m")
        #expect(await data.run("\(text) | to geojson --compact").contains("[7.987654321,46.123456789]"))
    }

    @Test(
        "patterns of dates",
        arguments: [
            ("parse('Tue 3 Feb 2026', 'EEE d MMM yyyy')", "2026-02-03"),
            ("parse('1500-03-01', 'yyyy-MM-dd')", "1500-03-01"),
            ("format(1200-01-01, 'EEE yyyy-MM-dd')", "Sat 1200-01-01"),
            ("format(2026-02-06, 'd MMM yy')", "6 Feb 26"),
            ("format(2026-01-01T00:00:00.123456Z, 'HH:mm:ss.SSSSSS')", "00:00:00.123456"),
            ("format(2026-01-01T00:00:00.123456789Z, 'ss.SSSSSSSSS')", "00.123456789"),
            ("format(2026-01-01T00:00:00.5Z, 'ss.S')", "00.5"),
            (
                "parse('2026-01-01 00:00:00.123456', 'yyyy-MM-dd HH:mm:ss.SSSSSS')",
                "2026-01-01T00:00:00.123456Z"
            ),
            (
                "parse('06.02.2026 10:00:00.1234', 'dd.MM.yyyy HH:mm:ss.SSSS')",
                "2026-02-06T10:00:00.1234Z"
            ),
            ("1850-05-05T10:00:00+00:29:46", "1850-05-05T09:30:14Z"),
            ("1970-01-01T00:00Z + 1ms * 1700000000123000 / 1000", "2023-11-14T22:13:20.123Z"),
            ("9007199254740993 + 0.0", "9007199254740993"), ("9007199254740993 * 0.5", "4503599627370496.5"),
            ("[9007199254740993 0.5] | sum", "9007199254740993.5"),
            ("[0.5 9007199254740993] | sum", "9007199254740993.5"),
            ("[9223372036854775807 1 -0.5] | sum", "9223372036854775807.5"),
            ("9007199254740993 == 9007199254740992.0", "false"),
            ("9007199254740993 > 9007199254740992.0", "true"),
            ("9223372036854775807 < 1e19", "true"), ("-9223372036854775807 < -1e19", "false"),
            ("[9007199254740993 9007199254740992.0] | max", "9007199254740993"),
            ("[9007199254740993 9007199254740992.0] | sort | first", "9007199254740992"),
            ("[9007199254740993 9007199254740992.0] | unique | count", "2"),
            ("3 == 3.0 and 3 < 3.5 and -3 > -3.5", "true"),
            ("1970-01-01T00:00Z + 1614434140s", "2021-02-27T13:55:40Z"),
            ("1970-01-01T00:00Z + 1s * number('1614434140')", "2021-02-27T13:55:40Z"),
            ("date('2/6/26', 'd/M/yy')", "2026-06-02"),
            ("parse('2026-02-06T10:00:00Z', \"yyyy-MM-dd'T'HH:mm:ssXX\")", "2026-02-06T10:00:00Z"),
        ])
    func datePatterns(_ entry: String, _ shown: String) async throws {
        #expect(await (try DataSession()).run(entry) == shown)
    }

    @Test(
        "the fix of what is no date leads there in one step",
        arguments: [
            ("date(1614434140)", "1970-01-01T00:00Z + 1614434140s"),
            ("hour(1783152000123)", "1970-01-01T00:00Z + 1783152000123ms"),
            ("date(1700000000123456)", "1970-01-01T00:00Z + 1ms * 1700000000123456 / 1000"),
            ("date('1700000000123456')", "1970-01-01T00:00Z + 1ms * number(text) / 1000"),
            ("quantity('1,5 km')", "quantity(replace(text, ',', '.'))"),
            ("number('12%')", "quantity(text)"),
            ("parse('1614434140')", "1970-01-01T00:00Z + 1s * number(text)"),
            ("parse('2024-01-02', '%Y-%m-%d')", "write 'yyyy-MM-dd'"),
            ("format(2024-12-30, '%d.%m. %H:%M')", "write 'dd.MM. HH:mm'"),
            ("parse('2026-02-06T10:00:00Z', '%Y-%m-%dT%H:%M:%SZ')", "write \"yyyy-MM-dd'T'HH:mm:ssXX\""),
            ("parse('6/2/2026', '%-d/%-m/%Y')", "write 'd/M/yyyy'"),
            ("format(2024-12-30, '%H h %M min')", "write \"HH 'h' mm 'min'\""),
            ("format(2024-12-30, 'yyyy-DD-mm')", "write MM for the month"),
            ("parse('03:04', 'HH:mm')", "parse('2026-02-06 ' + text, 'yyyy-MM-dd HH:mm')"),
            ("2024-03-10T12:00Z in 'America/New_York'", "set timezone America/New_York"),
            ("5km in mile", "units: "), ("5km in 'mi'", "write: in mi"), ("[1] | where !it == 1", "not (…)"),
            ("[1] | where it between 0 and 2", "x >= 1 and x <= 5"), ("null + 1", "(null)"),
            ("'<gpx></gpx>' | count", "import FILE --dry-run"),
        ])
    func fixes(_ entry: String, _ part: String) async throws {
        let fix = await (try DataSession()).session.run(entry).failure?.fix
        #expect(fix?.contains(part) == true, "\(entry): \(fix ?? "none")")
    }

    @Test("dates before standard time are days, and times have their offset's seconds")
    func localMeanTime() async throws {
        let data = try DataSession(files: ["h.csv": "name,opened\nBernina,1863-07-01\nRigi,1871-08-15\n"])
        _ = await data.run("set timezone Europe/Zurich")
        #expect(await data.run("open h.csv | get opened") == "1863-07-01\n1871-08-15")
        #expect(await data.run("open h.csv | to csv") == "name,opened\nBernina,1863-07-01\nRigi,1871-08-15")
        #expect(await data.run("1863-07-01T10:00 == 1863-07-01T10:00:00+00:29:46") == "true")
    }

    @Test("what no row of the other side can equal is said")
    func joinOfKinds() async throws {
        let data = try DataSession()
        #expect(await data.code("[{k: 1 v: a}] | join [{k: '1' w: b}] --on k") == "E-DATA-MIXED")
        #expect(
            await data.run("[{k: 1 v: a}] | extend k=text(k) | join [{k: '1' w: b}] --on k | get w") == "b")
        #expect(await data.run("[{k: 1} {k: '1'}] | join [{k: '1' w: b}] --on k | count") == "1")
        #expect(await data.run("[{k: 1}] | join [{k: 2 w: b}] --on k | count") == "0")
    }

    @Test(
        "a date that contradicts itself, or has no year, is refused",
        arguments: [
            "parse('Mon 3 Feb 2026', 'EEE d MMM yyyy')", "parse('3 Feb', 'd MMM')", "parse('14:05', 'HH:mm')",
            "parse('26-03-01', 'yyyy-MM-dd')", "parse('30 Feb 2026', 'd MMM yyyy')",
        ])
    func refusedDates(_ entry: String) async throws {
        #expect(await (try DataSession()).code(entry) == "E-FUNCTION-KIND")
    }

    @Test(
        "notations of coordinates, read and written",
        arguments: [
            ("notation(coordinate('32N 461987 5205285'), 'utm')", "32T 461987 5205285"),
            ("notation(coordinate('32TMT6198705285'), 'mgrs')", "32TMT 61987 05285"),
            ("notation(coordinate('2600000 1200000'), 'swiss')", "2600000 1200000"),
            ("notation(coordinate('8FVC9G8F+6X'), 'pluscode')", "8FVC9G8F+6X"),
            ("notation(coordinate('u4pruydqqvj'), 'geohash')", "u4pruydqq"),
            ("notation(-33.8688,151.2093, 'utm')", "56H 334369 6250948"),
            ("notation(46.951083,7.438639, 'dms')", "46°57'03.9\"N 7°26'19.1\"E"),
        ])
    func notations(_ entry: String, _ shown: String) async throws {
        #expect(await (try DataSession()).run(entry) == shown)
    }
}

/// What used to select nothing, or the wrong rows, without a word.
@Suite("Conditions that mean what they say")
struct ConditionTests {
    private static let huts = """
        name,country,beds,owner
        Illa,AD,50,COMU
        Perafita,AD,6,
        Bouillouses,FR,160,CAF
        """

    private func run(_ entry: String) async throws -> (text: String, code: String?) {
        let data = try DataSession(files: ["h.csv": Self.huts])
        let result = await data.session.run(entry)
        return (result.text, result.failure?.code)
    }

    @Test(
        "words for nothing",
        arguments: ["owner == null", "owner == none", "owner == nothing", "owner in [null]"])
    func nothing(_ condition: String) async throws {
        #expect(try await run("open h.csv | where \(condition) | get name").text == "Perafita")
    }

    @Test(
        "a word that no row has, but nearly, is an error", arguments: ["country == Frr", "owner == contry"])
    func misspelt(_ condition: String) async throws {
        #expect(try await run("open h.csv | where \(condition)").code == "E-WORD-UNKNOWN")
        #expect(try await run("open h.csv | where name =~ contry").code == "E-TYPE")
        #expect(try await run("open h.csv | where country == FR | count").text == "1")
        #expect(try await run("open h.csv | where country == Italy | count").text == "0")
    }

    @Test("aggregates are those of all rows")
    func aggregates() async throws {
        #expect(try await run("open h.csv | where beds == max(beds) | get name").text == "Bouillouses")
        #expect(try await run("open h.csv | where beds > mean(beds) | get name").text == "Bouillouses")
        #expect(
            try await run("open h.csv | extend r=beds - min(beds) s=r / max(r) | get s | last").text == "1")
        #expect(try await run("open h.csv | each beds / sum(beds) | sum").text == "1")
        #expect(try await run("open h.csv | each max(beds, 20) | min").text == "20")
    }

    @Test("a list of one coordinate without decimals is asked about; equal points have no bearing")
    func doubtful() async throws {
        #expect(try await run("[10,20] | count").code == "E-COORDINATE")
        #expect(try await run("[46.5,7.9] | count").text == "1")
        #expect(try await run("bearing(46.5,7.9, 46.5,7.9) == nothing").text == "true")
        #expect(try await run("date('2026-02-30')").text.contains("is no day of the calendar"))
    }

    @Test("the key of one field is called as the field")
    func groupKey() async throws {
        #expect(try await run("open h.csv | group country | get country | concat").text == "AD, FR")
    }

    @Test(
        "habits of other tools lead to what works here, in one step",
        arguments: [
            ("top 2 beds", "sort beds --descending | first 2"), ("drop owner", "reject owner"),
            ("columns", "describe"), ("math sum", "sum beds"), ("insert x", "extend x=beds"),
            ("mutate x=beds", "extend x=beds"), ("value_counts owner", "summarize count() by owner"),
            ("count owner", "summarize count() by owner"), ("nth 1", "get 1"), ("head -n 1", "first 1"),
            ("sort beds desc", "sort beds --descending"),
            ("where owner is not null", "where owner != null"),
            ("where beds == '50'", "where beds == 50"),
            ("str join", "concat"),
            ("where country = AD", "where country == AD"), ("where country is AD", "where country == AD"),
            ("where beds > 5 && beds < 60", "where beds > 5 and beds < 60"),
            ("where beds > 5 || beds < 60", "where beds > 5 or beds < 60"),
            ("where beds <> 50", "where beds != 50"),
            ("where name contains Illa", "where contains(name, 'Illa')"),
            ("sort -beds", "sort beds --descending"),
            ("select -owner", "reject owner"),
        ])
    func habits(_ habit: String, _ right: String) async throws {
        let failed = try await run("open h.csv | \(habit)")
        #expect(failed.code != nil)
        let word =
            right.split(separator: " ").first { $0 != "where" && !$0.hasPrefix("country") && $0 != "beds" }
            ?? ""
        let core = word.prefix { $0 != "(" }
        #expect(failed.text.contains(core), "\(failed.text)")
        let works = try await run(
            right == "concat" ? "open h.csv | get name | concat" : "open h.csv | \(right)")
        #expect(works.code == nil, "\(works.text)")
    }
}
