import Foundation
import Geodesy
import Pictures
import PluginKit

/// `map view`
struct MapViewCommand: CommandProvider {
    let screen: StopScreen

    var name: String { "map view" }

    var command: Command {
        Command(
            name, "show the map of stops, or open it at a coordinate",
            details: """
                The screen of an app: 80 × 18 characters, pins for stops, clusters where more than 100 are visible, and the \
                drawer of the selected stop below, which follows the session's clock. Once a moved map has been still for 300 \
                ms of that clock, it loads the stops of the visible region if less than half of it is loaded. Clusters are \
                made over all stops in view by their distance on the screen, so the counts add up. `map view | map --out \
                FILE` writes the same picture. \
                Fields: center zoom region shown loaded total pending pins clusters labels selected drawer events. \
                `trace map view` shows when it loads.
                """,
            .optional(
                "place", .place,
                "centre of a new map; default: show the open map, else open one at the stop with most patterns"
            ),
            .option(
                "zoom", .number(TransitSettings.zooms),
                default: "\(Literal.number(TransitSettings.stopZoom))", "Web Mercator zoom level"),
            output: .value("stopMap"), effect: .changes,
            examples: [
                .init(
                    "how many stops it shows", "map view 0.5,0.5 --zoom 17 | select shown total",
                    after: Samples.feed,
                    gives: """
                        shown  12
                        total  12
                        """),
                .init(
                    "without a timetable it opens where the app's map does", "map view | get center",
                    gives: "-33.8688,151.2093"),
            ], searchTerms: ["screen", "pins", "stops"]
        ) { context, place, zoom in
            _ = try context.activeStore(.transit)
            if place == nil, let open = try screen.current(context) {
                return .object(try screen.object(open, context))
            }
            let center = try place ?? screen.defaultCenter(context)
            let map = try screen.change("opened the map of stops", context) { _ in
                var map = StopMap(center: center, zoom: zoom)
                try map.loadIfNeeded(at: context.clock.now) { try screen.load($0, context) }
                return map
            }
            return .object(try screen.object(map, context))
        }.deciding("map view 0.5,0.5 --zoom 17", after: Samples.feed)
    }
}

/// `map move`
struct MapMoveCommand: CommandProvider {
    let screen: StopScreen
    private static let reach = -20_037_508.0...20_037_508

    var name: String { "map move" }

    var command: Command {
        Command(
            name, "move the map of stops",
            details:
                "Stops are loaded once the map has been still for 300 ms of the session's clock.",
            .optional("place", .place, "new centre; default: the current one"),
            .option(
                "east", .quantity(.length, in: Self.reach), default: "0m",
                "distance east; negative moves west"),
            .option(
                "north", .quantity(.length, in: Self.reach), default: "0m",
                "distance north; negative moves south"),
            output: .value("stopMap"), effect: .changes,
            examples: [
                .init(
                    "enough stops are loaded already",
                    "map view | get events | last | get kind",
                    after: Samples.map + ["map move --east 100m", "clock +1s"], gives: "skip"),
                .init("no open map", "expect-error E-TRANSIT-NOMAP map move", gives: "no map is open"),
            ], searchTerms: ["pan", "scroll"]
        ) { context, place, east, north in
            _ = try screen.map(context)
            let map = try screen.change("moved the map of stops", context) { old in
                guard var map = old else { throw TransitErrors.noMap("no map is open") }
                var target = place ?? map.center
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
                map.move(to: target, zoom: map.zoom, at: context.clock.now)
                return map
            }
            return .object(try screen.object(map, context))
        }.deciding("map move --east 100m", after: Samples.map)
    }
}

/// `map zoom`
struct MapZoomCommand: CommandProvider {
    let screen: StopScreen

    var name: String { "map zoom" }

    var command: Command {
        Command(
            name, "zoom the map of stops",
            details: "As after `map move`, stops are loaded once the map has been still for 300 ms.",
            .optional("level", .number(TransitSettings.zooms), "new Web Mercator zoom level"),
            .option("by", .number(-20...20), default: "0", "change of the level; negative zooms out"),
            output: .value("stopMap"), effect: .changes,
            examples: [
                .init("one level closer", "map zoom --by 1 | get zoom", after: Samples.map, gives: "17"),
                .init("a given level", "map zoom 12 | get zoom", after: Samples.map, gives: "12"),
            ]
        ) { context, level, by in
            _ = try screen.map(context)
            let map = try screen.change("zoomed the map of stops", context) { old in
                guard var map = old else { throw TransitErrors.noMap("no map is open") }
                map.move(to: map.center, zoom: (level ?? map.zoom) + by, at: context.clock.now)
                return map
            }
            return .object(try screen.object(map, context))
        }.deciding("map zoom --by 1", after: Samples.map)
    }
}
