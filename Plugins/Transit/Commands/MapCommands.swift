import Foundation
import Geodesy
import Pictures
import PluginKit

/// `map view`
struct MapViewCommand: CommandProvider {
    let screen: StopScreen

    var command: Command {
        Command(
            "map view", "shows the map of stops, or opens it at a place",
            details: """
                The screen of an app: 80 × 18 characters, pins for stops, clusters where more than 100 are in view, the drawer \
                of the selected stop below. When the map has been moved and has stood still for 300 ms of the session's clock, \
                it loads the at most 200 stops nearest to its centre, but only if less than half of what it shows was loaded. \
                Its fields: center zoom region shown loaded total pending pins clusters labels selected drawer events. \
                `trace map view` shows when it loads.
                """,
            .optional("place", .place, "opens a map there; without it the present one is shown"),
            .option(
                "zoom", .number(TransitSettings.zooms),
                default: "\(Literal.number(TransitSettings.stopZoom))", "how near, a zoom of Web Mercator"),
            output: .value("stopMap"), effect: .changes,
            examples: [
                .init(
                    "what it has loaded", "map view 0.5,0.5 --zoom 17 | select shown total",
                    after: Samples.feed,
                    gives: """
                        shown  12
                        total  12
                        """),
                .init("none yet", "expect-error E-TRANSIT-NOMAP map view", gives: "no map is open"),
            ], searchTerms: ["screen", "pins", "stops"]
        ) { context, place, zoom in
            guard let place else {
                return .object(StopMapObject(try screen.map(context), now: context.clock.now))
            }
            let map = try screen.change("opened the map of stops", context) { _ in
                var map = StopMap(center: place, zoom: zoom)
                try map.loadIfNeeded(at: context.clock.now) { try screen.load($0, context) }
                return map
            }
            return .object(map)
        }
    }
}

/// `map move`
struct MapMoveCommand: CommandProvider {
    let screen: StopScreen
    private static let reach = -20_037_508.0...20_037_508

    var command: Command {
        Command(
            "map move", "moves the map of stops",
            details:
                "Nothing is loaded yet: that waits until the map has stood still for 300 ms of the session's clock.",
            .optional("place", .place, "the new middle of the map; else it moves from the present one"),
            .option(
                "east", .quantity(.length, in: Self.reach), default: "0m",
                "how far east; west with a minus sign"),
            .option(
                "north", .quantity(.length, in: Self.reach), default: "0m",
                "how far north; south with a minus sign"),
            output: .value("stopMap"), effect: .changes,
            examples: [
                .init(
                    "what was loaded is enough",
                    "map view | get events | last | get kind",
                    after: Samples.map + ["map move --east 100m", "clock +1s"], gives: "skip")
            ], searchTerms: ["pan", "scroll"]
        ) { context, place, east, north in
            _ = try screen.map(context)
            let map = try screen.change("moved the map of stops", context) { old in
                guard var map = old else { throw TransitErrors.noMap("no map is open") }
                var target = place ?? map.center
                if north != 0 {
                    // Along the meridian, and no further than the map goes.
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
            return .object(map)
        }
    }
}

/// `map zoom`
struct MapZoomCommand: CommandProvider {
    let screen: StopScreen

    var command: Command {
        Command(
            "map zoom", "zooms the map of stops",
            details: "As with `map move`, stops are loaded when the map has stood still for 300 ms.",
            .optional("level", .number(TransitSettings.zooms), "the new zoom of Web Mercator"),
            .option("by", .number(-20...20), default: "0", "how much nearer; farther with a minus sign"),
            output: .value("stopMap"), effect: .changes,
            examples: [
                .init("one nearer", "map zoom --by 1 | get zoom", after: Samples.map, gives: "17"),
                .init("a level", "map zoom 12 | get zoom", after: Samples.map, gives: "12"),
            ]
        ) { context, level, by in
            _ = try screen.map(context)
            let map = try screen.change("zoomed the map of stops", context) { old in
                guard var map = old else { throw TransitErrors.noMap("no map is open") }
                map.move(to: map.center, zoom: (level ?? map.zoom) + by, at: context.clock.now)
                return map
            }
            return .object(map)
        }
    }
}
