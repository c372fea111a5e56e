import Formats
import Geodesy

/// Heart rate and pace along a journey, thinned for a page.
struct JourneySensors {
    /// A value along the journey.
    struct Point: Sendable, Hashable {
        /// Metres from the start, without gaps between segments.
        var distance: Double
        /// The value; NaN if it is unknown or a segment begins.
        var value: Double
    }

    /// Beats per minute; empty if not recorded.
    let heartRates: [Point]
    /// Seconds per metre, over `window` metres; empty without times.
    let paces: [Point]

    /// Metres over which a pace is measured: positions are precise to a few metres.
    private static let window = 50.0
    /// Speed below which a move is a rest, without a pace.
    private static let slowest = 0.3
    /// Maximum values of a chart.
    private static let most = 1500

    init(_ journey: ExportJourney) {
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

    /// Means of adjacent values if there are more than the maximum.
    private static func thinned(_ points: [Point]) -> [Point] {
        // A single value does not form a line.
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
