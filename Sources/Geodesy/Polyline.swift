import Foundation

/// Measures of lines given by their points.
public enum Polyline {
    /// Length in metres, the sum of the haversine distances between neighbours.
    public static func length(_ points: [Coordinate]) -> Double {
        zip(points, points.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
    }

    /// The valid points of a line without those less than a metre from the previous one.
    public static func withoutRepetition(_ points: [Coordinate]) -> [Coordinate] {
        var kept: [Coordinate] = []
        for point in points where point.isValid {
            if let last = kept.last, last.distance(to: point) < 1 { continue }
            kept.append(point)
        }
        return kept
    }

    /// Distance from the start to each point, in metres; one value per point.
    public static func cumulativeDistances(_ points: [Coordinate]) -> [Double] {
        var total = 0.0
        var result: [Double] = []
        result.reserveCapacity(points.count)
        var steps = StepLengths()
        for point in points {
            total += steps.next(point)
            result.append(total)
        }
        return result
    }
}
