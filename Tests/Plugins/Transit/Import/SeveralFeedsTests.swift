import CivilTime
import Foundation
import Geodesy
import PluginKit
import PluginTestKit
import Testing

@testable import TransitPlugin

/// Several feeds in one timetable. The oracle of boards is each feed alone; other values are by hand.
@Suite struct SeveralFeedsTests {
    private let folder: TemporaryFolder
    private var database: URL { folder.url.appendingPathComponent("gtfs.db") }

    init() throws { folder = try TemporaryFolder() }

    private static let harbour = FeedSource(
        name: "harbour.zip",
        tables: Dictionary(uniqueKeysWithValues: SampleFeed.tables().map { ($0.name, $0.text) }))

    /// The small feed on the other side of the ocean.
    private static func small(_ zone: String, _ changes: [String: String] = [:]) -> FeedSource {
        FeedSource(
            name: "small.zip",
            tables: ImportTests.small.merging([
                "agency.txt": "agency_name,agency_url,agency_timezone\nB,http://b.example,\(zone)\n"
            ]) { $1 }.merging(changes) { $1 })
    }

    private func run(_ feeds: [(source: FeedSource, prefix: String)]) throws -> Feed {
        _ = try FeedImport.run(feeds, to: database, isLenient: false)
        return try Feed(database, isOwn: true, fallback: .gmt)
    }

    private func alone(_ source: FeedSource) throws -> Feed {
        let url = folder.url.appendingPathComponent("alone-\(source.name).db")
        _ = try FeedImport.run(source, to: url, isLenient: false)
        return try Feed(url, isOwn: true, fallback: .gmt)
    }

    /// Every stop has the departures of its own feed, in its own zone, also on days with a clock change.
    @Test func boardsAreThoseOfEachFeed() throws {
        let sources = [(Self.harbour, "h:"), (Self.small("America/New_York"), "")]
        let merged = try run(sources)
        #expect(merged.zones.map(\.identifier) == ["Europe/Berlin", "America/New_York"])
        var compared = 0
        for (source, prefix) in sources {
            let own = try alone(source)
            for stop in try own.stops.all() where !stop.id.hasPrefix("GAR") {
                let twin = try #require(try merged.stops.with(id: prefix + stop.id))
                #expect(twin.name == stop.name && twin.mode == stop.mode)
                #expect(twin.parent == stop.parent.map { prefix + $0 })
                for day in [20_490, 20_520, 20_541, 20_751] {
                    let moment = Double(day) * 86_400 + 20_000
                    let (expected, found) = (
                        try own.board(of: stop, at: moment, within: 86_400, limit: 40),
                        try merged.board(of: twin, at: moment, within: 86_400, limit: 40)
                    )
                    func rows(_ board: DepartureBoard, _ prefix: String) -> [String] {
                        board.departures.map {
                            "\($0.row.time) \($0.clock) \($0.route) \($0.headsign) \(prefix)\($0.trip) \($0.row.day.text)"
                        }.sorted()
                    }
                    #expect(rows(found, "") == rows(expected, prefix), "\(stop.id) on \(day)")
                    #expect(found.next?.row.time == expected.next?.row.time)
                    compared += expected.departures.count
                }
            }
        }
        #expect(compared > 500)
    }

    /// Each identifier that two feeds share is refused, and nothing is written.
    @Test(arguments: ["stop_id", "route_id", "service_id", "trip_id", "shape_id"])
    func collisions(column: String) throws {
        func other(_ id: String) -> String { column == id ? "" : "2" }
        let (stop, route, service, trip) = (
            other("stop_id"), other("route_id"), other("service_id"), other("trip_id")
        )
        let shape = "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\n"
        let line = { (id: String) in "\(id),51,6,1\n\(id),50,7,2\n" }
        let second = Self.small(
            "Europe/Berlin",
            [
                "stops.txt":
                    "stop_id,stop_name,stop_lat,stop_lon\nX\(stop),Xanten,51.66,6.45\nY2,Ypern,50.85,2.88\n",
                "routes.txt": "route_id,route_short_name,route_type\nR\(route),1,3\n",
                "calendar.txt":
                    "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                    + "S\(service),1,1,1,1,1,1,1,20260101,20261231\n",
                "trips.txt": "route_id,service_id,trip_id\nR\(route),S\(service),T\(trip)\n",
                "shapes.txt": shape + line("L\(other("shape_id"))"),
                "stop_times.txt":
                    "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
                    + "T\(trip),08:00:00,08:00:00,X\(stop),1\nT\(trip),08:10:00,08:11:00,Y2,2\n",
            ])
        let first = Self.small("Europe/Berlin", ["shapes.txt": shape + line("L")])
        do {
            _ = try run([(first, ""), (second, "")])
            Issue.record("feeds with the same \(column) were merged")
        } catch let error as RutterError {
            #expect(error.code == "E-GTFS-MERGE")
            #expect(error.message.contains("the \(column) `"), "\(error.message)")
            #expect(error.fix == "give each feed a prefix, as in --prefix small: --prefix small2:")
        }
        #expect(!FileManager.default.fileExists(atPath: database.path))
        #expect(try run([(first, "a"), (second, "b")]).stops.all().count == 5)
    }

