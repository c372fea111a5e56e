import CivilTime
import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import TransitPlugin

/// Compares what the boards, trips, printed timetables and journeys of one moment say, in every row that a message touches.
struct LayerAgreement {
    /// How much was compared.
    struct Counts: CustomStringConvertible {
        var runs = 0
        var boards = 0
        /// Rows of boards with news, compared with the calls of their trips.
        var rows = 0
        /// Rows of boards without news, compared with the timetable.
        var scheduled = 0
        /// Calls of runs that are due, found on the boards of their stops.
        var calls = 0
        /// Runs found as columns of printed timetables.
        var columns = 0
        /// Legs of journeys, compared with the boards at both ends and with their trips.
        var legs = 0
        var lateLegs = 0

        mutating func add(_ other: Counts) {
            runs += other.runs
            boards += other.boards
            rows += other.rows
            scheduled += other.scheduled
            calls += other.calls
            columns += other.columns
            legs += other.legs
            lateLegs += other.lateLegs
        }

        var description: String {
            "\(runs) runs, \(boards) boards, \(rows) rows with news, \(scheduled) without, \(calls) calls due, "
                + "\(columns) columns, \(legs) legs (\(lateLegs) with news)"
        }
    }

    private static let ahead = 4 * 3600
    private static let behind = 1800
    /// More rows than a board of four hours has.
    private static let limit = 4000

    private let feed: Feed
    private let snapshot: RealtimeSnapshot
    private let view: RealtimeView?
    private let live: LiveTimetable
    private let now: Int
    private(set) var counts = Counts()
    private(set) var differences: [String] = []

    init(_ feed: Feed, _ bytes: [UInt8]) throws {
        self.feed = feed
        snapshot = try RealtimeSnapshot(file: "message", feed: RealtimeFeed(anyForm: bytes, named: "message"))
        now = snapshot.time
        let state = RealtimeState()
        state.use([snapshot])
        view = state.view(at: Timestamp(milliseconds: Int64(now) * 1000))
        // Without the predictions that are too old at the moment.
        live = try LiveTimetableMaker.timetable(feed, view?.usable ?? snapshot)
        counts.runs = live.runs.count
    }

    private mutating func check(_ holds: Bool, _ what: @autoclosure () -> String) {
        if !holds { differences.append(what()) }
    }

    /// The stops where runs call, at most some, spread over all.
    private func stops(atMost most: Int) throws -> [StopRecord] {
        let numbers = Set(live.runs.flatMap { $0.calls.map(\.stop) }).filter { $0 > 0 }.sorted()
        let step = max(1, (numbers.count + most - 1) / most)
        return try feed.stops.rows(stride(from: 0, to: numbers.count, by: step).map { numbers[$0] })
    }

    /// Compares boards with trips in both directions.
    mutating func compareBoards(atMost most: Int) throws {
        let from = now - Self.behind
        let end = from + Self.ahead
        for stop in try stops(atMost: most) {
            for side in [BoardSide.departures, .arrivals] {
                let board = try StopBoard(feed, stop).board(
                    side, at: Double(from), within: Double(Self.ahead), limit: Self.limit, live: view)
                counts.boards += 1
                try compareRows(board, stop, side)
                try compareDue(board, stop, side, from..<end)
            }
        }
    }

