import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import TransitPlugin

/// Feeds of spreadsheets and of other tools: what differs is named or read, and stands in the account.
@Suite struct OtherFormTests {
    private let folder: TemporaryFolder
    private var database: URL { folder.url.appendingPathComponent("gtfs.db") }

    init() throws { folder = try TemporaryFolder() }

    private func run(_ changes: [String: String], needsTables: Bool = true) throws -> FeedImportReport {
        let source = FeedSource(name: "small", tables: ImportTests.small.merging(changes) { $1 })
        return try FeedImport.run(
            [(source: source, prefix: "")], to: database, isLenient: true, needsTables: needsTables)
    }

    private func refusal(_ changes: [String: String]) -> String {
        do {
            _ = try run(changes)
            return ""
        } catch {
            return (error as? RutterError)?.message ?? "\(error)"
        }
    }

    @Test(arguments: [
        ("agency_name;agency_url;agency_timezone\nA;u;Europe/Berlin\n", "separated by `;`"),
        ("agency_name\tagency_url\tagency_timezone\nA\tu\tEurope/Berlin\n", "separated by tabs"),
        (
            "sep=,\nagency_name,agency_url,agency_timezone\nA,u,Europe/Berlin\n",
            "the separator of a spreadsheet"
        ),
        ("agency_url\nu\n", "the column agency_name is missing"),
    ])
    func otherSeparators(table: String, words: String) {
        let message = refusal(["agency.txt": table])
        #expect(message.contains(words), "\(message)")
    }

    @Test func namesOfColumnsInCapitals() throws {
        let report = try run([
            "agency.txt": "AGENCY_NAME,Agency_URL,AGENCY_TIMEZONE\nA,http://a.example,Europe/Berlin\n"
        ])
        #expect(report.trips == 1)
        #expect(report.problems.map(\.text) == ["the column AGENCY_NAME is read as agency_name"])
    }

    /// A second byte order mark, and the no-break spaces of spreadsheets. A name that ends in bytes of such a sign, but
    /// not in the sign, is whole.
    @Test func hiddenSigns() throws {
        let stops =
            "\u{FEFF}\u{FEFF}stop_id,stop_name,stop_lat,stop_lon\nX,Xanten,\u{A0}51.66,6.45\n"
            + "Y,\u{3060},50.85\u{200B},2.88\nZ,Zell,50.02,7.18\n"
        let report = try run(["stops.txt": stops])
        #expect(report.trips == 1)
        #expect(
            report.problems.map(\.text) == [
                "control characters or hidden spaces around values were removed in 2 lines"
            ])
        let feed = try Feed(database, isOwn: true, fallback: .gmt)
        #expect(try feed.stops.with(id: "Y")?.name == "\u{3060}")
    }

    @Test(arguments: [
        ("europe/berlin", "`europe/berlin` is no time zone; Europe/Berlin?"),
        ("Berlin", "`Berlin` is no time zone; Europe/Berlin?"),
        ("Middle Earth", "`Middle Earth` is no time zone"), ("", "no agency has a time zone"),
    ])
    func namesOfZones(zone: String, words: String) {
        let table = "agency_name,agency_url,agency_timezone\nA,http://a.example,\(zone)\n"
        let message = refusal(["agency.txt": table])
        // Foundation reads some names in any case.
        if !message.isEmpty || zone.isEmpty {
            #expect(message == "agency.txt: \(words)")
        } else {
            #expect(zone == "europe/berlin")
        }
    }

    @Test func offsetsAreNoNames() throws {
        let table = "agency_name,agency_url,agency_timezone\nA,http://a.example,GMT+1\n"
        let report = try run(["agency.txt": table])
        #expect(report.problems.count == 1)
        #expect(report.problems.first?.text.hasPrefix("`GMT+1` is no name of the tz database") ?? false)
        #expect(!ZoneNames.isOffset("Etc/GMT+1"))
        #expect(!ZoneNames.isOffset("UTC"))
        #expect(!ZoneNames.isOffset("GMT+0"))
    }

    /// A table with its header alone is there, but no trip departs.
    @Test func noTimes() throws {
        let header = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
        let message = refusal(["stop_times.txt": header])
        #expect(message == "small: no trip has a departure: stop_times.txt has no times of its trips")
        #expect(try run(["stop_times.txt": header], needsTables: false).trips == 0)
    }

    @Test func noDays() throws {
        let header =
            "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
        #expect(try run(["calendar.txt": header + "S,0,0,0,0,0,0,0,20260101,20261231\n"]).idle)
        #expect(try !run([:]).idle)
        let added = "service_id,date,exception_type\nS,20260206,1\n"
        let report = try run([
            "calendar.txt": header + "S,0,0,0,0,0,0,0,20260101,20261231\n", "calendar_dates.txt": added,
        ])
        #expect(!report.idle)
    }

    /// Values that are replaced are in the account.
    @Test(arguments: [
        ("trips.txt", "route_id,service_id,trip_id,direction_id\nR,S,T,5\n", "invalid direction_id `5`"),
        (
            "routes.txt", "route_id,route_short_name,route_type,agency_id\nR,1,3,zz\n",
            "unknown agency_id `zz`"
        ),
        (
            "feed_info.txt", "feed_start_date,feed_end_date\n20260401,20260309\n",
            "feed_end_date is before feed_start_date"
        ),
    ])
    func replacedValues(table: String, text: String, words: String) throws {
        let report = try run([table: text])
        #expect(report.problems.map(\.text) == [words])
        #expect(report.problems.map(\.outcome) == [.repaired])
        #expect(report.trips == 1)
    }

    @Test func linesWithoutNames() throws {
        _ = try run(["routes.txt": "route_id,route_short_name,route_long_name,route_type\nR,,,3\n"])
        let feed = try Feed(database, isOwn: true, fallback: .gmt)
        #expect(feed.routes.values.map(\.name) == ["R"])
    }
}
