import PluginKit

/// The costs of ways as data: nothing else decides where a route goes.
///
/// A cost is metres of easy way. Factors of `nil` mean impassable.
package struct CostProfile: Sendable, Hashable {
    /// A descent up to a grade.
    package struct Descent: Sendable, Hashable {
        /// The grade in percent below which the factor holds.
        package var below: Double
        package var factor: Double
    }

    package var name: String
    package var mode: TravelMode
    /// Metres of cost that are walked or ridden in a second.
    package var speed: Double
    /// Factors of the distance by the value of `surface`.
    package var surfaces: [String: Double]
    /// The factor of any other surface, and of none.
    package var otherSurface: Double
    /// Factors of the distance by the value of `sac_scale`; any other counts 1.
    package var sacScales: [String: Double]
    /// Further factors by the value of `highway`; any other counts 1.
    package var highways: [String: Double]
    /// Values of `highway` that are impassable.
    package var closedHighways: Set<String>
    /// Cost of a metre climbed.
    package var gain: Double
    /// Cost of a metre descended, times the factor of its grade.
    package var loss: Double
    /// Factors of a descent by its grade, the least steep first.
    package var descents: [Descent]
    /// The factor of descents steeper than all of these.
    package var steepestDescent: Double
    /// Grades above it are impassable.
    package var sacLimit: SACScale?
}

extension CostProfile {
    /// The factor of the distance on ways of a kind; infinite where impassable.
    package func factor(of kind: EdgeKind) -> Double {
        if let highway = kind.highway, closedHighways.contains(highway) { return .infinity }
        if mode == .cycling, kind.flags.contains(.noBicycle) { return .infinity }
        if isBeyondLimit(kind) { return .infinity }
        let surface = kind.surface.flatMap { surfaces[$0] } ?? otherSurface
        let sac = kind.sacScale.flatMap { sacScales[$0] } ?? 1
        let highway = kind.highway.flatMap { highways[$0] } ?? 1
        return surface * sac * highway
    }

    /// Whether a way is harder than the limit.
    package func isBeyondLimit(_ kind: EdgeKind) -> Bool {
        guard let sacLimit, let grade = kind.sac else { return false }
        return grade > sacLimit
    }

    /// The cost of climbing and descending over a distance.
    package func climbing(distance: Double, gain: Double, loss: Double) -> Double {
        var cost = gain * self.gain
        if loss > 0, self.loss > 0 {
            cost += loss * self.loss * descentFactor(distance: distance, loss: loss)
        }
        return cost
    }

    /// The whole cost of a way, infinite where impassable.
    package func cost(distance: Double, gain: Double, loss: Double, kind: EdgeKind) -> Double {
        distance * factor(of: kind) + climbing(distance: distance, gain: gain, loss: loss)
    }

    /// The factor of a descent by its grade in percent; a drop without distance is the steepest.
    package func descentFactor(distance: Double, loss: Double) -> Double {
        guard distance > 0 else { return steepestDescent }
        let grade = loss / distance * 100
        for descent in descents where grade < descent.below { return descent.factor }
        return steepestDescent
    }

    /// The least that a metre can cost.
    package var leastPerMetre: Double {
        let surface = min(surfaces.values.min() ?? otherSurface, otherSurface)
        return surface * min(1, sacScales.values.min() ?? 1) * min(1, highways.values.min() ?? 1)
    }

    /// Whether the costs in a region's database are those of this profile; a limit only takes ways away.
    package var usesStoredCosts: Bool {
        var unlimited = self
        unlimited.sacLimit = nil
        return unlimited == .hiking
    }

    /// The same profile with ways above a grade impassable.
    package func limited(to limit: SACScale?) -> CostProfile {
        var copy = self
        copy.sacLimit = limit
        return copy
    }
}
