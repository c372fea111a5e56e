import Formats
import Geodesy

/// Heart rate and pace along a journey, thinned to what a page shows.
struct JourneySensors {
    /// A value on the way.
    struct Point: Sendable, Hashable {
        /// Metres from the start, gaps between segments left out.
        var distance: Double
        /// The value; not a number where it is unknown or a segment begins.
        var value: Double
    }

    /// Beats a minute; empty where none was recorded.
    let heartRates: [Point]
    /// Seconds a metre, over `window` metres; empty without times.
    let paces: [Point]

    /// Metres over which a pace is measured: positions are known to a few metres.
    private static let window = 50.0
    /// Slower than this is a rest: it has no pace.
    private static let slowest = 0.3
    /// Values that a chart of a page shows.
    private static let most = 1500

    init(_ journey: Journey) {
        var rates: [Point] = []
        var paces: [Point] = []
        var way = 0.0
        for segment in journey.lines.flatMap(\.segments) {
            let gap = Point(distance: way, value: .nan)
            if !rates.isEmpty { rates.append(gap) }
            if !paces.isEmpty { paces.append(gap) }
            var begin: (distance: Double, point: GPXPoint)?
            var previous: GPXPoint?
            for point in segment {
                if let previous { way += previous.coordinate.distance(to: point.coordinate) }
                previous = point
                if let rate = point.heartRate { rates.append(Point(distance: way, value: rate)) }
                guard let time = point.time else { continue }
                guard let start = begin, let before = start.point.time else {
                    begin = (way, point)
                    continue
                }
                let seconds = time.seconds(since: before)
                guard way - start.distance >= Self.window, seconds > 0 else { continue }
                let pace = seconds / (way - start.distance)
                paces.append(Point(distance: way, value: pace <= 1 / Self.slowest ? pace : .nan))
                begin = (way, point)
            }
        }
        heartRates = Self.thinned(rates)
        self.paces = Self.thinned(paces)
    }

    /// Means of neighbours where there are more values than a page shows.
    private static func thinned(_ points: [Point]) -> [Point] {
        // A single value is no line.
        guard points.lazy.filter(\.value.isFinite).prefix(2).count == 2 else { return [] }
        let step = (points.count + most - 1) / most
        guard step > 1 else { return points }
        return stride(from: 0, to: points.count, by: step).map { start in
            let part = points[start..<min(points.count, start + step)]
            let known = part.filter(\.value.isFinite)
            guard !known.isEmpty else { return part[part.startIndex] }
            return Point(
                distance: known.reduce(0) { $0 + $1.distance } / Double(known.count),
                value: known.reduce(0) { $0 + $1.value } / Double(known.count))
        }
    }
}
