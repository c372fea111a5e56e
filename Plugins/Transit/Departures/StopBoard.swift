import CivilTime
import Foundation
import PluginKit

/// A stop as boards see it: with its platforms and by its clocks. The one way to departures.
struct StopBoard {
    let feed: Feed
    let stop: StopRecord
    /// The numbers of the stop and its platforms.
    let parts: [Int64]
    /// The zone of local time at the stop.
    let zone: TimeZone
    /// That the board is of the station of an entrance, or of the platform of a boarding area; that no trip calls here.
    let remark: String?

    init(_ feed: Feed, _ stop: StopRecord) throws {
        (self.feed, self.stop) = (feed, stop)
        var parts = try feed.stops.parts(of: stop)
        var remark: String?
        if try feed.stops.lines(at: parts).isEmpty, feed.setAside.note(at: parts) == nil {
            remark = "no trip of the timetable calls at \(stop.title)"
            if !stop.kind.isOnMaps, let parent = try stop.parent.flatMap({ try feed.stops.with(id: $0) }) {
                let kind = stop.kind == .boardingArea ? "boarding area" : stop.kind.word
                remark =
                    "\(stop.title) is \(stop.kind == .entrance ? "an" : "a") \(kind) of \(parent.title), whose board this is"
                parts = try feed.stops.parts(of: parent)
            }
        }
        (self.parts, self.remark) = (parts, remark)
        zone = try feed.stops.zone(of: stop)
    }

    /// The departures from an instant (seconds since 1970), with realtime data unless it is outdated, and the active
    /// alerts.
    func board<Recorder: DepartureRecorder>(
        _ side: BoardSide = .departures, at moment: Double, within window: Double, limit: Int,
        live view: RealtimeView?, recorder: inout Recorder
    ) throws -> DepartureBoard {
        let span = Self.span(moment, window)
        var scheduled: [DepartureRow] = []
        if view?.usable == nil || Recorder.isRecording {
            scheduled = try DepartureSearch(feed, side).departures(
                of: parts, from: span.lowerBound, until: span.upperBound, limit: limit, recorder: &recorder)
        }
        let found: [Departure]
        if let snapshot = view?.usable {
            found = try LiveDepartures(self, side, snapshot, span: span, limit: limit)
                .departures(asked: moment)
        } else {
            found = try DepartureSearch(feed, side).details(
                scheduled.map { BoardRun(row: $0) }, asked: moment)
        }
        var board = DepartureBoard(
            departures: found,
            next: try found.isEmpty ? next(side, from: span.upperBound, asked: moment) : nil,
            side: side, asked: moment, information: view?.note(in: zone, of: feed))
        if let snapshot = view?.usable, let note = try LiveTimetableMaker.timetable(feed, snapshot).note {
            board.information = [board.information, note].compactMap { $0 }.joined(separator: "; ")
        }
        let today = ServiceDay.date(of: Int(moment.rounded(.down)), in: zone)
        let requests = try RequestNotes(feed).notes(
            at: parts, around: stop.coordinate, on: today, side)
        if !requests.isEmpty {
            board.information = ([board.information].compactMap { $0 } + requests).joined(separator: "; ")
        }
        if let note = feed.setAside.note(at: parts) {
            board.information = [board.information, note].compactMap { $0 }.joined(separator: "; ")
        }
        let zones = feed.zoneNotes(found.map(\.agency))
        if !zones.isEmpty {
            board.information = ([board.information].compactMap { $0 } + zones).joined(separator: "; ")
        }
        let days = found.map(\.row.day)
        let asked = ServiceDay.date(of: Int(moment.rounded(.down)), in: zone)
        let routes =
            feed.coverage.feeds.isEmpty
            ? nil : found.compactMap { feed.routes[$0.row.call.route] } + (try feed.stops.lines(at: parts))
        board.validity = feed.coverage.validityNote(
            (days.min() ?? asked)...(days.max() ?? asked), routes: routes)
        if let view {
            try ServiceAlerts(feed, view)
                .add(to: &board, of: stop, parts, at: Int(moment.rounded(.down)))
        }
        return board
    }

    /// The same without a record.
    func board(
        _ side: BoardSide = .departures, at moment: Double, within window: Double, limit: Int,
        live view: RealtimeView?
    ) throws -> DepartureBoard {
        var none = NoDepartureRecord()
        return try board(side, at: moment, within: window, limit: limit, live: view, recorder: &none)
    }

    /// All departures of a day, from midnight to midnight by the stop's clocks.
    func board(on day: CivilDate) throws -> DepartureBoard {
        let bounds = Self.bounds(of: day, in: zone)
        return try board(
            at: Double(bounds.lowerBound), within: Double(bounds.count),
            limit: TransitSettings.mostOfDay, live: nil)
    }

    /// The first row from an instant on, however far away; `nil` at the end of the schedule.
    private func next(_ side: BoardSide, from: Int, asked: Double) throws -> Departure? {
        guard let row = try DepartureSearch(feed, side).first(of: parts, from: from) else { return nil }
        return try DepartureSearch(feed, side).details([BoardRun(row: row)], asked: asked).first
    }

    /// The instants of a calendar day, in seconds since 1970: 23 to 25 hours.
    static func bounds(of day: CivilDate, in zone: TimeZone) -> Range<Int> {
        func midnight(_ day: CivilDate) -> Int {
            Int(
                LocalTime.dateTime(days: day.daysSinceEpoch, milliseconds: 0).moment(
                    now: Timestamp(milliseconds: 0), in: zone
                ).seconds)
        }
        return midnight(day)..<midnight(day.advanced(by: 1))
    }

    /// The whole seconds of a search window, its end excluded.
    static func span(_ moment: Double, _ window: Double) -> Range<Int> {
        let from = wholeSecond(moment)
        return from..<max(from, wholeSecond(moment + min(max(window, 0), longestWindow)))
    }

    /// The first whole second from an instant on; a departure at that second is included.
    private static func wholeSecond(_ moment: Double) -> Int {
        Int(max(-farthest, min(moment.rounded(.up), farthest)))
    }

    /// Instants are clamped to this, about the years −1000 and 5000.
    private static let farthest = 95_000_000_000.0
    private static let longestWindow = 366.0 * 86_400
}
