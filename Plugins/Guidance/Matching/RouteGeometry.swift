import Foundation
import Geodesy

/// A segment of the line: its start and extent, in degrees.
struct RouteSegment: Sendable, Hashable {
    var latitude: Double
    var longitude: Double
    var stepLatitude: Double
    /// The shorter difference, so that the antimeridian is no special case.
    var stepLongitude: Double
}

/// A point of the line, and its distance from a position.
public struct RouteMatch: Sendable, Hashable {
    /// The index of the segment.
    var segment: Int
    /// The share of the segment before it, 0…1.
    var share: Double
    /// Metres from the start along the line.
    var along: Double
    /// Metres from the position.
    public var distance: Double
}

/// The line of a route, prepared for projecting positions onto it.
///
/// Each position is projected in a plane around itself, scaled by the cosine of its latitude; segments are short
/// enough for that.
public struct RouteGeometry: Sendable {
    /// The points, both ends included; at least two, no two neighbours equal.
    public let points: [Coordinate]
    /// The index of each point in the given line; `nil` for points inserted between two that are far apart.
    let sourceIndex: [Int?]
    let segments: [RouteSegment]
    /// Metres from the start to each point.
    public let along: [Double]
    let tree: SegmentTree
    /// Whether the ends are near each other: a loop, or a way out and back.
    let isClosed: Bool

    /// Length in metres.
    public var length: Double { along[along.count - 1] }

    /// The geometry of a line; `nil` if it has fewer than two different points.
    public init?(_ line: [Coordinate]) {
        var points: [Coordinate] = []
        var sourceIndex: [Int?] = []
        points.reserveCapacity(line.count)
        sourceIndex.reserveCapacity(line.count)
        for (index, point) in line.enumerated() where point.isValid {
            if let last = points.last {
                let distance = last.distance(to: point)
                if distance < Self.shortestStep { continue }
                Self.addBetween(last, point, distance, to: &points)
                while sourceIndex.count < points.count { sourceIndex.append(nil) }
            }
            points.append(point)
            sourceIndex.append(index)
        }
        guard points.count > 1 else { return nil }
        self.points = points
        self.sourceIndex = sourceIndex
        along = Polyline.cumulativeDistances(points)
        isClosed =
            points[0].distance(to: points[points.count - 1])
            < min(BeliefSettings.closed, (along.last ?? 0) / 4)
        segments = zip(points, points.dropFirst()).map { from, to in
            RouteSegment(
                latitude: from.latitude, longitude: from.longitude,
                stepLatitude: to.latitude - from.latitude,
                stepLongitude: Angle.difference(from: from.longitude, to: to.longitude))
        }
        tree = SegmentTree(segments)
    }

    /// Points nearer than this to the previous one, metres, are dropped.
    private static let shortestStep = 0.001

    /// Inserts points on the great circle between two that are far apart.
    private static func addBetween(
        _ from: Coordinate, _ to: Coordinate, _ distance: Double, to points: inout [Coordinate]
    ) {
        let pieces = Int((distance / GuidanceLimits.longestSegment).rounded(.up))
        guard pieces > 1 else { return }
        let bearing = from.bearing(to: to)
        for piece in 1..<pieces {
            let share = Double(piece) / Double(pieces)
            var point = from.destination(bearing: bearing, distance: distance * share)
            if let low = from.altitude, let high = to.altitude { point.altitude = low + share * (high - low) }
            points.append(point)
        }
    }

    /// The coordinate at a distance from the start, metres, clamped to the ends; with its altitude if known.
    public func coordinate(at distance: Double) -> Coordinate {
        let segment = segment(at: distance)
        let length = along[segment + 1] - along[segment]
        let share = length > 0 ? max(0, min(1, (distance - along[segment]) / length)) : 0
        return coordinate(segment: segment, share: share)
    }

    /// The coordinate at a share of a segment.
    func coordinate(segment: Int, share: Double) -> Coordinate {
        let piece = segments[segment]
        var altitude: Double?
        if let low = points[segment].altitude, let high = points[segment + 1].altitude {
            altitude = low + share * (high - low)
        }
        return Coordinate(
            latitude: piece.latitude + share * piece.stepLatitude,
            longitude: Angle.longitude(piece.longitude + share * piece.stepLongitude), altitude: altitude)
    }

    /// The segment at a distance from the start.
    func segment(at distance: Double) -> Int {
        var low = 0
        var high = segments.count - 1
        while low < high {
            let middle = (low + high + 1) / 2
            if along[middle] <= distance { low = middle } else { high = middle - 1 }
        }
        return low
    }

    /// The direction of the line at a distance from the start, degrees from north.
    func bearing(at distance: Double) -> Double {
        let segment = segment(at: distance)
        return points[segment].bearing(to: points[segment + 1])
    }

    /// The match at a distance from the start, metres, clamped to the ends, with a known distance from the position.
    func match(at place: Double, distance: Double) -> RouteMatch {
        let place = max(0, min(length, place))
        let segment = segment(at: place)
        let step = along[segment + 1] - along[segment]
        return RouteMatch(
            segment: segment, share: step > 0 ? (place - along[segment]) / step : 0, along: place,
            distance: distance)
    }

    /// The match at a point of a segment, with its distance by haversine.
    @inline(__always)
    func match(_ segment: Int, _ share: Double, from position: Coordinate) -> RouteMatch {
        RouteMatch(
            segment: segment, share: share,
            along: along[segment] + share * (along[segment + 1] - along[segment]),
            distance: coordinate(segment: segment, share: share).distance(to: position))
    }
}

/// The plane around a position, in degrees of latitude.
extension LocalPlane {
    @inline(__always)
    init(inDegreesAround position: Coordinate) { self.init(at: position, unitsPerDegree: 1) }

    /// The share of a segment at its nearest point, 0…1, and the square of its distance in degrees of latitude.
    @inline(__always)
    func project(_ segment: RouteSegment) -> (share: Double, square: Double) {
        let found = PlanePoint.nearest(
            from: point(segment.latitude, segment.longitude),
            along: PlanePoint(x: segment.stepLongitude * eastScale, y: segment.stepLatitude * northScale))
        return (found.share, found.square)
    }
}
