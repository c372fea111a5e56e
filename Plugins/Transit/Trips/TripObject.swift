import CivilTime
import Foundation
import Geodesy
import Pictures
import PluginKit

/// A call of a run of a trip.
struct TripCall: FieldedObject, MapDrawable {
    /// Further columns of a run with realtime data.
    static let liveColumns = ["expectedArrival", "expectedDeparture", "status"]

    let stop: StopRecord
    let sequence: Int
    /// Seconds since 1970 by the schedule.
    let arrival: Int
    let departure: Int
    /// `pickup_type`.
    let pickup: Int
    let isFirst: Bool
    let isLast: Bool
    let zone: TimeZone
    let route: Feed.Route?
    /// The headsign from this stop on, if it has one of its own.
    var headsign: String?
    /// What riders have to know of the call: how to book it, that its time is approximate.
    var note: String?
    /// How full the vehicle is expected to be; `nil` without data.
    var occupancy: String?
    /// Realtime data; `nil` if there is none.
    var live: LiveCall?

    let typeName = "call"
    static let fields = FieldTable<Self> {
        Field(column: "stop") { .text($0.stop.title) }
        Field(column: "platform") { Value($0.stop.platform, Value.text) }
        Field(column: "arrives") { $0.isFirst ? .nothing : .text(ServiceDay.clock($0.arrival, in: $0.zone)) }
        Field(column: "departs") { $0.isLast ? .nothing : .text(ServiceDay.clock($0.departure, in: $0.zone)) }
        Field(column: "boarding") { $0.isLast ? .nothing : .text($0.boarding) }
        Field(column: "stopId") { .text($0.stop.id) }
        Field("date") { .text($0.date.text) }
        Field("note") { Value($0.note, Value.text) }
        Field("occupancy") { Value($0.occupancy, Value.text) }
        Field("headsign") { $0.isLast ? .nothing : Value($0.headsign, Value.text) }
        Field("sequence") { .integer($0.sequence) }
        Field("arrivesAt") { .date(Timestamp(milliseconds: Int64($0.arrival) * 1000)) }
        Field("departsAt") { .date(Timestamp(milliseconds: Int64($0.departure) * 1000)) }
        Field("expectedArrival") { call in
            Value(call.live?.predictedArrival) { .text(ServiceDay.clock($0, in: call.zone)) }
        }
        Field("expectedDeparture") { call in
            Value(call.live?.predictedDeparture) { .text(ServiceDay.clock($0, in: call.zone)) }
        }
        Field("status") { .text($0.status ?? "Scheduled") }
        Field("expectedArrivalAt") { $0.moment($0.live?.predictedArrival) }
        Field("expectedDepartureAt") { $0.moment($0.live?.predictedDeparture) }
        Field("uncertainty") { Value($0.live?.uncertainty) { .quantity(.seconds(Double($0))) } }
        Field("at") { Value($0.stop.coordinate, Value.coordinate) }
    }

    /// The calendar day at which it departs, or arrives at the end.
    var date: CivilDate { ServiceDay.date(of: isLast ? arrival : departure, in: zone) }

    private func moment(_ seconds: Int?) -> Value {
        Value(seconds) { .date(Timestamp(milliseconds: Int64($0) * 1000)) }
    }

    /// `3min late`; `nil` without realtime data.
    var status: String? {
        isLast
            ? live?.status(scheduled: arrival, predicted: live?.arrival)
            : live?.status(scheduled: departure, predicted: live?.departure)
    }

    /// `pickup_type` in words.
    private var boarding: String { Boarding.pickupWord(pickup) }

    var summary: String { "\(ServiceDay.clock(departure, in: zone)) \(stop.title)" }

    var mapFeatures: [MapFeature] {
        guard let place = stop.coordinate else { return [] }
        return [
            .point(
                place,
                MapPointStyle(
                    color: Color(hex: route?.drawnColor ?? stop.mode.colorHex) ?? .black, label: stop.title))
        ]
    }
}

