import Foundation

/// The National Grid of Great Britain on the datum OSGB36, by the formulas and parameters of Ordnance Survey's "A guide to coordinate
/// systems in Great Britain": the seven parameters between the datums are good to about 5 m.
enum BritishGrid {
    /// The ellipsoid of Airy, 1830.
    private static let axis = 6_377_563.396
    private static let minorAxis = 6_356_256.909
    private static let projection = TransverseMercator(
        flattening: (axis - minorAxis) / axis, axis: axis, scale: 0.999_601_271_7)
    private static let meridian = -2.0
    /// Metres of the false origin.
    private static let falseEast = 400_000.0
    private static let falseNorth = -100_000.0
    /// The latitude of the true origin.
    private static let originLatitude = 49.0
    /// Squares of 100 km to the east and north that the grid has.
    private static let columns = 0..<7
    private static let rows = 0..<13
    /// The letters of squares; there is no I.
    private static let letters = Array("ABCDEFGHJKLMNOPQRSTUVWXYZ")

    /// From WGS 84: translations in metres, rotations in seconds of arc, scale in parts per million.
    private static let shift = (x: -446.448, y: 125.157, z: -542.060)
    private static let rotation = (x: -0.1502, y: -0.2470, z: -0.8421)
    private static let scaling = 20.4894e-6

    // MARK: Text

    /// Names that people write before a reference.
    private static let names = ["OSGB ", "OS ", "BNG "]

    /// `TQ 30080 80040`, `NN166712`: two letters and as many digits of the easting as of the northing, four at least; the centre of
    /// the square. `nil` for anything else, also for letters of the sea beyond the grid.
    static func read(_ text: String) -> CoordinateText.Reading? {
        var plain = text.uppercased()[...]
        if let name = names.first(where: { plain.hasPrefix($0) }) { plain = plain.dropFirst(name.count) }
        let parts = plain.split { $0 == " " || $0 == "," }
        guard let first = parts.first else { return nil }
        var groups = parts.dropFirst().map(String.init)
        // A word of small letters and digits is a geohash.
        if parts.count == 1, first.contains(where: \.isLetter), text.contains(where: \.isLowercase) {
            return nil
        }
        if first.count > 2 { groups.insert(String(first.dropFirst(2)), at: 0) }
        // Four digits in one are as likely the number of a road, a train or a house.
        guard first.count == 2 || groups.count == 1, (1...2).contains(groups.count),
            groups.joined().allSatisfy({ $0.isASCII && $0.isNumber }),
            groups.count == 2 ? groups[0].count == groups[1].count : groups[0].count > 4
        else { return nil }
        let digits = groups.joined()
        guard digits.count % 2 == 0, (4...10).contains(digits.count),
            let (column, row) = square(first.prefix(2))
        else { return nil }
        let half = digits.count / 2
        let unit = pow(10, Double(5 - half))
        guard let east = Double(digits.prefix(half)), let north = Double(digits.suffix(half)) else {
            return nil
        }
        let found = coordinate(
            east: Double(column) * UTMZone.squareSide + (east + 0.5) * unit,
            north: Double(row) * UTMZone.squareSide + (north + 0.5) * unit)
        return CoordinateText.reading(found.latitude, found.longitude, .britishGrid)
    }

    /// The square of a metre around a coordinate: `TQ 30080 80040`. `nil` outside the grid.
    static func text(_ coordinate: Coordinate) -> String? {
        let (east, north) = position(of: coordinate)
        // Far from its meridian the projection has no bounds.
        guard contains(east: east, north: north) else { return nil }
        let (column, row) = (Int(east / UTMZone.squareSide), Int(north / UTMZone.squareSide))
        let far = 19 - row
        let first = far - far % 5 + (column + 10) / 5
        let second = far * 5 % 25 + column % 5
        let digits = [east, north].map { String(100_000 + Int($0) % 100_000).dropFirst() }
        return "\(letters[first])\(letters[second]) \(digits[0]) \(digits[1])"
    }

    /// Whether the grid has an easting and a northing in metres.
    static func contains(east: Double, north: Double) -> Bool {
        east >= 0 && north >= 0 && east < Double(columns.upperBound) * UTMZone.squareSide
            && north < Double(rows.upperBound) * UTMZone.squareSide
    }

    /// The column and row of a square of 100 km from the false origin.
    private static func square(_ name: Substring) -> (column: Int, row: Int)? {
        guard let start = name.first, let end = name.last, let first = letters.firstIndex(of: start),
            let second = letters.firstIndex(of: end)
        else { return nil }
        // S is the fourth letter of the fourth row of squares of 500 km, two to the west of which the letters begin.
        let column = (first % 5 - 2) * 5 + second % 5
        let row = 19 - first / 5 * 5 - second / 5
        return columns.contains(column) && rows.contains(row) ? (column, row) : nil
    }

    // MARK: Projection

    /// Metres between the equator and the true origin along the meridian.
    private static let origin = projection.plane(
        Coordinate(latitude: originLatitude, longitude: meridian), meridian: meridian
    ).north

    /// The coordinate in WGS 84 of an easting and a northing in metres.
    static func coordinate(east: Double, north: Double) -> Coordinate {
        let local = projection.coordinate(
            east: east - falseEast, north: north - falseNorth + origin, meridian: meridian)
        // The way back has no closed form; each step takes the remaining difference off, and the second is far below a millimetre.
        var place = local
        for _ in 0..<3 {
            let there = onAiry(place)
            place.latitude += local.latitude - there.latitude
            place.longitude += local.longitude - there.longitude
        }
        return place
    }

    /// The easting and northing of a coordinate in WGS 84 in metres.
    static func position(of coordinate: Coordinate) -> (east: Double, north: Double) {
        let plane = projection.plane(onAiry(coordinate), meridian: meridian)
        return (plane.east + falseEast, plane.north - origin + falseNorth)
    }

    /// A coordinate of WGS 84 in OSGB36.
    private static func onAiry(_ coordinate: Coordinate) -> Coordinate {
        let (latitude, longitude) = (coordinate.latitude.radians, coordinate.longitude.radians)
        let square = Ellipsoid.squaredEccentricity
        let curvature = Ellipsoid.axis / (1 - square * sin(latitude) * sin(latitude)).squareRoot()
        let x = curvature * cos(latitude) * cos(longitude)
        let y = curvature * cos(latitude) * sin(longitude)
        let z = curvature * (1 - square) * sin(latitude)
        let turn = (
            x: (rotation.x / 3600).radians, y: (rotation.y / 3600).radians, z: (rotation.z / 3600).radians
        )
        let factor = 1 + scaling
        let moved = (
            x: shift.x + x * factor - y * turn.z + z * turn.y,
            y: shift.y + x * turn.z + y * factor - z * turn.x,
            z: shift.z - x * turn.y + y * turn.x + z * factor
        )
        let flattening = projection.flattening
        let airySquare = flattening * (2 - flattening)
        let distance = hypot(moved.x, moved.y)
        var angle = atan2(moved.z, distance * (1 - airySquare))
        for _ in 0..<5 {
            let radius = axis / (1 - airySquare * sin(angle) * sin(angle)).squareRoot()
            angle = atan2(moved.z + airySquare * radius * sin(angle), distance)
        }
        return Coordinate(latitude: angle.degrees, longitude: atan2(moved.y, moved.x).degrees)
    }
}
