import CivilTime
import Geodesy

/// Motion and rest along a track.
enum Motion {
    /// A move from a point with a time to the next one.
    struct Move {
        /// The place of the point at its end.
        let end: Int
        let seconds: Double
        /// Whether it is a part of a rest, if that lasts long enough.
        let isSlow: Bool
    }

    /// Seconds in motion: all time except the rests. A rest is a sequence of moves that are all slower than
    /// the limit, or within a stay, and last long enough together.
    static func walkingTime(
        _ points: [TrackPoint], _ steps: [Double], stays: [Range<Int>] = [],
        _ method: HikeStatistics.Method = .standard
    ) -> Double {
        var walking = 0.0
        var slow = 0.0
        moves(points, steps, stays, method) { move in
            if move.isSlow {
                slow += move.seconds
                return
            }
            walking += move.seconds + shortStop(slow, method)
            slow = 0
        }
        return walking + shortStop(slow, method)
    }

    /// Calls `body` for each move that takes time. A point without a time adds its distance to the move to the next point with one.
    static func moves(
        _ points: [TrackPoint], _ steps: [Double], _ stays: [Range<Int>], _ method: HikeStatistics.Method,
        _ body: (Move) -> Void
    ) {
        var start: (time: Timestamp, place: Int)?
        var way = 0.0
        var stay = stays[...]
        for (index, point) in points.enumerated() {
            way += steps[index]
            guard let end = point.time else { continue }
            let from = start
            let seconds = from.map { end.seconds(since: $0.time) } ?? 0
            let speed = seconds > 0 ? way / seconds : 0
            start = (end, index)
            way = 0
            guard let from, seconds > 0 else { continue }
            while let first = stay.first, first.upperBound <= from.place { stay.removeFirst() }
            let isStaying = stay.first.map { $0.lowerBound <= from.place && index < $0.upperBound } ?? false
            body(Move(end: index, seconds: seconds, isSlow: isStaying || speed < method.restSpeed))
        }
    }

    /// A stop that is too short to be a rest counts as walking.
    private static func shortStop(_ seconds: Double, _ method: HikeStatistics.Method) -> Double {
        seconds < method.restDuration ? seconds : 0
    }

    // MARK: Stays

    /// The stretches in which a receiver wandered about one place, in order: within a circle for some minutes, without a climb.
    /// A method that knows no rest by speed knows none of these.
    static func stays(_ points: [TrackPoint], _ method: HikeStatistics.Method) -> [Range<Int>] {
        guard method.restSpeed > 0 else { return [] }
        let timed = points.indices.filter { points[$0].time != nil }
        let narrow = stays(points, timed[...], .narrow)
        // Between those it may have wandered farther.
        var all: [Range<Int>] = []
        var first = timed.startIndex
        for stay in narrow + [points.count..<points.count] {
            let next = timed[first...].partitionIndex { $0 >= stay.lowerBound }
            all += stays(points, timed[first..<next], .wide) + (stay.isEmpty ? [] : [stay])
            first = timed[next...].partitionIndex { $0 >= stay.upperBound }
        }
        return all
    }

    /// What a stay is.
    private struct Stay {
        /// Metres.
        let radius: Double
        /// Seconds.
        let duration: Double
        /// Maximum metres of way in a second; `nil` for any.
        let speed: Double?

        static let narrow = Stay(
            radius: HikeStatistics.Settings.stayRadius, duration: HikeStatistics.Settings.stayDuration,
            speed: nil)
        static let wide = Stay(
            radius: HikeStatistics.Settings.wideStayRadius,
            duration: HikeStatistics.Settings.wideStayDuration,
            speed: HikeStatistics.Settings.wideStaySpeed)
    }

    private static func stays(_ points: [TrackPoint], _ places: ArraySlice<Int>, _ kind: Stay) -> [Range<Int>]
    {
        let timed = Array(places)
        let (radius, duration) = (kind.radius, kind.duration)
        var stays: [Range<Int>] = []
        var later = 0
        var first = 0
        // Up to here stretches were looked at as a whole, and were none: their parts are, up to some length.
        var tried = 0
        while first < timed.count {
            guard let start = points[timed[first]].time else { break }
            later = max(later, first)
            while later < timed.count, (points[timed[later]].time?.seconds(since: start) ?? 0) < duration {
                later += 1
            }
            guard later < timed.count else { break }
            // Most points are left after those minutes: the others need not be looked at.
            let anchor = points[timed[first]].coordinate
            func isNear(_ place: Int) -> Bool {
                anchor.distance(to: points[timed[place]].coordinate) <= radius
            }
            guard isNear(later), (first..<later).allSatisfy(isNear) else {
                first += 1
                continue
            }
            var end = later + 1
            let longest = first < tried ? HikeStatistics.Settings.longestPart : .infinity
            while end < timed.count, isNear(end),
                (points[timed[end]].time?.seconds(since: start) ?? 0) <= longest
            {
                end += 1
            }
            if let stay = core(timed[first..<end], points, kind) {
                stays.append(stay)
                first = end
            } else {
                tried = max(tried, end)
                first = max(first + 1, (first + later) / 2)
            }
        }
        return stays
    }

    /// The part of a stretch that stays about its middle, without the way to that and away from it; `nil` if it is too short or climbs.
    private static func core(_ stretch: ArraySlice<Int>, _ points: [TrackPoint], _ kind: Stay) -> Range<Int>?
    {
        let middle = Coordinate(
            latitude: stretch.reduce(0) { $0 + points[$1].coordinate.latitude } / Double(stretch.count),
            longitude: stretch.reduce(0) { $0 + points[$1].coordinate.longitude } / Double(stretch.count))
        func isInside(_ place: Int) -> Bool {
            middle.distance(to: points[place].coordinate) <= kind.radius / 2
        }
        guard let first = stretch.first(where: isInside), let last = stretch.last(where: isInside),
            let start = points[first].time, let end = points[last].time
        else { return nil }
        let seconds = end.seconds(since: start)
        guard seconds >= kind.duration else { return nil }
        if let speed = kind.speed, way(points[first...last]) > speed * seconds { return nil }
        let heights = points[first...last].compactMap(\.coordinate.altitude)
        let third = max(1, heights.count / 3)
        let (low, high) = (mean(heights.prefix(third)), mean(heights.suffix(third)))
        // A barometer drifts with the weather: a long rest is none for that.
        let times = max(1, seconds / HikeStatistics.Settings.stayClimbTime)
        guard abs(high - low) <= HikeStatistics.Settings.stayClimb * times else { return nil }
        return first..<(last + 1)
    }

    private static func way(_ points: ArraySlice<TrackPoint>) -> Double {
        zip(points, points.dropFirst()).reduce(0) { $0 + $1.0.coordinate.distance(to: $1.1.coordinate) }
    }

    private static func mean(_ values: ArraySlice<Double>) -> Double {
        values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count)
    }
}