/// Speeds that no vehicle on the ground or on water has.
enum ImpossibleSpeed {
    /// Extended route types of planes.
    private static let air = 1100...1199

    /// `at 33116km/h: a place or a time is wrong`, `in 12h10min: a time may be 12 hours off`; `nil` for what vehicles can do.
    static func words(_ metres: Double, within seconds: Int, routeType: Int?) -> String? {
        if let routeType, air.contains(routeType) { return nil }
        if seconds >= TransitSettings.halfDay, metres < TransitSettings.nearHop {
            return "in \(Literal.duration(Double(seconds))): a time may be 12 hours off"
        }
        guard isTooFast(metres, within: seconds, routeType: routeType) else { return nil }
        let speed = metres / Double(max(TransitSettings.leastHop, seconds))
        return "at \(Literal.inMessage(.metresPerSecond(speed))): a place or a time is wrong"
    }

    /// Whether a way is too long for its time.
    static func isTooFast(_ metres: Double, within seconds: Int, routeType: Int?) -> Bool {
        !(routeType.map(air.contains) ?? false) && metres > TransitSettings.farHop
            && metres / Double(max(TransitSettings.leastHop, seconds)) > TransitSettings.fastestVehicle
    }
}

/// A run of a trip as a value: displayed as its calls.
struct TripObject: FieldedObject, SelfRendering, MapDrawable {
    static let kind = "trip"

    let id: String
    let route: Feed.Route?
    /// `direction_id`
    let direction: Int?
    let headsign: String
    let service: String
    let day: CivilDate
    var calls: [TripCall]
    /// The line of shapes.txt; `nil` without one.
    let shape: [Coordinate]?
    let headway: Int?
    let wheelchair: Int?
    /// Whether its service runs on the day.
    let runs: Bool
    /// Notes: the reason for a day other than the requested one, and other facts about the run.
    var notes: [String]
    let zone: TimeZone
    /// `trip_short_name`, such as the number of a train.
    var shortName: String?
    /// `bikes_allowed`
    var bikes: Int?

    var typeName: String { Self.kind }
    static let fields = FieldTable<Self> {
        Field("trip") { .text($0.id) }
        Field("line") { .text($0.route?.name ?? "") }
        Field("headsign") { .text($0.headsign) }
        Field("day") { .text($0.day.text) }
        Field("service") { .text($0.service) }
        Field("runs") { .boolean($0.runs) }
        Field("headway") { Value($0.headway) { .quantity(.seconds(Double($0))) } }
        Field("wheelchair") { Value(Wheelchair.word($0.wheelchair), Value.text) }
        Field("bikes", where: { Bicycles.word($0.bikes) != nil }) {
            Value(Bicycles.word($0.bikes), Value.text)
        }
        Field("calls") { .table(objects: $0.calls, columns: $0.columns) }
        Field("duration") {
            .quantity(.seconds(Double(($0.calls.last?.arrival ?? 0) - ($0.calls.first?.departure ?? 0))))
        }
        Field("length") {
            $0.hasUnknownPlace || $0.shape == nil && $0.hasImpossiblePlace
                ? .nothing : .quantity(.metres(Polyline.length($0.line)))
        }
        Field("lengthFrom") { .text($0.shape == nil ? "straight lines between stops" : "the shape") }
        Field("notes") { .list($0.notes.map { .text($0) }) }
        Field("agency") { Value($0.route?.agency, Value.text) }
        Field("shortName") { Value($0.shortName, Value.text) }
        Field("way") { .list($0.line.map { .coordinate($0) }) }
        Field(hidden: "id") { .text($0.id) }
    }

    /// That two of its calls cannot be where and when the timetable has them; `nil` if they can.
    var impossibleHop: String? {
        for (from, to) in zip(calls, calls.dropFirst()) {
            guard let metres = from.stop.metres(to: to.stop),
                let speed = ImpossibleSpeed.words(
                    metres, within: to.arrival - from.departure, routeType: route?.type)
            else { continue }
            return "\(from.stop.title) to \(to.stop.title) \(speed)"
        }
        return nil
    }

