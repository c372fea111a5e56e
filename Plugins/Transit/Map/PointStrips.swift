import Foundation
import Geodesy

/// Coordinates in strips of latitude of the radius's height, each sorted by longitude, for radius queries.
/// Distances are chords through the Earth, which have the same order as great-circle distances.
struct PointStrips {
    /// The number of distinct points.
    var count: Int { longitude.count }

    // Columns, in the order of the strips.
    private var latitude: [Double] = []
    private var longitude: [Double] = []
    private var x: [Double] = []
    private var y: [Double] = []
    private var z: [Double] = []
    /// The start of each point's members in `order`; one more than there are points.
    private var starts: [Int] = []
    /// Indexes of the coordinates, grouped by point.
    private let order: [Int]
    private var strips: [(number: Int, start: Int, end: Int)] = []
    private var stripOf: [Int32] = []
    private let angle: Double
    private let squaredReach: Double

    /// Sorts coordinates; the radius is in metres.
    init(_ places: [Coordinate], radius: Double) {
        let earth = GeodesySettings.earthRadius
        // A margin on the radius, so that rounding excludes no candidate before distances are compared.
        angle = max(radius, 1) / earth * (1 + 1e-9)
        let chord = 2 * earth * sin(radius / (2 * earth))
        squaredReach = chord * chord * (1 + 1e-12)
        let height = angle.degrees
        let numbers = places.map { Int32(($0.latitude / height).rounded(.down)) }
        order = places.indices.sorted { left, right in
            if numbers[left] != numbers[right] { return numbers[left] < numbers[right] }
            let (a, b) = (places[left], places[right])
            if a.longitude != b.longitude { return a.longitude < b.longitude }
            return a.latitude == b.latitude ? left < right : a.latitude < b.latitude
        }
        for (position, index) in order.enumerated() {
            let place = places[index]
            if place.longitude == longitude.last, place.latitude == latitude.last { continue }
            starts.append(position)
            latitude.append(place.latitude)
            longitude.append(place.longitude)
            let (phi, lambda) = (place.latitude.radians, place.longitude.radians)
            x.append(earth * cos(phi) * cos(lambda))
            y.append(earth * cos(phi) * sin(lambda))
            z.append(earth * sin(phi))
            let number = Int(numbers[index])
            if strips.last?.number != number { strips.append((number, count - 1, count)) }
            strips[strips.count - 1].end = count
            stripOf.append(Int32(strips.count - 1))
        }
        starts.append(order.count)
    }

    /// The number of coordinates at a point.
    @inline(__always)
    func size(of point: Int) -> Int { starts[point + 1] - starts[point] }

    /// Their indexes.
    func members(of point: Int) -> ArraySlice<Int> { order[starts[point]..<starts[point + 1]] }

    func coordinate(of point: Int) -> Coordinate {
        Coordinate(latitude: latitude[point], longitude: longitude[point])
    }

    /// Whether a point lies south of another, or west of it on the same parallel.
    func precedes(_ left: Int, _ right: Int) -> Bool {
        (latitude[left], longitude[left]) < (latitude[right], longitude[right])
    }

    /// The square of the distance of two points, in square metres.
    @inline(__always)
    func squared(_ left: Int, _ right: Int) -> Double {
        let (a, b, c) = (x[left] - x[right], y[left] - y[right], z[left] - z[right])
        return a * a + b * b + c * c
    }

    /// Every point within the radius of a point, itself included.
    @inline(__always)
    func forEachNeighbour(of point: Int, _ body: (Int) -> Void) {
        let reach = longitudeReach(of: point)
        let own = Int(stripOf[point])
        for strip in max(0, own - 1)...min(strips.count - 1, own + 1)
        where abs(strips[strip].number - strips[own].number) <= 1 {
            let (west, east) = (longitude[point] - reach, longitude[point] + reach)
            scan(strip, max(west, -180), min(east, 180), point, body)
            // The other side of the antimeridian.
            if reach < 180 {
                if west < -180 { scan(strip, west + 360, 180, point, body) }
                if east > 180 { scan(strip, -180, east - 360, point, body) }
            }
        }
    }

    /// Degrees of longitude around a point that contain its neighbours; all at a pole.
    private func longitudeReach(of point: Int) -> Double {
        let width = cos(latitude[point].radians)
        let ratio = sin(angle) / max(width, .leastNonzeroMagnitude)
        return ratio >= 1 ? 180 : asin(ratio).degrees
    }

    @inline(__always)
    private func scan(_ strip: Int, _ west: Double, _ east: Double, _ point: Int, _ body: (Int) -> Void) {
        var (low, high) = (strips[strip].start, strips[strip].end)
        let end = high
        while low < high {
            let middle = (low + high) / 2
            if longitude[middle] < west { low = middle + 1 } else { high = middle }
        }
        while low < end, longitude[low] <= east {
            if squared(point, low) <= squaredReach { body(low) }
            low += 1
        }
    }
}
