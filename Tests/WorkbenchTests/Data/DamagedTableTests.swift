import Foundation
import PluginKit
import Testing

@testable import Workbench

/// Tables that programs have damaged before they were read.
struct DamagedTableTests {
    /// Spreadsheets write numbers of twelve digits and more with an exponent.
    @Test func digitsThatASpreadsheetLost() async throws {
        let data = try DataSession(files: [
            "a.csv": "id\n8.91E+18\n1.23457E+12\n7\n", "b.csv": "x\n1.5E+18\n0.25\n",
        ])
        #expect(await data.run("open a.csv").contains("`8.91E+18`, as spreadsheets write long whole numbers"))
        #expect(await !data.run("open b.csv").contains("spreadsheets"))
    }

    @Test func lettersThatWereWrittenTwice() async throws {
        let data = try DataSession(files: [
            "a.csv": "name\nZÃ¼rich\n", "b.csv": "name\nZ\u{FFFD}rich\n", "c.csv": "name\nSão Ñandú Â\n",
        ])
        #expect(
            await data.run("open a.csv").contains(
                "`ZÃ¼rich` in line 2 is `Zürich` that was written as UTF-8 twice"))
        #expect(await data.run("open b.csv").contains("replaced them"))
        #expect(await !data.run("open c.csv").contains("line 2"))
    }

    @Test func aFileThatWasJoinedToAnother() async throws {
        let data = try DataSession(files: ["a.csv": "\u{FEFF}name,beds\nA,1\n\u{FEFF}B,2\n"])
        #expect(await data.run("open a.csv | where name == 'B' | get beds").hasPrefix("2"))
        #expect(await data.run("open a.csv").contains("line 3 begins with a byte order mark"))
    }

    /// The fix of the error reads the rows behind the quote, too.
    @Test func aQuoteThatIsNotClosed() async throws {
        let data = try DataSession(files: ["a.csv": "a,b\nx,1\n\"y,2\nz,3\n"])
        let error = await data.session.run("open a.csv | count").failure
        #expect(error?.fix?.contains("--lenient") == true)
        #expect(await data.run("from csv --file a.csv --lenient | get a | first 3").hasPrefix("x\n\"y\nz"))
        #expect(await data.run("from csv --file a.csv --lenient").contains("a quote in line 3 is not closed"))
    }

    /// A word for an error has a digit, as a number has.
    @Test func theFixLeavesErrorsOfSpreadsheetsOut() async throws {
        let data = try DataSession(files: ["a.csv": "x\n1.5\n#DIV/0!\n2.5\n#N/A\n"])
        let fix = try #require(await data.session.run("open a.csv | mean x").failure?.fix)
        #expect(await data.run(fix.replacing("…", with: "open a.csv")).hasPrefix("2"))
    }

    /// Nothing converts true or a list, so no conversion is offered.
    @Test func noConversionOfOtherKinds() async throws {
        let data = try DataSession()
        #expect(await data.session.run("[1 '2' true] | sum").failure?.fix == nil)
        #expect(await data.session.run("[1 '2'] | sum").failure?.fix == "… | each number(it) | sum")
    }
}