    /// A fault names the feed.
    @Test func faultsNameTheirFeed() throws {
        let broken = Self.small("Europe/Berlin", ["trips.txt": "route_id,service_id,trip_id\nR,nothing,T\n"])
        #expect {
            _ = try run([(Self.harbour, ""), (broken, "")])
        } throws: {
            ($0 as? RutterError)?.message.hasPrefix("small.zip: trips.txt, line 2") ?? false
        }
    }

    /// A journey changes from a line of one feed to one of the other, each in its own zone: 08:20 in Berlin is 02:20 in New York.
    @Test func journeysCrossFeeds() throws {
        let times =
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nT,02:30:00,02:30:00,Z,1\nT,03:00:00,03:00:00,W,2\n"
        let second = Self.small(
            "America/New_York",
            [
                "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\nZ,Zell,50.02,7.18\nW,Wesel,49,7.18\n",
                "stop_times.txt": times,
            ])
        let merged = try run([(Self.small("Europe/Berlin"), "a:"), (second, "b:")])
        let day = try #require(CivilDate(year: 2026, month: 2, day: 6))
        let start = ServiceDay.reference(day, in: merged.zone) + 7 * 3600
        var none = NoTrace()
        let found = try JourneyPlanner(merged).journeys(
            JourneyRequest(
                from: Coordinate(latitude: 51.66, longitude: 6.45),
                to: Coordinate(latitude: 49, longitude: 7.18),
                time: start), live: nil, into: &none
        ).journeys
        #expect(found.map { "\($0.departsClock) \($0.arrivesClock) \($0.rides)" } == ["08:00 03:00 2"])
        #expect(found.first.map { $0.arrives - $0.departs } == 3600)
    }

    /// Messages name trips as their feed does; those of two feeds are used together, each while it is
    /// fresh.
    @Test func realtimeOfEachFeed() async throws {
        let now = Int(TestSession.Settings.start.seconds)
        func late(_ time: Int, _ delay: Int) -> Data {
            Data(
                Proto.feed(
                    time,
                    [
                        Proto.update(
                            Proto.trip("S1-WD-out-550", day: "20260206"), [Proto.call(1, departure: delay)])
                    ]
                ).bytes)
        }
        let session = try TestSession(
            plugins: { [TransitPlugin()] },
            files: ["a.pb": late(now - 60, 300), "b.pb": late(now - 300, 600)])
        await session.run("set timezone Europe/Berlin; feed sample")
        #expect(
            await session.run("feed import harbour harbour --prefix a: --prefix b: | get problems") == "0")
        await session.run("feed realtime a.pb --prefix a:; feed realtime b.pb --prefix b:")
        func board(_ stop: String) async -> String {
            await session.run("departures \(stop) --limit 1 | select time status trip | to csv")
        }
        #expect(await board("a:CEN1") == "time,status,trip\n09:12,5min late,a:S1-WD-out-550")
        #expect(await board("b:CEN1") == "time,status,trip\n09:12,10min late,b:S1-WD-out-550")
        // Ten minutes after its message the second feed is back at its schedule; the first is not.
        await session.run("clock +6min")
        #expect(await board("a:CEN1") == "time,status,trip\n09:12,5min late,a:S1-WD-out-550")
        #expect(await board("b:CEN1") == "time,status,trip\n09:12,Scheduled,b:S1-WD-out-550")
        #expect(await session.run("departures b:CEN1 --limit 1").contains("that of `b:` is too old"))
        #expect(await session.run("feed realtime a.pb --prefix c:").contains("E-TRANSIT-REALTIME"))
        #expect(await session.run("feed import harbour --prefix a: --prefix b:").contains("E-GTFS-MERGE"))
    }
}
