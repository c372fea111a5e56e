import CivilTime
import Foundation
import Geodesy
import PluginKit
import PluginTestKit
import Testing
import TransitReference

@testable import TransitPlugin

/// Journeys in random feeds agree with an exhaustive search, forwards and backwards: with pathways, rules
/// for changes, wheelchairs and realtime. `RUTTER_JOURNEY_QUESTIONS` sets the number of queries per feed,
/// `RUTTER_JOURNEY_SEED` the one feed.
@Suite struct JourneyOracleTests {
    enum Kind: CaseIterable { case plain, wheelchair, realtime }

    private static let questions =
        ProcessInfo.processInfo.environment["RUTTER_JOURNEY_QUESTIONS"].flatMap { Int($0) } ?? 15

    static let seeds: [UInt64] =
        ProcessInfo.processInfo.environment["RUTTER_JOURNEY_SEED"].flatMap { UInt64($0) }.map { [$0] }
        ?? [1, 2, 3, 4, 5, 6]

    /// Friday 2026-02-06; the night before a clock change; the day of one.
    private static let days = [20_260_206, 20_260_328, 20_261_025]
    /// The days before them.
    private static let before = [20_260_205, 20_260_327, 20_261_024]

    @Test(arguments: Kind.allCases, JourneyOracleTests.seeds)
    func towns(kind: Kind, seed: UInt64) throws {
        let folder = try TemporaryFolder()
        var town = RandomTown(seed: seed)
        let database = folder.url.appendingPathComponent("gtfs.db")
        _ = try FeedImport.run(
            FeedSource(name: "town", tables: town.tables), to: database, isLenient: true)
        let feed = try Feed(database, isOwn: true, fallback: .gmt)
        let day = Self.days[Int(seed) % Self.days.count]
        var updates: [PlainJourneys.Update] = []
        var message: [(field: Int, message: Proto)] = []
        if kind == .realtime {
            // Those of the evening before run past midnight.
            updates = town.updates(days: [Self.before[Int(seed) % Self.days.count], day])
            message = updates.map { update in
                let delays = update.delays.map { entry in
                    (
                        entry.sequence,
                        entry.seconds.map { Proto.call(entry.sequence, departure: $0) }
                            ?? Proto.call(entry.sequence, relationship: 2)
                    )
                }
                let skips = update.skipped.map { [($0, Proto.call($0, relationship: 1))] } ?? []
                return Proto.update(
                    Proto.trip(update.trip, day: "\(update.day)", relationship: update.isCancelled ? 3 : 0),
                    update.isCancelled ? [] : (delays + skips).sorted { $0.0 < $1.0 }.map(\.1))
            }
        }
        let reference = PlainJourneys(
            town.tables, day: day, change: Int(JourneySettings.change),
            changeWalk: JourneySettings.changeWalk,
            walk: { Int(JourneySettings.seconds($0)) }, needsWheelchair: kind == .wheelchair, updates: updates
        )
        let noon = reference.moment(day, 12, 0)
        let state = RealtimeState()
        if kind == .realtime {
            state.use([
                try RealtimeSnapshot(file: "m.pb", feed: RealtimeFeed(Proto.feed(noon, message).bytes))
            ])
        }
        let view = state.view(at: Timestamp(milliseconds: Int64(noon) * 1000))
        var random = Xoshiro256(seed: seed &* 77)
        var found = 0
        for _ in 0..<Self.questions {
            func place() -> Coordinate {
                Coordinate(
                    latitude: Double.random(in: 50.098...50.122, using: &random),
                    longitude: Double.random(in: 50.098...50.132, using: &random))
            }
            let (from, to) = (place(), place())
            let time = reference.moment(day, 0, 0) + Int.random(in: 0...86_400, using: &random)
            var request = JourneyRequest(from: from, to: to, time: time)
            request.needsWheelchair = kind == .wheelchair
            found += try compare(request, feed, reference, view).journeys
        }
        #expect(found > Self.questions / 4)
    }

    /// Compares the results of a query in both directions of time.
    func compare(
        _ request: JourneyRequest, _ feed: Feed, _ reference: PlainJourneys, _ view: RealtimeView?
    ) throws -> (journeys: Int, isSame: Bool) {
        var request = request
        let time = request.time
        let walk = { Int(JourneySettings.seconds($0)) }
        let origins = reference.near(request.from, request.walk, isStart: true, walk)
        let targets = reference.near(request.to, request.walk, isStart: false, walk)
        let metres = request.from.distance(to: request.to)
        let direct = metres <= request.walk ? walk(metres) : nil
        var none = NoTrace()
        var expected = direct.map { ["0 \(time + $0)"] } ?? []
        var best = direct.map { time + $0 } ?? .max
        for (rides, arrival) in reference.arrivals(from: origins, to: targets, at: time, rides: 5)
            .enumerated()
        {
            guard let arrival, arrival < best, arrival - time <= JourneySettings.window else { continue }
            best = arrival
            expected.append("\(rides + 1) \(arrival)")
        }
        var isSame = true
        func same<Answer: Equatable>(_ found: Answer, _ expected: Answer, _ what: String) {
            isSame = isSame && found == expected
            #expect(found == expected, "\(what)")
        }
        let forwards = try JourneyPlanner(feed).journeys(request, live: view, into: &none).journeys.sorted {
            $0.rides < $1.rides
        }
        let title = "\(request.from) \(request.to) at \(time)"
        same(
            forwards.map { "\($0.rides) \($0.arrives)" }, expected,
            "\(title): \(forwards.map { $0.legs.map(\.sentence) })")
        func checkOrder(_ journey: TransitJourney) {
            for (first, second) in zip(journey.legs, journey.legs.dropFirst()) {
                same(first.arrives <= second.departs, true, "\(title): \(journey.legs.map(\.sentence))")
            }
        }
        for journey in forwards {
            checkOrder(journey)
            guard journey.rides > 0 else { continue }
            let leaves = reference.departures(
                from: origins, to: targets, by: journey.arrives, rides: journey.rides)
            same(journey.departs, leaves[journey.rides - 1], title)
        }
        request.isArrival = true
        expected = direct.map { ["0 \(time - $0)"] } ?? []
        var latest = direct.map { time - $0 } ?? .min
        for (rides, departure) in reference.departures(from: origins, to: targets, by: time, rides: 5)
            .enumerated()
        {
            guard let departure, departure > latest, time - departure <= JourneySettings.window else {
                continue
            }
            latest = departure
            expected.append("\(rides + 1) \(departure)")
        }
        let backwards = try JourneyPlanner(feed).journeys(request, live: view, into: &none).journeys
            .filter { time - $0.departs <= JourneySettings.window }.sorted { $0.rides < $1.rides }
        same(
            backwards.map { "\($0.rides) \($0.departs)" }, expected,
            "\(title) backwards: \(backwards.map { $0.legs.map(\.sentence) })")
        for journey in backwards where journey.rides > 0 {
            checkOrder(journey)
            // No journey with the same departure and as many rides arrives earlier.
            let arrivals = reference.arrivals(
                from: origins, to: targets, at: journey.departs, rides: journey.rides)
            same(journey.arrives, arrivals[journey.rides - 1], "\(title) backwards")
        }
        return (forwards.count, isSame)
    }

