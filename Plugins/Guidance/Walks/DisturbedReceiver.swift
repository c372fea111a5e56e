import Geodesy
import PluginKit

/// The disturbances of a receiver, with start and end.
struct DisturbedReceiver: Sendable {
    /// A disturbance that has begun.
    fileprivate struct Active: Sendable {
        let kind: WalkScript.Disturbance.Kind
        let since: Double
        let until: Double
        var noise: GaussMarkovNoise?
        /// When the last stray, stale or sparse fix came.
        var last: Double
        /// The stray fixes that remain of a burst, and where they lie.
        var strayLeft = 0
        var bearing = 0.0
        var metres = 0.0
    }

    private var waiting: [WalkScript.Disturbance]
    private var active: [Active] = []
    private var elapsed = 0.0
    /// The true positions of the last minutes, for fixes that are old.
    private var past: [(elapsed: Double, truth: Coordinate)] = []
    /// Seconds by which the clock of the fixes is ahead of the true time.
    private(set) var clockError = 0.0

    init(_ disturbances: [WalkScript.Disturbance]) { waiting = disturbances.sorted { $0.at < $1.at } }

    /// Whether the present fix is lost.
    private(set) var isSilent = false

    /// Starts and ends disturbances, at metres from the start of the path and seconds since the start.
    mutating func reach(_ position: Double, _ elapsed: Double, _ random: inout Xoshiro256) {
        self.elapsed = elapsed
        active.removeAll { elapsed >= $0.until }
        while let next = waiting.first, position >= next.at {
            waiting.removeFirst()
            active.append(begun(next, &random))
        }
        isSilent = false
        for index in active.indices {
            switch active[index].kind {
            case .silence: isSilent = true
            case .sparse(let every):
                if elapsed - active[index].last < every {
                    isSilent = true
                } else {
                    active[index].last = elapsed
                }
            default: break
            }
        }
    }

    private mutating func begun(
        _ disturbance: WalkScript.Disturbance, _ random: inout Xoshiro256
    ) -> Active {
        var begun = Active(
            kind: disturbance.kind, since: elapsed, until: elapsed + disturbance.seconds, last: elapsed)
        switch disturbance.kind {
        case .noise(let sigma):
            begun.noise = GaussMarkovNoise(sigma: sigma, timeConstant: WalkSettings.timeConstant)
        case .wrongAccuracy(let sigma, let timeConstant, _):
            begun.noise = GaussMarkovNoise(sigma: sigma, timeConstant: timeConstant)
        case .drift(let metres): (begun.bearing, begun.metres) = (360 * random.unit(), metres)
        case .cold(let metres, let fixes): begun.startBurst(metres, fixes, &random)
        case .clock(let seconds): clockError += seconds
        case .silence, .outliers, .bursts, .stale, .batches, .sparse: break
        }
        return begun
    }

    /// Whether the next fix, after an interval in seconds, is delivered together with the present one.
    func isFollowed(after interval: Double) -> Bool {
        active.contains {
            guard case .batches(let every) = $0.kind, elapsed + interval < $0.until else { return false }
            return ((elapsed - $0.since) / every).rounded(.down)
                == ((elapsed + interval - $0.since) / every).rounded(.down)
        }
    }

    /// Moves a fix; returns its reported accuracy, metres.
    mutating func disturb(
        _ place: inout Coordinate, truth: Coordinate, after seconds: Double, _ random: inout Xoshiro256
    ) -> Double? {
        var accuracy: Double?
        for index in active.indices {
            accuracy =
                active[index].disturb(&place, at: elapsed, past, after: seconds, &random) ?? accuracy
        }
        if active.contains(where: { if case .stale = $0.kind { true } else { false } }) {
            past.append((elapsed, truth))
        }
        return accuracy
    }
}

extension DisturbedReceiver.Active {
    /// The next fixes lie together, some metres away.
    fileprivate mutating func startBurst(
        _ range: ClosedRange<Double>, _ fixes: ClosedRange<Int>, _ random: inout Xoshiro256
    ) {
        strayLeft = fixes.lowerBound + Int(random.unit() * Double(fixes.count))
        bearing = 360 * random.unit()
        metres = range.lowerBound + random.unit() * (range.upperBound - range.lowerBound)
    }

    /// Moves a fix; returns its reported accuracy, metres, if it is another.
    fileprivate mutating func disturb(
        _ place: inout Coordinate, at elapsed: Double, _ past: [(elapsed: Double, truth: Coordinate)],
        after seconds: Double, _ random: inout Xoshiro256
    ) -> Double? {
        switch kind {
        case .noise(let sigma):
            place = noise?.shifted(place, after: seconds, &random) ?? place
            return sigma
        case .wrongAccuracy(_, _, let reported):
            place = noise?.shifted(place, after: seconds, &random) ?? place
            return reported
        case .outliers(let metres, let every) where elapsed - last >= every:
            last = elapsed
            place = place.destination(bearing: 360 * random.unit(), distance: metres)
        case .bursts(let metres, let fixes, let every):
            if elapsed - last >= every {
                last = elapsed
                startBurst(metres, fixes, &random)
            }
            stray(&place)
        case .cold: stray(&place)
        case .drift(let metres):
            // Out to the whole distance in the first half of its time, and back.
            let share = (elapsed - since) / (until - since)
            place = place.destination(bearing: bearing, distance: metres * (1 - abs(2 * share - 1)))
        case .stale(let age, let every) where elapsed - last >= every:
            last = elapsed
            if let old = past.last(where: { $0.elapsed <= elapsed - age }) { place = old.truth }
        case .silence, .outliers, .stale, .clock, .batches, .sparse: break
        }
        return nil
    }

    private mutating func stray(_ place: inout Coordinate) {
        guard strayLeft > 0 else { return }
        strayLeft -= 1
        place = place.destination(bearing: bearing, distance: metres)
    }
}
