import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import TransitPlugin

/// What a feed states about its trips and stops reaches the rider: days, zones, numbers of trains, in-seat changes.
@Suite struct StatedFactTests {
    private static let stops = StreetFeed.tables()["stops.txt"] ?? ""

    /// Each stop of the street with further fields.
    private static func stops(_ columns: String, _ values: [String]) -> String {
        let lines = stops.split(separator: "\n")
        return ([lines[0] + ",\(columns)"] + zip(lines.dropFirst(), values).map { $0 + "," + $1 })
            .joined(separator: "\n") + "\n"
    }

    // MARK: Days

    /// Shortly before its departure, a trip of 24:30 is the run of yesterday's service day.
    @Test func aTripAfterMidnightIsTheOneThatLeavesNext() async throws {
        let session = try await StreetFeed.session(
            StreetFeed.tables([("n1", "r1", "s", "0", "", "A 24:30;B 24:50")]), at: "00:20")
        let trip = await session.run("trip show n1")
        #expect(trip.contains("service day Thursday 2026-02-05"))
        #expect(trip.contains("00:30  Alpha  Friday 2026-02-06"))
        // An hour later it has arrived: the next run is today's.
        await session.run("clock 2026-02-06T01:20:00+01:00")
        #expect(await session.run("trip show n1 | get day") == "2026-02-06")
    }

