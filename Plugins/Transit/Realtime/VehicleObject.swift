import Geodesy
import Pictures
import PluginKit

/// A vehicle as a value.
struct VehicleObject: FieldedObject, MapDrawable {
    let vehicle: RealtimeFeed.Vehicle
    let route: Feed.Route?
    /// The stop to which its progress refers.
    let stop: StopRecord?
    /// Seconds since the position was measured; `nil` if that is unknown.
    let age: Int?
    /// What it says of its trip and the timetable does not have, in words; `nil` for nothing.
    var contradiction: String?

    /// The columns of some vehicles: a note where there is one.
    static func columns(of vehicles: [VehicleObject]) -> [String] {
        columns + (vehicles.contains { $0.note != nil } ? ["note"] : [])
    }

    /// What is doubtful about its place or its time; `nil` if nothing is.
    var note: String? {
        if let impossible = vehicle.impossiblePlace { return impossible }
        if age == nil, vehicle.time != nil { return "its time is later than now" }
        guard vehicle.progress == .stopped, let away = stop.flatMap(vehicle.distance(from:)) else {
            return contradiction
        }
        return "its place is \(away) from the stop" + (contradiction.map { "; \($0)" } ?? "")
    }

    /// Vehicles with the lines of their trips and the stops of their calls, where messages do not name them.
    static func all(_ vehicles: [RealtimeFeed.Vehicle], in feed: Feed, at now: Int) throws -> [VehicleObject]
    {
        let routes = Dictionary(
            feed.routes.values.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        return try vehicles.map { vehicle in
            let trip = vehicle.trip.trip.isEmpty ? nil : try feed.trips.with(id: vehicle.trip.trip)
            let named = vehicle.stop.isEmpty ? nil : try feed.stops.with(id: vehicle.stop)
            let calls =
                try vehicle.sequence == nil
                ? [] : trip.map { try feed.trips.calls(ofPattern: $0.pattern) } ?? []
            let call = calls.first { $0.feedSequence == vehicle.sequence }
            let next = try call.flatMap { try feed.stops.rows([$0.stop]).first }
            let stop = vehicle.stop.isEmpty ? next : named
            return VehicleObject(
                vehicle: vehicle,
                route: routes[vehicle.trip.route] ?? trip.flatMap { feed.routes[$0.route] }, stop: stop,
                age: vehicle.age(at: now),
                contradiction: contradiction(vehicle, trip, named, next, in: calls))
        }
    }

    /// What a vehicle says of its trip and the timetable does not have.
    private static func contradiction(
        _ vehicle: RealtimeFeed.Vehicle, _ trip: TripRecord?, _ named: StopRecord?, _ next: StopRecord?,
        in calls: [PatternCall]
    ) -> String? {
        if trip == nil, !vehicle.trip.trip.isEmpty { return "its trip is not in the timetable" }
        if named == nil, !vehicle.stop.isEmpty { return "its stop is not in the timetable" }
        guard let sequence = vehicle.sequence, calls.contains(where: { $0.feedSequence != nil }) else {
            return nil
        }
        guard let next else { return "its trip has no call \(sequence)" }
        guard let named, named.id != next.id, named.id != next.parent, named.parent ?? named.id != next.parent
        else {
            return nil
        }
        return "call \(sequence) of its trip is at \(next.title), not there"
    }

    let typeName = "vehicle"

    static let fields = FieldTable<Self> {
        Field(column: "vehicle") { .text($0.vehicle.label.isEmpty ? $0.vehicle.id : $0.vehicle.label) }
        Field(column: "line") { .text($0.route?.name ?? $0.vehicle.trip.route) }
        Field(column: "trip") { .text($0.vehicle.trip.trip) }
        Field(column: "at") { Value($0.vehicle.coordinate, Value.coordinate) }
        Field(column: "stop") { .text($0.stop?.title ?? $0.vehicle.stop) }
        Field(column: "status") { Value($0.vehicle.progressWord, Value.text) }
        Field(column: "occupancy") { Value($0.vehicle.occupancyWord, Value.text) }
        Field(column: "wheelchair") { Value(Wheelchair.word($0.vehicle.wheelchair), Value.text) }
        Field(column: "speed") { Value($0.vehicle.speed) { .quantity(.metresPerSecond($0)) } }
        Field(column: "age") { Value($0.age) { .quantity(.seconds(Double($0))) } }
        Field("note") { Value($0.note, Value.text) }
        Field("bearing") { Value($0.vehicle.bearing, Value.number) }
        Field("stopId") { .text($0.stop?.id ?? $0.vehicle.stop) }
        Field("congestion") { Value($0.vehicle.congestionWord, Value.text) }
        Field("occupancyPercent") { Value($0.vehicle.occupancyPercent, Value.integer) }
    }

    var summary: String { "\(route?.name ?? "") \(vehicle.label)" }

    var mapFeatures: [MapFeature] {
        guard let place = vehicle.coordinate else { return [] }
        let color = Color(hex: route?.drawnColor ?? TransitMode.other.colorHex) ?? .black
        return [.point(place, MapPointStyle(color: color, radius: 6, symbol: "@", label: summary))]
    }
}
