import Geodesy
import Pictures
import PluginKit

/// A vehicle as a value.
struct VehicleObject: DomainObject, MapDrawable {
    static let columns = [
        "vehicle", "line", "trip", "at", "stop", "status", "occupancy", "wheelchair", "speed", "age",
    ]

    let vehicle: RealtimeFeed.Vehicle
    let route: Feed.Route?
    /// The stop to which its progress refers.
    let stop: StopRecord?
    /// Seconds since the position was measured; `nil` if that is unknown.
    let age: Int?

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
    var fieldNames: [String] { Self.columns + ["bearing", "stopId", "congestion", "occupancyPercent"] }

    func field(_ name: String) -> Value? {
        switch name {
        case "vehicle": .text(vehicle.label.isEmpty ? vehicle.id : vehicle.label)
        case "line": .text(route?.name ?? vehicle.trip.route)
        case "trip": .text(vehicle.trip.trip)
        case "at": Value(vehicle.coordinate, Value.coordinate)
        case "stop": .text(stop?.title ?? vehicle.stop)
        case "status": Value(vehicle.progressWord, Value.text)
        case "occupancy": Value(vehicle.occupancyWord, Value.text)
        case "wheelchair": Value(Wheelchair.word(vehicle.wheelchair), Value.text)
        case "speed": Value(vehicle.speed) { .quantity(.metresPerSecond($0)) }
        case "age": Value(age) { .quantity(.seconds(Double($0))) }
        case "bearing": Value(vehicle.bearing, Value.number)
        case "stopId": .text(stop?.id ?? vehicle.stop)
        case "congestion": Value(vehicle.congestionWord, Value.text)
        case "occupancyPercent": Value(vehicle.occupancyPercent, Value.integer)
        default: nil
        }
    }

    var summary: String { "\(route?.name ?? "") \(vehicle.label)" }

    var mapFeatures: [MapFeature] {
        guard let place = vehicle.coordinate else { return [] }
        let color = Color(hex: route?.drawnColor ?? TransitMode.other.colorHex) ?? .black
        return [.point(place, MapPointStyle(color: color, radius: 6, symbol: "@", label: summary))]
    }
}
