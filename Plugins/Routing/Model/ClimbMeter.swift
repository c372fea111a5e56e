/// Sums climbing and descending along a line of heights.
///
/// The heights are reduced to turning points: the two ends, and between them only reversals of at least a
/// hysteresis. So gain minus loss always equals the difference of the ends, and the reverse direction swaps
/// the two.
package struct ClimbMeter: Sendable {
    private let hysteresis: Double
    private var settledGain = 0.0
    private var settledLoss = 0.0
    /// The last turning point.
    private var anchor: Double?
    /// The farthest point from it in the present direction.
    private var extreme = 0.0
    private var last = 0.0
    private var lowest = 0.0
    private var highest = 0.0

    package init(hysteresis: Double = RoutingSettings.climbHysteresis) { self.hysteresis = hysteresis }

    /// Adds the next elevation; unknown ones are skipped.
    package mutating func add(_ height: Double) {
        guard height.isFinite else { return }
        guard let start = anchor else {
            (anchor, extreme, last, lowest, highest) = (height, height, height, height, height)
            return
        }
        last = height
        if extreme == start { return leave(start, height) }
        if extreme > start {
            if height >= extreme {
                extreme = height
            } else if extreme - height >= hysteresis {
                settledGain += extreme - start
                (anchor, extreme) = (extreme, height)
            }
        } else if height <= extreme {
            extreme = height
        } else if height - extreme >= hysteresis {
            settledLoss += start - extreme
            (anchor, extreme) = (extreme, height)
        }
    }

    /// The initial direction is undetermined until one side exceeds the hysteresis.
    private mutating func leave(_ start: Double, _ height: Double) {
        lowest = min(lowest, height)
        highest = max(highest, height)
        if height - lowest >= hysteresis {
            settledLoss += start - lowest
            (anchor, extreme) = (lowest, height)
        } else if highest - height >= hysteresis {
            settledGain += highest - start
            (anchor, extreme) = (highest, height)
        }
    }

    /// Metres climbed and descended so far.
    package var sums: (gain: Double, loss: Double) {
        guard let start = anchor else { return (0, 0) }
        var (gain, loss) = (settledGain, settledLoss)
        func add(_ step: Double) { if step > 0 { gain += step } else { loss -= step } }
        add(extreme - start)
        add(last - extreme)
        return (gain, loss)
    }

    /// Metres climbed and descended along heights.
    package static func sums(_ heights: some Sequence<Double>) -> (gain: Double, loss: Double) {
        var meter = ClimbMeter()
        for height in heights { meter.add(height) }
        return meter.sums
    }
}
