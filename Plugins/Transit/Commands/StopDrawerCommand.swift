import PluginKit

/// `stop drawer STOP`
struct StopDrawerCommand: CommandProvider {
    let library: FeedLibrary
    let screen: StopScreen

    var name: String { "stop drawer" }

    var command: Command {
        Command(
            name, "open, show, resize, scroll or close the drawer of a stop",
            details: """
                A stop is selected as by a tap on its pin: its drawer opens collapsed, with the name and the icon of its \
                mode. The map moves only if it does not show the stop; if no map is open, one opens at the stop. Without a \
                stop the command is about the open drawer. States: collapsed: name and mode. half: also the next 3 departures, \
                without scrolling. full: 20 departures, 8 visible; --scroll scrolls them and stops at the ends. A smaller \
                state scrolls back to the top. Departures follow the session's clock: past departures disappear, and minutes \
                count down. --close closes the drawer and returns the map.
                """,
            StopInput.optional,
            .option("state", .choice(of: DrawerState.self) { $0.summary }, "how far it is open"),
            .option(
                "scroll", .integer(-TransitSettings.fullDepartures...TransitSettings.fullDepartures),
                "rows to scroll down; negative scrolls up"),
            .flag("close", "close the drawer"),
            input: .optional(.value(StopObject.kind)), output: .value("drawer"), effect: .changes,
            examples: Self.examples,
            searchTerms: [
                "voice over text",
                "screen reader label", "panel of a stop", "bottom sheet",
                "drag the map", "dragging", "select", "tap", "pin", "sheet", "detent", "collapse", "scroll",
            ]
        ) { input, context, stop, state, scroll, close in
            if let stop = try stop.recordIfAny(input, library, context) { try open(stop, context) }
            if let state { try change(to: state, context) }
            if let scroll { try self.scroll(by: scroll, context) }
            if close { return .object(try screen.object(try self.close(context), context)) }
            return .object(DrawerObject(drawer: try opened(context).drawer))
        }.deciding("stop drawer Central", after: FeedExamples.feed)
    }

    private static let examples: [CommandSpec.Example] = [
        .init(
            "the label for screen readers", "stop drawer Central | get label", after: FeedExamples.feed,
            gives: "Central Station, train stop"),
        .init(
            "the next three", "stop drawer Central --state half | get departures | count",
            after: FeedExamples.feed, gives: "3"),
        .init(
            "down by five", "stop drawer --scroll 5 | get scroll",
            after: FeedExamples.feed + ["stop drawer Central --state full"], gives: "5"),
        .init(
            "the half drawer does not scroll", "stop drawer --scroll 5 | get scroll",
            after: FeedExamples.feed + ["stop drawer Central --state half"], gives: "0"),
        .init(
            "no stop is selected afterwards", "stop drawer --close | get selected",
            after: FeedExamples.feed + ["stop drawer Central"], gives: ""),
        .init(
            "no open drawer", "expect-error E-TRANSIT-NODRAWER stop drawer --state half",
            after: FeedExamples.feed + ["stop map 0.5,0.5"], gives: "no drawer is open"),
    ]

    /// The map with an open drawer. Throws `E-TRANSIT-NODRAWER` if none is open.
    private func opened(_ context: Context) throws -> (map: StopMap, drawer: Drawer) {
        let map = try screen.map(context)
        guard let drawer = map.drawer else {
            throw TransitErrors.noDrawer("no drawer is open", fix: "stop drawer STOP")
        }
        return (map, drawer)
    }

    /// Selects a stop; its drawer opens collapsed.
    private func open(_ stop: StopRecord, _ context: Context) throws {
        let timer = TransitLog.Timer()
        try screen.change("opened the drawer of \(stop.title)", context) { old in
            // The drawer of a stop whose place is unknown leaves the map where it is.
            let place = try stop.coordinate ?? old?.center ?? screen.defaultCenter(context)
            var map = old ?? StopMap(center: place, zoom: TransitSettings.stopZoom)
            if !map.shows(place) { map.move(to: place, zoom: map.zoom, at: context.clock.now) }
            if old == nil || map.center == place.withoutAltitude {
                try map.loadIfNeeded(at: context.clock.now) { try screen.load($0, context) }
            }
            map.select(stop, at: context.clock.now)
            return map
        }
        TransitLog.write(.mapStopSelected, stop: stop, timer, context)
        TransitLog.write(.drawerOpened, stop: stop, timer, context)
    }

    /// Changes how far the drawer is open; the departures that it then shows are read from the timetable.
    private func change(to state: DrawerState, _ context: Context) throws {
        let timer = TransitLog.Timer()
        var (map, drawer) = try opened(context)
        let board = try screen.board(
            of: drawer.stop, in: state, library.feed(context), at: context.clock.now, context)
        if let board {
            TransitLog.write(
                .offlineDeparturesShown, stop: drawer.stop, count: board.departures.count, timer, context)
        }
        drawer.change(to: state, board: board)
        map.drawer = drawer
        let changed = map
        try screen.change("set the drawer to \(state.rawValue)", context) { _ in changed }
    }

    private func scroll(by rows: Int, _ context: Context) throws {
        var (map, drawer) = try opened(context)
        drawer.scroll(by: rows)
        map.drawer = drawer
        let changed = map
        try screen.change("scrolled the drawer", context) { _ in changed }
    }

    /// The map without the drawer.
    private func close(_ context: Context) throws -> StopMap {
        var (map, _) = try opened(context)
        map.drawer = nil
        let changed = map
        return try screen.change("closed the drawer", context) { _ in changed }
    }
}
