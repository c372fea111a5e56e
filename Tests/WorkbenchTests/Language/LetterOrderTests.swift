import Foundation
import PluginKit
import Testing

@testable import Workbench

/// Texts that look like numbers are not compared by letters without a word, nor are numbers that may be times refused without one.
struct LetterOrderTests {
    @Test(arguments: [
        ("'10' < '9'", "number('10') < number('9')", "false"),
        ("'1,5' >= '12,5'", "number('1,5') >= number('12,5')", "false"),
        ("'9:05' < '10:30'", "quantity('9:05' + 'h') < quantity('10:30' + 'h')", "true"),
        ("'1.2.2026' < '15.1.2026'", "date('1.2.2026', 'd.M.yyyy') < date('15.1.2026', 'd.M.yyyy')", "false"),
    ])
    func comparisonsOfTexts(entry: String, repaired: String, value: String) async throws {
        let data = try DataSession()
        #expect(await data.code(entry) == "E-DATA-TEXT")
        #expect(await data.run(repaired) == value)
    }

    @Test(arguments: [
        "'08:15' < '10:05'", "'2026-05-01' < '2026-06'", "'a' < 'b'", "'Hut 2' < 'Hut 3'", "'9' == '10'",
    ])
    func theOrderOfLettersThatIsMeant(entry: String) async throws {
        #expect(try await DataSession().code(entry) == nil)
    }

    @Test func theFixOfAComparisonWorks() async throws {
        let data = try DataSession(files: ["a.csv": "t\n9:05\n10:30\n"])
        let fix = try #require(await data.session.run("open a.csv | where t < '9:30'").failure?.fix)
        #expect(fix.hasPrefix(#"quantity(t + 'h') beside quantity("9:30" + 'h')"#))
    }

    @Test(arguments: [
        ("20260430", "date(text(20260430), 'yyyyMMdd')", "2026-04-30"),
        ("1700000000", "1970-01-01T00:00Z + 1700000000 * 1s", "2023-11-14T22:13:20Z"),
        ("1700000000123", "1970-01-01T00:00Z + 1700000000123 * 1ms", "2023-11-14T22:13:20.123Z"),
        ("45000", "1899-12-30 + 45000 * 1d", "2023-03-15"),
    ])
    func numbersThatMayBeTimes(number: String, repaired: String, moment: String) async throws {
        let data = try DataSession()
        let fix = try #require(await data.session.run("[{d: \(number)}] | where d < 2026-05-01").failure?.fix)
        #expect(fix.hasSuffix(repaired.replacing(number, with: "d")), "\(fix)")
        #expect(await data.run(repaired) == moment)
    }

    /// Feet and inches, or minutes and seconds.
    @Test func marksThatCountTwoThings() async throws {
        let data = try DataSession()
        #expect(await data.session.run(#"quantity("5'11\"")"#).failure?.fix?.contains("'ft'") == true)
        #expect(await data.run(#"quantity("5'11\"", 'ft') in cm"#) == "180.34cm")
        #expect(await data.run(#"quantity("5'11\"", 'min')"#) == "5min11s")
        #expect(await data.code(#"quantity("5'14\"", 'ft')"#) == "E-FUNCTION-KIND")
        #expect(await data.run("quantity('5 ft 11 in') in cm") == "180.34cm")
        #expect(await data.run("quantity('1 km 300 m')") == "1.3km")
        #expect(await data.run("quantity('1d 2h 3m')") == "26h3min")
        #expect(await data.code(#"["5'9\"" "5'11\""] | max"#) == "E-DATA-TEXT")
    }

    @Test(arguments: [
        "yyyy-mm-dd", "dd.mm.yyyy HH:mm", "yyyy-MM-dd HH:MM", "dd.MM.yyyy HH:MM:ss", "yyyy-MM-dd hh:mm",
    ])
    func lettersOfPatternsInAnotherPlace(pattern: String) async throws {
        let data = try DataSession()
        #expect(await data.code("format(2026-05-09T20:07, '\(pattern)')") == "E-FUNCTION-KIND")
        #expect(await data.code("parse('2026-05-09 08:07', '\(pattern)')") == "E-FUNCTION-KIND")
    }

    @Test(arguments: [
        ("yyyy-MM-dd HH:mm", "2026-05-09 20:07"), ("d MMM, h:mm a", "9 May, 8:07 PM"), ("HH.mm", "20.07"),
        ("mm:ss", "07:00"), ("yyyyMMddHHmm", "202605092007"),
    ])
    func patternsThatAreMeant(pattern: String, text: String) async throws {
        #expect(try await DataSession().run("format(2026-05-09T20:07, '\(pattern)')") == text)
    }
}
