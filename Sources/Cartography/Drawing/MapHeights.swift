import Pictures

/// Heights on a map, in its units.
enum MapHeights {
    /// Stored units of a metre: labels in feet need more than whole metres.
    static let perMetre = 100.0
    /// Metres of a foot.
    static let foot = 0.3048
    /// Feet between contours in place of a metre: 40 feet where metric maps have 10 m.
    private static let feetPerMetreOfStep = 4.0

    /// Contours of a map.
    struct Steps {
        /// Lines in the map's units, and the metres of one.
        var step: Double
        var unit: Double
        /// The words for the step.
        var words: String
        /// Metres between lines.
        var metres: Double { step * unit }

        init(metric: Double, _ units: ScaleUnits) {
            let isMetric = units == .metric
            step = isMetric ? metric : metric * MapHeights.feetPerMetreOfStep
            unit = isMetric ? 1 : MapHeights.foot
            words = "\(Int(step.rounded())) \(isMetric ? "m" : "ft")"
        }

        /// The number on the line of a height in metres.
        func text(_ metres: Double) -> String { MapHeights.signed((metres / unit).rounded()) }
    }

    /// A stored height as a whole number of the map's units.
    static func text(_ stored: Int, _ units: ScaleUnits) -> String {
        let metres = Double(stored) / perMetre
        return signed((units == .metric ? metres : metres / foot).rounded())
    }

    private static func signed(_ number: Double) -> String {
        number < 0 ? "\u{2212}\(Int(-number))" : "\(Int(number))"
    }
}

extension DrawnFeature {
    /// Its height in whole units of the map; `nil` if it has none.
    func height(_ units: ScaleUnits) -> String? {
        guard !MapKinds.isSettlement[kind], MapKinds.all[kind].shape == .point else { return nil }
        return value.map { MapHeights.text($0, units) }
    }
}
