import CivilTime
import Foundation
import PluginKit

/// The steps of a search for departures.
enum DepartureSteps {
    static func started(_ stop: StopRecord, at moment: Double, within: Double, limit: Int) -> TraceStep {
        .start(
            [
                ("stop", .text(stop.id)), ("name", .text(stop.name)),
                ("time", .date(Timestamp(milliseconds: Int64(moment * 1000)))),
                ("within", .quantity(.seconds(within))), ("limit", .integer(limit)),
            ],
            why:
                "a service day may last longer than a day: all days whose trips can still run are searched, not only today"
        )
    }

    static func ended(_ count: Int, limit: Int) -> TraceStep {
        .end(
            [("departures", .integer(count))],
            why: count >= limit
                ? "the limit of \(limit) departures is reached"
                : count == 0
                    ? "no trip of these days departs within the time" : "all trips of these days are checked")
    }

    /// The trips, with the service day that each belongs to.
    static let picture = BoardPicturing { steps in
        StepBoard(
            "trips and their service days", listing: ["run"], of: steps,
            columns: ["time", "route", "trip", "day", "service", "scheduled", "outcome"]
        ) { step in
            step.values["outcome"].map(StepBoard.text) == Outcome.listed.rawValue ? .kept : .refused
        }
    }

    static func day(_ day: CivilDate, reference: Int, services: Int, latest: Int, from: Int) -> TraceStep {
        TraceStep(
            "serviceDay",
            [
                ("day", .text(day.text)), ("weekday", .text(day.weekdayName)),
                ("reference", .date(Timestamp(milliseconds: Int64(reference) * 1000))),
                ("services", .integer(services)),
                ("latest", .text(ServiceDay.scheduled(latest))),
            ],
            why: reference + latest >= from && reference <= from
                ? "its times, counted from noon minus 12 h, reach the requested time"
                : "its times begin before the search ends")
    }

    static func call(_ call: StopCall, stop: StopRecord, reason: String?) -> TraceStep {
        TraceStep(
            "call",
            [
                ("pattern", .integer(Int(call.pattern))), ("stop", .text(stop.id)),
                ("sequence", .integer(Int(call.sequence))),
                ("offset", .quantity(.seconds(Double(call.offset)))),
                ("departs", .boolean(reason == nil)),
            ], why: reason ?? "boarding is allowed, and the trip continues")
    }

    static func trip(
        _ id: String, service: String, route: String, day: CivilDate, scheduled: Int, moment: Int,
        _ outcome: Outcome, why: String
    ) -> TraceStep {
        TraceStep(
            "run",
            [
                ("trip", .text(id)), ("route", .text(route)), ("day", .text(day.text)),
                ("service", .text(service)),
                ("scheduled", .text(ServiceDay.scheduled(scheduled))),
                ("time", .date(Timestamp(milliseconds: Int64(moment) * 1000))),
                ("outcome", .text(outcome.rawValue)),
            ], why: why)
    }

    /// The steps of what a search considered: days, calls, then the runs of each day by time.
    static func record(
        _ record: DepartureRecord, at place: StopBoard, from: Int, into log: inout TraceLog
    ) throws {
        let feed = place.feed
        for (day, reference, services) in record.days {
            log.record(
                self.day(day, reference: reference, services: services, latest: feed.latest, from: from))
        }
        let stops = Dictionary(
            try feed.stops.rows(place.parts).map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        let calls = record.calls.sorted {
            ($0.call.pattern, $0.call.sequence) < ($1.call.pattern, $1.call.sequence)
        }
        for (call, reason) in calls {
            guard let stop = stops[call.stop] else { continue }
            log.record(self.call(call, stop: stop, reason: reason))
        }
        let verdicts = RunVerdicts(feed, listed: record.listed)
        for run in try verdicts.named(record.runs) {
            try Interruption.check()
            log.record(verdicts.step(run))
        }
    }

    /// The realtime update of a departure.
    static func update(_ departure: Departure, _ live: LiveCall) -> TraceStep {
        func moment(_ seconds: Int?) -> Value {
            Value(seconds) { .date(Timestamp(milliseconds: Int64($0) * 1000)) }
        }
        return TraceStep(
            "update",
            [
                ("trip", .text(departure.trip)), ("route", .text(departure.route)),
                ("scheduledTime", moment(departure.row.time)), ("expectedTime", moment(live.departure)),
                ("status", .text(departure.status)),
            ], why: live.why)
    }

    /// The outcome for a trip.
    enum Outcome: String {
        case listed, notRunning, gone, tooLate, elsewhere, beyondLimit
    }

    /// The calendar's rule for a service on a day.
    static func reason(
        _ verdict: ServiceCalendar.Verdict, _ week: ServiceCalendar.Week?, service: String, day: CivilDate
    ) -> String {
        let span = week.map { "\($0.start.text) to \($0.end.text)" } ?? ""
        return switch verdict {
        case .added: "calendar_dates adds \(service) on \(day.text)"
        case .removed: "calendar_dates removes \(service) on \(day.text)"
        case .weekday: "the calendar has \(service) on \(day.weekdayName)s, \(span)"
        case .otherWeekday: "the calendar does not have \(service) on \(day.weekdayName)s"
        case .outside: "\(day.text) is outside the calendar of \(service), \(span)"
        case .unknown: "neither calendar nor calendar_dates has \(service) on \(day.text)"
        }
    }
}

extension Departure {
    /// The step of the realtime update behind a time; `nil` without one.
    var liveStep: TraceStep? { live.map { DepartureSteps.update(self, $0) } }
}