    /// Each row of a board is a call of its run, at the same times.
    private mutating func compareRows(_ board: DepartureBoard, _ stop: StopRecord, _ side: BoardSide) throws {
        var last = Int.min
        for row in board.departures {
            let at = "\(row.trip) at \(stop.id), \(side)"
            check(row.expected >= last, "\(at): boards are sorted")
            last = row.expected
            let runs = live.runs(ofTrip: row.trip, on: row.row.day).filter { $0.start == row.row.start }
            guard let run = runs.first else {
                check(row.live == nil, "\(at): news without a run")
                guard let trip = try feed.trips.with(id: row.trip) else {
                    check(false, "\(at): no such trip")
                    continue
                }
                let calls = try feed.trips.object(trip, on: row.row.day, start: row.row.start, headway: nil)
                    .calls
                check(
                    calls.contains {
                        $0.stop.number == row.stop.number
                            && (side == .departures ? $0.departure : $0.arrival) == row.seconds
                    }, "\(at): the timetable has no call at \(row.seconds)")
                counts.scheduled += 1
                continue
            }
            let call = try feed.trips.object(run).calls.first {
                $0.stop.number == row.stop.number
                    && (side == .departures ? $0.departure : $0.arrival) == row.seconds
            }
            check(call != nil, "\(at): its trip has no such call")
            let times = (side.time(call?.live), side.time(row.live))
            check(times.0 == times.1, "\(at): \(times)")
            check(
                (call?.live?.kind == .skipped) == (row.live?.kind == .skipped), "\(at): skipped in one alone")
            counts.rows += 1
        }
    }

    /// Each call of a run that is due is on the board of its stop: once, unless the run calls there twice.
    private mutating func compareDue(
        _ board: DepartureBoard, _ stop: StopRecord, _ side: BoardSide, _ span: Range<Int>
    ) throws {
        for run in live.runs(at: [stop.number]) where run.kind != .deleted {
            let last = run.lastCall ?? -1
            let first = run.firstCall ?? -1
            let due = run.calls.indices.contains { index in
                let call = run.calls[index]
                guard call.stop == stop.number, !call.isSkipped else { return false }
                return side == .departures
                    ? index < last && call.pickup != Boarding.none && span.contains(call.expectedDeparture)
                        && !run.staysAfter(index)
                    : index > first && call.dropOff != Boarding.none && span.contains(call.expectedArrival)
                        && !run.isThereBefore(index)
            }
            guard due else { continue }
            counts.calls += 1
            check(
                board.departures.contains {
                    $0.trip == run.trip && $0.row.day == run.day && $0.row.start == run.start
                }, "\(run.trip) is due at \(stop.id) and not on its board of \(side)")
        }
    }

    /// Each run with a line is a column of the line's printed timetable, with its times.
    mutating func compareTimetables(atMost most: Int) throws {
        // A run beside the headway that is cancelled is in no timetable.
        let shown = live.runs.filter {
            $0.kind != .deleted && $0.route != nil && !($0.isExtra && $0.kind == .cancelled)
        }
        let step = max(1, (shown.count + most - 1) / most)
        for index in stride(from: 0, to: shown.count, by: step) {
            let run = shown[index]
            guard let number = run.route, let route = feed.routes[number] else { continue }
            let line = LineObject(number: number, route: route)
            let made = TimetableMaker(feed, line, on: run.day, live: live)
            let reference = ServiceDay.reference(run.day, in: feed.zone(ofRoute: number))
            let directions = try run.row.flatMap { try feed.trips.with(row: $0) }.map { [$0.direction ?? 0] }
            let columns = try (directions ?? [0, 1]).flatMap {
                try made.timetable(direction: $0, limit: Self.limit).runs
            }
            let column = columns.first { $0.trip == run.trip && $0.start == run.start }
            counts.columns += 1
            guard let column else {
                check(false, "\(run.trip) of \(run.day.text) is no column of \(route.name)")
                continue
            }
            guard run.kind != .cancelled else { continue }
            let times = Set(column.times.map { column.expected[$0.key] ?? $0.value })
            for (index, call) in run.calls.enumerated() where !call.isSkipped {
                // A time that only the calls beside it allow is no prediction: the planned one is printed.
                let time =
                    index == run.calls.count - 1
                    ? call.live?.predictedArrival ?? call.arrival
                    : call.live?.predictedDeparture ?? call.departure
                check(
                    times.contains(time - reference),
                    "\(run.trip): its column has no \(ServiceDay.scheduled(time - reference))")
            }
        }
    }

