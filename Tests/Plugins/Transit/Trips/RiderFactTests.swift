import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import TransitPlugin

/// What a rider must be told: agencies, headsigns, directions, stations.
@Suite struct RiderFactTests {
    @Test func linesOfTwoAgenciesWithOneName() async throws {
        let session = try await StreetFeed.session(
            StreetFeed.tables(
                StreetFeed.trips,
                ["routes.txt": "route_id,agency_id,route_short_name,route_type\nr1,a,1,3\nr2,b,1,3\n"]))
        #expect(
            await session.run("departures @A | select agency | first 2 | to csv")
                == "agency\nCity Bus\nNight Coach")
        #expect(await session.run("journey plan @A @D | first | get lines") == "1 (City Bus)")
        #expect(await session.run("line timetable 1").contains("@r2 (bus line of Night Coach, r2)"))
        #expect(await session.run("line list").contains("Night Coach"))
        // Names that are clear need no agency.
        let clear = try await StreetFeed.session()
        #expect(try await clear.output("departures @A").contains("City Bus") == false)
        #expect(await clear.run("departures @A | first | get agency") == "City Bus")
    }

    /// Each of several feeds has its own period: a board tells only that of its own feed.
    @Test func periodsOfSeveralFeeds() async throws {
        let session = try await StreetFeed.session()
        for (name, from, until) in [("new", "20260101", "20261231"), ("old", "20240101", "20240630")] {
            let folder = session.folder.url.appendingPathComponent(name, isDirectory: true)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let info =
                "feed_publisher_name,feed_publisher_url,feed_lang,feed_start_date,feed_end_date\n"
                + "P,http://p.example,en,\(from),\(until)\n"
            for (table, text) in StreetFeed.tables(StreetFeed.trips, ["feed_info.txt": info]) {
                try Data(text.utf8).write(to: folder.appendingPathComponent(table))
            }
        }
        try await session.value("feed import new old --prefix p- --prefix q- --force")
        #expect(try await session.output("departures @p-A").contains("valid") == false)
        let note = "the feed `q-` is valid from 2024-01-01 until 2024-06-30"
        #expect(await session.run("departures @q-A").contains(note))
        #expect(
            await session.run("feed show | get feeds | select validUntil | to csv")
                == "validUntil\n\"2026-12-31\"\n\"2024-06-30\"")
        #expect(try await session.output("trip show p-t1").contains("valid") == false)
    }

    /// Unknown access is not no access: it is allowed on demand, and marked.
    @Test func unknownWheelchairAccess() async throws {
        let session = try await StreetFeed.session()
        let strict = await session.run("journey plan @A @D --wheelchair")
        #expect(strict.contains("with unknown wheelchair access are skipped, --unknown-access allows them"))
        let allowed = await session.run("journey plan @A @D --wheelchair --unknown-access | first")
        #expect(allowed.contains("08:30, 3 stops, wheelchair access unknown"))
        // The row says so before its legs are asked for.
        let rows = "journey plan @A @D --wheelchair --unknown-access"
        #expect(await session.run(rows).contains("note"))
        #expect(await session.run("\(rows) | first | get note") == "wheelchair access unknown")
        #expect(!(await session.run("journey plan @A @D")).contains("access unknown"))
        let stops =
            "stop_id,stop_name,stop_lat,stop_lon,wheelchair_boarding\nA,Alpha,50.00,8,1\nB,Beta,50.02,8,2\n"
            + "C,Gamma,50.04,8,1\nD,Delta,50.06,8,1\n"
        let closed = try await StreetFeed.session(StreetFeed.tables(StreetFeed.trips, ["stops.txt": stops]))
        let reason = "no stop of the destination is accessible for wheelchairs"
        let plan = "--wheelchair --unknown-access"
        #expect(await closed.run("journey plan @A @B \(plan)").contains(reason))
        #expect(!(await closed.run("journey plan @A @C \(plan)")).contains("is accessible"))
        #expect(
            await session.run("journey plan @A @D --unknown-access").contains("add --wheelchair"))
        var trips = StreetFeed.tables()["trips.txt"] ?? ""
        trips =
            "route_id,service_id,trip_id,direction_id,block_id,wheelchair_accessible\n"
            + trips.split(separator: "\n").dropFirst().map { $0 + ",\($0.contains("t1") ? 2 : 0)\n" }.joined()
        let mixed = try await StreetFeed.session(StreetFeed.tables(StreetFeed.trips, ["trips.txt": trips]))
        #expect(
            await mixed.run("journey plan @A @D --wheelchair --unknown-access | first | get departs")
                == "08:05")
        // Access is preferred where there is any; where there is none, all journeys are shown, and that is said.
        #expect(
            await mixed.run("journey plan @A @D --prefer-wheelchair")
                == mixed.run("journey plan @A @D --wheelchair --unknown-access"))
        let barred = await closed.run("journey plan @A @B --prefer-wheelchair")
        #expect(barred.contains("none of these journeys is accessible for wheelchairs as a whole"))
        #expect(barred.contains("08:00"))
        #expect(
            await mixed.run("journey plan @A @D --wheelchair --prefer-wheelchair").contains("use one of them")
        )
    }

    /// A trip whose clock loses half a day between two calls that are 2 km apart says so.
    @Test func halfADayBetweenCalls() async throws {
        let trips: [StreetFeed.Trip] = [
            ("t1", "r1", "s", "0", "", "A 10:50;B 11:00;C 23:10;D 23:20"),
            ("t2", "r1", "s", "0", "", "A 11:00;B 11:10;C 11:20;D 11:30"),
        ]
        let session = try await StreetFeed.session(StreetFeed.tables(trips))
        let doubt = "Beta to Gamma in 12h10min: a time may be 12 hours off"
        #expect(await session.run("trip show t1").contains(doubt))
        #expect(!(await session.run("trip show t2")).contains("12 hours off"))
    }

    /// What databases and data frames write for nothing is no headsign; `Nan` is a town.
    @Test func wordsForNothing() async throws {
        let trips =
            "route_id,service_id,trip_id,direction_id,block_id,trip_headsign,trip_short_name\n"
            + "r1,s,t1,0,,NULL,nan\nr1,s,t2,0,,Nan,RE7\nr2,s,u1,0,,n/a,NULL\n"
        let session = try await StreetFeed.session(StreetFeed.tables(StreetFeed.trips, ["trips.txt": trips]))
        #expect(
            await session.run("departures @A | select trip headsign train | to csv")
                == "trip,headsign,train\nt1,Delta,\nu1,Delta,\nt2,Nan,RE7")
        let account = await session.run("feed import street --force | get setAside")
        #expect(
            account.contains(
                "trip_headsign is not written as an empty value in 2 lines, and read all the same: `NULL`"),
            "\(account)")
    }

    /// A stop whose latitude and longitude are exchanged is thousands of kilometres away: trips and rides say so.
    @Test func impossibleSpeeds() async throws {
        let stops = StreetFeed.tables()["stops.txt"] ?? ""
        let session = try await StreetFeed.session(
            StreetFeed.tables(
                StreetFeed.trips, ["stops.txt": stops.replacing("B,Beta,50.02,8", with: "B,Beta,8,50.02")]))
        let trip = await session.run("trip show t1")
        #expect(trip.contains("Alpha to Beta at ") && trip.contains("a place or a time is wrong"), "\(trip)")
        #expect(!(await session.run("trip show t1 | get length")).contains("km"))
        let ride = await session.run("journey plan @A @C --at 07:58 | first | get note")
        #expect(ride.contains("a place or a time is wrong"), "\(ride)")
        #expect(!(await session.run("trip show u1")).contains("is wrong"))
        // Planes are as fast.
        let routes = (StreetFeed.tables()["routes.txt"] ?? "").replacing("r1,a,1,,3", with: "r1,a,1,,1100")
        let far = stops.replacing("D,Delta,50.06,8", with: "D,Delta,51.56,8")
        let flights = try await StreetFeed.session(
            StreetFeed.tables(StreetFeed.trips, ["stops.txt": far, "routes.txt": routes]))
        #expect(!(await flights.run("trip show t1")).contains("is wrong"))
    }

    /// Whether bicycles may be taken is a fact of the run, on boards, trips and legs; that they may not is said.
    @Test func bicyclesOnBoard() async throws {
        var trips = StreetFeed.tables()["trips.txt"] ?? ""
        trips =
            "route_id,service_id,trip_id,direction_id,block_id,bikes_allowed\n"
            + trips.split(separator: "\n").dropFirst().map {
                $0 + ",\($0.contains("t1") ? 2 : $0.contains("t2") ? 1 : 0)\n"
            }.joined()
        let session = try await StreetFeed.session(StreetFeed.tables(StreetFeed.trips, ["trips.txt": trips]))
        #expect(await session.run("departures @A | where trip == t1 | first | get bikes") == "no")
        #expect(await session.run("departures @A | where trip == t2 | first | get bikes") == "yes")
        #expect(!(await session.run("departures @A | where trip == u1 | first")).contains("bikes"))
        #expect(await session.run("trip show t1").contains("no bicycles"))
        #expect(await session.run("trip show t2 | get bikes") == "yes")
        #expect(await session.run("journey plan @A @C --at 07:58 | first").contains("2 stops, no bicycles"))
    }

    @Test func boardingByPhone() async throws {
        let times =
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type,drop_off_type\n"
            + "t1,08:00:00,08:00:00,A,1,2,1\nt1,08:10:00,08:10:00,B,2,3,0\nt1,08:30:00,08:30:00,D,3,1,3\n"
        let session = try await StreetFeed.session(
            StreetFeed.tables([StreetFeed.trips[0]], ["stop_times.txt": times]))
        #expect(await session.run("departures @A | first | get boarding") == "by phone")
        #expect(await session.run("departures @B | first | get boarding") == "ask driver")
        let leg = await session.run("journey plan @A @D | first")
        #expect(leg.contains("phone the agency before boarding, tell the driver where to alight"))
        let note = await session.run("journey plan @A @D | first | get note")
        #expect(note.hasPrefix("phone the agency before boarding, tell"), "\(note)")
    }

    /// How to book a call, and that its time is approximate, is said on boards, trips and legs; a rule that the feed lacks says nothing.
    @Test func notesOfCalls() async throws {
        let times =
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type,pickup_booking_rule_id,timepoint\n"
            + "t1,08:00:00,08:00:00,A,1,2,k,1\nt1,08:10:00,08:10:00,B,2,0,,0\nt1,08:20:00,08:20:00,C,3,2,lost,\n"
            + "t1,08:30:00,08:30:00,D,4,1,,\n"
        let rules =
            "booking_rule_id,booking_type,prior_notice_duration_min,phone_number\nk,1,45,+00 555 0100\n"
        let session = try await StreetFeed.session(
            StreetFeed.tables(
                [StreetFeed.trips[0]], ["stop_times.txt": times, "booking_rules.txt": rules]))
        let booking = "book at least 45min before, +00 555 0100"
        #expect(await session.run("departures @A | first | get note") == booking)
        #expect(await session.run("departures @B | first | get note") == "approximate time")
        #expect(await !session.run("departures @C").contains("book"))
        #expect(await session.run("trip show t1").contains(booking))
        #expect(await session.run("journey plan @A @D | first").contains(booking))
        #expect(await session.run("journey plan @B @D | first").contains("approximate time"))
    }

    @Test(arguments: [
        (BookingRules.Rule(id: "k", type: 0), "book at any time before"),
        (.init(id: "k", type: 2, days: 1, time: "17:00:00"), "book by 17:00 1 day before"),
        (.init(id: "k", type: 2, days: 3), "book 3 days before"),
        (.init(id: "k", type: 9, phone: "1"), "book before the ride, 1"),
        (.init(id: "k", type: 1, message: "Ring us"), "Ring us"),
    ])
    func wordsOfBookingRules(_ rule: BookingRules.Rule, _ words: String) {
        var rules = BookingRules()
        rules.add(rule)
        #expect(rules["k"] == words)
    }

    /// A type of boarding that the format does not have is no permission.
    @Test func unknownTypesOfBoarding() async throws {
        var tables = StreetFeed.tables()
        tables["stop_times.txt"] =
            (tables["stop_times.txt"] ?? "").split(separator: "\n").enumerated().map {
                "\($1),\($0 == 0 ? "pickup_type" : $1.hasPrefix("t1") && $1.contains(",B,") ? "7" : "0")"
            }.joined(separator: "\n") + "\n"
        let session = try await StreetFeed.session(tables)
        let words = "whether one may board is unknown (pickup_type `7`)"
        #expect(await session.run("departures @B | first | get note") == words)
        #expect(await session.run("departures @B | first | get boarding") == "unknown")
        #expect(
            await session.run("trip show t1 | get calls | select boarding | to csv")
                .hasPrefix("boarding\nyes\nunknown\nyes\n"))
        #expect(await !session.run("departures @A | first | get note").contains("unknown"))
        #expect(
            await session.run("journey plan @B @D | first | get legs | first | get boarding").contains(words))
    }

    @Test func headsignsOfStops() async throws {
        let times =
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence,stop_headsign\n"
            + "t1,08:00:00,08:00:00,A,1,Beta centre\nt1,08:10:00,08:10:00,B,2,Delta express\n"
            + "t1,08:20:00,08:20:00,C,3,\nt1,08:30:00,08:30:00,D,4,\n"
        let session = try await StreetFeed.session(
            StreetFeed.tables([StreetFeed.trips[0]], ["stop_times.txt": times]))
        #expect(await session.run("journey plan @B @D | first").contains("1 to Delta express from Beta"))
        #expect(
            await session.run("trip show t1 | get calls | select headsign | to csv")
                .contains("Beta centre\nDelta express\nDelta"))
    }

    @Test func linesOfOneDirection() async throws {
        let trips = StreetFeed.trips.map { ($0.id, $0.route, $0.service, "1", $0.block, $0.calls) }
        let session = try await StreetFeed.session(StreetFeed.tables(trips))
        #expect(await session.run("line timetable 1 | get trips") == "2")
        #expect(await session.run("line timetable 1 | get direction") == "1")
        let both = try await StreetFeed.session(StreetFeed.tables([StreetFeed.trips[0], trips[1]]))
        #expect(await both.run("line timetable 1").contains("direction 1 has 1 trip: --direction 1"))
    }

    /// Stations come first, then their platforms; parts of stations only if nothing else has the name.
    @Test func partsOfStations() async throws {
        var stops = "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\n"
        for (id, name) in [("M", "Main Square"), ("N", "Main Square West")] {
            stops += "\(id),\(name),50,8,1,\n\(id)1,\(name),50,8,0,\(id)\n"
            stops += "\(id)n,\(name) node,50,8,3,\(id)\n\(id)e,\(name) door,50,8,2,\(id)\n"
        }
        let session = try await StreetFeed.session(
            StreetFeed.tables([("t1", "r1", "s", "0", "", "M1 08:00;N1 08:10")], ["stops.txt": stops]))
        #expect(
            await session.run("stop find main square | select id | to csv") == "id\nM\nN\nM1\nN1")
        #expect(await session.run("stop find main square door | first | get id") == "Me")
    }

    /// Of 1,200 broken lines none is lost from the totals; every pair of trips of a vehicle is compared.
    @Test func totalsOfTheCheck() async throws {
        var tables = StreetFeed.tables([
            ("p1", "r1", "s", "0", "v", "A 08:00;D 10:00"), ("p2", "r1", "s", "0", "v", "A 08:10;D 08:20"),
            ("p3", "r1", "s", "0", "v", "A 08:30;D 08:40"), ("p4", "r1", "f", "0", "v", "A 08:50;D 08:55"),
        ])
        tables["stop_times.txt"]? += (5..<1205).map { "p1,08:99:00,08:30:00,D,\($0)\n" }.joined()
        let session = try await StreetFeed.session()
        let folder = session.folder.url.appendingPathComponent("broken", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, text) in tables { try Data(text.utf8).write(to: folder.appendingPathComponent(name)) }
        #expect(
            await session.run("feed check broken | where code == invalid_time | get count | sum") == "1200")
        #expect(try await session.output("feed check broken").contains("rows left out") == false)
        tables["stop_times.txt"] =
            StreetFeed.tables([
                ("p1", "r1", "s", "0", "v", "A 08:00;D 10:00"),
                ("p2", "r1", "s", "0", "v", "A 08:10;D 08:20"),
                ("p3", "r1", "s", "0", "v", "A 08:30;D 08:40"),
                ("p4", "r1", "f", "0", "v", "A 08:50;D 08:55"),
            ])["stop_times.txt"]
        try Data((tables["stop_times.txt"] ?? "").utf8).write(
            to: folder.appendingPathComponent("stop_times.txt"))
        #expect(
            await session.run(
                "feed check broken | where code == block_trips_with_overlapping_stop_times | get count")
                == "3")
    }
}
