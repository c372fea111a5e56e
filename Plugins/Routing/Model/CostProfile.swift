import PluginKit

/// The costs of ways as data, which alone determine routes.
///
/// A cost is in equivalent metres of easy way. Factors of `nil` mean impassable.
package struct CostProfile: Sendable, Hashable {
    /// The factor of descents up to a grade.
    package struct Descent: Sendable, Hashable {
        /// The grade in percent below which the factor applies.
        var below: Double
        var factor: Double
    }

    package var name: String
    package var mode: TravelMode
    /// Metres of cost per second of travel.
    var speed: Double
    /// Factors of the distance by the value of `surface`.
    var surfaces: [String: Double]
    /// The factor of other and missing values of `surface`.
    var otherSurface: Double
    /// The factor of a missing `surface` by the value of `highway`, instead of `otherSurface`: streets are paved.
    var missingSurfaces: [String: Double] = [:]
    /// Factors of the distance by the value of `sac_scale`; 1 for other values.
    var sacScales: [String: Double]
    /// Further factors by the value of `highway`; 1 for other values.
    var highways: [String: Double]
    /// Values of `highway` that are impassable.
    var closedHighways: Set<String>
    /// Cost of a metre climbed.
    var gain: Double
    /// Cost of a metre descended, times the factor of its grade.
    var loss: Double
    /// Factors of a descent by its grade, the least steep first.
    var descents: [Descent]
    /// The factor of descents steeper than all of these.
    var steepestDescent: Double
    /// Grades above it are impassable.
    var sacLimit: SACScale?
    /// Ways of this grade and above cause a warning.
    var sacWarning: SACScale?
    /// Preferences by any tag that an import keeps. Their factors affect the choice of ways, not the
    /// duration.
    var rules: [CostRule] = []
    /// Values of access tags that are treated as open although they are closed to the public, such as
    /// `private`.
    package var allowed: Set<String> = []
    /// The time of travel, for conditional restrictions; `nil` for none.
    package var moment: LocalMoment?
    /// Cost is the plain length, on ferries and in lifts too; closed ways stay closed.
    var isBareDistance = false
    /// Costs are durations: restricted access is not avoided.
    private(set) var isTimed = false
}

extension CostProfile {
    /// The cost per metre of a kind of way except climbing, and the cost of entering it.
    package struct KindCost: Sendable, Hashable {
        /// Cost per metre with all preferences; infinite if impassable.
        var factor: Double
        /// Cost per edge, whatever its length.
        var fixed = 0.0
        /// Cost per metre without preferences, from which the duration is computed; finite.
        var effort: Double
        /// Whether climbing is charged.
        var climbs = true
    }

    /// The cost of ways of a kind.
    func kindCost(_ kind: EdgeKind) -> KindCost {
        if isBareDistance {
            let isOpen = !access(to: kind).isClosed && !isClosed(kind)
            return KindCost(factor: isOpen ? 1 : .infinity, effort: 1, climbs: false)
        }
        let effort = effort(of: kind)
        var cost = KindCost(factor: effort, effort: effort, climbs: !kind.isRide)
        if kind.highway == "elevator" { cost.fixed = RoutingSettings.liftSeconds * speed }
        for rule in rules where rule.holds(kind) {
            cost.factor *= rule.factor
            cost.fixed += rule.seconds * speed
            if rule.isForbidden { cost.factor = .infinity }
        }
        switch access(to: kind) {
        case .open: break
        case .restricted: if !isTimed { cost.factor *= RoutingSettings.restrictedFactor }
        case .closed: cost.factor = .infinity
        }
        if isClosed(kind) { cost.factor = .infinity }
        return cost
    }

    /// The access to a way. Nothing is closed if the graph has no access tags.
    func access(to kind: EdgeKind) -> AccessRules.Verdict {
        guard kind.tags != nil else { return .open }
        return AccessRules.verdict(kind.value, mode: mode, allowed: allowed, now: moment)
    }

    /// Whether the profile itself forbids a kind of way.
    private func isClosed(_ kind: EdgeKind) -> Bool {
        if let highway = kind.highway, closedHighways.contains(highway) { return true }
        if mode == .cycling, kind.tags == nil, kind.flags.contains(.noBicycle) { return true }
        return isBeyondLimit(kind)
    }