    @Test func callsOnLaterDaysHaveTheirDay() async throws {
        let session = try await StreetFeed.session(
            StreetFeed.tables([("n1", "r1", "s", "0", "", "A 20:00;B 24:30;C 48:30;D 72:30")]))
        #expect(
            await session.run("trip show n1 --at 2026-02-10 | get calls | select date | to csv")
                == "date\n\"2026-02-10\"\n\"2026-02-11\"\n\"2026-02-12\"\n\"2026-02-13\"")
        let plain = try await StreetFeed.session()
        #expect(await plain.run("trip show t1").contains("2026-02-06\n"))
        #expect(await plain.run("trip show t1").components(separatedBy: "2026-").count == 2)
    }

    // MARK: Zones

    /// Times of the tables are the agency's; what is shown is local to the stop, or to its station.
    @Test func stopsWithZonesOfTheirOwn() async throws {
        let stops = Self.stops(
            "stop_timezone,location_type,parent_station",
            ["Europe/London,1,", "Europe/Berlin,,", ",,A", "Nowhere/At_All,,", ",,"])
        let session = try await StreetFeed.session(
            StreetFeed.tables([("t1", "r1", "s", "0", "", "C 08:00;B 08:10;D 08:30")], ["stops.txt": stops]))
        #expect(await session.run("departures @C | first | get time") == "07:00")
        #expect(await session.shown("departures @C --at 2026-02-06T06:59 --limit 1 | get in") == "1min")
        #expect(await session.run("departures @B | first | get time") == "08:10")
        let trip = await session.run("trip show t1")
        #expect(trip.contains("07:00  Gamma"))
        #expect(trip.contains("08:30         Delta"))
        #expect(trip.contains("in Europe/London and Europe/Berlin"))
        let journey = await session.run("journey plan @C @D | first")
        #expect(journey.contains("07:00  1 to Delta from Gamma, arrives Delta 08:30"))
        #expect(await session.run("feed import street --force | to json").contains("stop_timezone"))
    }

    // MARK: Trains

    @Test func numbersOfTrains() async throws {
        let trips = "route_id,service_id,trip_id,trip_short_name\nr1,s,t1,ICE 107\nr1,s,t2,\nr2,s,u1,\n"
        let session = try await StreetFeed.session(
            StreetFeed.tables(StreetFeed.trips, ["trips.txt": trips]))
        #expect(
            await session.run("departures @A --limit 2 | select trip train | to csv")
                == "trip,train\nt1,ICE 107\nu1,")
        #expect(await session.run("trip show t1").contains("ICE 107"))
        #expect(await session.run("journey plan @A @D | first").contains("1 (ICE 107) to Delta"))
        let without = try await StreetFeed.session()
        #expect(await !without.run("departures @A").contains("train"))
    }

    // MARK: Calls

    /// A time that the feed does not give is not exact.
    @Test func interpolatedTimesAreApproximate() async throws {
        let times =
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt1,08:00:00,08:00:00,A,1\nt1,,,B,2\n"
            + "t1,08:30:00,08:30:00,D,3\n"
        let session = try await StreetFeed.session(
            StreetFeed.tables([StreetFeed.trips[0]], ["stop_times.txt": times]))
        #expect(await session.run("departures @B | first | get note") == "approximate time")
        #expect(await session.run("departures @A | first | get note") == "")
    }

    /// Boarding between stops: a rule of the line, which a call can change.
    @Test func stoppingBetweenStops() async throws {
        let routes =
            "route_id,route_short_name,route_type,continuous_pickup,continuous_drop_off\nr1,1,3,0,0\nr2,2,3,,\n"
        let times =
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence,continuous_pickup,continuous_drop_off\n"
            + "t1,08:00:00,08:00:00,A,1,,\nt1,08:10:00,08:10:00,B,2,1,3\nt1,08:20:00,08:20:00,C,3,1,1\n"
            + "t1,08:30:00,08:30:00,D,4,1,1\n"
        let session = try await StreetFeed.session(
            StreetFeed.tables([StreetFeed.trips[0]], ["stop_times.txt": times, "routes.txt": routes]))
        #expect(
            await session.run("departures @A | first | get note")
                == "stops anywhere on request until the next stop")
        #expect(
            await session.run("departures @B | first | get note")
                == "alighting until the next stop by arrangement with the driver")
        #expect(await session.run("departures @C | first | get note") == "")
    }

    /// A line without a timetable is told where it stops: on the boards of a group of stops, and by its own timetable.
    @Test func serviceOnRequest() async throws {
        let times =
            "trip_id,arrival_time,departure_time,stop_id,location_group_id,stop_sequence,start_pickup_drop_off_window,"
            + "end_pickup_drop_off_window,pickup_type,drop_off_type,pickup_booking_rule_id\n"
            + "t1,08:00:00,08:00:00,A,,1,,,0,0,\nt1,08:30:00,08:30:00,D,,2,,,0,0,\n"
            + "u1,,,,g,1,08:00:00,18:00:00,2,1,k\nu1,,,,g,2,08:00:00,18:00:00,1,2,k\n"
        let session = try await StreetFeed.session(
            StreetFeed.tables(
                [StreetFeed.trips[0], StreetFeed.trips[2]],
                [
                    "stop_times.txt": times,
                    "location_groups.txt": "location_group_id,location_group_name\ng,Village\n",
                    "location_group_stops.txt": "location_group_id,stop_id\ng,B\ng,C\ng,nowhere\n",
                    "booking_rules.txt":
                        "booking_rule_id,booking_type,prior_notice_duration_min,phone_number\nk,1,60,+00 555\n",
                ]))
        let words = "08:00–18:00, book at least 1h before, +00 555"
        #expect(await session.run("departures @B").contains("line 2 stops here on request, \(words)"))
        #expect(await !session.run("departures @A").contains("request"))
        #expect(
            await session.run("line timetable 2").contains(
                "it runs on request, without a timetable, \(words)"))
    }

    /// Days of service on request are those of its trips; rides between two stops, and between zones, are told with journeys.
    @Test func daysAndRidesOnRequest() async throws {
        let times =
            "trip_id,arrival_time,departure_time,stop_id,location_group_id,location_id,stop_sequence,"
            + "start_pickup_drop_off_window,end_pickup_drop_off_window,pickup_type,drop_off_type\n"
            + "t1,08:00:00,08:00:00,A,,,1,,,0,0\nt1,08:30:00,08:30:00,D,,,2,,,0,0\n"
            + "u1,,,,g,,1,08:00:00,18:00:00,2,1\nu1,,,,h,,2,08:00:00,18:00:00,1,2\n"
            + "z1,,,,,zone,1,09:00:00,12:00:00,2,2\nz1,,,,,zone,2,09:00:00,12:00:00,2,2\n"
        let ring = "[[[7.99,50.03],[8.05,50.03],[8.05,50.05],[7.99,50.05],[7.99,50.03]]]"
        let session = try await StreetFeed.session(
            StreetFeed.tables(
                [
                    StreetFeed.trips[0], ("u1", "r2", "f", "", "", ""), ("z1", "r2", "s", "", "", ""),
                ],
                [
                    "stop_times.txt": times,
                    "location_groups.txt": "location_group_id,location_group_name\ng,Village\nh,Town\n",
                    "location_group_stops.txt": "location_group_id,stop_id\ng,B\nh,D\n",
                    "locations.geojson":
                        "{\"type\":\"FeatureCollection\",\"features\":[{\"id\":\"zone\",\"type\":\"Feature\","
                        + "\"properties\":{},\"geometry\":{\"type\":\"Polygon\",\"coordinates\":\(ring)}}]}",
                ]))
        // 2026-02-06 is a Friday, the only weekday of u1.
        #expect(
            await session.run("departures @B").contains("line 2 stops here on request, 08:00–18:00"))
        let saturday = await session.run("departures @B --at '2026-02-07 08:00'")
        #expect(
            saturday.contains("line 2 stops here on request, but not on 2026-02-07, 08:00–18:00"),
            "\(saturday)")
        #expect(
            await session.run("departures @E").contains("line 2 stops around here on request, 09:00–12:00"))
        let ride = "line 2 goes from Beta to Delta on request, 08:00–18:00"
        let friday = await session.run("journey plan @B @D --at '2026-02-06 10:00'")
        #expect(friday.contains(ride), "\(friday)")
        #expect(!(await session.run("journey plan @B @D --at '2026-02-07 10:00'").contains(ride)))
        #expect(!(await session.run("journey plan @D @B --at '2026-02-06 10:00'").contains("on request")))
        // B is served by no timetable: a ride on request leads to D, where line 1 calls, and from there.
        let beyond = await session.run("journey plan @B @A --at '2026-02-06 10:00'")
        #expect(
            beyond.contains("line 2 goes from Beta to Delta on request, 08:00–18:00; a journey goes on from"),
            "\(beyond)")
        let within = await session.run("journey plan @C @E --at '2026-02-06 10:00'")
        #expect(
            within.contains("line 2 goes from the start to the destination on request, 09:00–12:00"),
            "\(within)")
    }

    private static let flexTimes =
        "trip_id,arrival_time,departure_time,stop_id,location_group_id,location_id,stop_sequence,"
        + "start_pickup_drop_off_window,end_pickup_drop_off_window,pickup_type,drop_off_type\n"

    /// Of the stops of a group around the start the nearest is named, not each.
    @Test func theNearestStopOfAGroupIsNamed() async throws {
        let times =
            Self.flexTimes + "t1,08:00:00,08:00:00,A,,,1,,,0,0\nt1,08:30:00,08:30:00,D,,,2,,,0,0\n"
            + "u1,,,,g,,1,08:00:00,18:00:00,2,1\nu1,,,,h,,2,08:00:00,18:00:00,1,2\n"
        let session = try await StreetFeed.session(
            StreetFeed.tables(
                [StreetFeed.trips[0], ("u1", "r2", "s", "", "", "")],
                [
                    "stop_times.txt": times,
                    "location_groups.txt": "location_group_id,location_group_name\ng,Village\nh,Town\n",
                    "location_group_stops.txt": "location_group_id,stop_id\ng,C\ng,B\nh,D\n",
                ]))
        // Beta and Gamma are 2.2 km apart.
        let plan = await session.run("journey plan @B @D --at '2026-02-06 10:00' --walk 3km")
        #expect(plan.contains("line 2 goes from Beta to Delta on request"), "\(plan)")
        #expect(!plan.contains("line 2 goes from Gamma"), "\(plan)")
    }

    /// A stop without a time before a zone is no fault: the trip is one on request from there on.
    @Test func aTripMayEndOnRequest() async throws {
        let times =
            Self.flexTimes + "t1,08:00:00,08:00:00,A,,,1,,,0,0\nt1,08:30:00,08:30:00,D,,,2,,,0,0\n"
            + "u1,08:00:00,08:00:00,A,,,1,,,0,0\nu1,,,B,,,2,,,0,0\nu1,,,,,zone,3,08:00:00,08:30:00,2,2\n"
        let session = try await StreetFeed.session(
            StreetFeed.tables(
                [StreetFeed.trips[0], ("u1", "r2", "s", "", "", "")], ["stop_times.txt": times]))
        #expect(!(await session.run("feed import street --strict --force").contains("error")))
        #expect(await session.run("departures @A | get trip") == "t1")
    }

    /// A trip that leaves its way on request between two timepoints keeps its timetable.
    @Test func tripsThatDeviateOnRequest() async throws {
        let times =
            "trip_id,arrival_time,departure_time,stop_id,location_id,stop_sequence,start_pickup_drop_off_window,"
            + "end_pickup_drop_off_window,pickup_type,drop_off_type\n"
            + "t1,08:00:00,08:00:00,A,,1,,,0,0\nt1,,,,zone,2,08:00:00,08:30:00,2,2\nt1,08:30:00,08:30:00,D,,3,,,0,0\n"
        let session = try await StreetFeed.session(
            StreetFeed.tables([StreetFeed.trips[0]], ["stop_times.txt": times]))
        #expect(await session.run("departures @A | get trip") == "t1")
        #expect(await session.run("journey plan @A @D | first | get arrives") == "08:30")
        #expect(
            await session.run("line timetable 1").contains("it also stops on request, 08:00–08:30"))
    }

    /// A platform that says nothing of its access has that of its station.
    @Test func accessOfTheStation() async throws {
        let stops = Self.stops(
            "location_type,parent_station,wheelchair_boarding",
            ["1,,1", ",A,0", ",A,2", ",A,", ",,"])
        let session = try await StreetFeed.session(
            StreetFeed.tables([("t1", "r1", "s", "0", "", "B 08:00;C 08:10;D 08:20")], ["stops.txt": stops]))
        for (stop, access) in [("B", "yes"), ("C", "no"), ("D", "yes"), ("E", "")] {
            #expect(await session.run("stop find \(stop) | where id == \(stop) | get wheelchair") == access)
        }
    }

    // MARK: In-seat changes

    private static let divided: [StreetFeed.Trip] = [
        ("t1", "r1", "s", "0", "", "A 08:00;B 08:10"), ("u1", "r2", "s", "0", "", "B 08:10;D 08:40"),
        ("u2", "r2", "s", "0", "", "B 08:10;E 08:50"),
    ]
    private static let seats =
        "from_trip_id,to_trip_id,transfer_type,from_stop_id,to_stop_id\nt1,u1,4,B,B\nt1,u2,4,B,B\n"

    /// A train is divided: riders stay seated to either end.
    @Test(arguments: ["D", "E"])
    func dividedTrains(_ end: String) async throws {
        let session = try await StreetFeed.session(
            StreetFeed.tables(Self.divided, ["transfers.txt": Self.seats]))
        #expect(await session.run("journey plan @A @\(end) | first").contains("stay seated"))
    }

    /// The next trips of a late train are late, also if its vehicle is stated by a rule and not by a block.
    @Test func lateTrainsThatAreDivided() async throws {
        let session = try await StreetFeed.session(
            StreetFeed.tables(Self.divided, ["transfers.txt": Self.seats]),
            with: [
                Proto.update(
                    Proto.trip("t1", day: StreetFeed.day), [Proto.call(2, departure: 900)])
            ])
        #expect(
            await StreetFeed.board(session, "B") == [
                "08:10 08:25 u1 15min late (vehicle)", "08:10 08:25 u2 15min late (vehicle)",
            ])
    }

    /// Of two rules about one change the first counts, and the second is in the account.
    @Test func repeatedTransfers() async throws {
        let rules =
            "from_stop_id,to_stop_id,transfer_type,min_transfer_time\nB,B,2,60\nB,B,3,\nC,C,0,\n"
        let session = try await StreetFeed.session(
            StreetFeed.tables(
                [
                    ("t1", "r1", "s", "0", "", "A 08:00;B 08:10"),
                    ("u1", "r2", "s", "0", "", "B 08:15;D 08:40"),
                ],
                ["transfers.txt": rules]))
        #expect(await session.run("journey plan @A @D | count") == "1")
        #expect(await session.run("feed import street --force | to json").contains("transfers.txt"))
    }

    /// The diagram of a journey spans the journeys that are listed, not those that were dropped.
    @Test func diagramsSpanWhatIsListed() async throws {
        let session = try await StreetFeed.session(
            StreetFeed.tables(Self.divided, ["transfers.txt": Self.seats]), at: "07:55")
        let diagram = await session.run("journey plan @A @D | first | get diagram")
        #expect(diagram.hasPrefix("[1") && diagram.hasSuffix("]"))
    }
}
