import CivilTime
import Formats
import Geodesy
import Pictures

/// The elevations along a journey.
struct JourneyProfile: Sendable {
    /// An elevation along the journey.
    struct Point: Sendable, Hashable {
        /// Metres from the start, without gaps between segments.
        var distance: Double
        /// Metres above sea level.
        var elevation: Double
        /// Its time.
        var time: Timestamp?
        /// Its coordinate.
        var coordinate: Coordinate
    }

    /// The points in order; at least two.
    let points: [Point]
    /// The points of each part: between two parts nothing was recorded, or no height is known.
    let parts: [[Point]]
    /// Metres of the whole journey, also where no height is known.
    let length: Double
    /// The lowest elevation in metres.
    let lowest: Double
    /// The highest elevation in metres.
    let highest: Double
    /// The mean over the distance in metres.
    let average: Double

    /// The elevations of all lines in sequence; `nil` if fewer than two are known.
    init?(_ journey: ExportJourney) {
        var collected = ProfileParts<Point>()
        var way = 0.0
        for line in journey.lines {
            for segment in line.segments {
                var previous: Coordinate?
                collected.begin()
                for point in segment {
                    if let previous { way += previous.distance(to: point.coordinate) }
                    previous = point.coordinate
                    let altitude = point.coordinate.altitude
                    collected.add(
                        altitude.map {
                            Point(
                                distance: way, elevation: $0, time: point.time, coordinate: point.coordinate)
                        }, at: way)
                }
            }
        }
        parts = collected.parts
        length = way
        points = Array(parts.joined())
        guard points.count > 1, let low = points.map(\.elevation).min(),
            let high = points.map(\.elevation).max()
        else { return nil }
        (lowest, highest) = (low, high)
        var (area, known) = (0.0, 0.0)
        for part in parts {
            for (from, to) in zip(part, part.dropFirst()) {
                area += (from.elevation + to.elevation) / 2 * (to.distance - from.distance)
                known += to.distance - from.distance
            }
        }
        average =
            known > 0 ? area / known : points.reduce(0) { $0 + $1.elevation } / Double(points.count)
    }

    /// The parts as a chart draws them.
    var drawn: [[ProfilePoint]] {
        parts.map { $0.map { ProfilePoint(distance: $0.distance, elevation: $0.elevation) } }
    }

    /// The distance in metres along the journey to a waypoint: by its time if times were recorded, or else at
    /// the nearest point; `nil` if it is farther from the line than `reach`.
    func distance(of place: GPXPoint, reach: Double) -> Double? {
        if let time = place.time, let index = points.firstIndex(where: { ($0.time ?? time) > time }),
            index > 0,
            points[index - 1].time != nil,
            points[index - 1].coordinate.distance(to: place.coordinate) <= reach
        {
            return points[index - 1].distance
        }
        let step = max(1, points.count / Self.searched)
        var best: (distance: Double, along: Double)?
        for index in stride(from: 0, to: points.count, by: step) {
            let distance = points[index].coordinate.distance(to: place.coordinate)
            if distance < best?.distance ?? .infinity { best = (distance, points[index].distance) }
        }
        guard let best, best.distance <= reach else { return nil }
        return best.along
    }

    /// Number of points searched for the nearest one.
    private static let searched = 4000
}
