import CivilTime
import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import TransitPlugin

/// Under recorded messages all layers agree: each leg of a journey is a row of the boards at both of its ends, at the same
/// times, and so are the calls of its trip and the column of its line's timetable.
@Suite struct RecordedMessageTests {
    @Test(.enabled(if: RealData.has("gtfs-rt/caltrain.zip"), "needs the folder of real data"))
    func boardsTripsTimetablesAndJourneysAgree() throws {
        let folder = try TemporaryFolder()
        let database = folder.url.appendingPathComponent("gtfs.db")
        _ = try FeedImport.run(RealData.url("gtfs-rt/caltrain.zip"), to: database, isLenient: true)
        let feed = try Feed(database, isOwn: true, fallback: .gmt)
        let bytes = try [UInt8](Data(contentsOf: RealData.url("gtfs-rt/ct-trip-updates.pb")))
        let state = RealtimeState()
        let snapshot = try RealtimeSnapshot(file: "ct", feed: RealtimeFeed(bytes))
        state.use([snapshot])
        let view = state.view(at: Timestamp(milliseconds: Int64(snapshot.time) * 1000))
        let live = try LiveTimetableMaker.timetable(feed, snapshot)
        let stations = try feed.stops.all().filter { $0.kind == .station }
        #expect(stations.count > 20)
        // Every row of every board is a call of its run.
        var rows = 0
        for stop in stations {
            for side in [BoardSide.departures, .arrivals] {
                let board = try StopBoard(feed, stop).board(
                    side, at: Double(snapshot.time), within: 4 * 3600, limit: 500, live: view)
                for departure in board.departures where departure.live != nil {
                    let run = try #require(live.runs(ofTrip: departure.trip, on: departure.row.day).first)
                    let call = try feed.trips.object(run).calls.first {
                        $0.stop.number == departure.stop.number
                            && (side == .departures ? $0.departure : $0.arrival) == departure.seconds
                    }
                    #expect(
                        side.time(call?.live) == side.time(departure.live), "\(departure.trip) at \(stop.id)")
                    rows += 1
                }
            }
        }
        #expect(rows > 200)
        var random = Xoshiro256(seed: 47)
        var (legs, late) = (0, 0)
        for _ in 0..<60 {
            let ends = [stations.randomElement(using: &random), stations.randomElement(using: &random)]
                .compactMap(\.?.coordinate)
            guard ends.count == 2, ends[0] != ends[1] else { continue }
            let request = JourneyRequest(from: ends[0], to: ends[1], time: snapshot.time)
            var none = NoTrace()
            for leg in try JourneyPlanner(feed).journeys(request, live: view, into: &none).journeys.flatMap(
                \.legs)
            {
                guard let ride = leg.ride else { continue }
                let at = "\(ride.trip) \(leg.summary)"
                for (side, place, time) in [
                    (BoardSide.departures, leg.from.at, leg.departs), (.arrivals, leg.to.at, leg.arrives),
                ] {
                    let stop = try #require(try feed.stops.near(place, radius: 1, limit: 1).stops.first?.stop)
                    let board = try StopBoard(feed, stop).board(
                        side, at: Double(time), within: 1, limit: 100, live: view)
                    #expect(
                        board.departures.contains { $0.trip == ride.trip && $0.expected == time }, "\(at)")
                }
                if ride.live?.departure != nil { late += 1 }
                legs += 1
                // The column of the run in the printed timetable.
                guard let run = live.runs(ofTrip: ride.trip, on: ride.day).first, let number = run.route,
                    let route = feed.routes[number]
                else { continue }
                let line = LineObject(number: number, route: route)
                let direction = try run.row.flatMap { try feed.trips.with(row: $0)?.direction }
                let table = try TimetableMaker(feed, line, on: ride.day, live: live)
                    .timetable(direction: direction, limit: 1000)
                let reference = ServiceDay.reference(ride.day, in: feed.zone(ofRoute: number))
                let column = try #require(table.runs.first { $0.trip == ride.trip })
                let times = column.times.map { column.expected[$0.key] ?? $0.value }
                #expect(times.contains(leg.departs - reference), "\(at)")
            }
        }
        #expect(legs > 40)
        #expect(late > 5)
    }
}
