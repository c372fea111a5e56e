import Geodesy
import PluginKit

/// The path of a walk, with the disturbances of its receiver.
struct WalkScript: Sendable {
    /// A point of the path, with its distance along the route; `nil` off the route and off the plan.
    typealias Point = (coordinate: Coordinate, along: Double?)

    /// A disturbance of the receiver at a point of the path.
    struct Disturbance: Sendable, Hashable {
        enum Kind: Sendable, Hashable {
            /// No fixes.
            case silence
            /// Noise of a standard deviation in metres, reported by the fixes.
            case noise(Double)
            /// A single fix this many metres away, once per interval in seconds.
            case outliers(Double, every: Double)
            /// Some fixes in a row, all as many metres away, once per interval in seconds.
            case bursts(ClosedRange<Double>, fixes: ClosedRange<Int>, every: Double)
            /// The first fixes, that many metres away: the receiver knows no satellites yet.
            case cold(ClosedRange<Double>, fixes: ClosedRange<Int>)
            /// Out to as many metres and back, slowly.
            case drift(Double)
            /// Noise of a standard deviation and a time constant, of which the fixes report another deviation; metres and seconds.
            case wrongAccuracy(Double, timeConstant: Double, reported: Double)
            /// A single fix where the walker was some seconds ago, once per interval in seconds: another app's last one.
            case stale(Double, every: Double)
            /// Fixes are delivered together, once per interval in seconds.
            case batches(every: Double)
            /// The clock is set by as many seconds.
            case clock(Double)
            /// One fix per interval in seconds.
            case sparse(every: Double)
        }

        var kind: Kind
        /// Metres from the start of the way.
        var at: Double
        /// Its duration, seconds.
        var seconds: Double
    }

    /// A rest, at metres from the start of the way.
    struct Rest: Sendable, Hashable {
        var at: Double
        var seconds: Double
    }

    var points: [Point] = []
    var disturbances: [Disturbance] = []
    var rests: [Rest] = []
    /// The share by which the speed swings around its mean.
    var unevenness = 0.0

    /// Metres of the way so far.
    var length: Double {
        zip(points, points.dropFirst()).reduce(0) { $0 + $1.0.coordinate.distance(to: $1.1.coordinate) }
    }

    /// Goes along the route from one point to another, backwards if that is before it.
    mutating func go(on route: RouteGeometry, from: Double, to: Double, isPlanned: Bool = true) {
        let (low, high) = (min(from, to), max(from, to))
        var piece: [Point] = [(route.coordinate(at: low), low)]
        for index in route.points.indices where route.along[index] > low && route.along[index] < high {
            piece.append((route.points[index], route.along[index]))
        }
        piece.append((route.coordinate(at: high), high))
        for point in from <= to ? piece : piece.reversed() {
            points.append((point.coordinate, isPlanned ? point.along : nil))
        }
    }

    /// Leaves the route: a step away from it, where its distance is no longer defined.
    mutating func leave(towards coordinate: Coordinate) {
        guard let last = points.last else { return }
        points.append((Self.beside(last.coordinate, towards: coordinate), nil))
    }

    /// Returns to a point of the route from beside it.
    mutating func come(to along: Double, on route: RouteGeometry) {
        let place = route.coordinate(at: along)
        guard let last = points.last else { return }
        points.append((Self.beside(place, towards: last.coordinate), nil))
        points.append((place, along))
    }

    /// A step from a coordinate, long enough to be a separate point.
    private static func beside(_ coordinate: Coordinate, towards other: Coordinate) -> Coordinate {
        let bearing = coordinate.distance(to: other) > step ? coordinate.bearing(to: other) : 90
        var beside = coordinate.destination(bearing: bearing, distance: step)
        beside.altitude = coordinate.altitude
        return beside
    }

    private static let step = 0.1
}
