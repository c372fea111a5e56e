import CivilTime
import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import TransitPlugin

/// Values and references that mean one thing, but are written in another way, and values that cannot mean anything: in the account.
@Suite struct ReferenceFormTests {
    private let folder: TemporaryFolder
    private var database: URL { folder.url.appendingPathComponent("gtfs.db") }

    init() throws { folder = try TemporaryFolder() }

    private func run(_ changes: [String: String]) throws -> FeedImportReport {
        let source = FeedSource(name: "small", tables: StreetFeed.tables(StreetFeed.trips, changes))
        return try FeedImport.run(source, to: database, isLenient: true)
    }

    private static let composed = "Gar\u{E9}"
    private static let decomposed = "Gare\u{301}"

    private static func stops(_ first: String...) -> String {
        "stop_id,stop_name,stop_lat,stop_lon\n" + first.map { "\($0),Gare,50,8\n" }.joined()
            + "B,Beta,50.02,8\nC,Gamma,50.04,8\nD,Delta,50.06,8\nA,Alpha,50.1,8\n"
    }

    private static func times(_ first: String) -> String {
        "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
            + "t1,08:00:00,08:00:00,\(first),1\nt1,08:10:00,08:10:00,B,2\n"
            + "t2,09:00:00,09:00:00,A,1\nt2,09:10:00,09:10:00,B,2\n"
    }

    /// Identifiers are compared by bytes; one in another Unicode form finds the only one that has its letters.
    @Test func identifiersInAnotherUnicodeForm() throws {
        let report = try run([
            "stops.txt": Self.stops(Self.composed), "stop_times.txt": Self.times(Self.decomposed),
        ])
        #expect(report.stopTimes == 4)
        #expect(report.problems.count == 1)
        #expect(report.problems.first?.text.contains("in another Unicode form, in 1 line") ?? false)
        #expect(report.problems.first?.outcome == .repaired)
    }

    /// Stops whose identifiers differ in their form alone stay two.
    @Test func twoIdentifiersOfOneText() throws {
        let stops = Self.stops(Self.composed, Self.decomposed)
        let exact = try run(["stops.txt": stops, "stop_times.txt": Self.times(Self.decomposed)])
        #expect(exact.problems.isEmpty)
        #expect(exact.stops == 6)
        // A third form may be either.
        let other = try run([
            "stops.txt": Self.stops("\u{1EB7}", "\u{1EA1}\u{306}"),
            "stop_times.txt": Self.times("a\u{323}\u{306}"),
        ])
        #expect(other.problems.first?.text.hasPrefix("unknown stop_id") ?? false)
    }

    @Test func parentsInAnotherUnicodeForm() throws {
        let table =
            "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\n"
            + "\(Self.composed),Gare,50,8,1,\nA,Alpha,50,8,0,\(Self.decomposed)\n"
            + "B,Beta,50.02,8,,\nC,Gamma,50.04,8,,\nD,Delta,50.06,8,,\nE,Echo,50.04,8.04,,\n"
        let report = try run(["stops.txt": table])
        #expect(report.problems.count == 1)
        #expect(report.problems.first?.text.contains("in another Unicode form") ?? false)
        let feed = try Feed(database, isOwn: true, fallback: .gmt)
        #expect(try feed.stops.with(id: "A")?.parent != nil)
    }

