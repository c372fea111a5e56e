import CivilTime
import Geodesy
import PluginKit

/// A walk under guidance so far: the route, the state, and a sample of each fix.
public struct GuidanceRun: Sendable {
    /// The state after a fix.
    public struct Sample: Sendable, Hashable {
        /// The fix and the true position.
        public var walk: WalkFix
        /// Metres from the start along the line.
        public var along: Double
        /// Metres from the line.
        public var distance: Double
        /// Remaining distance, metres.
        var remaining: Double
        /// Whether it is off route.
        var isOffRoute: Bool
        /// Whether it is too far from the line, but the route does not count as left yet.
        var isUnclear: Bool
        /// Whether the end was reached.
        var hasArrived: Bool
        /// The index of the next instruction in the route's stops.
        var next: Int
        /// The index of its route in `routes`.
        var leg: Int
    }

    /// The routes, the current one last.
    private(set) var routes: [GuideRoute]
    /// The thresholds.
    let settings: GuidanceSettings
    /// The state of guidance.
    private(set) var state = GuidanceState()
    /// A sample for each fix.
    public private(set) var samples: [Sample] = []
    /// The events.
    public private(set) var events: [GuidanceEvent] = []
    private var engine: GuidanceEngine

    /// A walk before its first fix.
    init(_ route: GuideRoute, settings: GuidanceSettings) {
        routes = [route]
        self.settings = settings
        engine = GuidanceEngine(route, settings: settings)
    }

    /// The current route.
    public var route: GuideRoute { engine.route }

    /// Processes a fix and returns its events.
    @discardableResult
    mutating func take<Recorder: TraceRecorder>(
        _ fix: WalkFix, trace: inout Recorder
    ) -> ArraySlice<GuidanceEvent> {
        let before = events.count
        engine.update(&state, with: fix.fix, events: &events, trace: &trace)
        if let match = state.match {
            samples.append(
                Sample(
                    walk: fix, along: match.along, distance: match.distance,
                    remaining: max(0, route.length - match.along), isOffRoute: state.isOffRoute,
                    isUnclear: state.offRouteStreak != nil && !state.hasArrived,
                    hasArrived: state.hasArrived, next: state.next, leg: routes.count - 1))
        }
        return events[before...]
    }

    /// Consecutive seconds off route; 0 on route.
    var secondsOffRoute: Double {
        guard let since = state.offRouteSince, let now = state.last?.time else { return 0 }
        return now.seconds(since: since)
    }

    /// Whether the walker stands at the last fix.
    var isStanding: Bool { state.last.map { engine.isStanding($0, state) } ?? true }

    /// Records that no new route starts here, and the nearest coordinate of a way or else of the line.
    mutating func recordNoWay(_ way: Coordinate?) {
        guard let last = state.last, let match = state.match else { return }
        let place = way ?? route.geometry.coordinate(segment: match.segment, share: match.share)
        var event = GuidanceEvent(
            kind: .noWay, fix: state.fixes, time: last.time, coordinate: last.coordinate, turn: nil,
            distance: way.map { last.coordinate.distance(to: $0) } ?? match.distance, along: match.along)
        event.bearing = last.coordinate.bearing(to: place)
        event.isToWay = way != nil
        events.append(event)
    }

    /// Continues along a new route from the last fix.
    mutating func follow(_ route: GuideRoute) {
        guard let last = state.last else { return }
        engine = GuidanceEngine(route, settings: settings)
        routes.append(route)
        state = GuidanceState(after: state)
        events.append(
            GuidanceEvent(
                kind: .rerouted, fix: state.fixes, time: last.time, coordinate: last.coordinate, turn: nil,
                distance: route.length, along: 0))
    }
}
