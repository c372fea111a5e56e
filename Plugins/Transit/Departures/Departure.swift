import CivilTime
import Foundation
import Geodesy
import Pictures
import PluginKit

/// A departure as a value of the workbench.
package struct Departure: FieldedObject, MapDrawable {
    /// The columns of boards of arrivals: where the run comes from, and nothing of boarding.
    static let arrivalColumns = columns.filter { $0 != "boarding" }.map { $0 == "headsign" ? "from" : $0 }

    /// Whether it is about the departure or the arrival of its call.
    var side = BoardSide.departures
    var row: DepartureRow
    var stop: StopRecord
    /// The first stop of its run; `nil` for departures.
    var origin: String?
    var route: String
    var routeID: String
    var routeType: Int
    var color: String?
    var headsign: String
    var wheelchair: Int?
    var trip: String
    var service: String
    /// The start of the search, seconds since 1970.
    var asked: Double
    var zone: TimeZone
    /// Realtime data; `nil` if there is none.
    var live: LiveCall?
    /// `direction_id`
    var direction: Int?
    /// The name of its agency, and whether a line of another agency has the same name.
    var agency: String?
    var isNamesake = false
    /// `trip_short_name`, such as the number of a train.
    var train: String?
    /// `pickup_type`
    var pickup = 0
    /// `bikes_allowed`
    var bikes: Int?
    /// What riders have to know of the call: how to book it, that its time is approximate.
    var note: String?
    /// How full the vehicle is expected to be; `nil` without data.
    var occupancy: String?
    /// The alerts about its line, trip or platform; `nil` without alert messages.
    var alerts: [ServiceAlert]?

    /// Without realtime data `Scheduled`, or `every 15min` for a run by headway alone, whose time is not exact.
    var status: String {
        if let live, live.kind != .predicted || side.time(live) != nil || live.endsHere {
            return live.status(scheduled: row.time, predicted: side.time(live))
        }
        guard let headway = row.headway, !row.isExact else { return "Scheduled" }
        return DepartureText.every(headway)
    }

    /// Grey for what only the timetable says, green for what is reported on time, orange for all else that is reported.
    var tone: CellTone {
        guard let live, !live.isBound, status != "Scheduled" else { return .muted }
        guard live.kind == .predicted, let predicted = side.time(live), !live.endsHere else {
            return .warning
        }
        return abs(predicted - row.time) < TransitSettings.onTime ? .good : .warning
    }

    /// The platform from which it is expected to leave.
    var platform: String? { stop.platform }

    /// The expected time, in seconds since 1970; the scheduled one without a prediction.
    var expected: Int { side.time(live) ?? row.time }

    /// Whether it departs from here, or arrives here, at all.
    var isRunning: Bool {
        live.map {
            [.predicted, .added, .changed].contains($0.kind) && (!$0.endsHere || side == .arrivals)
        } ?? true
    }

    /// The columns of boards: columns without data leave their width to the headsigns. Alerts about some of the rows alone are told
    /// beside them; the note has all.
    static func columns(of departures: [Departure]) -> [String] {
        let differ = Set(departures.map { $0.alerts ?? [] }).count > 1
        return shown(departures) + (differ ? ["alerts"] : [])
    }

    private static func shown(_ departures: [Departure]) -> [String] {
        (departures.first?.side == .arrivals ? arrivalColumns : columns).filter { name in
            switch name {
            case "platform": departures.contains { $0.platform != nil }
            case "expected": departures.contains { $0.live != nil }
            case "boarding": departures.contains { $0.pickup != 0 }
            case "occupancy": departures.contains { $0.occupancy != nil }
            case "note": departures.contains { $0.note != nil }
            case "train": departures.contains { $0.train != nil }
            case "agency": departures.contains(where: \.isNamesake)
            case "wheelchair": departures.contains { Wheelchair.word($0.wheelchair) != nil }
            default: true
            }
        }
    }

    package let typeName = "departure"

    package static let fields = FieldTable<Self> {
        Field(column: "time") { .text($0.clock) }
        Field(column: "expected") { departure in
            Value(departure.side.predicted(departure.live)) {
                .text(ServiceDay.clock($0, in: departure.zone))
            }
        }
        Field(column: "in") { $0.isRunning ? .quantity(.seconds(Double($0.expected) - $0.asked)) : .nothing }
        Field(column: "route") { .text($0.route) }
        Field(column: "train") { Value($0.train, Value.text) }
        Field(column: "agency") { Value($0.agency, Value.text) }
        Field(column: "headsign") { .text($0.headsign) }
        Field(column: "platform") { Value($0.platform, Value.text) }
        Field(column: "wheelchair") { Value(Wheelchair.word($0.wheelchair), Value.text) }
        Field(column: "boarding") { .text(Boarding.pickupWord($0.pickup)) }
        Field(column: "trip") { .text($0.trip) }
        Field(column: "status") { .text($0.status) }
        Field(column: "occupancy") { Value($0.occupancy, Value.text) }
        Field(column: "note") { Value($0.note, Value.text) }
        Field("bikes", where: { Bicycles.word($0.bikes) != nil }) {
            Value(Bicycles.word($0.bikes), Value.text)
        }
        Field("from", where: { $0.side == .arrivals }) { Value($0.origin, Value.text) }
        Field("moment") { .date($0.moment) }
        Field("delay") { departure in
            Value(departure.side.predicted(departure.live)) {
                .quantity(.seconds(Double($0 - departure.row.time)))
            }
        }
        Field("uncertainty") { Value($0.live?.uncertainty) { .quantity(.seconds(Double($0))) } }
        Field("update") { Value($0.live?.why, Value.text) }
        Field("alerts") { departure in
            Value(departure.alerts.flatMap { $0.isEmpty ? nil : $0 }) { .list($0.map { .text($0.title) }) }
        }
        Field("scheduled") { .text(ServiceDay.scheduled($0.row.start + $0.row.call.offset)) }
        Field("day") { .text($0.row.day.text) }
        Field("service") { .text($0.service) }
        Field("routeId") { .text($0.routeID) }
        Field("mode") { .text(TransitMode(routeType: $0.routeType).rawValue) }
        Field("stop") { .text($0.stop.title) }
        Field("stopId") { .text($0.stop.id) }
        Field("headway") { Value($0.row.headway) { .quantity(.seconds(Double($0))) } }
        Field("exactTimes") { $0.row.headway == nil ? .nothing : .boolean($0.row.isExact) }
        Field("at") { Value($0.stop.coordinate, Value.coordinate) }
        Field("viewOnMap") { .text(StopObject.viewOnMap($0.stop)) }
    }

    package var summary: String { "\(clock) \(route) \(origin.map { "from \($0)" } ?? headsign)" }

    /// The time by the schedule, seconds since 1970.
    package var seconds: Int { row.time }

    /// The time by the schedule.
    var moment: Timestamp { Timestamp(milliseconds: Int64(row.time) * 1000) }

    /// The local time at the stop.
    var clock: String { ServiceDay.clock(row.time, in: zone) }

    package var mapFeatures: [MapFeature] { StopObject(stop).mapFeatures }
}

extension Departure: TonedObject {
    package func tone(of field: String) -> CellTone? { field == "status" ? tone : nil }
}
