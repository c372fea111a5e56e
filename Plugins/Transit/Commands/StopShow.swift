import Pictures
import PluginKit

/// `stop show STOP`
struct StopShow: CommandProvider {
    let library: FeedLibrary
    let screen: StopScreen

    var name: String { "stop show" }

    var command: Command {
        Command(
            name, "show a stop on the map and open its drawer",
            details: """
                The stop is named, or comes from the pipe: a search result or a departure. The stops around it are loaded \
                immediately, unless half of the visible region is loaded already.
                """,
            StopInput.parameter,
            .option(
                "zoom", .number(TransitSettings.zooms),
                default: "\(Literal.number(TransitSettings.stopZoom))", "Web Mercator zoom level"),
            input: .optional(.value(StopObject.kind)), output: .value("stopMap"), effect: .changes,
            examples: [
                .init(
                    "from a search", "stop find harbour | first | stop show | get selected | get id",
                    after: FeedExamples.feed, gives: "HAR"),
                .init(
                    "from a departure", "departures BAYA | first | stop show | get selected | get id",
                    after: FeedExamples.feed, gives: "BAYA"),
            ], searchTerms: ["view on map", "map", "drawer", "usable with a pram", "wheelchair at a stop"]
        ) { input, context, stop, zoom in
            let timer = TransitLog.Timer()
            let stop = try stop.record(input, library, context)
            guard let place = stop.coordinate else {
                throw TransitErrors.unplaced(
                    "the timetable does not say where \(stop.title) is", at: .parameter("stop"),
                    fix: "departures \(Literal.quoted(stop.id)) shows what leaves there")
            }
            let map = try screen.change("showed \(stop.title) on the map", context) { old in
                var map = old ?? StopMap(center: place, zoom: zoom)
                if old != nil { map.move(to: place, zoom: zoom, at: context.clock.now) }
                try map.loadIfNeeded(at: context.clock.now) { try screen.load($0, context) }
                map.select(stop, at: context.clock.now)
                return map
            }
            TransitLog.write(.mapStopSelected, stop: stop, timer, context)
            TransitLog.write(.drawerOpened, stop: stop, timer, context)
            return .object(try screen.object(map, context))
        }
    }
}