    /// A colour with `#` is read; five digits and names are none, which is said.
    @Test func colours() throws {
        let report = try run([
            "routes.txt":
                "route_id,agency_id,route_short_name,route_type,route_color,route_text_color\n"
                + "r1,a,1,3,#1864a3,FFFFFF\nr2,b,2,3,65284,red\n"
        ])
        #expect(
            report.problems.map(\.text).sorted() == [
                "invalid route_color `65284`", "invalid route_text_color `red`",
                "route_color is not written as six hexadecimal digits in 1 line, and read all the same: `#1864a3`",
            ])
        let feed = try Feed(database, isOwn: true, fallback: .gmt)
        #expect(feed.routes.values.first { $0.id == "r1" }?.color == "1864a3")
        #expect(feed.routes.values.first { $0.id == "r2" }?.color == nil)
    }

    /// Quotes that are not doubled are text if the line has as many values as there are columns.
    @Test func quotesWithinQuotes() throws {
        func stops(_ first: String) -> String {
            "stop_id,stop_code,stop_name,stop_lat,stop_lon\n\(first)\n"
                + "B,2,Beta,50.02,8\nC,3,Gamma,50.04,8\nD,4,Delta,50.06,8\n"
        }
        let report = try run(["stops.txt": stops("A,1,\"CASA \"LO RUSSO E CUTUGNO\"\",50,8")])
        #expect(report.problems.map(\.outcome) == [.repaired])
        let feed = try Feed(database, isOwn: true, fallback: .gmt)
        #expect(try feed.stops.with(id: "A")?.name == "CASA \"LO RUSSO E CUTUGNO\"")
        // One value more, or fewer: the line is left out, and the next one is not.
        for line in ["A,1,\"CASA \"LO\", RUSSO\",50,8", "A,1,\"CASA \"LO\",50"] {
            let other = try run(["stops.txt": stops(line)])
            #expect(other.stops == 3, "\(line)")
            #expect(other.problems.contains { $0.text.contains("where the values end is unknown") })
        }
    }

    /// Days that are all removed.
    @Test func servicesWithoutADay() throws {
        let removed = try run([
            "calendar.txt":
                "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                + "s,0,1,0,0,0,0,0,20260310,20260317\n",
            "calendar_dates.txt": "service_id,date,exception_type\ns,20260310,2\ns,20260317,2\n",
        ])
        #expect(removed.idle)
    }

    /// A shape on another continent is not that of the trip; one that passes its stops at some distance stays.
    @Test func shapesOfAnotherPlace() throws {
        let trips =
            "route_id,service_id,trip_id,direction_id,block_id,shape_id\nr1,s,t1,0,,x\nr1,s,t2,0,,x\nr2,s,u1,0,,y\n"
        let report = try run([
            "trips.txt": trips,
            "shapes.txt":
                "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\nx,8,50,1\nx,8,50.06,2\n"
                + "y,50,8.01,1\ny,50.06,8.01,2\n",
        ])
        #expect(
            report.problems.map(\.text) == [
                "the shape x is far from all stops of its trip, and not used for it"
            ])
        let feed = try Feed(database, isOwn: true, fallback: .gmt)
        #expect(try feed.trips.with(id: "t1")?.shape == nil)
        #expect(try feed.trips.with(id: "t2")?.shape == nil)
        #expect(try feed.trips.with(id: "u1")?.shape != nil)
    }

    /// Names that were encoded twice or lost letters stay as they stand, and are said.
    @Test func lostLetters() throws {
        let report = try run([
            "stops.txt":
                "stop_id,stop_name,stop_lat,stop_lon\nA,Z\u{C3}\u{BC}rich HB,50.00,8\nB,Beta,50.02,8\n"
                + "C,S\u{E3}o Jo\u{E3}o,50.04,8\nD,\u{D0}akovo,50.06,8\n",
            "routes.txt":
                "route_id,agency_id,route_short_name,route_long_name,route_type\nr1,a,1,Gen\u{FFFD}ve,3\nr2,b,2,,3\n",
        ])
        #expect(
            report.problems.map(\.text) == [
                "stop_name is not written as UTF-8, but as UTF-8 that was encoded twice, in 1 line, and read all the same: "
                    + "`Z\u{C3}\u{BC}rich HB`",
                "route_long_name is not written as it was: \u{FFFD} stands for letters that were lost, in 1 line, "
                    + "and read all the same: `Gen\u{FFFD}ve`",
            ])
    }

    /// A period of a headway that ends when it begins has no run.
    @Test func periodsWithoutALength() throws {
        let report = try run([
            "frequencies.txt":
                "trip_id,start_time,end_time,headway_secs,exact_times\nt1,08:00:00,08:00:00,600,0\n"
        ])
        #expect(
            report.problems.map(\.text) == ["start_time and end_time are equal: no run is in the period"])
    }

    /// A service with two periods runs in both, but for the days that are removed; rows that contradict each other are not joined.
    @Test func servicesWithSeveralPeriods() throws {
        let header = StreetFeed.calendar.split(separator: "\n")[0] + "\n"
        let report = try run([
            "calendar.txt":
                header + "s,1,1,1,1,1,0,0,20260101,20260131\ns,0,0,0,0,0,1,1,20260201,20260228\n"
                + "f,1,1,1,1,1,1,1,20260101,20260131\nf,1,1,1,1,1,0,0,20260115,20260228\n",
            "calendar_dates.txt": "service_id,date,exception_type\ns,20260207,2\n",
        ])
        #expect(
            report.problems.map(\.text) == [
                "duplicate service_id s: it runs in both periods", "duplicate service_id f",
            ])
        let feed = try Feed(database, isOwn: true, fallback: .gmt)
        func runs(_ day: String) throws -> Bool {
            let day = try #require(CivilDate(text: day))
            let service = try #require(feed.calendar.services.find("s"))
            return feed.services(on: day).runs[service]
        }
        for (day, isDay) in [
            ("2026-01-30", true), ("2026-01-31", false), ("2026-02-01", true), ("2026-02-02", false),
            ("2026-02-07", false), ("2026-02-28", true), ("2026-03-01", false),
        ] {
            #expect(try runs(day) == isDay, "\(day)")
        }
    }

    /// A negative price and a currency that there is not.
    @Test func pricesAndCurrencies() throws {
        let report = try run([
            "fare_attributes.txt":
                "fare_id,price,currency_type,payment_method,transfers\nf1,2.50,EUR,0,0\nf2,-1,EUR,0,0\nf3,3.00,XQX,0,0\n"
        ])
        #expect(report.problems.map(\.text) == ["invalid price `-1`", "invalid currency_type `XQX`"])
    }

    /// The headsign of one call is translated by its number; texts that contradict each other are not used.
    @Test func translationsOfCalls() async throws {
        let times =
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence,stop_headsign\n"
            + "t1,08:00:00,08:00:00,A,1,To Delta\nt1,08:10:00,08:10:00,B,2,Express\nt1,08:30:00,08:30:00,D,3,\n"
            + "t2,09:00:00,09:00:00,A,1,Express\nt2,09:30:00,09:30:00,D,2,\n"
        let rows =
            "table_name,field_name,language,translation,record_id,record_sub_id,field_value\n"
            + "stop_times,stop_headsign,fr,Vers le delta,t1,1,\nstop_times,stop_headsign,fr,Direct,t1,2,\n"
            + "stop_times,stop_headsign,fr,Rapide,t2,1,\n"
        let changes = [
            "stop_times.txt": times, "translations.txt": rows,
            "feed_info.txt": "feed_publisher_name,feed_publisher_url,feed_lang\nP,http://p.example,en\n",
        ]
        let report = try run(changes)
        #expect(
            report.problems.map(\.text) == ["the headsign Express has 2 texts in fr, by call: none is used"])
        let session = try await StreetFeed.session(StreetFeed.tables(StreetFeed.trips, changes))
        _ = await session.run("feed language fr")
        #expect(await session.run("departures @A | get headsign | to csv").contains("Vers le delta"))
        #expect(await session.run("departures @B | first | get headsign") == "Express")
        // The language of the feed itself is that without translations.
        let own = await session.run("feed language en")
        #expect(!own.contains("E-TRANSIT-LANGUAGE"), "\(own)")
        #expect(await session.run("departures @A | first | get headsign") == "To Delta")
        #expect(await session.run("feed language de").contains("use one of fr, en"))
    }
}
