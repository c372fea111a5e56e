import Geodesy
import PluginKit

/// Walks on the imported streets, as far as they have been planned.
///
/// A search starts with walks along straight lines, which are lower bounds. The walks that its journeys use
/// are planned on the streets, and the search is repeated until it uses planned walks only: its result is
/// then the same as if all walks had been planned in advance.
struct StreetWalks: Sendable {
    /// Between two doors of the network, or the start and the destination of the journey.
    struct Pair: Sendable, Hashable {
        static let start: Int32 = -1
        static let destination: Int32 = -2

        var from: Int32
        var to: Int32
    }

    /// A planned walk.
    struct Way: Sendable {
        var seconds: Int32
        /// Its path; `nil` if there is no street and its time is estimated.
        var line: [Coordinate]?
    }

    private(set) var known: [Pair: Way] = [:]
    private(set) var planned = 0
    private(set) var estimated = 0

    mutating func store(_ way: Way, for pair: Pair) {
        known[pair] = way
        if way.line == nil { estimated += 1 } else { planned += 1 }
    }

    /// Seconds of a walk: as planned, or the lower bound.
    func seconds(_ pair: Pair, _ metres: Double) -> Int32 {
        known[pair]?.seconds ?? JourneySettings.seconds(along: metres)
    }
}

/// Plans walks on streets.
struct StreetPlanner: Sendable {
    /// The walk from one coordinate to another; `nil` if no street connects them.
    let way: @Sendable (_ from: Coordinate, _ to: Coordinate) async throws -> StreetWalks.Way?

    init(way: @escaping @Sendable (_ from: Coordinate, _ to: Coordinate) async throws -> StreetWalks.Way?) {
        self.way = way
    }

    /// Plans walks through the plugin that offers routes.
    init(_ planner: any RoutePlanning, _ context: Context) {
        let context = context.untraced
        way = { from, to in
            let route: any TravelRoute
            do {
                let request = planner.request(over: [from, to], mode: .hiking)
                route = try await planner.plan(request, context: context)
            } catch let error as RutterError {
                // No region, no street nearby, no route: the walk is estimated. Cancellation by Ctrl-C is
                // rethrown.
                try Interruption.check()
                guard error.code != Interruption.stopped.code else { throw error }
                return nil
            }
            let metres = max(route.distance, from.distance(to: to))
            return StreetWalks.Way(seconds: JourneySettings.seconds(along: metres), line: route.line)
        }
    }
}

extension JourneyPlanner {
    /// Journeys whose walks follow streets where possible.
    func journeys(
        _ request: JourneyRequest, live view: RealtimeView?, on streets: StreetPlanner?,
        into trace: inout some TraceRecorder, isTraced: Bool
    ) async throws -> JourneyPlan {
        guard let streets, try await hasStreets(request, streets) else {
            return try journeys(request, live: view, into: &trace, isTraced: isTraced)
        }
        let network = try network(needsWheelchair: request.needsWheelchair)
        func place(_ end: Int32) -> Coordinate {
            switch end {
            case StreetWalks.Pair.start: request.from
            case StreetWalks.Pair.destination: request.to
            default: network.doors[Int(end)].at
            }
        }
        var walks = StreetWalks()
        for round in 0... {
            var none = NoTrace()
            let plan = try journeys(request, live: view, walks: walks, into: &none)
            var unknown: [StreetWalks.Pair] = []
            for pair in plan.journeys.flatMap({ $0.legs.compactMap(\.pair) })
            where walks.known[pair] == nil && !unknown.contains(pair) { unknown.append(pair) }
            if unknown.isEmpty { break }
            for pair in unknown {
                let (from, to) = (place(pair.from), place(pair.to))
                let found =
                    round < JourneySettings.streetRounds ? try await streets.way(from, to) : nil
                let estimate = StreetWalks.Way(
                    seconds: JourneySettings.seconds(from.distance(to: to)), line: nil)
                walks.store(found ?? estimate, for: pair)
            }
        }
        return try journeys(request, live: view, walks: walks, into: &trace, isTraced: isTraced)
    }

    /// Whether there are streets at the start or the destination.
    private func hasStreets(_ request: JourneyRequest, _ streets: StreetPlanner) async throws -> Bool {
        let network = try network(needsWheelchair: request.needsWheelchair)
        for place in [request.from, request.to] {
            let near = network.grid.near(place, request.walk).min { $0.metres < $1.metres }
            let other =
                near.map { network.doors[$0.index].at } ?? (place == request.from ? request.to : request.from)
            if place != other, try await streets.way(place, other) != nil { return true }
        }
        // Far from a stop and from any way, the way to the stop is refused; that to the end may not be.
        return try await streets.way(request.from, request.to) != nil
    }
}