    /// The cost per metre by the tables only.
    private func effort(of kind: EdgeKind) -> Double {
        if kind.highway == "ferry" { return speed / kind.ferrySpeed }
        if mode == .cycling, AccessRules.isPushed(kind.value) { return speed / RoutingSettings.pushingSpeed }
        if kind.highway == "elevator" || kind.obstacle != nil { return 0 }
        let surface = surfaceFactor(kind)
        let sac = kind.sac.flatMap { sacScales[$0.rawValue] } ?? 1
        let highway = kind.highway.flatMap { highways[$0] } ?? 1
        return surface * sac * highway
    }

    /// The factor of a way's surface: of its value, else by the kind of way, else that of other values.
    func surfaceFactor(_ kind: EdgeKind) -> Double {
        if let surface = kind.surface { return knownSurface(surface) ?? otherSurface }
        return kind.highway.flatMap { missingSurfaces[$0] } ?? otherSurface
    }

    /// The factor of a value of `surface`, of several the greatest; `nil` unless each has one.
    func knownSurface(_ value: String) -> Double? {
        if let factor = surfaces[value] { return factor }
        let parts = value.split(separator: ";").map { surfaces[$0.trimmingPrefix(" ").description] }
        guard parts.count > 1, parts.allSatisfy({ $0 != nil }) else { return nil }
        return parts.compactMap(\.self).max()
    }

    /// The factor of the distance on ways of a kind; infinite if impassable.
    func factor(of kind: EdgeKind) -> Double { kindCost(kind).factor }

    /// Whether the one-way rules of the mode allow a kind of way in a direction.
    func mayGo(_ kind: EdgeKind, isReversed: Bool) -> Bool {
        if let timed = TimedDirections.mayGo(kind, isReversed: isReversed, mode: mode, at: moment) {
            return timed
        }
        if mode == .cycling { return !(isReversed && kind.isOneway) }
        return !kind.flags.contains(isReversed ? .noWalkBackward : .noWalkForward)
    }

    /// Whether a way is harder than the limit.
    func isBeyondLimit(_ kind: EdgeKind) -> Bool {
        guard let sacLimit, let grade = kind.sac else { return false }
        return grade > sacLimit
    }

    /// The cost of climbing and descending over a distance.
    func climbing(distance: Double, gain: Double, loss: Double) -> Double {
        var cost = gain * self.gain
        if loss > 0, self.loss > 0 {
            cost += loss * self.loss * descentFactor(distance: distance, loss: loss)
        }
        return cost
    }

    /// The total cost of a way; infinite if impassable.
    package func cost(distance: Double, gain: Double, loss: Double, kind: EdgeKind) -> Double {
        cost(distance: distance, gain: gain, loss: loss, kindCost(kind))
    }

    /// The total cost of a way with the given cost of its kind.
    @inline(__always)
    func cost(distance: Double, gain: Double, loss: Double, _ kind: KindCost) -> Double {
        // On an edge of length zero, infinity times the length would not be infinite.
        guard kind.factor.isFinite else { return .infinity }
        let flat = distance * kind.factor + kind.fixed
        return kind.climbs ? flat + climbing(distance: distance, gain: gain, loss: loss) : flat
    }

    /// The cost in the columns of a database: the formula only, without access.
    func storedCost(distance: Double, gain: Double, loss: Double, _ kind: KindCost) -> Double {
        seconds(distance: distance, gain: gain, loss: loss, kind) * speed
    }

    /// Seconds for a way with the given cost of its kind, without preferences.
    func seconds(distance: Double, gain: Double, loss: Double, _ kind: KindCost) -> Double {
        let flat = distance * kind.effort + kind.fixed
        return (kind.climbs ? flat + climbing(distance: distance, gain: gain, loss: loss) : flat) / speed
    }

    /// The profile whose costs are durations: what is forbidden stays forbidden, without preferences.
    package var timed: CostProfile {
        var copy = self
        for index in copy.rules.indices { copy.rules[index].factor = 1 }
        copy.isTimed = true
        return copy
    }

    /// The factor of a descent by its grade in percent; a drop without distance has the steepest grade.
    func descentFactor(distance: Double, loss: Double) -> Double {
        guard distance > 0 else { return steepestDescent }
        let grade = loss / distance * 100
        for descent in descents where grade < descent.below { return descent.factor }
        return steepestDescent
    }

    /// Whether the costs in a region's database are those of this profile; a limit only removes ways.
    var usesStoredCosts: Bool {
        var unlimited = self
        unlimited.sacLimit = nil
        unlimited.allowed = []
        unlimited.moment = nil
        return unlimited == .appHiking
    }

    /// The same profile with ways above a grade impassable.
    func limited(to limit: SACScale?) -> CostProfile {
        var copy = self
        copy.sacLimit = limit
        return copy
    }
}
