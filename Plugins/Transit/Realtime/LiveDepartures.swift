import CivilTime
import Foundation
import PluginKit

/// Realtime as a layer over the schedule of some stops: the departures of a message's runs.
struct LiveDepartures {
    private let feed: Feed
    private let side: BoardSide
    private let timetable: LiveTimetable
    /// The stops of the board, and with those that only the message knows.
    private let scheduledStops: [Int64]
    private let stops: [Int64]
    private let from: Int
    private let end: Int
    private let limit: Int

    init(_ place: StopBoard, _ side: BoardSide, _ snapshot: RealtimeSnapshot, span: Range<Int>, limit: Int)
        throws
    {
        (feed, self.side, self.limit) = (place.feed, side, limit)
        (from, end) = (span.lowerBound, span.upperBound)
        timetable = try LiveTimetableMaker.timetable(place.feed, snapshot)
        scheduledStops = place.parts
        stops = place.parts + place.parts.flatMap { [timetable] in timetable.parts[$0] ?? [] }
    }

    /// The first departures by their expected times: those of the schedule of which the message has no news,
    /// and those of its runs. A cancelled or skipped one is shown at its planned time.
    func departures(asked: Double) throws -> [Departure] {
        let own = timetable.runs(at: stops)
        let search = DepartureSearch(feed, side)
        let scheduled = try scheduledWithoutNews(search, atLeast: limit + own.count)
        var (known, added): ([BoardRun], [Departure]) = (scheduled.map { BoardRun(row: $0) }, [])
        for run in own {
            for call in next(run) {
                if run.row == nil {
                    if let departure = try departure(run, call, asked: asked) { added.append(departure) }
                } else {
                    known.append(
                        BoardRun(
                            row: row(run, call), live: run.calls[call].live, run: run, call: run.calls[call]))
                }
            }
        }
        known.sort {
            ($0.expected(side), $0.row.rank, $0.row.trip) < ($1.expected(side), $1.row.rank, $1.row.trip)
        }
        var found = try search.details(Array(known.prefix(limit)), asked: asked) + added
        found.sort { ($0.expected, $0.row.rank, $0.trip) < ($1.expected, $1.row.rank, $1.trip) }
        return Array(found.prefix(limit))
    }

    /// The first scheduled departures of which the message has no news. Runs that it has sent elsewhere are searched too, so the search
    /// goes on until enough others are found.
    private func scheduledWithoutNews(_ search: DepartureSearch, atLeast least: Int) throws -> [DepartureRow]
    {
        var most = least
        while true {
            let found = try search.departures(of: scheduledStops, from: from, until: end, limit: most)
            let kept = found.filter { timetable.run($0.trip, $0.day, $0.start) == nil }
            if kept.count >= limit || found.count < most { return kept }
            most *= 2
        }
    }

    /// The first upcoming call of each visit of a run here at which it can be boarded, or could by the timetable: it is skipped, or the
    /// run ends there now. For arrivals the first at which riders can alight, or could. A skipped call stands only for a visit
    /// without others.
    private func next(_ run: LiveRun) -> [Int] {
        guard run.kind != .deleted else { return [] }
        var (found, visit): ([Int], [Int]) = ([], [])
        func close() {
            if let call = visit.first(where: { !run.calls[$0].isSkipped }) ?? visit.first {
                found.append(call)
            }
            visit = []
        }
        let (first, last) = (run.firstCall ?? -1, run.lastCall ?? run.calls.endIndex)
        for index in run.calls.indices {
            // Another stop between them ends the visit.
            guard isHere(run.calls[index]) else {
                close()
                continue
            }
            let isListed =
                side == .departures ? isDeparture(index, of: run, last) : isArrival(index, of: run, first)
            if isListed { visit.append(index) }
        }
        close()
        return found
    }

    private func isArrival(_ index: Int, of run: LiveRun, _ first: Int) -> Bool {
        let call = run.calls[index]
        let time = call.expectedArrival
        return index > 0 && call.dropOff != Boarding.none && (index > first || call.isSkipped)
            && !run.isThereBefore(index) && time >= from && time < end
    }

    private func isDeparture(_ index: Int, of run: LiveRun, _ last: Int) -> Bool {
        let call = run.calls[index]
        let time = call.expectedDeparture
        let isBoardable = call.pickup != Boarding.none && (index < last || call.isSkipped)
        let isOffered = isBoardable || call.live?.endsHere ?? false
        return index < run.calls.count - 1 && isOffered && !run.staysAfter(index)
            && time >= from && time < end
    }

    private func isHere(_ call: LiveRun.Call) -> Bool {
        stops.contains(call.stop) || stops.contains(call.knownStop)
    }

    private func row(_ run: LiveRun, _ index: Int) -> DepartureRow {
        let call = run.calls[index]
        let first = run.calls.first?.departure ?? call.departure
        let time = side.planned(call)
        let rank = run.route.flatMap { feed.routes[$0]?.rank } ?? .max
        return DepartureRow(
            time: time, rank: rank, trip: run.row ?? 0, start: run.start,
            call: StopCall(
                pattern: run.pattern ?? 0, sequence: Int64(call.sequence ?? 0), stop: call.stop,
                offset: time - first, route: run.route ?? 0,
                rank: rank, firstStart: run.start,
                lastStart: run.start, hasFrequencies: false), day: run.day)
    }

    /// A departure of a trip that is not in the timetable.
    private func departure(_ run: LiveRun, _ index: Int, asked: Double) throws -> Departure? {
        let call = run.calls[index]
        let ends = [run.lastCall, run.firstCall].map { $0.map { run.calls[$0].stop } ?? call.stop }
        let records = Dictionary(
            try feed.stops.rows([call.stop] + ends).map { ($0.number, $0) },
            uniquingKeysWith: { first, _ in first })
        guard let stop = records[call.stop] else { return nil }
        let route = run.route.flatMap { feed.routes[$0] }
        return Departure(
            side: side, row: row(run, index), stop: stop,
            origin: side == .arrivals ? records[ends[1]]?.title : nil, route: route?.name ?? "",
            routeID: route?.id ?? "",
            routeType: route?.type ?? -1, color: route?.color,
            headsign: call.properties.headsign ?? run.headsign ?? records[ends[0]]?.title ?? "",
            wheelchair: run.wheelchair, trip: run.trip,
            service: "", asked: asked,
            zone: try stop.zone ?? route?.zone ?? feed.stops.zone(of: stop), live: call.live,
            agency: route?.agency, isNamesake: route?.isNamesake ?? false,
            pickup: call.pickup, occupancy: run.occupancy(at: call))
    }
}
