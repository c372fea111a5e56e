import CivilTime
import Geodesy
import PluginKit
import Synchronization

/// The session's map of stops, with changes that `undo` reverts. A map of another timetable than the active one is not
/// shown.
final class StopScreen: Sendable {
    private struct State: Sendable {
        var map: StopMap?
        /// The timetable of its stops.
        var location: StoreLocation?
        /// Counts the changes, so that `undo` does not overwrite later ones.
        var version = 0
    }

    private let library: FeedLibrary
    private let state = Mutex(State())

    init(_ library: FeedLibrary) { self.library = library }

    /// The current map, after a load that is due.
    func map(_ context: Context) throws -> StopMap {
        _ = try context.activeStore(.transit)
        guard let map = try current(context) else {
            throw TransitErrors.noMap("no map is open", fix: "map view PLACE, or stops show STOP")
        }
        return map
    }

    /// The current map, if there is one.
    func current(_ context: Context) throws -> StopMap? {
        let (known, shown, version) = state.withLock { ($0.map, $0.location, $0.version) }
        guard var map = known, shown == context.accompanyingStore(.transit) else { return nil }
        let before = map.events.count
        let settled = try map.settle(at: context.clock.now) { try load($0, context) }
        if settled {
            let result = map
            state.withLock { if $0.version == version { $0.map = result } }
            keep(map.events.suffix(max(0, map.events.count - before)), context)
        }
        return map
    }

    /// Loads the stops of a region, and logs that.
    func load(_ region: BoundingBox, _ context: Context) throws -> FoundStops {
        let timer = TransitLog.Timer()
        let feed = try library.feedIfAny(context) ?? library.feed(context)
        let found = try feed.stops(in: region, limit: TransitSettings.regionLimit)
        TransitLog.write(.mapStopsLoaded, count: found.stops.count, timer, context)
        return found
    }

    /// Changes the map and returns the new one.
    @discardableResult
    func change(
        _ summary: String, _ context: Context, _ body: (StopMap?) throws -> StopMap
    ) throws -> StopMapObject {
        let location = try context.activeStore(.transit)
        let before = try current(context)
        let after = try body(before)
        let version = state.withLock { state in
            state.map = after
            state.location = location
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
        return StopMapObject(after, now: context.clock.now)
    }

    /// Adds new events to the trace.
    private func keep(_ events: ArraySlice<MapEvent>, _ context: Context) {
        guard let tracing = context.tracing else { return }
        var log = TraceLog(limit: tracing.limit)
        for event in events { log.record(event.step) }
        tracing.keep(log)
    }

    /// Removes the map.
    func close() { state.withLock { $0 = State() } }
}
