import CivilTime
import Foundation
import Geodesy
import PluginKit
import PluginTestKit
import Testing
import TransitReference

@testable import TransitPlugin

/// Journeys agree with an exhaustive search in the text of the feed, and with hand calculations for
/// difficult timetables.
@Suite struct JourneyTests {
    private static let tables = Dictionary(
        uniqueKeysWithValues: SampleFeed.tables().map { ($0.name, $0.text) })

    private func feed(_ tables: [String: String], in folder: TemporaryFolder) throws -> Feed {
        let database = folder.url.appendingPathComponent("gtfs.db")
        _ = try FeedImport.run(FeedSource(name: "feed", tables: tables), to: database, isLenient: true)
        return try Feed(database, isOwn: true, fallback: .gmt)
    }

    private func plain(_ tables: [String: String], day: Int) -> PlainJourneys {
        PlainJourneys(
            tables, day: day, change: Int(JourneySettings.change), changeWalk: JourneySettings.changeWalk,
            walk: { Int(JourneySettings.seconds($0)) })
    }

    private func plan(_ feed: Feed, _ request: JourneyRequest) throws -> [TransitJourney] {
        var none = NoTrace()
        return try JourneyPlanner(feed).journeys(request, live: nil, into: &none).journeys
    }

    /// Random queries on ordinary days, nights and days with a clock change, forwards and backwards.
    @Test(arguments: [20_260_206, 20_260_208, 20_260_329, 20_261_025])
    func random(day: Int) throws {
        let folder = try TemporaryFolder()
        let feed = try feed(Self.tables, in: folder)
        let reference = plain(Self.tables, day: day)
        var random = Xoshiro256(seed: UInt64(day))
        var found = 0
        for _ in 0..<40 {
            func place() -> Coordinate {
                let stop = reference.places[Int.random(in: 0..<reference.places.count, using: &random)]
                // Never exactly at a stop, where a station would stand for its platforms.
                return Coordinate(
                    latitude: stop.latitude + Double.random(in: 0.0001...0.003, using: &random),
                    longitude: stop.longitude - Double.random(in: 0.0001...0.003, using: &random))
            }
            let (from, to) = (place(), place())
            let time =
                reference.moment(day, 0, 0) + Int.random(in: 0...86_400, using: &random)
            var request = JourneyRequest(from: from, to: to, time: time)
            let near = { (coordinate: Coordinate) in
                reference.near(coordinate, request.walk, isStart: coordinate == from) {
                    Int(JourneySettings.seconds($0))
                }
            }
            let metres = from.distance(to: to)
            let direct = metres <= request.walk ? Int(JourneySettings.seconds(metres)) : nil
            // Forwards: with each number of rides the earliest arrival.
            var expected: [String] = []
            var best = direct.map { time + $0 } ?? .max
            if direct != nil { expected.append("0 \(best)") }
            for (rides, arrival) in reference.arrivals(from: near(from), to: near(to), at: time, rides: 5)
                .enumerated()
            {
                guard let arrival, arrival < best, arrival - time <= JourneySettings.window else { continue }
                best = arrival
                expected.append("\(rides + 1) \(arrival)")
            }
            let forwards = try plan(feed, request).sorted { $0.rides < $1.rides }
            #expect(forwards.map { "\($0.rides) \($0.arrives)" } == expected, "\(from) \(to) at \(time)")
            for journey in forwards {
                check(journey, from: time)
                guard journey.rides > 0 else { continue }
                // It departs as late as possible.
                let leaves = reference.departures(
                    from: near(from), to: near(to), by: journey.arrives, rides: journey.rides)
                #expect(journey.departs == leaves[journey.rides - 1], "\(from) \(to) at \(time)")
            }
            found += expected.count
            // Backwards: the latest departure.
            request.isArrival = true
            var latest = direct.map { time - $0 } ?? .min
            expected = direct.map { _ in ["0 \(latest)"] } ?? []
            for (rides, departure) in reference.departures(from: near(from), to: near(to), by: time, rides: 5)
                .enumerated()
            {
                guard let departure, departure > latest, time - departure <= JourneySettings.window else {
                    continue
                }
                latest = departure
                expected.append("\(rides + 1) \(departure)")
            }
            let backwards = try plan(feed, request).filter { time - $0.departs <= JourneySettings.window }
                .sorted { $0.rides < $1.rides }
            #expect(backwards.map { "\($0.rides) \($0.departs)" } == expected, "\(from) \(to) by \(time)")
            for journey in backwards {
                #expect(journey.arrives <= time)
                guard journey.rides > 0 else { continue }
                // No journey with the same departure and as many rides arrives earlier.
                let arrivals = reference.arrivals(
                    from: near(from), to: near(to), at: journey.departs, rides: journey.rides)
                #expect(journey.arrives == arrivals[journey.rides - 1], "\(from) \(to) by \(time)")
            }
        }
        #expect(found > 20)
    }

