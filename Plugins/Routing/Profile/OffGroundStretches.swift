/// The stretches of a planned route on bridges, in tunnels and on ferries, whose heights are those between their ends.
struct OffGroundStretches {
    /// Metres from the start.
    private var stretches: [ClosedRange<Double>] = []

    /// Those of a route with known heights; none of a saved one, which keeps no ways.
    init(_ route: Route) {
        guard let found = route.found, RouteProfile.of(route) != nil else { return }
        var along = 0.0
        for edge in found.edges {
            let end = along + edge.distance
            if edge.kind.flags.contains(.offGround), edge.distance > 0 {
                if let last = stretches.last, last.upperBound >= along {
                    stretches[stretches.count - 1] = last.lowerBound...end
                } else {
                    stretches.append(along...end)
                }
            }
            along = end
        }
    }

    var isEmpty: Bool { stretches.isEmpty }

    /// Metres in all.
    var length: Double { stretches.reduce(0) { $0 + $1.upperBound - $1.lowerBound } }

    /// Whether a distance from the start, metres, lies within one, its ends excluded: they are on the ground.
    func contain(_ distance: Double) -> Bool {
        stretches.contains { distance > $0.lowerBound && distance < $0.upperBound }
    }
}
