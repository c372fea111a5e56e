import Geodesy
import PluginKit
import TurnInstructions

/// A roundabout on a line: its bends are those of the circle, and the turn is that from before it to behind it.
enum Roundabout {
    /// The longest way around, metres.
    private static let longest = 150.0
    /// Metres between two looks at the line, from the ends at which its direction is taken, and on which it is straight again.
    private static let step = 5.0
    private static let outside = 15.0
    private static let straight = 20.0
    /// Degrees within which a line is straight.
    private static let steady = 12.0

    /// Metres from the start of the line to where it goes straight on behind a roundabout that begins at `start`.
    static func end(from start: Double, _ geometry: RouteGeometry) -> Double {
        let last = min(geometry.length, start + longest)
        var along = start + step
        while along < last {
            let headings = stride(from: along, through: along + straight, by: step).map {
                geometry.bearing(at: min($0, geometry.length))
            }
            if headings.allSatisfy({ abs(Angle.difference(from: headings[0], to: $0)) <= steady }) {
                return along
            }
            along += step
        }
        return start
    }

    /// The turn from before a roundabout to behind it.
    static func direction(from start: Double, to end: Double, _ geometry: RouteGeometry) -> TurnDirection {
        let before = geometry.bearing(at: max(0, start - outside))
        let after = geometry.bearing(at: min(geometry.length, end + outside))
        return TurnThresholds().direction(Angle.difference(from: before, to: after))
    }
}
