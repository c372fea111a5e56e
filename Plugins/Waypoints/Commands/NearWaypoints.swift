import PluginKit
import TrailStores

/// `waypoint near`
struct NearWaypoints: CommandProvider {
    let library: ActiveStore<WaypointStore>

    var name: String { "waypoint near" }

    var command: Command {
        Command(
            name, "find waypoints around a coordinate, nearest first",
            details: """
                Candidates come from a box in the index; the great-circle distance (haversine, sphere of 6372.7976km) decides. Works across the \
                antimeridian and at the poles. `trace waypoint near …` shows every candidate.
                """,
            .positional("place", .coordinate, "centre of the search"),
            .option("radius", WaypointOptions.radius, default: "1km", "search radius"),
            .option("limit", .integer(1...1_000_000), "maximum number of waypoints"),
            output: .rows(WaypointObject.nearColumns), effect: .reads,
            examples: [
                .init(
                    "within two kilometres", "waypoint near 46.5,7.9 --radius 2km | get label",
                    after: ["waypoint add 46.51,7.9 --label Hut", "waypoint add 46.6,7.9 --label Far"],
                    gives: "Hut")
            ],
            searchTerms: [
                "pins within a distance", "closest pin", "around", "nearby", "radius", "distance",
                "what is near me", "closest", "near me", "distance to my pins", "pins around here",
                "closest marker",
            ]
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
            if let tracing = context.tracing {
                var log = TraceLog(limit: tracing.limit)
                log.record(NearSteps.started(place, radius))
                log.append(trace)
                log.record(NearSteps.ended(found.count, limit))
                tracing.keep(log, picture: NearPicturing(center: place.withoutAltitude, radius: radius))
            }
            let categories = CategoryList.shown(in: context.workspace)
            return .table(
                objects: found.map { WaypointObject($0.waypoint, categories, distance: $0.distance) },
                columns: WaypointObject.nearColumns)
        }.deciding(
            "waypoint near 46.5,7.9 --radius 2km",
            after: ["waypoint add 46.51,7.9 --label Hut", "waypoint add 46.517,7.926 --label Corner"])
    }

    private static func step(_ waypoint: Waypoint, _ distance: Double, _ isWithin: Bool) -> TraceStep {
        TraceStep(
            "candidate",
            [
                ("label", .text(waypoint.name)), ("at", .coordinate(waypoint.coordinate.withoutAltitude)),
                ("distance", .quantity(.metres(distance))),
            ],
            why: isWithin ? "within the radius" : "inside the box, outside the radius")
    }
}
