import CivilTime
import Formats
import Geodesy

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
    /// The lowest elevation in metres.
    let lowest: Double
    /// The highest elevation in metres.
    let highest: Double
    /// The mean over the distance in metres.
    let average: Double

    /// The elevations of all lines in sequence; `nil` if fewer than two are known.
    init?(_ journey: ExportJourney) {
        var points: [Point] = []
        var way = 0.0
        for line in journey.lines {
            for segment in line.segments {
                var previous: Coordinate?
                for point in segment {
                    if let previous { way += previous.distance(to: point.coordinate) }
                    previous = point.coordinate
                    guard let altitude = point.coordinate.altitude else { continue }
                    points.append(
                        Point(
                            distance: way, elevation: altitude, time: point.time,
                            coordinate: point.coordinate))
                }
            }
        }
        guard points.count > 1, let first = points.first, let last = points.last else { return nil }
        self.points = points
        var (low, high, area) = (first.elevation, first.elevation, 0.0)
        for (from, to) in zip(points, points.dropFirst()) {
            low = min(low, to.elevation)
            high = max(high, to.elevation)
            area += (from.elevation + to.elevation) / 2 * (to.distance - from.distance)
        }
        lowest = low
        highest = high
        let length = last.distance - first.distance
        average =
            length > 0 ? area / length : points.reduce(0) { $0 + $1.elevation } / Double(points.count)
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
