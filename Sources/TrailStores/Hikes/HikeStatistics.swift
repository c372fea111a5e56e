import CivilTime
import Core
import Geodesy

/// Statistics of a track: distance, climb, time in motion and at rest.
public struct HikeStatistics: Sendable, Hashable {
    /// The parameters of the method, printed beside its results because methods differ by a factor of three.
    public enum Settings {
        /// Seconds over which altitudes are averaged to find peaks and valleys, as altimeters damp theirs. Seconds, not points: a hill
        /// must not depend on how often a device writes.
        static let damping = 10.0
        /// Metres that the averaged altitude must turn down from a peak, or up from a valley, for it to be one.
        public static let climbThreshold = 3.0
        /// Speed in metres per second below which a move is a rest, if it lasts long enough.
        public static let restSpeed = 0.3
        /// Minimum seconds of a rest.
        public static let restDuration = 30.0
        /// Metres around one place within which a receiver wanders at rest, also if its moves are faster than `restSpeed`.
        public static let stayRadius = 20.0
        /// Minimum seconds of such a stay. Who walks is out of the circle after a minute.
        static let stayDuration = 180.0
        /// The same for a receiver that wanders farther, as in a hut or a gorge; its way is slower than a walk.
        static let wideStayRadius = 40.0
        /// Minimum seconds of such a stay.
        static let wideStayDuration = 300.0
        /// Metres of way in a second of such a stay; rounds of a pond or a court are walked faster.
        static let wideStaySpeed = 0.75
        /// Metres of climb within a stay, and within each `stayClimbTime` of a longer one, above which it is a way in bends up a steep slope.
        static let stayClimb = 10.0
        /// Seconds in which the height of a receiver at rest drifts by less than that.
        static let stayClimbTime = 600.0
        /// Seconds of the parts in which a longer stretch about one place is looked at that is no stay as a whole.
        static let longestPart = 3600.0
        /// Seconds below which two walking times are the same.
        static let sameTime = 1.0

        /// The method as text.
        public static let description = Method.standard.description
    }

    /// How climbs and rests are counted.
    public struct Method: Sendable, Hashable {
        /// Metres of the way over which altitudes are averaged; 0 for none, `nil` for seconds instead.
        public var smoothing: Double?
        /// Metres that the way must turn at a peak or valley.
        public var climbThreshold: Double
        /// Speed in metres per second below which a move is a rest, if it lasts long enough.
        public var restSpeed: Double
        /// Minimum seconds of a rest.
        public var restDuration: Double

        /// A method; omitted values are those of `Settings`.
        public init(
            smoothing: Double? = nil, climbThreshold: Double = Settings.climbThreshold,
            restSpeed: Double = Settings.restSpeed, restDuration: Double = Settings.restDuration
        ) {
            self.smoothing = smoothing
            self.climbThreshold = climbThreshold
            self.restSpeed = restSpeed
            self.restDuration = restDuration
        }

        /// The method of imports.
        public static let standard = Method()

        /// The method as text.
        public var description: String {
            let averaged =
                smoothing.map { "\(Literal.number($0))m" } ?? "\(Literal.number(Settings.damping))s"
            return "climb between peaks and valleys of \(Literal.number(climbThreshold))m or more"
                + (smoothing == 0 ? "; " : " in heights averaged over \(averaged); ")
                + "rest below \(Literal.number(restSpeed))m/s for \(Literal.number(restDuration))s or more"
                + (restSpeed > 0
                    ? ", or about one place for \(Literal.number(Settings.stayDuration / 60))min" : "")
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
    /// Metres of the way between the first and the last point with a time of each segment, which is that of `walkingTime`.
    public var timedDistance: Double
    /// Metres of the way that a receiver wandered at rest; they are part of the distance.
    public var wandered: Double
    /// Metres of the way of `walkingTime`: that with times, without what the receiver wandered at rest.
    public var walkedDistance: Double { max(0, timedDistance - wandered) }
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
    /// Mean heart rate over time in beats per minute.
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
        let climbs = segments.flatMap { HeightProfile.parts($0, method).map(Climb.of) }
        gain = climbs.reduce(0) { $0 + $1.gain }
        loss = climbs.reduce(0) { $0 + $1.loss }
        let stays = segments.map { Motion.stays($0, method) }
        walkingTime = segments.indices.reduce(0) {
            $0 + Motion.walkingTime(segments[$1], steps[$1], stays: stays[$1], method)
        }
        timedDistance = zip(segments, steps).reduce(0) { $0 + Self.timed($1.0, $1.1) }
        wandered = zip(steps, stays).reduce(0) { sum, segment in
            segment.1.reduce(sum) { $0 + segment.0[$1.lowerBound..<$1.upperBound].dropFirst().reduce(0, +) }
        }
        var total = 0.0
        if let startTime, let endTime { total = endTime.seconds(since: startTime) }
        // Points whose times run to and fro, as of two walks in one, count the same minutes twice.
        walkingTime = min(walkingTime, total)
        restingTime = total - walkingTime
        let rates = segments.flatMap { $0.compactMap(\.heartRate) }
        averageHeartRate = RateMean.of(segments, \.heartRate)
        maximumHeartRate = rates.max()
    }

