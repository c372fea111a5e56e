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

    /// The columns of some vehicles: a note where there is one.
    static func columns(of vehicles: [VehicleObject]) -> [String] {
        columns + (vehicles.contains { $0.note != nil } ? ["note"] : [])
    }

    /// What is doubtful about its place; `nil` if nothing is.
    var note: String? {
        if let impossible = vehicle.impossiblePlace { return impossible }
        guard vehicle.progress == .stopped, let away = stop.flatMap(vehicle.distance(from:)) else {
            return nil
        }
        return "its place is \(away) from the stop"
    }

    /// Vehicles with the lines of their trips and the stops of their calls, where messages do not name them.
    static func all(_ vehicles: [RealtimeFeed.Vehicle], in feed: Feed, at now: Int) throws -> [VehicleObject]
    {
        let routes = Dictionary(
            feed.routes.values.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        return try vehicles.map { vehicle in
            let trip = vehicle.trip.trip.isEmpty ? nil : try feed.trips.with(id: vehicle.trip.trip)
            var stop = vehicle.stop.isEmpty ? nil : try feed.stops.with(id: vehicle.stop)
            if vehicle.stop.isEmpty, let sequence = vehicle.sequence, let trip {
                let call = try feed.trips.calls(ofPattern: trip.pattern).first { $0.feedSequence == sequence }
                stop = try call.flatMap { try feed.stops.rows([$0.stop]).first }
            }
            return VehicleObject(
                vehicle: vehicle,
                route: routes[vehicle.trip.route] ?? trip.flatMap { feed.routes[$0.route] }, stop: stop,
                age: vehicle.age(at: now))
        }
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
