import PluginKit

/// The state of guidance at a fix, beside what a watch shows.
struct GuidanceStatus: Sendable, Hashable {
    /// Where the walker is, in relation to the route.
    enum Word: String, Sendable {
        case waiting, onRoute, unclear, offRoute, arrived
    }

    let route: String
    let word: Word
    /// Metres from the start.
    let along: Double
    /// The next instruction; `nil` after the last.
    let next: String?
    /// Metres to its point.
    let toNext: Double?
    /// Metres from the line; `nil` before the first fix.
    let fromRoute: Double?
    /// The number of fixes.
    let fixes: Int

    /// Before the first fix along the route, which may be a new one.
    init(waitingOn route: GuideRoute, fixes: Int) {
        self.route = route.name
        word = .waiting
        self.fixes = fixes
        (along, fromRoute) = (0, nil)
        next = route.stops.first?.turn.description
        toNext = route.stops.first?.along
    }

    /// At a fix.
    init(_ sample: GuidanceRun.Sample, on route: GuideRoute, fixes: Int) {
        self.route = route.name
        word =
            if sample.hasArrived {
                .arrived
            } else if sample.isOffRoute {
                .offRoute
            } else {
                sample.isUnclear ? .unclear : .onRoute
            }
        along = sample.along
        let stop = route.stops.indices.contains(sample.next) ? route.stops[sample.next] : nil
        next = stop?.turn.description
        toNext = stop.map { max(0, $0.along - sample.along) }
        fromRoute = sample.distance
        self.fixes = fixes
    }

    /// A field of the overlay.
    func field(_ name: String) -> Value? {
        switch name {
        case "route": .text(route)
        case "state": .text(word.rawValue)
        case "along": .quantity(.metres(along))
        case "next": Value(next) { .text($0) }
        case "toNext": Value(toNext) { .quantity(.metres($0)) }
        case "fromRoute": Value(fromRoute) { .quantity(.metres($0)) }
        case "fixes": .integer(fixes)
        default: nil
        }
    }
}