    /// Metres wandered at rest that are no part of the way of a stored walking time; 0 for one that was counted by another method, which
    /// may take such rests for walking.
    func wandered(beside walking: Double) -> Double {
        abs(walking - walkingTime) < Settings.sameTime ? wandered : 0
    }

    /// Metres of the way that belongs to the stored walking time of a hike: points without a time at the ends take no known time, and
    /// what the receiver wandered at rest takes none of it.
    public static func walkedDistance(of hike: Hike, _ recording: Recording) -> Double {
        guard let statistics = HikeStatistics(segments: recording.segments) else { return hike.distance }
        let isTimed = !recording.points.contains { $0.time == nil }
        let timed = isTimed ? hike.distance : statistics.timedDistance
        return max(0, timed - statistics.wandered(beside: hike.walkingTime))
    }

    /// Whether a segment has two elevations, so that climbs can be counted.
    static func knowsClimb(_ segments: some Sequence<some Sequence<Coordinate>>) -> Bool {
        segments.contains {
            $0.lazy.compactMap(\.altitude).prefix(2).reduce(0) { count, _ in count + 1 } == 2
        }
    }

    /// Metres from the first point with a time to the last one.
    private static func timed(_ points: [TrackPoint], _ steps: [Double]) -> Double {
        guard let first = points.firstIndex(where: { $0.time != nil }),
            let last = points.lastIndex(where: { $0.time != nil })
        else { return 0 }
        return steps[first...last].dropFirst().reduce(0, +)
    }

    /// Metres to each point of a segment from the previous one; 0 for the first.
    static func steps(_ segment: [TrackPoint]) -> [Double] {
        var steps = StepLengths()
        return segment.map { steps.next($0.coordinate) }
    }
}

/// The known altitudes of a segment, smoothed over seconds or over a length of the way.
struct HeightProfile {
    /// The places of the points with an altitude.
    let places: [Int]
    /// Metres, as measured.
    let measured: [Double]
    /// Metres, averaged.
    let smoothed: [Double]
    /// Seconds or metres from the first to each, and over how many of them is averaged; `nil` if nothing is.
    private let along: [Double]?
    private let window: Double
    /// The threshold in metres.
    let threshold: Double

    init(_ points: [TrackPoint], _ method: HikeStatistics.Method) {
        self.init(points, points.indices.filter { points[$0].coordinate.altitude != nil }, method)
    }

    /// The profiles of a segment between steps of the elevation that no way has: none of them is a climb.
    static func parts(_ points: [TrackPoint], _ method: HikeStatistics.Method) -> [HeightProfile] {
        let known = points.indices.filter { points[$0].coordinate.altitude != nil }
        let cuts = ElevationCliff.places(points, known)
        return zip([0] + cuts, cuts + [known.count]).map {
            HeightProfile(points, Array(known[$0..<$1]), method)
        }
    }

    private init(_ points: [TrackPoint], _ places: [Int], _ method: HikeStatistics.Method) {
        let heights = places.compactMap { points[$0].coordinate.altitude }
        (self.places, measured) = (places, heights)
        threshold = method.climbThreshold
        if let smoothing = method.smoothing, smoothing > 0 {
            let way = Polyline.cumulativeDistances(places.map { points[$0].coordinate })
            (along, window) = (way, smoothing)
            smoothed = Self.smoothed(heights, way, over: smoothing)
        } else if method.smoothing == nil, let seconds = Self.seconds(points, places) {
            (along, window) = (seconds, HikeStatistics.Settings.damping)
            smoothed = Self.smoothed(heights, seconds, over: HikeStatistics.Settings.damping)
        } else {
            (along, window, smoothed) = (nil, 0, heights)
        }
    }

