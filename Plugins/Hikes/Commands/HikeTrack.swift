import Geodesy
import PluginKit
import TrailStores

/// `hike track`
struct HikeTrack: LegacyCommand {
    let library: ActiveStore<HikeStore>
    private static let columns = ["time", "at", "altitude", "distance"]

    let spec = CommandSpec(
        "hike track", "gives the recorded points of a hike", parameters: [HikeOptions.hike.spec],
        output: .rows(columns), effect: .reads,
        examples: [.init("how many", "hike track Walk | count", after: HikeExample.setup, gives: "2")])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let points = try arguments[HikeOptions.hike].track()
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
