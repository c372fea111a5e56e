import Geodesy
import PluginKit

/// The steps of a search for stops in a region: the box of the index, then the circle, then the limit.
enum StopSteps {
    /// Records why each stop of the box was included or excluded. The box is searched again without a
    /// limit.
    static func keep(
        _ found: FoundStops, around center: Coordinate, in box: BoundingBox, radius: Double?, _ limit: Int,
        _ feed: Feed, _ tracing: TraceCollector
    ) throws {
        let taken = Set(found.stops.map(\.stop.id))
        let candidates = try feed.stops.inside(box, limit: TransitSettings.mostStops)
        tracing.keep(
            "stops of the box",
            from: .start(
                [
                    ("box", .box(box)), ("center", .coordinate(center.withoutAltitude)),
                    ("radius", Value(radius) { .quantity(.metres($0)) }), ("limit", .integer(limit)),
                ],
                why: radius == nil
                    ? "the index returns the stops of the box; those nearest to its centre come first"
                    : "the index searches boxes only: first the box around the circle, then by distance"
            ),
            candidates: candidates.stops.lazy.map { stop, _ in
                step(
                    stop, stop.coordinate.map(center.distance) ?? .infinity, radius: radius,
                    isTaken: taken.contains(stop.id))
            },
            to: .end(
                [("taken", .integer(found.stops.count)), ("inside", .integer(found.total))],
                why: found.total > found.stops.count
                    ? "the limit is reached" : "all stops inside are included"))
    }

    private static func step(
        _ stop: StopRecord, _ distance: Double, radius: Double?, isTaken: Bool
    ) -> TraceStep {
        let isInside = radius.map { distance <= $0 } ?? true
        return .candidate(
            [
                ("id", .text(stop.id)), ("name", .text(stop.title)),
                ("distance", .quantity(.metres(distance))),
                ("at", Value(stop.coordinate, Value.coordinate)),
            ], isTaken ? .kept : .refused,
            why: isTaken
                ? radius == nil ? "inside the box" : "inside the box and the circle"
                : isInside ? "inside, beyond the limit" : "inside the box, outside the circle")
    }
}
