import PluginKit

/// Shared by the drawer's commands.
struct DrawerService: Sendable {
    let library: FeedLibrary
    let screen: StopScreen

    /// The map with an open drawer.
    func opened(_ context: Context) throws -> (map: StopMap, drawer: Drawer) {
        let map = try screen.map(context)
        guard let drawer = map.drawer else {
            throw TransitErrors.noDrawer("no drawer is open", fix: "drawer open STOP")
        }
        return (map, drawer)
    }

    /// Changes the state of a drawer; the departures that it then shows are read from the timetable.
    func change(_ drawer: inout Drawer, to state: DrawerState, _ context: Context) throws {
        let timer = TransitLog.Timer()
        let board = try screen.board(
            of: drawer.stop, in: state, library.feed(context), at: context.clock.now, context)
        if let board {
            TransitLog.write(
                .offlineDeparturesShown, stop: drawer.stop, count: board.departures.count, timer, context)
        }
        drawer.change(to: state, board: board)
    }
}

/// `drawer open STOP`
struct OpenDrawer: CommandProvider {
    let service: DrawerService

    var name: String { "drawer open" }

    var command: Command {
        Command(
            name, "select a stop and open its drawer",
            details: """
                The drawer opens collapsed: the stop's name and the icon of its mode, as after a tap on its pin. The map \
                moves only if it does not show the stop; if no map is open, one opens at the stop.
                """,
            StopInput.parameter,
            input: .optional(.value(StopObject.kind)), output: .value("drawer"), effect: .changes,
            examples: [
                .init(
                    "the label for screen readers", "drawer open Central | get label", after: Samples.feed,
                    gives: "Central Station, train stop")
            ], searchTerms: ["select", "tap", "pin"]
        ) { input, context, stop in
            let timer = TransitLog.Timer()
            let stop = try stop.record(input, service.library, context)
            try service.screen.change("opened the drawer of \(stop.title)", context) { old in
                var map = old ?? StopMap(center: stop.coordinate, zoom: TransitSettings.stopZoom)
                if !map.shows(stop.coordinate) {
                    map.move(to: stop.coordinate, zoom: map.zoom, at: context.clock.now)
                }
                if old == nil || map.center == stop.coordinate.withoutAltitude {
                    try map.loadIfNeeded(at: context.clock.now) { try service.screen.load($0, context) }
                }
                map.select(stop, at: context.clock.now)
                return map
            }
            TransitLog.write(.mapStopSelected, stop: stop, timer, context)
            TransitLog.write(.drawerOpened, stop: stop, timer, context)
            return .object(DrawerObject(drawer: Drawer(stop)))
        }.deciding("drawer open Central", after: Samples.feed)
    }
}

/// `drawer`
struct DrawerCommand: CommandProvider {
    let service: DrawerService

    var name: String { "drawer" }

    var command: Command {
        Command(
            name, "set how far the drawer is open, or show it",
            details: """
                collapsed: name and mode. half: also the next 3 departures, without scrolling. full: 20 departures, 8 visible; \
                `drawer scroll` scrolls. A smaller state scrolls back to the top. Departures follow \
                the session's clock: past departures disappear, and minutes count down.
                """,
            .optional(
                "state", .choice(of: DrawerState.self) { $0.summary },
                "new state; default: show the drawer unchanged"),
            output: .value("drawer"), effect: .changes,
            examples: [
                .init(
                    "the next three", "drawer half | get departures | count",
                    after: Samples.feed + ["drawer open Central"],
                    gives: "3"),
                .init(
                    "no open drawer", "expect-error E-TRANSIT-NODRAWER drawer half",
                    after: Samples.feed + ["map view 0.5,0.5"], gives: "no drawer is open"),
            ], searchTerms: ["sheet", "detent", "collapse"]
        ) { context, state in
            var (map, drawer) = try service.opened(context)
            guard let state else { return .object(DrawerObject(drawer: drawer)) }
            try service.change(&drawer, to: state, context)
            map.drawer = drawer
            let changed = map
            try service.screen.change("set the drawer to \(state.rawValue)", context) { _ in changed }
            return .object(DrawerObject(drawer: drawer))
        }
    }
}

/// `drawer scroll N`
struct ScrollDrawer: CommandProvider {
    let service: DrawerService

    var name: String { "drawer scroll" }

    var command: Command {
        Command(
            name, "scroll the departures of the full drawer",
            details: "Scrolling stops at the ends. Only the full drawer scrolls.",
            .positional(
                "rows", .integer(-TransitSettings.fullDepartures...TransitSettings.fullDepartures),
                "rows to scroll down; negative scrolls up"),
            output: .value("drawer"), effect: .changes,
            examples: [
                .init(
                    "down by five", "drawer scroll 5 | get scroll",
                    after: Samples.feed + ["drawer open Central", "drawer full"],
                    gives: "5"),
                .init(
                    "the half drawer does not scroll", "drawer scroll 5 | get scroll",
                    after: Samples.feed + ["drawer open Central", "drawer half"], gives: "0"),
            ]
        ) { context, rows in
            var (map, drawer) = try service.opened(context)
            drawer.scroll(by: rows)
            map.drawer = drawer
            let changed = map
            try service.screen.change("scrolled the drawer", context) { _ in changed }
            return .object(DrawerObject(drawer: drawer))
        }
    }
}

/// `drawer close`
struct CloseDrawer: CommandProvider {
    let service: DrawerService

    var name: String { "drawer close" }

    var command: Command {
        Command(
            name, "close the drawer",
            output: .value("stopMap"), effect: .changes,
            examples: [
                .init(
                    "no stop is selected afterwards", "drawer close | get selected",
                    after: Samples.feed + ["drawer open Central"],
                    gives: "")
            ]
        ) { context in
            var (map, _) = try service.opened(context)
            map.drawer = nil
            let changed = map
            try service.screen.change("closed the drawer", context) { _ in changed }
            return .object(try service.screen.object(changed, context))
        }
    }
}
