import Foundation

/// A box between two parallels and two meridians, in degrees.
///
/// `west > east` is a box across the antimeridian, as in RFC 7946.
public struct BoundingBox: Sendable, Hashable {
    /// Southern edge, degrees.
    public var south: Double
    /// Western edge, degrees.
    public var west: Double
    /// Northern edge, degrees.
    public var north: Double
    /// Eastern edge, degrees.
    public var east: Double

    /// Makes a box from its four edges.
    public init(south: Double, west: Double, north: Double, east: Double) {
        self.south = south
        self.west = west
        self.north = north
        self.east = east
    }

    /// Whether the box runs across the 180° meridian.
    public var crossesAntimeridian: Bool { west > east }

    /// Degrees of longitude from the western edge to the eastern, 0…360.
    public var longitudeSpan: Double { crossesAntimeridian ? east - west + 360 : east - west }

    /// Degrees of latitude from the southern edge to the northern.
    public var latitudeSpan: Double { north - south }

    /// The centre of the box.
    public var center: Coordinate {
        Coordinate(latitude: (south + north) / 2, longitude: Angle.longitude(west + longitudeSpan / 2))
    }

    /// Whether a coordinate is inside or on the edge.
    public func contains(_ coordinate: Coordinate) -> Bool {
        guard coordinate.latitude >= south && coordinate.latitude <= north else { return false }
        let longitude = coordinate.longitude
        return crossesAntimeridian
            ? longitude >= west && longitude <= 180 || longitude >= -180 && longitude <= east
            : longitude >= west && longitude <= max(west, east)
    }

    /// The longitudes of the box as one range, or two when it crosses the antimeridian.
    public var longitudeRanges: [ClosedRange<Double>] {
        if crossesAntimeridian { return [west...180, -180...east] }
        return [west...max(west, east)]
    }

    /// The smallest box around coordinates, taking the shorter way across the antimeridian; `nil` for none.
    @inlinable
    public init?(around places: some Sequence<Coordinate>) {
        var extent = Extent()
        for place in places { extent.add(place) }
        guard let box = extent.box else { return nil }
        self = box
    }

    /// The accumulated extent of the coordinates of a box.
    @usableFromInline
    struct Extent {
        private var south = Double.infinity
        private var north = -Double.infinity
        private var longitudes: [Double] = []

        @usableFromInline init() {}

        @usableFromInline
        mutating func add(_ coordinate: Coordinate) {
            guard coordinate.isValid else { return }
            south = min(south, coordinate.latitude)
            north = max(north, coordinate.latitude)
            longitudes.append(coordinate.longitude)
        }

        @usableFromInline var box: BoundingBox? {
            guard let (west, east) = BoundingBox.narrowestSpan(longitudes) else { return nil }
            return BoundingBox(south: south, west: west, north: north, east: east)
        }
    }

    /// A box that contains every coordinate within `radius` metres of `center`.
    ///
    /// At a pole, or if the circle contains one, the box spans all longitudes.
    public init(center: Coordinate, radius: Double) {
        // Slightly more than the radius: rounding must not exclude a coordinate exactly on the circle.
        let angular = radius / GeodesySettings.earthRadius * (1 + Self.margin) + Self.margin
        let latitudeReach = angular.degrees
        let south = center.latitude - latitudeReach
        let north = center.latitude + latitudeReach
        let ratio = sin(min(angular, .pi / 2)) / max(cos(center.latitude.radians), .leastNonzeroMagnitude)
        if south <= -90 || north >= 90 || ratio >= 1 {
            self.init(south: max(-90, south), west: -180, north: min(90, north), east: 180)
            return
        }
        let longitudeReach = asin(ratio).degrees
        self.init(
            south: south, west: Angle.longitude(center.longitude - longitudeReach),
            north: north, east: Angle.longitude(center.longitude + longitudeReach))
    }

    /// Rounding errors of the formulas, in radians and as a share; 10⁻¹² radians are 6 µm.
    private static let margin = 1e-12

    /// The box enlarged by a share of its size on every side (0.1 adds a tenth of the span to each).
    public func padded(by share: Double) -> BoundingBox {
        let dLat = latitudeSpan * share
        let dLon = longitudeSpan * share
        if longitudeSpan + 2 * dLon >= 360 {
            return BoundingBox(
                south: max(-90, south - dLat), west: -180, north: min(90, north + dLat), east: 180)
        }
        return BoundingBox(
            south: max(-90, south - dLat), west: Angle.longitude(west - dLon),
            north: min(90, north + dLat), east: Angle.longitude(east + dLon))
    }

    /// The ends of the arc that remains without the widest gap between neighbouring longitudes.
    private static func narrowestSpan(_ longitudes: [Double]) -> (west: Double, east: Double)? {
        // No gap between them can be wider than the one across the wrap-around.
        if let west = longitudes.min(), let east = longitudes.max(), east - west <= 180 {
            return (west, east)
        }
        let sorted = longitudes.sorted()
        guard let first = sorted.first, let last = sorted.last else { return nil }
        var best = (west: first, east: last)
        var widest = first + 360 - last
        for (left, right) in zip(sorted, sorted.dropFirst()) where right - left > widest {
            widest = right - left
            best = (west: right, east: left)
        }
        return best
    }
}
