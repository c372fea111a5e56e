import Geodesy
import PluginKit

/// The steps of a search for stops in a region: the box of the index, then the circle, then the limit.
enum StopSteps {
    /// Keeps why each stop of the box was taken or left out. The box is searched again without a limit.
    static func keep(
        _ found: FoundStops, around center: Coordinate, in box: BoundingBox, radius: Double?, _ limit: Int,
        _ feed: Feed, _ tracing: TraceCollector
    ) throws {
        let taken = Set(found.stops.map(\.stop.id))
        let candidates = try feed.stops(in: box, limit: TransitSettings.mostStops)
        tracing.keep(
            "stops of the box",
            from: .start(
                [
                    ("box", .box(box)), ("center", .coordinate(center.withoutAltitude)),
                    ("radius", Value(radius) { .quantity(.metres($0)) }), ("limit", .integer(limit)),
                ],
                why: radius == nil
                    ? "the index gives the stops of the box; those nearest to its centre come first"
                    : "the index knows boxes only: the box around the circle comes first, then the distance decides"
            ),
            candidates: candidates.stops.lazy.map { stop, _ in
                step(
                    stop, center.distance(to: stop.coordinate), radius: radius,
                    isTaken: taken.contains(stop.id))
            },
            to: .end(
                [("taken", .integer(found.stops.count)), ("inside", .integer(found.total))],
                why: found.total > found.stops.count
                    ? "the limit is reached" : "all stops that lie inside are taken"))
    }

    private static func step(
        _ stop: StopRecord, _ distance: Double, radius: Double?, isTaken: Bool
    ) -> TraceStep {
        let isInside = radius.map { distance <= $0 } ?? true
        return .candidate(
            [
                ("id", .text(stop.id)), ("name", .text(stop.title)),
                ("distance", .quantity(.metres(distance))),
                ("at", .coordinate(stop.coordinate)),
            ], isTaken ? .kept : .refused,
            why: isTaken
                ? radius == nil ? "inside of the box" : "inside of the box and of the circle"
                : isInside ? "inside, beyond the limit" : "inside of the box, outside of the circle")
    }
}