    /// Streets that are 1.8 times as long as the straight lines: the journeys are those of a search with
    /// all walks planned in advance.
    @Test(arguments: [7, 8, 9] as [UInt64])
    func streets(seed: UInt64) async throws {
        let folder = try TemporaryFolder()
        var tables = RandomTown(seed: seed).tables
        // Of several doors the nearest by estimate is taken, so there is one each here.
        tables["pathways.txt"] = nil
        let database = folder.url.appendingPathComponent("gtfs.db")
        _ = try FeedImport.run(FeedSource(name: "town", tables: tables), to: database, isLenient: true)
        let feed = try Feed(database, isOwn: true, fallback: .gmt)
        let length = 1.8
        let planner = StreetPlanner { from, to in
            StreetWalks.Way(
                seconds: JourneySettings.seconds(along: length * from.distance(to: to)), line: [from, to])
        }
        let walk = { (metres: Double) in Int(JourneySettings.seconds(along: length * metres)) }
        let reference = PlainJourneys(
            tables, day: 20_260_206, change: Int(JourneySettings.change),
            changeWalk: JourneySettings.changeWalk, walk: walk)
        var random = Xoshiro256(seed: seed)
        var found = 0
        for _ in 0..<Self.questions {
            func place() -> Coordinate {
                Coordinate(
                    latitude: Double.random(in: 50.098...50.122, using: &random),
                    longitude: Double.random(in: 50.098...50.132, using: &random))
            }
            let (from, to) = (place(), place())
            let time = reference.moment(20_260_206, 0, 0) + Int.random(in: 0...86_400, using: &random)
            let request = JourneyRequest(from: from, to: to, time: time)
            let metres = from.distance(to: to)
            let direct = metres <= request.walk ? walk(metres) : nil
            var expected = direct.map { ["0 \(time + $0)"] } ?? []
            var best = direct.map { time + $0 } ?? .max
            let arrivals = reference.arrivals(
                from: reference.near(from, request.walk, isStart: true, walk),
                to: reference.near(to, request.walk, isStart: false, walk), at: time, rides: 5)
            for (rides, arrival) in arrivals.enumerated() {
                guard let arrival, arrival < best, arrival - time <= JourneySettings.window else { continue }
                best = arrival
                expected.append("\(rides + 1) \(arrival)")
            }
            var none = NoTrace()
            let plan = try await JourneyPlanner(feed).journeys(
                request, live: nil, on: planner, into: &none, isTraced: false)
            #expect(
                plan.journeys.sorted { $0.rides < $1.rides }.map { "\($0.rides) \($0.arrives)" } == expected,
                "\(from) \(to) at \(time)")
            let walks = plan.journeys.flatMap(\.legs).filter { $0.ride == nil && $0.pair != nil }
            #expect(walks.count { !$0.isOnStreets } == 0)
            found += expected.count
        }
        #expect(found > Self.questions / 4)
    }

    /// Without streets the results are those of straight lines, with a note.
    @Test func noStreets() async throws {
        let folder = try TemporaryFolder()
        let database = folder.url.appendingPathComponent("gtfs.db")
        _ = try FeedImport.run(
            FeedSource(name: "town", tables: RandomTown(seed: 3).tables), to: database, isLenient: true)
        let feed = try Feed(database, isOwn: true, fallback: .gmt)
        let request = JourneyRequest(
            from: Coordinate(latitude: 50.11, longitude: 50.115),
            to: Coordinate(latitude: 50.112, longitude: 50.119),
            time: 1_770_360_000)
        var none = NoTrace()
        let without = try JourneyPlanner(feed).journeys(request, live: nil, into: &none)
        let with = try await JourneyPlanner(feed).journeys(
            request, live: nil, on: StreetPlanner { _, _ in nil }, into: &none, isTraced: false)
        #expect(with.notes == without.notes)
        #expect(with.notes.contains("walks are estimated from straight lines"))
        #expect(with.journeys.map(\.arrives) == without.journeys.map(\.arrives))
    }
}
