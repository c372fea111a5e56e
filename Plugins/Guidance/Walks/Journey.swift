import CivilTime
import Geodesy
import PluginKit

/// One walk under guidance so far: the route, the state, and what happened at each fix.
public struct Journey: Sendable {
    /// What is kept of a fix.
    public struct Sample: Sendable, Hashable {
        /// The fix, and where one really was.
        public var walk: WalkFix
        /// Metres from the start along the line.
        public var along: Double
        /// Metres from the line.
        public var distance: Double
        /// What is left, metres.
        public var remaining: Double
        /// Whether one is off route.
        public var isOffRoute: Bool
        /// Whether the end was reached.
        public var hasArrived: Bool
        /// The next instruction, by its place in the route's stops.
        public var next: Int
        /// Which route is walked, counted from 0; each new one counts on.
        public var leg: Int
    }

    /// The routes walked, the last one the present one.
    public private(set) var routes: [GuideRoute]
    /// The thresholds.
    public let settings: GuidanceSettings
    /// Where guidance stands.
    public private(set) var state = GuidanceState()
    /// What happened at each fix.
    public private(set) var samples: [Sample] = []
    /// What was said.
    public private(set) var events: [GuidanceEvent] = []
    private var engine: GuidanceEngine

    /// A walk that begins.
    public init(_ route: GuideRoute, settings: GuidanceSettings) {
        routes = [route]
        self.settings = settings
        engine = GuidanceEngine(route, settings: settings)
    }

    /// The present route.
    public var route: GuideRoute { engine.route }

    /// Takes a fix; gives the events it made.
    @discardableResult
    public mutating func take<Recorder: TraceRecorder>(
        _ fix: WalkFix, trace: inout Recorder
    ) -> ArraySlice<GuidanceEvent> {
        let before = events.count
        engine.update(&state, with: fix.fix, events: &events, trace: &trace)
        if let match = state.match {
            samples.append(
                Sample(
                    walk: fix, along: match.along, distance: match.distance,
                    remaining: max(0, route.length - match.along), isOffRoute: state.isOffRoute,
                    hasArrived: state.hasArrived, next: state.next, leg: routes.count - 1))
        }
        return events[before...]
    }

    /// Seconds for which one has been off route without a break; 0 on route.
    public var secondsOffRoute: Double {
        guard let since = state.offRouteSince, let now = state.last?.time else { return 0 }
        return now.seconds(since: since)
    }

    /// Goes on along a new route from the last fix.
    public mutating func follow(_ route: GuideRoute) {
        guard let last = state.last else { return }
        let fixes = state.fixes
        engine = GuidanceEngine(route, settings: settings)
        routes.append(route)
        state = GuidanceState()
        state.fixes = fixes
        state.last = last
        events.append(
            GuidanceEvent(
                kind: .rerouted, fix: fixes, time: last.time, coordinate: last.coordinate, turn: nil,
                distance: route.length, along: 0))
    }
}
