import Foundation

/// A zone of UTM in a band of latitude, as MGRS divides the world between 80° S and 84° N: `32T`.
///
/// Source: NGA.STND.0037, "Universal Grids and Grid Reference Systems", with the exceptions of Norway and Svalbard.
public struct UTMZone: Sendable, Hashable {
    /// 1 at 180° west to 60.
    public let number: Int
    /// The index of the band from 80° S, 0…19.
    let band: Int

    /// Metres of a square of MGRS.
    public static let squareSide = 100_000.0
    private static let falseEast = 500_000.0
    private static let falseNorth = 10_000_000.0
    private static let latitudes = -80.0...84.0

    init(number: Int, band: Int) { (self.number, self.band) = (number, band) }

    /// The zone of a coordinate; `nil` beyond 84° N and 80° S, where there is no UTM.
    public init?(of coordinate: Coordinate) {
        let (latitude, longitude) = (coordinate.latitude, coordinate.longitude)
        guard coordinate.isValid, Self.latitudes.contains(latitude) else { return nil }
        band = min(19, Int((latitude + 80) / 8))
        number =
            if band == Self.norway, (3..<12).contains(longitude) {
                32
            } else if band == Self.svalbard, (0..<42).contains(longitude) {
                longitude < 9 ? 31 : longitude < 21 ? 33 : longitude < 33 ? 35 : 37
            } else { min(60, Int((longitude + 180) / 6) + 1) }
    }

    private static let norway = 17
    private static let svalbard = 19

    /// The zones that an area meets, from the south-west.
    public static func meeting(_ area: BoundingBox) -> [UTMZone] {
        (0...19).flatMap { band in (1...60).map { UTMZone(number: $0, band: band) } }
            .filter { zone in
                guard let own = zone.area, own.south < area.north, area.south < own.north else {
                    return false
                }
                return area.longitudeRanges.contains { $0.lowerBound < own.east && own.west < $0.upperBound }
            }
    }

    /// `32T`
    public var name: String { "\(number)\(GridReference.bands[band])" }

    /// The area between two meridians and two parallels; `nil` for the three zones that Svalbard does not have.
    public var area: BoundingBox? {
        let south = Double(band) * 8 - 80
        let north = band == Self.svalbard ? Self.latitudes.upperBound : south + 8
        var (west, east) = (Double(number) * 6 - 186, Double(number) * 6 - 180)
        switch (band, number) {
        case (Self.norway, 31): east = 3
        case (Self.norway, 32): west = 3
        case (Self.svalbard, 31): east = 9
        case (Self.svalbard, 33): (west, east) = (9, 21)
        case (Self.svalbard, 35): (west, east) = (21, 33)
        case (Self.svalbard, 37): west = 33
        case (Self.svalbard, 32), (Self.svalbard, 34), (Self.svalbard, 36): return nil
        default: break
        }
        return BoundingBox(south: south, west: west, north: north, east: east)
    }

    private var meridian: Double { Double(number) * 6 - 183 }
    private var isSouth: Bool { band < 10 }

    /// The easting and northing of a coordinate in metres, also outside the zone.
    public func position(of coordinate: Coordinate) -> (east: Double, north: Double) {
        var near = coordinate
        near.longitude = meridian + Angle.longitude(coordinate.longitude - meridian)
        let plane = TransverseMercator.utm.plane(near, meridian: meridian)
        return (plane.east + Self.falseEast, plane.north + (isSouth ? Self.falseNorth : 0))
    }

    /// The coordinate of an easting and a northing in metres.
    public func coordinate(east: Double, north: Double) -> Coordinate {
        var coordinate = TransverseMercator.utm.coordinate(
            east: east - Self.falseEast, north: north - (isSouth ? Self.falseNorth : 0), meridian: meridian)
        coordinate.longitude = Angle.longitude(coordinate.longitude)
        return coordinate
    }

    /// The meridian convergence in degrees: how far grid north is east of true north.
    public func convergence(at coordinate: Coordinate) -> Double {
        let step = Self.convergenceStep
        var (south, north) = (coordinate, coordinate)
        south.latitude = max(-90, coordinate.latitude - step)
        north.latitude = min(90, coordinate.latitude + step)
        let (from, to) = (position(of: south), position(of: north))
        return -atan2(to.east - from.east, to.north - from.north).degrees
    }
    /// Degrees of latitude over which a meridian's direction in the grid is measured.
    private static let convergenceStep = 1e-4

    /// The two letters of the square of 100 km around an easting and a northing; `nil` outside of the lettered columns.
    public func square(east: Double, north: Double) -> String? {
        let columns = GridReference.columns[(number - 1) % 3]
        let (column, row) = (Int(east / Self.squareSide) - 1, Int(north / Self.squareSide))
        guard columns.indices.contains(column), row >= 0 else { return nil }
        return "\(columns[column])\(GridReference.rows[(row + (number % 2 == 0 ? 5 : 0)) % 20])"
    }
}
