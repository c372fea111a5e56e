import Testing

@testable import Workbench

/// Forms of dates beside the usual one of ISO 8601. Weeks and days are from a printed calendar.
@Suite("Written dates")
struct WrittenDateTests {
    @Test(
        "week dates, ordinal dates, the basic format, mails and zones by name are read",
        arguments: [
            ("2026-W10-3", "2026-03-04"), ("2026W103", "2026-03-04"), ("2020-W53-5", "2021-01-01"),
            ("2026-060", "2026-03-01"), ("2024366", "2024-12-31"), ("20260301", "2026-03-01"),
            ("20260301T101530Z", "2026-03-01T10:15:30Z"), ("20260301T1015+0100", "2026-03-01T09:15:00Z"),
            ("2026-02-28T24:00Z", "2026-03-01"), ("Sun, 01 Mar 2026 10:15:30 GMT", "2026-03-01T10:15:30Z"),
            ("1 Mar 2026 10:15:30 +0100", "2026-03-01T09:15:30Z"),
            ("2026-03-01T10:15[Europe/Zurich]", "2026-03-01T09:15:00Z"),
            ("2026-03-01T10:15+01:00[Europe/Zurich]", "2026-03-01T09:15:00Z"),
            ("2026-03-01 10:15:30 UTC", "2026-03-01T10:15:30Z"),
        ])
    func read(_ text: String, _ moment: String) async throws {
        let data = try DataSession()
        #expect(await data.run("parse('\(text)')") == moment)
    }

    @Test(
        "impossible, contradicted and ambiguous dates are refused",
        arguments: [
            "2025-W53-1", "2026-W00-1", "2026-W10-8", "2026-366", "2026-000", "20260230", "2026-01-01T24:01Z",
            "Mon, 01 Mar 2026 10:15:30 GMT", "2026-07-01T10:15+01:00[Europe/Zurich]",
            "2026-03-01T10:15[Nowhere/City]",
            "1/2/2026", "2026-W10", "2026", "10:15", "1700000000", "2026-0301", "202603-01",
        ])
    func refused(_ text: String) async throws {
        let data = try DataSession()
        #expect(await data.code("parse('\(text)')") == "E-FUNCTION-KIND")
    }

    @Test("the fix names the patterns that read the text")
    func patterns() async throws {
        let data = try DataSession()
        let shown = await data.run("parse('1/2/2026')")
        #expect(shown.contains("parse(text, 'd/M/yyyy') or parse(text, 'M/d/yyyy')"))
        #expect(
            await data.run("parse('25/2/2026')").contains("fix: pass its pattern: parse(text, 'd/M/yyyy')\n")
                == false)
        #expect(await data.run("parse('2/25/2026')").contains("parse(text, 'M/d/yyyy')"))
        #expect(await data.run("parse('2/25/2026', 'M/d/yyyy')") == "2026-02-25")
    }

    @Test(
        "letters of patterns that mean another thing than they seem to are refused",
        arguments: [
            "date('2026-03-01', 'YYYY-MM-dd')", "date('2026-03-01', 'yyyy-mm-dd')",
            "date('2026-03-01', 'yyyy-MM-DD')",
            "date('02:30 3/4/2026', 'hh:mm d/M/yyyy')", "format(2026-12-29, 'YYYY-MM-dd')",
            "format(2026-12-29, 'dd.mm.yyyy')",
        ])
    func mistaken(_ entry: String) async throws {
        let data = try DataSession()
        #expect(await data.code(entry) == "E-FUNCTION-KIND")
    }

    @Test(
        "the reason why a text is no date is said",
        arguments: [
            ("parse('Mon 2026-02-06', 'EEE yyyy-MM-dd')", "contradicts itself: 2026-02-06 is a Friday"),
            ("date('Tuesday, 5 January 2026', 'EEEE, d MMMM yyyy')", "2026-01-05 is a Monday"),
            ("parse('Thu, 1 Jan 2020 23:30:00 -0100')", "contradicts itself: 2020-01-01 is a Wednesday"),
            ("parse('2026-02-30', 'yyyy-MM-dd')", "`2026-02-30` is no day of the calendar"),
            ("parse('2026-07-01T12:00', 'yyyy-MM-ddTHH:mm')", "`T` is no letter of date patterns"),
            ("parse('2021-W53-1')", "2021 has no week 53"),
            ("parse('1 Mär 2026', 'd MMM yyyy')", "does not match the date pattern"),
        ])
    func reasons(_ entry: String, _ reason: String) async throws {
        let data = try DataSession()
        #expect(await data.run(entry).contains(reason))
    }

    @Test("weeks of patterns are those of ISO 8601")
    func weeks() async throws {
        let data = try DataSession()
        #expect(await data.run("format(2026-12-29, \"YYYY-'W'ww-e\")") == "2026-W53-2")
        #expect(await data.run("format(2027-01-01, \"YYYY-'W'ww-e\")") == "2026-W53-5")
        #expect(await data.run("date('2026-W10-3', \"YYYY-'W'ww-e\")") == "2026-03-04")
    }
}
