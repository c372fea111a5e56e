import Foundation
import Geodesy
import PluginKit
import TrailStores

/// Parameters shared by several waypoint commands.
enum WaypointOptions {
    /// The waypoint that a command works on.
    static let waypoint = Parameter.positional(
        "waypoint", .reference("waypoint", to: WaypointObject.self), "waypoint by label or id")
    /// Plausible altitudes from the deepest shore to the highest summit, in metres, with a margin.
    static let altitude = ParameterType<Double>.quantity(.length, in: StoreSettings.altitudes)
    /// Checks the altitude written with a coordinate against the limits of `altitude`.
    static func checkAltitude(of coordinate: Coordinate) throws(RutterError) {
        guard let altitude = coordinate.altitude, !StoreSettings.altitudes.contains(altitude) else { return }
        let limits = [StoreSettings.altitudes.lowerBound, StoreSettings.altitudes.upperBound]
            .map { Literal.number($0) + "m" }
        throw CommonErrors.argumentRange(
            "the altitude \(Literal.number(altitude))m is outside \(limits[0])…\(limits[1])",
            at: .parameter("place"))
    }
    /// A radius, at most half the Earth's circumference.
    static let radius = ParameterType<Double>.quantity(.length, in: 0...20_100_000)
}

/// A hike to link a waypoint to: one of this workspace by name or id, or the full UUID of one elsewhere.
enum HikeLink {
    static func identifier(_ text: String, context: Context) async throws -> UUID {
        if let id = UUID(uuidString: text) { return id }
        for naming in context.all((any HikeResolver).self) {
            let found = try await naming.identifiers(of: text, context: context)
            if found.count == 1 { return found[0] }
            if found.count > 1 {
                throw WaypointErrors.noHike(
                    "`\(text)` matches \(found.count) hikes", at: .parameter("hike"), fix: "use its id")
            }
        }
        throw WaypointErrors.noHike(
            "unknown hike `\(text)`", at: .parameter("hike"), fix: "`hike list` lists the hikes")
    }
}
