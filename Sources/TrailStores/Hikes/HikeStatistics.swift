import CivilTime
import Core
import Geodesy

/// Statistics of a track: distance, climb, time in motion and at rest.
public struct HikeStatistics: Sendable, Hashable {
    /// The parameters of the method, printed beside its results because methods differ by a factor of three.
    public enum Settings {
        /// Number of points over which altitudes are smoothed before climbs are counted.
        public static let smoothingPoints = 5
        /// Minimum metres of a climb or descent.
        public static let climbThreshold = 5.0
        /// Speed in metres per second below which a move is a rest, if it lasts long enough.
        public static let restSpeed = 0.3
        /// Minimum seconds of a rest.
        public static let restDuration = 30.0

        /// The method as text.
        public static let description = Method.standard.description
    }

    /// How climbs and rests are counted.
    public struct Method: Sendable, Hashable {
        /// Number of points over which altitudes are smoothed, odd; 1 for no smoothing.
        public var smoothingPoints: Int
        /// Minimum metres of a climb or descent.
        public var climbThreshold: Double
        /// Speed in metres per second below which a move is a rest, if it lasts long enough.
        public var restSpeed: Double
        /// Minimum seconds of a rest.
        public var restDuration: Double

        /// A method; omitted values are those of `Settings`.
        public init(
            smoothingPoints: Int = Settings.smoothingPoints, climbThreshold: Double = Settings.climbThreshold,
            restSpeed: Double = Settings.restSpeed, restDuration: Double = Settings.restDuration
        ) {
            self.smoothingPoints = smoothingPoints
            self.climbThreshold = climbThreshold
            self.restSpeed = restSpeed
            self.restDuration = restDuration
        }

        /// The method of imports.
        public static let standard = Method()

        /// The method as text.
        public var description: String {
            "climb over \(Literal.number(climbThreshold))m "
                + (smoothingPoints > 1
                    ? "after smoothing over \(smoothingPoints) points; " : "without smoothing; ")
                + "rest below \(Literal.number(restSpeed))m/s for \(Literal.number(restDuration))s or more"
        }
    }

    /// First point.
    public var start: Coordinate
    /// Last point.
    public var end: Coordinate
    /// First recorded time.
    public var startTime: Timestamp?
    /// Last recorded time.
    public var endTime: Timestamp?
    /// Metres, the sum of the haversine distances within segments.
    public var distance: Double
    /// Metres climbed; 0 if `knowsClimb` is false.
    public var gain: Double
    /// Metres descended; 0 if `knowsClimb` is false.
    public var loss: Double
    /// Whether elevations are known: at least two in one segment.
    public var knowsClimb: Bool
    /// Seconds in motion.
    public var walkingTime: Double
    /// Seconds at rest.
    public var restingTime: Double
    /// Mean heart rate in beats per minute.
    public var averageHeartRate: Double?
    /// Highest heart rate in beats per minute.
    public var maximumHeartRate: Double?

    /// The statistics of a track's segments; `nil` if there are no points. Gaps between segments count
    /// neither as distance nor as motion; the time of a gap is rest.
    public init?(segments: [[TrackPoint]], method: Method = .standard) {
        let points = segments.lazy.joined()
        guard let first = points.first(where: { _ in true }),
            let last = segments.last(where: { !$0.isEmpty })?.last
        else { return nil }
        start = first.coordinate
        end = last.coordinate
        for segment in segments {
            for point in segment {
                guard let time = point.time else { continue }
                startTime = min(startTime ?? time, time)
                endTime = max(endTime ?? time, time)
            }
        }
        let steps = segments.map(Self.steps)
        distance = steps.reduce(0) { $0 + $1.reduce(0, +) }
        knowsClimb = Self.knowsClimb(segments.lazy.map { $0.lazy.map(\.coordinate) })
        let climbs = segments.map { Climb.of($0.compactMap(\.coordinate.altitude), method) }
        gain = climbs.reduce(0) { $0 + $1.gain }
        loss = climbs.reduce(0) { $0 + $1.loss }
        walkingTime = zip(segments, steps).reduce(0) { $0 + Motion.walkingTime($1.0, $1.1, method) }
        var total = 0.0
        if let startTime, let endTime { total = endTime.seconds(since: startTime) }
        restingTime = max(0, total - walkingTime)
        let rates = segments.flatMap { $0.compactMap(\.heartRate) }
        averageHeartRate = rates.isEmpty ? nil : rates.reduce(0, +) / Double(rates.count)
        maximumHeartRate = rates.max()
    }

    /// Whether a segment has two elevations, so that climbs can be counted.
    static func knowsClimb(_ segments: some Sequence<some Sequence<Coordinate>>) -> Bool {
        segments.contains {
            $0.lazy.compactMap(\.altitude).prefix(2).reduce(0) { count, _ in count + 1 } == 2
        }
    }

    /// Metres to each point of a segment from the previous one; 0 for the first.
    private static func steps(_ segment: [TrackPoint]) -> [Double] {
        var steps = StepLengths()
        return segment.map { steps.next($0.coordinate) }
    }
}

/// Climb and descent of a sequence of altitudes.
enum Climb {
    /// Metres up and down, after smoothing, counting only moves of at least the threshold.
    static func of(_ altitudes: [Double], _ method: HikeStatistics.Method = .standard) -> (
        gain: Double, loss: Double
    ) {
        let smooth = smoothed(altitudes, over: method.smoothingPoints)
        guard var anchor = smooth.first else { return (0, 0) }
        var gain = 0.0
        var loss = 0.0
        for altitude in smooth {
            let change = altitude - anchor
            guard abs(change) >= method.climbThreshold else { continue }
            if change > 0 { gain += change } else { loss -= change }
            anchor = altitude
        }
        return (gain, loss)
    }

    /// Centred moving average; the window shrinks at the ends.
    static func smoothed(
        _ altitudes: [Double], over points: Int = HikeStatistics.Settings.smoothingPoints
    ) -> [Double] {
        let half = points / 2
        return altitudes.indices.map { index in
            let reach = min(half, index, altitudes.count - 1 - index)
            let window = altitudes[(index - reach)...(index + reach)]
            return window.reduce(0, +) / Double(window.count)
        }
    }
}

/// Motion and rest along a track.
enum Motion {
    /// Seconds in motion: all time except the rests. A rest is a sequence of moves that are all slower than
    /// the limit and last long enough together.
    static func walkingTime(
        _ points: [TrackPoint], _ steps: [Double], _ method: HikeStatistics.Method = .standard
    ) -> Double {
        var walking = 0.0
        var slow = 0.0
        // A point without a time adds its distance to the move to the next point with a time.
        var start: Timestamp?
        var way = 0.0
        for (index, point) in points.enumerated() {
            way += steps[index]
            guard let end = point.time else { continue }
            let seconds = start.map { end.seconds(since: $0) } ?? 0
            let speed = seconds > 0 ? way / seconds : 0
            start = end
            way = 0
            guard seconds > 0 else { continue }
            if speed < method.restSpeed {
                slow += seconds
                continue
            }
            walking += seconds + shortStop(slow, method)
            slow = 0
        }
        return walking + shortStop(slow, method)
    }

    /// A stop that is too short to be a rest counts as walking.
    private static func shortStop(_ seconds: Double, _ method: HikeStatistics.Method) -> Double {
        seconds < method.restDuration ? seconds : 0
    }
}
