import Geodesy
import PluginKit
import TrailStores

/// `hike track`
struct HikeTrack: CommandProvider {
    let library: ActiveStore<HikeStore>
    private static let columns = ["time", "at", "altitude", "distance"]

    var command: Command {
        Command(
            "hike track", "list the recorded points of a hike",
            HikeOptions.hike,
            output: .rows(Self.columns), effect: .reads,
            examples: [.init("how many", "hike track Walk | count", after: HikeExample.setup, gives: "2")]
        ) { _, hike in
            let points = try hike.track()
            let distances = Polyline.cumulativeDistances(points.map(\.coordinate))
            return .table(
                columns: Self.columns,
                cells: zip(points, distances).map { point, distance in
                    [
                        Value(point.time) { .date($0) }, .coordinate(point.coordinate.withoutAltitude),
                        Value(point.coordinate.altitude) { .quantity(.altitude($0)) },
                        .quantity(.metres(distance)),
                    ]
                })
        }
    }
}
