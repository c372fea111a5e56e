/// The cost of a stretch of way, part by part.
package struct CostBreakdown: Sendable, Hashable {
    /// A part: a rule or an entry of a table, and the cost that it adds; negative for a reduction.
    package struct Part: Sendable, Hashable {
        var rule: String
        package var cost: Double
    }

    /// The parts: the bare distance, then factors in the order of their application, then climbing.
    var parts: [Part]
    /// The sum of all parts: the cost of the stretch.
    package var cost: Double { parts.reduce(0) { $0 + $1.cost } }
}

extension CostProfile {
    /// The name of the parts that are not rules.
    enum PartName {
        static let distance = "distance"
        static let climb = "climbing"
        static let descent = "descending"
    }

    /// The cost of a stretch, part by part; the sum is `cost(distance:gain:loss:kind:)`.
    func breakdown(distance: Double, gain: Double, loss: Double, kind: EdgeKind) -> CostBreakdown {
        var parts = [CostBreakdown.Part(rule: PartName.distance, cost: distance)]
        var sum = distance
        func multiply(_ rule: String, _ factor: Double) {
            guard factor != 1, factor.isFinite else { return }
            parts.append(.init(rule: rule, cost: sum * (factor - 1)))
            sum *= factor
        }
        for (rule, factor) in tableFactors(kind) { multiply(rule, factor) }
        for rule in rules where rule.holds(kind) { multiply(rule.text, rule.factor) }
        if let why = access(to: kind).restriction { multiply(why, RoutingSettings.restrictedFactor) }
        if kind.highway == "elevator" {
            parts.append(.init(rule: "lift", cost: RoutingSettings.liftSeconds * speed))
        }
        for rule in rules where rule.holds(kind) && rule.seconds > 0 {
            parts.append(.init(rule: rule.text, cost: rule.seconds * speed))
        }
        guard !kind.isRide else { return CostBreakdown(parts: parts) }
        if gain > 0, self.gain > 0 { parts.append(.init(rule: PartName.climb, cost: gain * self.gain)) }
        let descending = climbing(distance: distance, gain: 0, loss: loss)
        if descending > 0 { parts.append(.init(rule: PartName.descent, cost: descending)) }
        return CostBreakdown(parts: parts)
    }

    /// The factors of the tables, with their names.
    private func tableFactors(_ kind: EdgeKind) -> [(rule: String, factor: Double)] {
        if kind.highway == "ferry" { return [("ferry", speed / kind.ferrySpeed)] }
        if mode == .cycling, kind.obstacle == nil, AccessRules.isPushed(kind.value) {
            return [("pushed", speed / RoutingSettings.pushingSpeed)]
        }
        if kind.highway == "elevator" || kind.obstacle != nil { return [("obstacle", 0)] }
        let surface = kind.surface.flatMap(knownSurface)
        return [
            (surface == nil ? "surface unknown" : "surface=\(kind.surface ?? "")", surfaceFactor(kind)),
            ("sac_scale=\(kind.sacScale ?? "")", kind.sacScale.flatMap { sacScales[$0] } ?? 1),
            ("highway=\(kind.highway ?? "")", kind.highway.flatMap { highways[$0] } ?? 1),
        ]
    }

    /// The profile without a rule or an entry of a table, by its name in a breakdown; `nil` if it is
    /// neither.
    package func without(_ rule: String) -> CostProfile? {
        var copy = self
        if let index = rules.firstIndex(where: { $0.text == rule }) {
            copy.rules.remove(at: index)
            return copy
        }
        switch rule {
        case PartName.climb: copy.gain = 0
        case PartName.descent: copy.loss = 0
        case "surface unknown": copy.otherSurface = 1
        case let text where text.hasPrefix("surface="): copy.surfaces[String(text.dropFirst(8))] = 1
        case let text where text.hasPrefix("sac_scale="): copy.sacScales[String(text.dropFirst(10))] = 1
        case let text where text.hasPrefix("highway="): copy.highways[String(text.dropFirst(8))] = 1
        default: return nil
        }
        return copy
    }
}
