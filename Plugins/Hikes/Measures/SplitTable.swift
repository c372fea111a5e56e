import CivilTime
import Formats
import Geodesy
import TrailStores

/// A recording split into parts of equal length. Gaps between segments do not count as distance; their time
/// is rest.
struct SplitTable {
    /// A part.
    struct Part {
        /// Metres from the start to its end.
        var end: Double
        /// Metres.
        var length: Double
        /// Seconds from its start to its end; `nil` without times.
        var seconds: Double?
        /// Metres on flat ground with the same cost; `nil` without elevations.
        var flat: Double?
        /// Metres climbed and descended by the method of the statistics; `nil` without elevations.
        var gain: Double?
        var loss: Double?
        /// Mean heart rate over its time in beats per minute.
        var heartRate: Double?

        /// Seconds per metre; `nil` without times or without a way.
        var pace: Double? { length > 0 ? seconds.map { $0 / length } : nil }
        /// Seconds per metre on flat ground for the same effort.
        var flatPace: Double? {
            guard let seconds, let flat, flat > 0 else { return nil }
            return seconds / flat
        }
    }

    let parts: [Part]

    /// Metres over which a slope is measured: elevations are precise to a few metres.
    static let slopeWindow = 50.0

    init(_ recording: Recording, length: Double) {
        let model = EffortModel(activity: recording.line.type)
        let distances = recording.distances
        let total = distances.last { !$0.isEmpty }?.last ?? 0
        let count = max(1, Int((total / length).rounded(.up)))
        var segments = [[[GPXPoint]]](repeating: [], count: count)
        for (untimed, along) in zip(recording.line.segments, distances) {
            let segment = Self.timed(untimed, along)
            guard var open = along.first.map({ min(count - 1, Int($0 / length)) }) else { continue }
            var points: [GPXPoint] = []
            for index in segment.indices {
                let part = min(count - 1, Int(along[index] / length))
                // The parts are split at interpolated points.
                while open < part {
                    open += 1
                    let step = along[index] - along[index - 1]
                    let share = (Double(open) * length - along[index - 1]) / step
                    let border = Self.between(segment[index - 1], segment[index], share: share)
                    points.append(border)
                    segments[open - 1].append(points)
                    points = [border]
                }
                points.append(segment[index])
            }
            segments[open].append(points)
        }
        var begin = recording.points.first?.time
        parts = segments.enumerated().map { index, pieces in
            let end = min(total, Double(index + 1) * length)
            var part = Part(end: end, length: end - Double(index) * length)
            // Where a border has no time, nobody knows how long the part took; times that run to and fro or stand still give no duration.
            let last = pieces.last { !$0.isEmpty }?.last?.time
            if let begin, let last, last > begin { part.seconds = last.seconds(since: begin) }
            begin = last
            let tracks = pieces.map { $0.map(TrackPoint.init) }
            if let statistics = HikeStatistics(segments: tracks), statistics.knowsClimb {
                part.gain = statistics.gain
                part.loss = statistics.loss
                part.flat = pieces.reduce(0) { $0 + Self.flat($1, model) }
            }
            part.heartRate = RateMean.of(tracks, \.heartRate)
            return part
        }
    }

    /// The points with times between those that have them, as if the pace between were even.
    private static func timed(_ segment: [GPXPoint], _ along: [Double]) -> [GPXPoint] {
        var result = segment
        var last: Int?
        for index in segment.indices where segment[index].time != nil {
            if let last, index > last + 1, let start = segment[last].time, let end = segment[index].time {
                let way = along[index] - along[last]
                for between in last + 1..<index where way > 0 {
                    let share = (along[between] - along[last]) / way
                    result[between].time = start.advanced(bySeconds: end.seconds(since: start) * share)
                }
            }
            last = index
        }
        return result
    }

    /// A point interpolated between two, with time and elevation.
    static func between(_ start: GPXPoint, _ end: GPXPoint, share: Double) -> GPXPoint {
        var point = GPXPoint(coordinate: start.coordinate.between(end.coordinate, share: share))
        if let time = start.time, let after = end.time {
            point.time = time.advanced(bySeconds: after.seconds(since: time) * share)
        }
        return point
    }

    /// Metres on flat ground; slopes are measured over `slopeWindow`, unknown ones count as level.
    private static func flat(_ points: [GPXPoint], _ model: EffortModel) -> Double {
        guard let first = points.first else { return 0 }
        var sum = 0.0
        var way = 0.0
        var height = first.coordinate.altitude
        for (index, pair) in zip(points, points.dropFirst()).enumerated() {
            way += pair.0.coordinate.distance(to: pair.1.coordinate)
            let isLast = index == points.count - 2
            guard way >= slopeWindow || isLast, way > 0 else { continue }
            let slope = height.flatMap { low in pair.1.coordinate.altitude.map { ($0 - low) / way } } ?? 0
            sum += model.flatDistance(way, slope: slope)
            way = 0
            height = pair.1.coordinate.altitude ?? height
        }
        return sum
    }
}