    /// Each leg of journeys between stops with news is on the boards at both of its ends, and on its trip.
    mutating func compareJourneys(_ count: Int, seed: UInt64) throws {
        var random = Xoshiro256(seed: seed)
        let rides = live.runs.filter { $0.kind != .cancelled && $0.kind != .deleted }.filter { run in
            run.calls.last.map { $0.expectedArrival > now } ?? false
        }
        for _ in 0..<count {
            guard let run = rides.randomElement(using: &random),
                let from = run.calls.filter({ $0.expectedDeparture >= now && $0.stop > 0 })
                    .randomElement(using: &random),
                let to = rides.randomElement(using: &random)?.calls.filter({ $0.stop > 0 })
                    .randomElement(using: &random)
            else { continue }
            let ends = try feed.stops.rows([from.stop, to.stop])
            guard ends.count == 2, let start = ends[0].coordinate, let target = ends[1].coordinate,
                start.distance(to: target) > 300
            else { continue }
            let request = JourneyRequest(
                from: start, to: target, time: max(now, from.expectedDeparture - 600)
            )
            var none = NoTrace()
            let found = try JourneyPlanner(feed).journeys(request, live: view, into: &none).journeys
            for journey in found {
                for (index, leg) in journey.legs.enumerated() {
                    guard let ride = leg.ride else { continue }
                    let next = index + 1 < journey.legs.count ? journey.legs[index + 1].ride : nil
                    let came = ride.isContinued ? journey.legs[index - 1].arrives : nil
                    try compare(leg, ride, after: came, isLeft: next?.isContinued != true)
                }
            }
        }
    }

    /// Compares a leg with the board and the run of its trip; `came` is when the rider who stays seated arrives.
    private mutating func compare(
        _ leg: JourneyLeg, _ ride: JourneyLeg.Ride, after came: Int?, isLeft: Bool
    ) throws {
        let at = "\(ride.trip) \(leg.summary)"
        // A vehicle that arrives within the tolerance after it leaves holds the later time.
        func isTime(_ shown: Int, of own: Int) -> Bool {
            own == shown || came == shown && (shown - TransitSettings.timeSlack..<shown).contains(own)
        }
        // A rider who stays seated neither boards nor alights there.
        for (side, end, time, isUsed) in [
            (BoardSide.departures, leg.from.at, leg.departs, !ride.isContinued),
            (.arrivals, leg.to.at, leg.arrives, isLeft),
        ] where isUsed {
            guard let place = end else { continue }
            // Stops may share a place.
            let stops = try feed.stops.near(place, radius: 1, limit: 50).stops.map(\.stop)
            let earliest = came == time ? time - TransitSettings.timeSlack : time
            let isOnBoard = try stops.contains { stop in
                try StopBoard(feed, stop).board(
                    side, at: Double(earliest), within: Double(time - earliest + 1), limit: Self.limit,
                    live: view
                ).departures.contains { $0.trip == ride.trip && isTime(time, of: $0.expected) }
            }
            check(isOnBoard, "\(at): not on the board of \(side)")
        }
        counts.legs += 1
        if ride.live?.departure != nil { counts.lateLegs += 1 }
        // A trip by headway has several runs on a day: what is said of one is not said of the others.
        let runs = live.runs(ofTrip: ride.trip, on: ride.day).filter { $0.start == ride.start }
        guard let run = runs.first else {
            check(ride.live == nil, "\(at): news without a run")
            let calls = try feed.trips.with(id: ride.trip).map {
                try feed.trips.object($0, on: ride.day, start: ride.start, headway: nil).calls
            }
            check(
                calls?.contains { $0.departure == leg.departs } == true,
                "\(at): the timetable leaves at no such time")
            check(
                calls?.contains { $0.arrival == leg.arrives } == true,
                "\(at): the timetable arrives at no such time")
            return
        }
        check(
            run.calls.contains { isTime(leg.departs, of: $0.expectedDeparture) },
            "\(at): its trip leaves at no such time")
        check(
            run.calls.contains { isTime(leg.arrives, of: $0.expectedArrival) },
            "\(at): its trip arrives at no such time")
    }
}
