import Geodesy
import PluginKit

/// A listener's coordinate and heading.
struct Pose: Sendable, Hashable {
    var coordinate: Coordinate
    /// Degrees clockwise from true north.
    var heading: Double

    init(coordinate: Coordinate, heading: Double) {
        self.coordinate = coordinate
        self.heading = heading
    }
}

/// A turning rate: an angle per time.
package struct TurnRate: Sendable, Hashable {
    /// Degrees, positive to the right, and the seconds they take.
    package let degrees: Double
    package let seconds: Double

    package init(degrees: Double, seconds: Double) {
        self.degrees = degrees
        self.seconds = seconds
    }

    /// Degrees turned after some seconds, at a constant rate.
    func angle(after time: Double) -> Double { degrees * (time / seconds) }
}

/// A listener's coordinate and heading over time.
package struct ListenerPath: Sendable {
    /// Points of a walk and the seconds at which each is reached; a single point without a walk.
    private let points: [Coordinate]
    private let times: [Double]
    /// Fixed heading in degrees; `nil` follows the walk.
    private let heading: Double?
    private let turning: TurnRate?
    /// Metres walked at each point.
    private let lengths: [Double]

    /// A standing listener.
    package init(at coordinate: Coordinate, heading: Double, turning: TurnRate? = nil) {
        points = [coordinate]
        times = [0]
        lengths = [0]
        self.heading = heading
        self.turning = turning
    }

    /// A listener who walks along points, at their times if all are known and increase, else at a constant
    /// speed.
    package init(
        along points: [Coordinate], at moments: [Double]?, heading: Double?, turning: TurnRate? = nil
    ) {
        self.points = points
        lengths = Polyline.cumulativeDistances(points)
        let usable = moments.flatMap { moments in
            moments.count == points.count && zip(moments, moments.dropFirst()).allSatisfy { $0 <= $1 }
                && (moments.last ?? 0) > (moments.first ?? 0) ? moments : nil
        }
        if let usable, let first = usable.first {
            times = usable.map { $0 - first }
        } else {
            times = lengths.map { $0 / BeaconSettings.walkingSpeed }
        }
        self.heading = heading
        self.turning = turning
    }

    /// Seconds that the walk takes; 0 without a walk.
    package var duration: Double { times.last ?? 0 }

    /// The pose after some seconds; past the end of the walk the last one.
    func pose(at time: Double) -> Pose {
        let segment = segment(at: time)
        let coordinate = coordinate(at: time, segment)
        let base = heading ?? course(from: coordinate, segment, at: time)
        return Pose(
            coordinate: coordinate, heading: Angle.normalized(base + (turning?.angle(after: time) ?? 0)))
    }

    /// The index of the last point reached by then.
    private func segment(at time: Double) -> Int {
        max(0, times.partitionIndex { $0 > time } - 1)
    }

    private func coordinate(at time: Double, _ segment: Int) -> Coordinate {
        guard segment + 1 < points.count else { return points[segment].withoutAltitude }
        let span = times[segment + 1] - times[segment]
        let share = span > 0 ? max(0, min(1, (time - times[segment]) / span)) : 0
        let (from, to) = (points[segment], points[segment + 1])
        return from.destination(
            bearing: from.bearing(to: to), distance: from.distance(to: to) * share
        ).withoutAltitude
    }

    /// The direction of the walk ahead; at its end that of its last stretch.
    private func course(from coordinate: Coordinate, _ segment: Int, at time: Double) -> Double {
        let walked = lengths[segment] + points[segment].distance(to: coordinate)
        let reach = BeaconSettings.lookAhead
        for index in (segment + 1)..<max(segment + 1, points.count) where lengths[index] >= walked + reach {
            return coordinate.bearing(to: points[index])
        }
        guard let last = points.last else { return 0 }
        let before = points.indices.last { (lengths.last ?? 0) - lengths[$0] >= reach } ?? 0
        return points[before].bearing(to: last)
    }
}
