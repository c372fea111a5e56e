import Foundation
import Geodesy
import Pictures
import PluginKit

/// `map view`
struct MapViewCommand: LegacyCommand {
    let screen: StopScreen
    private static let place = Parameter.optional(
        "place", ParameterType<Coordinate>.place, "opens a map there; without it the present one is shown")
    private static let zoom = Parameter.option(
        "zoom", .number(TransitSettings.zooms), default: "\(Literal.number(TransitSettings.stopZoom))",
        "how near, a zoom of Web Mercator")

    let spec = CommandSpec(
        "map view", "shows the map of stops, or opens it at a place",
        details: """
            The screen of an app: 80 × 18 characters, pins for stops, clusters where more than 100 are in view, the drawer \
            of the selected stop below. When the map has been moved and has stood still for 300 ms of the session's clock, \
            it loads the at most 200 stops nearest to its centre, but only if less than half of what it shows was loaded. \
            Its fields: center zoom region shown loaded total pending pins clusters labels selected drawer events. \
            `trace map view` shows when it loads.
            """,
        parameters: [place.spec, zoom.spec], output: .value("stopMap"), effect: .changes,
        examples: [
            .init(
                "what it has loaded", "map view 0.5,0.5 --zoom 17 | select shown total", after: Samples.feed,
                gives: """
                    shown  12
                    total  12
                    """),
            .init("none yet", "expect-error E-TRANSIT-NOMAP map view", gives: "no map is open"),
        ], searchTerms: ["screen", "pins", "stops"])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        guard let place = try arguments[Self.place] else {
            return .object(StopMapObject(try screen.map(context), now: context.clock.now))
        }
        let zoom = try arguments[Self.zoom]
        let map = try screen.change("opened the map of stops", context) { _ in
            var map = StopMap(center: place, zoom: zoom)
            try map.loadIfNeeded(at: context.clock.now) { try screen.load($0, context) }
            return map
        }
        return .object(map)
    }
}

/// `map move`
struct MapMoveCommand: LegacyCommand {
    let screen: StopScreen
    private static let place = Parameter.optional(
        "place", ParameterType<Coordinate>.place,
        "the new middle of the map; else it moves from the present one")
    private static let reach = -20_037_508.0...20_037_508
    private static let east = Parameter.option(
        "east", .quantity(.length, in: reach), default: "0m", "how far east; west with a minus sign")
    private static let north = Parameter.option(
        "north", .quantity(.length, in: reach), default: "0m", "how far north; south with a minus sign")

    let spec = CommandSpec(
        "map move", "moves the map of stops",
        details:
            "Nothing is loaded yet: that waits until the map has stood still for 300 ms of the session's clock.",
        parameters: [place.spec, east.spec, north.spec], output: .value("stopMap"), effect: .changes,
        examples: [
            .init(
                "what was loaded is enough",
                "map view | get events | last | get kind",
                after: Samples.map + ["map move --east 100m", "clock +1s"], gives: "skip")
        ], searchTerms: ["pan", "scroll"])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let place = try arguments[Self.place]
        let (east, north) = (try arguments[Self.east], try arguments[Self.north])
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

/// `map zoom`
struct MapZoomCommand: LegacyCommand {
    let screen: StopScreen
    private static let level = Parameter.optional(
        "level", ParameterType<Double>.number(TransitSettings.zooms), "the new zoom of Web Mercator")
    private static let by = Parameter.option(
        "by", .number(-20...20), default: "0", "how much nearer; farther with a minus sign")

    let spec = CommandSpec(
        "map zoom", "zooms the map of stops",
        details: "As with `map move`, stops are loaded when the map has stood still for 300 ms.",
        parameters: [level.spec, by.spec], output: .value("stopMap"), effect: .changes,
        examples: [
            .init("one nearer", "map zoom --by 1 | get zoom", after: Samples.map, gives: "17"),
            .init("a level", "map zoom 12 | get zoom", after: Samples.map, gives: "12"),
        ])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let level = try arguments[Self.level]
        let by = try arguments[Self.by]
        _ = try screen.map(context)
        let map = try screen.change("zoomed the map of stops", context) { old in
            guard var map = old else { throw TransitErrors.noMap("no map is open") }
            map.move(to: map.center, zoom: (level ?? map.zoom) + by, at: context.clock.now)
            return map
        }
        return .object(map)
    }
}
