import Pictures
import PluginKit

/// `stops show STOP`: view on map.
struct StopsShow: CommandProvider {
    let library: FeedLibrary
    let screen: StopScreen

    var command: Command {
        Command(
            "stops show", "views a stop on the map: opens it there, with the stop's drawer",
            details: """
                Takes a stop by name, or a result of a search, or a departure, from the pipe. The stops around are loaded at \
                once, unless half of what the map shows was loaded already.
                """,
            StopInput.parameter,
            .option(
                "zoom", .number(TransitSettings.zooms),
                default: "\(Literal.number(TransitSettings.stopZoom))", "how near, a zoom of Web Mercator"),
            input: .optional(.value(StopObject.kind)), output: .value("stopMap"), effect: .changes,
            examples: [
                .init(
                    "from a search", "stops search harbour | first | stops show | get selected | get id",
                    after: Samples.feed, gives: "HAR"),
                .init(
                    "from a departure", "departures BAYA | first | stops show | get selected | get id",
                    after: Samples.feed, gives: "BAYA"),
            ], searchTerms: ["view on map", "map", "drawer"]
        ) { input, context, stop, zoom in
            let timer = TransitLog.Timer()
            let stop = try stop.record(input, library, context)
            let map = try screen.change("showed \(stop.title) on the map", context) { old in
                var map = old ?? StopMap(center: stop.coordinate, zoom: zoom)
                if old != nil { map.move(to: stop.coordinate, zoom: zoom, at: context.clock.now) }
                try map.loadIfNeeded(at: context.clock.now) { try screen.load($0, context) }
                map.drawer = Drawer(stop)
                return map
            }
            TransitLog.write(.mapStopSelected, stop: stop, timer, context)
            TransitLog.write(.drawerOpened, stop: stop, timer, context)
            return .object(map)
        }
    }
}
