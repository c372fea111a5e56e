import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import Workbench

/// Units of columns of CSV: what is written says them, and reads back as the same quantities.
@Suite struct ColumnUnitTests {
    private static let walks =
        "let w = [{n: 'a' far: 1500m took: 20min up: 12% at: 46.5,7.9} {n: 'b' far: nothing took: 90s up: nothing at: nothing}]"

    private func session(_ files: [String: String] = [:]) async throws -> DataSession {
        let session = try DataSession(files: files)
        _ = await session.run(Self.walks)
        return session
    }

    /// The notice of writing a value as CSV.
    private func notice(_ entry: String, separator: UInt8 = CSVSeparator.standard) async throws -> String {
        let value = try await session().value(entry)
        var said = ""
        try CSVDataWriter(timeZone: .gmt, separator: separator) { said += $0 }.write(
            value.tabulated, to: TextSink())
        return said
    }

    @Test func cellsInBaseUnitsAreSaid() async throws {
        #expect(
            try await notice("$w")
                == "far in m; took in s; up in parts of 1; `to csv --units` writes the units into the names")
        #expect(try await notice("$w", separator: UInt8(ascii: "\t")).contains("`to tsv --units`"))
        #expect(try await notice("[{a: 1}]").isEmpty)
        #expect(try await notice("[{a: 1m} {a: 2s}]").contains("a in m or s"))
        #expect(try await notice("[1m 2km]").contains("value in m"))
        #expect(try await session().run("$w | select n far | to csv") == "n,far\na,1500\nb,")
    }

    @Test func unitsEndTheNamesAndAreReadAgain() async throws {
        let session = try await session()
        let text = await session.run("$w | to csv --units")
        #expect(text.hasPrefix("n,far (m),took (s),up (%),at"))
        #expect(text.contains("a,1500,1200,12,\"46.5,7.9\""))
        let back = await session.run("let b = $w | to csv --units | from csv --units; $b | get far")
        #expect(back.contains("1500m"))
        #expect(await session.run("$b | where took == 90s | get n") == "b")
        #expect(await session.run("$b | first | get up") == "12%")
    }

    @Test func unitsOfOtherPrograms() async throws {
        let table = "Name,Distance [km],Speed (km/h),Remark (old),Gain (m),Gain (ft)\nA,1.5,4,x,10,32.8\n"
        let session = try await session([
            "t.csv": table, "n.csv": "Distance (km),n\nDistanz,z\n2,1\n3,2\n", "l.csv": "d,e\nkm,s\n2,1\n",
            "v.csv": "d,e\n1,2\n3,4\n",
        ])
        let read = "from csv --file t.csv --units | first"
        #expect(await session.run("\(read) | get Distance") == "1.5km")
        #expect(await session.run("\(read) | get Speed") == "4km/h")
        // No unit, and names that are the same without their units.
        #expect(await session.run("\(read) | get 'Remark (old)'") == "x")
        #expect(await session.run("\(read) | get 'Gain (ft)'") == "32.8ft")
        #expect(await session.run("from csv --file t.csv | first | get 'Distance [km]'") == "1.5")
        // A line of further names is no row, one of numbers is.
        #expect(await session.run("from csv --file n.csv --units | sum Distance") == "5km")
        #expect(await session.run("from csv --file l.csv --units | sum d") == "2")
        // A line of values below names without units is a row.
        #expect(await session.run("from csv --file v.csv --units | sum d") == "4")
    }

    @Test func coordinatesInTwoColumns() async throws {
        let session = try await session()
        #expect(await session.run("$w | select n at | to csv --lat-lon") == "n,lat,lon\na,46.5,7.9\nb,,")
        #expect(
            await session.run("[{p: 1,2 q: 3,4}] | to csv --lat-lon") == "p_lat,p_lon,q_lat,q_lon\n1,2,3,4")
        #expect(await session.run("[{lat: 5 at: 1,2}] | to csv --lat-lon") == "lat,at_lat,at_lon\n5,1,2")
        #expect(
            await session.run("[{at: 1,2,30m}] | to csv --lat-lon --units") == "lat,lon,ele (m)\n1,2,30")
        #expect(
            await session.run(
                "[{at: 1,2}] | to csv --lat-lon | from csv | extend at=coordinate(lat, lon) | get at")
                == "1,2")
    }

    @Test func oneUnitOfAColumn() async throws {
        let session = try await session()
        #expect(await session.run("[{a: 1m} {a: 2s}] | to csv --units").contains("E-UNIT-DIMENSION"))
        #expect(
            await session.run("[{a: 1}] | to json --units").contains("--units is an option of csv and tsv"))
    }
}