    /// Legs follow each other in time and place.
    private func check(_ journey: TransitJourney, from time: Int) {
        #expect(journey.departs >= time)
        for (first, second) in zip(journey.legs, journey.legs.dropFirst()) {
            #expect(first.arrives <= second.departs)
            // A change at a stop has no leg of its own.
            #expect(first.to.at == second.from.at)
        }
        #expect(journey.legs.allSatisfy { $0.departs <= $0.arrives })
    }

    /// A range has, for each instant in it, the best journey that leaves then or later.
    @Test func ranges() throws {
        let folder = try TemporaryFolder()
        let feed = try feed(Self.tables, in: folder)
        let reference = plain(Self.tables, day: 20_260_206)
        let (from, to) = (
            Coordinate(latitude: 0.4935, longitude: 0.503), Coordinate(latitude: 0.534, longitude: 0.53)
        )
        let start = reference.moment(20_260_206, 8, 0)
        var request = JourneyRequest(from: from, to: to, time: start)
        request.until = start + 7200
        let journeys = try plan(feed, request)
        #expect(journeys.count == 4)
        #expect(journeys.allSatisfy { $0.departs <= start + 7200 })
        let near = { (coordinate: Coordinate) in
            reference.near(coordinate, request.walk, isStart: coordinate == from) {
                Int(JourneySettings.seconds($0))
            }
        }
        for time in stride(from: start, through: start + 7200, by: 300) {
            for (rides, arrival) in reference.arrivals(from: near(from), to: near(to), at: time, rides: 5)
                .enumerated()
            {
                guard let arrival else { continue }
                let leaves = reference.departures(
                    from: near(from), to: near(to), by: arrival, rides: rides + 1)[rides]
                guard let leaves, leaves <= start + 7200 else { continue }
                let best = journeys.filter { $0.departs >= time && $0.rides <= rides + 1 }.map(\.arrives)
                    .min()
                #expect(best == arrival, "\(time), \(rides + 1) rides")
            }
        }
        for (index, journey) in journeys.enumerated() {
            #expect(
                !journeys.enumerated().contains {
                    $0.offset != index && $0.element.departs >= journey.departs
                        && $0.element.arrives <= journey.arrives && $0.element.rides <= journey.rides
                })
        }
    }

    /// Of the two connections that are in time, a latest arrival is met by the earlier one.
    @Test func theEarliestArrivalOfTheLatestDeparture() throws {
        let folder = try TemporaryFolder()
        let feed = try feed(
            [
                "agency.txt": "agency_name,agency_url,agency_timezone\nA,http://a.example,Europe/Berlin\n",
                "stops.txt":
                    "stop_id,stop_name,stop_lat,stop_lon\nA,A,10,10\nB,B,10,10.1\nC,C,10,10.2\n",
                "routes.txt": "route_id,route_short_name,route_type\nR,1,3\nQ,2,3\n",
                "calendar.txt":
                    "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                    + "S,1,1,1,1,1,1,1,20260101,20261231\n",
                "trips.txt": "route_id,service_id,trip_id\nR,S,T\nQ,S,U\nQ,S,V\nQ,S,W\n",
                "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
                    + "T,08:00:00,08:00:00,A,1\nT,08:30:00,08:30:00,B,2\n"
                    + "U,08:33:00,08:33:00,B,1\nU,09:00:00,09:00:00,C,2\n"
                    + "V,08:50:00,08:50:00,B,1\nV,09:20:00,09:20:00,C,2\n"
                    + "W,09:40:00,09:40:00,B,1\nW,10:10:00,10:10:00,C,2\n",
            ], in: folder)
        let day = ServiceDay.reference(try #require(CivilDate(year: 2026, month: 2, day: 6)), in: feed.zone)
        var request = JourneyRequest(
            from: Coordinate(latitude: 10, longitude: 10), to: Coordinate(latitude: 10, longitude: 10.2),
            time: day + 9 * 3600 + 30 * 60)
        request.isArrival = true
        let found = try plan(feed, request)
        #expect(found.map(\.departsClock) == ["08:00"])
        #expect(found.map(\.arrivesClock) == ["09:00"])
        #expect(found.map(\.rides) == [2])
    }

    private func session(_ files: [String: Data] = [:]) async throws -> TestSession {
        let session = try TestSession(plugins: { [TransitPlugin()] }, files: files)
        await session.run("set timezone Europe/Berlin; feed sample; feed import harbour")
        return session
    }

    /// 26:35 of Friday is 02:35 of Saturday: the night bus from the terminal reaches the airport forty minutes later.
    @Test func nights() async throws {
        let session = try await session()
        #expect(
            await session.run(
                "journey plan 0.4985,0.4988 0.535,0.531 --at 2026-02-07T02:00 | select departs arrives changes lines | to csv"
            )
                == "departs,arrives,changes,lines\n02:35,03:15,0,N1")
    }

    /// Rules of transfers.txt: a change that takes long, and one that is not possible.
    @Test func transferRules() throws {
        let folder = try TemporaryFolder()
        let stops =
            "stop_id,stop_name,stop_lat,stop_lon\nA,A,10,10\nB,B,10,10.1\nC,C,10,10.101\nD,D,10,10.2\n"
        let base = [
            "agency.txt": "agency_name,agency_url,agency_timezone\nA,http://a.example,Europe/Berlin\n",
            "stops.txt": stops, "routes.txt": "route_id,route_short_name,route_type\nR,1,3\nQ,2,3\n",
            "calendar.txt":
                "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                + "S,1,1,1,1,1,1,1,20260101,20261231\n",
            "trips.txt": "route_id,service_id,trip_id\nR,S,T\nQ,S,U\nQ,S,V\n",
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
                + "T,08:00:00,08:00:00,A,1\nT,08:10:00,08:10:00,B,2\n"
                + "U,08:15:00,08:15:00,C,1\nU,08:30:00,08:30:00,D,2\nV,09:15:00,09:15:00,C,1\nV,09:30:00,09:30:00,D,2\n",
        ]
        func arrival(_ rule: String?) throws -> String? {
            var tables = base
            if let rule {
                tables["transfers.txt"] = "from_stop_id,to_stop_id,transfer_type,min_transfer_time\n\(rule)\n"
            }
            let folder = try TemporaryFolder()
            let feed = try feed(tables, in: folder)
            let from = Coordinate(latitude: 10, longitude: 10)
            let day = ServiceDay.reference(
                try #require(CivilDate(year: 2026, month: 2, day: 6)), in: feed.zone)
            return try plan(
                feed,
                JourneyRequest(
                    from: from, to: Coordinate(latitude: 10, longitude: 10.2), time: day + 7 * 3600)
            ).first.map { ServiceDay.clock($0.arrives, in: feed.zone) }
        }
        _ = folder
        // 110 m on foot and a minute: in time for 08:15.
        #expect(try arrival(nil) == "08:30")
        #expect(try arrival("B,C,2,300") == "08:30")
        #expect(try arrival("B,C,2,301") == "09:30")
        #expect(try arrival("B,C,3,") == nil)
        #expect(try arrival("B,C,1,") == "08:30")
        #expect(try arrival("C,B,3,") == "08:30")
    }

    /// Pathways that form loops and cycles change nothing.
    @Test func pathwaysThatLoop() throws {
        let ways = [
            "EN,N1,1,1,60", "N1,N2,1,1,60", "N2,P,1,1,60", "N1,N1,1,1,5", "N2,N3,1,0,5", "N3,N1,1,0,5",
            "P,P,1,1,1",
        ]
        func arrivals(_ ways: ArraySlice<String>) throws -> [Int?] {
            let folder = try TemporaryFolder()
            let rows = ways.enumerated().map { "\($0.offset),\($0.element)\n" }.joined()
            let feed = try feed(
                [
                    "agency.txt":
                        "agency_name,agency_url,agency_timezone\nA,http://a.example,Europe/Berlin\n",
                    "stops.txt": """
                    stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station
                    ST,Station,10,10,1,
                    P,Station,10,10,0,ST
                    EN,Door,10,10,2,ST
                    N1,Hall,10,10,3,ST
                    N2,Hall,10,10,3,ST
                    N3,Hall,10,10,3,ST
                    B,B,10,10.1,,

                    """,
                    "routes.txt": "route_id,route_short_name,route_type\nR,1,3\n",
                    "calendar.txt":
                        "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                        + "S,1,1,1,1,1,1,1,20260101,20261231\n",
                    "trips.txt": "route_id,service_id,trip_id\nR,S,T\n",
                    "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
                        + "T,08:00:00,08:00:00,P,1\nT,08:10:00,08:10:00,B,2\n",
                    "pathways.txt":
                        "pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional,traversal_time\n\(rows)",
                ], in: folder)
            let day = ServiceDay.reference(
                try #require(CivilDate(year: 2026, month: 2, day: 6)), in: feed.zone)
            return try (50...60).map { minute in
                try plan(
                    feed,
                    JourneyRequest(
                        // Beside the station: a journey from a stop begins on its platform.
                        from: Coordinate(latitude: 10.0005, longitude: 10),
                        to: Coordinate(latitude: 10, longitude: 10.1),
                        time: day + 7 * 3600 + minute * 60)
                ).first.map { $0.arrives - day }
            }
        }
        let plain = try arrivals(ways[..<3])
        #expect(Set(plain.map { $0 == 8 * 3600 + 600 }) == [true, false], "in time at first, then too late")
        #expect(try arrivals(ways[...]) == plain)
    }

    /// A late train misses its connection, a cancelled one is not used; the journey's texts come from the
    /// message.
    @Test func realtime() async throws {
        let now = Int(TestSession.Settings.start.seconds)
        let late = Proto.feed(
            now, [Proto.update(Proto.trip("S1-WD-out-550", day: "20260206"), [Proto.call(1, departure: 300)])]
        )
        let gone = Proto.feed(
            now, [Proto.update(Proto.trip("S1-WD-out-550", day: "20260206", relationship: 3), [])])
        let session = try await session(["late.pb": Data(late.bytes), "gone.pb": Data(gone.bytes)])
        let question = "journey plan 0.5002,0.4997 0.535,0.531 --at 09:05 | select departs arrives | to csv"
        #expect(await session.run(question) == "departs,arrives\n09:12,09:30")
        await session.run("feed realtime late.pb")
        #expect(await session.run(question) == "departs,arrives\n09:17,09:35")
        #expect(
            await session.run("journey plan 0.5002,0.4997 0.535,0.531 --at 09:05 | first").contains(
                "5min late"))
        await session.run("feed realtime gone.pb")
        #expect(await session.run(question) == "departs,arrives\n09:42,10:00")
    }

    /// Minimal networks in which delayed, cancelled and added trips decide; the expected times are by hand.
    @Test(arguments: [
        // The vehicle reaches B at 08:30 instead of 08:10, and so makes its next trip 18 minutes later than at 08:12.
        ("late T 1 1200", "A", "D", "07:00", "08:30 08:45"),
        // So do riders who board at B: one vehicle makes both trips.
        ("late T 1 1200", "B", "D", "08:11", "08:45"),
        // The first trip of the line is overtaken by the second.
        ("late K 1 1800", "A", "E", "08:59", "09:20"),
        ("late K 1 1800", "A", "E", "09:11", "09:40"),
        // No data from the second stop on: the schedule, but not before the vehicle was at the previous
        // stop.
        ("late W 1 300; unknown W 2", "A", "D", "10:00", "10:25"),
        ("late W 1 1500; unknown W 2", "A", "D", "10:00", "10:50"),
        ("skip W 2", "A", "B", "09:55", "none"),
        ("cancel W", "A", "D", "09:55", "none"),
        // At 21:00 of the day before.
        ("late Y 1 11700 yesterday", "A", "C", "00:05", "00:25"),
        ("add X R A 11:00 D 11:20", "A", "D", "10:50", "11:20 Added"),
    ])
    func lateVehicles(message: String, from: String, to: String, at: String, arrives: String) throws {
        let folder = try TemporaryFolder()
        var trips = "route_id,service_id,trip_id,block_id\nR,S,T,V\nR,S,U,V\n"
        for trip in ["K", "L", "W", "Y"] { trips += "Q,S,\(trip),\n" }
        var times = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
        let runs = [
            "T": "08:00 A 08:10 B", "U": "08:12 B 08:27 D", "K": "09:00 A 09:10 E", "L": "09:10 A 09:20 E",
            "W": "10:00 A 10:10 B 10:25 D", "Y": "21:00 A 21:10 C",
        ]
        for (trip, calls) in runs.sorted(by: { $0.key < $1.key }) {
            let words = calls.split(separator: " ")
            for call in 0..<words.count / 2 {
                // The arrival of a trip at its last stop has no departure constraint.
                let isEnd = call == words.count / 2 - 1 && trip == "T"
                let leaves = isEnd ? "08:12" : words[call * 2]
                times += "\(trip),\(words[call * 2]):00,\(leaves):00,\(words[call * 2 + 1]),\(call + 1)\n"
            }
        }
        let feed = try feed(
            [
                "agency.txt": "agency_name,agency_url,agency_timezone\nA,http://a.example,Europe/Berlin\n",
                "stops.txt":
                    "stop_id,stop_name,stop_lat,stop_lon\nA,A,10,10\nB,B,10,10.1\nC,C,10,10.3\nD,D,10,10.2\nE,E,10,10.4\n",
                "routes.txt": "route_id,route_short_name,route_type\nR,1,3\nQ,2,3\n",
                "calendar.txt":
                    "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                    + "S,1,1,1,1,1,1,1,20260101,20261231\n",
                "trips.txt": trips, "stop_times.txt": times,
            ], in: folder)
        let day = ServiceDay.reference(try #require(CivilDate(year: 2026, month: 2, day: 6)), in: feed.zone)
        func moment(_ clock: some StringProtocol) -> Int {
            let parts = clock.split(separator: ":").compactMap { Int($0) }
            return day + parts[0] * 3600 + parts[1] * 60
        }
        var calls: [String: [Proto]] = [:]
        var entities: [(field: Int, message: Proto)] = []
        var date = "20260206"
        for part in message.split(separator: "; ") {
            let words = part.split(separator: " ").map(String.init)
            if words.last == "yesterday" { date = "20260205" }
            switch words[0] {
            case "late":
                calls[words[1], default: []].append(Proto.call(Int(words[2]), departure: Int(words[3])))
            case "unknown", "skip":
                calls[words[1], default: []].append(
                    Proto.call(Int(words[2]), relationship: words[0] == "skip" ? 1 : 2))
            case "cancel":
                entities.append(Proto.update(Proto.trip(words[1], day: date, relationship: 3), []))
            default:
                let trip = Proto.trip(words[1], day: date, relationship: 1).text(5, words[2])
                entities.append(
                    Proto.update(
                        trip,
                        [
                            Proto.call(stop: words[3], at: moment(words[4])),
                            Proto.call(stop: words[5], at: moment(words[6])),
                        ]))
            }
        }
        for (trip, calls) in calls { entities.append(Proto.update(Proto.trip(trip, day: date), calls)) }
        let state = RealtimeState()
        let time = moment(at)
        state.use([
            try RealtimeSnapshot(file: "m.pb", feed: RealtimeFeed(Proto.feed(time, entities).bytes))
        ])
        let places = ["A": 10, "B": 10.1, "C": 10.3, "D": 10.2, "E": 10.4]
        var none = NoTrace()
        let request = JourneyRequest(
            from: Coordinate(latitude: 10, longitude: try #require(places[from])),
            to: Coordinate(latitude: 10, longitude: try #require(places[to])), time: time)
        let view = state.view(at: Timestamp(milliseconds: Int64(time) * 1000))
        let found = try JourneyPlanner(feed).journeys(request, live: view, into: &none).journeys.filter {
            $0.arrives < time + 3 * 3600
        }
        let rides = found.first?.legs.map { leg in
            ServiceDay.clock(leg.arrives, in: feed.zone)
                + (leg.ride?.isAdded == true ? " \(leg.sentence.hasSuffix("Added") ? "Added" : "")" : "")
        }
        #expect((rides ?? ["none"]).joined(separator: " ") == arrives)
    }

    @Test func questions() async throws {
        let session = try await session()
        #expect(
            await session.run("journey plan 0.5,0.5 10,10 --at 09:00").contains(
                "no stop with trips lies within 800m of the destination"))
        #expect(
            await session.run("journey plan 0.5,0.5 0.53,0.53 --at 09:00 --until 08:00").contains(
                "E-TRANSIT-JOURNEY"))
        #expect(
            await session.shown("journey plan 0.5,0.5 0.501,0.5 --at 09:00 | get lines") == "walk")
        await session.run("let steps = trace journey plan 0.493,0.504 0.535,0.531 --at 09:00")
        #expect(await session.run("$steps | where kind == 'round' | get round | to json").contains("2"))
        #expect(await session.run("$steps | where kind == journey | count") == "2")
        #expect(
            await session.run("journey plan 0.493,0.504 0.535,0.531 --at 09:00 --wheelchair").contains(
                "runs with unknown wheelchair access are skipped"))
        let diagram = await session.run(
            "journey plan 0.4955,0.5055 0.512,0.508 --at 09:00 --until 10:00 | last | get diagram")
        #expect(diagram.contains("["))
        #expect(
            await session.run("journey plan 0.493,0.504 0.535,0.531 --at 09:00 | first | map").isEmpty
                == false)
    }
}
