import Foundation
import TrailStores

extension ElevationProfile {
    /// A piece of the way and its grade.
    public struct Piece: Sendable, Hashable {
        /// Metres from the start to its beginning.
        public let from: Double
        /// Metres from the start to its end.
        public let to: Double
        /// Rise over distance, negative downhill.
        public let grade: Double
    }

    /// The steepest 100 m, up or down, the first of equals; the whole way if it is shorter. `nil` for a way
    /// without length.
    ///
    /// Between heights the way rises evenly, so the steepest piece begins or ends at one of the given heights.
    var steepest: Piece? {
        guard let first = points.first, let last = points.last, last.distance > first.distance else {
            return nil
        }
        let length = Settings.steepestLength
        guard last.distance - first.distance > length else {
            return piece(first.distance, last.distance)
        }
        var best: Piece?
        var ahead = Reader(points)
        var behind = Reader(points)
        for point in points {
            for begin in [point.distance - length, point.distance]
            where begin >= first.distance && begin + length <= last.distance {
                // Candidates start at a height or end at one; both advance monotonically, so two readers
                // suffice.
                let rise =
                    begin == point.distance
                    ? ahead.elevation(at: begin + length) - point.elevation
                    : point.elevation - behind.elevation(at: begin)
                if abs(rise) / length > abs(best?.grade ?? 0) + 1e-12 || best == nil {
                    best = Piece(from: begin, to: begin + length, grade: rise / length)
                }
            }
        }
        return best
    }

    /// The height at a distance from the start, between the nearest two given.
    public func elevation(at distance: Double) -> Double {
        var reader = Reader(points)
        return reader.elevation(at: distance)
    }

    /// The heights at distances that do not decrease.
    func elevations(at distances: [Double]) -> [Double] {
        var reader = Reader(points)
        return distances.map { reader.elevation(at: $0) }
    }

    private func piece(_ from: Double, _ to: Double) -> Piece {
        Piece(from: from, to: to, grade: (elevation(at: to) - elevation(at: from)) / (to - from))
    }

    /// Reads heights at distances that do not decrease.
    private struct Reader {
        private let points: [ElevationPoint]
        private var index = 0

        init(_ points: [ElevationPoint]) { self.points = points }

        mutating func elevation(at distance: Double) -> Double {
            while index + 1 < points.count - 1, points[index + 1].distance < distance { index += 1 }
            let (left, right) = (points[index], points[index + 1])
            let span = right.distance - left.distance
            let share = span > 0 ? max(0, min(1, (distance - left.distance) / span)) : 1
            return left.elevation + share * (right.elevation - left.elevation)
        }
    }
}
