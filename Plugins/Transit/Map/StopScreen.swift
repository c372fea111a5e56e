import Cartography
import CivilTime
import Geodesy
import Pictures
import PluginKit
import Synchronization

/// The session's map of stops, with changes that `undo` reverts. A map of a timetable other than the active
/// one is not shown.
final class StopScreen: Sendable {
    private struct State: Sendable {
        var map: StopMap?
        /// The timetable of its stops.
        var location: StoreLocation?
        var feed: Feed?
        /// The number of changes, so that `undo` does not overwrite later ones.
        var version = 0
    }

    private let library: FeedLibrary
    private let realtime: RealtimeState
    private let state = Mutex(State())

    init(_ library: FeedLibrary, _ realtime: RealtimeState) {
        (self.library, self.realtime) = (library, realtime)
    }

    /// The current map; performs a load that is due.
    func map(_ context: Context) throws -> StopMap {
        _ = try context.activeStore(.transit)
        guard let map = try current(context) else {
            throw TransitErrors.noMap("no map is open", fix: "stop map PLACE, or stop show STOP")
        }
        return map
    }

    /// The current map, if any; performs a load that is due and updates the departures to the current
    /// second.
    func current(_ context: Context) throws -> StopMap? {
        let known = state.withLock { $0 }
        guard var map = known.map, known.location == context.accompanyingStore(.transit) else { return nil }
        // A map that was opened before a timetable shows none of its stops.
        guard let feed = try library.feedIfAny(context) else { return known.feed == nil ? map : nil }
        let before = map.events.count
        var hasChanged = false
        if known.feed !== feed {
            try renew(&map, feed, context)
            hasChanged = true
        }
        if try map.settle(at: context.clock.now, load: { try load($0, context) }) { hasChanged = true }
        if try refreshDrawer(&map, feed, context) { hasChanged = true }
        if hasChanged {
            let result = map
            state.withLock {
                guard $0.version == known.version else { return }
                $0.map = result
                $0.feed = feed
            }
            keep(map.events.suffix(max(0, map.events.count - before)), context)
        }
        return map
    }

    /// Reloads the stops after another import: their numbers refer to other stops now.
    private func renew(_ map: inout StopMap, _ feed: Feed, _ context: Context) throws {
        map.forgetStops()
        try map.loadIfNeeded(at: context.clock.now) { try load($0, context) }
        guard let old = map.drawer else { return }
        map.drawer = try feed.stops.with(id: old.stop.id).map { old.moved(to: $0) }
    }

    /// Removes past departures and updates the minutes, at most once a second.
    private func refreshDrawer(_ map: inout StopMap, _ feed: Feed, _ context: Context) throws -> Bool {
        guard let drawer = map.drawer, drawer.isStale(at: context.clock.now) else { return false }
        map.drawer?.refresh(
            try board(of: drawer.stop, in: drawer.state, feed, at: context.clock.now, context))
        return true
    }

    /// The departures for a state of the drawer; `nil` for a collapsed one.
    func board(
        of stop: StopRecord, in state: DrawerState, _ feed: Feed, at time: Timestamp, _ context: Context
    ) throws -> DepartureBoard? {
        let count = Drawer.departures(in: state)
        guard count > 0 else { return nil }
        return try StopBoard(feed, stop).board(
            at: time.seconds, within: TransitSettings.window, limit: count, live: realtime.view(at: time))
    }

    /// Loads the stops of a region and logs the load.
    func load(_ region: BoundingBox, _ context: Context) throws -> LoadedStops {
        let timer = TransitLog.Timer()
        guard let feed = try library.feedIfAny(context) else {
            return LoadedStops(coverage: .region(region))
        }
        let found = try feed.stops.points(in: region)
        TransitLog.write(.mapStopsLoaded, count: found.points.count, timer, context)
        return found
    }

    /// The map as a value, with all data of its pictures.
    func object(_ map: StopMap, _ context: Context, at time: Timestamp? = nil) throws -> StopMapObject {
        let feed = try library.feedIfAny(context)
        var frame = StopMapFrame(
            marks: try feed.map { try MapMarks(of: map, $0) } ?? MapMarks(pins: [], clusters: []))
        if let stop = map.drawer?.stop {
            frame.selected = StopObject(stop, lines: try feed?.stops.lines(of: stop))
        }
        try addStreets(to: &frame, map, context)
        if let feed { try addShapes(to: &frame, map, feed) }
        return StopMapObject(
            map: map, frame: frame, now: time ?? context.clock.now, hasTimetable: feed != nil)
    }

    /// The centre of a map opened without one: the most important stop with a place, else the default of the app.
    func defaultCenter(_ context: Context) throws -> Coordinate {
        try library.feedIfAny(context)?.stops.foremost(TransitSettings.searchPool).lazy
            .compactMap(\.coordinate).first ?? TransitSettings.defaultCenter
    }

    /// The streets of an imported region, if the zoom is large enough to show them.
    private func addStreets(to frame: inout StopMapFrame, _ map: StopMap, _ context: Context) throws {
        guard map.zoom >= TransitSettings.streetZoom else { return }
        let base = try BaseMapChoice(of: map.region, context)
        frame.streets = try base.ways
        if !frame.streets.isEmpty { frame.attribution = base.attributionOfWays }
    }

    /// The shapes of the lines of the selected stop, else of all lines in view unless there are too many to
    /// distinguish.
    private func addShapes(to frame: inout StopMapFrame, _ map: StopMap, _ feed: Feed) throws {
        let stops = try map.drawer.map { try feed.stops.parts(of: $0.stop) } ?? map.inView.map(\.number)
        guard stops.count <= TransitSettings.describedStops else { return }
        frame.shapes = try feed.shapes.at(stops, limit: TransitSettings.drawnShapes).flatMap(\.mapFeatures)
    }

    /// Changes the map and returns the new one.
    @discardableResult
    func change(
        _ summary: String, _ context: Context, _ body: (StopMap?) throws -> StopMap
    ) throws -> StopMap {
        let location = try context.activeStore(.transit)
        let before = try current(context)
        let after = try body(before)
        let feed = try library.feedIfAny(context)
        let version = state.withLock { state in
            state.map = after
            state.location = location
            state.feed = feed
            state.version += 1
            return state.version
        }
        let old = before?.events.count ?? 0
        keep(after.events.suffix(max(0, after.events.count - old)), context)
        context.journal.record(summary) { [self] in
            try state.withLock { state in
                guard state.version == version else {
                    throw TransitErrors.noMap("the map has changed since")
                }
                state.map = before
                state.version = version - 1
            }
        }
        return after
    }

    /// Adds new events to the trace.
    private func keep(_ events: ArraySlice<MapEvent>, _ context: Context) {
        guard let tracing = context.tracing, let first = events.first, let last = events.last else { return }
        var log = TraceLog(limit: tracing.limit)
        log.record(first.started)
        for event in events { log.record(event.step) }
        log.record(last.ended)
        tracing.keep(log, picture: MapEvent.picture)
    }

    /// Removes the map.
    func close() { state.withLock { $0 = State() } }
}
