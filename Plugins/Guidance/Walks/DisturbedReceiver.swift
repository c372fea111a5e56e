import Geodesy
import PluginKit

/// The disturbances of a receiver, with start and end.
struct DisturbedReceiver: Sendable {
    private var waiting: [WalkScript.Disturbance]
    private var present: (kind: WalkScript.Disturbance.Kind, since: Double, until: Double)?
    private var noise: GaussMarkovNoise?
    private var lastOutlier = 0.0
    private var elapsed = 0.0

    init(_ disturbances: [WalkScript.Disturbance]) { waiting = disturbances.sorted { $0.at < $1.at } }

    /// Whether fixes are lost.
    var isSilent: Bool { present?.kind == .silence }

    /// Starts and ends disturbances, at metres from the start of the path and seconds since the start.
    mutating func reach(_ position: Double, _ elapsed: Double) {
        self.elapsed = elapsed
        if let until = present?.until, elapsed >= until { present = nil }
        guard let next = waiting.first, position >= next.at else { return }
        waiting.removeFirst()
        present = (next.kind, elapsed, elapsed + next.seconds)
        lastOutlier = elapsed
        noise = nil
        if case .noise(let sigma) = next.kind {
            noise = GaussMarkovNoise(sigma: sigma, timeConstant: WalkSettings.timeConstant)
        }
    }

    /// Moves a fix; returns its reported accuracy, metres.
    mutating func disturb(
        _ place: inout Coordinate, after seconds: Double, _ random: inout Xoshiro256
    ) -> Double? {
        switch present?.kind {
        case .noise(let sigma):
            guard var noise else { return nil }
            place = noise.shifted(place, after: seconds, &random)
            self.noise = noise
            return sigma
        case .outliers(let metres, let every) where elapsed - lastOutlier >= every:
            lastOutlier = elapsed
            place = place.destination(bearing: 360 * random.unit(), distance: metres)
            return nil
        case .silence, .outliers, nil: return nil
        }
    }
}
