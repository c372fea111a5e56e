import PluginKit

extension CostProfile {
    /// Walking. The costs in a region's database are these.
    package static let hiking = CostProfile(
        name: "hiking", mode: .hiking, speed: 1.33,
        surfaces: [
            "paved": 1.0, "asphalt": 1.0, "concrete": 1.0, "compacted": 1.1, "fine_gravel": 1.1, "wood": 1.1,
            "gravel": 1.2, "ground": 1.3, "dirt": 1.3, "earth": 1.3, "grass": 1.4, "rock": 1.5,
            "pebblestone": 1.5, "sand": 1.8, "mud": 2.0,
        ],
        otherSurface: 1.3,
        sacScales: [
            "hiking": 1.0, "mountain_hiking": 1.2, "demanding_mountain_hiking": 1.5, "alpine_hiking": 2.0,
            "demanding_alpine_hiking": 3.0, "difficult_alpine_hiking": 5.0,
        ],
        highways: ["steps": 1.5], closedHighways: [],
        gain: 7.92, loss: 7.92,
        descents: [
            Descent(below: 5, factor: 0), Descent(below: 15, factor: 0.3), Descent(below: 25, factor: 0.8),
        ],
        steepestDescent: 1.5, sacLimit: nil)

    /// Cycling.
    package static let cycling = CostProfile(
        name: "cycling", mode: .cycling, speed: 4.17,
        surfaces: [
            "paved": 1.0, "asphalt": 1.0, "concrete": 1.0, "compacted": 1.2, "wood": 1.2, "fine_gravel": 1.3,
            "gravel": 1.5, "pebblestone": 2.0, "ground": 2.0, "dirt": 2.0, "earth": 2.0, "rock": 2.5,
            "grass": 3.0, "sand": 3.0, "mud": 4.0,
        ],
        otherSurface: 1.5, sacScales: [:], highways: [:], closedHighways: ["steps"],
        gain: 12.0, loss: 0, descents: [], steepestDescent: 0, sacLimit: nil)

    /// Bare distance on foot, as map matching measures it.
    package static let distance = CostProfile(
        name: "distance", mode: .hiking, speed: 1, surfaces: [:], otherSurface: 1, sacScales: [:],
        highways: [:], closedHighways: [], gain: 0, loss: 0, descents: [], steepestDescent: 0, sacLimit: nil)

    /// The default profile of a mode.
    package static func standard(_ mode: TravelMode) -> CostProfile {
        switch mode {
        case .hiking: .hiking
        case .cycling: .cycling
        }
    }
}
