import Foundation
import Geodesy
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
            "stops.txt",
            "stop_id,stop_lat,stop_lon,wheelchair_boarding\nX,51.66,6.45,3\nY,50.85,2.88,\nZ,50.02,7.18,1\n",
            "invalid wheelchair_boarding `3`"
        ),
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

    private func times(_ rows: String) throws -> (times: [String], problems: [String]) {
        let report = try run([
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type\n" + rows
        ])
        let feed = try Feed(database, isOwn: true, fallback: .gmt)
        let trip = try #require(try feed.trips.with(id: "T"))
        let calls = try feed.trips.calls(ofPattern: trip.pattern)
        return (
            calls.map { ServiceDay.scheduled(trip.start + $0.arrival) },
            report.problems.map { "\($0.line): \($0.text)" }
        )
    }

    /// Spreadsheets and data frames write times and numbers in other forms: what can mean one thing is read, with an entry of the
    /// account for each column.
    @Test func timesInOtherForms() throws {
        let found = try times("T,8:00,8:00,X,1.0,0.0\nT,08:10:00,08:11:00,Y,2.0,\nT,8:20,8:20,Z,3.0,1.0\n")
        #expect(found.times == ["08:00:00", "08:10:00", "08:20:00"])
        #expect(
            found.problems == [
                "2: arrival_time is not written as HH:MM:SS in 2 lines, and read all the same: `8:00`",
                "2: departure_time is not written as HH:MM:SS in 2 lines, and read all the same: `8:00`",
                "2: stop_sequence is not written as a whole number in 3 lines, and read all the same: `1.0`",
            ])
    }

    /// A clock of 12 hours begins again at midnight.
    @Test func timesOfHalfADay() throws {
        let found = try times(
            "T,11:50 PM,11:50 PM,X,1,\nT,11:59 PM,12:01 AM,Y,2,\nT,12:10 AM,12:10 AM,Z,3,\n")
        #expect(found.times == ["23:50:00", "23:59:00", "24:10:00"])
        let own = "the time goes back by more than 18 hours: it is read as that of the next day"
        #expect(found.problems.contains("3: \(own)"))
        let next = try times("T,11:50 PM,11:50 PM,X,1,\nT,11:59 PM,11:59 PM,Y,2,\nT,12:10 AM,12:10 AM,Z,3,\n")
        #expect(next.times == found.times)
        #expect(next.problems.contains("4: \(own)"))
    }

    @Test func strictImportsReadNoOtherForms() throws {
        let tables = ImportTests.small.merging([
            "calendar.txt": (ImportTests.small["calendar.txt"] ?? "").replacing(
                "20260101", with: "2026-01-01")
        ]) { $1 }
        let source = FeedSource(name: "small", tables: tables)
        #expect(throws: RutterError.self) { try FeedImport.run(source, to: database, isLenient: false) }
        let report = try FeedImport.run(source, to: database, isLenient: true)
        #expect(report.trips == 1)
        #expect(
            report.problems.map(\.text) == [
                "start_date is not written as YYYYMMDD in 1 line, and read all the same: `2026-01-01`"
            ])
    }

    /// A clock that begins again at midnight, and a slip that is no such clock.
    @Test func timesThatGoBack() throws {
        let found = try times(
            "T,23:50:00,23:50:00,X,1,\nT,00:08:00,00:09:00,Y,2,\nT,00:20:00,00:20:00,Z,3,\n")
        #expect(found.times == ["23:50:00", "24:08:00", "24:20:00"])
        #expect(
            found.problems == [
                "3: the time goes back by more than 18 hours: it is read as that of the next day"
            ])
        // A slip in one row would make the ride a day long.
        let typo = "T,22:10:00,22:10:00,X,1,\nT,02:20:00,02:20:00,Y,2,\nT,22:30:00,22:30:00,Z,3,\n"
        #expect(throws: RutterError.self) { try times(typo) }
        // Nor is it a clock that begins again with every row, however many there are.
        let many = (1...60_000).map { row in
            let time = row % 2 == 0 ? "00:10:00" : "23:50:00"
            return "T,\(time),\(time),X,\(row),\n"
        }
        #expect(throws: RutterError.self) { try times(many.joined()) }
        let slip = "T,08:00:00,08:00:00,X,1,\nT,23:10:00,23:10:00,Y,2,\nT,08:20:00,08:20:00,Z,3,\n"
        #expect(throws: RutterError.self) { try times(slip) }
    }

    @Test(arguments: [
        ("true,1,YES,1.0,1,n,0", true), ("2,1,1,1,1,1,1", false), ("maybe,1,1,1,1,1,1", false),
    ])
    func daysInWords(days: String, isRead: Bool) throws {
        let header =
            "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
        let report = try run(
            ["calendar.txt": header + "S,\(days),20260101,20261231\n"], needsTables: false)
        #expect((report.trips == 1) == isRead)
    }

    /// A line whose type cannot be read has an unknown mode, and its trips.
    @Test(arguments: [
        ("bus", "invalid route_type `bus`"), ("99999", "route_type `99999` is no known route type"),
        ("", "route_type is missing"),
    ])
    func linesOfUnknownTypes(type: String, words: String) throws {
        let report = try run(["routes.txt": "route_id,route_short_name,route_type\nR,1,\(type)\n"])
        #expect(report.trips == 1)
        #expect(report.problems.map(\.text) == [words])
        let feed = try Feed(database, isOwn: true, fallback: .gmt)
        #expect(feed.routes.values.map { TransitMode(routeType: $0.type) } == [.other])
    }

    /// Files in capitals and with the ending of spreadsheets are read, and named.
    @Test func namesOfFiles() throws {
        var tables = ImportTests.small
        tables["STOPS.TXT"] = tables.removeValue(forKey: "stops.txt")
        tables["routes.csv"] = tables.removeValue(forKey: "routes.txt")
        let source = FeedSource(name: "small", tables: tables)
        let report = try FeedImport.run(source, to: database, isLenient: true)
        #expect(report.trips == 1)
        #expect(
            report.problems.map(\.text) == [
                "the file STOPS.TXT is read as stops.txt", "the file routes.csv is read as routes.txt",
            ])
    }

    /// A stop without a place has that of its station; zeros are no place.
    @Test func stopsWithoutAPlace() throws {
        let stops =
            "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\nX,Xanten,,,0,S\n"
            + "Y,Ypern,0,0,0,S\nZ,Zell,0.0,0,,\nS,Station,51.66,6.45,1,\n"
        let report = try run(["stops.txt": stops])
        #expect(report.trips == 1)
        #expect(
            report.problems.map(\.text) == [
                "stop_lat is missing: its station's are used",
                "stop_lat and stop_lon are 0: its station's are used",
                "stop_lat and stop_lon are 0: its place is unknown",
            ])
        let feed = try Feed(database, isOwn: true, fallback: .gmt)
        #expect(try feed.stops.with(id: "X")?.coordinate?.latitude == 51.66)
        #expect(try feed.stops.with(id: "Y")?.coordinate?.longitude == 6.45)
        let unplaced = try #require(try feed.stops.with(id: "Z"))
        #expect(unplaced.coordinate == nil)
        guard case .nothing? = StopObject(unplaced).field("at") else {
            Issue.record("an unknown place has a coordinate")
            return
        }
        #expect(StopObject(unplaced).mapFeatures.isEmpty)
        let origin = Coordinate(latitude: 0, longitude: 0)
        #expect(try feed.stops.near(origin, radius: 1000, limit: 5).stops.isEmpty)
    }

    /// A coordinate that cannot be read or is nowhere costs no call: trips call at the stop wherever it is.
    @Test(arguments: [
        (",6.45", "stop_lat is missing: its place is unknown"),
        ("51.66,6°27'", "invalid stop_lon `6°27'`: its place is unknown"),
        ("451.66,6.45", "invalid stop_lat `451.66`: its place is unknown"),
    ])
    func coordinatesThatAreNone(place: String, text: String) throws {
        let stops =
            "stop_id,stop_name,stop_lat,stop_lon\nX,Xanten,51.66,6.45\nY,Ypern,\(place)\nZ,Zell,50.02,7.18\n"
        let report = try run(["stops.txt": stops])
        #expect(report.problems.map(\.text) == [text])
        let feed = try Feed(database, isOwn: true, fallback: .gmt)
        let number = try #require(try feed.stops.with(id: "Y")?.number)
        #expect(try feed.stops.rows([number]).first?.coordinate == nil)
        #expect(report.trips == 1)
        let network = try JourneyNetwork(feed)
        let index = try #require(network.index[number])
        #expect(network.walks[Int(index)].map(\.stop) == [index], "no walk leads to a place that is unknown")
        #expect(!network.doors.contains { $0.stop == index })
    }

    /// Stations in the forms of spreadsheets have a place, too; one without a place gives none. A strict import refuses such stops.
    @Test(arguments: [("51.66,6.45,1.0", true), ("\"51,66\",\"6,45\",1", true), ("nan,6.45,1", false)])
    func stationsInOtherForms(station: String, isUsed: Bool) throws {
        let stops =
            "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\nX,Xanten,,,0,S\n"
            + "Y,Ypern,50.85,2.88,,\nZ,Zell,50.02,7.18,,\nS,Station,\(station),\n"
        let report = try run(["stops.txt": stops], needsTables: false)
        #expect(report.trips == 1)
        let feed = try Feed(database, isOwn: true, fallback: .gmt)
        #expect(try (feed.stops.with(id: "X")?.coordinate != nil) == isUsed)
        let source = FeedSource(
            name: "small", tables: ImportTests.small.merging(["stops.txt": stops]) { $1 })
        #expect(throws: RutterError.self) { try FeedImport.run(source, to: database, isLenient: false) }
    }

    /// A trip says of itself that the import set a call aside.
    @Test func tripsThatLostCalls() throws {
        let rows = "T,08:00:00,08:00:00,X,1,\nT,08:10:00,08:10:00,Q,2,\nT,08:20:00,08:20:00,Z,3,\n"
        #expect(try times(rows).times == ["08:00:00", "08:20:00"])
        let feed = try Feed(database, isOwn: true, fallback: .gmt)
        #expect(
            try feed.trips.cutNote("T")
                == "1 call of it is missing: set aside by the import, as its account says")
        #expect(try feed.trips.cutNote("other") == nil)
    }

    /// Blanks around quotes belong neither to the names of columns nor to values.
    @Test func blanksAroundQuotes() async throws {
        let session = try await StreetFeed.session(
            StreetFeed.tables([("t1", "r1", "s", "0", "", "A 08:00;B 08:10")]).merging([
                "stops.txt":
                    "\u{FEFF}\"stop_id\" , \"stop_name\" ,stop_lat , \"stop_lon\"\n"
                    + "A,\"Alpha\",50, 8\nB , \"Beta, \"\"Old\"\" Town\" ,50.02,8\n"
            ]) { $1 })
        #expect(await session.run("departures @A | get headsign") == "Beta, \"Old\" Town")
        #expect(await session.run("departures @A | get stop") == "Alpha")
    }

    /// A row that is in the file twice is one call, and none is missing.
    @Test(arguments: [("T,08:00:00,08:00:00,X,1,\n", true), ("T,08:00:00,08:00:00,Y,1,\n", false)])
    func repeatedRows(row: String, isWhole: Bool) throws {
        let rows = "T,08:00:00,08:00:00,X,1,\n" + row + "T,08:20:00,08:20:00,Z,2,\n"
        #expect(try times(rows).times == ["08:00:00", "08:20:00"])
        let feed = try Feed(database, isOwn: true, fallback: .gmt)
        #expect(try (feed.trips.cutNote("T") == nil) == isWhole)
    }

    /// Two calls of one number are both kept where their times tell which is the later one.
    @Test(arguments: [
        ("08:10:00", ["08:00:00", "08:10:00", "08:20:00"]), ("08:30:00", ["08:00:00", "08:20:00"]),
    ])
    func repeatedNumbers(second: String, kept: [String]) throws {
        let rows = "T,08:00:00,08:00:00,X,1,\nT,\(second),\(second),Y,1,\nT,08:20:00,08:20:00,Z,2,\n"
        #expect(try times(rows).times == kept)
        let feed = try Feed(database, isOwn: true, fallback: .gmt)
        #expect(try (feed.trips.cutNote("T") == nil) == (kept.count == 3))
    }

    /// The next time after calls of one number is that of the next number, for each number anew.
    @Test func severalRepeatedNumbers() throws {
        func row(_ time: String, _ stop: String, _ number: Int) -> String {
            "T,\(time),\(time),\(stop),\(number),\n"
        }
        let rows = [
            row("08:00:00", "X", 1), row("08:10:00", "Y", 1), row("08:40:00", "X", 1),
            row("08:20:00", "Z", 2), row("08:30:00", "X", 2), row("08:50:00", "Y", 2),
            "T,,,Z,3,\n", row("08:45:00", "X", 4), row("09:00:00", "Y", 4),
        ]
        #expect(
            try times(rows.joined()).times == [
                "08:00:00", "08:10:00", "08:20:00", "08:30:00", "08:37:30", "08:45:00", "09:00:00",
            ])
    }

    /// Tables for riders' information are repaired as others are, and the account says so.
    @Test func informationInOtherForms() throws {
        let report = try run([
            "feed_info.txt":
                "feed_publisher_name,feed_publisher_url,feed_lang,feed_start_date,feed_end_date\n"
                + "P,https://p.example,en,2026-01-01,31 December\n",
            "fare_attributes.txt":
                "fare_id,price,currency_type,payment_method,transfers\nA,\"2,50\",EUR,0.0,1.0\nB,\"1,250\",EUR,0,\n",
        ])
        #expect(
            report.problems.map(\.text) == [
                "invalid price `1,250`",
                "price is not written as a number with a point in 1 line, and read all the same: `2,50`",
                "payment_method is not written as a whole number in 1 line, and read all the same: `0.0`",
                "transfers is not written as a whole number in 1 line, and read all the same: `1.0`",
                "invalid feed_end_date `31 December`, not YYYYMMDD",
                "feed_start_date is not written as YYYYMMDD in 1 line, and read all the same: `2026-01-01`",
            ])
        let feed = try Feed(database, isOwn: true, fallback: .gmt)
        let fares = try feed.fares.fares.map(\.words)
        #expect(
            fares == [
                "2.50 EUR (pay on board, 1 transfer)",
                "unknown: the price of B, `1,250`, is not a number",
            ])
    }

    /// Fares without a currency, and a second one of an identifier, are left out with an entry of the account.
    @Test func faresThatAreLeftOut() throws {
        let report = try run([
            "fare_attributes.txt":
                "fare_id,price,currency_type,payment_method,transfers\nA,2,EUR,0,\nB,3,,0,\nA,4,EUR,0,\n"
        ])
        #expect(report.problems.map(\.text) == ["currency_type is missing", "duplicate fare_id A"])
        #expect(report.problems.map(\.line) == [3, 4])
    }

    /// Optional tables that are empty say nothing, as if they were not there; those that are needed are refused.
    @Test(arguments: ["frequencies.txt", "calendar_dates.txt", "transfers.txt"])
    func emptyTables(name: String) throws {
        let report = try run([name: ""])
        #expect(report.problems.map(\.text) == ["it is empty"])
        #expect(report.problems.map(\.table) == [name])
        #expect(throws: RutterError.self) { try run(["trips.txt": ""]) }
    }

    /// Headways until after midnight are written with a clock that begins again. A trip whose headways cannot be used has no
    /// runs: its own times are a template.
    @Test(arguments: [
        ("22:00:00,01:00:00", ["22:00:00", "23:00:00", "24:00:00"], ": it is read as that of the next day"),
        ("09:00:00,08:00:00", [], ""),
        // Also on the next day it would end before it starts.
        ("26:00:00,01:30:00", [], ""),
    ])
    func headwaysAfterMidnight(period: String, starts: [String], end: String) throws {
        let report = try run([
            "frequencies.txt": "trip_id,start_time,end_time,headway_secs\nT,\(period),3600\n"
        ])
        #expect(report.problems.map(\.text) == ["end_time is before start_time" + end])
        #expect(report.problems.map(\.outcome) == [starts.isEmpty ? .dropped : .repaired])
        let feed = try Feed(database, isOwn: true, fallback: .gmt)
        let trip = try #require(try feed.trips.with(id: "T"))
        #expect(try feed.trips.starts(of: trip).map { ServiceDay.scheduled($0.start) } == starts)
    }

    @Test func contradictoryExceptions() throws {
        let dates = "service_id,date,exception_type\nS,20260310,2\nS,20260310,1\nS,20260310,2\n"
        #expect(
            try run(["calendar_dates.txt": dates]).problems.map(\.text) == [
                "the exception of service S on 20260310 contradicts an earlier one, by which it does not run",
                "duplicate exception of service S on 20260310",
            ])
    }

    @Test func linesWithoutNames() throws {
        _ = try run(["routes.txt": "route_id,route_short_name,route_long_name,route_type\nR,,,3\n"])
        let feed = try Feed(database, isOwn: true, fallback: .gmt)
        #expect(feed.routes.values.map(\.name) == ["R"])
    }
}
