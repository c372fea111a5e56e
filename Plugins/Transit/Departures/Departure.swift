import CivilTime
import Foundation
import Geodesy
import Pictures
import PluginKit

/// A departure as a value of the workbench.
package struct Departure: DomainObject, MapDrawable {
    /// The columns of boards.
    static let columns = [
        "time", "expected", "in", "route", "train", "agency", "headsign", "platform", "wheelchair",
        "boarding", "trip",
        "status", "occupancy", "note",
    ]

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

    /// The columns of boards: columns without data leave their width to the headsigns.
    static func columns(of departures: [Departure]) -> [String] {
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

    private static let fields =
        columns + [
            "from", "moment", "delay", "uncertainty", "update", "alerts", "scheduled", "day", "service",
            "routeId",
            "mode", "stop",
            "stopId", "headway", "exactTimes", "at", "viewOnMap",
        ]
    package static let declaredFieldNames: [String]? = fields
    package var fieldNames: [String] { side == .arrivals ? Self.fields : Self.fields.filter { $0 != "from" } }

    package func field(_ name: String) -> Value? {
        switch name {
        case "time": .text(clock)
        case "expected": Value(side.predicted(live)) { .text(ServiceDay.clock($0, in: zone)) }
        case "in": isRunning ? .quantity(.seconds(Double(expected) - asked)) : .nothing
        case "delay": Value(side.predicted(live)) { .quantity(.seconds(Double($0 - row.time))) }
        case "uncertainty": Value(live?.uncertainty) { .quantity(.seconds(Double($0))) }
        case "update": Value(live?.why, Value.text)
        case "alerts": Value(alerts) { .list($0.map { .text($0.title) }) }
        case "route": .text(route)
        case "train": Value(train, Value.text)
        case "agency": Value(agency, Value.text)
        case "boarding": .text(Boarding.pickupWord(pickup))
        case "occupancy": Value(occupancy, Value.text)
        case "note": Value(note, Value.text)
        case "headsign": .text(headsign)
        case "from": Value(origin, Value.text)
        case "platform": Value(platform, Value.text)
        case "wheelchair": Value(Wheelchair.word(wheelchair), Value.text)
        case "trip": .text(trip)
        case "status": .text(status)
        case "moment": .date(moment)
        case "scheduled": .text(ServiceDay.scheduled(row.start + row.call.offset))
        case "day": .text(row.day.text)
        case "service": .text(service)
        case "routeId": .text(routeID)
        case "mode": .text(TransitMode(routeType: routeType).rawValue)
        case "stop": .text(stop.title)
        case "stopId": .text(stop.id)
        case "headway": Value(row.headway) { .quantity(.seconds(Double($0))) }
        case "exactTimes": row.headway == nil ? .nothing : .boolean(row.isExact)
        case "at": .coordinate(stop.coordinate)
        case "viewOnMap": .text(StopObject.viewOnMap(stop))
        default: nil
        }
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
