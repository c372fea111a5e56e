import Foundation
import Geodesy
import PluginKit

/// Where a source is heard: from a bearing to a place beside the listener, a level, and whether one has arrived.
package struct Placement: Sendable, Hashable {
    /// Great-circle bearing in degrees, 0 ≤ bearing < 360; of north 0.
    package var bearing: Double
    /// Degrees clockwise from where the listener looks, 0 ≤ relative < 360.
    package var relative: Double
    /// Metres to the place; `nil` for north, which is no place.
    package var distance: Double?
    /// Metres in the listener's space: right, up, and towards the back (ahead is −z).
    package var x: Double
    package var y: Double
    package var z: Double
    /// Whether it is behind the listener and therefore duller.
    package var isBehind: Bool
    /// Whether one is there: it sounds without direction.
    package var hasArrived: Bool
    /// Level, 0…1.
    package var gain: Double
}

/// How bearings become places around the listener.
package struct Placing: Sendable {
    /// Whether distance makes a source quieter.
    package var fades: Bool

    package init(fades: Bool = false) { self.fades = fades }

    /// The placement of a place, or of north for `nil`; `wasThere` tells whether one had arrived before.
    package func placement<Recorder: TraceRecorder>(
        of target: Coordinate?, name: String, from pose: Pose, wasThere: Bool, trace: inout Recorder
    ) -> Placement {
        let distance = target.map { pose.place.distance(to: $0) }
        let bearing = target.map { pose.place.bearing(to: $0) } ?? 0
        trace.record(
            TraceStep(
                "bearing",
                [
                    ("beacon", .text(name)), ("bearing", .quantity(.direction(bearing))),
                    ("distance", Value(distance) { .quantity(.metres($0)) }),
                ],
                why: target == nil
                    ? "north is a direction and no place: 0° from everywhere"
                    : "the great circle begins in this direction"))
        let relative = Angle.normalized(bearing - pose.heading)
        trace.record(
            TraceStep(
                "relative",
                [
                    ("beacon", .text(name)), ("heading", .quantity(.direction(pose.heading))),
                    ("relative", .quantity(.direction(relative))),
                ], why: "bearing − heading, as the listener sees it"))
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
                    : "not behind: the timbre as it is"))
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
                    : "distance does not count unless --fade is given"))
        return Placement(
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

    /// Having arrived one stays so until one is well away again.
    private func limit(_ wasThere: Bool) -> Double {
        wasThere ? BeaconSettings.departureRadius : BeaconSettings.arrivalRadius
    }

    private func gain(_ distance: Double?) -> Double {
        guard fades, let distance else { return 1 }
        let full = BeaconSettings.fullGainDistance
        return max(BeaconSettings.leastGain, full / max(full, distance))
    }

    private func arrivalWords(_ distance: Double?, hasArrived: Bool, wasThere: Bool) -> String {
        guard let distance else { return "nobody arrives at north" }
        let metres = Literal.quantity(.metres(distance))
        let limit = Literal.number(limit(wasThere))
        return hasArrived
            ? "\(metres) is within \(limit) m: a sound of its own without direction"
            : "\(metres) is farther than \(limit) m"
    }

    private func tidy(_ value: Double) -> Double { (value * 1000).rounded() / 1000 + 0 }
}