    /// Whether straight lines lead to where a stop cannot be.
    private var hasImpossiblePlace: Bool {
        zip(calls, calls.dropFirst()).contains { from, to in
            guard let metres = from.stop.metres(to: to.stop) else { return false }
            return ImpossibleSpeed.isTooFast(
                metres, within: to.arrival - from.departure, routeType: route?.type)
        }
    }

    /// Whether straight lines leave out a stop whose place is unknown.
    private var hasUnknownPlace: Bool { shape == nil && calls.contains { $0.stop.coordinate == nil } }

    /// The shape, else straight lines between the stops whose place is known.
    private var line: [Coordinate] { shape ?? calls.compactMap(\.stop.coordinate) }

    var summary: String { "\(route?.name ?? "") to \(headsign), \(day.text)" }

    var mapFeatures: [MapFeature] {
        var features: [MapFeature] = []
        if let route {
            var style = ShapeObject.style(route, width: 4)
            // A straight line is not the path of the vehicle.
            if shape == nil { style.stroke.dash = [6, 5] }
            features.append(.line(line, style))
        }
        return features + calls.flatMap(\.mapFeatures)
    }

    /// The columns of its calls: those that have data.
    private var columns: [String] {
        TripCall.columns + (dates.contains { $0 != day } ? ["date"] : [])
            + (hasHeadsigns ? ["headsign"] : [])
            + (calls.contains { $0.note != nil } ? ["note"] : [])
            + (calls.contains { $0.occupancy != nil } ? ["occupancy"] : [])
            + (calls.contains { $0.live != nil } ? TripCall.liveColumns : [])
    }

    var plainRows: Rows? {
        Rows(
            calls.map { .object($0) }, columns: columns,
            note: ([title] + notes).joined(separator: "; "))
    }

    /// The calendar days of its calls.
    private var dates: [CivilDate] { calls.map(\.date) }

    /// Whether stops have headsigns of their own.
    private var hasHeadsigns: Bool { calls.dropLast().contains { $0.headsign != nil } }

    private var title: String {
        [
            "\(route?.label ?? id) to \(headsign)", shortName, "trip \(id)",
            (dates.first == day ? "" : "service day ") + "\(day.weekdayName) \(day.text)",
            headway.map(DepartureText.every), Bicycles.warning(bikes),
        ].compactMap { $0 }.joined(separator: ", ")
    }

    func rendered(in environment: PluginKit.Environment) -> String {
        let cut = DisplayWidth.truncated(title, to: environment.width)
        let names = max(
            4, min(environment.width - 30, calls.map { DisplayWidth.of($0.stop.title) }.max() ?? 4))
        let dates = dates
        let rows = calls.enumerated().map { index, call in
            // The title has the service day: another day is written where it begins.
            let date = dates[index] == (index == 0 ? day : dates[index - 1]) ? nil : dates[index]
            let row =
                (call.isFirst ? "     " : ServiceDay.clock(call.arrival, in: call.zone)) + "  "
                + (call.isLast ? "     " : ServiceDay.clock(call.departure, in: call.zone)) + "  "
                + DisplayWidth.padded(DisplayWidth.truncated(call.stop.title, to: names), to: names)
                + (call.stop.platform.map { "  pl. \($0)" } ?? "")
                + (call.isLast ? "" : call.headsign.map { "  to \($0)" } ?? "")
                + (call.status.map { "  \($0)" } ?? "") + (call.occupancy.map { "  \($0)" } ?? "")
                + (call.note.map { "  \($0)" } ?? "")
                + (date.map { "  \($0.weekdayName) \($0.text)" } ?? "")
            return String(row.reversed().drop { $0 == " " }.reversed())
        }
        return ([cut] + notes + rows).joined(separator: "\n")
    }
}
