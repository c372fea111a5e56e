import Foundation
import Geodesy
import Pictures
import PluginKit

/// `stop map`
struct StopMapCommand: CommandProvider {
    let screen: StopScreen

    /// Changes of the open map.
    private struct Change: Sendable {
        let target: Coordinate?
        let east: Double
        let north: Double
        let zoomBy: Double
        let zoom: Double?

        var moves: Bool { target != nil || east != 0 || north != 0 }
        var summary: String { moves ? "moved the map of stops" : "zoomed the map of stops" }
    }

    private static let reach = -20_037_508.0...20_037_508

    var name: String { "stop map" }

    var command: Command {
        Command(
            name, "show, open, move or zoom the map of stops",
            details: """
                The screen of an app: 80 × 18 characters, pins for stops, clusters where more than 100 are visible, and the \
                drawer of the selected stop below, which follows the session's clock. A place opens a new map there; \
                --to, --east and --north move the open map, --zoom and --zoom-by zoom it. Once a moved map has been still for 300 \
                ms of that clock, it loads the stops of the visible region if less than half of it is loaded. Clusters are \
                made over all stops in view by their distance on the screen, so the counts add up. `stop map | map --out \
                FILE` writes the same picture. \
                Fields: center zoom region shown loaded total pending pins clusters labels selected drawer events. \
                `trace stop map` shows when it loads.
                """,
            .optional(
                "place", .coordinate,
                "centre of a new map; default: show the open map, else open one at the stop with most patterns"
            ),
            .option("to", .coordinate, "new centre of the open map"),
            .option(
                "east", .quantity(.length, in: Self.reach), default: "0m",
                "distance east to move; negative moves west"),
            .option(
                "north", .quantity(.length, in: Self.reach), default: "0m",
                "distance north to move; negative moves south"),
            .option(
                "zoom", .number(TransitSettings.zooms),
                "Web Mercator zoom level; of a new map by default \(Literal.number(TransitSettings.stopZoom))"
            ),
            .option("zoom-by", .number(-20...20), default: "0", "change of the level; negative zooms out"),
            output: .value("stopMap"), effect: .changes, examples: Self.examples,
            searchTerms: [
                "map opens at the wrong place", "where the map opens",
                "map of a station", "screen", "pins", "stops", "pan", "scroll", "zoom", "move",
                "map of stations", "map of stops",
            ]
        ) { context, place, to, east, north, zoom, zoomBy in
            _ = try context.activeStore(.transit)
            let change = Change(target: to, east: east, north: north, zoomBy: zoomBy, zoom: zoom)
            let isNew = try place != nil || (!change.moves && zoomBy == 0 && screen.current(context) == nil)
            if isNew { try open(place, zoom, context) }
            if change.moves || zoomBy != 0 || (zoom != nil && !isNew) { try apply(change, context) }
            return .object(try screen.object(try screen.map(context), context))
        }.deciding("stop map 0.5,0.5 --zoom 17", after: FeedExamples.feed)
    }

    private static let examples: [CommandSpec.Example] = [
        .init(
            "how many stops it shows", "stop map 0.5,0.5 --zoom 17 | select shown total",
            after: FeedExamples.feed,
            gives: """
                shown  12
                total  12
                """),
        .init(
            "without a timetable it opens where the app's map does", "stop map | get center",
            gives: "-33.8688,151.2093"),
        .init(
            "after a move enough stops are loaded already", "stop map | get events | last | get kind",
            after: FeedExamples.map + ["stop map --east 100m", "clock +1s"], gives: "skip"),
        .init("one level closer", "stop map --zoom-by 1 | get zoom", after: FeedExamples.map, gives: "17"),
        .init("a given level", "stop map --zoom 12 | get zoom", after: FeedExamples.map, gives: "12"),
        .init("no open map", "expect-error E-TRANSIT-NOMAP stop map --east 100m", gives: "no map is open"),
    ]

    /// Opens a new map and loads its stops.
    private func open(_ coordinate: Coordinate?, _ zoom: Double?, _ context: Context) throws {
        let center = try coordinate ?? screen.defaultCenter(context)
        try screen.change("opened the map of stops", context) { _ in
            var map = StopMap(center: center, zoom: zoom ?? TransitSettings.stopZoom)
            try map.loadIfNeeded(at: context.clock.now) { try screen.load($0, context) }
            return map
        }
    }

    /// Moves and zooms the open map.
    private func apply(_ change: Change, _ context: Context) throws {
        _ = try screen.map(context)
        try screen.change(change.summary, context) { old in
            guard var map = old else { throw TransitErrors.noMap("no map is open") }
            let target = Self.moved(change.target ?? map.center, east: change.east, north: change.north)
            let zoom = (change.zoom ?? map.zoom) + change.zoomBy
            map.move(to: target, zoom: zoom, at: context.clock.now)
            return map
        }
    }

    /// A coordinate moved by distances in metres, north first.
    private static func moved(_ coordinate: Coordinate, east: Double, north: Double) -> Coordinate {
        var target = coordinate
        if north != 0 {
            // Along the meridian, limited to the extent of the map.
            let limit = GeodesySettings.webMercatorLimit
            let moved = target.latitude + (north / GeodesySettings.earthRadius).degrees
            target.latitude = max(-limit, min(limit, moved))
        }
        if east != 0 {
            let circle = GeodesySettings.earthRadius * max(0.01, cos(target.latitude.radians))
            target.longitude = Angle.longitude(target.longitude + (east / circle).degrees)
        }
        return target
    }
}
