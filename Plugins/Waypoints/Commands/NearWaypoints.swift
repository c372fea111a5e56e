import PluginKit
import TrailStores

/// `waypoint near`
struct NearWaypoints: CommandProvider {
    let library: ActiveStore<WaypointStore>

    var command: Command {
        Command(
            "waypoint near", "finds waypoints around a place, nearest first",
            details: """
                A box from the index, then the great-circle distance (haversine, sphere of 6371.0088km). Right across the \
                antimeridian and at the poles. `trace waypoint near …` shows every candidate.
                """,
            .positional("place", .place, "the place to search around"),
            .option("radius", WaypointOptions.radius, default: "1km", "how far to search"),
            .option("limit", .integer(1...1_000_000), "at most so many"),
            output: .rows(WaypointObject.nearColumns), effect: .reads,
            examples: [
                .init(
                    "within two kilometres", "waypoint near 46.5,7.9 --radius 2km | get label",
                    after: ["waypoint add 46.51,7.9 --label Hut", "waypoint add 46.6,7.9 --label Far"],
                    gives: "Hut")
            ], searchTerms: ["around", "nearby", "radius", "distance"]
        ) { context, place, radius, limit in
            let store = try library.store(context)
            var trace = TraceLog(limit: context.tracing?.limit ?? 0)
            let found =
                if context.tracing == nil {
                    try store.near(place, radius: radius, limit: limit)
                } else {
                    try store.near(place, radius: radius, limit: limit) {
                        waypoint, distance, isWithin in
                        trace.record(Self.step(waypoint, distance, isWithin))
                    }
                }
            context.tracing?.keep(trace)
            return .table(
                objects: found.map { WaypointObject($0.waypoint, distance: $0.distance) },
                columns: WaypointObject.nearColumns)
        }
    }

    private static func step(_ waypoint: Waypoint, _ distance: Double, _ isWithin: Bool) -> TraceStep {
        TraceStep(
            "candidate",
            [
                ("label", .text(waypoint.name)), ("at", .coordinate(waypoint.coordinate.withoutAltitude)),
                ("distance", .quantity(.metres(distance))),
            ],
            why: isWithin ? "within the radius" : "in the box of the index, but outside of the circle")
    }
}
