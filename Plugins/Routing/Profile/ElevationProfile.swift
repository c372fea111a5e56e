import Geodesy
import TrailStores

/// The elevations along a route, and their statistics.
public struct ElevationProfile: Sendable, Hashable {
    /// The settings of the statistics.
    public enum Settings {
        /// The length in metres of the steepest piece.
        static let steepestLength = 100.0
    }

    /// The heights by their distance from the start, which never decreases.
    public let points: [ElevationPoint]

    /// A profile of heights; `nil` for fewer than two.
    public init?(points: [ElevationPoint]) {
        let sound = points.filter { $0.distance.isFinite && $0.elevation.isFinite }
        guard sound.count > 1 else { return nil }
        self.points = sound.sorted { $0.distance < $1.distance }
    }

    /// The profile of a line whose points carry altitudes; points without one are skipped.
    public init?(line: [Coordinate]) {
        self.init(
            points: zip(Polyline.cumulativeDistances(line), line).compactMap { distance, place in
                place.altitude.map { ElevationPoint(distance: distance, elevation: $0) }
            })
    }

    /// The lowest height, metres.
    var minimum: Double { points.reduce(.infinity) { min($0, $1.elevation) } }
    /// The highest height, metres.
    var maximum: Double { points.reduce(-.infinity) { max($0, $1.elevation) } }

    /// The mean height over the distance, metres.
    var average: Double {
        let length = (points.last?.distance ?? 0) - (points.first?.distance ?? 0)
        guard length > 0 else { return points.reduce(0) { $0 + $1.elevation } / Double(points.count) }
        let area = zip(points, points.dropFirst()).reduce(0.0) { sum, pair in
            sum + (pair.1.distance - pair.0.distance) * (pair.0.elevation + pair.1.elevation) / 2
        }
        return area / length
    }

    /// Metres climbed and descended, without the noise of the samples.
    var climb: (gain: Double, loss: Double) { ClimbMeter.sums(points.lazy.map(\.elevation)) }
    /// Metres climbed.
    var gain: Double { climb.gain }
    /// Metres descended.
    var loss: Double { climb.loss }
}
