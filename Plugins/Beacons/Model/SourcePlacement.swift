import Foundation
import Geodesy
import PluginKit

/// The placement of a source: its bearing, its position beside the listener, its level, and whether it is
/// reached.
struct SourcePlacement: Sendable, Hashable {
    /// Great-circle bearing in degrees, 0 ≤ bearing < 360; of north 0.
    var bearing: Double
    /// Degrees clockwise from the listener's heading, 0 ≤ relative < 360.
    var relative: Double
    /// Metres to the source; `nil` for north.
    var distance: Double?
    /// Metres in the listener's space: right, up, and towards the back (ahead is −z).
    var x: Double
    var y: Double
    var z: Double
    /// Whether it is behind the listener, and therefore sounds duller.
    var isBehind: Bool
    /// Whether it is reached: it sounds without direction.
    var hasArrived: Bool
    /// Level, 0…1.
    var gain: Double

    /// Whether it lies in a direction: a place where the listener is lies in none.
    var hasDirection: Bool { distance.map { $0 >= BeaconSettings.leastDistance } ?? true }

    /// Whether one faces it: a place that is not reached, nearly ahead.
    var isFacing: Bool {
        distance != nil && !hasArrived
            && min(relative, 360 - relative) <= BeaconSettings.facing
    }
}

/// Computes positions around the listener from bearings.
package struct PlacementCalculator: Sendable {
    /// Whether distance attenuates a source.
    var fades: Bool

    package init(fades: Bool = false) { self.fades = fades }

    /// The placement of a coordinate, or of north for `nil`; `wasThere` is whether it was reached before.
    func placement<Recorder: TraceRecorder>(
        of target: Coordinate?, name: String, from pose: Pose, wasThere: Bool, trace: inout Recorder
    ) -> SourcePlacement {
        let distance = target.map { pose.coordinate.distance(to: $0) }
        let bearing = target.map { pose.coordinate.bearing(to: $0) } ?? 0
        trace.record(
            TraceStep(
                "bearing",
                [
                    ("beacon", .text(name)), ("bearing", .quantity(.direction(bearing))),
                    ("distance", Value(distance) { .quantity(.metres($0)) }),
                ],
                why: target == nil
                    ? "north is a direction: 0° from everywhere"
                    : "initial bearing of the great circle"))
        let relative = Angle.normalized(bearing - pose.heading)
        trace.record(
            TraceStep(
                "relative",
                [
                    ("beacon", .text(name)), ("heading", .quantity(.direction(pose.heading))),
                    ("relative", .quantity(.direction(relative))),
                ], why: "bearing − heading"))
        let (x, z) = Self.position(relative)
        trace.record(
            TraceStep(
                "position",
                [
                    ("beacon", .text(name)), ("x", .number(tidy(x))), ("y", .number(0)),
                    ("z", .number(tidy(z))),
                ],
                why: "\(Literal.number(BeaconSettings.sourceDistance)) m away: x to the right, −z ahead"))
        let isBehind = BeaconSettings.behind.contains(relative)
        trace.record(
            TraceStep(
                "timbre", [("beacon", .text(name)), ("behind", .boolean(isBehind))],
                why: isBehind
                    ? "125°–235°: front and back have the same delay and level, so behind sounds duller"
                    : "not behind: unchanged timbre"))
        let hasArrived = distance.map { $0 <= limit(wasThere) } ?? false
        trace.record(
            TraceStep(
                "arrival", [("beacon", .text(name)), ("arrived", .boolean(hasArrived))],
                why: arrivalWords(distance, hasArrived: hasArrived, wasThere: wasThere)))
        let gain = gain(distance)
        trace.record(
            TraceStep(
                "gain", [("beacon", .text(name)), ("gain", .number(tidy(gain)))],
                why: fades
                    ? "full up to \(Literal.number(BeaconSettings.fullGainDistance)) m, then falling with distance"
                    : "distance is ignored without --fade"))
        return SourcePlacement(
            bearing: bearing, relative: relative, distance: distance, x: x, y: 0, z: z, isBehind: isBehind,
            hasArrived: hasArrived, gain: gain)
    }

    /// Metres to the right and to the back of a relative bearing.
    package static func position(_ relative: Double) -> (x: Double, z: Double) {
        (
            BeaconSettings.sourceDistance * sin(relative.radians),
            -BeaconSettings.sourceDistance * cos(relative.radians)
        )
    }

    /// A hysteresis: a reached source stays reached up to a greater distance.
    private func limit(_ wasThere: Bool) -> Double {
        wasThere ? BeaconSettings.departureRadius : BeaconSettings.arrivalRadius
    }

    private func gain(_ distance: Double?) -> Double {
        guard fades, let distance else { return 1 }
        let full = BeaconSettings.fullGainDistance
        return max(BeaconSettings.leastGain, full / max(full, distance))
    }

    private func arrivalWords(_ distance: Double?, hasArrived: Bool, wasThere: Bool) -> String {
        guard let distance else { return "north is never reached" }
        let metres = Literal.quantity(.metres(distance))
        let limit = Literal.number(limit(wasThere))
        return hasArrived
            ? "\(metres) is within \(limit) m: a sound of its own without direction"
            : "\(metres) is farther than \(limit) m"
    }

    private func tidy(_ value: Double) -> Double { (value * 1000).rounded() / 1000 + 0 }
}