    /// The highest measured altitude of those that were averaged for a place, or the lowest: averages are below a peak.
    func extreme(at place: Int, isPeak: Bool) -> Double {
        guard let along else { return measured[place] }
        var extreme = measured[place]
        func look(_ index: Int) -> Bool {
            guard abs(along[index] - along[place]) <= window / 2 else { return false }
            extreme = isPeak ? max(extreme, measured[index]) : min(extreme, measured[index])
            return true
        }
        var index = place - 1
        while index >= 0, look(index) { index -= 1 }
        index = place + 1
        while index < measured.count, look(index) { index += 1 }
        return extreme
    }

    /// Seconds from the first of these points to each; `nil` if there are points without a time or out of order, or if times are only
    /// known to more than half of what is averaged over: all the same, say, or whole minutes.
    private static func seconds(_ points: [TrackPoint], _ places: [Int]) -> [Double]? {
        guard let start = places.first.flatMap({ points[$0].time }) else { return nil }
        var least = Double.infinity
        var all: [Double] = []
        all.reserveCapacity(places.count)
        for place in places {
            guard let time = points[place].time, case let seconds = time.seconds(since: start),
                case let step = seconds - (all.last ?? 0), step >= 0
            else { return nil }
            if step > 0 { least = min(least, step) }
            all.append(seconds)
        }
        return least <= HikeStatistics.Settings.damping / 2 ? all : nil
    }

    /// Centred moving average over a length or duration; the window shrinks at the ends, so that these keep their height.
    static func smoothed(_ heights: [Double], _ along: [Double], over length: Double) -> [Double] {
        guard let total = along.last else { return [] }
        var sums = [0.0]
        for height in heights { sums.append((sums.last ?? 0) + height) }
        var (first, last) = (0, 0)
        return heights.indices.map { index in
            let reach = min(length / 2, along[index], total - along[index])
            while along[first] < along[index] - reach { first += 1 }
            while last + 1 < along.count, along[last + 1] <= along[index] + reach { last += 1 }
            last = max(last, index)
            return (sums[last + 1] - sums[min(first, index)]) / Double(last + 1 - min(first, index))
        }
    }
}

/// Climb and descent along a profile of heights.
enum Climb {
    /// A peak or valley.
    struct Turn: Equatable {
        /// The place in the profile.
        var place: Int
        /// Metres.
        var height: Double
    }

    /// Metres up and down between the turns: `gain − loss` is the difference of the last height and the first.
    static func of(_ profile: HeightProfile) -> (gain: Double, loss: Double) {
        let turns = turns(profile)
        return zip(turns, turns.dropFirst()).reduce(into: (gain: 0.0, loss: 0.0)) { sums, step in
            let change = step.1.height - step.0.height
            if change > 0 { sums.gain += change } else { sums.loss -= change }
        }
    }

    /// The first height, each peak and valley from which the averaged way turns by the threshold, and the last height; as measured.
    static func turns(_ profile: HeightProfile) -> [Turn] {
        let turns = turns(profile.smoothed, threshold: profile.threshold)
        return turns.indices.map { index in
            let place = turns[index].place
            guard index > 0, index < turns.count - 1 else {
                return Turn(place: place, height: profile.measured[place])
            }
            let isPeak = turns[index].height > turns[index - 1].height
            return Turn(place: place, height: profile.extreme(at: place, isPeak: isPeak))
        }
    }

    /// The same of heights as they are.
    static func turns(_ heights: [Double], threshold: Double) -> [Turn] {
        guard let first = heights.first, let last = heights.last else { return [] }
        var turns = [Turn(place: 0, height: first)]
        var peak = turns[0]
        var valley = turns[0]
        /// 1 on the way up, −1 on the way down, 0 as long as neither is known.
        var direction = 0
        for (place, height) in heights.enumerated() {
            if height > peak.height { peak = Turn(place: place, height: height) }
            if height < valley.height { valley = Turn(place: place, height: height) }
            if direction >= 0, peak.height - height >= threshold {
                if peak != turns[turns.count - 1] { turns.append(peak) }
                direction = -1
                valley = Turn(place: place, height: height)
            } else if direction <= 0, height - valley.height >= threshold {
                if valley != turns[turns.count - 1] { turns.append(valley) }
                direction = 1
                peak = Turn(place: place, height: height)
            }
        }
        // The extreme of the last stretch, which has not turned by the threshold.
        let extreme = direction > 0 ? peak : direction < 0 ? valley : nil
        if let extreme, extreme != turns[turns.count - 1] { turns.append(extreme) }
        let end = Turn(place: heights.count - 1, height: last)
        if end != turns[turns.count - 1] { turns.append(end) }
        return turns
    }
}
